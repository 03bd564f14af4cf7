"""What we say of ourselves to one server, capabilities and `_meta`, kept in its entry; and what it lists under each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.models.book import Book

_NAME = "said"


@dataclass(frozen=True)
class Said:
    """`capabilities` None for the usual ones. `meta` goes into each request; `trace`: with a trace context as well."""

    capabilities: dict[str, Any] | None = None
    meta: dict[str, Any] | None = None
    trace: bool = False


def kept(entry: ServerEntry) -> Said:
    """What was chosen for a server."""
    capabilities = None if entry.capabilities is None else dict(entry.capabilities)
    return Said(capabilities, dict(entry.meta) or None, entry.trace)


def keep(book: Book, server: Server, said: Said) -> str:
    """Say it, `_meta` with the next request and capabilities with the next connection; returns why it cannot be."""
    return book.choose(server.name, capabilities=said.capabilities, meta=said.meta or {}, trace=said.trace)


def move(memory: Memory, book: Book, server: Server) -> None:
    """Bring what an earlier version of the program kept in the window's memory into the server's entry."""
    everything: dict[str, Any] = dict(memory.get(_NAME, {}))
    value = everything.pop(server.name, None)
    if not isinstance(value, dict):
        return
    capabilities, meta = value.get("capabilities"), value.get("meta")
    said = Said(
        capabilities if isinstance(capabilities, dict) else None,
        meta if isinstance(meta, dict) else None,
        value.get("trace") is True,
    )
    if kept(server.entry) != Said() or said == Said() or not keep(book, server, said):
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
