"""The grammar of JSON as regular expressions, and what can be done with a text without building a tree.

`members` and `elements` read an envelope around values that are nested without limit; `compact` and `pretty` move
whitespace only. Grammar: RFC 8259.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from mcp_inspector.wire.jsonfault import JsonError, fault_at

if TYPE_CHECKING:
    from collections.abc import Iterator

_T = TypeVar("_T", str, bytes)

WS = r"[ \t\n\r]*+"
STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
NUMBER = r"-?+(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?"  # plain groups: see _LAYOUT
VALUE = rf"({STRING}|{NUMBER}|true|false|null|[\[{{])"
_LOOSE = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+'

# bytes of valid JSON, read without a tree
_name_b = re.compile(rf"{WS}({STRING}){WS}:{WS}".encode()).match
_scalar_b = re.compile(rf"(?:{STRING}|{NUMBER}|true|false|null)".encode()).match
_bracket_b = re.compile(rf"(?:[^\"\[\]{{}}]++|{STRING})*+([\[\]{{}}])".encode()).match
_blank_b = re.compile(WS.encode()).match

_check = msgspec.json.Decoder(msgspec.Raw).decode
_SOLID = rf"(?:[^\s\"]++|{STRING})++"
_solid = re.compile(_SOLID).findall
_solid_b = re.compile(_SOLID.encode()).findall
_APART = rf"({_LOOSE})|[ \t\n\r]++"
_apart = re.compile(_APART, re.S)
_apart_b = re.compile(_APART.encode(), re.S)
_MARKS: frozenset[str | bytes] = frozenset(["", b"", *'[]{},:"', *(bytes([code]) for code in b'[]{},:"')])
# Possessive groups lose captures and places in Python before 3.11.5 (gh-101955): these two groups are plain.
_LAYOUT = rf"{WS}(?:({STRING}){WS}:{WS})?({STRING}|[^\s\[\]{{}},:\"]++)?{WS}([,\[\]{{}}]|\Z)"
_layout = re.compile(_LAYOUT).match
_layout_b = re.compile(_LAYOUT.encode()).match

_LAYOUT_DEPTH = 100


class Member(NamedTuple):
    """A top-level member of an object or element of an array (then with an empty name): its value's span in bytes."""

    name: str
    start: int
    end: int


def end_of(match: re.Match[_T] | None) -> int:
    """Where a match ends, 0 for none."""
    return match.end() if match else 0


def members(data: bytes) -> list[Member]:
    """The members of a top-level object, in order, duplicates included; offsets in bytes.

    What stands inside the values is only matched bracket by bracket, so an envelope can be read around a value that
    is nested without limit.

    Raises:
        JsonError: when the top level is no well-formed object.
    """
    return [*_parts(data, b"{", b"}")]


def elements(data: bytes) -> list[Member]:
    """The elements of a top-level array, as `members` does for an object."""
    return [*_parts(data, b"[", b"]")]


def _parts(data: bytes, opening: bytes, closing: bytes) -> Iterator[Member]:
    pos = end_of(_blank_b(data))
    if data[pos : pos + 1] != opening:
        raise _fault_b(data, pos, "value")
    pos = end_of(_blank_b(data, pos + 1))
    if data[pos : pos + 1] == closing:
        pos += 1
    else:
        while True:
            name = ""
            if opening == b"{":
                match = _name_b(data, pos)
                if match is None:
                    raise _fault_b(data, end_of(_blank_b(data, pos)), "member")
                name, pos = json.loads(match[1].decode(errors="replace")), match.end()
            pos = end_of(_blank_b(data, pos))
            end = _skip(data, pos)
            yield Member(name, pos, end)
            pos = end_of(_blank_b(data, end))
            stop = data[pos : pos + 1]
            if stop != b"," and stop != closing:
                raise _fault_b(data, pos, "after")
            pos += 1
            if stop == closing:
                break
    pos = end_of(_blank_b(data, pos))
    if pos != len(data):
        raise _fault_b(data, pos, "end")


def _skip(data: bytes, pos: int) -> int:
    """The end of the value at `pos`."""
    match = _scalar_b(data, pos)
    if match is not None:
        return match.end()
    if data[pos : pos + 1] not in (b"[", b"{"):
        raise _fault_b(data, pos, "value")
    depth, start = 0, pos
    while True:
        match = _bracket_b(data, pos)
        if match is None:
            raise _fault_b(data, start, "close")
        pos = match.end()
        depth += 1 if match[1] in b"[{" else -1
        if not depth:
            return pos


def _fault_b(data: bytes, pos: int, wanted: str) -> JsonError:
    return fault_at(data.decode("latin-1"), pos, wanted)


def surely_json(text: str | bytes) -> bool:
    """A quick yes: 1 MB in some milliseconds. False means no or not sure (deep nesting, half surrogate pairs)."""
    try:
        _check(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return False
    return True


def compact(text: _T) -> _T:
    """The text without insignificant whitespace, all tokens as spelled: one line, as stdio needs it.

    Text that is not JSON stays as wrong as it was: two words are kept apart by one space.
    """
    if not surely_json(text):
        if isinstance(text, bytes):
            return _apart_b.sub(_squeeze, text)
        return _apart.sub(_squeeze, text)
    if isinstance(text, bytes):
        return b"".join(_solid_b(text))
    return "".join(_solid(text))


def _squeeze(match: re.Match[_T]) -> _T:
    token, blank = match[1], match[0]
    if token is not None:
        return token
    start, end = match.span()
    before, after = match.string[max(start - 1, 0) : start], match.string[end : end + 1]
    return blank[:0] if before in _MARKS or after in _MARKS else blank[:1]


def pretty(text: _T, indent: int = 2) -> _T:
    """The text laid out with one member or element a line, all tokens as spelled; empty containers stay together.

    Beyond 100 levels the indent stops growing, because it alone would make the text quadratic. From the first spot
    that is not JSON on, the rest follows as it is.
    """
    if isinstance(text, bytes):
        return _pretty(text.decode("latin-1"), indent).encode("latin-1")
    return _pretty(text, indent)


def _pretty(text: str, indent: int) -> str:
    breaks = ["\n" + " " * (indent * depth) for depth in range(_LAYOUT_DEPTH + 1)]
    out: list[str] = []
    put = out.append
    depth = pos = 0
    fresh = False  # right after an opening bracket
    length = len(text)
    while True:
        match = _layout(text, pos)
        if match is None:
            put(text[pos:])
            break
        name, scalar, mark = match.groups()
        if fresh and (name is not None or scalar is not None or mark in "[{"):
            put(breaks[depth if depth < _LAYOUT_DEPTH else _LAYOUT_DEPTH])
            fresh = False
        if name is not None:
            put(name)
            put(": ")
        if scalar is not None:
            put(scalar)
        if mark == ",":
            put(",")
            put(breaks[depth if depth < _LAYOUT_DEPTH else _LAYOUT_DEPTH])
        elif not mark:
            break
        elif mark in "[{":
            put(mark)
            depth += 1
            fresh = True
        else:
            depth = max(depth - 1, 0)
            if not fresh:
                put(breaks[depth if depth < _LAYOUT_DEPTH else _LAYOUT_DEPTH])
            put(mark)
            fresh = False
        pos = match.end()
        if pos == length:
            break
    return "".join(out)
