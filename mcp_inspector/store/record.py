"""What happened, one fact at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class Channel(IntEnum):
    """Where a record comes from. Values are part of the session file's format: never renumber."""

    MESSAGE = 1  # a JSON-RPC message, valid or not
    STDERR = 2  # one line
    STDOUT = 3  # a line on stdout that is no message
    HTTP = 4  # status and headers
    LIFECYCLE = 5  # process start and exit, states, timeouts, cancels
    AUTH = 6


class Direction(IntEnum):
    """Seen from us. Values are part of the session file's format."""

    SENT = 1
    RECEIVED = 2
    LOCAL = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """What is appended: a record without its number.

    `data` is the exact bytes. `kind`, `method`, `id` come from the envelope: `kind` one of request, notification,
    response, error, batch, invalid, or the event's word for other channels (started, exited, timeout, cancelled, …);
    `id` is the id's JSON text as spelled. `target` is what the message is about (tool name, URI, prompt name, URL).
    `status` is the HTTP status, exit code or JSON-RPC error code. `call` groups what belongs to one operation of ours:
    the sequence number of the request's record, 0 when it stands alone. `facts` is a small JSON object.
    """

    server: str
    connection: int
    channel: Channel
    direction: Direction
    wall_ns: int
    mono_ns: int
    data: bytes = b""
    kind: str = ""
    method: str = ""
    id: str = ""
    target: str = ""
    status: int | None = None
    call: int = 0
    faults: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """An `Entry` with its place in the session: `seq` counts from 1 without gaps over all servers."""

    seq: int
    entry: Entry
