"""One conversation over one connection: requests out, answers matched, the server's questions answered.

A `Session` is the sink of its transport. Nothing that comes in can raise past it: a message that is none becomes a
record with faults, and at most the one request that it answers fails.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.call import Call, Progress, target_of
from mcp_inspector.session.eras import Codec, result_head
from mcp_inspector.session.inbox import METHODS, Ask, Inbox
from mcp_inspector.session.outcome import Complete, InputRequired, LocalError, Outcome, RpcError, TaskStarted
from mcp_inspector.signals import Signal
from mcp_inspector.transport.base import Fault, FaultKind, Key, Note, Outgoing, Received, Transport, now
from mcp_inspector.transport.tasks import Tasks
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.exchange import Match, Pairing, Taken
from mcp_inspector.wire.frame import Frame, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_inspector.session.recorder import Recorder

_SWEEP_SECONDS = 0.1
_ID_IN_HEAD = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)')


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
        self.notified: Signal[Frame] = Signal()
        self.calls_changed: Signal[()] = Signal()
        self.gone: asyncio.Future[Fault | None] = asyncio.get_running_loop().create_future()
        self.last_stray = b""
        self._recorder = recorder
        self._inbox = inbox
        self._asks: dict[str, Ask] = {}  # the server's open questions, by the text of their id
        self._tasks = Tasks()
        self._pairing: Pairing[Call] = Pairing()
        self._last_id = 0
        self._sweep: asyncio.TimerHandle | None = None
        self._closing = False

    @property
    def in_flight(self) -> tuple[Call, ...]:
        """Requests of ours that are not answered yet, oldest first."""
        return tuple(self._pairing.open.values())

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
        self._last_id += 1
        ident = self._last_id
        given: Mapping[str, Any] = params or {}
        if self.codec is not None:
            given = self.codec.params(given, ident if progress else None)
            headers = (*self.codec.headers(method, given), *headers)
        raw = wire.write(method, given if given or params is not None else None, ident)
        times = now()
        call = Call(
            ident,
            method,
            target_of(method, given),
            times[1],
            _ns(self.timeout if timeout is None else timeout),
            _ns(self.ceiling if ceiling is None else ceiling),
            asyncio.get_running_loop().create_future(),
            touched_ns=times[1],
            as_task="task" in given,
            on_progress=on_progress,
        )
        frame = Frame(raw, Kind.REQUEST, ident, str(ident), method)
        call.seq = self._recorder.sent(frame, times, call=continues, target=call.target)
        if self.gone.done():
            return self._not_sent(call, self.gone.result() or _closed_by_us(self.server))
        self._pairing.ask(ident, call)
        self._watch()
        self.calls_changed.send()
        if on_call is not None:
            on_call(call)
        try:
            await self.transport.send(Outgoing(raw, ident, headers, opens_session))
        except Fault as fault:
            if self._pairing.give_up(ident) is not None:
                return self._not_sent(call, fault.about(self.server))
        except asyncio.CancelledError:
            self.cancel(call, "we stopped waiting")
            raise
        try:
            return await call.future
        except asyncio.CancelledError:
            self.cancel(call, "we stopped waiting")
            raise

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification. Raises `Fault` when it could not be sent."""
        await self._send(wire.write(method, params))

    async def send_raw(self, raw: bytes) -> Fault | None:
        """Send any bytes as one message, as they are. A valid request under a new id is waited for like ours."""
        frame = wire.read(raw)
        times = now()
        ident = frame.id if frame.kind is Kind.REQUEST else None
        target = target_of(frame.method, frame.params)
        seq = self._recorder.sent(frame, times, target=target)
        if ident is not None and ident not in self._pairing.open:
            future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            call = Call(
                ident, frame.method, target, times[1], _ns(self.timeout), _ns(self.ceiling), future, seq, times[1]
            )
            self._pairing.ask(ident, call)
            self._watch()
            self.calls_changed.send()
        try:
            modern = self.codec is not None and self.codec.era == "modern"
            headers = self.codec.headers(frame.method, decoded_params(frame)) if self.codec and modern else ()
            await self.transport.send(Outgoing(raw, ident, headers))
        except Fault as fault:
            if ident is not None:
                self.lost(ident, fault)
            return fault.about(self.server)
        return None

    def cancel(self, call: Call, reason: str = "cancelled by the person") -> bool:
        """End a request now, tell the server as its era and transport want it, and say whether it was still open."""
        fault = Fault(FaultKind.CANCELLED, f"{call.method} was cancelled.")
        return self._give_up(call, "cancelled", fault, reason)

    async def close(self) -> None:
        """End the connection in order. What is still open ends as lost."""
        self._closing = True
        await self.transport.close()
        self._end(None)
        await self._tasks.close()

    def received(self, item: Received) -> None:
        """Take one message: see `transport.base.Sink`."""
        frame = wire.read(item.raw)
        if item.skipped:
            self._oversized(item, frame)
        elif frame.kind is Kind.BATCH:
            batch = self._recorder.received(item, frame)
            for part in frame.items:
                self._take(item, part, {"batch": batch})
        else:
            self._take(item, frame, {})

    def noted(self, note: Note) -> None:
        """Record what the transport saw: see `transport.base.Sink`."""
        self._recorder.note(note)

    def lost(self, key: Key, fault: Fault) -> None:
        """One request will get no answer: see `transport.base.Sink`."""
        fault.about(self.server)
        call = self._pairing.give_up(key)
        if call is not None:
            self._finish_locally(call, "lost", fault)
        if fault.kind is FaultKind.SESSION_GONE:
            self._end(fault)

    def closed(self, fault: Fault | None) -> None:
        """The connection is gone: see `transport.base.Sink`."""
        self._end(None if self._closing else fault or Fault(FaultKind.CLOSED, f"{self.server} closed the connection."))

    def _take(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        answer = frame.kind in (Kind.RESPONSE, Kind.ERROR)
        failed_answer = frame.kind is Kind.INVALID and frame.is_object and not frame.method
        if answer or (failed_answer and frame.id_text):
            self._answer(item, frame, facts)
        elif frame.kind is Kind.REQUEST:
            seq = self._recorder.received(item, frame, target=target_of(frame.method, frame.params), facts=facts)
            self._tasks.spawn(self._reply(frame, seq, self._asked_for(item)), f"answer to {frame.method}")
        elif frame.kind is Kind.NOTIFICATION:
            self._notification(item, frame, facts)
        else:
            self._invalid(item, frame, facts)

    def _answer(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        taken = self._pairing.take(frame, item.answers, sole=_sole(item))
        call = taken.call
        fault = taken.fault or _odd_match(taken)
        if call is None:
            self._recorder.received(item, frame, fault=fault, facts=facts)
            return
        head = result_head(frame.result) if frame.result is not None else None
        if head is not None and head.tool_error:
            facts["tool_error"] = True
        if taken.match is not Match.ANSWER:
            facts["verdict"] = taken.match.value
        seq = self._recorder.received(
            item, frame, call=call.seq, method=call.method, target=call.target, fault=fault, facts=facts
        )
        if taken.match is not Match.ANSWER:
            return
        if item.answers is not None:
            self.transport.settled(item.answers)
        faults = (fault, *frame.faults) if fault else frame.faults
        status = item.http.status if item.http else None
        self._resolve(call, self._outcome(call, frame, seq, item.mono_ns - call.started_ns, faults, status))

    def _outcome(
        self, call: Call, frame: Frame, seq: int, elapsed: int, faults: tuple[str, ...], status: int | None
    ) -> Outcome:
        common = (call.method, call.seq, seq, elapsed, faults, status)
        if frame.error is not None:
            return _rpc_error(common, frame.error)
        if frame.result is None or not frame.result.startswith(b"{"):
            sentence = f"{self.server} answered {call.method} with a message that is no valid response."
            return LocalError(*common, Fault(FaultKind.BAD_CONTENT, sentence, facts={"body": frame.raw[:65536]}))
        head = result_head(frame.result)
        kind = b'"complete"' if head.resultType is msgspec.UNSET else bytes(head.resultType)
        if call.as_task and head.task is not msgspec.UNSET:
            return TaskStarted(*common, frame.result)
        if self.codec is None or self.codec.era == "legacy" or kind == b'"complete"':
            return Complete(*common, frame.result, head.tool_error)
        if kind == b'"input_required"':
            return InputRequired(*common, frame.result)
        if kind == b'"task"' and self.takes_tasks and call.method == "tools/call":
            return TaskStarted(*common, frame.result)
        shown = kind[:80].decode(errors="replace")
        sentence = f"{self.server} answered {call.method} with the unknown resultType {shown}."
        return LocalError(*common, Fault(FaultKind.BAD_CONTENT, sentence, facts={"body": frame.raw[:65536]}))

    def _invalid(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        self.last_stray = item.raw[:400]
        call = self._pairing.open.get(item.answers) if item.answers is not None else None
        seq = self._recorder.received(item, frame, call=call.seq if call else 0, facts=facts)
        if call is None or not _sole(item):
            return
        self._pairing.give_up(call.ident)
        why = frame.faults[0] if frame.faults else "is no JSON-RPC message"
        fault = Fault(
            FaultKind.BAD_CONTENT,
            f"The body that {self.server} sent for {call.method} {why}.",
            facts={"body": item.raw[:65536], "http_status": item.http.status if item.http else None},
        )
        self._resolve(
            call, LocalError(call.method, call.seq, seq, item.mono_ns - call.started_ns, frame.faults, fault=fault)
        )

    def _oversized(self, item: Received, frame: Frame) -> None:
        size = len(item.raw) + item.skipped
        why = f"is {size:,} bytes, over the limit of {len(item.raw):,}; the rest was skipped"
        cut = Frame(item.raw, Kind.INVALID, faults=(why,), is_object=item.raw.lstrip()[:1] == b"{")
        call = self._pairing.open.get(item.answers) if item.answers is not None else None
        found = _ID_IN_HEAD.search(item.raw[:4096])
        if call is None and found:
            ident, _ = wire.read_id(found.group(1).decode(errors="replace"))
            call = self._pairing.open.get(ident) if ident is not None else None
        if call is None and len(self._pairing.open) == 1:
            call = next(iter(self._pairing.open.values()))
        seq = self._recorder.received(item, cut, call=call.seq if call else 0)
        if call is not None:
            self._pairing.give_up(call.ident)
            sentence = f"The message that {self.server} sent for {call.method} {why}."
            fault = Fault(FaultKind.TOO_LARGE, sentence, "Raise the message limit in the settings.")
            self._resolve(
                call, LocalError(call.method, call.seq, seq, item.mono_ns - call.started_ns, (why,), fault=fault)
            )

    def _notification(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        call = None
        if frame.method == "notifications/progress":
            params = decoded_params(frame)
            token = params.get("progressToken")
            call = self._pairing.open.get(token) if isinstance(token, int | str) and token is not True else None
            if call is not None:
                call.progress = Progress.read(params)
                call.progress_count += 1
                call.touched_ns = item.mono_ns
        self._recorder.received(item, frame, call=call.seq if call else 0, target=_note_target(frame), facts=facts)
        if call is not None and call.on_progress is not None and call.progress is not None:
            call.on_progress(call.progress)
        elif call is None:
            if frame.method == "notifications/cancelled":
                self._withdraw(frame)
            self.notified.send(frame)

    def _asked_for(self, item: Received) -> int:
        """The operation that a server's question belongs to: that of its stream, else the only or latest tool call."""
        calls = self.in_flight
        if item.answers is not None:
            calls = tuple(call for call in calls if call.ident == item.answers) or calls
        return calls[-1].seq if calls else 0

    def _withdraw(self, frame: Frame) -> None:
        head = _cancelled.decode(frame.params or b"{}") if (frame.params or b"{").startswith(b"{") else _Cancelled()
        ask = self._asks.get(bytes(head.requestId).decode(errors="replace"))
        if ask is not None:
            reason = head.reason if isinstance(head.reason, str) else ""
            ask.withdraw(f"The server took it back: {reason}" if reason else "The server took it back.")

    async def _reply(self, frame: Frame, seq: int, operation: int) -> None:
        if frame.method == "ping":
            raw = wire.write_result(frame.id_text, {})
        elif frame.method in METHODS and self._inbox is not None:
            ask = Ask(self.server, frame.method, frame.params or b"{}", operation, seq)
            self._asks[frame.id_text] = ask
            try:
                reply = await self._inbox.put(ask)
            finally:
                self._asks.pop(frame.id_text, None)
            if reply is None:
                return
            if reply.result is None:
                raw = wire.write_error(frame.id_text, reply.code, reply.message)
            else:
                raw = wire.write_result(frame.id_text, msgspec.Raw(reply.result))
        else:
            raw = wire.write_error(frame.id_text, -32601, f"Method not found: {frame.method}")
        try:
            await self._send(raw, call=seq, method=frame.method)
        except Fault as fault:
            self._recorder.event("lost", f"The answer to {frame.method} could not be sent: {fault}", call=seq)

    async def _send(self, raw: bytes, *, call: int = 0, method: str = "") -> None:
        frame = wire.read(raw)
        self._recorder.sent(frame, now(), call=call, method=method, target=target_of(frame.method, frame.params))
        await self.transport.send(Outgoing(raw))

    def _give_up(self, call: Call, kind: str, fault: Fault, reason: str) -> bool:
        if self._pairing.give_up(call.ident) is None:
            return False
        self._finish_locally(call, kind, fault)
        if call.method == "initialize" or self.gone.done():
            return True
        if self.codec is not None and self.codec.era == "modern" and self.transport.name != "stdio":
            self.transport.abandon(call.ident)
        else:
            self._tasks.spawn(self._tell_cancelled(call, reason), "cancelled")
        return True

    async def _tell_cancelled(self, call: Call, reason: str) -> None:
        try:
            await self.notify("notifications/cancelled", {"requestId": call.ident, "reason": reason})
        except Fault as fault:
            self._recorder.event("lost", f"The server could not be told of the cancel: {fault}", call=call.seq)

    def _finish_locally(self, call: Call, kind: str, fault: Fault) -> None:
        self._recorder.event(
            kind, fault.sentence, call=call.seq, method=call.method, target=call.target, fault=fault.kind.value
        )
        self._resolve(call, LocalError(call.method, call.seq, 0, now()[1] - call.started_ns, fault=fault))

    def _not_sent(self, call: Call, fault: Fault) -> Outcome:
        self._recorder.event("lost", fault.sentence, call=call.seq, method=call.method, target=call.target)
        self.calls_changed.send()
        return LocalError(call.method, call.seq, 0, now()[1] - call.started_ns, fault=fault)

    def _resolve(self, call: Call, outcome: Outcome) -> None:
        if not call.future.done():
            call.future.set_result(outcome)
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
        for ask in list(self._asks.values()):
            ask.withdraw("The connection is gone.")
        for call in self._pairing.drain():
            self._finish_locally(call, "lost", fault or _closed_by_us(self.server))

    def _watch(self) -> None:
        if self._sweep is None and not self.gone.done():
            self._sweep = asyncio.get_running_loop().call_later(_SWEEP_SECONDS, self._look_for_overdue)

    def _look_for_overdue(self) -> None:
        self._sweep = None
        moment = now()[1]
        asked = {ask.call for ask in self._asks.values()}
        for call in self.in_flight:
            if call.seq in asked:  # the server waits for a person: the clock stands still
                call.ceiling_ns += (moment - call.touched_ns) if call.ceiling_ns else 0
                call.touched_ns = moment
                continue
            limit = call.overdue(moment)
            if limit:
                self._give_up(call, "timeout", self._timed_out(call, limit), "timed out")
        if self._pairing.open:
            self._watch()

    def _timed_out(self, call: Call, limit: str) -> Fault:
        sentence = f"{self.server} did not finish {call.method} in time: {limit}."
        if self.last_stray:
            shown = self.last_stray.decode(errors="backslashreplace")
            sentence += f" It did send something that is no message: {shown[:200]!r}."
        return Fault(FaultKind.TIMEOUT, sentence, "Raise the timeout, or look at stderr and the raw traffic.")


class _Cancelled(msgspec.Struct):
    requestId: msgspec.Raw = msgspec.Raw(b"null")
    reason: Any = None


_cancelled = msgspec.json.Decoder(_Cancelled)


def decoded_params(frame: Frame) -> dict[str, Any]:
    """A message's params where they are a readable object, else empty."""
    try:
        value = msgspec.json.decode(frame.params or b"{}")
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _rpc_error(common: tuple[str, int, int, int, tuple[str, ...], int | None], error: bytes) -> RpcError:
    try:
        value = msgspec.json.decode(error)
    except (msgspec.MsgspecError, RecursionError):
        value = None
    code = value.get("code") if isinstance(value, dict) else None
    message = value.get("message") if isinstance(value, dict) else value
    if isinstance(code, float) and code.is_integer():
        code = int(code)
    return RpcError(
        *common,
        code if isinstance(code, int) and not isinstance(code, bool) else None,
        message if isinstance(message, str) else "" if message is None else str(message),
        error,
    )


def _odd_match(taken: Taken[Call]) -> str:
    if taken.match is Match.UNKNOWN:
        return "answers no request of ours"
    if taken.match is Match.LATE:
        return "is late: the request had been given up"
    return "answers a request that was answered before" if taken.match is Match.DUPLICATE else ""


def _sole(item: Received) -> bool:
    """Whether the message was a whole HTTP body, so that it can only be meant for that request."""
    content = item.http.get("content-type") if item.http else None
    return item.answers is not None and not (content or "").lower().startswith("text/event-stream")


def _note_target(frame: Frame) -> str:
    return target_of(frame.method, frame.params) if frame.params and len(frame.params) < 100_000 else ""


def _closed_by_us(server: str) -> Fault:
    return Fault(FaultKind.CANCELLED, f"The connection to {server} was closed here.")


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
