"""What a conversation has come to so far: version, capabilities, requests under way. Bounded, whatever a peer does."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

REMEMBERED = 2_000
"""Requests, tools, tokens and the like that are kept of one connection; the oldest go first."""


class Bounded(OrderedDict[Any, T]):
    """A dict that forgets its oldest entries beyond `REMEMBERED`."""

    def __setitem__(self, key: Any, value: T) -> None:
        if not _usable(key):
            return  # a peer may put an object where a text belongs
        super().__setitem__(key, value)
        if len(self) > REMEMBERED:
            self.popitem(last=False)

    def get(self, key: Any, default: Any = None) -> Any:
        """See `dict`; what can be no key is not there."""
        return super().get(key, default) if _usable(key) else default

    def __contains__(self, key: object) -> bool:
        return _usable(key) and super().__contains__(key)


def _usable(key: object) -> bool:
    return not isinstance(key, dict | list)


@dataclass(slots=True)
class Asked:
    """One request, of either side, and how it stands.

    `state` is open, answered, cancelled, timed out or lost. `caps` are the capabilities that were declared with it or
    for its connection. `http_status` is that of its own HTTP exchange, None before it is known. `token` is its
    progress token, `log_level` what it asked to be logged.
    """

    seq: int
    id: Any
    id_text: str
    method: str
    params: dict[str, Any]
    version: str
    caps: dict[str, Any]
    mono_ns: int
    ours: bool
    token: Any = None
    log_level: str = ""
    state: str = "open"
    ended: int = 0
    ended_ns: int = 0
    http_status: int | None = None
    raw: bool = False
    """Whether the person wrote it, so that it may be wrong on purpose."""

    @property
    def target(self) -> str:
        """What it is about: a tool, a prompt, a URI, a task."""
        for name in ("name", "uri", "taskId"):
            value = self.params.get(name)
            if isinstance(value, str):
                return value
        return ""


@dataclass(slots=True)
class Exchange:
    """One HTTP exchange of a request of ours: the headers that were sent, and what came back, in record `seq`."""

    sent: list[Any]
    seq: int
    status: int = 0
    media: str = ""


@dataclass(slots=True)
class Conversation:
    """One connection of a server. `version` is empty until one is agreed; `transport` is stdio, http, sse or empty."""

    server: str
    connection: int
    version: str = ""
    transport: str = ""
    offered: str = ""
    client_caps: dict[str, Any] = field(default_factory=dict)
    server_caps: dict[str, Any] = field(default_factory=dict)
    server_info: Any = None
    initialized: int = 0
    asked: Bounded[Asked] = field(default_factory=Bounded)
    open: Bounded[Asked] = field(default_factory=Bounded)
    theirs: Bounded[Asked] = field(default_factory=Bounded)
    tools: Bounded[dict[str, Any]] = field(default_factory=Bounded)
    exchanges: Bounded[Exchange] = field(default_factory=Bounded)
    last_sent: str = ""
    probing: bool = False
    uris: Bounded[int] = field(default_factory=Bounded)
    changed: dict[str, int] = field(default_factory=dict)
    ending: int = 0
    account: str = ""
    """Who is signed in, by a name that is no secret; empty for nobody and where it is not known."""
    shared: dict[Any, Any] = field(default_factory=dict)
    """What the rules keep of all connections of this server together; see `of_server`."""
    _parts: dict[Any, Any] = field(default_factory=dict)

    @property
    def modern(self) -> bool:
        """Whether it is of the stateless era."""
        return self.version >= "2026-07-28"

    def of(self, make: Callable[[], T]) -> T:
        """The part of the state that a module of rules keeps for itself; `make` is its class."""
        part = self._parts.get(make)
        if part is None:
            part = self._parts[make] = make()
        return part

    def of_server(self, make: Callable[[], T]) -> T:
        """The same for what is kept of all connections of this server together."""
        part = self.shared.get(make)
        if part is None:
            part = self.shared[make] = make()
        return part

    def has(self, capability: str) -> bool:
        """Whether the server declares a capability, for example ``resources.subscribe``."""
        return declares(self.server_caps, capability)

    @property
    def waiting(self) -> tuple[Asked, ...]:
        """Requests of ours that are not answered, oldest first."""
        return tuple(self.open.values())


def declares(capabilities: Any, name: str) -> bool:
    """Whether a capability is there and not false, through objects by its dotted name."""
    for step in name.split("."):
        capabilities = capabilities.get(step) if isinstance(capabilities, dict) else None
    return capabilities is not None and capabilities is not False


def id_key(ident: Any) -> Any:
    """What an id is looked up by: 1 and 1.0 are one, 1 and "1" are not, and nothing unhashable gets in."""
    if isinstance(ident, bool) or ident is None:
        return ("", str(ident))
    if isinstance(ident, int | float):
        return float(ident) if abs(ident) < 2**53 else int(ident)
    return ident if isinstance(ident, str) else ("", str(ident)[:100])
