"""Rows on an axis of time: lanes by server and kind, and what of a lane stands in each column of pixels.

A lane keeps three numbers a row. What a view shows is found by bisection, so a million rows cost as much to draw as the
pixels they fall on.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from mcp_inspector.store.exchanges import FAILED, RowKind, RowState
from mcp_inspector.store.record import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_inspector.store.exchanges import Changes, Exchanges

_LOOKED_BACK = 3_000
_BEFORE = 200
_MOST_CHANGED = 100_000
_FAILED = frozenset(map(int, FAILED))
_PENDING = int(RowState.PENDING)
_REQUEST, _SENT = int(RowKind.REQUEST), int(Direction.SENT)


class LaneKind(IntEnum):
    """What stands in a lane, in the order of the lanes of a server."""

    CALLS = 0
    QUESTIONS = 1
    NOTIFICATIONS = 2
    HTTP = 3
    PROCESS = 4

    @property
    def word(self) -> str:
        """The kind as people read it."""
        return ("requests", "asked by the server", "notifications", "HTTP", "stderr and process")[self]


_KINDS = {
    int(RowKind.NOTIFICATION): LaneKind.NOTIFICATIONS,
    int(RowKind.RESPONSE): LaneKind.NOTIFICATIONS,
    int(RowKind.BATCH): LaneKind.NOTIFICATIONS,
    int(RowKind.INVALID): LaneKind.NOTIFICATIONS,
    int(RowKind.HTTP): LaneKind.HTTP,
    int(RowKind.AUTH): LaneKind.HTTP,
    int(RowKind.STDERR): LaneKind.PROCESS,
    int(RowKind.STDOUT): LaneKind.PROCESS,
    int(RowKind.LIFECYCLE): LaneKind.PROCESS,
}


@dataclass(frozen=True, slots=True)
class Span:
    """One row in a view: from `start` to `end` in nanoseconds since the session's first record; both same for a point.

    `failed` and `pending` say how it stands. A pending one goes on to the end of the session.
    """

    row: int
    start: int
    end: int
    failed: bool
    pending: bool


class Lane:
    """The rows of one server and kind, in the order in which they began."""

    def __init__(self, server: str, kind: LaneKind) -> None:
        self.server = server
        self.kind = kind
        self.rows = array("I")
        self._starts = array("q")  # never falling: a row that was recorded late counts as begun with the one before
        self._ends = array("q")
        self._reach = array("q")  # the latest end of all rows up to here
        self._failed = array("I")  # places of the failed ones, ascending
        self._open: dict[int, None] = {}  # places of the pending ones, in order

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: int, start: int, end: int, failed: bool) -> None:
        """Add a row that began after all others."""
        last = self._starts[-1] if self._starts else start
        self.rows.append(row)
        self._starts.append(max(start, last))
        self._ends.append(end)
        self._reach.append(max(end, self._reach[-1]) if self._reach else end)
        if failed:
            self._failed.append(len(self.rows) - 1)
        if end < 0:
            self._open[len(self.rows) - 1] = None

    def change(self, row: int, end: int, failed: bool) -> None:
        """A row has got another end or state."""
        place = bisect_left(self.rows, row)
        if place == len(self.rows) or self.rows[place] != row:
            return
        self._ends[place] = end
        if end >= 0:
            self._open.pop(place, None)
        at = place
        while at < len(self._reach) and self._reach[at] < end:
            self._reach[at] = end
            at += 1
        spot = bisect_left(self._failed, place)
        known = spot < len(self._failed) and self._failed[spot] == place
        if failed and not known:
            insort(self._failed, place)
        elif known and not failed:
            del self._failed[spot]

    def columns(self, edges: Sequence[int]) -> list[tuple[int, int, bool]]:
        """What falls between each two neighbouring edges (ns, ascending): one column of pixels fewer than edges.

        How many rows begin there, how many failed ones are among them, and whether one that began before still runs.
        """
        starts, reach, failed = self._starts, self._reach, self._failed
        low = bisect_left(starts, edges[0])
        bad = bisect_left(failed, low)
        waiting = next(iter(self._open), len(starts))
        found = []
        for edge, end in pairwise(edges):
            high = bisect_left(starts, end, low)
            before, bad = bad, bisect_left(failed, high, bad) if high > low and failed else bad
            found.append((high - low, bad - before, low > waiting or (low > 0 and reach[low - 1] > edge)))
            low = high
        return found

    def count(self, start: int, end: int) -> int:
        """How many rows begin from `start` up to `end`."""
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def spans(self, start: int, end: int, until: int) -> list[Span]:
        """The rows that lie in a view, also those that began before it: the newest 200 that run, and the newest 200 of
        the 3 000 before it that had not ended.

        `until` is where a pending row ends.
        """
        low, high = bisect_left(self._starts, start), bisect_right(self._starts, end)
        places = [place for place in islice(reversed(self._open), _LOOKED_BACK) if place < low][:_BEFORE]
        at = low - 1
        while at >= 0 and self._reach[at] >= start and low - at <= _LOOKED_BACK and len(places) < 2 * _BEFORE:
            if self._ends[at] >= start:
                places.append(at)
            at -= 1
        places.sort()
        return [self._span(place, until) for place in (*places, *range(low, high))]

    def _span(self, place: int, until: int) -> Span:
        spot = bisect_left(self._failed, place)
        failed = spot < len(self._failed) and self._failed[spot] == place
        start, end = self._starts[place], self._ends[place]
        pending = end < 0
        return Span(self.rows[place], start, max(until if pending else end, start), failed, pending)

    def nearest(self, at: int, reach: int, until: int) -> Span | None:
        """The row at a moment, or within `reach` of it; of several the one that began last."""
        found = [span for span in self.spans(at - reach, at + reach, until) if span.end >= at - reach]
        if not found:
            return None
        over = [span for span in found if span.start <= at <= span.end]
        return max(over, key=lambda span: span.start) if over else min(found, key=lambda span: abs(span.start - at))


class Timeline:
    """The lanes of a session. `take` brings in what has come, in steps."""

    def __init__(self, exchanges: Exchanges) -> None:
        self.exchanges = exchanges
        self._lanes: dict[tuple[int, int], Lane] = {}
        self._lane_of: list[Lane] = []
        self._codes: dict[tuple[int, int], int] = {}
        self._lane_codes = array("H")
        self._changed: set[int] = set()
        self._stop = exchanges.changed.connect(self._exchanges_changed)

    def close(self) -> None:
        """Follow the session no more."""
        self._stop()

    @property
    def taken(self) -> int:
        """How many rows are in the lanes."""
        return len(self._lane_codes)

    @property
    def behind(self) -> bool:
        """Whether rows wait to be taken in."""
        return self.taken < len(self.exchanges) or bool(self._changed)

    @property
    def origin(self) -> int:
        """The clock of the first record, from which all times are counted (ns)."""
        times = self.exchanges.log.columns.mono_ns
        return times[0] if len(times) else 0

    @property
    def length(self) -> int:
        """From the first record to the last, in nanoseconds; at least one microsecond."""
        times = self.exchanges.log.columns.mono_ns
        return max(times[-1] - times[0], 1_000) if len(times) else 1_000

    @property
    def lanes(self) -> list[Lane]:
        """Server by server in the order of their first rows, in each by kind."""
        return [self._lanes[key] for key in sorted(self._lanes)]

    def take(self, limit: int) -> None:
        """Bring in at most `limit` rows, under a microsecond each, and what has changed of older ones."""
        exchanges = self.exchanges
        times, origin = exchanges.log.columns.mono_ns, self.origin
        start, stop = self.taken, min(self.taken + limit, len(exchanges))
        changed, self._changed = self._changed, set()
        for row in changed:
            if row < start:
                self._lane_of[self._lane_codes[row]].change(row, *self._end(row, origin))
        cells = zip(
            exchanges.kind[start:stop],
            exchanges.direction[start:stop],
            exchanges.server[start:stop],
            exchanges.first[start:stop],
            exchanges.elapsed_ns[start:stop],
            exchanges.state[start:stop],
            strict=True,
        )
        for row, (kind, direction, server, first, elapsed, state) in enumerate(cells, start):
            group = (LaneKind.CALLS if direction == _SENT else LaneKind.QUESTIONS) if kind == _REQUEST else _KINDS[kind]
            lane = self._lanes.get((server, group))
            if lane is None:
                lane = self._new_lane(server, group)
            begin = times[first - 1] - origin
            end = begin + elapsed if elapsed >= 0 else -1 if state == _PENDING else begin
            lane.add(row, begin, end, state in _FAILED)
            self._lane_codes.append(self._codes[server, group])

    def _new_lane(self, server: int, group: LaneKind) -> Lane:
        lane = Lane(self.exchanges.log.columns.servers.texts[server], group)
        self._lanes[server, group] = lane
        self._codes[server, group] = len(self._lane_of)
        self._lane_of.append(lane)
        return lane

    def _end(self, row: int, origin: int) -> tuple[int, bool]:
        exchanges = self.exchanges
        begin = exchanges.log.columns.mono_ns[exchanges.first[row] - 1] - origin
        elapsed, state = exchanges.elapsed_ns[row], exchanges.state[row]
        end = begin + elapsed if elapsed >= 0 else -1 if state == _PENDING else begin
        return end, state in _FAILED

    def _exchanges_changed(self, changes: Changes) -> None:
        taken = self.taken
        self._changed.update(row for row in changes.updated if row < taken)
        if len(self._changed) > _MOST_CHANGED:
            # Nobody looked for long: to begin again costs less than to follow.
            self._lanes.clear()
            self._lane_of.clear()
            self._codes.clear()
            del self._lane_codes[:]
            self._changed.clear()


def density(exchanges: Exchanges, edges: Sequence[int]) -> Iterator[tuple[int, bool]]:
    """For each two neighbouring edges (ns since the first record): how many records, and whether a row there failed.

    From the columns alone, without lanes: what the strip above the table shows, in some milliseconds of a million.
    """
    columns = exchanges.log.columns
    times, row_of, state = columns.mono_ns, exchanges.row_of, exchanges.state
    if not len(times):
        return
    origin = times[0]
    seen = len(row_of)
    places = [bisect_left(times, origin + edge, 0, seen) for edge in edges]
    for low, high in pairwise(places):
        bad = False
        if high > low:
            rows = state[row_of[low] : row_of[high - 1] + 1].tobytes()
            bad = any(code in rows for code in _FAILED)
        yield high - low, bad
