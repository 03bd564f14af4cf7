"""Colours and marks in the JSON editor: keys, strings, numbers, and where it is wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat

from mcp_inspector.ui import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

LONGEST_LINE = 20_000
"""Lines beyond this stay without colours: colouring them costs more than it tells."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|-?[0-9][0-9.eE+-]*|\b(?:true|false|null)\b')
_COLON = re.compile(r"\s*:")


class JsonHighlighter(QSyntaxHighlighter):
    """JSON tokens never span lines, so each line stands alone."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._generation = -1
        self._formats: dict[str, QTextCharFormat] = {}

    def follow_theme(self) -> None:
        """Colour everything anew when the look has changed."""
        if self._generation not in (-1, theme.generation()):
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        if len(text) > LONGEST_LINE:
            return
        if self._generation != theme.generation():
            self._generation = theme.generation()
            self._formats = {name: _format(name) for name in ("key", "string", "number")}
        wide = not text.isascii()
        for found in _TOKEN.finditer(text):
            first, last = found.span()
            name = "number"
            if found[0][0] == '"':
                name = "key" if _COLON.match(text, last) else "string"
            if wide:
                first = len(text[:first].encode("utf-16-le", "surrogatepass")) // 2
                last = first + len(found[0].encode("utf-16-le", "surrogatepass")) // 2
            self.setFormat(first, last - first, self._formats[name])


def _format(name: str) -> QTextCharFormat:
    result = QTextCharFormat()
    result.setForeground(theme.colour(name))
    return result
