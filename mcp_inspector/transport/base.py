"""What every transport is: bytes out, bytes in, and what happened on the way. No JSON is read here.

A transport is used from one event loop. `open` starts it, `close` ends it, both bounded in time. Everything that comes
in goes to the `Sink`, in the order of the wire, synchronously. A `Fault` is both an exception and a value: it names
what happened in a sentence that can be shown as it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

Key = int | str
"""What names a request between session and transport: the JSON-RPC id it was sent under."""


class FaultKind(StrEnum):
    """Why the outside failed us. The first group is connection-class: an automatic reconnect may help."""

    CLOSED = "closed"  # end of file on the stream, without an exit being known
    RESET = "reset"
    REFUSED = "refused"
    BROKEN_PIPE = "broken pipe"
    EXITED = "exited"  # the server's process ended
    SESSION_GONE = "session gone"  # HTTP 404 to a request that carried a session id

    NOT_FOUND = "command not found"
    NOT_STARTED = "not started"  # found, yet the system refused to run it (permission, format, cwd)
    DNS = "name not found"
    TLS = "tls"
    TIMEOUT = "timeout"
    UNAUTHORIZED = "unauthorized"  # 401
    FORBIDDEN = "forbidden"  # 403
    HTTP_STATUS = "http status"  # any other refusing status
    REDIRECT = "redirect"  # to another origin: never followed
    BAD_CONTENT = "bad content"  # HTML for JSON, a wrong content type, a lying body
    NO_REPLY = "no reply"  # the stream of this one request ended without its response
    TOO_LARGE = "too large"
    BAD_ENDPOINT = "bad endpoint"  # the `endpoint` event is missing, or names another origin
    CANCELLED = "cancelled"
    INCOMPATIBLE = "incompatible"  # no protocol version in common
    INTERNAL = "internal error"  # ours
    DENIED = "denied"  # a tool call that the person or their policy does not allow: nothing was sent
    USAGE = "usage"  # an entry that cannot be used: no command, not an http(s) URL


RECONNECTABLE = frozenset(
    {
        FaultKind.CLOSED,
        FaultKind.RESET,
        FaultKind.REFUSED,
        FaultKind.BROKEN_PIPE,
        FaultKind.EXITED,
        FaultKind.SESSION_GONE,
    }
)


@dataclass(eq=False)
class Fault(Exception):
    """One failure of the outside.

    `sentence` says what happened to whom, without the remedy. `hint` is the remedy, or empty. `facts` holds what is
    known, by these names where they apply: argv, cwd, searched (PATH), pid, exit_code, signal (its name), stderr
    (list of its last 20 lines), first_output (bytes, first 4 KiB of stdout), method, url, http_status, reason, headers
    (list of pairs), www_authenticate (list of header values), location, body (bytes, first 64 KiB), limit (bytes),
    attempts (list of sentences, oldest first), retry_after (s).
    """

    kind: FaultKind
    sentence: str
    hint: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence

    def about(self, server: str) -> Fault:
        """The same fault, its sentence naming the server; changed in place."""
        rest = self.sentence[len(server) :]
        if not self.sentence.startswith(server) or rest[:1].isalnum() or rest[:1] in ("-", "_"):
            self.sentence = f"{server}: {self.sentence}"
        return self

    @property
    def reconnectable(self) -> bool:
        """Whether this is a connection-class failure, after which connecting again may help."""
        return self.kind in RECONNECTABLE


@dataclass(frozen=True, slots=True)
class HttpHead:
    """Status line and headers of one HTTP response, as they came; names keep their spelling."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str | None:
        """The first value of a header, by name without regard to case."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class Received:
    """One message as it came: the bytes of a stdio line without its line end, the data of one event, or a body.

    `stream` is one of ``stdio``, ``post``, ``get``, ``sse``. `answers` is the key of the request whose own HTTP
    exchange carried it. `skipped` counts bytes that were dropped because the message passed the size limit: `raw` is
    then its beginning. `mono_ns` and `wall_ns` are when the last byte had been read.
    """

    raw: bytes
    wall_ns: int
    mono_ns: int
    stream: str
    answers: Key | None = None
    http: HttpHead | None = None
    event_id: str | None = None
    event: str | None = None
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message to send. `key` is the id of a request, None for notifications and responses.

    `headers` are the era's own (`Mcp-Method`, …), for HTTP only. `opens_session` marks the legacy `initialize`: only
    the response to it may assign a session id, and it carries neither session nor version header.
    """

    raw: bytes
    key: Key | None = None
    headers: tuple[tuple[str, str], ...] = ()
    opens_session: bool = False


