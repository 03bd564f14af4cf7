"""A thin band above a view that says one thing about it: stale, changed, cut; with a button."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip

_ICONS = {"warn": "triangle-alert", "error": "circle-x", "ok": "circle-check", "muted": "info", "accent": "info"}


class Strip(QWidget):
    """One sentence. Hidden until it has something to say."""

    activated = Signal(str)
    """The command of the button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone = "muted"
        self._command = ""
        self._words = ElidedLabel(size="small")
        self._button = QPushButton()
        theme.mark(self._button, kind="quiet")
        self._button.setFont(theme.font("small"))
        self._button.clicked.connect(lambda: self.activated.emit(self._command))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(28, 2, 6, 2)
        layout.setSpacing(6)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._button)
        self.hide()

    def say(self, sentence: str, more: str = "", tone: str = "warn", command: str = "", button: str = "") -> None:
        """Show a sentence; `more` is the rest of it, for the tooltip."""
        self._tone = tone
        self._words.setText(sentence)
        self._words.setToolTip(tooltip("\n".join(filter(None, (sentence, more)))))
        self._command = command
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self.show()
        self.update()

    def text(self) -> str:
        """What it says now; empty while it is hidden."""
        return "" if self.isHidden() else self._words.text()

    def paintEvent(self, _: QPaintEvent) -> None:
        """A tint, an icon, a line below."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.mixed(self._tone, "base", 0.10))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.colour("line"))
        icon = icons.pixmap(_ICONS.get(self._tone, "info"), 14, self._tone, self.devicePixelRatioF())
        painter.drawPixmap(8, (self.height() - 14) // 2, icon)
