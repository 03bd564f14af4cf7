"""Reads one level of a JSON text: members or elements as they are spelled, without looking into them.

A C decoder that leaves parts as text does the skipping; where it cannot (duplicate names, very deep nesting) a scan by
regular expressions does. Nothing is converted, so numbers, order, duplicates and escapes stay as they came.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

Text = bytes | memoryview

_list: Final = msgspec.json.Decoder(list[msgspec.Raw])
_dict: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_any: Final = msgspec.json.Decoder(msgspec.Raw)
_STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
_NAME: Final = re.compile(rb"[ \t\r\n,]*+(" + _STRING + rb")[ \t\r\n]*+:[ \t\r\n]*+", re.S)
_FLAT: Final = re.compile(_NAME.pattern + rb"(" + _STRING + rb"|[^\s,\]}\[{\"]++)(?=[ \t\r\n]*+[,}])", re.S)
_GAP: Final = re.compile(rb"[ \t\r\n,]*+")
_BLANK: Final = re.compile(rb"[ \t\r\n]*+")
_SCALAR: Final = re.compile(_STRING + rb"|[^\s,\]}\[{\"]++", re.S)
_BRACKET: Final = re.compile(rb"(?:[^\"\[\]{}]++|" + _STRING + rb")*+([\[\]{}])", re.S)


class Part(NamedTuple):
    """A member (with its name as spelled, quotes included) or an element (name None) and its value's text."""

    name: bytes | None
    text: Text


def strip(text: Text) -> Text:
    """The text without blanks around it."""
    found = _BLANK.match(text)
    start = found.end() if found else 0
    end = len(text)
    while end > start and text[end - 1] in b" \t\r\n":
        end -= 1
    return text[start:end]


def is_blank(text: Text, start: int, stop: int) -> bool:
    """Whether there is nothing but blanks in a part of the text, which is not copied for it."""
    found = _BLANK.match(text, start, stop)
    return found is not None and found.end() >= stop


class Parts:
    """The members or elements of one value, made when they are asked for. `good` is False for text that is no JSON.

    Members of a large object are found one after the other, as far as they are asked for: until then its length is that
    of its different names, and members of the same name again may come on top.
    """

    __slots__ = ("_least", "_made", "_raws", "_walk", "good")

    def __init__(self, text: Text) -> None:
        """Read an object or array that begins right at the text's start; a scalar has no parts."""
        self._raws: list[msgspec.Raw] | None = None
        self._made: list[Part] = []
        self._walk: Iterator[Part] | None = None
        self._least = 0
        self.good = True
        opening = bytes(text[:1])
        try:
            if opening == b"[":
                self._raws = _list.decode(text)
            elif opening == b"{":
                values = _dict.decode(text)
                self._walk, self._least = _members(text, values), len(values)
            else:
                _any.decode(text)
        except RecursionError:
            # Too deep for the decoder, which therefore cannot say whether it is JSON: its brackets are believed.
            self._made = [*_members(text, {})] if opening == b"{" else [*_elements(text)]
        except msgspec.MsgspecError:
            self.good = False
        if self._least <= _AT_ONCE:
            self._find(None)

    def __len__(self) -> int:
        if self._raws is not None:
            return len(self._raws)
        return len(self._made) if self._walk is None else max(len(self._made), self._least)

    @property
    def settled(self) -> bool:
        """Whether the length is sure."""
        return self._walk is None

    def between(self, first: int, last: int) -> list[Part]:
        """Some of them; fewer where there are fewer."""
        if self._raws is not None:
            return [Part(None, memoryview(raw)) for raw in self._raws[first:last]]
        self._find(last)
        return self._made[first:last]

    def _find(self, count: int | None) -> None:
        if self._walk is not None:
            self._made.extend(islice(self._walk, None if count is None else max(0, count - len(self._made))))
            if count is None or len(self._made) < count:
                self._walk = None


