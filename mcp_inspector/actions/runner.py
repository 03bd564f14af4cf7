"""Runs the actions of collections: in parallel, repeatedly, with rows of data; stops at a failure, or on demand."""

from __future__ import annotations

import asyncio
import fnmatch
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mcp_inspector.actions import judging
from mcp_inspector.actions.collection import Action, Collection, Kind
from mcp_inspector.actions.data import DataError, Row, read_rows
from mcp_inspector.actions.judging import Ending, Evidence
from mcp_inspector.actions.results import BAD, Case, CaseResult, Quoted, Status, StepResult, Summary, summary
from mcp_inspector.actions.values import Values, values_of
from mcp_inspector.schema.jsonpath import JsonPath
from mcp_inspector.session.outcome import Complete
from mcp_inspector.signals import Signal
from mcp_inspector.store.redact import redact_text
from mcp_inspector.transport.base import FaultKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mcp_inspector.actions.judging import Judge
    from mcp_inspector.actions.performing import Performed, Performer

_QUOTED = 4000
"""Bytes of a failing exchange that are quoted in reports; the whole stands in the session."""
_LARGE = 200_000
"""Bytes of a result from which it is judged beside the loop: a window may be drawn on it."""
MAX_PARALLEL = 64
MAX_CASES = 1_000_000

Body = Callable[[int], bytes]
"""The bytes of a record by its number: `store.log.Log.body`."""


@dataclass(frozen=True)
class Options:
    """How to run. `filter` is part of a name, a pattern with ``*`` or ``/regex/``; `given` are values as JSON text."""

    filter: str = ""
    parallel: int = 1
    repeat: int = 1
    bail: bool = False
    environment: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    timeout: float | None = None


class PlanError(ValueError):
    """Nothing can be run as it was asked; the message is a sentence."""


def plan(collections: Sequence[Collection], options: Options) -> list[Case]:
    """The cases, in the order of the files. Raises `PlanError`."""
    wanted = _wanted(options.filter)
    if options.environment and not any(one.environment(options.environment) for one in collections):
        known = sorted({each.name for one in collections for each in one.environments})
        there = f"There is: {', '.join(known)}." if known else "None is defined."
        raise PlanError(f"No collection has an environment {options.environment!r}. {there}")
    cases: list[Case] = []
    for number in range(1, options.repeat + 1):
        for collection in collections:
            for action in collection.actions:
                if action.disabled or not wanted(action):
                    continue
                for at, row in _rows(collection, action, options.rows):
                    cases.append(Case(len(cases) + 1, collection, action, at, number, row))
                    if len(cases) > MAX_CASES:
                        raise PlanError(f"These are more than {MAX_CASES:,} cases. Repeat less, or take fewer rows.")
    if not cases and options.filter:
        raise PlanError(f"No action passes the filter {options.filter!r}.")
    return cases


