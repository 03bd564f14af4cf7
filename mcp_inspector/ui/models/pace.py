"""How far a call says it is and how fast it gets on, whatever numbers its server tells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.session.call import Progress

_SHORTEST_NS = 300_000_000
"""A rate over less time than this says nothing."""
_LONGEST_LEFT = 100 * 3600.0


class Pace:
    """Hears the progress of one call. Values that are no finite numbers are passed over."""

    def __init__(self) -> None:
        self.told = 0
        self.backwards = False
        """Whether it ever went back, which it must not."""
        self._first: tuple[float, int] | None = None
        self._last: tuple[float, int] | None = None
        self._total: float | None = None

    def hear(self, progress: Progress, now_ns: int) -> None:
        """One more notification."""
        self.told += 1
        self._total = _finite(progress.total)
        value = _finite(progress.progress)
        if value is None:
            return
        if self._last is not None and value < self._last[0]:
            self.backwards = True
            self._first = None
        self._first = self._first or (value, now_ns)
        self._last = (value, now_ns)

    @property
    def part(self) -> float | None:
        """From 0 to 1; None where that cannot be said."""
        if self._last is None or not self._total or self._total < 0:
            return None
        return min(max(self._last[0] / self._total, 0.0), 1.0)

    @property
    def rate(self) -> float | None:
        """Steps a second since it last went on from anew; None before that can be said."""
        if self._first is None or self._last is None or self._last[1] - self._first[1] < _SHORTEST_NS:
            return None
        rate = _finite((self._last[0] - self._first[0]) / (self._last[1] - self._first[1]) * 1e9)
        return rate if rate is not None and rate > 0 else None

    def words(self) -> str:
        """``4 of 10 · 2.1/s · about 3 s left``; empty when nothing can be said."""
        if self._last is None:
            return ""
        done, rate = _short(self._last[0]), self.rate
        parts = [f"{done} of {_short(self._total)}" if self._total is not None and self._total > 0 else done]
        if rate is not None:
            parts.append(f"{_short(rate)}/s")
            left = (self._total - self._last[0]) / rate if self._total else 0
            if 1 <= left < _LONGEST_LEFT:
                parts.append(f"about {plain.elapsed(round(left) * 1_000_000_000)} left")
        if self.backwards:
            parts.append("it went back")
        return " · ".join(parts)


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _short(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) and abs(value) < 1e15 else f"{value:.3g}"
