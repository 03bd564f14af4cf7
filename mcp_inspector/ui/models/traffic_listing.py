"""Which rows have a place of their own: what passes the filter, is not cleared, and stands below no other row."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import compress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.ui.models.traffic_outline import Outline


class Listing:
    """The rows of the list by their place. `rows` is None while all of the first `taken` rows are in it.

    `gone` has a byte for each row that was there when rows were cleared, 1 for those that are out of sight; `folded`
    counts rows that would pass, and stand below the operation that they belong to.
    """

    def __init__(self, exchanges: Exchanges, outline: Outline) -> None:
        self._exchanges, self._outline = exchanges, outline
        self.rows: array[int] | None = None
        self.gone: bytearray | None = None
        self.folded = 0
        self.taken = 0

    def __len__(self) -> int:
        return self.taken if self.rows is None else len(self.rows)

    def row(self, place: int) -> int:
        """The row at a place."""
        return place if self.rows is None else self.rows[place]

    def place(self, row: int) -> int:
        """Where a row is, -1 when it is not in the list."""
        if self.rows is None:
            return row if 0 <= row < self.taken else -1
        place = bisect_left(self.rows, row)
        return place if place < len(self.rows) and self.rows[place] == row else -1

    def near(self, row: int) -> int:
        """Where a row is, or the next one after it, or the last; -1 when there is none."""
        return min(row if self.rows is None else bisect_left(self.rows, row), len(self) - 1)

    def put(self, changed: Iterable[int], passing: Collection[int]) -> bool:
        """Put rows in or out that pass the filter differently now; True when there were any."""
        rows, moved = self.rows, False
        if rows is None:
            return False
        for row in changed:
            place = bisect_left(rows, row)
            there = place < len(rows) and rows[place] == row
            if there and row not in passing:
                del rows[place]
                moved = True
            elif not there and row in passing:
                rows.insert(place, row)
                moved = True
        return moved

    @property
    def cleared(self) -> int:
        """How many rows are out of sight."""
        return self.gone.count(1) if self.gone is not None else 0

    def cleared_now(self, pinned: Iterable[int], *, hidden_only: bool) -> bytearray:
        """What `gone` is when all rows are cleared but the pinned ones, or those that are not in the list now."""
        gone = bytearray(b"\x01" * self.taken)
        for row in [*pinned, *(self._shown() if hidden_only else ())]:
            if 0 <= row < self.taken:
                gone[row] = 0
        if hidden_only and self.gone is not None:
            for row in compress(range(len(self.gone)), self.gone):
                gone[row] = 1
        return gone

    def _shown(self) -> Iterator[int]:
        """Those in the list, and those below their operations."""
        yield from range(self.taken) if self.rows is None else self.rows
        for row in self._exchanges.nested if self._outline.grouped else ():
            if row < self.taken and self.place(self._exchanges.root(row)) >= 0:
                yield row

    def kept(self, found: array[int], shown: array[int]) -> array[int]:
        """The rows of `found` that have a place of their own: not cleared, not below one that is found or `shown`."""
        if self.gone is not None and found:
            gone, count = self.gone, len(self.gone)
            found = array("I", (row for row in found if row >= count or not gone[row]))
        nested = self._exchanges.nested
        if not self._outline.grouped or not nested or not found:
            return found
        below = set()
        for row in nested[bisect_left(nested, found[0]) : bisect_left(nested, found[-1] + 1)]:
            root = self._exchanges.root(row)
            if (_holds(found, root) or _holds(shown, root)) and _holds(found, row):
                below.add(row)
        self.folded += len(below)
        return array("I", (row for row in found if row not in below)) if below else found


def _holds(rows: array[int], row: int) -> bool:
    place = bisect_left(rows, row)
    return place < len(rows) and rows[place] == row
