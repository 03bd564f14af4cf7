"""What we say of ourselves to one server, capabilities and `_meta`, kept in its entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

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


def as_json(value: Any) -> str:
    """JSON text on lines."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
