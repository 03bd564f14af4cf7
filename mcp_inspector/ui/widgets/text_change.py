"""What has changed between two versions of a text, and where a place of the old one is in the new one."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK: Final = 1 << 16
_COMPARED: Final = 400
"""Lines between the first and the last change up to which each changed one is found; beyond, all of them count."""


@dataclass(frozen=True)
class Change:
    """Two versions that have `head` bytes in common at the beginning and `tail` at the end."""

    before: bytes
    after: bytes
    head: int
    tail: int

    @property
    def same(self) -> bool:
        """Whether nothing has changed."""
        return self.head == len(self.before) == len(self.after)

    def moved(self, place: int) -> int:
        """Where a byte offset of the old text is in the new one; inside of what has changed, as near as can be."""
        if place <= self.head:
            return place
        if place >= len(self.before) - self.tail:
            return place + len(self.after) - len(self.before)
        old, new = self._lines
        line = self.before.count(b"\n", self._start, place)
        for what, at, stop, to, _ in self._blocks:
            if at <= line < stop:
                column = place - self._start - sum(len(each) + 1 for each in old[:line])
                over = line - at if what == "equal" else 0
                inside = min(column, len(new[to + over])) if to + over < len(new) else 0
                return min(self._start + sum(len(each) + 1 for each in new[: to + over]) + inside, len(self.after))
        return min(place, len(self.after) - self.tail)

    def lines(self) -> tuple[tuple[int, int], ...]:
        """Ranges of lines of the new text that are others now: first, and the one after the last, counted from 0."""
        if self.same:
            return ()
        first = self.after.count(b"\n", 0, self.head)
        return tuple(
            (first + at, first + max(stop, at + 1)) for what, _, _, at, stop in self._blocks if what != "equal"
        )

    @cached_property
    def _start(self) -> int:
        """Where the first line begins that has changed: all before it is the same."""
        return self.after.rfind(b"\n", 0, self.head) + 1

    @cached_property
    def _lines(self) -> tuple[list[bytes], list[bytes]]:
        """The lines, old and new, from the first to the last that has changed."""
        old, new = (_line_end(text, len(text) - self.tail) for text in (self.before, self.after))
        return self.before[self._start : old].split(b"\n"), self.after[self._start : new].split(b"\n")

    @cached_property
    def _blocks(self) -> Sequence[tuple[str, int, int, int, int]]:
        old, new = self._lines
        if max(len(old), len(new)) > _COMPARED:
            return [("replace", 0, len(old), 0, len(new))]
        return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def change(before: bytes, after: bytes) -> Change:
    """Compare two versions. Takes a few milliseconds for 50 MB."""
    head = _same(before, after, min(len(before), len(after)))
    tail = _same_end(before, after, min(len(before), len(after)) - head)
    return Change(before, after, head, tail)


def _line_end(text: bytes, place: int) -> int:
    found = text.find(b"\n", place)
    return len(text) if found < 0 else found


def _same(one: bytes, other: bytes, most: int) -> int:
    at = 0
    while at < most and one[at : at + _CHUNK] == other[at : at + _CHUNK]:
        at += _CHUNK
    at = min(at, most)
    step = _CHUNK
    while step:
        if at + step <= most and one[at : at + step] == other[at : at + step]:
            at += step
        step //= 2
    return at


def _same_end(one: bytes, other: bytes, most: int) -> int:
    tail, step = 0, _CHUNK
    while step:
        if tail + step <= most and _slice(one, tail, step) == _slice(other, tail, step):
            tail += step
        else:
            step //= 2
    return tail


def _slice(text: bytes, tail: int, count: int) -> bytes:
    stop = len(text) - tail
    return text[stop - count : stop]