class Runner:
    """One run. `changed` tells that a case has begun or ended; `results` are those that ended, by number of the case.

    `body` gives what was sent and received for failures; `judge` is asked for findings; `secret` for kept secrets.
    """

    def __init__(
        self,
        performer: Performer,
        cases: Sequence[Case],
        options: Options,
        *,
        body: Body | None = None,
        judge: Judge | None = None,
        secret: Callable[[str], str] | None = None,
    ) -> None:
        self.changed: Signal[Case] = Signal()
        self.cases = tuple(cases)
        self.results: dict[int, CaseResult] = {}
        self.running: set[int] = set()
        self.began = self.ended = 0.0
        self._performer, self._options = performer, options
        self._body, self._judge, self._secret = body, judge, secret
        self._queue: deque[Case] = deque()
        self._workers: list[asyncio.Task[None]] = []
        self._why = ""  # nothing new is begun

    @property
    def finished(self) -> bool:
        """Whether all that will be run has been."""
        return self.ended > 0

    @property
    def seconds(self) -> float:
        """How long it takes, or took."""
        return (self.ended or time.monotonic()) - self.began if self.began else 0

    @property
    def summary(self) -> Summary:
        """The numbers so far."""
        return summary([*self.results.values()], self.seconds)

    @property
    def failed(self) -> list[Case]:
        """The cases to run again."""
        return [result.case for result in self.results.values() if result.status in BAD]

    def status(self, case: Case) -> Status:
        """How a case stands."""
        result = self.results.get(case.number)
        if result is not None:
            return result.status
        return Status.RUNNING if case.number in self.running else Status.WAITING

    async def run(self) -> Summary:
        """Run everything. A cancelled wait cancels the requests under way, and tells."""
        self.began, self.ended = time.monotonic(), 0.0
        self._queue = deque(self.cases)
        parallel = max(1, min(self._options.parallel, MAX_PARALLEL, len(self.cases)))
        try:
            async with asyncio.TaskGroup() as group:
                self._workers = [group.create_task(self._work(), name=f"run {at}") for at in range(parallel)]
        finally:
            self._workers = []
            self._skip_rest(self._why or "The run was cancelled.")
            self.ended = time.monotonic()
        return self.summary

    def cancel(self, why: str = "The run was cancelled.") -> None:
        """End it: what runs is cancelled at the server, what waits is skipped."""
        self._why = why
        for worker in self._workers:
            worker.cancel()

    async def _work(self) -> None:
        while self._queue and not self._why:
            case = self._queue.popleft()
            self.running.add(case.number)
            self.changed.send(case)
            try:
                result = await self._case(case)
            except asyncio.CancelledError:
                self._put(CaseResult(case, Status.SKIPPED, why=self._why or "The run was cancelled."))
                if not self._why:
                    raise
                return
            self._put(result)
            if self._options.bail and result.status in BAD:
                self._why = self._why or f"The run ended at the first failure, {case.name}."

    def _put(self, result: CaseResult) -> None:
        self.running.discard(result.case.number)
        self.results[result.case.number] = result
        self.changed.send(result.case)

    def _skip_rest(self, why: str) -> None:
        while self._queue:
            self._put(CaseResult(self._queue.popleft(), Status.SKIPPED, why=why))

    async def _case(self, case: Case) -> CaseResult:
        began = time.monotonic()
        collection, action = case.collection, case.action
        environment = collection.environment(self._options.environment)
        values = values_of(collection, environment, secret=self._secret)
        values = values.with_more({**action.variables, **case.values, **self._options.given})
        servers = environment.servers if environment is not None else {}
        steps: list[StepResult] = []
        status, why, unreachable = Status.PASSED, "", False
        for step in action.steps if action.kind is Kind.CHAIN else (action,):
            own = replace_missing(values, step)
            performed = await self._performer.perform(
                step, own, servers.get(step.server, ""), step.timeout or action.timeout or self._options.timeout
            )
            steps.append(await self._judged(step, performed, own))
            if steps[-1].ending is Ending.NOT_RUN:
                status, why = Status.ERROR, values.hide(judging.error_sentence(performed.outcome))
                fault = getattr(performed.outcome, "fault", None)
                unreachable = fault is not None and fault.kind is FaultKind.NOT_STARTED
                steps[-1] = replace(steps[-1], verdicts=())
                break
            if steps[-1].failures:
                status = Status.FAILED
                break
            values, missing = _captured(step, performed, values)
            if missing:
                status, why = Status.FAILED, f"{step.name}: {missing}"
                break
        if action.kind is Kind.CHAIN and status is Status.PASSED and action.assertions:
            steps[-1] = replace(steps[-1], verdicts=(*steps[-1].verdicts, *self._whole(action, performed)))
            status = Status.FAILED if steps[-1].failures else status
        return CaseResult(case, status, tuple(steps), why, time.monotonic() - began, unreachable)

    def _whole(self, action: Action, performed: Performed) -> tuple[judging.Verdict, ...]:
        """A chain's own assertions are about its last result."""
        evidence = Evidence(performed.outcome, performed.output_schema, self._judge)
        return judging.judged(action.assertions, evidence)

    async def _judged(self, step: Action, performed: Performed, values: Values) -> StepResult:
        outcome = performed.outcome
        evidence = Evidence(outcome, performed.output_schema, self._judge)
        large = len(getattr(outcome, "result", b"")) > _LARGE
        if large and not any(one.check == "findings" for one in step.assertions):
            verdicts = await asyncio.to_thread(judging.judged, step.assertions, evidence)
        else:
            verdicts = judging.judged(step.assertions, evidence)
        verdicts = tuple(replace(one, sentence=values.hide(one.sentence)) for one in verdicts)
        bad = any(not one.passed for one in verdicts)
        quoted = Quoted(outcome.call, outcome.reply)
        if bad:
            quoted = Quoted(outcome.call, outcome.reply, *self._texts(performed, values))
        return StepResult(
            step.name,
            performed.server,
            performed.method,
            performed.target,
            judging.ending(outcome),
            outcome.elapsed_ns,
            len(getattr(outcome, "result", b"")),
            verdicts,
            quoted,
        )

    def _texts(self, performed: Performed, values: Values) -> tuple[str, str]:
        outcome = performed.outcome
        sent = performed.arguments
        came: bytes = getattr(outcome, "result", b"") or getattr(outcome, "error", b"")
        if self._body is not None:
            sent = self._body(outcome.call) if outcome.call else sent
            came = self._body(outcome.reply) if outcome.reply else came
        return _shown(sent, values), _shown(came, values)


