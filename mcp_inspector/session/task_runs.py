"""Tasks: work that a server goes on with after it has answered. Two codecs, one way of following them.

2025-11-25 has them in the core (`params.task`, `tasks/result`), 2026-07-28 as the extension
``io.modelcontextprotocol/tasks`` (`resultType` ``task``, `tasks/get` with the result in it, `tasks/update`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from mcp_inspector.session import reading
from mcp_inspector.session.call import number
from mcp_inspector.session.eras import result_head
from mcp_inspector.session.inbox import Ask, Inbox, is_declared
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.signals import Signal
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.tasks import wait_fully

if TYPE_CHECKING:
    import asyncio

    from mcp_inspector.transport.tasks import Tasks

EXTENSION = "io.modelcontextprotocol/tasks"
TERMINAL = frozenset({"completed", "failed", "cancelled"})
_DEFAULT_POLL_MS = 1000
_POLL_BOUNDS_MS = (50, 60_000)
_FAILURES_IN_A_ROW = 3
_GRACE_MS = 1000
"""How long after its time to live a task is still asked for: it began at the server, not here."""

Request = Callable[[str, Mapping[str, Any], float | None], Coroutine[Any, Any, Outcome]]
"""Sends a request of the task's operation; the number is a timeout in seconds, None for the usual one, 0 for none."""


@dataclass(frozen=True)
class TaskState:
    """What a server last said of a task. Times are as it spelled them; milliseconds are None where it gave none."""

    task_id: str
    status: str
    message: str = ""
    created: str = ""
    updated: str = ""
    ttl_ms: float | None = None
    poll_ms: float | None = None
    raw: bytes = b"{}"


class Codec(Protocol):
    """How one version speaks of tasks."""

    def state(self, result: bytes) -> TaskState | None:
        """The task in a result, None when there is none."""

    async def finish(self, run: TaskRun, state: TaskState) -> Outcome:
        """The outcome of a task that has ended."""

    async def give_input(self, run: TaskRun, state: TaskState) -> None:
        """Serve a task that wants input."""


@dataclass(eq=False)
class TaskRun:
    """One task being followed. `history`: wall ns, status and message of each change; `call`: its call's number."""

    server: str
    method: str
    target: str
    call: int
    state: TaskState
    codec: Codec
    request: Request
    inbox: Inbox | None
    tasks: Tasks
    changed: Signal[()] = field(default_factory=lambda: Signal[()]())
    declared: Mapping[str, Any] = field(default_factory=dict)
    history: list[tuple[int, str, str]] = field(default_factory=list)
    outcome: Outcome | None = None
    _answered: set[str] = field(default_factory=set)
    early: asyncio.Task[Outcome] | None = None  # a `tasks/result` that was sent before the end
    asks: list[Ask] = field(default_factory=list)  # what the task asks and nobody has answered yet

    async def follow(self) -> Outcome:
        """Poll until the task has ended, and return what it ended with."""
        try:
            return await self._poll()
        finally:
            if self.early is not None:
                self.early.cancel()
            self._withdraw(f"The task {self.state.task_id} has ended.")
            if self.outcome is None:
                stopped = Fault(FaultKind.CANCELLED, f"The task {self.state.task_id} is not followed any more.")
                self._end(LocalError(self.method, self.call, fault=stopped))

    async def _poll(self) -> Outcome:
        self._note(self.state)
        failures, began = 0, time.monotonic()
        while self.state.status not in TERMINAL:
            if self.state.status == "input_required":
                await self.codec.give_input(self, self.state)
            await wait_fully(_seconds(self.state.poll_ms))
            outcome = await self.request("tasks/get", {"taskId": self.state.task_id}, None)
            state = self.codec.state(outcome.result) if isinstance(outcome, Complete) else None
            if state is None:
                failures += 1
                if isinstance(outcome, RpcError) or failures >= _FAILURES_IN_A_ROW:
                    return self._end(outcome)
                continue
            failures = 0
            self.state = state
            self._note(state)
            self._no_longer_asked(state)
            lived = (time.monotonic() - began) * 1000
            if state.status not in TERMINAL and state.ttl_ms is not None and lived > state.ttl_ms + _GRACE_MS:
                sentence = (
                    f"The task {state.task_id} has outlived the {state.ttl_ms / 1000:g} s that {self.server} gave it"
                )
                return self._end(
                    LocalError(self.method, self.call, fault=Fault(FaultKind.TIMEOUT, f"{sentence}: {state.status}."))
                )
        return self._end(await self.codec.finish(self, self.state))

    async def cancel(self) -> Outcome:
        """Ask the server to cancel it; it may end otherwise all the same."""
        return await self.request("tasks/cancel", {"taskId": self.state.task_id}, None)

    def _no_longer_asked(self, state: TaskState) -> None:
        """What the task does not ask any more is void."""
        asked = _questions(state) if state.status == "input_required" else {}
        for ask in [ask for ask in self.asks if ask.key not in asked]:
            ask.withdraw("The task does not ask for it any more.")

    def _withdraw(self, why: str) -> None:
        for ask in list(self.asks):
            ask.withdraw(why)
        for ask in self.inbox.waiting if self.inbox is not None else ():
            if ask.server == self.server and ask.way == "request" and _related_task(ask) == self.state.task_id:
                ask.withdraw(why)

    def new_questions(self, state: TaskState) -> dict[str, tuple[str, bytes]]:
        """The input requests that were not answered yet: method and params by key."""
        new = {}
        for key, question in _questions(state).items():
            if key not in self._answered:
                self._answered.add(key)
                new[key] = (question.method, bytes(question.params))
        return new

    def _note(self, state: TaskState) -> None:
        if not self.history or self.history[-1][1:] != (state.status, state.message):
            self.history.append((time.time_ns(), state.status, state.message))
            self.changed.send()

    def _end(self, outcome: Outcome) -> Outcome:
        self.outcome = replace(outcome, method=self.method, call=self.call)
        self.changed.send()
        return self.outcome


