"""A run of collections as the window follows it: what is run, how each case stands, and running the failures again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.actions.results import Case, CaseResult, Status
from mcp_inspector.actions.runner import Options, PlanError, Runner, plan
from mcp_inspector.ui import bridge
from mcp_inspector.ui.bridge import Pull

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.acting import Acting

Key = tuple["Path | None", str]
"""A collection's file and an action's name."""


class CollectionRun(QObject):
    """The newest run. `changed` is sent at most every 30 ms; results stay until the next run of the same action."""

    changed = Signal()

    def __init__(self, desk: Desk, acting: Acting, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._acting = desk, acting
        self._job: Job | None = None
        self._stop: Callable[[], None] = lambda: None
        self._pull = Pull(self._look, self)
        self._moved: set[int] = set()
        self._failed_before: list[Case] = []
        self.runner: Runner | None = None
        self.results: dict[Key, list[CaseResult]] = {}
        self.options = Options()

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self._job is not None and self._job.running

    @property
    def failed(self) -> list[Case]:
        """The cases of the last run that did not pass."""
        return self.runner.failed if self.runner is not None and not self.running else []

    def start(self, collections: Sequence[Collection], options: Options, only: Sequence[Action] = ()) -> str:
        """Run collections, or some actions of them; why it cannot be run, empty when it does."""
        if self.running:
            return "A run goes on. Cancel it first."
        try:
            cases = plan(collections, options)
        except PlanError as error:
            return str(error)
        if only:
            cases = [case for case in cases if case.action in only]
        return self._begin(cases, options)

    def again(self) -> None:
        """Run what failed once more, as the collections are now."""
        cases: list[Case] = []
        for case in self.failed:
            now = self._desk.shelf.get(case.collection.path)
            action = now.action(case.action.name) if now is not None else None
            if now is not None and action is not None:
                cases.append(Case(len(cases) + 1, now, action, case.row, case.round, case.values))
        self._begin(cases, self.options)

    def cancel(self) -> None:
        """End it: what runs is cancelled at the server, the rest is skipped."""
        if self.runner is not None and self.running:
            self.runner.cancel()
            if not self.runner.began and self._job is not None:
                self._job.cancel()

    def status(self, key: Key) -> Status | None:
        """How an action stands, over all its cases; None when it has not been run."""
        runner = self.runner
        if runner is not None and self.running:
            mine = [case for case in runner.cases if (case.collection.path, case.action.name) == key]
            states = {runner.status(case) for case in mine}
            if Status.RUNNING in states:
                return Status.RUNNING
            if Status.WAITING in states:
                return Status.WAITING
        found = {result.status for result in self.results.get(key, ())}
        for state in (Status.FAILED, Status.ERROR, Status.SKIPPED, Status.PASSED):
            if state in found:
                return state
        return None

    def _begin(self, cases: list[Case], options: Options) -> str:
        from mcp_inspector.actions.findings import judge_of

        log = self._desk.log
        if not cases or log is None:
            return "There is nothing to run."
        self.options = options
        for case in cases:
            self.results.pop((case.collection.path, case.action.name), None)
        performer = self._acting.performer()

        async def work() -> None:
            secret = await self._acting.secrets({case.collection.path: case.collection for case in cases}.values())
            runner = Runner(performer, cases, options, body=log.body, judge=judge_of(log), secret=secret)
            self.runner = runner
            self._stop()
            self._stop = runner.changed.connect(self._case_moved)
            await runner.run()

        self.runner = None
        self._job = bridge.spawn(work(), what="running a collection", finally_=self._settled)
        self.changed.emit()
        return ""

    def _case_moved(self, case: Case) -> None:
        self._moved.add(case.number)
        self._pull.soon()

    def _settled(self) -> None:
        self._stop()
        self._stop = lambda: None
        self._pull.now()

    def _look(self) -> None:
        runner, moved, self._moved = self.runner, self._moved, set()
        if runner is not None:
            for number in sorted(moved):
                result = runner.results.get(number)
                if result is not None:
                    key = (result.case.collection.path, result.case.action.name)
                    self.results.setdefault(key, []).append(result)
        self.changed.emit()
