"""What the rows of the traffic are: kinds, states, and the values that `exchanges` gives out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_inspector.store.record import Channel, Direction


class RowKind(IntEnum):
    """What a row is. A RESPONSE is one that no request of the session waited for."""

    REQUEST = 1
    NOTIFICATION = 2
    RESPONSE = 3
    BATCH = 4
    INVALID = 5
    STDERR = 6
    STDOUT = 7
    HTTP = 8
    LIFECYCLE = 9
    AUTH = 10


class RowState(IntEnum):
    """How a row stands. What ended a request stays its state when an answer comes after that; `late` counts those.

    LATE is an answer that stands alone: nobody waited for it and no request is known that it belongs to.
    """

    PENDING = 1
    OK = 2
    ERROR = 3
    TOOL_ERROR = 4
    CANCELLED = 5
    TIMED_OUT = 6
    LOST = 7
    INVALID = 8
    LATE = 9
    INFO = 10

    @property
    def word(self) -> str:
        """The state as people read it, for example ``timed out``."""
        return self.name.lower().replace("_", " ")


FAILED = frozenset({RowState.ERROR, RowState.TOOL_ERROR, RowState.TIMED_OUT, RowState.LOST, RowState.INVALID})


@dataclass(frozen=True, slots=True)
class Exchange:
    """One row. `first`, `reply` and `last` are seqs of records, `reply` 0 when there is none.

    `elapsed_ns` runs from the request's record to the reply's, or to what ended it instead; None while it is pending
    and for rows that are no request. `size` is the bytes of request and replies. `faults` counts the sentences of fault
    of all its records. `status` is the reply's where there is one. `note` is the latest sentence about it.

    `parent` is the row of the operation that this one belongs to, -1 when it stands for itself: a retry of a request
    with several rounds, a poll of a task, a question of the server. `depth` counts the parents above it. Such an
    operation is pending until its last part has ended, and has the answer and the state of that one.
    """

    index: int
    kind: RowKind
    state: RowState
    server: str
    connection: int
    channel: Channel
    direction: Direction
    method: str
    target: str
    id: str
    status: int | None
    first: int
    reply: int
    last: int
    wall_ns: int
    mono_ns: int
    elapsed_ns: int | None
    size: int
    progress: int
    cancels: int
    late: int
    faults: int
    note: str
    parent: int = -1
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """What one update brought: rows `start` up to `stop` are new, `updated` are older rows that changed, ascending.

    `more` says that the log holds records that were not looked at yet.
    """

    start: int
    stop: int
    updated: tuple[int, ...]
    more: bool
