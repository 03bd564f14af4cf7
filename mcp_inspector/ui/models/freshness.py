"""How fresh a cacheable result is, in words: 2026-07-28 says with it how long, and for whom, it may be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.session.cache import Cached
    from mcp_inspector.session.catalogue import Listing


class _Hints(msgspec.Struct):
    ttlMs: Any = None
    cacheScope: Any = None


def hints(result: bytes) -> tuple[float | None, str]:
    """The `ttlMs` and `cacheScope` of a result; None and empty where they are absent or no such things."""
    try:
        found = msgspec.json.decode(result, type=_Hints)
    except (msgspec.MsgspecError, RecursionError):
        return None, ""
    ttl = found.ttlMs
    number = float(ttl) if isinstance(ttl, int | float) and not isinstance(ttl, bool) else None
    return number, found.cacheScope if isinstance(found.cacheScope, str) else ""


def words(ttl_ms: float | None, scope: str, age_s: float) -> str:
    """``fresh for 4 min 50 s more, public``; ``stale since 3 s``; empty where the server says nothing."""
    if ttl_ms is None:
        return plain.line(scope, 20)
    left = ttl_ms / 1000 - age_s
    if ttl_ms <= 0:
        fresh = "stale at once" if ttl_ms == 0 else f"ttlMs is {ttl_ms:g}, which means stale at once"
    elif left > 0:
        fresh = f"fresh for {plain.elapsed(int(left * 1e9))} more"
    else:
        fresh = f"stale since {plain.elapsed(int(-left * 1e9))}"
    return ", ".join(filter(None, (fresh, plain.line(scope, 20))))


def listing_words(listing: Listing, now_ns: int) -> str:
    """``read 8 s ago · fresh for 52 s more, public · from the cache``; empty when it was never read."""
    if not listing.fetched_wall_ns:
        return ""
    age = max(0.0, (now_ns - listing.fetched_wall_ns) / 1e9)
    parts = [f"read {plain.ago(age)}", words(listing.ttl_ms, listing.scope, age)]
    if listing.cached is not None:
        parts.append("from the cache")
    return " · ".join(filter(None, parts))


def listing_tip(listing: Listing) -> str:
    """What the words of a list mean."""
    if listing.ttl_ms is None and not listing.scope:
        return "The server says nothing of keeping this list. Refresh (F5) reads it anew."
    return "What the server says of keeping this list. Refresh (F5) always asks the server itself."


def cached_words(cached: Cached, now_ns: int) -> str:
    """``From the cache: read 3 s ago, fresh for 57 s more, private``."""
    left = (cached.until_ns - now_ns) / 1e9
    fresh = f"fresh for {plain.elapsed(int(left * 1e9))} more" if left > 0 else "stale by now"
    parts = (f"read {plain.ago(cached.age(now_ns))}", fresh, plain.line(cached.scope, 20))
    return f"From the cache: {', '.join(filter(None, parts))}"
