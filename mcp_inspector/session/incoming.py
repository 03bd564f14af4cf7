"""What comes in on a connection: each message goes to whom it concerns, and becomes a record in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.session import reading
from mcp_inspector.session.call import Call, Progress, target_of
from mcp_inspector.session.eras import result_head
from mcp_inspector.session.inbox import CAPABILITY, is_declared
from mcp_inspector.transport.base import Fault, Received
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.exchange import Match
from mcp_inspector.wire.frame import Frame, Kind

if TYPE_CHECKING:
    from mcp_inspector.session.session import Session


class Incoming:
    """The incoming side of one session. `stray`: the beginning of the last thing that was no message, and its time."""

    def __init__(self, session: Session) -> None:
        self.stray = b"", 0
        self._session = session

    def feed(self, item: Received) -> None:
        """Take one message or batch."""
        if item.skipped:
            self._oversized(item)
            return
        frame = wire.read(item.raw)
        if frame.kind is Kind.BATCH:
            batch = self._session.recorder.received(item, frame)
            for part in frame.items:
                self._take(item, part, {"batch": batch})
        else:
            self._take(item, frame, {})

    def _take(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        answer = frame.kind in (Kind.RESPONSE, Kind.ERROR)
        failed_answer = frame.kind is Kind.INVALID and frame.is_object and not frame.method
        if answer or (failed_answer and frame.id_text):
            self._answer(item, frame, facts)
        elif frame.kind is Kind.REQUEST:
            operation = 0 if frame.method == "ping" else self._asked_for(item)
            target = target_of(frame.method, frame.params)
            seq = self._session.recorder.received(item, frame, call=operation, target=target, facts=facts)
            self._session.tasks.spawn(self._reply(frame, seq, operation), f"answer to {frame.method}")
        elif frame.kind is Kind.NOTIFICATION:
            self._notification(item, frame, facts)
        else:
            self._invalid(item, frame, facts)

    def _answer(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        taken = self._session.pairing.take(frame, item.answers, sole=reading.is_whole_body(item))
        call = taken.call
        fault = taken.fault or reading.odd_match(taken)
        if call is None:
            self._session.recorder.received(item, frame, fault=fault, facts=facts)
            return
        head = result_head(frame.result) if frame.result is not None else None
        if head is not None and head.tool_error:
            facts["tool_error"] = True
        modern = self._session.codec is not None and self._session.codec.era == "modern"
        takes_tasks = self._session.takes_tasks
        if head is not None and reading.is_unfinished(call, head, modern=modern, takes_tasks=takes_tasks):
            facts["unfinished"] = True
        if frame.error is not None:
            facts["sentence"] = reading.error_sentence(frame.error)
        if taken.match is not Match.ANSWER:
            facts["verdict"] = taken.match.value
        seq = self._session.recorder.received(
            item, frame, call=call.seq, method=call.method, target=call.target, fault=fault, facts=facts
        )
        if taken.match is not Match.ANSWER:
            return
        self._session.settle(call)  # whichever exchange it came in
        outcome = reading.outcome_of(
            self._session.server, call, item, frame, seq, fault, head, modern=modern, takes_tasks=takes_tasks
        )
        self._session.resolve(call, outcome)

    def _invalid(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        self.stray = item.raw[:400], item.mono_ns
        call = self._session.pairing.open.get(item.answers) if item.answers is not None else None
        seq = self._session.recorder.received(item, frame, call=call.seq if call else 0, facts=facts)
        if call is not None and reading.is_whole_body(item):
            self._session.pairing.give_up(call.key)
            self._session.resolve(call, reading.unreadable(self._session.server, call, item, frame, seq))

    def _oversized(self, item: Received) -> None:
        is_object = item.raw.lstrip()[:1] == b"{"
        cut = Frame(item.raw, Kind.INVALID, faults=(reading.size_sentence(item),), is_object=is_object)
        call = None if reading.asks_or_tells(item.raw) else self._cut_answer(item)
        seq = self._session.recorder.received(item, cut, call=call.seq if call else 0)
        if call is not None:
            self._session.pairing.give_up(call.key)
            self._session.settle(call)
            self._session.resolve(call, reading.too_large(self._session.server, call, item, seq))

    def _cut_answer(self, item: Received) -> Call | None:
        """The call whose answer this is most likely the beginning of."""
        waiting = self._session.pairing.open
        call = waiting.get(item.answers) if item.answers is not None else None
        ident = reading.id_in_head(item.raw)
        if call is None and ident is not None:
            call = waiting.get(ident)
        if call is None and len(waiting) == 1:
            call = next(iter(waiting.values()))
        return call

    def _notification(self, item: Received, frame: Frame, facts: dict[str, Any]) -> None:
        call = None
        if frame.method == "notifications/progress":
            params = reading.decoded_params(frame)
            token = params.get("progressToken")
            call = self._session.pairing.open.get(token) if isinstance(token, int | str) and token is not True else None
            if call is not None:
                call.progress = Progress.read(params)
                call.progress_count += 1
                call.touched_ns = item.mono_ns
        self._session.recorder.received(
            item, frame, call=call.seq if call else 0, target=reading.notification_target(frame), facts=facts
        )
        if call is not None and call.on_progress is not None and call.progress is not None:
            call.on_progress(call.progress)
        elif call is None:
            if frame.method == "notifications/cancelled":
                self._session.questions.cancelled(frame)
            self._session.notified.send(frame)

    def _asked_for(self, item: Received) -> int:
        """The operation that a server's question belongs to: that of its stream, else the only or latest tool call."""
        calls = self._session.in_flight
        if item.answers is not None:
            calls = tuple(call for call in calls if call.ident == item.answers) or calls
        return calls[-1].seq if calls else 0

    async def _reply(self, frame: Frame, seq: int, operation: int) -> None:
        if frame.method in CAPABILITY and not is_declared(frame.method, self._session.declared):
            sentence = f"{self._session.server} asks for {frame.method}, which was not declared to it: refused."
            self._session.recorder.event("warning", sentence, call=seq, method=frame.method)
        raw = await self._session.questions.reply(frame, seq, operation)
        if raw is None:
            return
        try:
            await self._session.send(raw, call=seq, method=frame.method)
        except Fault as fault:
            self._session.recorder.event("lost", f"The answer to {frame.method} could not be sent: {fault}", call=seq)
