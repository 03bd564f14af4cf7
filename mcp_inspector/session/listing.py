"""Reads a list page by page, bounded, and says what was odd about it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.cache import hint_of
from mcp_inspector.session.catalogue import METHODS, Freshness, Item, Listing, What
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.wire import headers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.cache import Cache, Cached, Hint
    from mcp_inspector.session.session import Session

MAX_PAGES = 10_000
_BARREN_PAGES = 3
_METHOD_NOT_FOUND, _INVALID_PARAMS = -32601, -32602


class _Result(msgspec.Struct):
    tools: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    resources: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    resourceTemplates: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    prompts: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    nextCursor: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_result = msgspec.json.Decoder(_Result)
_entries = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True)
class Page:
    """One page as it was read. Cursors are JSON text as they travelled, None for none; `new` counts unseen keys."""

    number: int
    cursor: bytes | None
    next_cursor: bytes | None
    items: tuple[Item, ...]
    new: int
    outcome: Outcome


class Stepper:
    """Reads one list a page at a time: `step` until `done`. `listing` gives what was read, with what was odd.

    Pages that the server lets be used again are kept in `cache`, and taken from it unless `fresh`.
    """

    def __init__(self, session: Session, what: What, cache: Cache | None = None, *, fresh: bool = True) -> None:
        self.what = what
        self._cache, self._fresh = cache, fresh
        self.pages: list[Page] = []
        self.done = False
        self._session = session
        modern_http = session.codec is not None and session.codec.era == "modern" and session.transport.name != "stdio"
        self._mirrored = modern_http and what is What.TOOLS
        self._restarted = False
        self._cursor: bytes | None = None
        self._begin()

    def _begin(self) -> None:
        self._items: list[Item] = []
        self._raws: dict[str, set[bytes]] = {}
        self._warnings: list[str] = []
        self._seen: set[bytes] = set()
        self._counts: dict[str, int] = {}
        self._repeated = 0  # entries of an earlier page that came once more as they were
        self._barren = 0  # pages in a row that brought nothing new
        self._failure = ""
        self._unsupported = False
        self._hints: list[Hint] = []
        self._cached: Cached | None = None
        self._cursor = None
        self.pages = []

    async def step(self) -> Page:
        """Ask for the next page. A cursor of its own that the server refuses makes it begin again, once."""
        cursor = self._cursor
        params = {} if cursor is None else {"cursor": msgspec.Raw(cursor)}
        outcome = await self._ask(METHODS[self.what][0], params)
        if self._refused_cursor(outcome) and not self._restarted:
            self._restarted = True
            if self._cache is not None:
                self._cache.list_changed(METHODS[self.what][0])
            self._begin()
            self._warnings.append("The server refused one of its own cursors; the list was read again from the start.")
            return await self.step()
        page = self._take(cursor, outcome)
        self.pages.append(page)
        self._cursor = page.next_cursor
        stop = self._reason_to_stop(page)
        if stop:
            self._warnings.append(stop)
        self.done = bool(stop) or page.next_cursor is None
        return page

    async def _ask(self, method: str, params: Mapping[str, Any]) -> Outcome:
        cache = self._cache
        kept = cache.get(method, params) if cache is not None and not self._fresh else None
        if kept is not None:
            return kept
        moment = cache.moment if cache is not None else 0
        outcome = await self._session.request(method, params)
        if cache is not None and isinstance(outcome, Complete):
            cache.put(method, params, outcome, moment)
        return outcome

    def listing(self) -> Listing:
        """What has been read. Its freshness is FRESH, UNSUPPORTED or FAILED; what came before a failure is kept."""
        if self._unsupported:
            return Listing(self.what, freshness=Freshness.UNSUPPORTED, why=self._failure)
        warnings = list(self._warnings)
        broken = sum(1 for item in self._items if not item.key)
        if broken:
            warnings.append(f"{broken} of {len(self._items)} entries are broken and cannot be used.")
        if self._repeated:
            warnings.append(f"{self._repeated} entries repeat one of an earlier page as it was, and are left out.")
        several = {key: count for key, count in self._counts.items() if count > 1}
        if several:
            shown = ", ".join(map(repr, list(several)[:5])) + (" and others" if len(several) > 5 else "")
            names = f"{len(several)} names stand" if len(several) > 1 else "A name stands"
            warnings.append(f"{names} more than once: {shown}. A call cannot tell which is meant.")
        times = [hint.ttl_ms for hint in self._hints if hint.ttl_ms is not None]
        scopes = {hint.scope for hint in self._hints if hint.ttl_ms is not None or hint.scope}
        if len(scopes) > 1:
            warnings.append("The pages of this list do not have one cacheScope.")
        warnings += dict.fromkeys(fault for hint in self._hints for fault in hint.faults)
        return Listing(
            self.what,
            tuple(self._marked(item, several.get(item.key, 0)) for item in self._items),
            Freshness.FAILED if self._failure else Freshness.FRESH,
            self._cached.fetched_ns if self._cached is not None else time.time_ns(),
            len(self.pages),
            self._failure,
            tuple(warnings),
            min(times) if times else None,
            "private" if "private" in scopes else next(iter(scopes), ""),
            self._cached,
        )

    @staticmethod
    def _marked(item: Item, count: int) -> Item:
        return replace(item, note=f"this name is listed {count} times") if count else item

    def _refused_cursor(self, outcome: Outcome) -> bool:
        return isinstance(outcome, RpcError) and outcome.code == _INVALID_PARAMS and self._cursor is not None

    def _take(self, cursor: bytes | None, outcome: Outcome) -> Page:
        page = Page(len(self.pages) + 1, cursor, None, (), 0, outcome)
        if isinstance(outcome, RpcError):
            self._unsupported = outcome.code == _METHOD_NOT_FOUND and not self.pages
            said = outcome.message or outcome.error[:200].decode(errors="replace")
            self._failure = f"The server answered with error {outcome.code}: {said}"
            return page
        if isinstance(outcome, LocalError):
            self._failure = outcome.sentence
            return page
        if not isinstance(outcome, Complete):
            self._failure = "The server wants input before it lists, which it must not."
            return page
        try:
            result = _result.decode(outcome.result)
        except (msgspec.MsgspecError, RecursionError) as error:
            self._failure = f"The result cannot be read: {error}"
            return page
        self._hints.append(hint_of(outcome.result))
        if outcome.cached is not None and (self._cached is None or outcome.cached.until_ns < self._cached.until_ns):
            self._cached = outcome.cached
        return self._take_result(page, result)

    def _take_result(self, page: Page, result: _Result) -> Page:
        member = METHODS[self.what][1]
        raw = getattr(result, member)
        try:
            entries = None if raw is msgspec.UNSET else _entries.decode(raw)
        except msgspec.MsgspecError:
            entries = None
        if entries is None:
            self._failure = f'The result has no array "{member}".'
            return page
        items, new = self._add(entries)
        self._barren = 0 if new else self._barren + 1
        following = result.nextCursor
        cursor = None if following is msgspec.UNSET or bytes(following) == b"null" else bytes(following)
        return replace(page, items=items, new=new, next_cursor=cursor)

    def _add(self, entries: list[msgspec.Raw]) -> tuple[tuple[Item, ...], int]:
        """Take the entries of one page: all that are new, and other definitions under a name that was there before.

        A list that changed while it was read has one entry on two pages: what came before as it was is left out.
        """
        items, new = [], 0
        before = {key: set(raws) for key, raws in self._raws.items()}
        for entry in entries:
            item = Item(self.what, bytes(entry))
            problem = _problem(item, mirrored=self._mirrored)
            if problem:
                item = Item(self.what, item.raw, problem)
            items.append(item)
            if item.key and item.raw in before.get(item.key, ()):
                self._repeated += 1
                continue
            if item.key:
                new += item.key not in self._raws
                self._raws.setdefault(item.key, set()).add(item.raw)
                self._counts[item.key] = self._counts.get(item.key, 0) + 1
            self._items.append(item)
        return tuple(items), new

    def _reason_to_stop(self, page: Page) -> str:
        cursor = page.next_cursor
        if cursor is None:
            return ""
        shown = cursor[:80].decode(errors="replace")
        if cursor in self._seen:
            return f"The server's cursor {shown} came twice; reading stopped after {page.number} pages."
        if self._barren >= _BARREN_PAGES:
            return f"{_BARREN_PAGES} pages in a row brought nothing new; reading stopped after {page.number} pages."
        if page.number >= MAX_PAGES:
            return f"The list has more than {MAX_PAGES} pages; reading stopped."
        if not cursor.startswith(b'"') and not any("not a string" in warning for warning in self._warnings):
            self._warnings.append(f"nextCursor is {shown}, which is not a string; it is sent back as it came.")
        self._seen.add(cursor)
        return ""


async def read_list(session: Session, what: What, cache: Cache | None = None, *, fresh: bool = True) -> Listing:
    """All pages of one list; see `Stepper`."""
    stepper = Stepper(session, what, cache, fresh=fresh)
    while not stepper.done:
        await stepper.step()
    return stepper.listing()


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
