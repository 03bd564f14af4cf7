"""Everything that happened in one session, in order: rows in memory, bodies in a file."""

from __future__ import annotations

import json
import sqlite3
import weakref
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.signals import Signal
from mcp_inspector.store.columns import NO_STATUS, NOTE_LIMIT, Columns
from mcp_inspector.store.layout import PART_BYTES
from mcp_inspector.store.marks import Marks
from mcp_inspector.store.record import Channel, Direction, Entry, Record
from mcp_inspector.store.session_file import SessionFile, SessionFileError
from mcp_inspector.store.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from mcp_inspector.store.marks import Row
    from mcp_inspector.store.session_file import SessionInfo

_encode_extra = msgspec.json.Encoder(enc_hook=repr).encode
_LINES = frozenset({Channel.STDERR, Channel.STDOUT})
_NOTE_FACTS = ("sentence", "event", "step", "reason")


@dataclass(frozen=True)
class Run:
    """A piece of the session's payload bytes, for a search from end to end.

    It holds body and extra text of record `seq`, of the next, and so on; when `whole` is False, one part, from `offset`
    on, of the big payload of `seq`.
    """

    columns: Columns
    seq: int
    data: bytes
    whole: bool = True
    offset: int = 0

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """Where in `data` each body and each extra text ends, in turn; for whole payloads only."""
        size, extra = self.columns.size, self.columns.extra
        ends = []
        total, index = 0, self.seq - 1
        while total < len(self.data) and index < len(size):
            ends.append(total := total + size[index])
            ends.append(total := total + extra[index])
            index += 1
        return tuple(ends)


