"""Which element of one array is which of another: unchanged ones first, what is left between them in its order."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_CELLS = 2_000_000
_GAP_CELLS = 40_000

Pairs = list[tuple[int, int]]


def unchanged(before: Sequence[Hashable], after: Sequence[Hashable]) -> Pairs:
    """Pairs of places with equal values, rising in both: as a person would line the two up.

    Values that occur once in each are the anchors (patience); between two anchors the longest common run of pairs is
    looked for, in gaps of at most 40 000 pairs and two million in all. The time grows with n log n beyond that.
    """
    pairs: Pairs = []
    budget = _CELLS
    todo = [(0, len(before), 0, len(after))]
    while todo:
        low, high, left, right = todo.pop()
        while low < high and left < right and before[low] == after[left]:
            pairs.append((low, left))
            low, left = low + 1, left + 1
        while low < high and left < right and before[high - 1] == after[right - 1]:
            high, right = high - 1, right - 1
            pairs.append((high, right))
        if low >= high or left >= right:
            continue
        anchors = _anchors(before, after, low, high, left, right)
        if anchors:
            ends = [*anchors, (high, right)]
            for one, other in ends:
                todo.append((low, one, left, other))
                low, left = one + 1, other + 1
            pairs += anchors
            continue
        cells = (high - low) * (right - left)
        if cells <= min(_GAP_CELLS, budget):
            budget -= cells
            pairs += _longest(before, after, low, high, left, right)
    return sorted(pairs)


def _anchors(
    before: Sequence[Hashable], after: Sequence[Hashable], low: int, high: int, left: int, right: int
) -> Pairs:
    """The longest rising run of values that occur once on both sides."""
    mine, theirs = Counter(before[low:high]), Counter(after[left:right])
    place = {after[at]: at for at in range(left, right) if theirs[after[at]] == 1}
    common = [(at, place[before[at]]) for at in range(low, high) if mine[before[at]] == 1 and before[at] in place]
    tails: list[int] = []
    ends: list[int] = []
    link: list[int] = []
    for at, (_, other) in enumerate(common):
        spot = bisect_left(tails, other)
        link.append(ends[spot - 1] if spot else -1)
        tails[spot : spot + 1] = [other]
        ends[spot : spot + 1] = [at]
    chain: Pairs = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(common[at])
        at = link[at]
    return chain[::-1]


def _longest(
    before: Sequence[Hashable], after: Sequence[Hashable], low: int, high: int, left: int, right: int
) -> Pairs:
    """The longest common subsequence of two short runs."""
    width = right - left
    table = [[0] * (width + 1)]
    for at in range(high - 1, low - 1, -1):
        below, row, value = table[-1], [0] * (width + 1), before[at]
        for column in range(width - 1, -1, -1):
            if value == after[left + column]:
                row[column] = below[column + 1] + 1
            else:
                row[column] = max(below[column], row[column + 1])
        table.append(row)
    table.reverse()
    pairs: Pairs = []
    at, column = low, 0
    while at < high and column < width:
        if before[at] == after[left + column]:
            pairs.append((at, left + column))
            at, column = at + 1, column + 1
        elif table[at - low + 1][column] >= table[at - low][column + 1]:
            at += 1
        else:
            column += 1
    return pairs
