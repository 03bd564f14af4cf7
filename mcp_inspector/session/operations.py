"""The operations at one server: a request with its rounds, and the task that a call became."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.cache import METHODS, Cache
from mcp_inspector.session.eras import traceparent
from mcp_inspector.session.outcome import Complete, InputRequired, LocalError, Outcome, TaskStarted
from mcp_inspector.session.rounds import answer_rounds
from mcp_inspector.session.task_runs import Codec, TaskRun, TaskState
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_inspector.session.asking import Asking
    from mcp_inspector.session.call import Call, Progress
    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.supervisor import Supervisor
    from mcp_inspector.transport.tasks import Tasks

_TASKS_KEPT = 100


class Operations:
    """Carries out what `Server` is asked for. `runs` are the tasks that are followed, and the last that have ended."""

    def __init__(self, life: Supervisor, cache: Cache, inbox: Inbox | None, asking: Asking, tasks: Tasks) -> None:
        self.runs: list[TaskRun] = []
        self._life, self._cache, self._inbox, self._asking, self._tasks = life, cache, inbox, asking, tasks

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        meta: Mapping[str, Any] | None = None,
        trace: bool = False,
        on_call: Callable[[Call], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        continues: int = 0,
    ) -> Outcome:
        """Send a request and answer its rounds: see `Server.request`."""
        try:
            session = await self._life.ready()
        except Fault as fault:
            return LocalError(method, 0, fault=fault)
        limit = self._life.entry.timeout if timeout is None else timeout
        own = traceparent() if trace else {}

        async def send(more: Mapping[str, Any], continues: int) -> Outcome:
            given = {**(params or {}), **more} if params or more else params
            if meta or own:
                given = {**(given or {}), "_meta": {**own, **_mapping((given or {}).get("_meta")), **(meta or {})}}
            return await session.request(
                method,
                given,
                timeout=limit,
                headers=headers,
                on_call=on_call,
                on_progress=on_progress,
                continues=continues,
            )

        moment = self._cache.moment
        outcome = await send({}, continues)
        if isinstance(outcome, InputRequired) and self._inbox is not None:
            first = outcome.call
            try:
                outcome = await answer_rounds(self._life.entry.name, self._inbox, outcome, send, session.declared)
            except asyncio.CancelledError:
                session.operation_ended(first, _stopped(method, first))
                raise
            if isinstance(outcome, LocalError):
                session.operation_ended(first, outcome)
            return outcome
        if isinstance(outcome, Complete) and method in METHODS and not _has_answers(params):
            self._cache.put(method, params or {}, outcome, moment)
        self._asking.ended(outcome)
        return outcome

    async def follow(self, outcome: TaskStarted, target: str, codec: Codec, state: TaskState) -> Outcome:
        """Poll a task to its end: see `Server.follow_task`."""

        async def request(method: str, params: Mapping[str, Any], timeout: float | None) -> Outcome:
            return await self.request(method, params, timeout=timeout, continues=outcome.call)

        session = self._life.session
        declared = session.declared if session is not None else {}
        run = TaskRun(
            self._life.entry.name,
            outcome.method,
            target,
            outcome.call,
            state,
            codec,
            request,
            self._inbox,
            self._tasks,
            declared=declared,
        )
        ended = [each for each in self.runs if each.outcome is not None]
        for old in ended[: max(0, len(ended) - _TASKS_KEPT)]:
            self.runs.remove(old)
        self.runs.append(run)
        self._life.changed.send()
        try:
            ended_with = await run.follow()
        except asyncio.CancelledError:
            if session is not None:
                session.operation_ended(outcome.call, _stopped(outcome.method, outcome.call))
            raise
        if session is not None:
            session.operation_ended(outcome.call, ended_with)
        return ended_with


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _has_answers(params: Mapping[str, Any] | None) -> bool:
    """Whether a request carries what belongs to it alone: then its result may not be used for another."""
    return params is not None and ("inputResponses" in params or "requestState" in params)


def _stopped(method: str, call: int) -> LocalError:
    fault = Fault(FaultKind.CANCELLED, f"{method} is not followed any more.")
    return LocalError(method, call, fault=fault)
