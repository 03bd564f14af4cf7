"""What happened in the playground, below one another: what was said, what was offered, each call with its result."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from mcp_inspector.agent.loop import End, Happening
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.content import Block, Message, Sort
from mcp_inspector.ui.views.conversation import bubble
from mcp_inspector.ui.widgets.labels import ElidedLabel, IconLabel
from mcp_inspector.ui.widgets.rows import ValueLabel

if TYPE_CHECKING:
    from mcp_inspector.agent.dispatch.reading import Invocation
    from mcp_inspector.agent.loop import Step

_MOST = 300
_RESULT = 2_000
_NEAR = 60
_END_LOOK = {
    End.LIMIT: ("triangle-alert", "warn"),
    End.FAILED: ("octagon-x", "error"),
    End.CANCELLED: ("ban", "warn"),
    End.DONE: ("triangle-alert", "warn"),
}


class Transcript(QScrollArea):
    """Steps of turns as rows. `record_wanted` asks for a record of Traffic; the oldest rows give way to the newest."""

    record_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Conversation with the model")
        self._calls: dict[int, tuple[Invocation, CallRow]] = {}
        self._follow = True
        self._body = QWidget()
        theme.mark(self._body, surface="base")
        self._rows = QVBoxLayout(self._body)
        self._rows.setContentsMargins(12, 8, 12, 12)
        self._rows.setSpacing(8)
        self._rows.addStretch(1)
        self.setWidget(self._body)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._grown)

    def clear(self) -> None:
        """Begin anew."""
        self._calls.clear()
        while self._rows.count() > 1:
            self._drop_first()

    def add_user(self, text: str) -> None:
        """What the person says; the view goes to the end."""
        self._follow = True
        self._add(bubble(_said("user", text)))

    def add_step(self, step: Step) -> None:
        """What happened next."""
        if step.happening is Happening.OFFERED and step.offer is not None:
            count = f"{len(step.offer.tools):,} of {plain.count(step.offer.among, 'tool')} offered"
            names = ", ".join(tool.name for tool in step.offer.tools[:20]) or "none"
            self._add(self._line("wrench", "muted", f"{count}: {names}. {step.offer.why}", step.seq))
        elif step.happening is Happening.SAID:
            self._add(bubble(_said("assistant", step.text)))
            if step.seq:
                self._add(self._line("globe", "muted", f"Round {step.round}: the model's answer", step.seq))
        elif step.call is not None:
            kept = self._calls.get(id(step.call))
            known = kept is not None and isValid(kept[1])  # its row may have given way to newer ones
            row = kept[1] if kept is not None and known else CallRow(step.call)
            if not known:
                row.record_wanted.connect(self.record_wanted)
                self._calls[id(step.call)] = (step.call, row)  # kept, so that no other call gets its id
                self._add(row)
            row.show_step(step)
        elif step.end is not None:
            self._calls.clear()
            if step.text:
                self._add(self._line(*_END_LOOK[step.end], step.text, step.seq))

    def _line(self, icon: str, tone: str, text: str, seq: int) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(2, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(IconLabel(icon, 14, tone), 0, Qt.AlignmentFlag.AlignTop)
        label = QLabel(plain.line(text, 900))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignTop)
        theme.mark(label, role=tone)
        row.addWidget(label, 1)
        if seq:
            button = traffic_button()
            button.clicked.connect(partial(self.record_wanted.emit, seq))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return box

    def _add(self, row: QWidget) -> None:
        self._rows.insertWidget(self._rows.count() - 1, row)
        if self._rows.count() - 1 > _MOST:
            self._drop_first()

    def _drop_first(self) -> None:
        item = self._rows.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _scrolled(self, value: int) -> None:
        self._follow = value >= self.verticalScrollBar().maximum() - _NEAR

    def _grown(self, _: int, most: int) -> None:
        if self._follow:
            self.verticalScrollBar().setValue(most)


class CallRow(QFrame):
    """One call: which tool with what, and what came of it."""

    record_wanted = Signal(int)

    def __init__(self, call: Invocation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self._seq = 0
        self._icon = IconLabel("loader", 14, "muted")
        self.title = ElidedLabel(plain.line(f"{call.name}  {call.arguments}", 2_000), mono=True)
        self.button = traffic_button()
        self.button.hide()
        self.button.clicked.connect(lambda: self.record_wanted.emit(self._seq))
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self._icon)
        head.addWidget(self.title, 1)
        head.addWidget(self.button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 6, 8, 8)
        self._column.setSpacing(4)
        self._column.addLayout(head)

    def show_step(self, step: Step) -> None:
        """It has begun, or it has ended."""
        if step.seq:
            self._seq = step.seq
            self.button.show()
        if step.answer is not None:
            failed = step.answer.failed
            self._icon.set_icon("circle-x" if failed else "circle-check", "error" if failed else "ok")
            text = step.text or "(no content)"
            more = f"\n… {len(text) - _RESULT:,} more characters; all stand in Traffic." if len(text) > _RESULT else ""
            self._column.addWidget(ValueLabel(text[:_RESULT] + more, tone="error" if failed else "text"))


def traffic_button() -> QToolButton:
    """A quiet button that leads to a record."""
    button = QToolButton()
    button.setIcon(icons.icon("arrow-left-right"))
    button.setAutoRaise(True)
    button.setIconSize(QSize(14, 14))
    button.setStyleSheet("padding: 1px;")
    button.setFixedSize(22, 20)
    button.setToolTip("Show it in Traffic")
    button.setAccessibleName("Show it in Traffic")
    return button


def _said(role: str, text: str) -> Message:
    return Message(role, (Block(Sort.TEXT, "text", words=text),))
