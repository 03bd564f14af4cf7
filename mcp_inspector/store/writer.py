"""What is not on disk yet, and the one thread that brings it there."""

from __future__ import annotations

import sqlite3
import threading
import time
from typing import TYPE_CHECKING

from mcp_inspector.store.session_file import Batch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_inspector.store.columns import Columns
    from mcp_inspector.store.marks import Row
    from mcp_inspector.store.session_file import SessionFile

Payload = tuple[bytes, bytes]
"""A record's body and the JSON text with its faults and facts."""

QUEUE_BYTES = 48_000_000
_BATCH_BYTES = 4_000_000
_BATCH_SECONDS = 0.1
_RETRY_SECONDS = 2.0
_ROOM_SECONDS = 0.02
_SLOW_SECONDS = 1.0
_OVERHEAD = 100
_COUNTED_BYTES = 8_000_000


class Writer:
    """Takes payloads from the appending thread and commits them in batches; without a file it only keeps them.

    A batch is committed 100 ms after its first record, or once it has 4 MB. While more than 48 MB wait, each `put`
    waits for room, 20 ms at most, so that the window goes on; after a second of that, `problem` says that the disk is
    slow. Nothing is dropped. One body counts for 8 MB at most, so that a single huge one holds nobody up. When the file
    cannot be written, everything stays in memory, `problem` says so, and the write is tried again every two seconds.
    `told` is called on the writing thread when `problem` has changed.
    """

    def __init__(self, columns: Columns, file: SessionFile | None, told: Callable[[], object]) -> None:
        self.problem = ""
        self.waiting_bytes = 0
        self._columns = columns
        self._file = file
        self._told = told
        self._lock = threading.Lock()
        self._work = threading.Condition(self._lock)
        self._done = threading.Condition(self._lock)
        self._pending: list[Payload] = []
        self._pending_first = 1
        self._writing: list[Payload] = []
        self._marks: dict[int, Row] = {}
        self._urgent = False
        self._full_since = self._full_at = -1e9  # the queue has been full since, and was so last
        self._stopping = False
        self._late = False  # close did not wait to the end: no further batch
        self._words_done = [1] * len(columns.pools)
        self._ids_done = 0
        self._thread: threading.Thread | None = None
        if file is not None:
            # A daemon: a program that forgot to close still ends; `Log` flushes at exit.
            self._thread = threading.Thread(target=self._run, name="session writer", daemon=True)
            self._thread.start()

    def put(self, body: bytes, extra: bytes) -> None:
        """Hand over the payload of the next record, whose row is in the columns already."""
        cost = _cost(body, extra)
        with self._lock:
            self._pending.append((body, extra))
            self.waiting_bytes += cost
            if self._thread is None:
                return
            if len(self._pending) == 1:
                self._work.notify()
            if self.waiting_bytes > _BATCH_BYTES:
                if not self._urgent:
                    self._urgent = True
                    self._work.notify()
                if self.waiting_bytes > QUEUE_BYTES and not self.problem:
                    self._wait_for_room()

    def put_marks(self, rows: Sequence[Row]) -> None:
        """Hand over what stands on records now; written with the next batch."""
        with self._lock:
            if self._thread is not None:
                self._marks.update({row[0]: row for row in rows})
                self._work.notify()

    def get(self, seq: int) -> Payload | None:
        """The payload of a record that is not on disk yet, None when it is."""
        with self._lock:
            place = seq - self._pending_first
            if place >= 0:
                return self._pending[place]
            place += len(self._writing)
            return self._writing[place] if place >= 0 else None

    def waiting(self) -> tuple[int, list[Payload]]:
        """All payloads that are not on disk yet, and the seq of the first."""
        with self._lock:
            return self._pending_first - len(self._writing), self._writing + self._pending

    def flush(self, seconds: float) -> bool:
        """Wait until all that was put is on disk; False when it is not in time."""
        if self._thread is None:
            return False
        with self._lock:
            target = self._pending_first + len(self._pending)
            self._urgent = True
            self._work.notify()
            return self._done.wait_for(
                lambda: self._pending_first - len(self._writing) >= target and not self._marks, seconds
            )

    def close(self, seconds: float = 10) -> bool:
        """Commit what is left, end the thread, close the file; False when that was not done in time.

        May be called twice. Never raises. After `seconds` the batch that is being written is still committed by the
        thread, as a whole or, when the program ends first, not at all; no further one is begun.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return True
        with self._lock:
            self._stopping = True
            self._work.notify()
        thread.join(max(0.0, seconds))
        self._late = thread.is_alive()
        return not self._late

    def _wait_for_room(self) -> None:
        """Hold the appending thread for a moment while the disk catches up; after a while memory has to give."""
        began = time.monotonic()
        if began - self._full_at > 2 * _SLOW_SECONDS:
            self._full_since = began  # the queue was not full for a while
        has_room = self._done.wait_for(lambda: self.waiting_bytes < QUEUE_BYTES or bool(self.problem), _ROOM_SECONDS)
        self._full_at = time.monotonic()
        if has_room:
            self._full_since = self._full_at
        elif self._full_at - self._full_since >= _SLOW_SECONDS:
            self.problem = "The session file is written too slowly: traffic waits in memory for the disk."

    def _run(self) -> None:
        while True:
            with self._lock:
                self._work.wait_for(lambda: self._stopping or self._pending or self._writing or self._marks)
                if not self._writing:
                    self._work.wait_for(lambda: self._stopping or self._urgent, _BATCH_SECONDS)
                    self._take()
                stopping = self._stopping
            failed = self._write()
            with self._lock:
                if stopping and (failed or self._late or not (self._pending or self._marks)):
                    break
                if failed:
                    self._work.wait_for(lambda: self._stopping, _RETRY_SECONDS)
        if self._file is not None:
            self._file.close()

    def _take(self) -> None:
        """Move what is pending to what is written next: of much, a part, so that room comes soon and often."""
        count = len(self._pending)
        if self.waiting_bytes > 2 * _BATCH_BYTES:
            count = max(count * 2 * _BATCH_BYTES // self.waiting_bytes, 1)
        self._writing, self._pending = self._pending[:count], self._pending[count:]
        self._pending_first += len(self._writing)
        self._urgent = bool(self._pending)

    def _write(self) -> bool:
        """Commit the batch in `_writing`; True when that failed, and it stays there."""
        payloads = self._writing
        with self._lock:
            marks = list(self._marks.values())
        if self._file is None or not (payloads or marks):
            return False
        try:
            batch = self._batch(self._pending_first - len(payloads), payloads) if payloads else None
            if batch is not None:
                self._file.write(batch)
            if marks:
                self._file.write_marks(marks)
        except (sqlite3.Error, OSError, MemoryError) as error:
            self._say(f"The session file cannot be written ({error}): traffic is kept in memory only until it can.")
            return True
        if batch is not None:
            for pool, _, _ in batch.words:
                self._words_done[pool] += 1
            self._ids_done += len(batch.ids)
        with self._lock:
            for row in marks:
                if self._marks.get(row[0]) is row:
                    del self._marks[row[0]]
            self._writing = []
            self.waiting_bytes -= sum(_cost(body, extra) for body, extra in payloads)
            self._done.notify_all()
        self._say("")
        return False

    def _batch(self, first: int, payloads: list[Payload]) -> Batch:
        columns = self._columns
        start, stop = first - 1, first - 1 + len(payloads)
        notes_from = columns.note[start - 1] if start else 0
        words = [
            (number, code, text.encode("utf-8", "surrogatepass"))
            for number, pool in enumerate(columns.pools)
            for code, text in enumerate(pool.texts[self._words_done[number] :], self._words_done[number])
        ]
        return Batch(
            first,
            len(payloads),
            columns.cut(start, stop),
            bytes(columns.ids[self._ids_done :]),
            bytes(columns.notes[notes_from : columns.note[stop - 1]]),
            words,
            payloads,
        )

    def _say(self, problem: str) -> None:
        with self._lock:
            if problem == self.problem:
                return
            self.problem = problem
            self._done.notify_all()
        self._told()


def _cost(body: bytes, extra: bytes) -> int:
    size = len(body)
    return (size if size < _COUNTED_BYTES else _COUNTED_BYTES) + len(extra) + _OVERHEAD
