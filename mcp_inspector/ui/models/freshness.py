"""How fresh a cacheable result is, in words: 2026-07-28 says with it how long, and for whom, it may be kept.

Nothing is ever served from a cache here: every read and every refresh goes to the server. The words tell what a client
that does keep results would be allowed to do.
"""

from __future__ import annotations

from typing import Any

import msgspec

from mcp_inspector.ui import plain


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