class _Question(msgspec.Struct):
    method: str = ""
    params: msgspec.Raw = msgspec.Raw(b"{}")


class _Questions(msgspec.Struct):
    inputRequests: dict[str, _Question] | None = None


def _questions(state: TaskState) -> dict[str, _Question]:
    try:
        return msgspec.json.decode(state.raw, type=_Questions).inputRequests or {}
    except (msgspec.MsgspecError, RecursionError):
        return {}


def _related_task(ask: Ask) -> Any:
    """The task that a question of 2025-11-25 says it belongs to."""
    meta = ask.value.get("_meta")
    related = meta.get("io.modelcontextprotocol/related-task") if isinstance(meta, Mapping) else None
    return related.get("taskId") if isinstance(related, Mapping) else None


class CoreTasks:
    """2025-11-25."""

    def state(self, result: bytes) -> TaskState | None:
        """From a CreateTaskResult or a flat task."""
        value = _object(result)
        task = value.get("task")
        return _state(task if isinstance(task, dict) else value, result, "ttl", "pollInterval")

    async def finish(self, run: TaskRun, state: TaskState) -> Outcome:
        """`tasks/result` gives exactly what the call would have given."""
        if state.status == "cancelled":  # its `tasks/result` may wait for an answer that nobody gives any more
            return _cancelled(run, state)
        early = await run.early if run.early is not None else None
        if early is not None and not isinstance(early, LocalError):
            return early
        return await run.request("tasks/result", {"taskId": state.task_id}, None)

    async def give_input(self, run: TaskRun, state: TaskState) -> None:
        """`tasks/result` waits for the end, and the server's questions come as its own requests meanwhile."""
        if run.early is None:
            run.early = run.tasks.spawn(run.request("tasks/result", {"taskId": state.task_id}, 0), "tasks/result")


class ExtensionTasks:
    """The tasks extension of 2026-07-28."""

    def state(self, result: bytes) -> TaskState | None:
        """From a flat task, as created or as got."""
        return _state(_object(result), result, "ttlMs", "pollIntervalMs")

    async def finish(self, run: TaskRun, state: TaskState) -> Outcome:
        """The result or error is in the task."""
        if state.status == "cancelled":
            return _cancelled(run, state)
        ended = msgspec.json.decode(state.raw, type=_Ended)
        if state.status == "failed":
            return reading.rpc_error((run.method, run.call, 0, 0, (), None), bytes(ended.error))
        result = bytes(ended.result)
        if not result.startswith(b"{"):
            sentence = f"{run.server} says that the task of {run.target} is completed, but gives no result."
            return LocalError(
                run.method, run.call, fault=Fault(FaultKind.BAD_CONTENT, sentence, facts={"body": state.raw[:65536]})
            )
        return Complete(run.method, run.call, result=result, tool_error=result_head(result).tool_error)

    async def give_input(self, run: TaskRun, state: TaskState) -> None:
        """Ask the person each new question; the task is polled on meanwhile, and each answer goes out for itself."""
        questions = run.new_questions(state)
        inbox = run.inbox
        if inbox is None or not all(is_declared(method, run.declared) for method, _ in questions.values()):
            if questions:
                await run.cancel()
            return
        for key, (method, params) in questions.items():
            ask = Ask(run.server, method, params, run.call, run.call, way="task", key=key)
            run.asks.append(ask)
            run.tasks.spawn(self._answer(run, state.task_id, ask, inbox), f"input {key}")

    @staticmethod
    async def _answer(run: TaskRun, task_id: str, ask: Ask, inbox: Inbox) -> None:
        try:
            reply = await inbox.put(ask)
        finally:
            run.asks.remove(ask)
        if reply is None:
            return
        if reply.result is None:
            await run.cancel()
            return
        answers = {ask.key: msgspec.Raw(reply.result)}
        await run.request("tasks/update", {"taskId": task_id, "inputResponses": answers}, None)


class _Ended(msgspec.Struct):
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: msgspec.Raw = msgspec.Raw(b"null")


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _state(value: Mapping[str, Any], raw: bytes, ttl: str, poll: str) -> TaskState | None:
    task_id, status = value.get("taskId"), value.get("status")
    if not isinstance(task_id, str) or not isinstance(status, str):
        return None
    return TaskState(
        task_id,
        status,
        _text(value.get("statusMessage")),
        _text(value.get("createdAt")),
        _text(value.get("lastUpdatedAt")),
        _milliseconds(value.get(ttl)),
        _milliseconds(value.get(poll)),
        raw,
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _milliseconds(value: Any) -> float | None:
    given = number(value)
    return given if given is not None and given > 0 else None


def _seconds(poll_ms: float | None) -> float:
    low, high = _POLL_BOUNDS_MS
    return min(max(_DEFAULT_POLL_MS if poll_ms is None else poll_ms, low), high) / 1000


def _cancelled(run: TaskRun, state: TaskState) -> LocalError:
    said = f": {state.message}" if state.message else ""
    return LocalError(run.method, run.call, fault=Fault(FaultKind.CANCELLED, f"The task was cancelled{said}."))
