"""The memory of a session: one compact array a column, so that a million rows cost about 75 MB and none an object."""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp_inspector.store.record import Entry

TOOL_ERROR = 1
"""Bit of `Columns.flags`: the entry's facts say `tool_error`."""

UNFINISHED = 2
"""Bit of `Columns.flags`: the entry's facts say `unfinished`, an answer after which its operation goes on."""

NO_STATUS = -(2**63)
NO_ID = -1
TEXT_LIMIT = 2_000
"""Characters kept of a server, kind, method or target; the bytes of the message stay whole."""

NOTE_LIMIT = 400
"""Bytes kept in memory of a record's note: a line of stderr, a sentence. Longer ones are cut there."""

_POOL_LIMIT = 32_000_000
_CROWDED_TEXT_LIMIT = 80
_ID_LIMIT = 1_000


class Pool:
    """Distinct texts, each with a small code. Code 0 is the empty text.

    A peer that invents ever new texts fills it with short ones only: past 32 million characters each is cut to 80.
    """

    def __init__(self) -> None:
        self.texts: list[str] = [""]
        self.codes: dict[str, int] = {"": 0}
        self._characters = 0

    def __len__(self) -> int:
        return len(self.texts)

    def code(self, text: str) -> int:
        """The code of a text, which is added when it is new."""
        code = self.codes.get(text)
        return self.add(text) if code is None else code

    def add(self, text: str) -> int:
        """Add a text that has no code yet, shortened where it must be."""
        limit = TEXT_LIMIT if self._characters < _POOL_LIMIT else _CROWDED_TEXT_LIMIT
        if len(text) > limit:
            text = text[: limit - 1] + "…"
            code = self.codes.get(text)
            if code is not None:
                return code
        self._characters += len(text)
        code = len(self.texts)
        self.texts.append(text)
        self.codes[text] = code
        return code