class Log:
    """The records of one session. `append` is for one thread, the loop's; everything else for any thread.

    `changed` is sent on the appending thread after each append; when `problem` changes, through `post`, which runs a
    function on that thread, or else with the next append. `problem` is a sentence while the file cannot be written, or
    about damage found in it; empty when all is well. `live` says whether records may still come.
    """

    def __init__(
        self,
        file: SessionFile | None = None,
        *,
        live: bool = True,
        problem: str = "",
        post: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        self.changed: Signal[()] = Signal()
        self.live = live
        self.path: Path | None = file.path if file is not None else None
        self.columns = Columns()
        self._problem = problem
        self._file = file
        if file is not None and not live:
            self.columns, self._problem = file.load()
        changed = self.changed
        self._writer = Writer(
            self.columns,
            file if live else None,
            (lambda: post(changed.send)) if post is not None else (lambda: None),
        )
        keep = partial(_keep_marks, self._writer if live else None, file)
        self.marks = Marks(keep, file.marks() if file is not None and not live else ())
        """What the person wrote on records. For the thread of the window, whatever thread appends."""
        self._add = self.columns.add
        self._count = len(self.columns)
        self._closer = weakref.finalize(self, self._writer.close)

    @classmethod
    def create(cls, folder: Path, program: str = "", post: Callable[[Callable[[], None]], object] | None = None) -> Log:
        """Start a session in a new file in `folder`; where that cannot be, in memory, and `problem` says so."""
        try:
            return cls(SessionFile.create(folder, program), post=post)
        except SessionFileError as error:
            return cls(problem=f"{error} Traffic is kept in memory only and is gone when the program ends.")

    @classmethod
    def open(cls, path: Path) -> Log:
        """Read an earlier session. Raises `SessionFileError`."""
        return cls(SessionFile.open(path), live=False)

    def __len__(self) -> int:
        """How many records there are, which is also the seq of the last."""
        return self._count

    def __bool__(self) -> bool:
        """An empty log is still a log: without this, ``log or other`` would throw it away."""
        return True

    @property
    def problem(self) -> str:
        """What is wrong with keeping the session, as a sentence; empty when nothing is."""
        return self._writer.problem or self._problem

    def append(self, entry: Entry) -> int:
        """Add a record and return its seq. Never raises for what the entry holds or what the disk does."""
        if not self.live:
            raise RuntimeError("an earlier session cannot be added to")
        extra = _extra(entry) if entry.facts or entry.faults else b""
        note = _note(entry) if extra or entry.channel in _LINES else b""
        try:
            self._add(entry, len(extra), note)
        except (OverflowError, TypeError, ValueError, AttributeError):
            self.columns.truncate(self._count)
            entry = _tame(entry)
            self._add(entry, len(extra), note)
        self._writer.put(entry.data, extra)
        # Counted last: other threads look at a record only when both halves of it are there.
        self._count = seq = self._count + 1
        self.changed.send()
        return seq

    def record(self, seq: int, *, body: bool = True) -> Record:
        """One record; without `body` its data is left empty, and the disk is only read for its facts.

        Raises `IndexError` for a seq that is not there.
        """
        if not 0 < seq <= self._count:
            raise IndexError(f"there is no record {seq}")
        return self._record(seq, self.body(seq) if body else b"", *self._extra(seq))

    def records(self, start: int = 1, *, largest: int = 1 << 62) -> Iterator[Record]:
        """The records from `start` on as the session stands now: read block by block, so that all of them are cheap.

        A body of more than `largest` bytes is left empty. Raises `sqlite3.Error` for a damaged file.
        """
        size, extra = self.columns.size, self.columns.extra
        for run in self.runs(start):
            if not run.whole:
                if run.offset == 0 and run.seq >= start:
                    yield self.record(run.seq, body=size[run.seq - 1] <= largest)
                continue
            index, at = run.seq - 1, 0
            while index < self._count and at + size[index] + extra[index] <= len(run.data):
                middle, end = at + size[index], at + size[index] + extra[index]
                if index + 1 >= start:
                    body = run.data[at:middle] if size[index] <= largest else b""
                    yield self._record(index + 1, body, *_read_extra(run.data[middle:end]))
                index, at = index + 1, end

    def _record(self, seq: int, body: bytes, faults: tuple[str, ...], facts: dict[str, Any]) -> Record:
        columns, index = self.columns, seq - 1
        status = columns.status[index]
        return Record(
            seq,
            Entry(
                columns.servers.texts[columns.server[index]],
                columns.connection[index],
                Channel(columns.channel[index]),
                Direction(columns.direction[index]),
                columns.wall_ns[index],
                columns.mono_ns[index],
                body,
                columns.kinds.texts[columns.kind[index]],
                columns.methods.texts[columns.method[index]],
                columns.id_text(index),
                columns.targets.texts[columns.target[index]],
                None if status == NO_STATUS else status,
                columns.call[index],
                faults,
                facts,
            ),
        )

    def slice(self, start: int, stop: int, *, body: bool = True) -> list[Record]:
        """The records with `start` <= seq < `stop`, as far as they are there."""
        return [self.record(seq, body=body) for seq in range(max(start, 1), min(stop, len(self) + 1))]

    def body_size(self, seq: int) -> int:
        """Bytes of a record's body."""
        return self.columns.size[seq - 1]

    def body(self, seq: int) -> bytes:
        """A record's whole body. Empty, too, when a damaged file does not give it."""
        return self._payload(seq, 0, self.body_size(seq))

    def body_part(self, seq: int, start: int, length: int) -> bytes:
        """At most `length` bytes of a body from `start` on, without reading the rest of it."""
        return self._payload(seq, start, min(length, self.body_size(seq) - start))

    def faults(self, seq: int) -> tuple[str, ...]:
        """The sentences about what is wrong with a record."""
        return self._extra(seq)[0] if self.columns.faults[seq - 1] else ()

    def facts(self, seq: int) -> dict[str, Any]:
        """The facts of a record."""
        return self._extra(seq)[1]

    def note(self, seq: int) -> str:
        """The short text that a row without a method shows: the line, the sentence. From memory."""
        return self.columns.note_text(seq - 1)

    def runs(self, seq: int = 1) -> Iterator[Run]:
        """All payload bytes from record `seq` on as the session stands now, in order: what a search reads.

        Records before `seq` may come, too, when they share a block with it. Raises `sqlite3.Error` for a damaged file.
        """
        count = len(self)
        first, waiting = self._writer.waiting() if self.live else (count + 1, [])
        if self._file is not None:
            for block in self._file.blocks(seq, first):
                big = self.columns.size[block.seq - 1] + self.columns.extra[block.seq - 1] > len(block.data)
                yield Run(self.columns, block.seq, block.data, not (big or block.part), block.part * PART_BYTES)
        for place, (body, extra) in enumerate(waiting, first):
            if place >= seq and (body or extra):
                yield Run(self.columns, place, body + extra)

    def info(self) -> SessionInfo | None:
        """The summary of the session's file, None when there is none or it cannot be read."""
        try:
            return self._file.info() if self._file is not None else None
        except sqlite3.Error:
            return None

    def flush(self, seconds: float = 10) -> bool:
        """Wait until everything is on disk; False when it is not in time, or there is no file."""
        return self._writer.flush(seconds)

    def close(self, seconds: float = 10) -> bool:
        """Write what is left and give the file back, in `seconds` at most; False when not all was written in time.

        What is on disk by then stays there. What is appended later stays in memory.
        """
        whole = self._writer.close(seconds)
        self._closer()
        if not self.live and self._file is not None:
            self._file.close()
        return whole

    def _payload(self, seq: int, start: int, length: int) -> bytes:
        if length <= 0 or start < 0:
            return b""
        if self.live:
            waiting = self._writer.get(seq)
            if waiting is not None:
                body, extra = waiting
                return body[start : start + length] if start < len(body) else extra[start - len(body) :][:length]
        if self._file is None:
            return b""
        size, extra_size = self.columns.size, self.columns.extra
        try:
            return self._file.read(
                seq,
                lambda first: sum(size[first - 1 : seq - 1]) + sum(extra_size[first - 1 : seq - 1]),
                start,
                length,
            )
        except (sqlite3.Error, ValueError):
            return b""

    def _extra(self, seq: int) -> tuple[tuple[str, ...], dict[str, Any]]:
        length = self.columns.extra[seq - 1]
        return _read_extra(self._payload(seq, self.columns.size[seq - 1], length) if length else b"")


def _read_extra(data: bytes) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Faults and facts of a record from the text behind its body."""
    if not data:
        return (), {}
    try:
        faults, facts = json.loads(data)
    except (ValueError, TypeError, RecursionError):
        return (), {}
    return tuple(map(str, faults)) if isinstance(faults, list) else (), facts if isinstance(facts, dict) else {}


def _keep_marks(writer: Writer | None, file: SessionFile | None, rows: Sequence[Row]) -> str:
    """Bring marks to the file. No method: the marks must not keep a forgotten log alive."""
    if writer is not None:
        writer.put_marks(rows)
    elif file is not None:
        try:
            file.write_marks(rows)
        except sqlite3.Error as error:
            return f"The marks cannot be kept in {file.path.name} ({error}): they are gone when it is closed."
    return ""


def _extra(entry: Entry) -> bytes:
    try:
        return _encode_extra((entry.faults, entry.facts))
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        # Lone surrogates and integers past 64 bits: the slower encoder writes them.
        try:
            return json.dumps((entry.faults, dict(entry.facts)), default=repr).encode()
        except (TypeError, ValueError, RecursionError):
            return json.dumps(((), {"unreadable": repr(entry.facts)[:NOTE_LIMIT]})).encode()


def _note(entry: Entry) -> bytes:
    """What the record's row shows beside or instead of a method."""
    if entry.channel in _LINES:
        return entry.data[:NOTE_LIMIT]
    facts = entry.facts
    for name in _NOTE_FACTS:
        text = facts.get(name)
        if isinstance(text, str) and text:
            return text.encode("utf-8", "surrogatepass")[:NOTE_LIMIT]
    argv = facts.get("argv")
    if isinstance(argv, list | tuple):
        return " ".join(map(str, argv)).encode("utf-8", "surrogatepass")[:NOTE_LIMIT]
    if facts.get("signal") is not None:
        return f"signal {facts['signal']}".encode("utf-8", "surrogatepass")[:NOTE_LIMIT]
    return b""


def _tame(entry: Entry) -> Entry:
    """The same entry with every value brought to its type and into its column's range."""
    status = entry.status
    return Entry(
        str(entry.server),
        _within(entry.connection, 2**32 - 1),
        Channel(entry.channel) if entry.channel in set(Channel) else Channel.LIFECYCLE,
        Direction(entry.direction) if entry.direction in set(Direction) else Direction.LOCAL,
        _within(entry.wall_ns, 2**63 - 1),
        _within(entry.mono_ns, 2**63 - 1),
        bytes(entry.data),
        str(entry.kind),
        str(entry.method),
        str(entry.id),
        str(entry.target),
        status if isinstance(status, int) and abs(status) < 2**63 else None,
        _within(entry.call, 2**32 - 1),
        entry.faults,
        entry.facts,
    )


def _within(value: int, limit: int) -> int:
    return min(max(int(value), 0), limit)
