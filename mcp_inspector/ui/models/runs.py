"""What was asked of servers from this window: running, and how it ended. The views of a tool show its last run."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.session.outcome import Complete, LocalError, Outcome
from mcp_inspector.ui import bridge
from mcp_inspector.ui.models import content
from mcp_inspector.ui.models.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from mcp_inspector.session.call import Call, Progress
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.bridge import Job

KEPT_RUNS = 60
KEPT_BYTES = 256 * 1024 * 1024

Key = tuple[str, str, str]
"""Server name, method, target: what a run is of."""

_LARGE = 1 << 20


class Run(QObject):
    """One request and how it ended. `changed` tells of progress and of the end."""

    changed = Signal()

    def __init__(self, server: Server, method: str, target: str, arguments: bytes, parent: QObject) -> None:
        super().__init__(parent)
        self.server = server
        self.method = method
        self.target = target
        self.arguments = arguments
        self.started_ns = time.perf_counter_ns()
        self.call: Call | None = None
        self.progress: Progress | None = None
        self.pace = Pace()
        self.outcome: Outcome | None = None
        self.again = False
        """Whether the program asked by itself, because the server told of a change: nothing is moved for it."""
        self.dropped = False
        """Whether the result was let go to save memory; the log still has it."""
        self._job: Job | None = None
        self._judged: tuple[Complete, bool] | None = None

    @property
    def key(self) -> Key:
        """What it is a run of."""
        return self.server.name, self.method, self.target

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._job is not None and self._job.running and self.outcome is None

    @property
    def seq(self) -> int:
        """The log's number of the request, 0 before it was sent; of the earlier one for a result from the cache."""
        if self.call is None and isinstance(self.outcome, Complete) and self.outcome.cached is not None:
            return self.outcome.call
        return self.call.seq if self.call is not None else 0

    @property
    def ok(self) -> bool:
        """Whether it ended with a result that is no tool error."""
        return isinstance(self.outcome, Complete) and not self.tool_error

    @property
    def tool_error(self) -> bool:
        """Whether the tool said that it failed."""
        return isinstance(self.outcome, Complete) and self._says_error(self.outcome)

    def _says_error(self, outcome: Complete) -> bool:
        # Decoding the whole result for one member would keep a second copy of 100 MB alive.
        if self._judged is None or self._judged[0] is not outcome:
            # Of a large one the session has said so: decoding 100 MB stops the window for a tenth of a second.
            large = len(outcome.result) > _LARGE
            self._judged = (outcome, outcome.tool_error if large else content.says_error(outcome.result))
        return self._judged[1]

    @property
    def weight(self) -> int:
        """About how many bytes it keeps alive."""
        return len(self.outcome.result) if isinstance(self.outcome, Complete) else 0

    def cancel(self) -> None:
        """Stop it: the server is told, and it counts as cancelled at once."""
        if self.call is not None:
            self.server.cancel(self.call.seq, "cancelled by the person")
        elif self._job is not None:
            self._job.cancel()

    def _on_call(self, call: Call) -> None:
        self.call = call
        self.changed.emit()

    def _on_progress(self, progress: Progress) -> None:
        self.progress = progress
        self.pace.hear(progress, time.perf_counter_ns())
        self.changed.emit()


class Runs(QObject):
    """The last run of each thing, and how often each has succeeded since the start."""

    changed = Signal(object)
    """A `Run` that has started, moved or ended."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._last: OrderedDict[Key, Run] = OrderedDict()
        self._done: dict[Key, int] = {}

    def last(self, key: Key) -> Run | None:
        """The newest run of something."""
        return self._last.get(key)

    def recent(self) -> list[Run]:
        """Those that ended and have their outcome still, the newest first."""
        ended = [run for run in self._last.values() if run.outcome is not None and not run.dropped]
        return ended[::-1]

    def successes(self, key: Key) -> int:
        """How often it went well."""
        return self._done.get(key, 0)

    def start(
        self,
        server: Server,
        method: str,
        target: str,
        arguments: bytes,
        ask: Callable[[Run], Coroutine[Any, Any, Outcome]],
        *,
        again: bool = False,
    ) -> Run:
        """Run something. `ask` makes the request with the `hooks` of the run it gets."""
        run = Run(server, method, target, arguments, self)
        run.again = again
        older = self._last.pop(run.key, None)
        self._last[run.key] = run
        if older is not None and not older.running:
            older.deleteLater()

        def ended(outcome: Outcome) -> None:
            run.outcome = outcome
            if run.ok:
                self._done[run.key] = self._done.get(run.key, 0) + 1

        def failed(error: Exception) -> None:
            bridge.report(f"{method} {target}", error)

        def settled() -> None:
            if run.outcome is None:  # the job was cancelled before there was a request
                run.outcome = LocalError(method, run.seq)
            run.changed.emit()
            self._trim()

        run.changed.connect(lambda: self.changed.emit(run))
        run._job = bridge.spawn(ask(run), what=f"{method} {target}", on_done=ended, on_error=failed, finally_=settled)
        run.changed.emit()
        return run

    @staticmethod
    def hooks(run: Run) -> dict[str, Any]:
        """The callbacks to hand to the request."""
        return {"on_call": run._on_call, "on_progress": run._on_progress}

    def cancel_all(self) -> None:
        """Stop everything that runs."""
        for run in self._last.values():
            if run.running:
                run.cancel()

    def _trim(self) -> None:
        ended = [run for run in self._last.values() if not run.running and not run.dropped]
        weight = sum(run.weight for run in ended)
        for run in ended[:-1]:
            if len(ended) <= KEPT_RUNS and weight <= KEPT_BYTES:
                break
            weight -= run.weight
            ended.remove(run)
            run.outcome = None
            run.dropped = True
