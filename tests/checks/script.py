"""Conversations for the tests of the rules: what is written here is recorded as a session would record it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.observer import Observer
from mcp_inspector.session.recorder import Recorder
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.transport.base import Note, NoteKind, Received
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.exchange import Match, Pairing
from mcp_inspector.wire.frame import Frame, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.checks.rule import Finding, Rule

V24, M, J, N, X = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
SUB = f"{PREFIX}subscriptionId"
TASKS = f"{PREFIX}tasks"
EVERYTHING = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "completions": {},
    "logging": {},
}
CLIENT = {"roots": {}, "sampling": {"tools": {}, "context": {}}, "elicitation": {"form": {}, "url": {}}}
CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
HEADERS = (("Content-Type", "application/json"),)
STREAM = (("Content-Type", "text/event-stream"), ("X-Accel-Buffering", "no"), ("Cache-Control", "no-cache"))


class Talk:
    """One connection. Every method records something and gives the talk back, so that they can be chained.

    `caps` are the server's; `greet` False leaves the handshake to the test. Time goes on by 10 ms with each record.
    """

    def __init__(
        self,
        version: str = N,
        over: str = "stdio",
        caps: dict[str, Any] | None = None,
        client: dict[str, Any] | None = None,
        *,
        greet: bool = True,
    ) -> None:
        self.version, self.over = version, over
        self.caps = EVERYTHING if caps is None else caps
        self.client = CLIENT if client is None else client
        self.entries: list[Entry] = []
        self.now = 1_000_000_000
        self.last: Any = 0
        self.own: tuple[tuple[str, str], ...] = ()
        self._pairing: Pairing[int] = Pairing()
        self._recorder = Recorder(self, "server", 1)
        if over == "stdio":
            self.started()
        if greet:
            self.greet()

    def append(self, entry: Entry) -> int:
        """See `session.recorder.Journal`: the clock of the test replaces the real one."""
        entry = Entry(*(getattr(entry, name) if name != "mono_ns" else self.now for name in Entry.__slots__))
        self.entries.append(entry)
        return len(self.entries)

    def wait(self, ms: float) -> Talk:
        """Let time pass."""
        self.now += int(ms * 1e6)
        return self

    def again(self, *own: tuple[str, str], greet: bool = True) -> Talk:
        """A further connection of the same server, with these headers of the person's own."""
        self._pairing, self.own = Pairing(), own
        self._recorder = Recorder(self, "server", self._recorder.connection + 1)
        if self.over == "stdio":
            self.started()
        return self.greet() if greet else self

    def greet(self) -> Talk:
        """The handshake of the version, with nothing wrong in it."""
        info = {"name": "server", "version": "1"}
        if self.version >= X:
            result = {
                "supportedVersions": [self.version],
                "capabilities": self.caps,
                "_meta": {f"{PREFIX}serverInfo": info},
            }
            return self.ask("server/discover").ok(result)
        self.hello()
        result = {"protocolVersion": self.version, "capabilities": self.caps, "serverInfo": info}
        return self.ok(result).say("notifications/initialized")

    def hello(self) -> Talk:
        """Our initialize."""
        info = {"name": "client", "version": "1"}
        return self.ask(
            "initialize", {"protocolVersion": self.version, "capabilities": self.client, "clientInfo": info}
        )

    # --- what we send ---

    def ask(self, method: str, params: dict[str, Any] | None = None, ident: Any = None, **meta: Any) -> Talk:
        """A request of ours; `meta` are members of its `_meta`, with ``__`` for the specification's prefix."""
        if ident is None:
            ident = self.last = self.last + 1 if isinstance(self.last, int) else 1
        self.last = ident
        given = {name.replace("__", PREFIX): value for name, value in meta.items()}
        if self.version >= X:
            own = {f"{PREFIX}protocolVersion": self.version, f"{PREFIX}clientCapabilities": self.client}
            params = {**(params or {}), "_meta": {**own, **given, **(params or {}).get("_meta", {})}}
        elif given:
            params = {**(params or {}), "_meta": given}
        if self.over == "http":
            headers = [list(pair) for pair in (*self.headers(method, params or {}), *self.own)]
            self._http(NoteKind.HTTP_REQUEST, method="POST", stream="post", key=ident, headers=headers)
        return self.send(wire.write(method, params, ident))

    def headers(self, method: str, params: dict[str, Any]) -> list[tuple[str, str]]:
        """The headers of a request over HTTP."""
        from mcp_inspector.wire import headers

        if self.version >= X:
            return [*HEADERS, *headers.for_request(method, self.version, params)]
        return [*HEADERS, ("MCP-Protocol-Version", self.version)]

    def say(self, method: str, params: dict[str, Any] | None = None, call: int = 0) -> Talk:
        """A notification of ours."""
        return self.send(wire.write(method, params), call)

    def reply(self, ident: Any, result: Any) -> Talk:
        """Our answer to a request of the server."""
        return self.send(wire.write_result(json.dumps(ident), result))

    def send(self, raw: bytes, call: int = 0) -> Talk:
        """Any bytes of ours."""
        frame = wire.read(raw)
        seq = self._recorder.sent(frame, self._tick(), call=call)
        if frame.kind is Kind.REQUEST and frame.id is not None and frame.id not in self._pairing.open:
            self._pairing.ask(frame.id, seq)
        return self

    def cancel(self, kind: str = "cancelled") -> Talk:
        """We give the last request up: ``cancelled``, ``timeout`` or ``lost``."""
        call = self._pairing.give_up(self.last)
        self._tick()
        self._recorder.event(kind, "Given up.", call=call or 0, fault="no reply" if kind == "lost" else "")
        return self

    # --- what the server sends ---

    def ok(self, result: Any, ident: Any = None, **more: Any) -> Talk:
        """A result for the last request, with what every good result of its version has; see `raw` for bad ones."""
        if self.version >= X and isinstance(result, dict):
            entry = next(
                one for one in reversed(self.entries) if one.kind == "request" and one.direction is Direction.SENT
            )
            result = {"resultType": "complete", **result}
            if entry.method in CACHED and result["resultType"] == "complete":
                result = {"ttlMs": 0, "cacheScope": "private", **result}
        return self.result(result, ident, **more)

    def result(self, result: Any, ident: Any = None, **more: Any) -> Talk:
        """A result exactly as it is."""
        return self.raw({"jsonrpc": "2.0", "id": self.last if ident is None else ident, "result": result}, **more)

    def err(self, code: Any, message: Any = "No.", data: Any = None, ident: Any = None, **more: Any) -> Talk:
        """An error for the last request."""
        error = {"code": code, "message": message, **({"data": data} if data is not None else {})}
        return self.raw({"jsonrpc": "2.0", "id": self.last if ident is None else ident, "error": error}, **more)

    def tell(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> Talk:
        """A notification of the server."""
        return self.raw(
            {"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {})}, **more
        )

    def wants(self, method: str, params: dict[str, Any] | None = None, ident: Any = 1) -> Talk:
        """A request of the server."""
        params = {} if params is None else params
        return self.raw({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})

    def raw(self, message: Any, *, stream: str = "", answers: Any = None, event_id: str | None = None) -> Talk:
        """Anything that comes in: bytes, or what becomes JSON."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        stream = stream or {"http": "post", "sse": "sse"}.get(self.over, "stdio")
        item = Received(data, *self._tick(), stream, answers, None, event_id)
        frame = wire.read(data)
        if frame.kind is Kind.BATCH:
            seq = self._recorder.received(item, frame)
            for part in frame.items:
                self._receive(item, part, {"batch": seq})
        else:
            self._receive(item, frame, {})
        return self

    def _receive(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        call, fault = 0, ""
        if frame.kind in (Kind.RESPONSE, Kind.ERROR):
            taken = self._pairing.take(frame, item.answers)
            call, fault = taken.call or 0, taken.fault
            if taken.match is not Match.ANSWER:
                facts["verdict"] = taken.match.value
        elif frame.method == "notifications/progress":
            params = json.loads(frame.params or b"{}")
            token = params.get("progressToken") if isinstance(params, dict) else None
            call = self._pairing.open.get(token, 0) if isinstance(token, int | str) else 0
        self._recorder.received(item, frame, call=call, fault=fault, facts=facts)

    # --- beside the messages ---

    def http(
        self,
        status: int = 200,
        headers: Iterable[tuple[str, str]] = HEADERS,
        body: bytes = b"",
        key: Any = "last",
        **facts: Any,
    ) -> Talk:
        """The head of an HTTP response, to the last request unless `key` says otherwise."""
        key = self.last if key == "last" else key
        facts = {"method": "POST", "stream": "post", **facts}
        listed = [list(pair) for pair in headers]
        self._http(NoteKind.HTTP_RESPONSE, body, key=key, status=status, headers=listed, **facts)
        return self

    def http_request(self, headers: Iterable[tuple[str, str]] = (), url: str = "https://h/mcp", **facts: Any) -> Talk:
        """An HTTP request of ours."""
        facts = {"method": "POST", "stream": "post", "key": None, **facts}
        self._http(NoteKind.HTTP_REQUEST, headers=[list(pair) for pair in headers], url=url, **facts)
        return self

    def stream(self, **facts: Any) -> Talk:
        """Something about an event stream."""
        self._http(NoteKind.STREAM, **facts)
        return self

    def event(self, kind: str, **facts: Any) -> Talk:
        """Something that happened to the connection."""
        self._tick()
        self._recorder.event(kind, str(facts.pop("sentence", "It happened.")), **facts)
        return self

    def shutdown(self, step: str) -> Talk:
        """A step of ending the process."""
        return self._note(NoteKind.SHUTDOWN, step=step)

    def started(self) -> Talk:
        """A process was started."""
        return self._note(NoteKind.STARTED, argv=["server"], pid=1)

    def exited(self) -> Talk:
        """The process ended."""
        return self._note(NoteKind.EXITED, exit_code=1)

    def auth(self, **facts: Any) -> Talk:
        """A step of a sign-in; `data`, `status` and `target` are those of its record."""
        data, status, target = (
            facts.pop(name, default) for name, default in (("data", b""), ("status", None), ("target", ""))
        )
        kind = facts.pop("kind", "response")
        self.append(
            Entry(
                "server",
                1,
                Channel.AUTH,
                Direction.RECEIVED,
                *self._tick(),
                data,
                kind,
                target=target,
                status=status,
                facts=facts,
            )
        )
        return self

    def _http(self, kind: NoteKind, data: bytes = b"", **facts: Any) -> None:
        self._note(kind, data, **{"url": "https://h/mcp", **facts})

    def _note(self, kind: NoteKind, data: bytes = b"", **facts: Any) -> Talk:
        self._recorder.note(Note(kind, *self._tick(), data, facts))
        return self

    def _tick(self) -> tuple[int, int]:
        self.now += 10_000_000
        return self.now, self.now

    # --- what is wrong ---

    def found(self, rules: Iterable[Rule]) -> list[Finding]:
        """What these rules find in all that was recorded."""
        observer = Observer(rules, strict=True)
        return [finding for seq, entry in enumerate(self.entries, 1) for finding in observer.feed(seq, entry)]

    # --- things that many tests say ---

    def tools(self, *tools: dict[str, Any], **more: Any) -> Talk:
        """List these tools."""
        return self.ask("tools/list").ok({"tools": list(tools), **more})

    def call(self, result: Any, name: str = "t", arguments: dict[str, Any] | None = None, **params: Any) -> Talk:
        """Call a tool and get this result."""
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}, **params}).ok(result)

    def listen(self, ident: Any = "l", **wanted: Any) -> Talk:
        """Open a listen stream."""
        return self.ask("subscriptions/listen", {"notifications": wanted}, ident=ident)

    def acked(self, ident: Any = "l", **agreed: Any) -> Talk:
        """The acknowledgement of a listen stream."""
        params = {"notifications": agreed, "_meta": {SUB: ident}}
        return self.tell(
            "notifications/subscriptions/acknowledged", params, answers="l" if self.over == "http" else None
        )


def tool(name: str = "t", **more: Any) -> dict[str, Any]:
    """A tool with nothing wrong in it."""
    return {"name": name, "description": "Does what it is made for.", "inputSchema": {"type": "object"}, **more}


def text(words: str = "done", **more: Any) -> dict[str, Any]:
    """A tool's result with one text."""
    return {"content": [{"type": "text", "text": words}], **more}
