"""Reads a whole list, page by page, bounded, and says what was odd about it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import METHODS, Freshness, Item, Listing, What
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.wire import headers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp_inspector.session.session import Session

MAX_PAGES = 10_000
_BARREN_PAGES = 3
_METHOD_NOT_FOUND, _INVALID_PARAMS = -32601, -32602


class _Page(msgspec.Struct):
    tools: msgspec.Raw | None = None
    resources: msgspec.Raw | None = None
    resourceTemplates: msgspec.Raw | None = None
    prompts: msgspec.Raw | None = None
    nextCursor: msgspec.Raw | None = None


_page = msgspec.json.Decoder(_Page)
_entries = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass
class _Reading:
    """What has been read so far of one list."""

    what: What
    mirrored: bool  # tools whose arguments are mirrored into headers
    items: list[Item] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)
    pages: int = 0
    duplicates: int = 0
    barren: int = 0  # pages in a row that brought nothing new

    def add(self, raw: msgspec.Raw) -> int:
        """Take the entries of one page; returns how many keys were new."""
        new = 0
        for entry in _entries.decode(raw):
            item = Item(self.what, bytes(entry))
            problem = _problem(item, mirrored=self.mirrored)
            if problem:
                item = Item(self.what, item.raw, problem)
            if not item.key:
                self.items.append(item)
            elif item.key in self.keys:
                self.duplicates += 1
            else:
                new += 1
                self.keys.add(item.key)
                self.items.append(item)
        return new

    def listing(self, freshness: Freshness, why: str = "") -> Listing:
        warnings = list(self.warnings)
        broken = sum(1 for item in self.items if not item.key)
        if broken:
            warnings.append(f"{broken} of {len(self.items)} entries are broken and cannot be used.")
        if self.duplicates:
            warnings.append(f"{self.duplicates} entries repeat one listed before and are left out.")
        return Listing(self.what, tuple(self.items), freshness, time.time_ns(), self.pages, why, tuple(warnings))


async def read_list(session: Session, what: What) -> Listing:
    """All pages of one list. Its freshness is FRESH, UNSUPPORTED or FAILED; what was read before a failure is kept."""
    modern_http = session.codec is not None and session.codec.era == "modern" and session.transport.name != "stdio"
    reading = _Reading(what, mirrored=modern_http and what is What.TOOLS)
    async for outcome in _pages(session, what, reading):
        if isinstance(outcome, RpcError):
            if outcome.code == _METHOD_NOT_FOUND and reading.pages == 0:
                return Listing(what, freshness=Freshness.UNSUPPORTED, why="The server does not know this list.")
            said = outcome.message or outcome.error[:200].decode(errors="replace")
            return reading.listing(Freshness.FAILED, f"The server answered with error {outcome.code}: {said}")
        if isinstance(outcome, LocalError):
            return reading.listing(Freshness.FAILED, outcome.sentence)
        if not isinstance(outcome, Complete):
            return reading.listing(Freshness.FAILED, "The server wants input before it lists, which it must not.")
        problem = _take(reading, outcome.result)
        if problem:
            return reading.listing(Freshness.FAILED, problem)
    return reading.listing(Freshness.FRESH)


def _take(reading: _Reading, result: bytes) -> str:
    member = METHODS[reading.what][1]
    try:
        raw = getattr(_page.decode(result), member)
        if raw is None:
            return f'The result has no "{member}".'
        new = reading.add(raw)
    except (msgspec.MsgspecError, RecursionError):
        return f'"{member}" in the result is not an array.'
    reading.pages += 1
    reading.barren = reading.barren + 1 if new == 0 else 0
    return ""


async def _pages(session: Session, what: What, reading: _Reading) -> AsyncIterator[Outcome]:
    """The outcome of each page's request, until the last page or a reason to stop, which becomes a warning."""
    method = METHODS[what][0]
    cursor: bytes | None = None
    seen: set[bytes] = set()
    restarted = False
    while True:
        outcome = await session.request(method, {} if cursor is None else {"cursor": msgspec.Raw(cursor)})
        if isinstance(outcome, RpcError) and outcome.code == _INVALID_PARAMS and cursor is not None and not restarted:
            restarted = True
            reading.warnings.append(
                "The server refused one of its own cursors; the list was read again from the start."
            )
            reading.items.clear()
            reading.keys.clear()
            reading.pages = reading.duplicates = 0
            cursor, seen = None, set()
            continue
        yield outcome
        if not isinstance(outcome, Complete):
            return
        cursor = _next_cursor(outcome.result)
        if cursor is None:
            return
        stop = _reason_to_stop(cursor, seen, reading)
        if stop:
            reading.warnings.append(stop)
            return
        seen.add(cursor)


def _next_cursor(result: bytes) -> bytes | None:
    try:
        raw = _page.decode(result).nextCursor
    except (msgspec.MsgspecError, RecursionError):
        return None
    return None if raw is None or bytes(raw) == b"null" else bytes(raw)


def _reason_to_stop(cursor: bytes, seen: set[bytes], reading: _Reading) -> str:
    shown = cursor[:80].decode(errors="replace")
    if cursor in seen:
        return f"The server's cursor {shown} came twice; reading stopped after {reading.pages} pages."
    if reading.barren >= _BARREN_PAGES:
        return f"{_BARREN_PAGES} pages in a row brought nothing new; reading stopped after {reading.pages} pages."
    if reading.pages >= MAX_PAGES:
        return f"The list has more than {MAX_PAGES} pages; reading stopped."
    if not cursor.startswith(b'"') and not any("not a string" in warning for warning in reading.warnings):
        reading.warnings.append(f"nextCursor is {shown}, which is not a string; it is sent back as it came.")
    return ""


def _problem(item: Item, *, mirrored: bool) -> str:
    if not item.raw.startswith(b"{"):
        return "is not an object"
    if not item.key:
        missing = {What.RESOURCES: "uri", What.TEMPLATES: "uriTemplate"}.get(item.what, "name")
        return f'has no "{missing}"'
    if item.what is What.TOOLS:
        return _tool_problem(item.value.get("inputSchema"), mirrored=mirrored)
    return ""


def _tool_problem(schema: Any, *, mirrored: bool) -> str:
    if schema is None:
        return "has no inputSchema"
    if not isinstance(schema, dict):
        return "its inputSchema is not an object"
    if schema.get("type") != "object":
        return 'its inputSchema is not of type "object"'
    reason = headers.refusal(schema) if mirrored else ""
    return f"excluded over HTTP: {reason}" if reason else ""
