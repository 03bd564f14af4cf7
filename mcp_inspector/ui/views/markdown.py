"""Markdown laid out, without anything that reaches out: no HTML, no files, no network, links are only shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtCore import QUrl

LARGEST = 200_000
"""Characters that are laid out; longer texts are shown as they are. Qt's layout stops the window on more."""
_LONGEST_LINE = 5_000


class Markdown(QTextBrowser):
    """Shows Markdown. An image is its alternative text; a link says where it would lead when the mouse is on it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName("Markdown")
        self.highlighted.connect(lambda url: self.setToolTip(tooltip(url.toDisplayString())))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Nothing is ever loaded."""
        return None

    def set_text(self, text: str) -> None:
        """Lay a text out."""
        document = QTextDocument(self)
        document.setMarkdown(text, QTextDocument.MarkdownFeature.MarkdownNoHTML)
        self.setDocument(document)


def suits(text: str, mime: str) -> bool:
    """Whether a text is Markdown of a size that can be laid out."""
    if mime.partition(";")[0].strip().lower() not in ("text/markdown", "text/x-markdown"):
        return False
    return len(text) <= LARGEST and max(map(len, text.split("\n")), default=0) <= _LONGEST_LINE
