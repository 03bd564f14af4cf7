"""What we say of ourselves to one server, capabilities and `_meta`, kept in memory; and what it lists under each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.memory import Memory

_NAME = "said"


@dataclass(frozen=True)
class Said:
    """`capabilities` None for the usual ones. `meta` goes into each request; `trace`: with a trace context as well."""

    capabilities: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    trace: bool = False


def kept(memory: Memory, server: str) -> Said:
    """What was chosen for a server."""
    everything: dict[str, Any] = memory.get(_NAME, {})
    value = everything.get(server)
    if not isinstance(value, dict):
        return Said()
    capabilities, meta = value.get("capabilities"), value.get("meta")
    return Said(
        capabilities if isinstance(capabilities, dict) else None,
        meta if isinstance(meta, dict) else None,
        value.get("trace") is True,
    )


def apply(server: Server, said: Said) -> None:
    """Say it from now on: `_meta` with the next request, capabilities with the next connection."""
    server.extra.members, server.extra.trace = said.meta or {}, said.trace
    usual = server.usual_client
    server.client = None if said.capabilities is None else replace(usual, capabilities=said.capabilities)


def keep(memory: Memory, server: Server, said: Said) -> None:
    """Say it, and remember it."""
    apply(server, said)
    everything: dict[str, Any] = dict(memory.get(_NAME, {}))
    everything[server.name] = {"capabilities": said.capabilities, "meta": said.meta, "trace": said.trace}
    memory.put(_NAME, everything)


Names = dict[str, frozenset[str]]


def listed(server: Server) -> Names:
    """The names that a server lists now, by list."""
    return {str(what): frozenset(item.key for item in server.catalogue[what].items) for what in What}


def difference(before: Names, after: Names) -> list[str]:
    """What has come and what has gone, in words; empty when nothing has."""
    found = []
    for what in after:
        come, gone = (
            sorted(after[what] - before.get(what, frozenset())),
            sorted(before.get(what, frozenset()) - after[what]),
        )
        found += [f"+ {what}: {plain.line(name)}" for name in come]
        found += [f"− {what}: {plain.line(name)}" for name in gone]
    return found


def as_json(value: Any) -> str:
    """JSON text on lines."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
