"""The JSON side of arguments: the editor, what stands there when a text is too long for it, and what is wrong in it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState


class JsonSide(QWidget):
    """Holds the editor."""

    lay_out_wanted = Signal()
    """The person wants a text that is too long to be edited on lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="base")
        self.edit = JsonEdit()
        large = EmptyState("file-json", "Too long to be edited here", "It is kept and sent as it is.", "Lay it out")
        large.activated.connect(self.lay_out_wanted)
        stack = QStackedWidget()
        stack.addWidget(self.edit)
        stack.addWidget(large)
        self.edit.too_large.connect(lambda too_large: stack.setCurrentIndex(1 if too_large else 0))
        self._error = ElidedLabel(tone="error", size="small")
        self._error.hide()
        error = QHBoxLayout()
        error.setContentsMargins(8, 2, 8, 2)
        error.addWidget(self._error)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(stack, 1)
        layout.addLayout(error)

    def say(self, sentence: str) -> None:
        """What is wrong in the text; empty for nothing."""
        self._error.setText(sentence)
        self._error.setVisible(bool(sentence))
