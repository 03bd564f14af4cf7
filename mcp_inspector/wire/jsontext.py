"""Lossless JSON: a tree over the text that keeps number spelling, member order, duplicates and escapes.

Every node is a span of the text it was read from, so what is shown or sent is what was written. Reading is iterative:
100 000 nested arrays are read, not refused. What needs no tree (`members`, `compact`, `pretty`) is in `jsonscan`.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcp_inspector.wire.jsonfault import JsonError, fault_at
from mcp_inspector.wire.jsonscan import (
    NUMBER,
    STRING,
    VALUE,
    WS,
    Member,
    compact,
    elements,
    end_of,
    members,
    pretty,
    surely_json,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "NUMBER",
    "JsonError",
    "Kind",
    "Member",
    "Node",
    "Path",
    "compact",
    "decimal_of",
    "duplicates",
    "elements",
    "encode",
    "find",
    "members",
    "parse",
    "path_at",
    "pointer",
    "pretty",
    "quote",
    "read_pointer",
    "string_end",
    "surely_json",
    "unquote",
    "value_of",
]

Path = tuple[str | int, ...]
"""Where a value is: member names and array indexes from the root. A name that occurs twice means its last member."""

_member = re.compile(rf"{WS}({STRING}){WS}:{WS}{VALUE}{WS}([,}}])?").match
_element = re.compile(rf"{WS}{VALUE}{WS}([,\]])?").match
_root = re.compile(rf"{WS}{VALUE}{WS}").match
_after = re.compile(rf"{WS}([,\]}}])").match
_blank = re.compile(WS).match
_string = re.compile(STRING).match


_PATH_DEPTH = 100


class Kind(StrEnum):
    """What a value is in JSON."""

    OBJECT = "object"
    ARRAY = "array"
    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"


_KINDS = {"{": Kind.OBJECT, "[": Kind.ARRAY, '"': Kind.STRING, "t": Kind.BOOLEAN, "f": Kind.BOOLEAN, "n": Kind.NULL}
_KINDS |= dict.fromkeys("-0123456789", Kind.NUMBER)


class Node:
    """One value: `text[start:end]`. Read-only by agreement; an edit makes a new text (`schema.textedit`).

    `items` are the values of an array or of an object's members in order; `names` the decoded member names, duplicates
    included, and `name_starts` where their opening quotes stand. All three are empty for scalars. Offsets count
    characters of the text that was read.
    """

    __slots__ = ("_index", "end", "items", "kind", "name_starts", "names", "start", "text")

    def __init__(self, text: str, kind: Kind, start: int, end: int) -> None:
        self.text = text
        self.kind = kind
        self.start = start
        self.end = end
        self.items: Sequence[Node] = ()
        self.names: Sequence[str] = ()
        self.name_starts: Sequence[int] = ()
        self._index: dict[str, int] | None = None

    def __repr__(self) -> str:
        return f"<Node {self.kind} {self.start}:{self.end}>"

    @property
    def raw(self) -> str:
        """The value's JSON text as spelled."""
        return self.text[self.start : self.end]

    def index_of(self, name: str) -> int:
        """The position of the last member with this name, -1 when there is none."""
        if self._index is None:
            self._index = {name: at for at, name in enumerate(self.names)}
        return self._index.get(name, -1)

    def get(self, key: str | int) -> Node | None:
        """The member or element under a key, None when there is none."""
        if isinstance(key, str):
            at = self.index_of(key) if self.kind is Kind.OBJECT else -1
            return self.items[at] if at >= 0 else None
        return self.items[key] if self.kind is Kind.ARRAY and 0 <= key < len(self.items) else None

    @property
    def is_container(self) -> bool:
        """Whether it is an object or an array."""
        return self.kind is Kind.OBJECT or self.kind is Kind.ARRAY

    @property
    def is_empty(self) -> bool:
        """Whether it is ``""``, ``[]`` or ``{}``."""
        return self.end - self.start == 2 if self.kind is Kind.STRING else self.is_container and not self.items


