"""Tasks: work that the chosen server goes on with after it has answered, followed to its end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QListWidget,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.outcome import Complete, RpcError
from mcp_inspector.session.task_runs import TERMINAL, TaskRun
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import task_rows
from mcp_inspector.ui.models.task_rows import TASK, TaskModel
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import KeyValueRows
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_TICK_MS = 1_000


class _Row(QStyledItemDelegate):
    """Two lines: the tool and the status; below, what the server says."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, rows.line_height(option.widget, theme.font(bold=True), theme.font("small")) + 8)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        run: TaskRun = index.data(TASK)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 4, -rows.PAD, -4)
        said = " · ".join(filter(None, (plain.line(run.state.task_id, 40), plain.line(run.state.message))))
        title, word = (plain.line(run.target), "text"), (task_rows.status(run), task_rows.tone(run))
        rows.two_lines(painter, area, title, word, said)


class TasksPage(QWidget):
    """List on the left, the chosen task on the right."""

    wanted = Signal(str)
    """A command for the chosen server."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tasks-page")
        self._desk = desk
        self._server: Server | None = None
        self._run: TaskRun | None = None
        self._disconnect: Callable[[], None] = lambda: None
        self._unfollow: Callable[[], None] = lambda: None
        self._outcome: object = None
        self._pull = Pull(self.refresh, self)
        self.model = TaskModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Row(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Tasks")
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.title, self.pill = ElidedLabel(bold=True), Pill()
        self.cancel_button = QPushButton(icons.icon("square"), "Cancel task")
        self.cancel_button.setToolTip("Ask the server to end it; it may end otherwise all the same (Ctrl+.)")
        self.cancel_button.clicked.connect(self.cancel)
        self.record_button = QPushButton()
        theme.mark(self.record_button, kind="quiet")
        self.record_button.setToolTip("Show the call in Traffic")
        self.record_button.clicked.connect(self._show_record)
        self.facts = KeyValueRows()
        self.strip = Strip()
        self.strip.activated.connect(self.wanted)
        self.tabs = SegmentedTabs(("Result", "History", "As the server says it"))
        self.result, self.raw = JsonTree(), JsonTree()
        self.history = QListWidget()
        self.history.setAccessibleName("Status history")
        self._detail = QStackedWidget()
        for view in (self.result, self.history, self.raw):
            self._detail.addWidget(view)
        self.tabs.currentChanged.connect(self._detail.setCurrentIndex)
        self._empty = EmptyState("clock", "No task yet")
        self._stack = QStackedWidget()
        self._lay_out()
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tell)
        self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(14, 4, 8, 4)
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.pill)
        head.addStretch(1)
        head.addWidget(self.record_button)
        head.addWidget(self.cancel_button)
        band = QWidget()
        theme.mark(band, surface="window")
        column = QVBoxLayout(band)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.facts)
        right = QWidget()
        inner = QVBoxLayout(right)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        for widget in (band, self.strip, self.tabs, self._detail):
            inner.addWidget(widget, 1 if widget is self._detail else 0)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        self.list.setMinimumWidth(120)
        self._desk.memory.splitter("tasks.splitter", splitter, [300, 860])
        self._stack.addWidget(splitter)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    # --- what is shown ---

    @property
    def run(self) -> TaskRun | None:
        """The task that is shown."""
        return self._run

    def show_server(self, server: Server | None) -> None:
        """Show another server's tasks."""
        self._disconnect()
        self._server = server
        self._disconnect = server.changed.connect(self._pull.soon) if server is not None else lambda: None
        self._show(None)
        self.refresh()

    def refresh(self) -> None:
        """Look again."""
        runs = self._server.task_runs if self._server is not None else []
        newest, before = (runs[-1] if runs else None), self.model.index(0).data(TASK)
        self.model.show(runs)
        if not runs:
            self._empty.set(
                "No task yet",
                "A tool that becomes a task, or is run as one, is followed here: status, history, result.",
                icon="clock",
            )
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        index = self.model.find(self._run)
        over = self._run is None or self._run.outcome is not None
        if not index.isValid() or (newest is not before and over):  # one that is over makes room for a new one
            index = self.model.index(0)
        if index != self.list.currentIndex():
            self.list.setCurrentIndex(index)
        self._show(index.data(TASK))

    def _chosen(self, current: QModelIndex) -> None:
        if current.isValid():
            self._show(current.data(TASK))

    def _show(self, run: TaskRun | None) -> None:
        if run is not self._run:
            self._unfollow()
            self._unfollow = run.changed.connect(self._pull.soon) if run is not None else lambda: None
            self._run, self._outcome = run, None
            self.result.set_json(b"")
        self._tell()

    def _tell(self) -> None:
        run = self._run
        live = run is not None and run.state.status not in TERMINAL and run.outcome is None
        if live != self._clock.isActive():
            if live:
                self._clock.start()
            else:
                self._clock.stop()
        if run is None:
            return
        self.title.setText(f"{plain.line(run.method)} {plain.line(run.target)}")
        self.pill.set(task_rows.status(run), task_rows.tone(run))
        self.record_button.setText(f"#{run.call}")
        self.record_button.setVisible(run.call > 0)
        self.cancel_button.setEnabled(live and self._server is not None and self._server.status.up)
        self.facts.set_facts(task_rows.facts(run))
        if live and run.state.status == "input_required":
            self.strip.say("It waits for input: its question stands in the Inbox", "", "warn", "inbox", "Answer")
        else:
            self.strip.hide()
        lines = [
            f"{time.strftime('%H:%M:%S', time.localtime(wall / 1e9))}  {plain.line(status, 30)}  {plain.line(message)}"
            for wall, status, message in reversed(run.history)
        ]
        if lines != [self.history.item(at).text() for at in range(self.history.count())]:
            self.history.clear()
            self.history.addItems(lines)
        self.raw.set_json(run.state.raw) if self._detail.currentWidget() is self.raw else None
        self.tabs.set_count(1, len(lines))
        outcome = run.outcome
        ended = isinstance(outcome, Complete | RpcError)
        self.tabs.setTabEnabled(0, ended)
        self.tabs.setTabToolTip(0, "" if ended else "It has no result yet")
        if not ended and self.tabs.currentIndex() == 0:
            self.tabs.setCurrentIndex(1)
        if outcome is not self._outcome:
            self._outcome = outcome
            if isinstance(outcome, Complete | RpcError):
                self.result.set_json(outcome.result if isinstance(outcome, Complete) else outcome.error)
                self.tabs.setCurrentIndex(0)

    # --- what is done ---

    def cancel(self) -> None:
        """Ask the server to cancel the task."""
        if self._run is not None and self.cancel_button.isEnabled():
            bridge.spawn(self._run.cancel(), what=f"cancelling the task {self._run.state.task_id}")

    def _show_record(self) -> None:
        if self._run is not None:
            self._desk.record_requested.emit(self._run.call)
