"""What happened, one row an operation: a request with its answer, a notification, a line, an event.

Everything here is derived from records alone, in their order, while they come and again when a session is reopened.
"""

from __future__ import annotations

from array import array
from itertools import compress
from typing import TYPE_CHECKING

from mcp_inspector.signals import Signal
from mcp_inspector.store.columns import NO_ID, TOOL_ERROR, UNFINISHED
from mcp_inspector.store.record import Channel
from mcp_inspector.store.row_codes import (
    BAD,
    CANCELLED,
    CHANNEL_KINDS,
    DEEPEST,
    ENDINGS,
    ERROR,
    FAILED_EVENTS,
    FAILED_TOOL,
    INVALID,
    LATE,
    LIFECYCLE,
    MESSAGE,
    MESSAGE_KINDS,
    NOTIFICATION,
    OK,
    PENDING,
    RECEIVED,
    REQUEST,
    RESPONSE,
    SENT,
    same_number,
)
from mcp_inspector.store.row_reading import read_row
from mcp_inspector.store.rows import FAILED, Changes, Exchange, RowKind, RowState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_inspector.store.log import Log

__all__ = ["FAILED", "Changes", "Exchange", "Exchanges", "RowKind", "RowState"]

_CHUNK = 16_384
_Key = tuple[int, int | str]


