"""Where probes are run: connections of their own to one server, recorded beside its others."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.connecting import Client, Connecting, Patience
from mcp_inspector.session.outcome import Complete, InputRequired, LocalError, Outcome, RpcError, TaskStarted
from mcp_inspector.session.recorder import Journal, Recorder
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, Received, Transport, now
from mcp_inspector.transport.http_faults import media_type
from mcp_inspector.transport.http_streams import start
from mcp_inspector.transport.limits import Limits
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire import headers as wire_headers
from mcp_inspector.wire.eventstream import EventStream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_inspector.session.catalogue import Catalogue
    from mcp_inspector.session.session import Session
    from mcp_inspector.session.status import Identity
    from mcp_inspector.transport.base import Note
    from mcp_inspector.transport.credentials import Credentials
    from mcp_inspector.transport.http import HttpClient, Reply

_META = "io.modelcontextprotocol/"
_WAIT = 10.0
_FIRST_CONNECTION = 1_000_000
_numbers = itertools.count(_FIRST_CONNECTION)
_NOTHING = "nothing at all"


@dataclass(frozen=True)
class Answer:
    """What came back to one probe's message: an object, or `why` there is none. `status` is that of HTTP."""

    message: dict[str, Any] = field(default_factory=dict)
    status: int | None = None
    seqs: tuple[int, ...] = ()
    why: str = ""

    @property
    def result(self) -> dict[str, Any] | None:
        """The result, None when it is none."""
        value = self.message.get("result")
        return value if isinstance(value, dict) else None

    @property
    def code(self) -> int | None:
        """The code of an error, None when it is none."""
        error = self.message.get("error")
        code = error.get("code") if isinstance(error, dict) else None
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @property
    def data(self) -> dict[str, Any]:
        """The data of an error."""
        error = self.message.get("error")
        data = error.get("data") if isinstance(error, dict) else None
        return data if isinstance(data, dict) else {}

    @property
    def refused(self) -> bool:
        """Whether the server did not do it: an error, or a tool's own."""
        return self.code is not None or (self.result or {}).get("isError") is True

    def told(self) -> str:
        """What came back, in words."""
        http = f", HTTP {self.status}" if self.status is not None else ""
        if self.code is not None:
            said = str(self.message["error"].get("message", ""))[:120]
            return f"error {self.code} ({said}){http}"
        if self.result is not None:
            kind = " with isError" if self.result.get("isError") is True else ""
            kind = " that asks for input" if self.result.get("resultType") == "input_required" else kind
            return f"a result{kind}{http}"
        return f"{self.why or _NOTHING}{http}"


