"""One drawn row of a text: its layout, and the way between bytes and places on screen."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QTextCharFormat, QTextLayout, QTextOption

from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets.visible import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QFont

_ODD: Final = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


class Row:
    """The bytes from `start` to `end` of a text, laid out; `x_of` and `offset_at` speak of those offsets."""

    __slots__ = ("_bytes", "_shown", "end", "folded", "layout", "start", "width")

    def __init__(
        self,
        raw: bytes,
        start: int,
        font: QFont,
        tab: float,
        spans: Iterable[tuple[int, int, str]] = (),
        *,
        folded: int = 0,
    ) -> None:
        self.start = start
        self.end = start + len(raw) + folded
        self.folded = folded
        """How many bytes this row stands for without showing them."""
        self._bytes: list[int] | None = None
        self._shown: Shown | None
        if folded:
            self._shown = None
            text = f"  ⋯ {folded:,} bytes folded: click to open"
        elif raw.isascii() and _ODD.search(raw) is None:
            self._shown = None
            text = raw.decode("ascii")
        else:
            # Bytes that are no UTF-8 become lone surrogates, and those are shown as their value.
            source = raw.decode("utf-8", "surrogateescape")
            self._shown = Shown(source)
            text = self._shown.text
            if not raw.isascii():
                sizes = (len(one.encode("utf-8", "surrogateescape")) for one in source)
                self._bytes = [0, *accumulate(sizes)]
        self.layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        option.setTabStopDistance(tab)
        self.layout.setTextOption(option)
        formats = [_format_range(0, len(text), _ink("muted"))] if folded else []
        formats += [self.range(first, last, _ink(colour)) for first, last, colour in spans]
        if self._shown is not None:
            formats += [_format_range(place, length, _ink("warn")) for place, length in self._shown.tokens]
        if formats:
            self.layout.setFormats(formats)
        self.layout.beginLayout()
        line = self.layout.createLine()
        line.setPosition(QPointF(0, 0))
        self.layout.endLayout()
        self.width = line.naturalTextWidth()

    def range(self, first: int, last: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
        """A format for the bytes between two offsets."""
        begin, end = self._place(first), self._place(last)
        return _format_range(begin, end - begin, look)

    def x_of(self, offset: int) -> float:
        """How far right a byte is drawn."""
        # PySide gives (x, position) here.
        return float(self.layout.lineAt(0).cursorToX(self._place(offset))[0])  # type: ignore[index]  # stub says float

    def offset_at(self, x: float) -> int:
        """Which byte is drawn there: the nearest border between characters."""
        place = self.layout.lineAt(0).xToCursor(x)
        if self.folded:
            return self.start if x < self.width / 2 else self.end
        index = place if self._shown is None else self._shown.index(place)
        return self.start + (index if self._bytes is None else self._bytes[min(index, len(self._bytes) - 1)])

    def _place(self, offset: int) -> int:
        index = min(max(offset, self.start), self.end) - self.start
        if self.folded:
            return 0 if index < self.folded else len(self.layout.text())
        if self._bytes is not None:
            index = max(0, bisect_right(self._bytes, index) - 1)
        return index if self._shown is None else self._shown.place(index)


def _ink(colour: str) -> QTextCharFormat:
    result = QTextCharFormat()
    result.setForeground(theme.colour(colour))
    return result


def background(colour: str) -> QTextCharFormat:
    """A format that only fills behind the text."""
    result = QTextCharFormat()
    result.setBackground(theme.colour(colour))
    return result


def _format_range(place: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    result = QTextLayout.FormatRange()
    result.start, result.length, result.format = place, length, look
    return result
