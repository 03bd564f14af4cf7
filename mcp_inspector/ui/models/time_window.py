"""The part of a session that a view of time shows: zoom from all of it to a microsecond, pan, round marks, words."""

from __future__ import annotations

from dataclasses import dataclass, replace

NARROWEST = 1_000
"""The least that a view shows, in nanoseconds."""

_UNITS = ((1_000_000, "µs", 1_000), (1_000_000_000, "ms", 1_000_000), (60_000_000_000, "s", 1_000_000_000))
_STEPS = tuple(digit * 10**power for power in range(17) for digit in (1, 2, 5))
_CLOCK = tuple(step * 1_000_000_000 for step in (60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400))


@dataclass(frozen=True)
class TimeWindow:
    """From `start` to `end`, nanoseconds since the session's first record; `length` is that of the session."""

    start: int = 0
    end: int = NARROWEST
    length: int = NARROWEST

    @property
    def width(self) -> int:
        """How much is shown."""
        return self.end - self.start

    @property
    def whole(self) -> bool:
        """Whether everything is shown."""
        return self.start <= 0 and self.end >= self.length

    def grown(self, length: int) -> TimeWindow:
        """The session has become longer: what showed all of it, or its end, goes on to."""
        length = max(length, NARROWEST)
        if self.whole:
            return TimeWindow(0, length, length)
        if self.end >= self.length:
            return TimeWindow(max(0, length - self.width), length, length)
        return replace(self, length=length)

    def all(self) -> TimeWindow:
        """Everything."""
        return TimeWindow(0, self.length, self.length)

    def between(self, start: int, end: int) -> TimeWindow:
        """This part, kept inside the session and not below a microsecond."""
        width = min(max(end - start, NARROWEST), self.length)
        start = min(max((start + end - width) // 2 if end - start < width else start, 0), self.length - width)
        return TimeWindow(start, start + width, self.length)

    def zoomed(self, factor: float, at: int) -> TimeWindow:
        """More (`factor` below 1) or less of it; the moment `at` stays where it is."""
        width = min(max(int(self.width * factor), NARROWEST), self.length)
        part = (at - self.start) / self.width if self.width else 0.5
        return self.between(at - int(width * part), at - int(width * part) + width)

    def moved(self, by: int) -> TimeWindow:
        """Earlier or later by some nanoseconds, as far as the session goes."""
        return self.between(self.start + by, self.end + by)

    def x(self, at: int, width: int) -> float:
        """Where a moment is, in pixels of a view this wide."""
        return (at - self.start) * width / max(self.width, 1)

    def at(self, x: float, width: int) -> int:
        """The moment at a pixel."""
        return self.start + int(x * self.width / max(width, 1))

    def edges(self, width: int, step: int = 1) -> list[int]:
        """The moments at the borders of columns of `step` pixels, ascending; what is at the very end is inside."""
        count = max(width // step, 1)
        return [self.start + self.width * column // count for column in range(count)] + [self.end + 1]

    def marks(self, most: int) -> list[int]:
        """Round moments to write on the axis, at most about this many."""
        least = self.width / max(most, 1)
        step = next((each for each in (*(s for s in _STEPS if s < 60_000_000_000), *_CLOCK) if each >= least), 0)
        step = step or int(least // 86_400_000_000_000 + 1) * 86_400_000_000_000
        first = -(-self.start // step) * step
        return list(range(first, self.end + 1, step))


def words(at: int, precision: int) -> str:
    """A moment since the start, as exact as marks need that are `precision` ns apart: ``12.35 s``, ``3:05.2``."""
    if at >= 60_000_000_000:
        minutes, rest = divmod(at, 60_000_000_000)
        hours, minutes = divmod(minutes, 60)
        digits = _digits(precision, 1_000_000_000)
        seconds = f"{rest / 1e9:0{3 + digits if digits else 2}.{digits}f}"
        return f"{hours}:{minutes:02d}:{seconds}" if hours else f"{minutes}:{seconds}"
    for limit, unit, size in _UNITS:
        if max(at, precision) < limit or unit == "s":
            return f"{at / size:.{_digits(precision, size)}f} {unit}"
    return ""


def exact(at: int) -> str:
    """A moment as the filter line reads it, without loss."""
    whole, rest = divmod(at, 1_000_000)
    return f"{whole}ms" if not rest else f"{at / 1e6:.6f}".rstrip("0") + "ms"


def _digits(precision: int, unit: int) -> int:
    digits = 0
    while precision < unit and digits < 9:
        precision *= 10
        digits += 1
    return digits
