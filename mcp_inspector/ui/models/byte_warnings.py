"""What is odd about the bytes of a message, as sentences: what another reader would trip over or change."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Final

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError

_LOOKED_INTO: Final = 200_000
"""Bytes of a message up to which its values are looked at, too: some 20 ms."""
_MOST: Final = 3
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)', re.DOTALL)
_SAFE: Final = 2**53


def byte_warnings(data: bytes) -> list[str]:
    """Byte order mark, line ends, bytes that are no text; repeated members, and numbers that others would change."""
    found = []
    if data.startswith(b"\xef\xbb\xbf"):
        found.append("Starts with a byte order mark, which JSON must not.")
    returns, nothing = data.find(b"\r"), data.find(b"\x00")
    if data.endswith(b"\r"):
        found.append("Ends with CR: the line end was CRLF.")
    elif returns >= 0:
        found.append(f"Contains CR at offset {returns:,}.")
    if nothing >= 0:
        found.append(f"Contains a NUL byte at offset {nothing:,}.")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        found.append(f"Is not UTF-8: byte 0x{data[error.start]:02X} at offset {error.start:,}.")
    if len(data) <= _LOOKED_INTO and data.lstrip()[:1] in (b"{", b"["):
        found += _repeated(data) + _numbers(data)
    return found


def _repeated(data: bytes) -> list[str]:
    try:
        again = jsontext.duplicates(jsontext.parse(data))
    except JsonError:
        return []
    shown = [
        f"The member {jsontext.pointer(path)} stands there again at character {offset:,}: most readers keep the last."
        for path, offset in again[:_MOST]
    ]
    return shown + ([f"{len(again) - _MOST:,} more members are repeated."] if len(again) > _MOST else [])


def _numbers(data: bytes) -> list[str]:
    tokens = _TOKEN.finditer(data.decode("utf-8", "replace"))
    lost = [token[1] for token in tokens if token[1] is not None and _is_lost(token[1])]
    shown = [
        f"The number {number[:60]} is changed by readers that keep it as a double: {_as_double(number)}."
        for number in lost[:_MOST]
    ]
    return shown + ([f"{len(lost) - _MOST:,} more numbers would be changed."] if len(lost) > _MOST else [])


def _is_lost(number: str) -> bool:
    """Whether a double cannot hold it: an integer beyond 2**53 that is rounded, or one that is too large."""
    if len(number) < 16 and "e" not in number.lower():
        return False
    try:
        exact, double = Decimal(number), float(number)
    except (InvalidOperation, ValueError, OverflowError):
        return False
    if double in (float("inf"), float("-inf")) or (double == 0 and exact != 0):
        return True
    return abs(exact) > _SAFE and exact == exact.to_integral_value() and Decimal(double) != exact


def _as_double(number: str) -> str:
    double = float(number)
    return "none can hold it" if double in (float("inf"), float("-inf")) else f"{Decimal(double):f}"[:60]
