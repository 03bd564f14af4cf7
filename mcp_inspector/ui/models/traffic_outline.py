"""What lies below the rows that are opened: an operation's messages, retries, polls and questions, as an indented tree.

A key names what a line shows: a row by its number, a single message by `frame_key` of its record's.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp_inspector.store.exchanges import Exchanges

_MOST: Final = 2_000
"""Messages of one operation that are shown; of more, the answer comes behind the first ones."""


class Line(NamedTuple):
    """A line below a row: `key`, and how many operations it lies within."""

    key: int
    depth: int


def frame_key(seq: int) -> int:
    """The key of a single message."""
    return -seq - 1


def seq_of(key: int) -> int:
    """The record of a single message's key; 0 when the key is a row's."""
    return -key - 1 if key < -1 else 0


class Outline:
    """The opened rows, and the lines below each. Places count what is shown, base places only the rows of the list.

    `grouped` says whether the requests within an operation are shown below it, and so not in the list.
    """

    def __init__(self, exchanges: Exchanges) -> None:
        self.grouped = True
        self._exchanges = exchanges
        self._open: set[int] = set()
        self._starts: list[int] = []
        self._bases: list[int] = []  # the base place after that of each opened row
        self._blocks: list[list[Line]] = []
        self._before: list[int] = []
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        """How many lines there are."""
        return self._before[-1] + len(self._blocks[-1]) if self._blocks else 0

    @property
    def rows(self) -> frozenset[int]:
        """The rows that are opened, shown or not."""
        return frozenset(self._open)

    def is_open(self, row: int) -> bool:
        """Whether the lines below a row are shown."""
        return row in self._open

    def set_open(self, row: int, on: bool) -> None:
        """Open a row, or close it; `arrange` then has to follow."""
        (self._open.add if on else self._open.discard)(row)

    def open_all(self, row: int) -> None:
        """Open a row and all requests within its operation."""
        self._open.add(row)
        for part in self._exchanges.parts(row):
            if self._exchanges.kind[part] == 1:
                self.open_all(part)

    def arrange(self, place_of: Callable[[int], int]) -> None:
        """Work out the lines anew; `place_of` gives the base place of a row, -1 for one that is not in the list."""
        found = sorted((place, row) for row in self._open if (place := place_of(row)) >= 0)
        self._starts, self._bases, self._blocks, self._before, self._places = [], [], [], [], {}
        before = 0
        for base, row in found:
            lines = list(self._lines(row, 1))
            start = base + before + 1
            self._starts.append(start)
            self._bases.append(base + 1)
            self._blocks.append(lines)
            self._before.append(before)
            for number, line in enumerate(lines):
                self._places.setdefault(line.key, start + number)
            before += len(lines)

    def line(self, place: int) -> Line | None:
        """The line at a place, None where a row of the list is."""
        block = bisect_right(self._starts, place) - 1
        if block < 0:
            return None
        number = place - self._starts[block]
        return self._blocks[block][number] if number < len(self._blocks[block]) else None

    def base(self, place: int) -> int:
        """The base place of what is shown at a place, where that is no line."""
        block = bisect_right(self._starts, place) - 1
        return place if block < 0 else place - self._before[block] - len(self._blocks[block])

    def place(self, base: int) -> int:
        """Where the row of a base place is shown."""
        block = bisect_right(self._bases, base) - 1
        return base if block < 0 else base + self._before[block] + len(self._blocks[block])

    def place_of_line(self, key: int) -> int:
        """Where a line is shown, -1 when it is not."""
        return self._places.get(key, -1)

    def _lines(self, row: int, depth: int) -> Iterable[Line]:
        exchanges = self._exchanges
        keys = [(seq, frame_key(seq)) for seq in self._seqs(row)]
        for part in exchanges.parts(row):
            nested = exchanges.kind[part] == 1
            if self.grouped or not nested:
                keys.append((exchanges.first[part], part if nested else frame_key(exchanges.first[part])))
        for _, key in sorted(keys):
            yield Line(key, depth)
            if key >= 0 and key in self._open and depth < 8:
                yield from self._lines(key, depth + 1)

    def _seqs(self, row: int) -> list[int]:
        seqs = list(islice(self._exchanges.records(row), _MOST))
        reply = self._exchanges.reply[row]
        if len(seqs) == _MOST and reply > seqs[-1] and self._exchanges.row_of[reply - 1] == row:
            seqs.append(reply)
        return seqs
