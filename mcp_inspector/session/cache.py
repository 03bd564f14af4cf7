"""What a server of 2026-07-28 said may be used again: complete results with `ttlMs`, for as long as they are fresh.

Entries belong to one context: the same address, headers, capabilities and version. They are used for the same request
only, never after a notice that what they say has changed, and never from one process of a stdio server to the next.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.outcome import Complete
    from mcp_inspector.session.status import Identity

LISTS = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
METHODS = LISTS | {"resources/read"}
"""The methods whose results may be kept. `server/discover` may too, but is only sent to learn how things stand now."""

LONGEST_TTL_MS = 24 * 3600 * 1000.0
_MOST = 1024
_MOST_BYTES = 32 * 2**20
_LARGEST = 8 * 2**20


@dataclass(frozen=True)
class Hint:
    """What a result says of its own freshness. `ttl_ms` is None when it says nothing, `scope` empty.

    `faults` are sentences about values that are none: they count as 0, which is stale at once.
    """

    ttl_ms: float | None = None
    scope: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cached:
    """Where a result came from that was not asked for again. Times are wall clock nanoseconds.

    `fetched_ns` is when it was received; it is fresh until `until_ns`. `scope` is ``public``, ``private`` or empty.
    """

    fetched_ns: int
    until_ns: int
    scope: str = ""

    def age(self, now_ns: int | None = None) -> float:
        """How old it is, in seconds; now by default."""
        return max(0.0, ((time.time_ns() if now_ns is None else now_ns) - self.fetched_ns) / 1e9)

    def words(self, now_ns: int | None = None) -> str:
        """For people: ``from the cache, 3 s old, private, fresh until 14:02:07``."""
        until = time.strftime("%H:%M:%S", time.localtime(self.until_ns / 1e9))
        parts = ("from the cache", f"{self.age(now_ns):.0f} s old", self.scope, f"fresh until {until}")
        return ", ".join(filter(None, parts))


class _Head(msgspec.Struct):
    ttlMs: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    cacheScope: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_head = msgspec.json.Decoder(_Head)


def hint_of(result: bytes) -> Hint:
    """Read `ttlMs` and `cacheScope` of a result, whatever they are."""
    try:
        head = _head.decode(result)
    except (msgspec.MsgspecError, RecursionError):
        return Hint()
    faults = []
    ttl: float | None = None
    if head.ttlMs is not msgspec.UNSET:
        value = _decoded(head.ttlMs)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        ttl = float(min(max(value, 0), LONGEST_TTL_MS)) if number else 0.0
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            shown = bytes(head.ttlMs)[:40].decode(errors="replace")
            faults.append(f"ttlMs is {shown}, which is no whole number of milliseconds from 0 on; {ttl:g} is used.")
    scope = b'""' if head.cacheScope is msgspec.UNSET else bytes(head.cacheScope)
    if scope not in (b'""', b'"public"', b'"private"'):
        faults.append(f"cacheScope is {scope[:40].decode(errors='replace')}, neither public nor private.")
    return Hint(ttl, scope[1:-1].decode() if scope in (b'"public"', b'"private"') else "", tuple(faults))


def _decoded(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):  # a number beyond any float is JSON, too
        return None


@dataclass(frozen=True)
class _Kept:
    outcome: Complete
    until: float  # on the monotonic clock
    fetched_ns: int
    until_ns: int
    scope: str
    size: int


@dataclass
class Cache:
    """The kept results of one server, the least used first, bounded in number and bytes."""

    context: str = ""
    _kept: OrderedDict[tuple[str, str], _Kept] = field(default_factory=OrderedDict)
    _bytes: int = 0
    _notices: int = 0

    def enter(self, context: str) -> None:
        """Serve a connection of this context (see `context_of`); what was kept for another one is dropped."""
        if context != self.context or not context:
            self.clear()
        self.context = context

    @property
    def moment(self) -> int:
        """Changes with every notice of change; taken when a request is sent, it says whether its result may be kept."""
        return self._notices

    def get(self, method: str, params: Mapping[str, Any]) -> Complete | None:
        """The result of this very request where it is kept and fresh."""
        key = _key(method, params)
        kept = self._kept.get(key)
        if kept is None:
            return None
        if time.monotonic() >= kept.until:
            self._drop(key)
            return None
        self._kept.move_to_end(key)
        return replace(kept.outcome, elapsed_ns=0, cached=Cached(kept.fetched_ns, kept.until_ns, kept.scope))

    def put(self, method: str, params: Mapping[str, Any], outcome: Complete, moment: int) -> None:
        """Keep a result where its server allows it and nothing was said to have changed since `moment`."""
        if method not in METHODS or not self.context or moment != self._notices:
            return
        key = _key(method, params)
        self._drop(key)
        hint = hint_of(outcome.result)
        if not hint.ttl_ms or len(outcome.result) > _LARGEST:
            return
        wall, seconds = time.time_ns(), hint.ttl_ms / 1000
        self._kept[key] = _Kept(
            outcome, time.monotonic() + seconds, wall, wall + int(seconds * 1e9), hint.scope, len(outcome.result)
        )
        self._bytes += len(outcome.result)
        while len(self._kept) > _MOST or self._bytes > _MOST_BYTES:
            self._drop(next(iter(self._kept)))

    def list_changed(self, *methods: str) -> None:
        """These lists are not what they were: all their pages are dropped."""
        self._notices += 1
        for key in [key for key in self._kept if key[0] in methods]:
            self._drop(key)

    def updated(self, uri: str) -> None:
        """A resource is not what it was; nor is what is below it, nor what it is below of."""
        self._notices += 1
        for key in [key for key in self._kept if key[0] == "resources/read" and _related(key[1], uri)]:
            self._drop(key)

    def clear(self) -> None:
        """Drop everything, as when another account is used from now on."""
        self._notices += 1
        self._kept.clear()
        self._bytes = 0

    def _drop(self, key: tuple[str, str]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._bytes -= kept.size


def context_of(
    entry: ServerEntry, identity: Identity, declared: Mapping[str, Any], connection: int, principal: str = ""
) -> str:
    """What names an authorization context, without holding a secret: `entry` with its variables expanded.

    `principal` names who is signed in.

    Empty in the legacy era, which has no caching. A stdio server is another one with each of its processes.
    """
    if identity.era != "modern":
        return ""
    parts: list[Any] = [identity.version, identity.transport, entry.url, sorted(entry.headers.items()), declared]
    parts.append(principal)
    if identity.transport == "stdio":
        parts.append(connection)
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _key(method: str, params: Mapping[str, Any]) -> tuple[str, str]:
    """By what decides about the result: the URI or the cursor, and never `_meta`."""
    if method == "resources/read":
        return method, str(params.get("uri"))
    cursor = params.get("cursor")
    return method, "" if cursor is None else msgspec.json.encode(cursor).decode()


def _related(kept: str, changed: str) -> bool:
    one, other = kept.rstrip("/"), changed.rstrip("/")
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")
