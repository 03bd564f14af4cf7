"""Where the cursor stands in a text, and what is selected. Offsets are bytes and never inside a character."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mcp_inspector.ui.widgets.text_index import LineIndex

_WORD: Final = re.compile(rb"[\w\x80-\xff]+")
_NEAR: Final = 4096


class TextCursor:
    """The cursor of one text: `place` is where it is, the selection lies between it and where it began."""

    def __init__(self, index: LineIndex) -> None:
        self._index = index
        self.place = 0
        self._anchor = 0

    @property
    def selection(self) -> tuple[int, int]:
        """First and last offset; equal when nothing is selected."""
        return min(self._anchor, self.place), max(self._anchor, self.place)

    def set(self, first: int, last: int) -> None:
        """Select from one offset to another, where the cursor then is."""
        self._anchor, self.place = self._bounded(first), self._bounded(last)

    def move_to(self, place: int, *, extend: bool) -> None:
        """Put the cursor somewhere; `extend` keeps where the selection began."""
        self.place = self._bounded(place)
        if not extend:
            self._anchor = self.place

    def select_word(self, offset: int) -> None:
        """Select the word at an offset, or the one character there."""
        data = self._index.data
        start = max(0, offset - _NEAR)
        for found in _WORD.finditer(data, start, min(len(data), offset + _NEAR)):
            if found.start() <= offset < found.end():
                self.set(found.start(), found.end())
                return
            if found.start() > offset:
                break
        self.set(offset, self.step(offset, 1))

    def select_line(self, offset: int) -> None:
        """Select the line at an offset, with its line feed."""
        first, last = self._index.span(self._index.line_at(offset))
        self.set(first, last + 1)

    def step(self, place: int, by: int) -> int:
        """The offset one character on (1) or back (-1)."""
        data = self._index.data
        place += by
        while 0 < place < len(data) and data[place] & 0xC0 == 0x80:
            place += by
        return self._bounded(place)

    def word_step(self, place: int, by: int) -> int:
        """The offset of the next word's end, or of the word's beginning before."""
        data = self._index.data
        if by > 0:
            found = _WORD.search(data, place, min(len(data), place + _NEAR))
            return found.end() if found else self._bounded(place + _NEAR)
        start = max(0, place - _NEAR)
        before = [found.start() for found in _WORD.finditer(data, start, place)]
        return before[-1] if before else start

    def _bounded(self, place: int) -> int:
        return min(max(place, 0), len(self._index.data))
