"""One question that is over: how it ended, what was answered, and what it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import plain
from mcp_inspector.ui.models import asks
from mcp_inspector.ui.views.ask_panel import AskHead
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask
    from mcp_inspector.ui.desk import Desk

_LONG_NS = 10_000_000_000


class AskHistory(QWidget):
    """Shows it. It stays as it is but for the word that a page is done."""

    def __init__(self, desk: Desk, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ask = ask
        self.head = AskHead(desk, ask)
        self.facts = KeyValueRows()
        self.tabs = SegmentedTabs(("Answer", "Question"))
        self.answer, self.question = JsonTree(), JsonTree()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.answer)
        self._stack.addWidget(self.question)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.head, self.facts, self.tabs, self._stack):
            layout.addWidget(widget, 1 if widget is self._stack else 0)
        self.question.set_json(ask.params)
        reply = ask.reply
        if reply is not None:
            error = {"code": reply.code, "message": reply.message}
            self.answer.set_json(reply.result if reply.result is not None else msgspec.json.encode(error))
        else:
            self.tabs.setTabEnabled(0, False)
            self.tabs.setTabToolTip(0, "It was not answered")
            self.tabs.setCurrentIndex(1)
        self.refresh()

    def refresh(self) -> None:
        """Look at it again."""
        ask = self.ask
        taken = max(0, ask.ended_ns - ask.asked_ns)
        after = f"{asks.state_words(ask)} after {plain.elapsed(taken)}"
        self.facts.set_facts(
            (
                Fact("Said", plain.lines(str(ask.value.get("message", "")))[:2_000]),
                Fact("State", after, tone=asks.TONES[ask.state]),
                Fact("Why", plain.lines(ask.why)),
                Fact("Page", "The server says that it is done" if ask.completed else "", tone="ok"),
            )
        )
