"""Markdown laid out, without anything that reaches out: no HTML, no files, no network, links are only shown."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from mcp_inspector.ui.widgets.visible import tooltip

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
        return _nothing()

    def set_text(self, text: str) -> None:
        """Lay a text out."""
        document = _Closed(self)
        feature = QTextDocument.MarkdownFeature
        document.setMarkdown(text, feature.MarkdownDialectGitHub | feature.MarkdownNoHTML)
        _name_images(document)
        self.setDocument(document)


class _Closed(QTextDocument):
    """A document that loads nothing. It must answer with an image: on none, Qt opens the name as a file itself."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """An empty image, whatever is asked for."""
        return _nothing()


def _nothing() -> QImage:
    image = QImage(1, 1, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _name_images(document: QTextDocument) -> None:
    """Put words in the place of images, before anything is laid out."""
    cursor = QTextCursor(document)
    while not (cursor := document.find("\ufffc", cursor)).isNull():
        look = cursor.charFormat()
        if look.isImageFormat():
            alt = look.stringProperty(QTextFormat.Property.ImageAltText)
            name = look.toImageFormat().name()
            cursor.insertText(f"[image: {' '.join(filter(None, (alt, name)))}]", QTextCharFormat())


def suits(text: str, mime: str) -> bool:
    """Whether a text is Markdown of a size that can be laid out."""
    if mime.partition(";")[0].strip().lower() not in ("text/markdown", "text/x-markdown"):
        return False
    return len(text) <= LARGEST and max(map(len, text.split("\n")), default=0) <= _LONGEST_LINE
