"""One conversation over one connection: requests out, answers matched, the server's questions answered.

A `Session` is the sink of its transport. Nothing that comes in can raise past it: a message that is none becomes a
record with faults, and at most the one request that it answers fails.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from mcp_inspector.session import raw_messages, reading
from mcp_inspector.session.call import Call, Progress, target_of
from mcp_inspector.session.incoming import Incoming
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.session.questions import Questions
from mcp_inspector.signals import Signal
from mcp_inspector.transport.base import Fault, FaultKind, Key, Note, Outgoing, Received, Transport, now
from mcp_inspector.transport.tasks import Tasks
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.exchange import Pairing
from mcp_inspector.wire.frame import Frame, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_inspector.session.eras import Codec
    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.recorder import Recorder

_log = logging.getLogger(__name__)

_SWEEP_SECONDS = 0.1


class Session:
    """The conversation with one server over one transport, which it owns and closes.

    `timeout` is seconds for a request without an answer or progress, `ceiling` seconds in all. `codec` is set once the
    era is agreed; before that, requests go out as they are. What the server asks of the person goes to `inbox`; without
    one it is refused as an unknown method. `takes_tasks`: we declared the tasks extension.
    """

    def __init__(
        self,
        server: str,
        transport: Transport,
        recorder: Recorder,
        *,
        timeout: float = 60,
        ceiling: float = 600,
        inbox: Inbox | None = None,
    ) -> None:
        self.server = server
        self.transport = transport
        self.timeout = timeout
        self.ceiling = ceiling
        self.codec: Codec | None = None
        self.takes_tasks = False
        self.declared: Mapping[str, Any] = {}
        self.notified: Signal[Frame] = Signal()
        self.calls_changed: Signal[()] = Signal()
        self._loop = asyncio.get_running_loop()
        self.gone: asyncio.Future[Fault | None] = self._loop.create_future()
        self.recorder = recorder
        self.tasks = Tasks()
        self.questions = Questions(server, inbox, self.tasks)
        self.pairing: Pairing[Call] = Pairing()
        self._batches: dict[Key, list[Call]] = {}
        self._incoming = Incoming(self)
        self._last_id = 0
        self._sweep: asyncio.TimerHandle | None = None
        self._closing = False

    def declare(self, capabilities: Mapping[str, Any]) -> None:
        """What the server has been told that we can do: it may ask for nothing else."""
        self.declared = self.questions.declared = capabilities

    @property
    def in_flight(self) -> tuple[Call, ...]:
        """Requests of ours that are not answered yet, oldest first."""
        return tuple(self.pairing.open.values())

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        ceiling: float | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        opens_session: bool = False,
        on_call: Callable[[Call], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        continues: int = 0,
        progress: bool = True,
    ) -> Outcome:
        """Send a request and wait for how it ends.

        `continues` is the log's number of the request whose operation this one goes on with. Values of `params` may be
        `msgspec.Raw`. `timeout` and `ceiling` are seconds, 0 for none. `on_call` is told when the request has its
        record, before it is written. `progress` asks for progress. A cancelled wait cancels the request at the server.
        """
        ident = self._next_id()
        try:
            raw, given, own = self._dressed(method, params, ident, progress)
        except (ValueError, TypeError) as error:  # half a surrogate pair cannot be UTF-8
            fault = Fault(FaultKind.USAGE, f"{method} cannot be written as JSON: {error}.", "Nothing was sent.")
            return LocalError(method, 0, fault=fault)
        headers = (*own, *headers)
        times = now()
        ended: asyncio.Future[Outcome] = self._loop.create_future()
        call = Call(
            ident,
            method,
            target_of(method, given),
            times[1],
            _ns(self.timeout if timeout is None else timeout),
            _ns(self.ceiling if ceiling is None else ceiling),
            ended,
            touched_ns=times[1],
            as_task="task" in given,
            goes_on=self.questions.asks,
            on_progress=on_progress,
        )
        frame = Frame(raw, Kind.REQUEST, ident, str(ident), method)
        call.seq = self.recorder.sent(frame, times, call=continues, target=call.target)
        if self.gone.done():
            return self._not_sent(call, self.gone.result() or _closed_by_us(self.server))
        self.pairing.ask(ident, call)
        self._watch()
        self.calls_changed.send()
        if on_call is not None:
            on_call(call)
        call.sender = asyncio.current_task()
        try:
            await self.transport.send(Outgoing(raw, ident, headers, opens_session))
            call.sender = None
            return await ended
        except Fault as fault:
            call.sender = None
            if self.pairing.give_up(ident) is not None:
                return self._not_sent(call, fault.about(self.server))
            return await ended
        except asyncio.CancelledError:
            if call.sender is None and ended.done() and _is_ours(call):
                return ended.result()
            call.sender = None
            self.cancel(call, "we stopped waiting")
            raise

    def preview(self, method: str, params: Mapping[str, Any]) -> tuple[bytes, tuple[tuple[str, str], ...]]:
        """The next request as it would be written now, and its headers; nothing is sent, and no id is used up."""
        raw, _, headers = self._dressed(method, params, self._last_id + 1, True)
        return raw, headers

    def _dressed(
        self, method: str, params: Mapping[str, Any] | None, ident: int, progress: bool
    ) -> tuple[bytes, Mapping[str, Any], tuple[tuple[str, str], ...]]:
        given: Mapping[str, Any] = params or {}
        headers: tuple[tuple[str, str], ...] = ()
        if self.codec is not None:
            given = self.codec.params(given, ident if progress else None)
            headers = self.codec.headers(method, given)
        return wire.write(method, given if given or params is not None else None, ident), given, headers

    def _next_id(self) -> int:
        """An id that no request of this connection had, whatever was sent raw."""
        self._last_id += 1
        while self.pairing.knows(self._last_id):
            self._last_id += 1
        return self._last_id

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification. Raises `Fault` when it could not be sent."""
        await self.send(wire.write(method, params))

    async def send_raw(self, raw: bytes, waiter: asyncio.Future[Outcome] | None = None) -> Fault | None:
        """Send any bytes as one message, as they are. Valid requests in it are waited for like ours.

        Those are: a request, unless another one is open under its id and the transport cannot tell their answers apart,
        and the requests of a batch. How they end is given to `waiter`, which hears nothing of any other message: of a
        batch as a `Complete` whose result is an array of what each id was answered.
        """
        frame = wire.read(raw)
        times = now()
        seq = self.recorder.sent(frame, times, target=target_of(frame.method, frame.params))
        calls = self._expected(frame, seq, times[1], waiter)
        key: Key | None = calls[0].key if calls else None
        if frame.kind is Kind.BATCH and calls:
            key = f"batch {seq}"
            self._batches[key] = calls
        if calls:
            self._watch()
            self.calls_changed.send()
        try:
            modern = self.codec is not None and self.codec.era == "modern"
            headers = self.codec.headers(frame.method, reading.decoded_params(frame)) if self.codec and modern else ()
            await self.transport.send(Outgoing(raw, key, headers))
        except Fault as fault:
            if key is not None:
                self.lost(key, fault)
            return fault.about(self.server)
        return None

    def _expected(self, frame: Frame, seq: int, began: int, waiter: asyncio.Future[Outcome] | None) -> list[Call]:
        """Begin to wait for the answers to what is asked in a raw message."""
        if frame.kind is Kind.BATCH:
            asked = {part.id: part for part in frame.items if part.kind is Kind.REQUEST and part.id is not None}
            parts = [part for part in asked.values() if part.id not in self.pairing.open]
            waiters = raw_messages.gathered(waiter, parts, seq, began) if waiter is not None and parts else {}
        else:
            parts = [frame] if frame.kind is Kind.REQUEST else []
            waiters = {frame.id: waiter} if frame.id is not None and waiter is not None else {}
        calls = []
        for part in parts:
            assert part.id is not None
            taken = part.id in self.pairing.open
            if taken and self.transport.name != "streamable-http":
                continue  # the first answer under this id is that of the request which is open
            limits = _ns(self.timeout), _ns(self.ceiling)
            target = target_of(part.method, part.params)
            call = Call(part.id, part.method, target, began, *limits, waiters.get(part.id), seq, touched_ns=began)
            if taken:
                call.own_key = f"raw {seq}"
            self.pairing.ask(call.key, call, call.ident)
            calls.append(call)
        return calls

    def cancel(self, call: Call, reason: str = "cancelled by the person") -> bool:
        """End a request now, tell the server as its era and transport want it, and say whether it was still open."""
        fault = Fault(FaultKind.CANCELLED, f"{call.method} was cancelled.")
        return self._give_up(call, "cancelled", fault, reason)

    async def close(self) -> None:
        """End the connection in order. What is still open ends as lost."""
        self._closing = True
        await self.transport.close()
        self._end(None)
        await self.tasks.close()

    def received(self, item: Received) -> None:
        """Take one message: see `transport.base.Sink`. A mistake of ours costs this message, not the connection."""
        try:
            self._incoming.feed(item)
        except Exception as bug:
            _log.exception("a message of %s could not be taken", self.server)
            self.recorder.event("warning", f"This program failed at a message of {self.server}: {bug!r}.")

    def noted(self, note: Note) -> None:
        """Record what the transport saw: see `transport.base.Sink`."""
        key = note.facts.get("key")
        call = self.pairing.open.get(key) if isinstance(key, int | str) else None
        self.recorder.note(note, call=call.seq if call is not None else 0)

    def operation_ended(self, first: int, outcome: Outcome) -> None:
        """Record how an operation of several requests ended, the first of which is record `first`."""
        if isinstance(outcome, LocalError):
            cause = outcome.fault.kind if outcome.fault is not None else FaultKind.INTERNAL
            kind = {FaultKind.CANCELLED: "cancelled", FaultKind.TIMEOUT: "timeout"}.get(cause, "lost")
            self.recorder.event(kind, outcome.sentence, call=first, method=outcome.method)
        elif isinstance(outcome, RpcError):
            self.recorder.event("task failed", f"The task of {outcome.method} failed.", call=first)
        elif isinstance(outcome, Complete):
            failed = outcome.tool_error
            words = f"The task of {outcome.method} ended{', and the tool reports an error' if failed else ''}."
            self.recorder.event("task completed", words, call=first, tool_error=failed)

    def lost(self, key: Key, fault: Fault) -> None:
        """One request will get no answer: see `transport.base.Sink`."""
        fault.about(self.server)
        if fault.kind in (FaultKind.SESSION_GONE, FaultKind.REFUSED):  # nobody knows us, or nobody is there
            self._end(fault)
            return
        for each in [call.key for call in self._batches.pop(key, ())] or [key]:
            call = self.pairing.give_up(each)
            if call is not None:
                self._finish_locally(call, "lost", fault)

    def closed(self, fault: Fault | None) -> None:
        """The connection is gone: see `transport.base.Sink`."""
        self._end(None if self._closing else fault or Fault(FaultKind.CLOSED, f"{self.server} closed the connection."))

    async def send(self, raw: bytes, *, call: int = 0, method: str = "") -> None:
        """Send one message of ours that nothing answers, and record it. Raises `Fault`."""
        frame = wire.read(raw)
        self.recorder.sent(frame, now(), call=call, method=method, target=target_of(frame.method, frame.params))
        await self.transport.send(Outgoing(raw))

    def _give_up(self, call: Call, kind: str, fault: Fault, reason: str) -> bool:
        if self.pairing.give_up(call.key) is None:
            return False
        self._finish_locally(call, kind, fault)
        if call.method == "initialize" or self.gone.done():
            return True
        modern_http = self.codec is not None and self.codec.era == "modern" and self.transport.name != "stdio"
        if modern_http or self.codec is None:  # before an era is agreed a server may take no notification at all
            self.transport.abandon(call.key)
        else:
            self.transport.settled(call.key)
            self.tasks.spawn(self._tell_cancelled(call, reason), "cancelled")
        return True

    async def _tell_cancelled(self, call: Call, reason: str) -> None:
        try:
            raw = wire.write("notifications/cancelled", {"requestId": call.ident, "reason": reason})
            await self.send(raw, call=call.seq)
        except Fault as fault:
            self.recorder.event("lost", f"The server could not be told of the cancel: {fault}", call=call.seq)

    def _finish_locally(self, call: Call, kind: str, fault: Fault) -> None:
        self.recorder.event(
            kind, fault.sentence, call=call.seq, method=call.method, target=call.target, fault=fault.kind.value
        )
        self.resolve(call, LocalError(call.method, call.seq, 0, now()[1] - call.started_ns, fault=fault))

    def _not_sent(self, call: Call, fault: Fault) -> Outcome:
        self.recorder.event("lost", fault.sentence, call=call.seq, method=call.method, target=call.target)
        self.calls_changed.send()
        return LocalError(call.method, call.seq, 0, now()[1] - call.started_ns, fault=fault)

    def settle(self, call: Call) -> None:
        """Its answer was taken: the transport may let go of the exchange that it came in."""
        self.transport.settled(call.key)
        for key, calls in list(self._batches.items()):
            if call in calls:
                calls.remove(call)
                if not calls:
                    del self._batches[key]
                    self.transport.settled(key)

    def resolve(self, call: Call, outcome: Outcome) -> None:
        """A request has ended: tell whoever waits for it."""
        call.end(outcome)
        sender, call.sender = call.sender, None
        if sender is not None and isinstance(outcome, LocalError):
            call.stopped = True  # it still waits for a peer that does not read
            sender.cancel()
        self.calls_changed.send()

    def _end(self, fault: Fault | None) -> None:
        if self.gone.done():
            return
        if fault is not None:
            fault.about(self.server)
        self.gone.set_result(fault)
        if self._sweep is not None:
            self._sweep.cancel()
            self._sweep = None
        self.questions.end("The connection is gone.")
        for call in self.pairing.drain():
            self._finish_locally(call, "lost", fault or _closed_by_us(self.server))

    def _watch(self) -> None:
        if self._sweep is not None or self.gone.done():
            return
        if any(call.limit_ns or call.ceiling_ns for call in self.pairing.open.values()):
            self._sweep = self._loop.call_later(_SWEEP_SECONDS, self._look_for_overdue)

    def _look_for_overdue(self) -> None:
        self._sweep = None
        moment = now()[1]
        asked = self.questions.operations
        for call in self.in_flight:
            if call.seq in asked:  # the server waits for a person: the clock stands still
                call.ceiling_ns += (moment - call.touched_ns) if call.ceiling_ns else 0
                call.touched_ns = moment
                continue
            limit = call.overdue(moment)
            if limit:
                self._give_up(call, "timeout", self._timed_out(call, limit), "timed out")
        self._watch()

    def _timed_out(self, call: Call, limit: str) -> Fault:
        sentence = f"{self.server} did not finish {call.method} in time: {limit}."
        stray, when = self._incoming.stray
        if when > call.started_ns or (stray and self.codec is None):  # before the handshake ends, all of it counts
            shown = stray.decode(errors="backslashreplace")
            sentence += f" It did send something that is no message: {shown[:200]!r}."
        return Fault(FaultKind.TIMEOUT, sentence, "Raise the timeout, or look at stderr and the raw traffic.")


def _is_ours(call: Call) -> bool:
    """Whether the cancelled wait is that of a write which we broke off ourselves; the cancel is used up then."""
    task = asyncio.current_task()
    return call.stopped and task is not None and task.uncancel() == 0


def _closed_by_us(server: str) -> Fault:
    return Fault(FaultKind.CANCELLED, f"The connection to {server} was closed here.")


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
