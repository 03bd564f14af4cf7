"""What a run came to, case by case. Small: bodies stay in the log, only those of failures are quoted."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.actions.judging import Ending, Verdict


class Status(StrEnum):
    """How a case stands."""

    WAITING = "waiting"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"  # an assertion does not hold
    ERROR = "error"  # it could not be run: no server, no value, not approved
    SKIPPED = "skipped"


BAD = frozenset({Status.FAILED, Status.ERROR})


@dataclass(frozen=True)
class Case:
    """One action to be run once: which row of data, which repetition. `row` and `round` count from 1, row 0 is none."""

    number: int
    collection: Collection
    action: Action
    row: int = 0
    round: int = 1
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """For people: the action, with its row and repetition where there are several."""
        parts = [self.action.name]
        if self.row:
            shown = ", ".join(f"{key}={value}" for key, value in list(self.values.items())[:3])
            parts.append(f"[row {self.row}: {shown[:60]}]")
        if self.round > 1:
            parts.append(f"({self.round})")
        return " ".join(parts)


@dataclass(frozen=True)
class Quoted:
    """The exchange of a failure: sequence numbers in the log (0: there is none) and the beginnings of both texts."""

    call: int = 0
    reply: int = 0
    request: str = ""
    answer: str = ""


@dataclass(frozen=True)
class StepResult:
    """One request of a case: what it was, how it ended, what the assertions say. `elapsed_ns` is the transport's."""

    name: str
    server: str
    method: str
    target: str
    ending: Ending
    elapsed_ns: int
    size: int
    verdicts: tuple[Verdict, ...] = ()
    quoted: Quoted = field(default_factory=Quoted)

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """The assertions that do not hold."""
        return tuple(one for one in self.verdicts if not one.passed)


@dataclass(frozen=True)
class CaseResult:
    """How one case ended. `why` is set when it could not be run, or was skipped; `seconds` is wall time.

    `unreachable`: the server could not be connected.
    """

    case: Case
    status: Status
    steps: tuple[StepResult, ...] = ()
    why: str = ""
    seconds: float = 0
    unreachable: bool = False

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong, each a sentence; the step is named in a chain."""
        found = []
        for step in self.steps:
            lead = f"{step.name}: " if len(self.steps) > 1 or step.name != self.case.action.name else ""
            found += [f"{lead}{one.sentence}" for one in step.failures]
        return (*found, self.why) if self.why else tuple(found)

    @property
    def quoted(self) -> Quoted:
        """The exchange that shows what is wrong, else the last one."""
        bad = [step for step in self.steps if step.failures] or self.steps
        return bad[-1].quoted if bad else Quoted()

    @property
    def elapsed_ns(self) -> int:
        """The time of its requests together, at the transport."""
        return sum(step.elapsed_ns for step in self.steps)


@dataclass(frozen=True)
class Summary:
    """A run in numbers."""

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    seconds: float = 0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong and something was run."""
        return not self.failed and not self.errors and self.passed > 0

    @property
    def words(self) -> str:
        """For people: ``12 passed, 1 failed in 0.8 s``."""
        counts = (
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.errors, "not run"),
            (self.skipped, "skipped"),
        )
        said = ", ".join(f"{count} {word}" for count, word in counts if count) or "nothing was run"
        return f"{said} in {self.seconds:.1f} s"


def summary(results: list[CaseResult], seconds: float) -> Summary:
    """The numbers of these results."""
    counts = {status: sum(result.status is status for result in results) for status in Status}
    return Summary(counts[Status.PASSED], counts[Status.FAILED], counts[Status.ERROR], counts[Status.SKIPPED], seconds)
