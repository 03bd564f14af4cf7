"""Two JSON texts side by side in one line, cut so that what differs is seen."""

from __future__ import annotations

SHOWN = 60
_BEFORE = 18


def cut(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def both(before: str, after: str) -> str:
    """``1 → 2``; of long texts the part around where they begin to differ."""
    if max(len(before), len(after)) <= SHOWN:
        return f"{before} → {after}"
    same = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), SHOWN)
    start = same - _BEFORE
    if start <= _BEFORE:
        return f"{cut(before)} → {cut(after)}"
    return f"…{cut(before[start:])} → …{cut(after[start:])}"
