"""One question that waits: who asks and in which operation, the ways to answer, and the ways to refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon, QIntValidator
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.session.inbox import MOST_ROUNDS
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models import asks
from mcp_inspector.ui.views.ask_raw import RawAnswer
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel, Pill
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.inbox import Ask, Twist
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.ask_body import AskBody

BODY, RAW, QUESTION = range(3)
_NARROW = 620
_NARROWER = "padding: 4px 5px;"
_LOW, _LOWER = 170, 125
"""Heights below which the head, then the tabs make room for the answer: the buttons always have theirs."""


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
        inspector = self._desk.inspector
        most = inspector.inbox.most_rounds if inspector is not None else MOST_ROUNDS
        words = [asks.travels(self._ask, most), asks.age(self._ask)]
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
        self.raw = RawAnswer(ask, desk.inspector.inbox if desk.inspector is not None else None)
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
        foot = self._foot = QWidget()
        theme.mark(foot, surface="window")
        row = QHBoxLayout(foot)
        row.setContentsMargins(8, 5, 8, 5)
        row.setSpacing(6)
        self.refuse_button = QPushButton("Refuse…" if self.ask.way == "request" else "Give up")
        theme.mark(self.refuse_button, kind="quiet")
        self.refuse_button.setToolTip(
            "Answer with an error" if self.ask.way == "request" else "Do not go on with the operation"
        )
        self.refuse_button.setAccessibleName(self.refuse_button.text())
        self.refuse_button.clicked.connect(self._refuse_clicked)
        self.test_button = QPushButton("Test")
        self.test_button.setToolTip("Put an answer that breaks the rules into the editor")
        self.test_button.setMenu(self.raw.menu())
        self.count = ElidedLabel(tone="error", size="small")
        row.addWidget(self.refuse_button)
        row.addWidget(self.test_button)
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
        self.test_button.setVisible(raw and not self.raw.roomy)
        sendable = page.result() is not None
        self.primary.setEnabled(sendable)
        said = "\n".join((f"{verb} (Ctrl+Enter)", *(problems[:20] if anyway else ())))
        self.primary.setToolTip(tooltip(said) if sendable else "There is nothing that could be sent")
        words = plain.count(len(problems), "problem") if problems and (raw or self.body.tried) else ""
        self.count.setText(words)
        self.count.setToolTip(tooltip("\n".join(problems[:20])))
        short = "Send" if raw else self.body.short or verb
        self._fit(f"{verb} anyway" if anyway else verb, f"{short} anyway" if anyway else short)

    def _fit(self, verb: str, short: str) -> None:
        """No button is ever cut: words get shorter, then narrower, until all have room."""
        layout, word = self._foot.layout(), "Refuse…" if self.ask.way == "request" else "Give up"
        assert layout is not None
        tight = _NARROWER
        stages = (
            (verb, word, "", 3),
            (short, word, "", 3),
            (short, word, tight, 3),
            (short, "", tight, 3),
            (short, "", tight, 2),
        )
        for text, refusal, style, others in stages:
            self.count.setVisible(bool(refusal))
            for button in self.others[:-2]:
                button.setVisible(others > 2)
            self.primary.setText(plain.escape_mnemonic(text))
            self.refuse_button.setText(refusal)
            self.refuse_button.setIcon(QIcon() if refusal else icons.icon("x"))
            for button in (self.refuse_button, self.test_button, *self.others, self.primary):
                if button.styleSheet() != style:
                    button.setStyleSheet(style)
            layout.invalidate()
            if layout.minimumSize().width() <= self.width():
                break
        layout.activate()

    def refresh(self) -> None:
        """Say how long it has waited."""
        self.head.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The ways to answer stay to be seen, whatever there is of room."""
        super().resizeEvent(event)
        self.head.setVisible(self.height() >= _LOW)
        self.tabs.setVisible(self.height() >= _LOWER)
        self._label()

    def focus_first(self) -> None:
        """Put the keyboard where one begins."""
        self.body.focus_first()

    # --- answering ---

    def send(self) -> None:
        """Answer with what is edited now."""
        if not self.primary.isEnabled():
            return
        if self.tabs.currentIndex() == RAW:
            self._answer(self.raw.result(), self.raw.twist())
        elif self.body.prepare():
            self._answer(self.body.result())

    def _answer(self, result: bytes | None, twist: Twist | None = None) -> None:
        if result is not None:
            self.ask.answer(result, twist)
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
