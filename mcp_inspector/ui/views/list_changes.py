"""What a server lists under one set of capabilities and under another: names that come and go, other definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.remembered import compare
from mcp_inspector.ui import theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import list_changes
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from mcp_inspector.session.remembered import Difference, Remembered
    from mcp_inspector.session.server import Server

_AT = Qt.ItemDataRole.UserRole


class ListChanges(QWidget):
    """Compares two connects of one server. By default the last one with the last that was told of something else."""

    def __init__(self, server: Server, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._server = server
        self._some: list[Remembered] = []
        self._found: list[Difference] = []
        self.before, self.after = self._box("The earlier connect"), self._box("The later connect")
        self.summary = ElidedLabel(bold=True)
        self.list = QListWidget()
        self.list.setAccessibleName("What is different")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._show)
        self.old, self.new = TextView(), TextView()
        self.old.set_placeholder("Not listed")
        self.new.set_placeholder("Not listed")
        self._empty = EmptyState("list", "")
        self._lay_out()
        self._pull = Pull(self.refresh, self)
        stop = server.changed.connect(self._pull.soon)
        self.destroyed.connect(lambda: stop())
        self.refresh()

    def _box(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(f"{name}: its number, when, its version, and what the server was told that we can do")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(16)
        box.activated.connect(lambda _: self.compare())
        return box

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(ElidedLabel("From", tone="muted"))
        head.addWidget(self.before, 1)
        head.addWidget(ElidedLabel("to", tone="muted"))
        head.addWidget(self.after, 1)
        texts = QSplitter(Qt.Orientation.Horizontal)
        texts.setChildrenCollapsible(False)
        for title, view in (("Before", self.old), ("After; changed lines are marked", self.new)):
            side = QWidget()
            theme.mark(side, surface="base")
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(ElidedLabel(title, tone="muted", size="small"))
            column.addWidget(view, 1)
            texts.addWidget(side)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(texts)
        splitter.setSizes([220, 520])
        self._stack = QStackedWidget()
        self._stack.addWidget(splitter)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.summary)
        layout.addWidget(self._stack, 1)

    def refresh(self) -> None:
        """Look at the server's connects again; what is compared stays, unless a new connect has come."""
        some = list_changes.connects(self._server.remembered)
        if [id(one) for one in some] == [id(one) for one in self._some]:
            return
        self._some = some
        for box, at in ((self.before, list_changes.other_set(some)), (self.after, len(some) - 1)):
            box.clear()
            box.addItems([list_changes.label(one) for one in some])
            box.setCurrentIndex(at)
        self.compare()

    def compare(self) -> None:
        """Compare the two that are chosen."""
        one, other = self.before.currentIndex(), self.after.currentIndex()
        if len(self._some) < 2:
            self.summary.setText("")
            self._empty.set(
                "There is nothing to compare yet",
                "Tell the server of other capabilities and reconnect: what it lists then is compared with this.",
                icon="list",
            )
            self._stack.setCurrentIndex(1)
            return
        self._found = compare(self._some[one], self._some[other]) if one != other else []
        self.summary.setText(list_changes.summary(self._found))
        self.list.clear()
        for found in self._found:
            item = QListWidgetItem(list_changes.words(found))
            item.setForeground(theme.colour(list_changes.TONES[found.kind]))
            self.list.addItem(item)
        if not self._found:
            self._empty.set("Both list the same", list_changes.label(self._some[other]), icon="circle-check")
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        self.list.setCurrentRow(0)

    def _show(self, at: int) -> None:
        if not 0 <= at < len(self._found):
            return
        found = self._found[at]
        before, after = list_changes.laid_out(found.before), list_changes.laid_out(found.after)
        self.old.set_text(before, "json")
        self.new.set_text(before, "json")
        self.new.set_text(after, "json", keep=bool(before and after))
        first = self.new.changed_lines()[:1]
        if first:
            self.new.go_to_line(first[0][0] + 1)
            self.old.go_to_line(first[0][0] + 1)
