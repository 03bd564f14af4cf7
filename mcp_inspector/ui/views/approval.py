"""Asks whether a tool may be called, where it is called: why, what it says of itself, what will be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from mcp_inspector.session.approval import shown_call
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel, IconLabel
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from mcp_inspector.session.approval import Decision

_HIGH, _DIFF_HIGH = 130, 150


class ApprovalBar(QWidget):
    """One question at a time; hidden while there is none. Nothing is sent before a button is pressed."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("approval")
        theme.mark(self, surface="window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._answer: Callable[[bool, bool], None] | None = None
        self._why = QLabel()
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        self._why.setFont(theme.font(bold=True))
        self._hints = ElidedLabel(tone="muted", size="small")
        self._sent = TextView(numbers=False)
        self._sent.setAccessibleName("What will be sent")
        self._diff = TextView(numbers=False)
        self._diff.setAccessibleName("What has changed since it was approved")
        for view, high in ((self._sent, _HIGH), (self._diff, _DIFF_HIGH)):
            view.setMinimumHeight(50)
            view.setMaximumHeight(high)
            view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self._diff_title = QLabel("What has changed in the tool since it was approved")
        theme.mark(self._diff_title, role="muted")
        self.once = QPushButton(icons.icon("play", "on_accent"), "Call it")
        theme.mark(self.once, kind="primary")
        self.once.setToolTip("Send exactly what is shown here, this once")
        self.always = QPushButton("Always allow")
        self.always.setToolTip("Send it, and ask no more about this tool of this server as long as it stays the same")
        self.never = QPushButton(icons.icon("ban"), "Do not call")
        self.never.setToolTip("Send nothing; Traffic gets a row that says so (Esc)")
        self.once.clicked.connect(lambda: self._end(True, False))
        self.always.clicked.connect(lambda: self._end(True, True))
        self.never.clicked.connect(lambda: self._end(False, False))
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconLabel("triangle-alert", 16, "warn"), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._why, 1)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addStretch(1)
        for button in (self.never, self.always, self.once):
            button.setIconSize(QSize(14, 14))
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self._hints)
        for widget in (self._diff_title, self._diff, self._sent):
            layout.addWidget(widget)
        layout.addLayout(foot)

    @property
    def asking(self) -> bool:
        """Whether there is a question."""
        return self._answer is not None

    def ask(
        self, server: str, tool: str, arguments: bytes, decision: Decision, answer: Callable[[bool, bool], None]
    ) -> None:
        """Ask; `answer` gets whether to call it, and whether always. An older question is answered with no."""
        self._end(False, False)
        self._answer = answer
        self._why.setText(plain.lines(f"Call {tool[:120]} on {server[:80]}? {decision.why}"))
        self._hints.setText(f"Its hints: {decision.hints.words}")
        self._hints.setToolTip(tooltip("\n".join(hint.words for hint in decision.hints.hints)))
        self._sent.set_text(shown_call(tool, arguments), "json")
        self._diff.set_text("\n".join(decision.diff))
        for widget in (self._diff, self._diff_title):
            widget.setVisible(bool(decision.diff))
        self.always.setText("Allow the new one always" if decision.diff else "Always allow")
        self.show()

    def withdraw(self) -> None:
        """There is nothing to ask any more: what it was about is not shown. It counts as no."""
        self._end(False, False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape sends nothing."""
        if event.key() == Qt.Key.Key_Escape and self.asking:
            self._end(False, False)
        else:
            super().keyPressEvent(event)

    def _end(self, yes: bool, always: bool) -> None:
        answer, self._answer = self._answer, None
        self.hide()
        if answer is not None:
            answer(yes, always)
            self.closed.emit()
