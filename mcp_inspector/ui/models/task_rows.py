"""The tasks of one server as rows, newest on top, and each of them in words."""

from __future__ import annotations

import datetime as dt
import math
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.task_runs import TERMINAL, TaskRun
from mcp_inspector.ui import plain
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

TASK = Qt.ItemDataRole.UserRole
"""The `TaskRun` of an index."""
Index = QModelIndex | QPersistentModelIndex
_TONES = {"working": "accent", "input_required": "warn", "completed": "ok", "failed": "error", "cancelled": "muted"}


def tone(run: TaskRun) -> str:
    """The colour that supports its status."""
    return _TONES.get(run.state.status, "warn")


def status(run: TaskRun) -> str:
    """Its status in words."""
    words = plain.line(run.state.status.replace("_", " "), 30)
    if run.state.status not in TERMINAL and run.outcome is not None:
        return f"{words}, no longer followed"
    return words


def facts(run: TaskRun, now_s: float | None = None) -> list[Fact]:
    """What is known of it."""
    state = run.state
    return [
        Fact("Status", status(run), tone=tone(run)),
        Fact("Message", plain.lines(state.message[:2_000])),
        Fact("Task id", state.task_id, mono=True),
        Fact("Polled every", _span(state.poll_ms) if state.poll_ms is not None else "1.0 s, our own"),
        Fact("Created", _moment(state.created)),
        Fact("Updated", _moment(state.updated)),
        Fact("Kept", expiry(run, now_s)),
        Fact("Ended", _ending(run), tone="text"),
    ]


def expiry(run: TaskRun, now_s: float | None = None) -> str:
    """How long the server keeps it, and how much of that is left by its own clock."""
    ttl = run.state.ttl_ms
    if ttl is None:
        return "without limit, or the server does not say"
    words = _span(ttl)
    if not math.isfinite(ttl):
        return words
    created = _seconds(run.state.created)
    if created is None:
        return words
    left = created + ttl / 1000 - (time.time() if now_s is None else now_s)
    return f"{words}, {_span(left * 1000)} left" if left > 0 else f"{words}, expired"


def _span(ms: float) -> str:
    """Milliseconds in words, whatever number a server gives."""
    return plain.elapsed(int(ms * 1e6)) if math.isfinite(ms) and 0 <= ms < 1e14 else f"{ms:g} ms"


def _moment(text: str) -> str:
    seconds = _seconds(text)
    if seconds is None:
        return plain.line(text, 60)
    return time.strftime("%H:%M:%S", time.localtime(seconds))


def _seconds(text: str) -> float | None:
    try:
        return dt.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _ending(run: TaskRun) -> str:
    outcome = run.outcome
    if isinstance(outcome, Complete):
        return "with a result that says it failed" if outcome.tool_error else "with a result"
    if isinstance(outcome, RpcError):
        return f"with error {outcome.code}: {plain.line(outcome.message)}"
    return plain.line(outcome.sentence) if isinstance(outcome, LocalError) else ""


class TaskModel(QAbstractListModel):
    """Rows of one server."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: list[TaskRun] = []

    def show(self, runs: Sequence[TaskRun]) -> None:
        """Take the server's tasks as they are now."""
        wanted = list(reversed(runs))
        if wanted != self._runs:
            self.beginResetModel()
            self._runs = wanted
            self.endResetModel()
        elif wanted:
            self.dataChanged.emit(self.index(0), self.index(len(wanted) - 1))

    def find(self, run: TaskRun | None) -> QModelIndex:
        """Where a task is."""
        return self.index(self._runs.index(run)) if run in self._runs else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        """How many there are."""
        return 0 if parent is not None and parent.isValid() else len(self._runs)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The task; its words for screen readers."""
        if not index.isValid() or index.row() >= len(self._runs):
            return None
        run = self._runs[index.row()]
        if role == TASK:
            return run
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{plain.line(run.target)}, {status(run)}, {plain.line(run.state.message)}"
        return None
