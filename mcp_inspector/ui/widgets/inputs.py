"""Inputs of one line: a search field, and a field that keeps a text of any length."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from mcp_inspector.ui import icons, theme

_UNLIMITED: Final = 2**31 - 1


class LongLineEdit(QLineEdit):
    """A line edit that never cuts: Qt's own stops at 32 767 characters without a word."""

    def __init__(self, text: str = "", *, mono: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(_UNLIMITED)
        if mono:
            self.setFont(theme.mono())
        self.setText(text)


class SearchEdit(LongLineEdit):
    """A search or filter field: icon, clear button, Escape empties it, Down and Return hand over to the results."""

    left = Signal()
    """Escape in an empty field: the person is done with it."""
    submitted = Signal()
    """Return or Down: go on with what was found."""

    def __init__(
        self, placeholder: str = "Search", icon: str = "search", *, mono: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(mono=mono, parent=parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.addAction(icons.icon(icon, "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self._clear = QAction(icons.icon("x", "muted"), "Clear (Esc)", self)
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def set_problem(self, sentence: str) -> None:
        """Show red with a reason, or normal when the sentence is empty."""
        theme.mark(self, invalid=bool(sentence))
        self.setToolTip(sentence)
