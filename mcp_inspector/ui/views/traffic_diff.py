"""The Diff tab of a message: what differs from another one, value by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import bridge, icons, theme
from mcp_inspector.ui.models.traffic_diff import AT_ONCE, Line, Part, Side, compared, lines_of, size_of
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent


class DiffPane(QWidget):
    """Two messages or exchanges: the older one on the left."""

    swap_wanted = Signal()
    """Show the other one's row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: tuple[Side, Side] | None = None
        self._job: bridge.Job | None = None
        self._said = ElidedLabel(tone="muted")
        self._other = QPushButton("Show the other")
        theme.mark(self._other, kind="quiet")
        self._other.clicked.connect(self.swap_wanted)
        head = QHBoxLayout()
        head.setContentsMargins(10, 4, 6, 4)
        head.addWidget(self._said, 1)
        head.addWidget(self._other)
        self.lines = _Lines()
        self._empty = EmptyState("circle-check", "Nothing differs")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.lines)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def show_sides(self, older: Side, newer: Side) -> None:
        """Compare two; the same ones again change nothing."""
        if (older, newer) == self._sides:
            return
        self._sides = (older, newer)
        if self._job is not None:
            self._job.cancel()
        self._said.setText(f"{older.name} compared with {newer.name}")
        if size_of(older, newer) <= AT_ONCE:
            self._show(compared(older, newer))
            return
        self._empty.set("Comparing…", icon="loader")
        self._stack.setCurrentWidget(self._empty)
        work = bridge.aside(lambda: compared(older, newer))
        self._job = bridge.spawn(work, what="comparing two messages", on_done=self._show)

    def _show(self, parts: list[Part]) -> None:
        if self._sides is None:
            return
        older, newer = self._sides
        if all(part.diff.same and not part.missing for part in parts):
            words = "Every byte is the same."
            self._empty.set("Nothing differs", words, icon="circle-check")
            self._stack.setCurrentWidget(self._empty)
        else:
            self.lines.show_lines(lines_of(parts), older.name, newer.name)
            self._stack.setCurrentWidget(self.lines)


class _Lines(QTreeWidget):
    """The differences as a table with headings."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Differences")
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.setColumnCount(4)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def show_lines(self, lines: list[Line], older: str, newer: str) -> None:
        """Show these."""
        self.clear()
        self.setHeaderLabels(["where", "change", older, newer])
        mono, bold = theme.mono(), theme.font(bold=True)
        for line in lines:
            item = QTreeWidgetItem([line.title or line.path, line.word, line.before, line.after])
            if line.title:
                item.setFirstColumnSpanned(True)
                item.setFont(0, bold)
            else:
                item.setIcon(1, icons.icon(line.icon, line.ink))
                item.setForeground(1, theme.colour(line.ink))
                for column, text in ((0, line.path), (2, line.before), (3, line.after)):
                    item.setFont(column, mono)
                    item.setToolTip(column, tooltip(text))
            self.addTopLevelItem(item)
            item.setFirstColumnSpanned(bool(line.title))
        self._fit()

    def _fit(self) -> None:
        change = self.fontMetrics().horizontalAdvance("changed") + 46
        rest = max(120, self.viewport().width() - change)
        for column, width in enumerate((int(rest * 0.4), change, int(rest * 0.3))):
            self.setColumnWidth(column, width)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = ["\t".join(item.text(column) for column in range(4)).rstrip() for item in self.selectedItems()]
            QGuiApplication.clipboard().setText("\n".join(rows))
        else:
            super().keyPressEvent(event)
