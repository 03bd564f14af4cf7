"""Tests that go through the records in order: of notes, ids, bodies and values inside them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Protocol

from mcp_inspector.store.columns import NO_ID
from mcp_inspector.store.record import Channel
from mcp_inspector.store.search import search

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Run
    from mcp_inspector.store.query import PathTest, Text

_CHUNK = 32_768
_STEP_BYTES = 1_000_000
_LARGEST = 64 << 20
"""Bytes of a message that is looked into for a path; a larger one does not pass."""


class Follower(Protocol):
    """A test that goes through the records in order and remembers which rows it was true for."""

    def advance(self) -> Iterator[int]:
        """Look at the records that are new, and say now and then how many have been looked at."""

    def mask(self, start: int, stop: int) -> bytes:
        """The rows found so far."""


class _Found:
    """The rows found so far, one byte each."""

    def __init__(self, rows: Exchanges) -> None:
        self.rows = rows
        self.seen = 0
        self._bits = bytearray()

    def mark(self, seq: int) -> None:
        row = self.rows.row_of[seq - 1]
        if row >= len(self._bits):
            self._bits.extend(bytes(len(self.rows) - len(self._bits)))
        self._bits[row] = 1

    def mask(self, start: int, stop: int) -> bytes:
        return bytes(self._bits[start:stop]).ljust(stop - start, b"\x00")

    def spans(self) -> Iterator[tuple[int, int]]:
        """The records not looked at yet, as indexes from and to, some thousands at a time."""
        while self.seen < self.rows.seen:
            stop = min(self.seen + _CHUNK, self.rows.seen)
            yield self.seen, stop
            self.seen = stop


class NoteTest:
    def __init__(self, rows: Exchanges, test: Text) -> None:
        self._found = _Found(rows)
        self._test = test
        self.mask = self._found.mask

    def advance(self) -> Iterator[int]:
        columns = self._found.rows.log.columns
        for start, stop in self._found.spans():
            ends = columns.note[start:stop]
            begin = columns.note[start - 1] if start else 0
            if self._test.needle.regex or self._test.whole:
                self._look(start, begin, ends)
            elif begin != ends[-1]:
                self._find(start, begin, ends)
            yield stop

    def _look(self, start: int, begin: int, ends: array[int]) -> None:
        """Test the notes one by one."""
        columns = self._found.rows.log.columns
        for index, end in enumerate(ends, start):
            if begin != end and self._test.matches(columns.note_text(index)):
                self._found.mark(index + 1)
            begin = end

    def _find(self, start: int, begin: int, ends: array[int]) -> None:
        """Look for plain text in the notes of all records at once."""
        found_rows, columns = self._found, self._found.rows.log.columns
        low = bytes(columns.notes[begin : ends[-1]]).lower()
        for spelling in self._test.needle.spellings:
            place = low.find(spelling)
            while place >= 0:
                index = bisect_right(ends, begin + place)
                if begin + place + len(spelling) <= ends[index]:
                    found_rows.mark(start + index + 1)
                    place = low.find(spelling, ends[index] - begin)
                else:
                    place = low.find(spelling, place + 1)


class IdTest:
    def __init__(self, rows: Exchanges, test: Text) -> None:
        self._found = _Found(rows)
        self._test = test
        text = test.needle.text
        plain = text.isascii() and text.isdigit() and len(text) < 19 and not test.needle.regex
        self._number = int(text) if plain and str(int(text)) == text else None
        self.mask = self._found.mask

    def advance(self) -> Iterator[int]:
        found_rows, columns = self._found, self._found.rows.log.columns
        for start, stop in found_rows.spans():
            ids = columns.id[start:stop]
            if self._number is not None:
                place = -1
                for _ in range(ids.count(self._number)):
                    place = ids.index(self._number, place + 1)
                    found_rows.mark(start + place + 1)
            if self._number is None or columns.ids:
                for seq, value in enumerate(ids, start + 1):
                    looked_at = value < NO_ID or (self._number is None and value != NO_ID)
                    if looked_at and self._passes(columns.id_of(value)):
                        found_rows.mark(seq)
            yield stop

    def _passes(self, text: str) -> bool:
        return self._test.matches(text) or (text[:1] == '"' and self._test.matches(text[1:-1]))


class BodyTest:
    def __init__(self, rows: Exchanges, test: Text) -> None:
        self._found = _Found(rows)
        self._test = test
        self.mask = self._found.mask

    def advance(self) -> Iterator[int]:
        found_rows = self._found
        until = found_rows.rows.seen
        if found_rows.seen >= until:
            return
        for found in search(found_rows.rows.log, self._test.needle, found_rows.seen + 1):
            for seq in found.seqs:
                if seq <= until:
                    found_rows.mark(seq)
            yield min(found.done, until)
        found_rows.seen = until


class ValueTest:
    """Looks for a value by its path in every message."""

    def __init__(self, rows: Exchanges, test: PathTest) -> None:
        self._found = _Found(rows)
        self._test = test
        self.mask = self._found.mask

    def advance(self) -> Iterator[int]:
        found, log = self._found, self._found.rows.log
        until, size = found.rows.seen, 0
        if found.seen >= until:
            return
        for run in log.runs(found.seen + 1):
            if run.seq > until:
                break
            if run.whole:
                self._look(run, found.seen, until)
            elif run.offset == 0 and run.seq > found.seen and log.body_size(run.seq) <= _LARGEST:
                self._judge(run.seq, log.body(run.seq))
            size += len(run.data)
            if size >= _STEP_BYTES:
                size = 0
                yield min(run.seq, until - 1)
        found.seen = until
        yield until

    def _look(self, run: Run, seen: int, until: int) -> None:
        """Judge those of a run that hold what the path ends with: the others cannot have a value there."""
        literal, data, ends = self._test.path.literal, run.data, run.ends
        if literal not in data:
            return
        begin = 0
        for number in range(0, len(ends), 2):
            seq, end = run.seq + number // 2, ends[number]
            if seen < seq <= until and end > begin and data.find(literal, begin, end) >= 0:
                self._judge(seq, data[begin:end])
            begin = ends[number + 1]

    def _judge(self, seq: int, body: bytes) -> None:
        if self._found.rows.log.columns.channel[seq - 1] == Channel.MESSAGE and self._test.passes(body):
            self._found.mark(seq)
