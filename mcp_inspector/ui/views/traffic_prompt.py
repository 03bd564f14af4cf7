"""A line under the filter that asks for one short text: a comment, a path. Nothing is modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets.inputs import LongLineEdit

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent


class PromptLine(QWidget):
    """Hidden until it asks; Return takes what is typed, Escape nothing."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._taken: Callable[[str], str] = lambda text: ""
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        theme.mark(self._label, role="muted")
        self.edit = LongLineEdit()
        self.edit.returnPressed.connect(self._take)
        self._why = QLabel()
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        theme.mark(self._why, role="error")
        done = QPushButton("OK")
        done.clicked.connect(self._take)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 4, 8, 4)
        row.setSpacing(6)
        row.addWidget(self._label)
        row.addWidget(self.edit, 1)
        row.addWidget(self._why)
        row.addWidget(done)
        theme.mark(self, surface="band")
        self.hide()

    def ask(self, label: str, text: str, taken: Callable[[str], str], hint: str = "") -> None:
        """Ask; `taken` gets the text and returns why it cannot be used, or nothing."""
        self._taken = taken
        self._label.setText(label)
        self._why.clear()
        self.edit.setText(text)
        self.edit.setPlaceholderText(hint)
        self.edit.setAccessibleName(label)
        self.show()
        self.edit.setFocus()
        self.edit.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def _take(self) -> None:
        why = self._taken(self.edit.text())
        self._why.setText(why)
        if not why:
            self._close()

    def _close(self) -> None:
        self.hide()
        self.closed.emit()
