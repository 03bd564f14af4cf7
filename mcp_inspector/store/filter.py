"""Runs the filter line over rows: whole columns at a time, so that a million rows are a matter of milliseconds."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from operator import add
from typing import TYPE_CHECKING, Protocol

from mcp_inspector.store.columns import NO_STATUS
from mcp_inspector.store.exchanges import FAILED, RowKind, RowState
from mcp_inspector.store.followers import BodyTest, Follower, IdTest, NoteTest, ValueTest
from mcp_inspector.store.marks import COLOURS
from mcp_inspector.store.query import MOST, And, Node, Not, Or, PathTest, Range, Shape, Term, Text, Words
from mcp_inspector.store.record import Direction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.store.columns import Pool
    from mcp_inspector.store.exchanges import Exchanges

_CHUNK = 32_768
_NEAR = 256
_MARKED = frozenset({"mark", "pin", "comment"})


@dataclass(frozen=True)
class Step:
    """One step of a long filter run: rows found in it, ascending, and how far it is, `done` of `total`."""

    rows: array[int]
    done: int
    total: int


class Findings(Protocol):
    """What judges the records, as far as a filter needs it; the store itself judges nothing."""

    revision: int
    """Another number whenever the answer may be another."""

    def seqs(self, matches: Callable[[str], bool] | None = None) -> set[int]:
        """The records that findings are about, of the rules whose name passes."""


class Filter:
    """A query bound to the rows of one session. For the thread that updates the rows.

    Terms about columns look at the rows asked for. Terms about notes, ids and bodies look once at each record, and go
    on where they were when more have come; only `body:` needs the disk (`reads_bodies`), for which `scan` has steps.
    """

    def __init__(self, query: Node, exchanges: Exchanges, findings: Findings | None = None) -> None:
        self.query = query
        self._exchanges = exchanges
        self._findings = findings
        self._followers: list[Follower] = []
        self._test = self._compiled(query)

    @property
    def reads_bodies(self) -> bool:
        """Whether a run over the whole session reads all its bytes."""
        return any(isinstance(follower, BodyTest | ValueTest) for follower in self._followers)

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
            if term.field and term.field.shape is Shape.RULE:
                return _FindingTest(rows, self._findings, test.matches).mask
            pools = {
                "server": (rows.server, columns.servers),
                "method": (rows.method, columns.methods),
                "target": (rows.target, columns.targets),
            }
            if name in pools:
                return _pool_test(*pools[name], test)
            if term.field and term.field.shape is Shape.ID:
                return self._follow(IdTest(rows, test))
            if term.field and term.field.shape is Shape.BODY:
                return self._follow(BodyTest(rows, test))
            note = self._follow(NoteTest(rows, test))
            return note if name == "note" else _any_of([*(_pool_test(*pool, test) for pool in pools.values()), note])
        if isinstance(test, PathTest):
            return self._follow(ValueTest(rows, test))
        if isinstance(test, Words) and (name == "mark" or test.words & _MARKED):
            return _mark_test(rows, test)
        if name == "op" and isinstance(test, Range):
            return _operation_test(rows, test)
        if isinstance(test, Words):
            if name == "has" and "finding" in test.words and self._findings is not None:
                return _any_of([_words_test(rows, name, test), _FindingTest(rows, self._findings).mask])
            return _words_test(rows, name, test)
        if name == "status":
            return _status_test(rows, test)
        if name == "at":
            return _at_test(rows, test)
        return _range_test(rows.elapsed_ns if name == "dur" else rows.size, Range(max(test.low, 0), test.high))

    def _follow(self, follower: Follower) -> _Mask:
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
    """What went on in a time: it began before its end, and had not ended before its beginning.

    Records stand in the order of their times but for some microseconds: only near the two ends each row is looked at.
    """
    times, first, elapsed, state = rows.log.columns.mono_ns, rows.first, rows.elapsed_ns, rows.state

    def exact(start: int, stop: int, low: int, high: int) -> bytes:
        return bytes(
            (begin := times[first[row] - 1]) <= high
            and (begin + max(elapsed[row], 0) >= low or state[row] == RowState.PENDING)
            for row in range(start, stop)
        )

    def mask(start: int, stop: int) -> bytes:
        if start >= stop:
            return b""
        low, high = times[0] + test.low, times[0] + test.high
        places = (bisect_left(times, low), bisect_right(times, high))
        begun, over = (min(max(bisect_left(first, place + 1), start), stop) for place in places)
        until, after = max(start, begun - _NEAR), min(stop, begun + _NEAR)
        begins = map(times.__getitem__, map((-1).__add__, first[start:until]))
        before = bytearray(map(low.__le__, map(add, begins, elapsed[start:until])))
        for row in rows.pending:
            if start <= row < until:
                before[row - start] = 1
        last, end = max(after, over - _NEAR), min(stop, max(over + _NEAR, after))
        inside = b"\x01" * (last - after)
        return bytes(before) + exact(until, after, low, high) + inside + exact(last, end, low, high) + bytes(stop - end)

    return mask


def _mark_test(rows: Exchanges, test: Words) -> _Mask:
    """Marks stand on the first messages of rows, or on others of them."""
    marks, words = rows.log.marks, test.words

    def mask(start: int, stop: int) -> bytes:
        found = bytearray(stop - start)
        for seq, mark in marks.items():
            fits = (
                mark.word in words
                or ("mark" in words and bool(mark.colour))
                or ("pin" in words and mark.pinned)
                or ("comment" in words and bool(mark.comment))
            )
            if fits and seq <= rows.seen and start <= (row := rows.row(seq)) < stop:
                found[row - start] = 1
        return bytes(found)

    rest = Words(test.words - _MARKED - frozenset(COLOURS))
    return _any_of([mask, _words_test(rows, "has", rest)]) if rest.words else mask


def _operation_test(rows: Exchanges, test: Range) -> _Mask:
    """The row of a message, and all that belongs to its operation."""

    def mask(start: int, stop: int) -> bytes:
        found = bytearray(stop - start)
        if 0 < test.low <= rows.seen:
            waiting = [rows.root(rows.row(test.low))]
            while waiting:
                row = waiting.pop()
                if start <= row < stop:
                    found[row - start] = 1
                waiting += rows.parts(row)
        return bytes(found)

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


class _FindingTest:
    """Rows with a finding of some rule. Findings come later than rows, so they are asked for whenever they changed."""

    def __init__(
        self, rows: Exchanges, findings: Findings | None, matches: Callable[[str], bool] | None = None
    ) -> None:
        self._rows = rows
        self._findings = findings
        self._matches = matches
        self._known = (-1, -1)
        self._found: set[int] = set()

    def mask(self, start: int, stop: int) -> bytes:
        if self._findings is None:
            return bytes(stop - start)
        known = (self._findings.revision, self._rows.seen)
        if known != self._known:
            self._known = known
            row_of, seen = self._rows.row_of, self._rows.seen
            self._found = {row_of[seq - 1] for seq in self._findings.seqs(self._matches) if 0 < seq <= seen}
        found = self._found
        return bytes(row in found for row in range(start, stop)) if found else bytes(stop - start)
