"""Hiding secrets where a configuration is shown or exported: by the names under which they usually stand.

A value that is a variable (``${API_KEY}``) is shown: it is not the secret, and it is what one has to see to correct it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MASK = "•••"

_NAME = re.compile(r"key|token|secret|auth|passw|cookie|session|credential|signature|bearer|\bpat\b", re.IGNORECASE)
_FLAG = re.compile(r"(--?[\w.-]+)(?:=(.*))?\Z", re.DOTALL)
_HEADER = re.compile(r"([\w-]+:\s*)(.+)\Z", re.DOTALL)
_SCHEME = re.compile(r"(Bearer|Basic|Token|Digest)\s+(?=\S)", re.IGNORECASE)
_QUERY = re.compile(r"([?&#;])([^=&#;]+)=([^&#;]*)")
_USER = re.compile(r"(\w+://)[^/?#\s]*@")


def is_secret(name: str) -> bool:
    """Whether what stands under this name is probably a secret."""
    return _NAME.search(name) is not None


def mask(name: str, value: str) -> str:
    """The value, or `MASK` in its place; of a header like ``Authorization`` the scheme stays."""
    if not is_secret(name) or not value or "${" in value:
        return value
    scheme = _SCHEME.match(value)
    return (scheme.group() if scheme else "") + MASK


def mask_all(values: Mapping[str, str]) -> dict[str, str]:
    """An environment or headers with their secrets masked."""
    return {name: mask(name, value) for name, value in values.items()}


def mask_url(url: str) -> str:
    """An address without user, password and secret parameters."""
    bare = _USER.sub(rf"\1{MASK}@", url)
    return _QUERY.sub(lambda found: f"{found[1]}{found[2]}={mask(found[2], found[3])}", bare)


def mask_words(words: Sequence[str]) -> list[str]:
    """A command line with its secrets masked: after a flag or in an assignment or header with such a name."""
    shown: list[str] = []
    follows = ""
    for word in words:
        flag, header = _FLAG.match(word), _HEADER.match(word)
        if follows and not flag:
            shown.append(mask(follows, word))
        elif flag and flag[2] is not None:
            shown.append(f"{flag[1]}={mask(flag[1], flag[2])}")
        elif re.match(r"\w+://", word):
            shown.append(mask_url(word))
        elif header and is_secret(header[1]):
            shown.append(header[1] + mask(header[1], header[2]))
        elif "=" in word and not flag:
            name, _, value = word.partition("=")
            shown.append(f"{name}={mask(name, value)}")
        else:
            shown.append(word)
        follows = flag[1] if flag and flag[2] is None and is_secret(flag[1]) else ""
    return shown