def replace_missing(values: Values, step: Action) -> Values:
    """A step's own variables count where nothing else gives them a value."""
    more = {name: value for name, value in step.variables.items() if name not in values.by_name}
    return values.with_more(more) if more else values


def _captured(step: Action, performed: Performed, values: Values) -> tuple[Values, str]:
    """The variables with those that a step takes from its result; or what is not there."""
    if not step.captures:
        return values, ""
    if not isinstance(performed.outcome, Complete):
        return values, "There is no result to take a variable from."
    evidence = Evidence(performed.outcome)
    found: dict[str, str] = {}
    for name, path in step.captures.items():
        nodes = JsonPath(path).find(evidence.root, evidence.value) if evidence.root is not None else []
        if not nodes:
            return values, f"{path}, which {name} is taken from, is not in the result."
        # what a server says is a value, and no place for variables of ours
        found[name] = nodes[0].raw.replace("${", "$${")
    return values.with_more(found), ""


def _shown(raw: bytes, values: Values) -> str:
    more = f" … {len(raw) - _QUOTED:,} more bytes" if len(raw) > _QUOTED else ""
    return redact_text(values.hide(raw[:_QUOTED].decode(errors="replace"))).text + more


def _wanted(text: str) -> Callable[[Action], bool]:
    if not text:
        return lambda action: True
    if len(text) > 1 and text.startswith("/") and text.endswith("/"):
        try:
            pattern = re.compile(text[1:-1], re.IGNORECASE)
        except re.error as error:
            raise PlanError(f"The filter {text} is no regular expression: {error}.") from None
        return lambda action: any(pattern.search(word) for word in _words(action))
    low = text.casefold()
    if any(sign in text for sign in "*?["):
        return lambda action: any(fnmatch.fnmatchcase(word.casefold(), low) for word in _words(action))
    return lambda action: any(low in word.casefold() for word in _words(action))


def _words(action: Action) -> tuple[str, ...]:
    return action.name, action.target, action.group, *action.servers


def _rows(collection: Collection, action: Action, rows: Iterable[Row]) -> list[tuple[int, dict[str, Any]]]:
    """The rows of an action: those that were given, else those of its own file, else one without values."""
    given = list(rows)
    if not given and action.data:
        base = collection.path.parent if collection.path is not None else None
        if base is None:
            raise PlanError(f"{action.name} takes its rows from {action.data}, and the collection is not saved yet.")
        place = (base / action.data).resolve()
        if not place.is_relative_to(base.resolve()):
            # a collection may come from anybody, and its rows go to a server
            raise PlanError(
                f"{action.name} takes its rows from {action.data}, which is not in the collection's folder."
            )
        try:
            given = read_rows(place)
        except DataError as error:
            raise PlanError(f"{action.name}: {error}") from None
    return [*enumerate(given, 1)] if given else [(0, {})]
