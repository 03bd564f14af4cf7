"""Sends a recorded message once more: to the server it went to, or to another one, of whatever version.

A request goes out as that server's version wants it: with an id of its own, and what the version itself puts beside the
params made anew. All else stays as it was spelled. What is no clean request goes out as its bytes are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.wire import frame as wire
from mcp_inspector.wire import jsonscan
from mcp_inspector.wire.frame import Frame, Kind
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server
    from mcp_inspector.transport.base import Fault

_PREFIX = "io.modelcontextprotocol/"


async def send_again(server: Server, raw: bytes, on_sent: Callable[[int], object]) -> Outcome | Fault | None:
    """Send it, tell `on_sent` the number of its record where one is waited for, and return how it ended.

    None for what has no answer. A `Fault` says why it could not be sent.
    """
    frame = wire.read(raw)
    params = _params(frame)
    if frame.kind is not Kind.REQUEST or params is None:
        return await server.send_raw(raw)
    if frame.method == "tools/call" and set(params) <= {"name", "arguments"} and "name" in params:
        name = msgspec.json.decode(params["name"])
        if isinstance(name, str):
            arguments = bytes(params["arguments"]) if "arguments" in params else None
            return await server.call_tool(name, arguments, on_call=lambda call: on_sent(call.seq))
    given: dict[str, Any] | None = params if frame.params is not None else None
    return await server.request(frame.method, given, on_call=lambda call: on_sent(call.seq))


def renumbered(raw: bytes, ident: str) -> bytes:
    """The same message under another id (JSON text), every other byte as it was; as it is where it has none.

    A progress token that is the id is changed with it: two requests must not share one.
    """
    try:
        members = jsonscan.members(raw)
        found = [member for member in members if member.name == "id"]
        if not found:
            return raw
        spans = [(found[-1].start, found[-1].end)]
        old = raw[found[-1].start : found[-1].end]
        token = _span(raw, 0, ("params", "_meta", "progressToken"))
        if token is not None and raw[token[0] : token[1]] == old:
            spans.append(token)
    except JsonError:
        return raw
    for start, end in sorted(spans, reverse=True):
        raw = raw[:start] + ident.encode() + raw[end:]
    return raw


def _span(raw: bytes, start: int, path: tuple[str, ...]) -> tuple[int, int] | None:
    """Where the value at a path lies."""
    end = len(raw)
    for name in path:
        if raw[start:end].lstrip()[:1] != b"{":
            return None
        found = [member for member in jsonscan.members(raw[start:end]) if member.name == name]
        if not found:
            return None
        start, end = start + found[-1].start, start + found[-1].end
    return start, end


def _params(frame: Frame) -> dict[str, Any] | None:
    """The members of the params as spelled, without what the version puts there; None where they do not come apart."""
    if frame.faults:
        return None
    if frame.params is None:
        return {}
    try:
        names = [member.name for member in jsonscan.members(frame.params)]
        params: dict[str, Any] = msgspec.json.decode(frame.params, type=dict[str, msgspec.Raw])
        meta = msgspec.json.decode(params.get("_meta", msgspec.Raw(b"{}")), type=dict[str, msgspec.Raw])
    except (JsonError, msgspec.MsgspecError, RecursionError):
        return None
    if len(names) != len(set(names)):
        return None
    own = {name: value for name, value in meta.items() if name != "progressToken" and not name.startswith(_PREFIX)}
    params.pop("_meta", None)
    return {**params, "_meta": own} if own else params
