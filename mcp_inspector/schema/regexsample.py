"""A text that a regular expression matches, for samples. Reads what schemas use; gives None for the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcp_inspector.schema.patterns import matches

_CLASSES = {
    "d": "0123456789",
    "w": "abcdefghijklmnopqrstuvwxyz0123456789_",
    "s": " ",
    "D": "abc",
    "W": "-. ",
    "S": "abc",
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-_ABC.~ /:@!#"
_QUANTIFIER = re.compile(r"([*+?]|\{[0-9]{1,6}(?:,[0-9]{0,6})?\})[?+]?")
_MOST = 4096
_DEEP = 30


class _Unreadable(Exception):
    """The pattern uses something that is not read here."""


@dataclass(slots=True)
class _Reader:
    pattern: str
    more: int
    seed: int
    at: int = 0

    def alternatives(self, depth: int) -> str:
        if depth > _DEEP:
            raise _Unreadable
        options = [self.sequence(depth)]
        while self.peek() == "|":
            self.at += 1
            options.append(self.sequence(depth))
        return options[0] if not self.seed else options[self.seed % len(options)]

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def sequence(self, depth: int) -> str:
        out: list[str] = []
        while self.peek() not in ("", "|", ")"):
            chars = self.atom(depth)
            low, high = self.quantity()
            count = min(max(low, min(high, self.more)), _MOST) if (low, high) != (1, 1) else 1
            out.append("".join(chars[(self.seed + at) % len(chars)] for at in range(count)) if chars else "")
        text = "".join(out)
        if len(text) > _MOST:
            raise _Unreadable
        return text

    def quantity(self) -> tuple[int, int]:
        match = _QUANTIFIER.match(self.pattern, self.at)
        if match is None:
            return 1, 1
        self.at = match.end()
        word = match[1]
        if word in "*+?":
            return {"*": (0, _MOST), "+": (1, _MOST), "?": (0, 1)}[word]
        low, comma, high = word[1:-1].partition(",")
        return int(low), int(high) if high else (_MOST if comma else int(low))

    def atom(self, depth: int) -> list[str]:
        """The texts one atom may stand for; empty when it matches no character (an anchor)."""
        char = self.peek()
        self.at += 1
        if char == "(":
            return self.group(depth)
        if char == "[":
            return self.charset()
        if char == "\\":
            return self.escape()
        if char == ".":
            return [*_LETTERS]
        return [] if char in "^$" else [char]

    def group(self, depth: int) -> list[str]:
        head = re.compile(r"\?(?::|P?<(?![=!])[^>]*>)").match(self.pattern, self.at)
        if head is not None:
            self.at = head.end()
        elif self.peek() == "?":
            raise _Unreadable  # look-around
        text = self.alternatives(depth + 1)
        if self.peek() != ")":
            raise _Unreadable
        self.at += 1
        return [text]

    def escape(self) -> list[str]:
        char = self.peek()
        self.at += 1
        if char in _CLASSES:
            return [*_CLASSES[char]]
        if char in "bB":
            return []
        if char in _ESCAPES:
            return [_ESCAPES[char]]
        code = re.compile(r"u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})").match(self.pattern, self.at - 1)
        if code is not None:
            self.at = code.end()
            return [chr(int(code[1] or code[2], 16))]
        if not char or char.isalnum():
            raise _Unreadable  # references, properties
        return [char]

    def charset(self) -> list[str]:
        inverse = self.peek() == "^"
        self.at += inverse
        chars: list[str] = []
        first = True
        while first or self.peek() != "]":
            first = False
            char = self.peek()
            if not char:
                raise _Unreadable
            self.at += 1
            found = self.escape() if char == "\\" else [char]
            if self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("", "]") and len(found) == 1:
                self.at += 1
                last = self.peek()
                self.at += 1
                last = self.escape()[0] if last == "\\" else last
                found = [chr(code) for code in range(ord(found[0]), min(ord(last), ord(found[0]) + 100) + 1)]
            chars.extend(found)
        self.at += 1
        if inverse:
            chars = [char for char in _LETTERS if char not in set(chars)]
        if not chars:
            raise _Unreadable
        return chars


def sample(pattern: str, length: int = 0, seed: int = 0) -> str | None:
    """A text of about `length` characters or more that the pattern matches, None when none is found."""
    for more in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 1024):
        try:
            reader = _Reader(pattern, more, seed)
            text = reader.alternatives(0)
        except (_Unreadable, RecursionError, ValueError):
            return None
        if reader.at < len(pattern):
            return None
        if len(text) >= length and matches(pattern, text):
            return text
    return None
