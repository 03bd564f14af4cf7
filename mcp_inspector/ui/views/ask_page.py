"""Elicitation by URL: the whole address with its host marked, what is odd about it, and only then a browser.

Nothing is fetched, resolved or opened before the person says so, and the browser is the system's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models import web_address
from mcp_inspector.ui.views.ask_body import AskBody
from mcp_inspector.ui.views.ask_form import CANCEL, DECLINE
from mcp_inspector.ui.widgets.rows import ValueLabel

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask

_MESSAGE = 20_000
ACCEPT = b'{"action":"accept"}'


class PageBody(AskBody):
    """The address. Accepting is consent and no more: what happens on the page does not come back here."""

    failed = Signal(str)
    """The browser could not be opened: a sentence."""

    title = "Page"
    verb = "Open in browser and accept"
    short = "Open"
    others = (("Accept only", "Consent without opening the page from here", ACCEPT), DECLINE, CANCEL)

    def __init__(self, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(ask, parent)
        url = ask.value.get("url")
        self.address = web_address.read(url if isinstance(url, str) else "")
        message = ask.value.get("message")
        words = QLabel(plain.lines((message if isinstance(message, str) else "")[:_MESSAGE]))
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        words.setVisible(bool(words.text().strip()))
        self.url = ValueLabel(self.address.text or "(no address)", mono=True)
        self.url.emphasise(self.address.start, self.address.stop)
        copy = QPushButton(icons.icon("copy"), "Copy address")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.address.text))
        copy.setEnabled(bool(self.address.text))
        host = QLabel(f"Opens a page at {plain.line(self.address.host, 120)}" if self.address.host else "Opens nothing")
        host.setTextFormat(Qt.TextFormat.PlainText)
        theme.mark(host, role="head")
        body = QWidget()
        theme.mark(body, surface="window")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(14, 10, 14, 14)
        layout.setSpacing(8)
        layout.addWidget(words)
        layout.addWidget(host)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.url, 1)
        line.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(line)
        for warning in self.address.warnings:
            layout.addWidget(_warning(warning))
        layout.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def result(self) -> bytes | None:
        """Consent; nothing for an address that is not opened here."""
        return ACCEPT if self.address.can_open else None

    def prepare(self) -> bool:
        """Open the page in the system's browser; when that fails the question stays."""
        if QDesktopServices.openUrl(QUrl(self.address.text, QUrl.ParsingMode.StrictMode)):
            return True
        self.failed.emit("The system could not open a browser. Copy the address, open it, and accept without opening.")
        return False


def _warning(sentence: str) -> QWidget:
    label = QLabel(f"⚠ {sentence}")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    theme.mark(label, role="warn")
    return label
