"""The habits of hosts: when they connect, what they read, how long they wait, how often they try again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mcp_inspector.transport.base import RECONNECTABLE, FaultKind


class Connecting(StrEnum):
    """When a host connects."""

    EAGER = "eager"  # all servers at its start
    LAZY = "lazy"  # at the first use
    EXPLICIT = "explicit"  # when it is told to, and it fails at once otherwise


class Refreshing(StrEnum):
    """When a host lists tools again."""

    NEVER = "cache"  # what was listed at the connect is used for ever
    EACH_RUN = "each run"
    ON_CHANGE = "list_changed"


class Growth(StrEnum):
    """How waits grow from attempt to attempt."""

    LINEAR = "linear"
    EXPONENTIAL = "exponential"


class Naive(StrEnum):
    """Short cuts that hosts take, each of which works until a server does what it may."""

    FIRST_LINE = "first line"  # the first line after a request is taken for its answer
    LINE_LIMIT = "64 KB lines"
    FIRST_PAGE = "first page"  # `nextCursor` is not followed
    NO_SESSION = "no session header"
    FIRST_SPLIT = "first __ split"
    NO_IS_ERROR = "isError ignored"
    NO_DEFINITIONS = "$defs dropped"


LINE_LIMIT = 65_536
"""Bytes: what a buffered line reader of Go's standard library takes."""


@dataclass(frozen=True)
class Profile:
    """One kind of host. Times are seconds. `reconnects` is 0 to 10, tried for faults of `classes` only.

    `degrades`: a server that fails costs its own tools and no more, and tools that were listed before stay.
    """

    name: str
    about: str
    connecting: Connecting = Connecting.EAGER
    refreshing: Refreshing = Refreshing.NEVER
    connect_timeout: float = 5.0
    call_timeout: float = 30.0
    reconnects: int = 0
    wait: float = 1.0
    growth: Growth = Growth.LINEAR
    longest_wait: float = 30.0
    classes: frozenset[FaultKind] = RECONNECTABLE
    degrades: bool = False
    naive: frozenset[Naive] = frozenset()

    def waits(self) -> tuple[float, ...]:
        """The seconds before each attempt to reconnect."""
        return tuple(self.wait_before(attempt) for attempt in range(1, self.reconnects + 1))

    def wait_before(self, attempt: int) -> float:
        """The seconds before this attempt, counted from 1."""
        grown = self.wait * (attempt if self.growth is Growth.LINEAR else 2 ** (attempt - 1))
        return min(grown, self.longest_wait)


PROFILES: tuple[Profile, ...] = (
    Profile(
        "eager-go",
        "Reads one file of servers, connects all enabled ones at its start, and routes mcp__server__tool by the first "
        "separators. A server that does not come up is left out.",
        degrades=True,
        naive=frozenset({Naive.LINE_LIMIT, Naive.FIRST_SPLIT, Naive.FIRST_PAGE}),
    ),
    Profile(
        "lazy-go",
        "A set of tools that connects at its first use or when it is told to, lists again before each run, falls back "
        "to what was listed before, and reconnects for connection faults.",
        Connecting.LAZY,
        Refreshing.EACH_RUN,
        reconnects=3,
        degrades=True,
        naive=frozenset({Naive.NO_DEFINITIONS}),
    ),
    Profile(
        "retrying-cpp",
        "Tries again with growing waits, goes on without what fails, and gives the model what retrieval finds.",
        Connecting.LAZY,
        Refreshing.NEVER,
        reconnects=5,
        wait=0.5,
        growth=Growth.EXPONENTIAL,
        classes=frozenset({*RECONNECTABLE, FaultKind.TIMEOUT, FaultKind.HTTP_STATUS}),
        degrades=True,
        naive=frozenset({Naive.NO_IS_ERROR}),
    ),
    Profile(
        "strict",
        "Follows the specification: all pages, list_changed, sessions. It connects when it is told to, and "
        "says at once what fails.",
        Connecting.EXPLICIT,
        Refreshing.ON_CHANGE,
        connect_timeout=30.0,
        call_timeout=60.0,
    ),
    Profile(
        "naive",
        "A first attempt at a host: one line is one answer, one page is the list, and nothing is tried again.",
        naive=frozenset(Naive),
    ),
)
"""Those that ship; others can be made from them with `dataclasses.replace`."""


def profile_named(name: str) -> Profile | None:
    """A profile by its name."""
    return next((profile for profile in PROFILES if profile.name == name), None)