def string(text: Text) -> str | None:
    """The value of a string's text; None when it is no string, or one that cannot be read."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _members(text: Text, values: dict[str, msgspec.Raw]) -> Iterator[Part]:
    place = 1
    while True:
        flat = _FLAT.match(text, place)
        if flat is not None:
            place = flat.end()
            yield Part(bytes(flat[1]), text[flat.start(2) : flat.end(2)])
            continue
        found = _NAME.match(text, place)
        if found is None:
            return
        name, place = bytes(found[1]), found.end()
        known = values.get(name[1:-1].decode("utf-8", "replace") if b"\\" not in name else string(name) or "")
        end = -1
        if known is not None:
            # The decoder keeps the last of duplicates: only if its text stands here, and ends here, is it this one.
            value = memoryview(known)
            after = place + len(value)
            if _stands(text, place, value) and _closes(text, after):
                end = after
        if end < 0:
            end = _skip(text, place)
        yield Part(name, text[place:end])
        place = end


def _elements(text: Text) -> Iterator[Part]:
    place = 1
    while True:
        found = _GAP.match(text, place)
        place = found.end() if found else place
        if place >= len(text) or text[place] == 0x5D:
            return
        end = _skip(text, place)
        if end <= place:
            return
        yield Part(None, text[place:end])
        place = end


def _stands(text: Text, place: int, value: memoryview) -> bool:
    if isinstance(text, bytes):
        return text.startswith(value, place)  # without a copy: it may be 100 MB
    return text[place : place + len(value)] == value


def _closes(text: Text, place: int) -> bool:
    found = _BLANK.match(text, place)
    return bytes(text[found.end() : found.end() + 1]) in (b",", b"}") if found else False


def _skip(text: Text, place: int) -> int:
    if bytes(text[place : place + 1]) not in (b"[", b"{"):
        found = _SCALAR.match(text, place)
        return found.end() if found else place
    depth = 0
    while (found := _BRACKET.match(text, place)) is not None:
        place = found.end()
        depth += 1 if bytes(found[1]) in (b"[", b"{") else -1
        if depth == 0:
            return place
    return len(text)


_LAYOUT: Final = re.compile(
    rb"[ \t\r\n]*+(?:(" + _STRING + rb")[ \t\r\n]*+:[ \t\r\n]*+)?+"
    rb"(" + _STRING + rb"|[^\s\[\]{},:\"]++)?+[ \t\r\n]*+([,\[\]{}]|\Z)",
    re.S,
)
_DEEPEST: Final = 60
_AT_ONCE: Final = 2_000
_PIECE: Final = 1 << 15


def pretty(text: bytes, indent: int = 2, piece: int = _PIECE) -> Iterator[bytes]:
    """The text laid out with one member or element a line, every token as spelled, in pieces of about `piece` bytes.

    Beyond 60 levels the indent stops growing. From the first spot that is not JSON on, the rest follows as it is.
    """
    breaks = [b"\n" + b" " * (indent * depth) for depth in range(_DEEPEST + 1)]
    out: list[bytes] = []
    put = out.append
    depth = place = said = 0
    fresh = False
    while True:
        found = _LAYOUT.match(text, place)
        if found is None:
            put(text[place:])
            break
        name, scalar, mark = found.groups()
        if fresh and (name is not None or scalar is not None or mark in b"[{"):
            put(breaks[min(depth, _DEEPEST)])
            fresh = False
        if name is not None:
            put(name)
            put(b": ")
        if scalar is not None:
            put(scalar)
        if mark == b",":
            put(b"," + breaks[min(depth, _DEEPEST)])
        elif mark == b"]" or mark == b"}":
            depth = max(0, depth - 1)
            put(mark if fresh else breaks[min(depth, _DEEPEST)] + mark)
            fresh = False
        elif mark:
            put(mark)
            depth += 1
            fresh = True
        place = found.end()
        if not mark or place >= len(text):
            break
        if place - said > piece:
            said = place
            yield b"".join(out)
            out.clear()
    yield b"".join(out)
