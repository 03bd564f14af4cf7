"""How a session lies in its SQLite file, format version 1 (`user_version`; `application_id` marks the file as ours).

meta     name, value: `started_wall_ns`, `ended_wall_ns` (absent after a crash or while it is written), `program`.
word     pool (0 server, 1 kind, 2 method, 3 target), code, text as UTF-8 with surrogates passed through.
segment  first seq, count, columns (`Columns.cut`, little-endian), ids and notes (what the two heaps grew by).
mark     seq, colour (0 none, 1 to 6), pinned, comment: what a person wrote on a record; may be missing.
block    payloads of consecutive records, body then extra JSON each, joined up to about 64 KiB. The key is
         seq * 4096 + part: a block starts at the record that names it, one big payload spreads over parts of 1 MiB.

Rows are kept in segments because a million of them open in a blink that way; bodies in blocks because a block costs a
quarter of a row a message, and a search reads it at the speed of the disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.store.columns import Columns

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence

VERSION = 1
CONVERTERS: dict[int, Callable[[sqlite3.Connection], None]] = {}
"""One step each: the converter under N makes version N+1 of a file of version N."""

APPLICATION_ID = 0x4D435049
SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE word (pool INTEGER, code INTEGER, text BLOB, PRIMARY KEY (pool, code)) WITHOUT ROWID;
CREATE TABLE segment (first INTEGER PRIMARY KEY, count INTEGER, columns BLOB, ids BLOB, notes BLOB);
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB);
"""
MARKS = """
CREATE TABLE IF NOT EXISTS mark (seq INTEGER PRIMARY KEY, colour INTEGER, pinned INTEGER, comment TEXT)
"""
PARTS = 4_096
PART_BYTES = 1 << 20

_BLOCK_BYTES = 65_536
_BLOCK_ROWS = 1_024
_FULL_SEGMENT = 2_048
_SMALL_SEGMENTS = 32


def blocks_of(first: int, payloads: Sequence[tuple[bytes, bytes]]) -> Iterator[tuple[int, bytes | memoryview]]:
    """The rows of table `block` for the payloads of consecutive records."""
    pieces: list[bytes] = []
    size = start = 0
    for seq, (body, extra) in enumerate(payloads, first):
        length = len(body) + len(extra)
        if pieces and (size + length > _BLOCK_BYTES or seq - start >= _BLOCK_ROWS):
            yield start * PARTS, b"".join(pieces)
            pieces, size = [], 0
        if length > PART_BYTES:
            whole = memoryview(body)
            for part in range(0, length, PART_BYTES):
                piece: bytes | memoryview = whole[part : part + PART_BYTES]
                beyond = part + PART_BYTES - len(body)
                if beyond > 0 and extra:
                    piece = bytes(piece) + extra[max(beyond - PART_BYTES, 0) : beyond]
                yield seq * PARTS + part // PART_BYTES, piece
        elif length:
            if not pieces:
                start = seq
            pieces += (body, extra)
            size += length
    if pieces:
        yield start * PARTS, b"".join(pieces)


def merge_small_segments(writer: sqlite3.Connection, added: int) -> None:
    """Keep the number of segments small in a slow session: join the short ones at the end once there are 32.

    `added` is the number of rows that the last segment brought.
    """
    if added >= _FULL_SEGMENT:
        return
    rows = writer.execute("SELECT first, count FROM segment ORDER BY first DESC LIMIT ?", (_SMALL_SEGMENTS,)).fetchall()
    if len(rows) < _SMALL_SEGMENTS or any(count >= _FULL_SEGMENT for _, count in rows):
        return
    first = rows[-1][0]
    merged = Columns()
    ids, notes = bytearray(), bytearray()
    parts = writer.execute("SELECT * FROM segment WHERE first >= ? ORDER BY first", (first,)).fetchall()
    for _, count, blob, more_ids, more_notes in parts:
        merged.load(blob, count)
        ids += more_ids
        notes += more_notes
    writer.execute("DELETE FROM segment WHERE first >= ?", (first,))
    row = (first, len(merged), merged.cut(0, len(merged)), ids, notes)
    writer.execute("INSERT INTO segment VALUES (?, ?, ?, ?, ?)", row)
