"""Kinds of results and their cache hints, since 2026-07-28. Numbers 78 to 84 of the checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from mcp_inspector.checks import methods
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN = "2026-07-28"
_KINDS = ("complete", "input_required", "task")
_ASKING = ("tools/call", "prompts/get", "resources/read")
_LONG_MS = 24 * 3600 * 1000
_CACHED = tuple(f"result {method}" for method in methods.CACHED)


class _Kept:
    """What lists said last: their cache scope, and their items with the moment until which they are fresh."""

    def __init__(self) -> None:
        self.scopes: dict[str, tuple[Any, int]] = {}
        self.items: Bounded[tuple[int, int, int]] = Bounded()


@rule("result-type", 78, ERROR, "Every result says what it is.", "messages", "result", since=_MODERN)
def result_type(view: View) -> Iterator[str]:
    if not isinstance(view.message.get("result"), dict):
        return
    if "resultType" not in view.result:
        yield "The result has no resultType."
    elif view.result["resultType"] not in _KINDS:
        yield f"The result's resultType is {shown(view.result['resultType'])}, which is none."


@rule("asks-elsewhere", 79, ERROR, "Only calls, reads and prompts ask back.", "mrtr", "result", since=_MODERN)
def asks_elsewhere(view: View) -> Iterator[str]:
    if view.result.get("resultType") == "input_required" and view.method not in _ASKING:
        yield f"The result of {view.method} asks for input."


@rule("cache-hints", 80, ERROR, "Lists and reads say how long they hold.", "caching", *_CACHED, since=_MODERN)
def cache_hints(view: View) -> Iterator[str]:
    result = view.result
    if not view.complete or not isinstance(view.message.get("result"), dict):
        return
    ttl, scope = result.get("ttlMs"), result.get("cacheScope")
    if "ttlMs" not in result:
        yield "The result has no ttlMs."
    elif not _whole(ttl) or ttl < 0:
        yield f"The result's ttlMs is {shown(ttl)}, which is no whole number of milliseconds."
    if "cacheScope" not in result:
        yield "The result has no cacheScope."
    elif scope not in ("public", "private"):
        yield f"The result's cacheScope is {shown(scope)}, neither public nor private."


@rule("cache-hints-asking", 81, WARNING, "What asks for input is not cached.", "caching", "result", since=_MODERN)
def cache_hints_asking(view: View) -> Iterator[str]:
    hints = [name for name in ("ttlMs", "cacheScope") if name in view.result]
    if view.result.get("resultType") == "input_required" and hints:
        yield f"The result asks for input and has {' and '.join(hints)}."


@rule(
    "cache-scope-pages",
    82,
    ERROR,
    "All pages of a list have one cacheScope.",
    "caching",
    *(f"result {method}" for method in methods.LISTS),
    since=_MODERN,
)
def cache_scope_pages(view: View) -> Iterator[str | Hit]:
    asked, scope = view.asked, view.result.get("cacheScope")
    if asked is None or scope is None:
        return
    known = view.talk.of(_Kept).scopes
    before = known.get(view.method)
    if asked.params.get("cursor") is None or before is None:
        known[view.method] = (scope, view.seq)
    elif before[0] != scope:
        yield Hit(f"This page is {shown(scope)}, the first was {shown(before[0])}.", (before[1],))


@rule("stale-early", 84, INFO, "What changes is announced, or has been let expire.", "caching", *_CACHED, since=_MODERN)
def stale_early(view: View) -> Iterator[str | Hit]:
    asked, ttl = view.asked, view.result.get("ttlMs")
    if asked is None or not isinstance(ttl, int) or isinstance(ttl, bool) or not view.complete:
        return
    kept = view.talk.of(_Kept)
    key = (view.method, shown(asked.params.get("uri")), shown(asked.params.get("cursor")))
    value = hash(shown({k: v for k, v in view.result.items() if k not in ("_meta", "ttlMs")}, 1 << 20))
    before = kept.items.get(key)
    moment = view.entry.mono_ns
    if (
        before is not None
        and before[0] != value
        and moment < before[1]
        and view.talk.changed.get(view.method, 0) < before[2]
    ):
        yield Hit(
            "The result differs from the one before, which is still fresh, and no change was announced.", (before[2],)
        )
    kept.items[key] = (value, moment + min(ttl, 10**12) * 1_000_000, view.seq)


@rule("ttl-huge", 84, INFO, "What is cached for days is seldom meant to be.", "caching", *_CACHED, since=_MODERN)
def ttl_huge(view: View) -> Iterator[str]:
    ttl = view.result.get("ttlMs")
    if isinstance(ttl, int) and ttl > _LONG_MS:
        yield f"The result may be kept for {ttl / 3_600_000:,.0f} hours."


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


RULES = rules_in(globals())
