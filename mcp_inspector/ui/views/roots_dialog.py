"""The roots of one server in a window of their own. Not modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models import roots
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.views.roots import RootsEditor

if TYPE_CHECKING:
    from mcp_inspector.ui.desk import Desk


class RootsDialog(QDialog):
    """Edits them; saving lets them answer `roots/list` at once and tells a legacy server."""

    def __init__(self, desk: Desk, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Roots of {name[:60]}")
        self.setModal(False)
        self._desk, self._name = desk, name
        about = QLabel(
            f"The folders that {plain.line(name, 60)} is told when it asks for roots. Without any, each such question "
            "waits in the Inbox."
        )
        about.setTextFormat(Qt.TextFormat.PlainText)
        about.setWordWrap(True)
        theme.mark(about, role="muted")
        self.editor = RootsEditor()
        self.editor.show_roots(roots.roots_of(desk, name))
        self.save_button = QPushButton("Save")
        theme.mark(self.save_button, kind="primary")
        self.save_button.clicked.connect(self.save)
        close = QPushButton("Cancel")
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        buttons.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.addWidget(about)
        layout.addWidget(self.editor, 1)
        layout.addLayout(buttons)
        self.resize(620, 320)

    def save(self) -> None:
        """Keep them, then close."""
        refused = roots.keep(self._desk, self._name, self.editor.roots)
        if refused:
            self._desk.notices.say(plain.line(refused), level=Level.WARNING, key=f"roots:{self._name}")
        self.close()
