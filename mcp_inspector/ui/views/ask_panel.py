"""One question that waits: who asks and in which operation, the ways to answer, and the ways to refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models import asks
from mcp_inspector.ui.views.ask_raw import RawAnswer
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel, Pill
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.inbox import Ask
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.ask_body import AskBody

BODY, RAW, QUESTION = range(3)
_NARROW = 620


class AskHead(QWidget):
    """Who asks for what, since when, and the button to the exchange."""

    def __init__(self, desk: Desk, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._ask = desk, ask
        theme.mark(self, surface="window")
        self.setFixedHeight(34)
        self.pill = Pill(asks.kind(ask), "accent", asks.icon(ask))
        self.title = ElidedLabel(bold=True)
        self.facts = ElidedLabel(tone="muted", size="small")
        record = ask.record or ask.call
        self.record = QPushButton(f"#{record}")
        theme.mark(self.record, kind="quiet")
        self.record.setStyleSheet("padding: 2px 6px;")
        self.record.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.record.setToolTip("Show the exchange in Traffic")
        self.record.setVisible(record > 0)
        self.record.clicked.connect(lambda: desk.record_requested.emit(record))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 3, 6, 3)
        row.setSpacing(8)
        row.addWidget(self.pill)
        row.addWidget(self.title)
        row.addStretch(1)
        row.addWidget(self.facts)
        row.addWidget(self.record)
        self.refresh()

    def refresh(self) -> None:
        """Say how it stands now."""
        operation = asks.operation(self._ask, self._desk.log)
        self.title.setText(f"{plain.line(self._ask.server, 60)}{f' · {operation}' if operation else ''}")
        words = [asks.travels(self._ask), asks.age(self._ask)]
        self.facts.setText(" · ".join(word for word in words if word))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.facts.setVisible(self.width() >= _NARROW)


class AskPanel(QWidget):
    """Shows one question with the editor of its kind, the raw answer, and the question as it came."""

    answered = Signal()

    def __init__(self, desk: Desk, ask: Ask, body: AskBody, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ask, self.body = ask, body
        self.head = AskHead(desk, ask)
        self.tabs = SegmentedTabs((body.title, "Raw answer", "Question"))
        self.raw = RawAnswer(ask)
        self.question = JsonTree()
        self._stack = QStackedWidget()
        for page in (body, self.raw, self.question):
            self._stack.addWidget(page)
        self.question.set_json(ask.params)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.head, self.tabs, self._stack, self._build_refusal(), self._build_foot()):
            layout.addWidget(widget, 1 if widget is self._stack else 0)
        self.tabs.currentChanged.connect(self._show_tab)
        body.changed.connect(self._label)
        body.send_wanted.connect(self.send)
        body.raw_wanted.connect(self._edit_raw)
        self.raw.changed.connect(self._label)
        self.raw.send_wanted.connect(self.send)
        self._label()

    # --- building ---

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        theme.mark(foot, surface="window")
        row = QHBoxLayout(foot)
        row.setContentsMargins(8, 5, 8, 5)
        row.setSpacing(6)
        self.refuse_button = QPushButton("Refuse…" if self.ask.way == "request" else "Give up")
        theme.mark(self.refuse_button, kind="quiet")
        self.refuse_button.setToolTip(
            "Answer with an error" if self.ask.way == "request" else "Do not go on with the operation"
        )
        self.refuse_button.clicked.connect(self._refuse_clicked)
        self.count = ElidedLabel(tone="error", size="small")
        row.addWidget(self.refuse_button)
        row.addWidget(self.count, 1)
        self.others: list[QPushButton] = []
        for word, tip, result in reversed(self.body.others):
            button = QPushButton(word)
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, result=result: self._answer(result))
            self.others.insert(0, button)
            row.addWidget(button)
        self.primary = QPushButton()
        theme.mark(self.primary, kind="primary")
        self.primary.clicked.connect(self.send)
        row.addWidget(self.primary)
        return foot

    def _build_refusal(self) -> QWidget:
        self.refusal = QWidget()
        theme.mark(self.refusal, surface="band")
        self.code = QLineEdit("-1")
        self.code.setValidator(QIntValidator(self.code))
        self.code.setFixedWidth(80)
        self.code.setAccessibleName("Error code")
        self.message = LongLineEdit("User rejected the request")
        self.message.setAccessibleName("Error message")
        self.send_error = QPushButton("Send error")
        for edit in (self.code, self.message):
            edit.returnPressed.connect(self.refuse)
        self.send_error.clicked.connect(self.refuse)
        row = QHBoxLayout(self.refusal)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(6)
        row.addWidget(ElidedLabel("Error", tone="muted", size="small"))
        row.addWidget(self.code)
        row.addWidget(self.message, 1)
        row.addWidget(self.send_error)
        self.refusal.hide()
        return self.refusal

    # --- what is shown ---

    def _show_tab(self) -> None:
        at = self.tabs.currentIndex()
        if at == RAW and not self.raw.edited:
            self.raw.show_result(self.body.result() or (self.body.others[0][2] if self.body.others else b"{}"))
        self._stack.setCurrentIndex(at)
        self._label()

    def _edit_raw(self, result: bytes) -> None:
        self.raw.show_result(result)
        self.tabs.blockSignals(True)
        self.tabs.setCurrentIndex(RAW)
        self.tabs.blockSignals(False)
        self._stack.setCurrentIndex(RAW)
        self._label()
        self.raw.edit.setFocus()

    def _label(self) -> None:
        raw = self.tabs.currentIndex() == RAW
        page = self.raw if raw else self.body
        problems = page.problems()
        verb = "Send raw answer" if raw else self.body.verb
        anyway = bool(problems) and (raw or self.body.tried)
        self.primary.setText(plain.escape_mnemonic(f"{verb} anyway" if anyway else verb))
        sendable = page.result() is not None
        self.primary.setEnabled(sendable)
        self.primary.setToolTip(f"{verb} (Ctrl+Enter)" if sendable else "There is nothing that could be sent")
        words = plain.count(len(problems), "problem") if problems and (raw or self.body.tried) else ""
        self.count.setText(words)
        self.count.setToolTip(tooltip("\n".join(problems[:20])))

    def refresh(self) -> None:
        """Say how long it has waited."""
        self.head.refresh()

    def focus_first(self) -> None:
        """Put the keyboard where one begins."""
        self.body.focus_first()

    # --- answering ---

    def send(self) -> None:
        """Answer with what is edited now."""
        if not self.primary.isEnabled():
            return
        if self.tabs.currentIndex() == RAW:
            self._answer(self.raw.result())
        elif self.body.prepare():
            self._answer(self.body.result())

    def _answer(self, result: bytes | None) -> None:
        if result is not None:
            self.ask.answer(result)
            self.answered.emit()

    def _refuse_clicked(self) -> None:
        if self.ask.way != "request":
            self.refuse()
            return
        self.refusal.setVisible(self.refusal.isHidden())
        if not self.refusal.isHidden():
            self.message.setFocus()
            self.message.selectAll()

    def refuse(self) -> None:
        """Answer with the error that is typed, or give the operation up."""
        code = self.code.text().strip()
        self.ask.refuse(int(code) if code.lstrip("-").isdigit() else -1, self.message.text())
        self.answered.emit()
