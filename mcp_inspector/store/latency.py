"""How long requests took: percentiles and a histogram, for each method and each tool."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING

from mcp_inspector.store.exchanges import FAILED, RowKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcp_inspector.store.exchanges import Exchanges

_FAILED = frozenset(map(int, FAILED))
_REQUEST = int(RowKind.REQUEST)
STEPS = 4
"""Bars of a histogram for each doubling of time."""


@dataclass
class Timing:
    """The answered requests of one kind; times in nanoseconds."""

    elapsed_ns: array[int] = field(default_factory=lambda: array("q"))
    failed: int = 0
    pending: int = 0

    @property
    def count(self) -> int:
        """How many requests there were, answered or not."""
        return len(self.elapsed_ns) + self.pending

    @cached_property
    def sorted_ns(self) -> array[int]:
        """All times, shortest first; to be asked for when nothing is added any more."""
        return array("q", sorted(self.elapsed_ns))


class Latencies:
    """The times of some rows by method and by what they are about: ``tools/call`` and ``tools/call search``."""

    def __init__(self, exchanges: Exchanges) -> None:
        self.timings: dict[tuple[int, int], Timing] = {}
        self._exchanges = exchanges

    @classmethod
    def of(cls, exchanges: Exchanges, rows: Sequence[int] | None = None) -> Latencies:
        """Of these rows, or of all."""
        self = cls(exchanges)
        self.add(range(len(exchanges)) if rows is None else rows)
        return self

    def add(self, rows: Sequence[int]) -> None:
        """Take in the requests among these rows, about 0.3 µs a row."""
        exchanges, timings = self._exchanges, self.timings
        wanted: Iterable[int]
        if isinstance(rows, range):
            wanted = compress(rows, map(_REQUEST.__eq__, exchanges.kind[rows.start : rows.stop]))
        else:
            wanted = (row for row in rows if exchanges.kind[row] == _REQUEST)
        method, target, elapsed, state = exchanges.method, exchanges.target, exchanges.elapsed_ns, exchanges.state
        for row in wanted:
            key = (method[row], target[row])
            timing = timings.get(key)
            if timing is None:
                timing = timings[key] = Timing()
            took = elapsed[row]
            if took < 0:
                timing.pending += 1
            else:
                timing.elapsed_ns.append(took)
            if state[row] in _FAILED:
                timing.failed += 1

    def by_method(self) -> list[tuple[str, Timing]]:
        """Each method, and below it each tool or other target when there are several; the most used first."""
        columns = self._exchanges.log.columns
        methods: dict[int, list[tuple[int, Timing]]] = {}
        for (method, target), timing in self.timings.items():
            methods.setdefault(method, []).append((target, timing))
        found: list[tuple[str, Timing]] = []
        order = sorted(methods.items(), key=lambda item: -sum(timing.count for _, timing in item[1]))
        for method, parts in order:
            name = columns.methods.texts[method] or "(no method)"
            found.append((name, joined(timing for _, timing in parts)))
            named = [part for part in parts if columns.targets.texts[part[0]]]
            if named:
                named.sort(key=lambda part: -part[1].count)
                found += ((f"{name} {columns.targets.texts[target]}", timing) for target, timing in named)
        return found


def joined(timings: Iterable[Timing]) -> Timing:
    """Several timings as one."""
    whole = Timing()
    for each in timings:
        whole.elapsed_ns.extend(each.elapsed_ns)
        whole.failed += each.failed
        whole.pending += each.pending
    return whole


def percentile(ordered: Sequence[int], part: float) -> int:
    """The value below which `part` (0 to 1) of an ascending sequence lies (nearest rank); 0 of none."""
    if not ordered:
        return 0
    rank = max(1, -(-int(part * 1_000_000) * len(ordered) // 1_000_000))
    return ordered[min(rank, len(ordered)) - 1]


def histogram(ordered: Sequence[int]) -> list[tuple[int, int, int]]:
    """Bars as (from, to, count) in nanoseconds, each a quarter of a doubling wide, from the shortest to the longest."""
    if not ordered:
        return []
    from bisect import bisect_left
    from math import ceil, floor, log2

    low, high = floor(log2(max(ordered[0], 1)) * STEPS), ceil(log2(max(ordered[-1], 1) + 1) * STEPS)
    bars = []
    place = 0
    for step in range(low, max(high, low + 1)):
        begin, end = int(2 ** (step / STEPS)), int(2 ** ((step + 1) / STEPS))
        begin = 0 if step == low else begin
        upto = bisect_left(ordered, end) if step + 1 < high else len(ordered)
        bars.append((begin, end, upto - place))
        place = upto
    return bars
