"""Values of headers and variables in an entry that stand there in plain text, and how they go to the vault instead.

The file gets ``${secret:SERVER/NAME}``; the scheme of an Authorization header stays, so that it can be read there.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.entry_reader import ENV_MEMBERS
from mcp_inspector.config.shapes import is_text
from mcp_inspector.store.redact import is_secret_name, redact_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_SCHEME = re.compile(r"(?i)((?:Bearer|Basic|Token) +)(?=\S)")
_REFERENCE = re.compile(r"\$\{secret:([^}]*)\}")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_.-]")


@dataclass(frozen=True)
class PlainValue:
    """One value. `path` leads to it in the entry; `prefix` is what stays in the file before the secret."""

    path: tuple[str, ...]
    secret: str = field(repr=False)
    prefix: str
    looks_secret: bool

    @property
    def name(self) -> str:
        """The header's or the variable's."""
        return self.path[-1]

    def reference(self, item: str) -> str:
        """What stands in the file instead."""
        return f"{self.prefix}${{secret:{item}}}"


def plain_values(entry: Any) -> tuple[PlainValue, ...]:
    """Those of an entry as a plain value; what holds a variable is none."""
    return tuple(_values(entry, ())) if isinstance(entry, dict) else ()


def _values(entry: dict[str, Any], at: tuple[str, ...]) -> Iterator[PlainValue]:
    for member in (*ENV_MEMBERS, "headers"):
        held = entry.get(member)
        for name, value in held.items() if isinstance(held, dict) else ():
            text = str(value) if is_text(value) else ""
            if text.strip() and "${" not in text:
                scheme = _SCHEME.match(text) if member == "headers" else None
                prefix = scheme[1] if scheme is not None else ""
                looks = is_secret_name(name, strict=True) or bool(redact_text(text).masked)
                yield PlainValue((*at, member, name), text[len(prefix) :], prefix, looks)
    command = entry.get("command")
    if isinstance(command, dict) and not at:
        yield from _values(command, ("command",))


def item_for(server: str, name: str, taken: Container[str]) -> str:
    """The name in the vault for a value of a server: readable, and no other's."""
    words = [_word(server or "server", 40), _word(name, 50)]
    item, number = "/".join(words), 2
    while item in taken:
        item, number = f"{words[0]}/{words[1]}-{number}", number + 1
    return item


def _word(text: str, most: int) -> str:
    """A text with the characters that a reference may have; where some were lost, a part of its hash."""
    plain = _NOT_IN_A_NAME.sub("-", text)[:most]
    return plain if plain == text else f"{plain}-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:6]}"


def named_in(text: str) -> frozenset[str]:
    """The secrets that a text names."""
    return frozenset(_REFERENCE.findall(text))


def restored(value: Any, secrets: dict[str, str]) -> Any:
    """An entry's plain value with these secrets in it again."""
    if isinstance(value, dict):
        return {name: restored(one, secrets) for name, one in value.items()}
    if isinstance(value, list):
        return [restored(one, secrets) for one in value]
    if is_text(value):
        return _REFERENCE.sub(lambda match: secrets.get(match[1], match[0]), value)
    return value
