"""The sequence of a sign-in on the left, the chosen step on the right: what was decided, by which rule, the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.signing import STEP, TONES, StepModel
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from mcp_inspector.auth.steps import Ask, Step
    from mcp_inspector.ui.desk import Desk


class _Row(QStyledItemDelegate):
    """Two lines: what the step is and how it ended; below, what was decided."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, rows.line_height(option.widget, theme.font(bold=True), theme.font("small")) + 8)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        step: Step = index.data(STEP)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 4, -rows.PAD, -4)
        bold, small = theme.font(bold=True), theme.font("small")
        upper = QRect(area.left(), area.top(), area.width(), QFontMetrics(bold).height())
        lower = QRect(upper.left(), upper.bottom() + 1, area.width(), area.bottom() - upper.bottom())
        ink = theme.colour(TONES.get(step.verdict.value, "muted"))
        taken = rows.text(painter, upper, step.verdict.value, small, ink, right=True)
        name = upper.adjusted(0, 0, -(taken + 8), 0)
        rows.text(painter, name, f"{index.row() + 1}  {plain.line(step.title)}", bold, theme.colour("text"))
        rows.text(painter, lower, plain.line(step.sentence, 300), small, theme.colour("muted"))


class StepsView(QWidget):
    """Follows the trail; the newest step is chosen until another one is."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waiting: Ask | None = None
        self._shown: tuple[object, ...] = ()
        self.model = StepModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Row(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Steps of the sign-in")
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumWidth(160)
        self.list.selectionModel().currentChanged.connect(self._tell)
        self.title, self.pill = ElidedLabel(bold=True), Pill()
        self.reveal = QCheckBox("Reveal secrets")
        self.reveal.setToolTip("Show tokens, codes and secrets of this step as they were; they stay in this window")
        self.reveal.toggled.connect(self._tell)
        self.facts = KeyValueRows()
        self.wire = TextView()
        self.wire.setAccessibleName("Request and answer")
        self._nothing = EmptyState("key-round", "No sign-in yet")
        self._stack = QStackedWidget()
        head = QHBoxLayout()
        head.setContentsMargins(14, 6, 10, 4)
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.pill)
        head.addStretch(1)
        head.addWidget(self.reveal)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.facts)
        column.addWidget(self.wire, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        desk.memory.splitter("authorization.splitter", splitter, [380, 780])
        self._stack.addWidget(splitter)
        self._stack.addWidget(self._nothing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def clear(self) -> None:
        """Another server: secrets are masked again."""
        self.reveal.setChecked(False)
        self.model.show([])

    def show_steps(self, steps: list[Step], waiting: Ask | None, remote: bool) -> None:
        """Show the trail, and what is to be asked next when somebody steps through."""
        following = self.list.currentIndex().row() in (-1, self.model.rowCount() - 1)
        self._waiting = waiting
        self.model.show(steps)
        if not steps and waiting is None:
            detail = (
                "Each step of it will be here: what was asked and answered, what was decided and by which rule."
                if remote
                else "Signing in is for servers that are reached by URL."
            )
            self._nothing.set("No sign-in yet", detail, icon="key-round")
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        if steps and following:
            self.list.setCurrentIndex(self.model.index(len(steps) - 1))
        self._tell()

    def _tell(self) -> None:
        reveal = self.reveal.isChecked()
        step: Step | None = self.list.currentIndex().data(STEP)
        newest = self.list.currentIndex().row() == self.model.rowCount() - 1
        shown = (step, self._waiting if newest else None, reveal)
        if shown == self._shown:
            return
        self._shown = shown
        if self._waiting is not None and (step is None or newest):
            self.title.setText("Next")
            self.pill.set("held", "accent")
            self.facts.set_facts([Fact("", "This is asked when you let it through.")])
            self.wire.set_bytes(self._waiting.lines(reveal=reveal).encode())
            return
        if step is None:
            return
        self.title.setText(plain.line(step.title))
        self.pill.set(step.verdict.value, TONES.get(step.verdict.value, "muted"))
        self.facts.set_facts(
            [
                Fact("Decided", plain.lines(step.sentence)),
                *([Fact("By the rule", str(step.rule))] if step.rule else []),
                *([Fact("What to do", plain.lines(step.remedy))] if step.remedy else []),
            ]
        )
        parts = [part.lines(reveal=reveal) for part in (step.asked, step.answer) if part is not None]
        self.wire.set_bytes("\n\n".join(parts).encode())
        self.wire.setVisible(bool(parts))
