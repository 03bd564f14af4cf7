"""What a server lists: tools, resources, templates, prompts, each with its freshness."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.signals import Signal
from mcp_inspector.wire import jsonscan
from mcp_inspector.wire.jsonfault import JsonError

if TYPE_CHECKING:
    from mcp_inspector.session.cache import Cached


class What(StrEnum):
    """The four lists."""

    TOOLS = "tools"
    RESOURCES = "resources"
    TEMPLATES = "templates"
    PROMPTS = "prompts"


METHODS = {
    What.TOOLS: ("tools/list", "tools"),
    What.RESOURCES: ("resources/list", "resources"),
    What.TEMPLATES: ("resources/templates/list", "resourceTemplates"),
    What.PROMPTS: ("prompts/list", "prompts"),
}
"""Method and result member of each list."""

CAPABILITY = {What.TOOLS: "tools", What.RESOURCES: "resources", What.TEMPLATES: "resources", What.PROMPTS: "prompts"}


@dataclass(frozen=True, eq=False)
class Item:
    """One listed thing. `raw` is its JSON text as it came; `problem` says why it cannot be used, empty when it can.

    `note` says what is odd about it beside the others: that its name stands twice.
    """

    what: What
    raw: bytes
    problem: str = ""
    note: str = ""

    @cached_property
    def value(self) -> Mapping[str, Any]:
        """The members decoded; empty for an entry that is no object."""
        try:
            value = msgspec.json.decode(self.raw)
        except (msgspec.MsgspecError, RecursionError):
            try:
                value = json.loads(self.raw)  # takes numbers that are too large for a float, too
            except (ValueError, RecursionError):
                return {}
        return value if isinstance(value, dict) else {}

    def text(self, member: str) -> str:
        """A member that should be a string, empty when it is absent or something else."""
        value = self.value.get(member)
        return value if isinstance(value, str) else ""

    def part(self, member: str) -> bytes:
        """A member's JSON text as the server spelled it, the last of duplicates; empty when it is absent."""
        try:
            found = [each for each in jsonscan.members(self.raw) if each.name == member]
        except JsonError:
            return b""
        return self.raw[found[-1].start : found[-1].end] if found else b""

    @property
    def key(self) -> str:
        """What names it on the wire: a name, a URI, or a URI template."""
        if self.what is What.RESOURCES:
            return self.text("uri")
        return self.text("uriTemplate") if self.what is What.TEMPLATES else self.text("name")

    @property
    def title(self) -> str:
        """What to call it before people: title, else a tool's annotated title, else name, else key."""
        annotations = self.value.get("annotations")
        annotated = annotations.get("title") if isinstance(annotations, Mapping) and self.what is What.TOOLS else None
        return self.text("title") or (annotated if isinstance(annotated, str) else "") or self.text("name") or self.key

    @property
    def description(self) -> str:
        """Its description, empty when there is none."""
        return self.text("description")


class Freshness(StrEnum):
    """How much a listing can be trusted."""

    UNKNOWN = "unknown"  # never asked
    LOADING = "loading"
    FRESH = "fresh"
    STALE = "stale"  # kept from before: the last refresh failed, or the connection is gone
    FAILED = "failed"  # asked, failed, and nothing kept
    UNSUPPORTED = "unsupported"  # the server does not declare it


@dataclass(frozen=True)
class Listing:
    """One list as it is known now. Items keep the server's order over all pages.

    `why` says why it is stale, failed or unsupported. `warnings` are about the listing itself: a repeated cursor,
    broken entries, names that stand twice. `ttl_ms` is how long the server calls it fresh (None: it does not say),
    `scope` its ``public`` or ``private``. `fetched_wall_ns` is 0 when it was never read. `cached` says that it was not
    asked for again, wholly or in part: then it is that of its oldest page.
    """

    what: What
    items: tuple[Item, ...] = ()
    freshness: Freshness = Freshness.UNKNOWN
    fetched_wall_ns: int = 0
    pages: int = 0
    why: str = ""
    warnings: tuple[str, ...] = ()
    ttl_ms: float | None = None
    scope: str = ""
    cached: Cached | None = None

    @property
    def until_wall_ns(self) -> int:
        """Until when its server calls it fresh, on the wall clock; 0 when it says nothing of it."""
        if self.ttl_ms is None or not self.fetched_wall_ns:
            return 0
        return self.cached.until_ns if self.cached is not None else self.fetched_wall_ns + int(self.ttl_ms * 1e6)

    @cached_property
    def by_key(self) -> Mapping[str, Item]:
        """Items by key; the first of duplicates wins."""
        found: dict[str, Item] = {}
        for item in self.items:
            found.setdefault(item.key, item)
        return found


class Catalogue:
    """The four listings of one server. `changed` tells which one."""

    def __init__(self) -> None:
        self.changed: Signal[What] = Signal()
        self._listings = {what: Listing(what) for what in What}

    def __getitem__(self, what: What) -> Listing:
        return self._listings[what]

    def put(self, listing: Listing) -> None:
        """Replace one listing and tell."""
        self._listings[listing.what] = listing
        self.changed.send(listing.what)

    def mark(self, what: What, freshness: Freshness, why: str = "") -> None:
        """Change how fresh a listing is and keep its items."""
        self.put(replace(self._listings[what], freshness=freshness, why=why))

    def connection_gone(self, why: str) -> None:
        """Keep what is known, marked stale."""
        for what, listing in self._listings.items():
            if listing.items:
                self.mark(what, Freshness.STALE, why)
            elif listing.freshness is not Freshness.UNKNOWN:
                self.put(Listing(what))
