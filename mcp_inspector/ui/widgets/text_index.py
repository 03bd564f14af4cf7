"""Where lines and rows of a large text begin, found in slices, so that the first rows can be drawn at once.

A row is what is drawn on one height: a line, or `width` bytes of a longer one, or all the rest of a line that is
folded. Bytes are what makes this arithmetic instead of layout: no character of UTF-8 is drawn wider than it has bytes,
so `width` columns always hold a row.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from time import perf_counter_ns
from typing import Final

_FEED: Final = re.compile(b"\n")
_BLOCK: Final = 256
_STEP: Final = 1 << 18
_FOLD: Final = 8
_FOLDED: Final = 3


class LineIndex:
    """Lines and rows of `data`, as far as `grow` has come. Offsets and lengths are in bytes, numbers count from 0."""

    def __init__(self, data: bytes = b"", width: int = 1024, *, fold: bool = False) -> None:
        self.data: bytes | bytearray = data
        self.width = width
        self.fold = fold
        self._opened: set[int] = set()
        self.scanned = 0
        self._starts = array("q", [0])
        # Of each complete block of lines: its longest line, and how many rows come before it.
        self._longest: list[int] = []
        self._before: list[int] = [0]

    @property
    def done(self) -> bool:
        """Whether all lines are known."""
        return self.scanned >= len(self.data)

    @property
    def lines(self) -> int:
        """How many lines are known; the last may still grow. A final line feed does not begin one more."""
        count = len(self._starts)
        return count - 1 if count > 1 and self._starts[-1] >= len(self.data) else count

    @property
    def rows(self) -> int:
        """How many rows are known."""
        first = (len(self._before) - 1) * _BLOCK
        return self._before[-1] + sum(self.rows_of(line) for line in range(first, self.lines))

    def grow(self, limit_ns: int, until: int | None = None) -> bool:
        """Look for lines until the time is up or `until` bytes have been seen; True when all is known."""
        deadline = perf_counter_ns() + limit_ns
        goal = len(self.data) if until is None else min(until, len(self.data))
        while self.scanned < goal:
            end = min(self.scanned + _STEP, len(self.data))
            self._starts.extend([found.end() for found in _FEED.finditer(self.data, self.scanned, end)])
            self.scanned = end
            self._close_blocks()
            if perf_counter_ns() >= deadline:
                break
        return self.done

    def append(self, more: bytes) -> None:
        """Add bytes at the end; `grow` finds their lines."""
        if not isinstance(self.data, bytearray):
            self.data = bytearray(self.data)
        self.data += more

    def set_width(self, width: int) -> None:
        """Break lines at another number of bytes."""
        if width != self.width:
            self.width = width
            self._count_again()

    def set_fold(self, on: bool) -> None:
        """Fold lines of more than eight rows to three, of which the last stands for the rest."""
        self.fold = on
        self._opened.clear()
        self._count_again()

    def open(self, line: int) -> None:
        """Unfold a line."""
        folded = self.rows_of(line)
        self._opened.add(line)
        more = self.rows_of(line) - folded
        for block in range(line // _BLOCK + 1, len(self._before)):
            self._before[block] += more

    def is_fold(self, line: int, part: int) -> bool:
        """Whether a row is the one that stands for the rest of a folded line."""
        return part == _FOLDED - 1 and self.fold and line not in self._opened and self._whole(line) > _FOLD

    def _count_again(self) -> None:
        self._before = [0]
        for block in range(len(self._longest)):
            self._add_block(block)

    def _close_blocks(self) -> None:
        starts = self._starts
        while (len(self._longest) + 1) * _BLOCK < len(starts):
            first = len(self._longest) * _BLOCK
            part = starts[first : first + _BLOCK + 1]
            self._longest.append(max(map(int.__sub__, part[1:], part[:-1])) - 1)
            self._add_block(len(self._longest) - 1)

    def _add_block(self, block: int) -> None:
        rows = _BLOCK
        if self._longest[block] > self.width:
            part = self._starts[block * _BLOCK : (block + 1) * _BLOCK + 1]
            sizes = map(int.__sub__, part[1:], part[:-1])
            counts = [-((1 - size) // self.width) or 1 for size in sizes]
            if self.fold:
                first = block * _BLOCK
                counts = [
                    count if count <= _FOLD or first + number in self._opened else _FOLDED
                    for number, count in enumerate(counts)
                ]
            rows = sum(counts)
        self._before.append(self._before[-1] + rows)

    def span(self, line: int) -> tuple[int, int]:
        """Where a line begins and ends, without its line feed."""
        start = self._starts[line]
        if line + 1 < len(self._starts):
            return start, self._starts[line + 1] - 1
        return start, self.scanned

    def rows_of(self, line: int) -> int:
        """How many rows a line takes."""
        rows = self._whole(line)
        return _FOLDED if rows > _FOLD and self.fold and line not in self._opened else rows

    def _whole(self, line: int) -> int:
        start, end = self.span(line)
        return max(1, -(-(end - start) // self.width))

    def line_at(self, offset: int) -> int:
        """The line that holds a byte."""
        return min(bisect_right(self._starts, offset) - 1, self.lines - 1)

    def locate(self, row: int) -> tuple[int, int]:
        """The line of a row, and which of the line's rows it is."""
        block = min(bisect_right(self._before, row) - 1, len(self._before) - 1)
        left = row - self._before[block]
        line = block * _BLOCK
        if block < len(self._longest) and self._longest[block] <= self.width:
            return line + left, 0
        last = self.lines - 1
        while line < last:
            rows = self.rows_of(line)
            if left < rows:
                break
            left -= rows
            line += 1
        return line, min(left, self.rows_of(line) - 1)

    def row_span(self, line: int, part: int) -> tuple[int, int]:
        """Where a row begins and ends, never inside a character."""
        start, end = self.span(line)
        first = self._fit(start + part * self.width, start) if part else start
        beyond = start + (part + 1) * self.width
        return first, end if beyond >= end or self.is_fold(line, part) else self._fit(beyond, start)

    def _fit(self, offset: int, floor: int) -> int:
        for back in range(4):
            place = offset - back
            if place <= floor or self.data[place] & 0xC0 != 0x80:
                return place
        return offset

    def part_at(self, line: int, offset: int) -> int:
        """Which of a line's rows holds a byte."""
        start, _ = self.span(line)
        last = self.rows_of(line) - 1
        part = min((offset - start) // self.width, last)
        if part < last and offset >= self.row_span(line, part)[1]:
            part += 1
        return part

    def row_at(self, offset: int) -> int:
        """The row that holds a byte."""
        line = self.line_at(offset)
        block = min(line // _BLOCK, len(self._before) - 1)
        first = block * _BLOCK
        before = self._before[block]
        if block < len(self._longest) and self._longest[block] <= self.width:
            before += line - first
        else:
            before += sum(self.rows_of(earlier) for earlier in range(first, line))
        return before + self.part_at(line, offset)
