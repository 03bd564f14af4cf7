"""The file of one session: SQLite, so that what was committed survives a crash and one file holds everything."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.store import opening
from mcp_inspector.store.columns import Columns
from mcp_inspector.store.layout import MARKS, PART_BYTES, PARTS, blocks_of, merge_small_segments
from mcp_inspector.store.opening import SUFFIX, SessionFileError
from mcp_inspector.store.record import Channel, Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from mcp_inspector.store.marks import Row

__all__ = ["SUFFIX", "Batch", "Block", "SessionFile", "SessionFileError", "SessionInfo", "info_of", "sessions"]


@dataclass(frozen=True)
class SessionInfo:
    """What is known of a session without opening it whole.

    `ended_wall_ns` is 0 for one that is still written or was cut off. `size` is bytes on disk. `problem` is a sentence
    when the file cannot be read; the rest is then empty.
    """

    path: Path
    started_wall_ns: int = 0
    ended_wall_ns: int = 0
    rows: int = 0
    size: int = 0
    servers: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Batch:
    """What one commit adds: rows `first`, `first` + 1, … and the words and heaps that came new with them."""

    first: int
    count: int
    columns: bytes
    ids: bytes
    notes: bytes
    words: Sequence[tuple[int, int, bytes]]
    payloads: Sequence[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Block:
    """A run of payload bytes: of records from `seq` on, or `part` (counted from 0) of the one big payload of `seq`."""

    seq: int
    part: int
    data: bytes


@dataclass(eq=False)
class SessionFile:
    """One open session file. One thread may write; reads come from any thread, one at a time under a lock."""

    path: Path
    _reader: sqlite3.Connection
    _writer: sqlite3.Connection | None = None
    _copy: opening.Copy | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def create(cls, folder: Path, program: str = "") -> SessionFile:
        """Make a new file in `folder`, named by the local date and time, for the owner's eyes only.

        Raises `SessionFileError` when the folder cannot be written.
        """
        try:
            path, writer = opening.make(folder, program)
            return cls(path, opening.connect(path, "mode=ro"), writer)
        except (OSError, sqlite3.Error) as error:
            raise SessionFileError(f"No session file can be written in {folder}: {error}.") from error

    @classmethod
    def open(cls, path: Path) -> SessionFile:
        """Open an earlier session to read: a finished one, one cut off by a crash, one on a read-only disk.

        Raises `SessionFileError` when it is no session file, too new, or cannot be read.
        """
        try:
            reader, copy = opening.reading(path)
        except (OSError, sqlite3.Error) as error:
            raise SessionFileError(f"{path} cannot be read as a session: {error}.") from error
        return cls(path, reader, _copy=copy)

    def close(self) -> None:
        """Give the file back; a session that was written ends here. Never raises."""
        with self._lock, suppress(sqlite3.Error):
            self._reader.close()
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(sqlite3.Error):
                writer.execute("INSERT OR REPLACE INTO meta VALUES ('ended_wall_ns', ?)", (time.time_ns(),))
                # A session that has ended is one plain file: it can be copied, mailed, read from a read-only disk.
                writer.execute("PRAGMA journal_mode = DELETE")
            with suppress(sqlite3.Error):
                writer.close()
        if self._copy is not None:
            self._copy.cleanup()

    def write(self, batch: Batch) -> None:
        """Commit one batch, all or nothing. For the one writing thread. Raises `sqlite3.Error`."""
        writer = self._writer
        if writer is None:
            raise sqlite3.ProgrammingError("the session file is not open for writing")
        writer.execute("BEGIN IMMEDIATE")
        try:
            writer.executemany("INSERT INTO word VALUES (?, ?, ?)", batch.words)
            row = (batch.first, batch.count, batch.columns, batch.ids, batch.notes)
            writer.execute("INSERT INTO segment VALUES (?, ?, ?, ?, ?)", row)
            writer.executemany("INSERT INTO block VALUES (?, ?)", blocks_of(batch.first, batch.payloads))
            merge_small_segments(writer, batch.count)
            writer.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                writer.execute("ROLLBACK")
            raise

    def write_marks(self, rows: Sequence[Row]) -> None:
        """Keep what stands on records now, also in an earlier session. Raises `sqlite3.Error`.

        For the writing thread; of a file that is only read, for the thread that reads it.
        """
        writer = self._writer
        if writer is None:
            if self._copy is not None:
                raise sqlite3.OperationalError("what is read is a copy of it")
            with self._lock:
                # A connection that takes the file for immutable would not see what another one writes.
                writer = opening.connect(self.path, "mode=rw")
                self._reader.close()
                self._reader = writer
        with self._lock if self._writer is None else nullcontext():
            writer.execute(MARKS)
            writer.execute("BEGIN IMMEDIATE")
            try:
                for seq, colour, pinned, comment in rows:
                    if colour or pinned or comment:
                        text = comment.encode("utf-8", "replace").decode()
                        writer.execute("INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?)", (seq, colour, pinned, text))
                    else:
                        writer.execute("DELETE FROM mark WHERE seq = ?", (seq,))
                writer.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    writer.execute("ROLLBACK")
                raise

    def marks(self) -> list[Row]:
        """What stands on records; nothing for a file that cannot say."""
        with self._lock, suppress(sqlite3.Error):
            rows = self._reader.execute("SELECT seq, colour, pinned, comment FROM mark ORDER BY seq").fetchall()
            return [row for row in rows if [type(value) for value in row] == [int, int, int, str]]
        return []

    def load(self) -> tuple[Columns, str]:
        """All columns, and a sentence when the file is damaged: what comes before the damage is then there."""
        columns = Columns()
        damage = ""
        try:
            with self._lock:
                self._load(columns)
        except (sqlite3.Error, ValueError, TypeError, IndexError) as error:
            damage = str(error)
        sound = _sound_rows(columns)
        if sound < len(columns):
            damage = damage or "a value points nowhere"
        columns.truncate(sound)
        return columns, f"{self.path.name} is damaged ({damage}): {sound:,} rows could be read." if damage else ""

    def info(self) -> SessionInfo:
        """The summary of this file. Raises `sqlite3.Error`."""
        with self._lock:
            meta = dict(self._reader.execute("SELECT name, value FROM meta"))
            last = self._reader.execute("SELECT first + count - 1 FROM segment ORDER BY first DESC LIMIT 1").fetchone()
            words = self._reader.execute("SELECT text FROM word WHERE pool = 0 ORDER BY code").fetchall()
        servers = tuple(text.decode("utf-8", "replace") for (text,) in words if isinstance(text, bytes))
        started, ended = (_number(meta.get(name)) for name in ("started_wall_ns", "ended_wall_ns"))
        return SessionInfo(self.path, started, ended, last[0] if last else 0, _size(self.path), servers)

    def read(self, seq: int, before: Callable[[int], int], start: int, length: int) -> bytes:
        """Bytes of the payload of `seq`, from `start`. Raises `sqlite3.Error`, also when they are not there.

        `before` gives the payload bytes of all records from a given one up to `seq`: the place inside a block.
        """
        key = seq * PARTS
        with self._lock:
            nearest = self._reader.execute("SELECT max(id) FROM block WHERE id <= ?", (key,)).fetchone()[0]
            if nearest is None or (nearest != key and nearest % PARTS):
                raise sqlite3.DataError(f"the file has no block with record {seq}")
            if nearest != key:
                return self._read_block(nearest, before(nearest // PARTS) + start, length)
            part, offset = divmod(start, PART_BYTES) if self._is_big(seq) else (0, start)
            pieces = []
            while length > 0:
                piece = self._read_block(key + part, offset, length)
                if not piece:
                    raise sqlite3.DataError(f"the payload of record {seq} ends too soon")
                pieces.append(piece)
                length -= len(piece)
                part, offset = part + 1, 0
            return b"".join(pieces)

    def blocks(self, seq: int, stop: int) -> Iterator[Block]:
        """The blocks that hold records from `seq` up to, not with, `stop`, in order."""
        key = seq * PARTS
        with self._lock:
            nearest = self._reader.execute("SELECT max(id) FROM block WHERE id <= ?", (key,)).fetchone()[0]
        key = (key if nearest is None else nearest) - 1
        while True:
            with self._lock:
                rows = self._reader.execute(
                    "SELECT id, data FROM block WHERE id > ? AND id < ? ORDER BY id LIMIT 16", (key, stop * PARTS)
                ).fetchall()
            if not rows:
                return
            for found, data in rows:
                yield Block(found // PARTS, found % PARTS, data)
            key = rows[-1][0]

    def _load(self, columns: Columns) -> None:
        for pool, code, text in self._reader.execute("SELECT pool, code, text FROM word ORDER BY pool, code"):
            words = columns.pools[pool]
            if code != len(words) or not isinstance(text, bytes):
                raise ValueError(f"word {code} of pool {pool} is out of place")
            shown = text.decode("utf-8", "surrogatepass")
            words.codes[shown] = code
            words.texts.append(shown)
        for first, count, blob, ids, notes in self._reader.execute("SELECT * FROM segment ORDER BY first"):
            if first != len(columns) + 1:
                raise ValueError(f"rows {len(columns) + 1} to {first - 1} are missing")
            columns.load(blob, count)
            columns.ids += ids
            columns.notes += notes

    def _is_big(self, seq: int) -> bool:
        key = seq * PARTS + 1
        return self._reader.execute("SELECT 1 FROM block WHERE id = ?", (key,)).fetchone() is not None

    def _read_block(self, key: int, offset: int, length: int) -> bytes:
        with self._reader.blobopen("block", "data", key, readonly=True) as blob:
            if offset >= len(blob):
                return b""
            blob.seek(offset)
            return blob.read(length)


def sessions(folder: Path) -> list[SessionInfo]:
    """All sessions in a folder, newest first; one that cannot be read is listed with its problem."""
    found = [info_of(path) for path in folder.glob(f"*{SUFFIX}")]
    return sorted(found, key=lambda info: (info.started_wall_ns, info.path.name), reverse=True)


def info_of(path: Path) -> SessionInfo:
    """The summary of one session, or with its problem when it cannot be read. Never raises."""
    try:
        file = SessionFile.open(path)
    except SessionFileError as error:
        return SessionInfo(path, size=_size(path), problem=str(error))
    try:
        return file.info()
    except sqlite3.Error as error:
        return SessionInfo(path, size=_size(path), problem=f"{path} is damaged: {error}.")
    finally:
        file.close()


def _size(path: Path) -> int:
    total = 0
    for file in (path, opening.companion(path)):
        with suppress(OSError):
            total += file.stat().st_size
    return total


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _sound_rows(columns: Columns) -> int:
    """How many rows from the start are whole and point to something: the file may come from anyone."""
    count = min(len(column) for column in columns.arrays)
    for codes, limit in (
        (columns.server, len(columns.servers)),
        (columns.kind, len(columns.kinds)),
        (columns.method, len(columns.methods)),
        (columns.target, len(columns.targets)),
        (columns.channel, max(Channel) + 1),
        (columns.direction, max(Direction) + 1),
    ):
        if count and max(codes) >= limit:
            count = min(count, next(index for index, code in enumerate(codes) if code >= limit))
    for column in (columns.channel, columns.direction):
        if 0 in column:
            count = min(count, column.index(0))
    return count