class Columns:
    """The columns of all records; index 0 belongs to the record with seq 1.

    Appended to by one thread and read by any: a row is there once `len` counts it. Never hand out a `memoryview` of
    a column, it would make the next append fail; slices are copies. `size` and `extra` are the bytes of the body and of
    the JSON text with faults and facts behind it; `note` is where the record's note ends in `notes`.
    """

    def __init__(self) -> None:
        self.server = array("I")
        self.connection = array("I")
        self.channel = array("B")
        self.direction = array("B")
        self.kind = array("I")
        self.method = array("I")
        self.target = array("I")
        self.id = array("q")
        self.wall_ns = array("q")
        self.mono_ns = array("q")
        self.size = array("I")
        self.extra = array("I")
        self.status = array("q")
        self.call = array("I")
        self.faults = array("B")
        self.flags = array("B")
        self.note = array("Q")
        self.ids = bytearray()
        self.notes = bytearray()
        self.servers, self.kinds, self.methods, self.targets = Pool(), Pool(), Pool(), Pool()
        self.add: Callable[[Entry, int, bytes], None] = self._adder()

    def __len__(self) -> int:
        return len(self.note)

    @property
    def pools(self) -> tuple[Pool, ...]:
        """In the order of the session file's format."""
        return (self.servers, self.kinds, self.methods, self.targets)

    @property
    def arrays(self) -> tuple[array[int], ...]:
        """In the order of the session file's format."""
        return (
            self.server,
            self.connection,
            self.channel,
            self.direction,
            self.kind,
            self.method,
            self.target,
            self.id,
            self.wall_ns,
            self.mono_ns,
            self.size,
            self.extra,
            self.status,
            self.call,
            self.faults,
            self.flags,
            self.note,
        )

    def id_text(self, index: int) -> str:
        """The id's JSON text, empty when there is none."""
        return self.id_of(self.id[index])

    def id_of(self, value: int) -> str:
        """The JSON text for one value of the `id` column."""
        if value >= 0:
            return str(value)
        if value == NO_ID:
            return ""
        place = -value - 2
        return self.ids[place >> 16 : (place >> 16) + (place & 0xFFFF)].decode("utf-8", "surrogatepass")

    def note_text(self, index: int) -> str:
        """The short text that stands for a record without a method: a line, a sentence. Empty when there is none."""
        start = self.note[index - 1] if index else 0
        note = bytes(self.notes[start : self.note[index]])
        if len(note) < NOTE_LIMIT:
            return note.decode("utf-8", "replace")
        return note.decode("utf-8", "replace").rstrip("\ufffd") + "…"

    def truncate(self, count: int) -> None:
        """Forget everything past `count` rows: a row that could not be added whole."""
        for column in self.arrays:
            del column[count:]
        del self.notes[self.note[-1] if count else 0 :]

    def cut(self, start: int, stop: int) -> bytes:
        """The rows from index `start` up to `stop`, as the session file keeps them: column behind column."""
        return b"".join(_little_endian(column[start:stop]).tobytes() for column in self.arrays)

    def load(self, blob: bytes, count: int) -> None:
        """Append rows from a blob of `cut`. Raises `ValueError` when its length does not fit."""
        if len(blob) != count * sum(column.itemsize for column in self.arrays):
            raise ValueError(f"{len(blob)} bytes cannot be {count} rows")
        offset = 0
        for column in self.arrays:
            length = count * column.itemsize
            part = array(column.typecode, blob[offset : offset + length])
            column.extend(_little_endian(part))
            offset += length

    def _adder(self) -> Callable[[Entry, int, bytes], None]:
        # A closure over bound methods: this runs for every message, and attribute look-ups would be half of its cost.
        server, connection, channel, direction = self._appends(
            (self.server, self.connection, self.channel, self.direction)
        )
        kind, method, target, ident = self._appends((self.kind, self.method, self.target, self.id))
        wall_ns, mono_ns, size, extra = self._appends((self.wall_ns, self.mono_ns, self.size, self.extra))
        status, call, faults, flags, note = self._appends((self.status, self.call, self.faults, self.flags, self.note))
        servers, kinds, methods, targets = (pool.codes.get for pool in self.pools)
        new_server, new_kind, new_method, new_target = (pool.add for pool in self.pools)
        notes, new_id = self.notes, self._new_id

        def add(entry: Entry, extra_size: int, text: bytes) -> None:
            """Add one row; `text` is its note."""
            name = entry.server
            code = servers(name)
            server(new_server(name) if code is None else code)
            connection(entry.connection)
            channel(entry.channel)
            direction(entry.direction)
            name = entry.kind
            code = kinds(name)
            kind(new_kind(name) if code is None else code)
            name = entry.method
            code = methods(name)
            method(new_method(name) if code is None else code)
            name = entry.target
            code = targets(name)
            target(new_target(name) if code is None else code)
            name = entry.id
            if not name:
                ident(-1)
            elif name.isdigit() and name.isascii() and len(name) < 19 and (name[0] != "0" or name == "0"):
                ident(int(name))
            else:
                ident(new_id(name))
            wall_ns(entry.wall_ns)
            mono_ns(entry.mono_ns)
            size(len(entry.data))
            extra(extra_size)
            number = entry.status
            status(NO_STATUS if number is None else number)
            call(entry.call)
            if extra_size:
                faults(min(len(entry.faults), 255))
                facts = entry.facts
                bits = TOOL_ERROR if facts.get("tool_error") is True else 0
                flags(bits | UNFINISHED if facts.get("unfinished") is True else bits)
            else:
                faults(0)
                flags(0)
            if text:
                notes.extend(text)
            note(len(notes))

        return add

    @staticmethod
    def _appends(columns: Iterable[array[int]]) -> list[Callable[[int], None]]:
        return [column.append for column in columns]

    def _new_id(self, text: str) -> int:
        data = text[:_ID_LIMIT].encode("utf-8", "surrogatepass")
        place = len(self.ids) << 16 | len(data)
        self.ids += data
        return -place - 2


def _little_endian(column: array[int]) -> array[int]:
    if sys.byteorder == "big":
        column.byteswap()
    return column