class _Ear:
    """The sink of raw HTTP: notes are recorded, messages are not expected."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def received(self, item: Received) -> None:
        """See `transport.base.Sink`."""

    def noted(self, note: Note) -> None:
        """See `transport.base.Sink`."""
        self._recorder.note(note)

    def lost(self, key: int | str, fault: Fault) -> None:
        """See `transport.base.Sink`."""

    def closed(self, fault: Fault | None) -> None:
        """See `transport.base.Sink`."""


class HttpLine:
    """HTTP by hand: any message under any headers. A legacy session is begun with `begin`."""

    def __init__(self, client: HttpClient, target: urls.Target, recorder: Latest, version: str) -> None:
        self._client, self._target, self._recorder = client, target, recorder
        self.version = version
        self.session_id = ""
        self.began = False
        self._last = 0

    def message(self, method: str, params: dict[str, Any] | None = None, *, meta: bool = True) -> dict[str, Any]:
        """A request under a new id, with what its version wants in `_meta` unless that is left out."""
        self._last += 1
        given = dict(params or {})
        if self.version >= "2026-07-28" and meta:
            given["_meta"] = envelope(self.version)
        return {"jsonrpc": "2.0", "id": self._last, "method": method, "params": given}

    def headers(self, message: dict[str, Any]) -> dict[str, str]:
        """The headers that a message should have."""
        found = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.version >= "2026-07-28":
            found |= dict(wire_headers.for_request(message["method"], self.version, message["params"]))
        else:
            if self.version >= "2025-06-18" and message.get("method") != "initialize":
                found["MCP-Protocol-Version"] = self.version
            if self.session_id:
                found["Mcp-Session-Id"] = self.session_id
        return found

    def opening(self) -> dict[str, Any]:
        """A request that a client may begin with: the handshake of its era, or a list where there is none."""
        if self.version >= "2026-07-28":
            return self.message("tools/list")
        client = dict(Client().info)
        return self.message("initialize", {"protocolVersion": self.version, "capabilities": {}, "clientInfo": client})

    async def post(
        self, message: dict[str, Any], headers: dict[str, str] | None = None, *, leave: bool = False
    ) -> Answer:
        """Send a message; `headers` replace those that it should have.

        With `leave` the connection is closed after the first event of the answer, whatever that is.
        """
        raw = msgspec.json.encode(message)
        frame = wire.read(raw)
        sent = self._recorder.sent(frame, now(), target=str(message.get("params", {}).get("name", "")))
        given = list((self.headers(message) if headers is None else headers).items())
        key = message.get("id")
        try:
            async with asyncio.timeout(_WAIT):
                reply = await self._client.request("POST", self._target, given, raw, stream="post", key=key)
                try:
                    return await self._read(reply, sent, key, leave=leave)
                finally:
                    await reply.close()
        except TimeoutError:
            return Answer(seqs=(sent,), why=f"no answer within {_WAIT:g} s")
        except Fault as fault:
            return Answer(seqs=(sent,), why=fault.sentence)

    async def verb(self, method: str, headers: dict[str, str] | None = None) -> Answer:
        """A GET or DELETE; only its status is looked at."""
        given = {"Accept": "text/event-stream"} if method == "GET" else {}
        if self.session_id:
            given["Mcp-Session-Id"] = self.session_id
        if "2025-06-18" <= self.version < "2026-07-28":
            given["MCP-Protocol-Version"] = self.version
        given |= headers or {}
        try:
            async with asyncio.timeout(_WAIT):
                reply = await self._client.request(method, self._target, list(given.items()), stream=method.lower())
                await reply.close()
                return Answer(status=reply.head.status, seqs=(self._recorder.latest,))
        except TimeoutError:
            return Answer(why=f"no answer within {_WAIT:g} s")
        except Fault as fault:
            return Answer(why=fault.sentence)

    async def begin(self) -> Answer:
        """The handshake of a legacy session."""
        answer = await self.post(self.opening())
        self.began = answer.result is not None
        if self.began:
            note = {"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}}
            await self.post(note)
        return answer

    async def close(self) -> None:
        """End a session, and give the connection back."""
        if self.session_id:
            with contextlib.suppress(Exception):
                await self.verb("DELETE")
        await self._client.close()

    async def _read(self, reply: Reply, sent: int, key: Any, *, leave: bool = False) -> Answer:
        head = reply.head
        if head.get("mcp-session-id") and not self.session_id and self.version < "2026-07-28" and head.status < 300:
            self.session_id = str(head.get("mcp-session-id"))
        body = reply.shown
        if 200 <= head.status < 300 and media_type(head) == "text/event-stream":
            body = await _event_for(reply, key, first=leave)
        elif 200 <= head.status < 300:
            body, _ = await reply.body(1 << 20)
        seqs: tuple[int, ...] = (sent, self._recorder.latest)
        value = _decoded(body)
        if value:
            frame = wire.read(body)
            item = Received(body, *now(), "post", key, head)
            seqs = (sent, self._recorder.received(item, frame, call=sent))
        return Answer(value, head.status, seqs, "" if value else "no JSON-RPC message")


class Bench:
    """Connections for probes of one server, opened when a probe wants them, and all closed at the end.

    `over` is stdio, http or sse. `agreed` says that the person lets probes call tools that may change something.
    """

    def __init__(
        self,
        name: str,
        identity: Identity,
        catalogue: Catalogue,
        journal: Journal,
        dial: Callable[[str], Awaitable[Transport]],
        *,
        url: str = "",
        own: dict[str, str] | None = None,
        credentials: Credentials | None = None,
        agreed: bool = False,
    ) -> None:
        self.name, self.identity, self.catalogue = name, identity, catalogue
        self.over = {"streamable-http": "http", "sse": "sse"}.get(identity.transport, "stdio")
        self.version, self.modern = identity.version, identity.era == "modern"
        self.agreed = agreed
        self.own = own or {}
        self._url, self._credentials = url, credentials
        self._journal, self._dial = journal, dial
        self._sessions: list[Session] = []
        self._lines: list[HttpLine] = []
        self._session: Session | None = None
        self._dual: bool | None = None

    async def session(self, *, mode: str = "", capabilities: dict[str, Any] | None = None) -> Session:
        """A new connection. Raises `Fault`."""
        recorder = self._recorder()
        client = Client(capabilities=capabilities or {})
        patience = Patience(request=_WAIT, ceiling=3 * _WAIT, probe=_WAIT, handshake=2 * _WAIT)
        connecting = Connecting(self.name, self._dial, recorder, client, patience)
        connected = await connecting.run(self.over, mode or self.version)
        self._sessions.append(connected.session)
        return connected.session

    async def ask(self, method: str, params: dict[str, Any] | None = None, *, on: Session | None = None) -> Answer:
        """A proper request on the bench's own connection, or on another. Raises `Fault` when there is no connection."""
        if on is None:
            if self._session is None or self._session.gone.done():
                self._session = await self.session()
            on = self._session
        return answer_of(await on.request(method, params, progress=False))

    async def stranger(self, query: str = "") -> HttpLine:
        """A new HTTP connection without the person's token; nothing is sent. `query` goes into the URL."""
        recorder = self._recorder()
        joint = "" if not query else "&" if "?" in self._url else "?"
        target = urls.parse(f"{self._url}{joint}{query}")
        own = {name: value for name, value in self.own.items() if name.lower() != "authorization"}
        line = HttpLine(await start(target, own, Limits(), _Ear(recorder)), target, recorder, self.version)
        self._lines.append(line)
        return line

    async def line(self, version: str = "") -> HttpLine:
        """A new HTTP connection by hand; in the legacy era its session has begun. Raises `Fault`."""
        recorder = self._recorder()
        target = urls.parse(self._url)
        client = await start(target, self.own, Limits(), _Ear(recorder), self._credentials)
        line = HttpLine(client, target, recorder, version or self.version)
        self._lines.append(line)
        if line.version < "2026-07-28":
            await line.begin()
        return line

    async def is_dual(self) -> bool:
        """Whether a modern server over HTTP takes the handshake of the older versions, too. Raises `Fault`."""
        if self._dual is None:
            line = await self.line("2025-11-25")
            self._dual = bool(line.began)
        return self._dual

    async def close(self) -> None:
        """End everything that was opened."""
        for session in self._sessions:
            await session.close()
        for line in self._lines:
            await line.close()

    def _recorder(self) -> Latest:
        recorder = Latest(self._journal, self.name, next(_numbers))
        recorder.event("probing", f"A connection for probes of {self.name}.")
        return recorder


