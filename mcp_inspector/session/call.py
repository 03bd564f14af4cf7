"""One request of ours while it is under way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.wire.frame import Id


@dataclass(frozen=True)
class Progress:
    """One progress notification. Values are as the server sent them, None where they are not numbers."""

    progress: float | None
    total: float | None = None
    message: str = ""

    @classmethod
    def read(cls, params: dict[str, Any]) -> Progress:
        """From a notification's params, whatever they hold."""
        message = params.get("message")
        return cls(
            number(params.get("progress")), number(params.get("total")), message if isinstance(message, str) else ""
        )


def number(value: Any) -> float | None:
    """A JSON number as far as a float can hold it, None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:  # an integer of four hundred digits is legal JSON
        return None


@dataclass(eq=False)
class Call:
    """A request under way. `seq` is the log's number of its record; times are monotonic nanoseconds.

    `waiter` gets its outcome, None once it has one: an ended call is remembered for late and second answers, and must
    not keep a result of 100 MB for that. `limit_ns` is the time without an answer or progress after which it ends,
    `ceiling_ns` the time after which it ends in any case; both 0 for no limit.
    """

    ident: Id
    method: str
    target: str
    started_ns: int
    limit_ns: int
    ceiling_ns: int
    waiter: asyncio.Future[Outcome] | None
    seq: int = 0
    touched_ns: int = 0
    progress: Progress | None = None
    progress_count: int = 0
    as_task: bool = False
    goes_on: bool = False  # whether somebody sends it again when its result wants input
    sender: asyncio.Task[Any] | None = field(default=None, repr=False)  # while it is being written
    stopped: bool = False  # its writing was broken off by us
    own_key: str = ""  # what names its exchange where another request is open under the same id
    on_progress: Callable[[Progress], object] | None = field(default=None, repr=False)

    @property
    def key(self) -> Id:
        """What names it to the transport, and among the open requests."""
        return self.own_key or self.ident

    def end(self, outcome: Outcome) -> None:
        """Give the outcome to whoever waits, and keep neither."""
        waiter, self.waiter, self.on_progress = self.waiter, None, None
        if waiter is not None and not waiter.done():
            waiter.set_result(outcome)

    def overdue(self, now_ns: int) -> str:
        """Which limit has passed, in words; empty when none has."""
        if self.ceiling_ns and now_ns - self.started_ns >= self.ceiling_ns:
            return f"the total limit of {self.ceiling_ns / 1e9:g} s"
        if self.limit_ns and now_ns - self.touched_ns >= self.limit_ns:
            since = "progress" if self.progress_count else "an answer"
            return f"{self.limit_ns / 1e9:g} s without {since}"
        return ""


def target_of(method: str, params: Any) -> str:
    """What a request is about: a tool's or prompt's name, a URI, a level; from params, decoded or raw in any depth."""
    if isinstance(params, bytes | msgspec.Raw):
        try:
            params = _targets.decode(params)
        except (msgspec.MsgspecError, RecursionError):
            return ""
        name, uri, level = params.name, params.uri, params.level
    elif isinstance(params, dict):
        name, uri, level = params.get("name"), params.get("uri"), params.get("level")
    else:
        return ""
    for value in (name, uri, level):
        if isinstance(value, msgspec.Raw):
            try:
                value = msgspec.json.decode(value)
            except (msgspec.MsgspecError, RecursionError):
                continue
        if isinstance(value, str):
            return value
    return ""


class _Target(msgspec.Struct):
    name: Any = None
    uri: Any = None
    level: Any = None


_targets = msgspec.json.Decoder(_Target)