def parse(text: str | bytes) -> Node:
    """The tree of one JSON text.

    Raises:
        JsonError: with the spot and a sentence; also for bytes that are not UTF-8 and for a byte order mark.
    """
    if isinstance(text, bytes):
        text = _decode(text)
    found = _root(text)
    if found is None:
        raise fault_at(text, end_of(_blank(text, 0)), "value")
    root, pos = _tree(text, found)
    if pos != len(text):
        raise fault_at(text, pos, "end")
    return root


def _tree(text: str, found: re.Match[str]) -> tuple[Node, int]:
    """The node of the value that `found` begins, and the offset after it and its trailing whitespace."""
    kinds, node_of, member, element = _KINDS, Node, _member, _element
    start, pos = found.span(1)
    node = root = node_of(text, kinds[text[start]], start, pos)
    if not node.is_container:
        return root, found.end()
    stack: list[tuple[Node, list[Node], list[str], list[int]]] = []
    items, names, starts = _open(node)
    while True:
        in_object = node.kind is Kind.OBJECT
        opened = False
        while True:  # one turn per member or element of `node`
            match = member(text, pos) if in_object else element(text, pos)
            if match is None:
                pos = end_of(_blank(text, pos))
                if not items and text[pos : pos + 1] == ("}" if in_object else "]"):
                    pos += 1
                    break
                raise fault_at(text, pos, "member" if in_object else "element", after_comma=bool(items))
            if in_object:
                begin, end = match.span(1)
                name = text[begin + 1 : end - 1]
                names.append(unquote(text[begin:end]) if "\\" in name else name)
                starts.append(begin)
                start, end = match.span(2)
                stop = match[3]
            else:
                start, end = match.span(1)
                stop = match[2]
            kind = kinds[text[start]]
            child = node_of(text, kind, start, end)
            items.append(child)
            if kind is Kind.OBJECT or kind is Kind.ARRAY:
                stack.append((node, items, names, starts))
                node, pos, opened = child, end, True
                items, names, starts = _open(child)
                break
            pos = match.end()
            if stop is None:
                raise fault_at(text, pos, "after", in_object=in_object)
            if stop != ",":
                break
        if opened:
            continue
        while True:  # `node` is closed at `pos`; so may be what it is in
            node.end = pos
            if not stack:
                return root, end_of(_blank(text, pos))
            node, items, names, starts = stack.pop()
            match = _after(text, pos)
            in_object = node.kind is Kind.OBJECT
            if match is None or match[1] == ("]" if in_object else "}"):
                raise fault_at(text, end_of(_blank(text, pos)), "after", in_object=in_object)
            pos = match.end()
            if match[1] == ",":
                break


def _open(node: Node) -> tuple[list[Node], list[str], list[int]]:
    items: list[Node] = []
    names: list[str] = []
    starts: list[int] = []
    node.items = items
    if node.kind is Kind.OBJECT:
        node.names, node.name_starts = names, starts
    return items, names, starts


