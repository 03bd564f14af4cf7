"""The whole answer as JSON: whatever it is goes out as it is, and what the specification minds is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mcp_inspector.schema.document import Document
from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.models import asks
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask

_CHECK_MS = 120


class RawAnswer(QWidget):
    """Edits one result. `edited` says whether a person has changed it since it was shown."""

    changed = Signal()
    send_wanted = Signal()

    def __init__(self, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._checker = Checker(asks.expected(ask), patient=False)
        self._problems: list[str] = []
        self.document = Document("{}")
        self.edit = JsonEdit()
        self.edit.setAccessibleName("Answer as JSON")
        self.edit.set_document(self.document)
        self.edit.submitted.connect(self.send_wanted)
        self.strip = Strip()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.strip)
        layout.addWidget(self.edit, 1)
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
        return self._problems

    def result(self) -> bytes | None:
        """The text on one line, every token as it is spelled; None while it is no JSON."""
        return self.document.wire_bytes() if self.document.valid else None
