"""Entries for the tests of the store, as a session makes them."""

from __future__ import annotations

from typing import Any

from mcp_inspector.store.record import Channel, Direction, Entry

SENT, RECEIVED, LOCAL = Direction.SENT, Direction.RECEIVED, Direction.LOCAL
MILLISECOND = 1_000_000


def entry(**values: Any) -> Entry:
    """A notification that came in, with `values` in place of what it has."""
    given: dict[str, Any] = {
        "server": "everything",
        "connection": 1,
        "channel": Channel.MESSAGE,
        "direction": RECEIVED,
        "wall_ns": 1_764_511_325_000_000_000,
        "mono_ns": 5_000_000_000,
        "kind": "notification",
        "method": "notifications/message",
    }
    return Entry(**(given | values))


def request(ident: int | str, at: int = 0, **values: Any) -> Entry:
    """A request of ours, `at` milliseconds after the start."""
    text = str(ident) if isinstance(ident, int) else f'"{ident}"'
    given = {"direction": SENT, "kind": "request", "method": "tools/call", "target": "echo", "id": text}
    return entry(**(given | {"mono_ns": at * MILLISECOND, "data": b'{"method":"tools/call"}'} | values))


def response(ident: int | str, at: int = 0, **values: Any) -> Entry:
    """The server's answer to it."""
    text = str(ident) if isinstance(ident, int) else f'"{ident}"'
    given = {"kind": "response", "method": "tools/call", "target": "echo", "id": text, "mono_ns": at * MILLISECOND}
    return entry(**(given | {"data": b'{"result":{}}'} | values))


def event(kind: str, at: int = 0, **values: Any) -> Entry:
    """Something that we did or decided."""
    given = {"channel": Channel.LIFECYCLE, "direction": LOCAL, "kind": kind, "method": "", "mono_ns": at * MILLISECOND}
    return entry(**(given | {"facts": {"sentence": f"It was {kind}."}} | values))
