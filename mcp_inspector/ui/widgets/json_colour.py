"""Colours for the rows of a JSON text that are on screen, without reading the rest.

Lines of laid-out JSON begin outside of strings. Within one long line it must be known whether a row begins inside a
string; places where that is known are kept as rows are visited in order. A row far from all of them stays plain.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    Data = bytes | bytearray

_REACH: Final = 1 << 18
_GAP: Final = 1 << 14
_QUOTE: Final = 0x22
_INSIDE: Final = re.compile(rb'(?:[^"\\]++|\\.)*+', re.S)
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|-?[0-9][0-9.eE+-]*|\b(?:true|false|null)\b', re.S)
_COLON: Final = re.compile(rb"[ \t]*:")


class JsonColours:
    """Colour names for byte ranges of one text."""

    def __init__(self) -> None:
        self._known: dict[int, list[tuple[int, bool]]] = {}

    def clear(self) -> None:
        """Forget what is known, because the text is another."""
        self._known.clear()

    def spans(self, data: Data, line: int, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """(start, end, colour name) of tokens between two bytes of the line that begins at `line`."""
        state = self._state(data, line, start)
        if state is None:
            return
        place, inside = state
        if inside:
            stop = _match_end(data, place, end + 1)
            closed = stop < len(data) and stop <= end and data[stop] == _QUOTE
            stop += closed
            key = closed and _COLON.match(data, stop) is not None
            yield start, min(stop, end), "key" if key else "string"
            place = stop
        for found in _TOKEN.finditer(data, place, min(len(data), end + 256)):
            first, last = found.span()
            if first >= end:
                return
            colour = "number" if data[first] != _QUOTE else "key" if _COLON.match(data, last) else "string"
            yield max(first, start), min(last, end), colour

    def _state(self, data: Data, line: int, start: int) -> tuple[int, bool] | None:
        if start <= line:
            return line, False
        known = self._known.setdefault(line, [(line, False)])
        if len(self._known) > 500:
            self._known = {line: known}
        index = bisect_right(known, (start, True)) - 1
        place, inside = known[index]
        if start - place > _REACH:
            return None
        while place < start:
            place, inside = _forward(data, place, inside, min(start, place + _GAP))
            if index == len(known) - 1 and place - known[-1][0] >= _GAP:
                known.append((place, inside))
                index += 1
        return place, inside


def _match_end(data: Data, place: int, stop: int) -> int:
    found = _INSIDE.match(data, place, stop)
    return found.end() if found else place


def _forward(data: Data, place: int, inside: bool, stop: int) -> tuple[int, bool]:
    """Where reading stands at `stop`, or one byte later when an escape goes over it."""
    while place < stop:
        if inside:
            place = _match_end(data, place, stop)
            if place >= stop:
                break
            if data[place] == _QUOTE:
                place, inside = place + 1, False
            else:
                place += 2
        else:
            quote = data.find(b'"', place, stop)
            if quote < 0:
                return stop, False
            place, inside = quote + 1, True
    return place, inside