class NoteKind(StrEnum):
    """What a transport tells beside the messages."""

    STDERR = "stderr"  # one line, data = its bytes
    STARTED = "started"  # process started: facts argv, cwd, pid
    EXITED = "exited"  # process ended: facts exit_code or signal, seconds
    SHUTDOWN = "shutdown"  # a step of ending it: facts step = stdin closed | SIGTERM | SIGKILL
    HTTP_REQUEST = "http request"  # facts method, url, headers, stream, key
    HTTP_RESPONSE = "http response"  # facts as of the request, status, reason, seconds, connect; data = body if refused
    STREAM = "stream"  # facts event = opened | closed | none offered | reconnecting in N s | keep-alive | ignored event
    WARNING = "warning"  # facts sentence


@dataclass(frozen=True, slots=True)
class Note:
    """Something a transport did or saw that is not a message. `facts` is JSON-ready."""

    kind: NoteKind
    wall_ns: int
    mono_ns: int
    data: bytes = b""
    facts: Mapping[str, Any] = field(default_factory=dict)


class Sink(Protocol):
    """Who listens to a transport. All calls are synchronous and must not raise."""

    def received(self, item: Received) -> None:
        """One message has come in."""

    def noted(self, note: Note) -> None:
        """Something else happened."""

    def lost(self, key: Key, fault: Fault) -> None:
        """The request sent under this key will get no answer from its own HTTP exchange any more; others go on."""

    def closed(self, fault: Fault | None) -> None:
        """The connection is gone; None when we closed it. Called exactly once after a successful `open`.

        No message comes after it; notes about ending the process may, as that can take seconds.
        """


class Transport(Protocol):
    """How bytes travel. Implementations: `Stdio`, `StreamableHttp`, `HttpSse`, `Memory`."""

    name: str
    """The standard's word: ``stdio``, ``streamable-http``, ``sse``, ``memory``."""

    async def open(self, sink: Sink) -> None:
        """Start the process, or make ready to speak; from now on `sink` hears everything. Raises `Fault`."""

    async def send(self, out: Outgoing) -> None:
        """Hand one message to the peer.

        stdio returns when it has been written whole. HTTP returns at once for a request, whose exchange then goes on by
        itself and fails through `Sink.lost`, and for all else when the peer has accepted it.

        Raises `Fault` when it could not be sent at all, or when the peer refused it.
        """

    def agree(self, version: str) -> None:
        """The protocol version that was negotiated: HTTP sends it as a header from now on where that era does."""

    async def listen(self) -> None:
        """Open the standalone GET stream of a legacy Streamable HTTP session; nothing elsewhere. Never raises."""

    def settled(self, key: Key) -> None:
        """The answer to this request was taken. In HTTP the rest of its stream is then drained for a bounded time, and
        neither its end is `lost` nor is it resumed; nothing elsewhere. May be called from within `Sink.received`.
        """

    def abandon(self, key: Key) -> None:
        """Stop waiting for this request's own exchange; in HTTP its response stream is closed. `lost` is not called."""

    async def close(self) -> None:
        """End the connection in order, bounded in time, and give everything back. Never raises; may be called twice."""


def now() -> tuple[int, int]:
    """Wall and monotonic time, both in nanoseconds."""
    return time.time_ns(), time.perf_counter_ns()
