"""Any message to a server: templates to begin with, and what came back, matched to what was sent or not."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.ui import plain
from mcp_inspector.wire import frame as wire

if TYPE_CHECKING:
    from mcp_inspector.session.status import Identity
    from mcp_inspector.store.log import Log

_PREFIX = "io.modelcontextprotocol/"
_KEPT = 500
_AT_ONCE = 20_000
_ANSWERS = frozenset({"response", "error", "invalid", "batch"})

_LEGACY: dict[str, dict[str, Any]] = {
    "ping": {},
    "logging/setLevel": {"level": "debug"},
    "resources/subscribe": {"uri": ""},
    "resources/unsubscribe": {"uri": ""},
    "tasks/list": {},
    "tasks/result": {"taskId": ""},
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}},
}
_MODERN: dict[str, dict[str, Any]] = {
    "server/discover": {},
    "subscriptions/listen": {"notifications": {"toolsListChanged": True}},
    "tasks/update": {"taskId": "", "inputResponses": {}},
}
_BOTH: dict[str, dict[str, Any]] = {
    "tools/list": {},
    "tools/call": {"name": "", "arguments": {}},
    "resources/list": {},
    "resources/templates/list": {},
    "resources/read": {"uri": ""},
    "prompts/list": {},
    "prompts/get": {"name": "", "arguments": {}},
    "completion/complete": {"ref": {"type": "ref/prompt", "name": ""}, "argument": {"name": "", "value": ""}},
    "tasks/get": {"taskId": ""},
    "tasks/cancel": {"taskId": ""},
}
_NOTIFICATIONS: dict[str, dict[str, Any]] = {
    "notifications/cancelled": {"requestId": 1, "reason": "because"},
    "notifications/progress": {"progressToken": 1, "progress": 1},
    "notifications/initialized": {},
    "notifications/roots/list_changed": {},
}
OTHERS = {
    "a response": '{"jsonrpc": "2.0", "id": 1, "result": {}}',
    "an error response": '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "failed"}}',
    "a batch": '[{"jsonrpc": "2.0", "id": "b-1", "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/x"}]',
    "an id that is null": '{"jsonrpc": "2.0", "id": null, "method": "ping"}',
    "no JSON": '{"jsonrpc": "2.0", "id": 1, "method": ',
}
"""What is no request of the protocol, by name."""


def methods(identity: Identity | None) -> list[str]:
    """The methods that the server's era knows, requests first."""
    own = _LEGACY if identity is None or identity.era == "legacy" else _MODERN
    return [*_BOTH, *own, *_NOTIFICATIONS]


def template(method: str, identity: Identity | None, number: int) -> str:
    """A message to begin with, laid out; with what the era wants in every request."""
    if method in OTHERS:
        return OTHERS[method]
    notification = method.startswith("notifications/")
    known: dict[str, dict[str, Any]] = {**_BOTH, **_LEGACY, **_MODERN, **_NOTIFICATIONS}
    params = dict(known.get(method, {}))
    if identity is not None and identity.era == "modern" and not notification:
        meta = {f"{_PREFIX}protocolVersion": identity.version, f"{_PREFIX}clientCapabilities": {}}
        params = {**params, "_meta": meta}
    message: dict[str, Any] = {"jsonrpc": "2.0"}
    if not notification:
        message["id"] = f"any-{number}"
    message["method"] = method
    if params:
        message["params"] = params
    return json.dumps(message, indent=2, ensure_ascii=False)


@dataclass(frozen=True)
class Passed:
    """One line of what went out and came in. `word` says what it is, `tone` supports it."""

    seq: int
    sent: bool
    word: str
    tone: str
    text: str


class Exchanged:
    """What was sent by hand to one server, and what came for it or for nobody, as the log tells."""

    def __init__(self, log: Log, server: str) -> None:
        self._log, self._server = log, server
        self._seen = len(log)
        self._sent: dict[int, bytes] = {}
        self.lines: deque[Passed] = deque(maxlen=_KEPT)

    def sent(self, raw: bytes, before: int) -> int:
        """A message went out by hand after record `before`; returns its record's number, 0 when there is none."""
        for seq in range(before + 1, len(self._log) + 1):
            index = seq - 1
            columns = self._log.columns
            if (
                columns.direction[index] == int(Direction.SENT)
                and columns.channel[index] == int(Channel.MESSAGE)
                and columns.servers.texts[columns.server[index]] == self._server
                and self._log.body(seq) == raw
            ):
                self._sent[seq] = raw
                frame = wire.read(raw)
                word = frame.kind.value if not frame.faults else f"{frame.kind.value}, odd"
                tone = "warn" if frame.faults else "text"
                shown = f"{frame.method} {frame.id_text}".strip() or raw[:200].decode(errors="replace")
                self.lines.append(Passed(seq, True, word, tone, plain.line(shown)))
                self._seen = min(self._seen, seq)
                return seq
        return 0

    def update(self) -> bool:
        """Read what has come since; returns whether there is more to read."""
        columns, stop = self._log.columns, min(len(self._log), self._seen + _AT_ONCE)
        for index in range(self._seen, stop):
            if columns.servers.texts[columns.server[index]] != self._server:
                continue
            direction, kind = columns.direction[index], columns.kinds.texts[columns.kind[index]]
            ours = columns.call[index] in self._sent
            if direction == int(Direction.RECEIVED) and columns.channel[index] == int(Channel.MESSAGE):
                if ours:
                    tone = "error" if kind == "error" else "ok"
                    self._add(index, f"{kind}, matched", tone)
                elif kind in _ANSWERS and not columns.call[index]:
                    self._add(index, f"{kind}, unmatched", "warn")
            elif direction == int(Direction.LOCAL) and ours:
                self.lines.append(Passed(index + 1, False, kind, "warn", plain.line(self._log.note(index + 1))))
        self._seen = stop
        return stop < len(self._log)

    def _add(self, index: int, word: str, tone: str) -> None:
        body = self._log.body_part(index + 1, 0, 400).decode(errors="replace")
        self.lines.append(Passed(index + 1, False, word, tone, plain.line(body)))
