"""Traffic as JSON lines, to hand on and to read back.

Format, version 1: UTF-8, one JSON object a line.

The first line is the head: `format` is ``mcp-inspector-traffic``, `version` 1, `redacted` says whether secrets are
masked. Each further line is a record: `seq`, `server`, `connection`, `channel` and `direction` (the lower-case names in
`store.record`), `wall_ns` (since 1970), `mono_ns` (for differences), and where they are not empty `kind`, `method`,
`id` (its JSON text), `target`, `status`, `call` (the seq of the request it belongs to), `faults`, `facts`; the bytes as
`text` or, when they are not UTF-8, as `base64`; `masked`, the names behind which something was masked. A reader ignores
members that it does not know.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.store.redact import redact_facts, redact_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.store.log import Log
    from mcp_inspector.store.record import Record

FORMAT = "mcp-inspector-traffic"
VERSION = 1


class ExportFormatError(Exception):
    """A file is no export of traffic, or a line of it cannot be read. The text is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the export with its line end; `seq` is 0 for the head. `masked` are the names masked in it."""

    data: bytes
    seq: int = 0
    masked: tuple[str, ...] = ()


def exported(log: Log, seqs: Iterable[int] | None = None, *, redact: bool = True) -> Iterator[Line]:
    """The lines of an export of these records, or of all. Run through without writing, it is the preview of masks."""
    yield Line(_json({"format": FORMAT, "version": VERSION, "redacted": redact}))
    for seq in range(1, len(log) + 1) if seqs is None else seqs:
        yield _line(log.record(seq), redact=redact)


def imported(lines: Iterable[bytes], log: Log) -> Iterator[int]:
    """Append the records of an export to `log`, and say after each how many there are. Raises `ExportFormatError`.

    Records get new numbers, and `call` follows them; what it points to outside the export is forgotten.
    """
    numbers: dict[int, int] = {}
    count = 0
    for place, line in enumerate(lines, 1):
        if place == 1:
            _check_head(line)
            continue
        if not line.strip():
            continue
        try:
            item = _read(line)
            data = item.text.encode() if item.base64 is None else base64.b64decode(item.base64, validate=True)
            entry = Entry(
                item.server,
                item.connection,
                Channel[item.channel.upper()],
                Direction[item.direction.upper()],
                item.wall_ns,
                item.mono_ns,
                data,
                item.kind,
                item.method,
                item.id,
                item.target,
                item.status,
                numbers.get(item.call, 0),
                tuple(item.faults),
                item.facts,
            )
        except (msgspec.MsgspecError, binascii.Error, KeyError, ValueError, RecursionError) as error:
            raise ExportFormatError(f"Line {place} is no record of an export: {error}.") from error
        seq = log.append(entry)
        if item.kind == "request":
            numbers[item.seq] = seq
        count += 1
        yield count


class _Item(msgspec.Struct):
    seq: int
    server: str
    connection: int
    channel: str
    direction: str
    wall_ns: int
    mono_ns: int
    text: str = ""
    base64: str | None = None
    kind: str = ""
    method: str = ""
    id: str = ""
    target: str = ""
    status: int | None = None
    call: int = 0
    faults: list[str] = []
    facts: dict[str, Any] = {}


_item = msgspec.json.Decoder(_Item)


def _read(line: bytes) -> _Item:
    try:
        return _item.decode(line)
    except msgspec.MsgspecError:
        # The fast decoder refuses lone surrogates, which the other writes and reads.
        return msgspec.convert(json.loads(line), _Item)


def _check_head(line: bytes) -> None:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ExportFormatError("This is no export of traffic: its first line does not say so.")
    if head.get("version") != VERSION:
        raise ExportFormatError(f"This export has the format version {head.get('version')!r}, which is not known here.")


def _line(record: Record, *, redact: bool) -> Line:
    entry = record.entry
    masked: list[str] = []

    def shown(text: str) -> str:
        done = redact_text(text)
        masked.extend(place.name for place in done.masked)
        return done.text

    item: dict[str, Any] = {
        "seq": record.seq,
        "server": entry.server,
        "connection": entry.connection,
        "channel": entry.channel.name.lower(),
        "direction": entry.direction.name.lower(),
        "wall_ns": entry.wall_ns,
        "mono_ns": entry.mono_ns,
    }
    optional = {
        "kind": entry.kind,
        "method": entry.method,
        "id": entry.id,
        "target": shown(entry.target) if redact else entry.target,
        "status": entry.status,
        "call": entry.call,
        "faults": [shown(fault) if redact else fault for fault in entry.faults],
        "facts": redact_facts(entry.facts, masked) if redact else dict(entry.facts),
    }
    item |= {name: value for name, value in optional.items() if value or (name == "status" and value is not None)}
    data = entry.data
    if redact and data:
        text = data.decode("utf-8", "surrogateescape")
        data = shown(text).encode("utf-8", "surrogateescape")
    if data:
        try:
            item["text"] = data.decode()
        except UnicodeDecodeError:
            item["base64"] = base64.b64encode(data).decode()
    if masked:
        item["masked"] = list(dict.fromkeys(masked))
    return Line(_json(item), record.seq, tuple(masked))


def _json(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value) + b"\n"
    except (UnicodeEncodeError, OverflowError):
        # Lone surrogates and integers past 64 bits: the slower encoder writes them.
        return json.dumps(value).encode() + b"\n"