class Latest(Recorder):
    """A recorder that knows the number of its latest record."""

    latest = 0

    def note(self, note: Note, *, call: int = 0) -> int:
        """See `Recorder`."""
        self.latest = super().note(note, call=call)
        return self.latest


def envelope(version: str, **more: Any) -> dict[str, Any]:
    """The `_meta` that a modern request needs."""
    return {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}, **more}


def answer_of(outcome: Outcome) -> Answer:
    """An outcome of a session as a probe sees it."""
    seqs = tuple(seq for seq in (outcome.call, outcome.reply) if seq)
    if isinstance(outcome, Complete | InputRequired | TaskStarted):
        return Answer({"result": _decoded(outcome.result)}, outcome.http_status, seqs)
    if isinstance(outcome, RpcError):
        return Answer({"error": _decoded(outcome.error)}, outcome.http_status, seqs)
    assert isinstance(outcome, LocalError)
    return Answer({}, outcome.http_status, seqs, outcome.sentence)


async def _event_for(reply: Reply, key: Any, *, first: bool = False) -> bytes:
    """The data of the event that answers a request, or of the last one; with `first` that of the first one."""
    decoder, last = EventStream(1 << 20), b""
    while piece := await reply.read():
        for event in decoder.feed(piece):
            last = event.data or last
            if _decoded(event.data).get("id") == key or (first and event.data):
                return event.data
    return last


def _decoded(data: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
