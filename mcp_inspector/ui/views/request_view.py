"""The request as it will be sent, made anew while somebody looks, and what is put into its `_meta`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.views.meta_editor import MetaEditor
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from mcp_inspector.ui.desk import Desk


class RequestView(QWidget):
    """Shows the text of a request and a sentence about it, below the editor of what goes into its `_meta`."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.meta = MetaEditor(desk)
        theme.mark(self, surface="window")
        self.note = ElidedLabel(tone="muted", size="small")
        self.text = TextView(numbers=False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.meta)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.note)
        self.note.setContentsMargins(14, 2, 8, 2)
        self.note.setFixedHeight(24)
        self._shown = ""

    def show_request(self, text: str, note: str) -> None:
        """Show a request; the same again keeps the selection."""
        self.note.setText(f"  {note}")
        if text != self._shown:
            self._shown = text
            self.text.set_text(text, "json" if text.startswith("{") else "")

    def shown(self) -> str:
        """The text that is shown."""
        return self._shown