def _decode(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise JsonError("This is UTF-16; JSON between systems is UTF-8.", 0, 1, 1) from None
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        sentence = f"Byte 0x{data[error.start]:02x} is not UTF-8."
        raise JsonError(sentence, len(before), line, column) from None


# --- names, strings, values ---


def quote(value: str) -> str:
    """The JSON text of a string, escaping only what must be: quotes, backslash, control characters, lone surrogates."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() else _lone_surrogates(text)


def encode(text: str) -> bytes:
    """JSON text in UTF-8. A lone surrogate, which UTF-8 cannot hold, becomes its escape."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _lone_surrogates(text).encode()


def string_end(text: str, start: int) -> int:
    """The offset after the string literal that begins at `start`.

    Raises:
        JsonError: when there is none.
    """
    match = _string(text, start)
    if match is None:
        raise fault_at(text, start, "value")
    return match.end()


def _lone_surrogates(text: str) -> str:
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def unquote(raw: str) -> str:
    """The string that a JSON string literal spells; lone surrogates stay as they are."""
    if "\\" not in raw and raw[:1] == '"':
        return raw[1:-1]
    value = _loose(raw)
    if not isinstance(value, str):
        raise TypeError(f"not a JSON string: {raw[:40]}")
    return value


def _integer(spelled: str) -> int | Decimal:
    # Python refuses to convert more than 4 300 digits to int (CVE-2020-10735)
    return int(spelled) if len(spelled) < 4000 else Decimal(spelled)


def decimal_of(spelled: str) -> Decimal:
    """A JSON number as Decimal, exactly; an exponent past what Decimal holds (18 digits) is cut to a million."""
    try:
        return Decimal(spelled)
    except InvalidOperation:
        mantissa, _, exponent = spelled.lower().partition("e")
        return Decimal(f"{mantissa}e{'-' if exponent.startswith('-') else ''}1000000")


_loose = json.JSONDecoder(strict=False).decode
_exact = json.JSONDecoder(parse_int=_integer, parse_float=decimal_of).decode


def value_of(node: Node) -> Any:
    """The node as Python values: numbers without fraction and exponent are int, all others Decimal, so none changes.

    A member that occurs twice keeps its last value. Nesting is not limited.
    """
    try:
        return _exact(node.raw)
    except RecursionError:
        return _value_iterative(node)


def _value_iterative(root: Node) -> Any:
    top: list[Any] = []
    todo: list[tuple[Node, Any, str | None]] = [(root, top, None)]
    while todo:
        node, parent, name = todo.pop()
        value: Any
        if node.kind is Kind.OBJECT:
            value = {}
            todo.extend((item, value, key) for key, item in reversed([*zip(node.names, node.items, strict=True)]))
        elif node.kind is Kind.ARRAY:
            value = []
            todo.extend((item, value, None) for item in reversed(node.items))
        else:
            value = _exact(node.raw)
        if name is None:
            parent.append(value)
        else:
            parent[name] = value
    return top[0]


# --- places ---


def find(root: Node, path: Path) -> Node | None:
    """The node at a path, None when there is none."""
    node: Node | None = root
    for key in path:
        if node is None:
            return None
        node = node.get(key)
    return node


def pointer(path: Path) -> str:
    """The path as a JSON Pointer (RFC 6901); the root is the empty string."""
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)


def read_pointer(text: str, root: Node | None = None) -> Path:
    """The path that a JSON Pointer spells. Digits are an index only where `root` has an array there."""
    path: list[str | int] = []
    node = root
    for part in text.split("/")[1:]:
        key: str | int = part.replace("~1", "/").replace("~0", "~")
        if node is not None and node.kind is Kind.ARRAY and re.fullmatch("0|[1-9][0-9]{0,15}", part):
            key = int(part)
        path.append(key)
        node = node.get(key) if node is not None else None
    return tuple(path)


def path_at(root: Node, offset: int) -> Path:
    """The path of the innermost value (or member, when `offset` is in its name) around a character of the text."""
    path: list[str | int] = []
    node = root
    while node.is_container:
        for at, item in enumerate(node.items):
            begin = node.name_starts[at] if node.names else item.start
            if begin <= offset <= item.end:
                path.append(node.names[at] if node.names else at)
                node = item
                break
        else:
            break
        if offset < node.start:
            break
    return tuple(path)


def duplicates(root: Node) -> list[tuple[Path, int]]:
    """Every repeated member: its path and the offset of the repeated name, in order of the text."""
    found: list[tuple[Path, int]] = []
    todo: list[tuple[Node, Path]] = [(root, ())]
    while todo:
        node, path = todo.pop()
        if node.kind is Kind.OBJECT and len(set(node.names)) != len(node.names):
            seen: set[str] = set()
            for name, start in zip(node.names, node.name_starts, strict=True):
                if name in seen:
                    found.append(((*path, name), start))
                seen.add(name)
        if len(path) < _PATH_DEPTH:  # beyond, the paths themselves would be quadratic
            keys: list[Any] = [*node.names] or [*range(len(node.items))]
            todo.extend((item, (*path, key)) for key, item in zip(keys, node.items, strict=True) if item.is_container)
    return sorted(found, key=lambda entry: entry[1])
