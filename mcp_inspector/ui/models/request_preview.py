"""The request as it will be sent: the message, and over HTTP the headers that speak of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.wire import frame as wire
from mcp_inspector.wire import headers, jsontext

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server

LARGEST = 300_000
"""Characters of a request that are laid out; larger ones are shown as they go out."""


def preview_of(server: Server, method: str, params: dict[str, Any], schema: bytes | None = None) -> tuple[str, str]:
    """The text of the next request, and a sentence about it. `params` may hold `msgspec.Raw`."""
    head: tuple[tuple[str, str], ...] = ()
    found = server.preview(method, params)
    if found is None:
        raw = wire.write(method, params, 1)
        note = f"{server.name} is not connected: its version may add to this."
    else:
        raw, head = found
        note = "This is what goes out next, laid out on lines; it goes on one line."
    identity = server.identity
    if found is None or identity is None or identity.transport == "stdio":
        head = ()  # headers are HTTP's
    else:
        head = (*head, *_mirrored(identity.era, schema, params))
        note = "This is what goes out next, after the headers that the transport always sends."
    text = raw.decode(errors="replace")
    if len(text) <= LARGEST:
        text = jsontext.pretty(text)
    lines = [f"{name}: {value}" for name, value in head]
    return "\n".join([*lines, *([""] if lines else []), text]), note


def _mirrored(era: str, schema: bytes | None, params: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    if era != "modern" or schema is None:
        return ()
    try:
        known = msgspec.json.decode(schema)
        if not headers.wants_arguments(known):
            return ()
        given = params.get("arguments")
        return headers.for_arguments(known, msgspec.json.decode(given) if isinstance(given, msgspec.Raw) else given)
    except (msgspec.MsgspecError, RecursionError):
        return ()
