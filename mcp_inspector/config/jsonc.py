"""JSON as people write it into settings files: comments, trailing commas, a byte order mark, any line end.

The reader gives a tree whose nodes know where they stand in the text, so that `jsonc_edit` can change one part and keep
every other character. Own code, because the packages that read such files lose the positions (json5, commentjson,
json-with-comments), do not read comments (json-source-map, json-source-edit), or keep the text in a model that a new
member cannot be inserted into without rebuilding commas and indentation, at 0.05 s of import (json-five).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

BOM = "\ufeff"
DEPTH = 200
"""How deep a file may be nested. Servers files need five levels; the limit keeps a hostile file from the call stack."""

_BLANK = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])")
_WORD = re.compile(r"[\w.+-]+")
_LITERALS = {"true": True, "false": False, "null": None}
_LINE_END = re.compile(r"\r\n|\r|\n")


class JsoncError(ValueError):
    """A text that cannot be read. `reason` says why; `line` and `column` count from 1, the column in characters."""

    def __init__(self, reason: str, text: str, offset: int) -> None:
        self.reason = reason
        self.line, self.column = line_column(text, offset)
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of a character, both from 1. A byte order mark has no column."""
    ends = [match.end() for match in _LINE_END.finditer(text, 0, offset)]
    start = ends[-1] if ends else (1 if text.startswith(BOM) else 0)
    return len(ends) + 1, max(offset - start, 0) + 1


class NodeKind(StrEnum):
    """What a value is."""

    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    NUMBER = "number"
    LITERAL = "literal"  # true, false, null


class Spelled(str):
    """A number as it is spelled in the text (``1.0``, ``1e400``), where the spelling must survive."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Child:
    """One element of an array or one member of an object (`key` is then its name). `start` is where the key begins.

    `comma` is the offset of the comma after it, None when there is none.
    """

    start: int
    value: Node
    key: str | None = None
    key_end: int = 0
    comma: int | None = None

    @property
    def end(self) -> int:
        """Just behind its value; the comma is not part of it."""
        return self.value.end


@dataclass(frozen=True, slots=True)
class Node:
    """One value and its place in the text, in characters. `scalar` is the decoded value of a scalar."""

    kind: NodeKind
    start: int
    end: int
    scalar: str | bool | None = None
    children: tuple[Child, ...] = ()

    def child(self, step: str | int) -> Child | None:
        """A member by name (of duplicates the last, which is the one that counts) or an element by index."""
        if isinstance(step, int):
            inside = self.kind is NodeKind.ARRAY and 0 <= step < len(self.children)
            return self.children[step] if inside else None
        return next((child for child in reversed(self.children) if child.key == step), None)

    def plain(self, *, spelled: bool = False) -> Any:
        """The value as `json.loads` gives it; with `spelled` every number is a `Spelled` text instead."""
        if self.kind is NodeKind.OBJECT:
            return {child.key: child.value.plain(spelled=spelled) for child in self.children}
        if self.kind is NodeKind.ARRAY:
            return [child.value.plain(spelled=spelled) for child in self.children]
        if self.kind is NodeKind.NUMBER:
            text = str(self.scalar)
            return Spelled(text) if spelled else _number(text)
        return self.scalar


@dataclass(frozen=True)
class Document:
    """A text and its tree. `root` is None when the text holds nothing but blanks and comments."""

    text: str
    root: Node | None

    def find(self, path: tuple[str | int, ...]) -> Node | None:
        """The node that a path of names and indices leads to."""
        node = self.root
        for step in path:
            child = node.child(step) if node is not None else None
            node = child.value if child else None
        return node

    def plain(self, *, spelled: bool = False) -> Any:
        """The whole value; None for a text without any."""
        return self.root.plain(spelled=spelled) if self.root else None

    def line_of(self, offset: int) -> int:
        """The line of a character, from 1."""
        return line_column(self.text, offset)[0]

    @cached_property
    def newline(self) -> str:
        """The line end the text uses: that of its first line."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"

    @cached_property
    def indent(self) -> str:
        """One level of indentation, as the first indented child shows it; two spaces when none does."""
        found = re.search(r"[\r\n]([ \t]+)[\"\[{\w-]", self.text)
        return found.group(1) if found else "  "


