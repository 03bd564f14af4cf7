"""Runs the filter line over rows: whole columns at a time, so that a million rows are a matter of milliseconds."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Protocol

from mcp_inspector.store.columns import NO_ID, NO_STATUS
from mcp_inspector.store.exchanges import FAILED, RowKind, RowState
from mcp_inspector.store.query import MOST, And, Node, Not, Or, Range, Shape, Term, Text, Words
from mcp_inspector.store.record import Direction
from mcp_inspector.store.search import search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.store.columns import Pool
    from mcp_inspector.store.exchanges import Exchanges

_CHUNK = 32_768


@dataclass(frozen=True)
class Step:
    """One step of a long filter run: rows found in it, ascending, and how far it is, `done` of `total`."""

    rows: array[int]
    done: int
    total: int


class Filter:
    """A query bound to the rows of one session. For the thread that updates the rows.

    Terms about columns look at the rows asked for. Terms about notes, ids and bodies look once at each record, and go
    on where they were when more have come; only `body:` needs the disk (`reads_bodies`), for which `scan` has steps.
    """

    def __init__(self, query: Node, exchanges: Exchanges) -> None:
        self.query = query
        self._exchanges = exchanges
        self._followers: list[_Follower] = []
        self._test = self._compiled(query)

    @property
    def reads_bodies(self) -> bool:
        """Whether a run over the whole session reads all its bytes."""
        return any(isinstance(follower, _BodyTest) for follower in self._followers)

    def rows(self, start: int = 0, stop: int | None = None) -> array[int]:
        """The rows from `start` up to `stop` that pass, ascending, in one go. Raises `sqlite3.Error` with `body:`."""
        for follower in self._followers:
            for _ in follower.advance():
                pass
        return self._passing(start, len(self._exchanges) if stop is None else min(stop, len(self._exchanges)))

    def matches(self, row: int) -> bool:
        """Whether one row passes as it is now."""
        return len(self.rows(row, row + 1)) == 1

    def scan(self) -> Iterator[Step]:
        """The same as `rows` over all rows, in steps of some milliseconds. The last has `done` equal to `total`."""
        count, records = len(self._exchanges), self._exchanges.seen
        total = count + records * len(self._followers)
        for number, follower in enumerate(self._followers):
            for looked_at in follower.advance():
                yield Step(array("I"), min(number * records + looked_at, total - 1), total)
        for start in range(0, count, _CHUNK):
            stop = min(start + _CHUNK, count)
            yield Step(self._passing(start, stop), total - count + stop, total)
        if not count:
            yield Step(array("I"), total, total)

    def _passing(self, start: int, stop: int) -> array[int]:
        found = array("I")
        for begin in range(start, stop, _CHUNK):
            end = min(begin + _CHUNK, stop)
            found.extend(compress(range(begin, end), self._test(begin, end)))
        return found

    def _compiled(self, node: Node) -> _Mask:
        if isinstance(node, Not):
            inner = self._compiled(node.part)
            return lambda start, stop: inner(start, stop).translate(_FLIPPED)
        if isinstance(node, And | Or):
            parts = [self._compiled(part) for part in node.parts]
            if not parts:
                return lambda start, stop: b"\x01" * (stop - start)
            return _all_of(parts) if isinstance(node, And) else _any_of(parts)
        return self._term(node)

    def _term(self, term: Term) -> _Mask:
        rows, columns = self._exchanges, self._exchanges.log.columns
        test, name = term.test, term.field.name if term.field else ""
        if isinstance(test, Text):
            pools = {
                "server": (rows.server, columns.servers),
                "method": (rows.method, columns.methods),
                "target": (rows.target, columns.targets),
            }
            if name in pools:
                return _pool_test(*pools[name], test)
            if term.field and term.field.shape is Shape.ID:
                return self._follow(_IdTest(rows, test))
            if term.field and term.field.shape is Shape.BODY:
                return self._follow(_BodyTest(rows, test))
            note = self._follow(_NoteTest(rows, test))
            return note if name == "note" else _any_of([*(_pool_test(*pool, test) for pool in pools.values()), note])
        if isinstance(test, Words):
            return _words_test(rows, name, test)
        if name == "status":
            return _status_test(rows, test)
        if name == "at":
            return _at_test(rows, test)
        return _range_test(rows.elapsed_ns if name == "dur" else rows.size, Range(max(test.low, 0), test.high))

    def _follow(self, follower: _Follower) -> _Mask:
        self._followers.append(follower)
        return follower.mask


_Mask = Callable[[int, int], bytes]
"""Gives one byte, 0 or 1, for each row from start up to stop."""

_FLIPPED = b"\x01" + b"\x00" * 255
_NOT_ZERO = b"\x00" + b"\x01" * 255


def _all_of(parts: list[_Mask]) -> _Mask:
    def mask(start: int, stop: int) -> bytes:
        bits = int.from_bytes(parts[0](start, stop), "little")
        for part in parts[1:]:
            if not bits:
                break
            bits &= int.from_bytes(part(start, stop), "little")
        return bits.to_bytes(stop - start, "little")

    return mask


def _any_of(parts: list[_Mask]) -> _Mask:
    def mask(start: int, stop: int) -> bytes:
        bits = 0
        for part in parts:
            bits |= int.from_bytes(part(start, stop), "little")
        return bits.to_bytes(stop - start, "little")

    return mask


def _pool_test(codes: array[int], pool: Pool, test: Text) -> _Mask:
    """A text test looks at each distinct text once; a row then only looks up its code."""
    table = bytearray()
    low_byte = 0 if sys.byteorder == "little" else codes.itemsize - 1

    def mask(start: int, stop: int) -> bytes:
        for text in pool.texts[len(table) :]:
            table.append(test.matches(text))
        if 1 not in table:
            return bytes(stop - start)
        part = codes[start:stop]
        if len(table) <= 256:
            return part.tobytes()[low_byte :: codes.itemsize].translate(table.ljust(256, b"\x00"))
        return bytes(map(table.__getitem__, part))

    return mask


def _byte_test(column: array[int], values: set[int]) -> _Mask:
    table = bytes(value in values for value in range(256))
    return lambda start, stop: column[start:stop].tobytes().translate(table)


def _some(column: array[int]) -> _Mask:
    if column.itemsize == 1:
        return lambda start, stop: column[start:stop].tobytes().translate(_NOT_ZERO)
    return lambda start, stop: bytes(map(bool, column[start:stop]))


def _range_test(column: array[int], test: Range) -> _Mask:
    within: Callable[[int], bool]
    # One comparison takes half the time of a range.
    within = test.low.__le__ if test.high >= MOST else range(test.low, test.high + 1).__contains__
    return lambda start, stop: bytes(map(within, column[start:stop]))


def _status_test(rows: Exchanges, test: Range) -> _Mask:
    status = rows.log.columns.status

    def mask(start: int, stop: int) -> bytes:
        pairs = zip(rows.first[start:stop], rows.reply[start:stop], strict=True)
        return bytes(NO_STATUS < test.low <= status[(reply or first) - 1] <= test.high for first, reply in pairs)

    return mask


def _at_test(rows: Exchanges, test: Range) -> _Mask:
    times = rows.log.columns.mono_ns

    def mask(start: int, stop: int) -> bytes:
        low, high = times[0] + test.low, times[0] + test.high
        return bytes(low <= times[first - 1] <= high for first in rows.first[start:stop])

    return mask


def _words_test(rows: Exchanges, name: str, test: Words) -> _Mask:
    words = test.words
    if name == "dir":
        return _byte_test(rows.direction, {int(way) for way in Direction if way.name.lower() in words})
    if name == "kind":
        return _byte_test(rows.kind, {int(kind) for kind in RowKind if kind.name.lower() in words})
    if name == "status":
        states = {int(state) for state in RowState if state.word in words or ("failed" in words and state in FAILED)}
        state_test = _byte_test(rows.state, states)
        return _any_of([state_test, _some(rows.late)]) if "late" in words else state_test
    having = {
        "finding": rows.faults,
        "reply": rows.reply,
        "progress": rows.progress,
        "cancel": rows.cancels,
        "late": rows.late,
        "note": rows.note,
    }
    return _any_of([_some(having[word]) for word in sorted(words)])


class _Follower(Protocol):
    """A test that goes through the records in order and remembers which rows it was true for."""

    def advance(self) -> Iterator[int]:
        """Look at the records that are new, and say now and then how many have been looked at."""

    def mask(self, start: int, stop: int) -> bytes:
        """The rows found so far."""


class _Marks:
    """The rows found so far, one byte each."""

    def __init__(self, rows: Exchanges) -> None:
        self.rows = rows
        self.seen = 0
        self._marks = bytearray()

    def mark(self, seq: int) -> None:
        row = self.rows.row_of[seq - 1]
        if row >= len(self._marks):
            self._marks.extend(bytes(len(self.rows) - len(self._marks)))
        self._marks[row] = 1

    def mask(self, start: int, stop: int) -> bytes:
        return bytes(self._marks[start:stop]).ljust(stop - start, b"\x00")

    def spans(self) -> Iterator[tuple[int, int]]:
        """The records not looked at yet, as indexes from and to, some thousands at a time."""
        while self.seen < self.rows.seen:
            stop = min(self.seen + _CHUNK, self.rows.seen)
            yield self.seen, stop
            self.seen = stop


class _NoteTest:
    def __init__(self, rows: Exchanges, test: Text) -> None:
        self._marks = _Marks(rows)
        self._test = test
        self.mask = self._marks.mask

    def advance(self) -> Iterator[int]:
        columns = self._marks.rows.log.columns
        for start, stop in self._marks.spans():
            ends = columns.note[start:stop]
            begin = columns.note[start - 1] if start else 0
            if self._test.needle.regex or self._test.whole:
                self._look(start, begin, ends)
            elif begin != ends[-1]:
                self._find(start, begin, ends)
            yield stop

    def _look(self, start: int, begin: int, ends: array[int]) -> None:
        """Test the notes one by one."""
        columns = self._marks.rows.log.columns
        for index, end in enumerate(ends, start):
            if begin != end and self._test.matches(columns.note_text(index)):
                self._marks.mark(index + 1)
            begin = end

    def _find(self, start: int, begin: int, ends: array[int]) -> None:
        """Look for plain text in the notes of all records at once."""
        marks, columns = self._marks, self._marks.rows.log.columns
        low = bytes(columns.notes[begin : ends[-1]]).lower()
        for spelling in self._test.needle.spellings:
            place = low.find(spelling)
            while place >= 0:
                index = bisect_right(ends, begin + place)
                if begin + place + len(spelling) <= ends[index]:
                    marks.mark(start + index + 1)
                    place = low.find(spelling, ends[index] - begin)
                else:
                    place = low.find(spelling, place + 1)


class _IdTest:
    def __init__(self, rows: Exchanges, test: Text) -> None:
        self._marks = _Marks(rows)
        self._test = test
        text = test.needle.text
        plain = text.isascii() and text.isdigit() and len(text) < 19 and not test.needle.regex
        self._number = int(text) if plain and str(int(text)) == text else None
        self.mask = self._marks.mask

    def advance(self) -> Iterator[int]:
        marks, columns = self._marks, self._marks.rows.log.columns
        for start, stop in marks.spans():
            ids = columns.id[start:stop]
            if self._number is not None:
                place = -1
                for _ in range(ids.count(self._number)):
                    place = ids.index(self._number, place + 1)
                    marks.mark(start + place + 1)
            if self._number is None or columns.ids:
                for seq, value in enumerate(ids, start + 1):
                    looked_at = value < NO_ID or (self._number is None and value != NO_ID)
                    if looked_at and self._passes(columns.id_of(value)):
                        marks.mark(seq)
            yield stop

    def _passes(self, text: str) -> bool:
        return self._test.matches(text) or (text[:1] == '"' and self._test.matches(text[1:-1]))


class _BodyTest:
    def __init__(self, rows: Exchanges, test: Text) -> None:
        self._marks = _Marks(rows)
        self._test = test
        self.mask = self._marks.mask

    def advance(self) -> Iterator[int]:
        marks = self._marks
        until = marks.rows.seen
        if marks.seen >= until:
            return
        for found in search(marks.rows.log, self._test.needle, marks.seen + 1):
            for seq in found.seqs:
                if seq <= until:
                    marks.mark(seq)
            yield min(found.done, until)
        marks.seen = until
