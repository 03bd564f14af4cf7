"""What a JSON value says beside its text: the moment that it means, the parts of a signed token."""

from __future__ import annotations

import base64
import binascii
import re
import time
from datetime import datetime
from typing import Final

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_TIMES: Final = frozenset(
    {
        *("exp", "iat", "nbf", "time", "timestamp", "ts", "date", "at", "since", "until"),
        *("created", "updated", "modified", "expires", "expire"),
    }
)
_UNITS: Final = frozenset({"s", "ms", "us", "ns"})
_NUMBER: Final = re.compile(rb"\d{9,19}(?:\.\d+)?")
_ISO: Final = re.compile(rb'"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)"')
_TOKEN: Final = re.compile(rb'"(eyJ[A-Za-z0-9_-]{8,})\.([A-Za-z0-9_-]{4,})\.[A-Za-z0-9_-]*"')
_FIRST, _LAST = 946_684_800, 4_102_444_800
"""The years 2000 to 2100, in seconds: what lies outside is hardly a time."""
_LONGEST_TOKEN: Final = 100_000


def moment(name: str, text: bytes) -> str:
    """The local time that a value means, empty when it means none. A number needs a name that speaks of time."""
    if _ISO.fullmatch(text):
        try:
            found = datetime.fromisoformat(text[1:-1].decode())
        except ValueError:
            return ""
        return _local(found.timestamp()) if found.utcoffset() is not None else ""
    if _NUMBER.fullmatch(text) is None:
        return ""
    words = [word.lower() for word in _WORDS.findall(name)]
    if words and words[-1] in _UNITS:
        words.pop()
    if not words or words[-1] not in _TIMES:
        return ""
    number = float(text)
    for unit in (1, 1e3, 1e6, 1e9):
        if _FIRST <= number / unit <= _LAST:
            return _local(number / unit)
    return ""


def token(text: bytes) -> bytes:
    """Header and payload of a JSON Web Token as a JSON text, empty when it is none. Its signature is not checked."""
    if len(text) > _LONGEST_TOKEN or not text.startswith(b'"eyJ'):
        return b""
    found = _TOKEN.fullmatch(text)
    if found is None:
        return b""
    try:
        parts = [base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4)) for part in found.groups()]
    except (binascii.Error, ValueError):
        return b""
    if any(part[:1] != b"{" for part in parts):
        return b""
    return b'{"header":' + parts[0] + b',"payload":' + parts[1] + b"}"


def _local(seconds: float) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (OverflowError, OSError, ValueError):
        return ""