def decode(raw: bytes) -> str:
    """The text of a file; encoding it again as UTF-8 gives the same bytes. Raises `JsoncError`."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw[:4]:
        raise JsoncError("the file is UTF-16; save it as UTF-8", "", 0)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        reason = f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise JsoncError(reason, before, len(before)) from None


def parse(text: str) -> Document:
    """Read a text. Raises `JsoncError` with line and column."""
    parser = _Parser(text)
    start = parser.skip(1 if text.startswith(BOM) else 0)
    if start == len(text):
        return Document(text, None)
    root = parser.value(start, 0)
    end = parser.skip(root.end)
    if end != len(text):
        raise parser.error("there is more text after the end of the value", end)
    return Document(text, root)


def _number(text: str) -> int | float:
    if text.lstrip("-").isdigit():
        try:
            return int(text)
        except ValueError:  # more digits than Python converts
            return float(text)
    return float(text)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text

    def error(self, reason: str, offset: int) -> JsoncError:
        return JsoncError(reason, self.text, offset)

    def skip(self, offset: int) -> int:
        """Past blanks and comments."""
        text = self.text
        while True:
            match = _BLANK.match(text, offset)
            offset = match.end() if match else offset
            if not text.startswith("/", offset):
                return offset
            comment = _COMMENT.match(text, offset)
            if comment is None:
                raise self.error(
                    "the comment /* is not closed" if text.startswith("/*", offset) else "a lone / stands here", offset
                )
            offset = comment.end()

    def value(self, at: int, depth: int) -> Node:
        if at >= len(self.text):
            raise self.error("the text ends where a value should stand", at)
        sign = self.text[at]
        if sign == "{":
            return self.container(at, depth, NodeKind.OBJECT, "}")
        if sign == "[":
            return self.container(at, depth, NodeKind.ARRAY, "]")
        if sign == '"':
            value, end = self.string(at)
            return Node(NodeKind.STRING, at, end, value)
        if number := _NUMBER.match(self.text, at):
            return Node(NodeKind.NUMBER, at, number.end(), number.group())
        word = _WORD.match(self.text, at)
        if word and word.group() in _LITERALS:
            return Node(NodeKind.LITERAL, at, word.end(), _LITERALS[word.group()])
        raise self.error(self.why_no_value(at, word.group() if word else sign), at)

    def why_no_value(self, at: int, found: str) -> str:
        if found in "}],:":
            return f"a value should stand before this {found}"
        if found in ("'", "`"):
            return 'texts need straight double quotes: "like this"'
        if found in "“”„«»":
            return f'{found} is a typographic quote; texts need straight ones: "like this"'
        if found == "#":
            return "comments begin with // and not with #"
        return f"{found[:40]!r} is no JSON value; a text needs double quotes"

    def string(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self.text, at)
        if match is None:
            end = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*').match(self.text, at)
            stop = end.end() if end else at
            if stop < len(self.text) and self.text[stop] == "\t":
                raise self.error("a text holds a tab; write \\t", stop)
            raise self.error("this text has no closing quote on its line", at)
        token = match.group()
        if "\\" not in token:
            return token[1:-1], match.end()
        try:
            value: str = json.loads(token)
        except json.JSONDecodeError as error:
            raise self.error(f"a text holds a wrong escape: {error.msg}", at + error.pos) from None
        return value, match.end()

    def container(self, at: int, depth: int, kind: NodeKind, close: str) -> Node:
        if depth >= DEPTH:
            raise self.error(f"the text is nested more than {DEPTH} levels deep", at)
        text, children = self.text, list[Child]()
        offset = self.skip(at + 1)
        while not text.startswith(close, offset):
            start, key, key_end = offset, None, 0
            if kind is NodeKind.OBJECT:
                key, key_end, offset = self.name(offset, at)
            value = self.value(offset, depth + 1)
            offset = self.skip(value.end)
            comma = offset if text.startswith(",", offset) else None
            children.append(Child(start, value, key, key_end, comma))
            if comma is not None:
                offset = self.skip(comma + 1)
            elif not text.startswith(close, offset):
                raise self.error(self.why_not_closed(offset, at, close), offset)
        return Node(kind, at, offset + 1, None, tuple(children))

    def name(self, offset: int, opened: int) -> tuple[str, int, int]:
        if offset >= len(self.text):
            raise self.error(self.why_not_closed(offset, opened, "}"), offset)
        if self.text[offset] != '"':
            word = _WORD.match(self.text, offset)
            found = word.group() if word else self.text[offset]
            raise self.error(f"a name in double quotes should stand here, but {found[:40]!r} does", offset)
        key, key_end = self.string(offset)
        colon = self.skip(key_end)
        if not self.text.startswith(":", colon):
            raise self.error(f'a colon should follow the name "{key[:40]}"', colon)
        return key, key_end, self.skip(colon + 1)

    def why_not_closed(self, offset: int, opened: int, close: str) -> str:
        if offset < len(self.text):
            return f"a comma or {close} should stand here, but {self.text[offset]!r} does"
        line, column = line_column(self.text, opened)
        return f"the text ends, but the {self.text[opened]} of line {line}, column {column} is not closed"
