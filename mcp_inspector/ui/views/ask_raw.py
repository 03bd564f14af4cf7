"""The whole answer as JSON: whatever it is goes out as it is, and what the specification minds is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QToolBar, QVBoxLayout, QWidget

from mcp_inspector.schema.document import Document
from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.models import asks, spoiled
from mcp_inspector.ui.views.round_test import RoundTest
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.inbox import Ask, Inbox, Twist

_CHECK_MS = 120
_ROOMY, _WIDE = 150, 520
"""Height and width (px) from which on there is room for buttons above and fields below the editor."""


class RawAnswer(QWidget):
    """Edits one result. `edited` says whether a person has changed it since it was shown."""

    changed = Signal()
    send_wanted = Signal()

    def __init__(self, ask: Ask, inbox: Inbox | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checker = Checker(asks.expected(ask), patient=False)
        self._problems: list[str] = []
        self.document = Document("{}")
        self.edit = JsonEdit()
        self.edit.setAccessibleName("Answer as JSON")
        self.edit.set_document(self.document)
        self.edit.submitted.connect(self.send_wanted)
        self.strip = Strip()
        self.offers = QToolBar()
        self.offers.setIconSize(QSize(14, 14))
        self.offers.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for word, tip, result in spoiled.offered(ask):
            action = self.offers.addAction(word)
            action.setToolTip(tip)
            action.triggered.connect(lambda _=False, result=result: self.fill_in(result))
        self.round = RoundTest(ask, inbox) if ask.way == "retry" and inbox is not None else None
        if self.round is not None:
            self.round.changed.connect(self.changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.offers, self.strip, self.edit, *((self.round,) if self.round is not None else ())):
            layout.addWidget(widget, 1 if widget is self.edit else 0)
        self._check = Pull(self.check, self, _CHECK_MS)
        self._listening = self.document.changed.connect(self._check.soon)

    @property
    def edited(self) -> bool:
        """Whether it differs from what was shown last."""
        return self.document.modified

    def show_result(self, result: bytes) -> None:
        """Begin with another result."""
        self.document.reset(jsontext.pretty(result.decode(errors="replace")))
        self.check()

    @property
    def roomy(self) -> bool:
        """Whether there is room for the buttons that `menu` holds, too."""
        return self.height() >= _ROOMY and self.width() >= _WIDE

    def menu(self) -> QMenu:
        """What the buttons do, for where they have no room."""
        menu = QMenu(self)
        menu.addActions(self.offers.actions())
        if self.round is not None:
            menu.addSeparator()
            menu.addAction("Leave the answer out", self.round.key.clear)
            menu.addAction("Alter requestState", self.round.alter.click)
            menu.addAction("Leave requestState out", self.round.drop.click)
            menu.addAction("Key and requestState as they came", self.round.back.click)
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The editor keeps its room."""
        super().resizeEvent(event)
        self.offers.setVisible(self.roomy)
        if self.round is not None:
            self.round.setVisible(self.roomy)
        self.changed.emit()

    def fill_in(self, result: bytes) -> None:
        """Put a result into the editor; it can be taken back."""
        self.document.set_text(jsontext.pretty(result.decode()))
        self.edit.setFocus()

    def twist(self) -> Twist | None:
        """How it is to depart from what was asked for; None for not at all."""
        return self.round.twist() if self.round is not None else None

    def check(self) -> None:
        """Say what is wrong."""
        error = self.document.error
        if error is not None:
            self._problems = [f"Line {error.line}, column {error.column}: {error.sentence}"]
            self.edit.mark(max(0, error.offset - 1), min(len(self.document.text), error.offset + 1))
        else:
            self.edit.mark(0, 0)
            root = self.document.root
            small = root is not None and len(self.document.text) <= INLINE_LIMIT
            found = self._checker.check(root) if root is not None and small else []
            self._problems = [one.sentence for one in found if one.severity is Severity.ERROR]
        if self._problems:
            head = plain.line(self._problems[0])
            more = len(self._problems) - 1
            words = f"{head}; {plain.count(more, 'more problem')}" if more else head
            self.strip.say(words, plain.lines("\n".join(self._problems[:20])), "error" if error else "warn")
        else:
            self.strip.hide()
        self.changed.emit()

    def problems(self) -> list[str]:
        """What is wrong."""
        return [*self._problems, *(self.round.problems() if self.round is not None else ())]

    def result(self) -> bytes | None:
        """The text on one line, every token as it is spelled; None while it is no JSON."""
        return self.document.wire_bytes() if self.document.valid else None
