"""What both HTTP transports share: starting the client, keeping exchanges by key, reading events."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.route import Route
from mcp_inspector.transport.base import Fault, FaultKind, HttpHead, Note, NoteKind, Received, now
from mcp_inspector.transport.limits import BODY_KEPT, SLICE_NS, Limits
from mcp_inspector.wire.eventstream import Event, EventStream

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping

    from mcp_inspector.transport.base import Key, Sink
    from mcp_inspector.transport.credentials import Credentials
    from mcp_inspector.transport.http import HttpClient, Reply
    from mcp_inspector.transport.urls import Target

_KEEP_ALIVE_NOTES = 1_000_000_000


async def start(
    target: Target,
    headers: Mapping[str, str],
    limits: Limits,
    sink: Sink,
    credentials: Credentials | None = None,
    route: Route | None = None,
) -> HttpClient:
    """A client for one server. Its modules are imported beside the loop: that takes longer than a window may stand."""
    loop = asyncio.get_running_loop()
    route = route or Route()
    client, trust = await loop.run_in_executor(None, _parts, target.scheme == "https", route)
    return client(target, list(headers.items()), limits, sink.noted, trust, credentials, route.proxy)


def _parts(secure: bool, route: Route) -> tuple[type[HttpClient], ssl.SSLContext | None]:
    from mcp_inspector.transport import tls
    from mcp_inspector.transport.http import HttpClient

    return HttpClient, tls.context(route) if secure else None


def note(sink: Sink, kind: NoteKind, data: bytes = b"", **facts: Any) -> None:
    """Tell the sink something, now."""
    wall_ns, mono_ns = now()
    sink.noted(Note(kind, wall_ns, mono_ns, data, facts))


@dataclass(eq=False)
class Exchange:
    """One request's own HTTP exchange. `settled` is when its answer was taken (loop's clock), None before."""

    key: Key
    task: asyncio.Task[None] | None = None
    settled: float | None = None


class Exchanges:
    """The exchanges in flight, by key. Those whose answer was taken are ended after `drain` seconds, and then told to
    `left_open` with the seconds that have passed since.

    One timer serves them all: on the window's loop each timer is Qt's, and one that was cancelled lives until its time.
    """

    def __init__(self, drain: float, left_open: Callable[[Key, float], object] = lambda _key, _seconds: None) -> None:
        self._drain, self._left_open = drain, left_open
        self._open: dict[Key, Exchange] = {}
        self._timer: asyncio.TimerHandle | None = None

    def add(self, exchange: Exchange) -> None:
        """Keep one until `remove`."""
        self._open[exchange.key] = exchange

    def remove(self, exchange: Exchange) -> None:
        """It has ended."""
        if self._open.get(exchange.key) is exchange:
            del self._open[exchange.key]

    def settled(self, key: Key) -> None:
        """Its answer was taken."""
        exchange = self._open.get(key)
        if exchange is not None and exchange.settled is None:
            loop = asyncio.get_running_loop()
            exchange.settled = loop.time()
            if self._timer is None:
                self._timer = loop.call_later(self._drain, self._sweep)

    def abandon(self, key: Key) -> None:
        """End it without a word."""
        exchange = self._open.pop(key, None)
        if exchange is not None and exchange.task is not None:
            exchange.task.cancel()

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _sweep(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        settled = [(one, one.settled) for one in self._open.values() if one.settled is not None]
        for exchange, since in settled:
            if loop.time() - since >= self._drain:
                self._left_open(exchange.key, loop.time() - since)
                self.abandon(exchange.key)
        if any(one.settled is not None for one in self._open.values()):
            self._timer = loop.call_later(self._drain, self._sweep)


@dataclass
class Cursor:
    """Where a stream stands over its reconnections: last event id, reconnection time in ms, events seen."""

    id: str = ""
    retry: int | None = None
    events: int = 0


class EventReader:
    """Reads replies as event streams into a sink. `other` gets events that are not messages; True means taken."""

    def __init__(self, sink: Sink, limits: Limits, other: Callable[[Event], bool] = lambda event: False) -> None:
        self._sink = sink
        self._limits = limits
        self._other = other
        self._comments_ns = self._cursors_ns = 0
        self._cursor_key: Key | None = None

    async def read(self, reply: Reply, cursor: Cursor, stream: str, key: Key | None = None) -> Fault | None:
        """Read to the end. Returns why it broke off, None for a proper end. Raises `Fault` for an unreadable body."""
        decoder = EventStream(self._limits.message, cursor.id)
        while True:
            try:
                piece = await reply.read()
            except Fault as fault:
                if fault.kind is FaultKind.BAD_CONTENT:
                    raise
                return fault
            if not piece:
                return None
            wall_ns, mono_ns = now()
            comments, until = decoder.comments, time.perf_counter_ns() + SLICE_NS
            for event in decoder.feed(piece):
                cursor.events += 1
                self._deliver(event, Received(event.data, wall_ns, mono_ns, stream, key), reply.head)
                if time.perf_counter_ns() > until:
                    await asyncio.sleep(0)
                    until = time.perf_counter_ns() + SLICE_NS
            cursor.id = decoder.last_event_id
            cursor.retry = decoder.retry if decoder.retry is not None else cursor.retry
            if decoder.comments > comments and mono_ns - self._comments_ns >= _KEEP_ALIVE_NOTES:
                self._comments_ns = mono_ns
                note(self._sink, NoteKind.STREAM, decoder.last_comment, event="keep-alive", stream=stream, key=key)

    def _note_cursor(self, event: Event, item: Received) -> None:
        """Of one stream at most once a second, as for keep-alives: a peer may send as many as it likes."""
        if item.answers == self._cursor_key and item.mono_ns - self._cursors_ns < _KEEP_ALIVE_NOTES:
            return
        self._cursors_ns, self._cursor_key = item.mono_ns, item.answers
        facts: dict[str, Any] = {"stream": item.stream, "key": item.answers, "event_id": event.id or None}
        if event.retry is not None:
            facts["retry_ms"] = event.retry
        note(self._sink, NoteKind.STREAM, event="event without data", **facts)

    def _deliver(self, event: Event, item: Received, head: HttpHead) -> None:
        if event.event != "message":
            if not self._other(event):
                data = event.data[:BODY_KEPT]
                note(self._sink, NoteKind.STREAM, data, event="ignored event", name=event.event, stream=item.stream)
        elif not event.data and not event.skipped:  # it only moved the cursor
            self._note_cursor(event, item)
        else:
            whole = Received(
                item.raw,
                item.wall_ns,
                item.mono_ns,
                item.stream,
                item.answers,
                head,
                event.id or None,
                event.event,
                event.skipped,
            )
            self._sink.received(whole)