class Exchanges:
    """The rows of one log, for one thread. A row keeps its index for ever. Nothing is done before `update` is called.

    The columns are public for filters and views; index is the row. Read them, never keep a `memoryview` of one.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.changed: Signal[Changes] = Signal()
        self.kind = array("B")
        self.state = array("B")
        self.direction = array("B")
        self.server = array("I")
        self.method = array("I")
        self.target = array("I")
        self.first = array("I")
        self.reply = array("I")
        self.last = array("I")
        self.size = array("Q")
        self.elapsed_ns = array("q")
        self.progress = array("I")
        self.cancels = array("B")
        self.late = array("B")
        self.faults = array("I")
        self.note = array("I")
        self.row_of = array("I")
        self.parent = array("I")
        """The row of the operation that a row belongs to, plus one; 0 when it stands for itself."""
        self.nested = array("I")
        """The rows of requests that have a parent, ascending."""
        self._parts: dict[int, list[int]] = {}
        self._pending: dict[_Key, int] = {}
        self._open: dict[int, _Key] = {}
        self._kinds: list[int] = []
        self._endings: list[int] = []
        self._error_code = -1
        self._updated: set[int] | None = None
        self._blank: tuple[array[int], ...] = (
            self.reply,
            self.last,
            self.size,
            self.progress,
            self.cancels,
            self.late,
            self.faults,
            self.note,
            self.parent,
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def seen(self) -> int:
        """How many records have been looked at."""
        return len(self.row_of)

    @property
    def pending(self) -> Sequence[int]:
        """The rows of requests that wait for an answer, oldest first."""
        return tuple(self._open)

    def update(self, limit: int = 1_000_000_000) -> Changes:
        """Take in at most `limit` new records, about 1 µs each, tell `changed`, and say what they changed."""
        start = len(self)
        updated: set[int] = set()
        end = min(len(self.log), self.seen + limit)
        while self.seen < end:
            self._take(self.seen, min(self.seen + _CHUNK, end), start, updated)
        changes = Changes(
            start, len(self), tuple(sorted(row for row in updated if row < start)), self.seen < len(self.log)
        )
        if changes.stop > start or updated:
            self.changed.send(changes)
        return changes

    def __getitem__(self, row: int) -> Exchange:
        """One row, from memory. Raises `IndexError`."""
        return read_row(self, row)

    def depth(self, row: int) -> int:
        """How many operations a row lies within: 0 for one that stands for itself."""
        depth = 0
        while (above := self.parent[row]) and depth < DEEPEST:
            row, depth = above - 1, depth + 1
        return depth

    def root(self, row: int) -> int:
        """The row of the whole operation that a row belongs to."""
        for _ in range(DEEPEST):
            above = self.parent[row]
            if not above:
                break
            row = above - 1
        return row

    def parts(self, row: int) -> Sequence[int]:
        """The rows that belong to the operation of a row, at once below it: retries, polls, questions, HTTP, …"""
        return tuple(self._parts.get(row, ()))

    def row(self, seq: int) -> int:
        """The row that a record belongs to. Raises `IndexError` when it was not looked at yet."""
        if seq < 1:
            raise IndexError(f"there is no record {seq}")
        return self.row_of[seq - 1]

    def records(self, row: int) -> Iterator[int]:
        """The seqs of all records of a row, in order."""
        place, stop = self.first[row] - 1, self.last[row]
        while place < stop:
            yield place + 1
            try:
                place = self.row_of.index(row, place + 1, stop)
            except ValueError:
                return

    def _take(self, start: int, stop: int, old: int, updated: set[int]) -> None:
        """Look at the records of index `start` up to `stop`; rows below `old` that change go into `updated`."""
        columns = self.log.columns
        self._updated = updated
        self._learn_words()
        self._make_room(stop - start)
        kinds, row_of, first, row_kind, last = self._kinds, self.row_of, self.first, self.kind, self.last
        progress_code = columns.methods.codes.get("notifications/progress", -1)
        starts = bytearray(stop - start)
        note_end = columns.note[start - 1] if start else 0
        cells = zip(
            columns.channel[start:stop],
            columns.direction[start:stop],
            columns.kind[start:stop],
            columns.method[start:stop],
            columns.call[start:stop],
            columns.size[start:stop],
            columns.faults[start:stop],
            columns.note[start:stop],
            strict=True,
        )
        for seq, (channel, direction, kind, method, call, size, faults, note) in enumerate(cells, start + 1):
            shape = kinds[kind] if channel == MESSAGE else 0
            row = above = -1
            if 0 < call < seq:
                above = row_of[call - 1]
                if first[above] != call or row_kind[above] != REQUEST:
                    above = -1
            if shape != REQUEST:
                row = above
                if row < 0 and shape == RESPONSE:
                    asked = RECEIVED if direction == SENT else SENT
                    row = self._pending.get(self._key(seq, asked), -1)
            if row >= 0:
                if shape == RESPONSE:
                    self._answer(row, seq, kind, size)
                elif shape == NOTIFICATION and method == progress_code:
                    self.progress[row] += 1
                elif not self._folded(row, seq, channel, shape, kind, method, size):
                    row = -1
            if row < 0:
                starts[seq - start - 1] = 1
                row = len(first)
                first.append(seq)
                self.size[row] = size
                if above >= 0:
                    self.parent[row] = above + 1
                    self._parts.setdefault(above, []).append(row)
                    if shape == REQUEST:
                        self.nested.append(row)
                if shape == REQUEST:
                    key = self._key(seq, direction)
                    self._pending[key] = row
                    self._open[row] = key
                    row_kind.append(REQUEST)
                    self.state.append(PENDING)
                else:
                    shape = shape or CHANNEL_KINDS[Channel(channel)]
                    row_kind.append(shape)
                    self.state.append(self._first_state(seq, shape, kind))
            row_of.append(row)
            last[row] = seq
            if faults:
                self.faults[row] += faults
            if note != note_end:
                self.note[row] = seq
                note_end = note
            if row < old:
                updated.add(row)
        self._give_room_back()
        for mine, theirs in (
            (self.direction, columns.direction),
            (self.server, columns.server),
            (self.method, columns.method),
            (self.target, columns.target),
        ):
            mine.extend(compress(theirs[start:stop], starts))

    def _make_room(self, count: int) -> None:
        """Lengthen the columns that start at nothing by `count` rows: one step here instead of one for each row."""
        for column in self._blank:
            column.frombytes(bytes(count * column.itemsize))
        self.elapsed_ns.frombytes(b"\xff" * (count * self.elapsed_ns.itemsize))

    def _give_room_back(self) -> None:
        count = len(self.first)
        for column in (*self._blank, self.elapsed_ns):
            del column[count:]

    def _folded(self, row: int, seq: int, channel: int, shape: int, kind: int, method: int, size: int) -> bool:
        """Take in what else a request's row can be told; False for what is still a thing of its own.

        A log message or an HTTP exchange may name the request it happened for and yet has its own row.
        """
        if shape == INVALID:
            self._answer(row, seq, kind, size)
            return True
        if shape == NOTIFICATION and self.log.columns.methods.texts[method] == "notifications/cancelled":
            self.cancels[row] = min(self.cancels[row] + 1, 255)
            self._end(row, CANCELLED, seq)
            return True
        if channel != LIFECYCLE:
            return False
        ending = self._endings[kind]
        if ending == LATE:
            self.late[row] = max(self.late[row], 1)
        elif ending:
            failed = ending == OK and self.log.columns.flags[seq - 1] & TOOL_ERROR
            self._end(row, FAILED_TOOL if failed else ending, seq)
        return True

    def _first_state(self, seq: int, shape: int, kind: int) -> int:
        if shape == RowKind.RESPONSE:
            return RowState.LATE
        if shape in (RowKind.INVALID, RowKind.STDOUT):
            return RowState.INVALID
        if shape == RowKind.HTTP:
            return RowState.ERROR if self.log.columns.status[seq - 1] >= 400 else RowState.INFO
        if shape == RowKind.LIFECYCLE and self.log.columns.kinds.texts[kind] in FAILED_EVENTS:
            # A process that ends with code 0 did what it was asked to.
            return RowState.INFO if self.log.columns.status[seq - 1] == 0 else RowState.ERROR
        return RowState.INFO

    def _key(self, seq: int, asked: int) -> _Key:
        """What names a request: server, connection and who asked, packed, and its id."""
        columns = self.log.columns
        index = seq - 1
        origin = columns.server[index] << 34 | columns.connection[index] << 2 | asked
        ident = columns.id[index]
        if ident >= 0:
            return (origin, ident)
        # A request without an id cannot be answered by id: its own number keeps it apart from all others.
        return (origin, same_number(columns.id_of(ident)) if ident != NO_ID else f"#{seq}")

    def _answer(self, row: int, seq: int, kind: int, size: int) -> None:
        """An answer to the request of `row`, or a malformed message in place of one."""
        self.size[row] += size
        shape, state = self._kinds[kind], self.state[row]
        if shape == INVALID:
            ended = BAD
        elif kind == self._error_code:
            ended = ERROR
        else:
            ended = FAILED_TOOL if self.log.columns.flags[seq - 1] & TOOL_ERROR else OK
        # A malformed answer can be followed by the real one, which then counts.
        waits = row in self._open and self._open[row] in self._pending
        if state == PENDING and not waits and self.reply[row]:
            self.late[row] = min(self.late[row] + 1, 255)
        elif state == PENDING or (state == BAD and ended != BAD):
            self.reply[row] = seq
            if ended == OK and self.log.columns.flags[seq - 1] & UNFINISHED:
                self._goes_on(row)
            else:
                self._end(row, ended, seq)
        elif state != BAD:
            self.late[row] = min(self.late[row] + 1, 255)
            if not self.reply[row]:
                self.reply[row] = seq
                self.elapsed_ns[row] = self._since(row, seq)

    def _end(self, row: int, state: int, seq: int) -> None:
        """A request ends, unless it has ended already."""
        if self.state[row] not in (PENDING, BAD):
            return
        self.state[row] = state
        self.elapsed_ns[row] = self._since(row, seq)
        if self.parent[row]:
            self._part_ended(row, state, seq)
        key = self._open.pop(row, None)
        if state == BAD:
            return  # The real answer may still come, and then has to find its request by id.
        if key is None:
            first = self.first[row]
            key = self._key(first, self.log.columns.direction[first - 1])
        if self._pending.get(key) == row:
            del self._pending[key]

    def _goes_on(self, row: int) -> None:
        """An answer has come after which the operation goes on: a part of it will end it.

        A part that goes on does so as a part of its own operation, and has ended itself.
        """
        if self.parent[row] and self._is_ours(row):
            self._end(row, OK, self.reply[row])
            return
        key = self._open.get(row)
        if key is not None and self._pending.get(key) == row:
            del self._pending[key]

    def _part_ended(self, row: int, state: int, seq: int) -> None:
        """The last retry of a request, or the result of its task, ends the operation, too."""
        above = self.parent[row] - 1
        columns = self.log.columns
        mine, theirs = self.first[row] - 1, self.first[above] - 1
        again = columns.method[mine] == columns.method[theirs]
        result = again or columns.methods.texts[columns.method[mine]] == "tasks/result"
        unfinished = bool(self.reply[row]) and columns.flags[self.reply[row] - 1] & UNFINISHED
        if not result or unfinished or not self._is_ours(row) or self.state[above] != PENDING:
            return
        if self.reply[row]:
            self.reply[above] = self.reply[row]
        self._end(above, state, seq)
        if self._updated is not None:
            self._updated.add(above)

    def _is_ours(self, row: int) -> bool:
        return self.log.columns.direction[self.first[row] - 1] == SENT

    def _since(self, row: int, seq: int) -> int:
        times = self.log.columns.mono_ns
        return max(times[seq - 1] - times[self.first[row] - 1], 0)

    def _learn_words(self) -> None:
        texts = self.log.columns.kinds.texts
        for text in texts[len(self._kinds) :]:
            self._kinds.append(int(MESSAGE_KINDS.get(text, RowKind.INVALID)))
            self._endings.append(int(ENDINGS.get(text, 0)))
        self._error_code = self.log.columns.kinds.codes.get("error", -1)
