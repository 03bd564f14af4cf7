"""Edits of JSON text that change one place and leave every other character as it is.

Each function takes the tree of the present text and returns a `Splice`: what to put where. New members and elements
follow the layout around them: own lines with the same indent where the neighbours have own lines, else one line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Sequence

INDENT = 2
"""Spaces a level for containers that had no layout yet."""

_NOT_BLANK = re.compile(r"[^ \t\n\r]")


class PlaceError(LookupError):
    """The path leads through a value that is no object or array, or to an index that is not there."""


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str

    def apply(self, text: str) -> str:
        """The text after it."""
        return text[: self.start] + self.new + text[self.end :]


def set_value(root: Node, path: Path, json_text: str, order: Sequence[str] = ()) -> Splice:
    """Put a value at a path: replace it where there is one, else add it, with the containers that lead to it.

    `order` lists the member names of the innermost object as the schema has them: a new member goes behind the last
    present one that is listed before it. An array takes an index up to its length.

    Raises:
        PlaceError: when the path leads through a scalar or past the end of an array.
    """
    node = root
    for depth, key in enumerate(path):
        child = node.get(key)
        if child is None:
            rest = path[depth + 1 :]
            return _add(root, node, key, _wrap(rest, json_text), order if not rest else ())
        node = child
    return Splice(node.start, node.end, json_text)


def insert_item(root: Node, path: Path, index: int, json_text: str) -> Splice:
    """Put a new element before the one at `index` of the array at `path`; the length appends."""
    node = _container(root, path, Kind.ARRAY)
    if not 0 <= index <= len(node.items):
        raise PlaceError(f"There is no place {index} in an array of {len(node.items)}.")
    return _insert(root, node, index, json_text)


def remove(root: Node, path: Path) -> Splice:
    """Take a member or element away, with its comma and its line.

    A member that occurs twice is taken away as a whole when it is asked for again; one call removes the last.

    Raises:
        PlaceError: when there is none, or for the root, which can only be replaced.
    """
    if not path:
        raise PlaceError("The whole value cannot be removed, only replaced.")
    parent = jsontext.find(root, path[:-1])
    at = _position(parent, path[-1]) if parent is not None else -1
    if parent is None or at < 0:
        raise PlaceError(f"There is nothing at {jsontext.pointer(path)}.")
    return _cut(parent, at)


def move_item(root: Node, path: Path, source: int, target: int) -> Splice:
    """Move an element of the array at `path`, so that it stands at `target` afterwards. Texts move, layout stays."""
    node = _container(root, path, Kind.ARRAY)
    count = len(node.items)
    if not (0 <= source < count and 0 <= target < count):
        raise PlaceError(f"There is no place {max(source, target)} in an array of {count}.")
    low, high = min(source, target), max(source, target)
    texts = [item.raw for item in node.items]
    texts.insert(target, texts.pop(source))
    parts: list[str] = []
    for at in range(low, high + 1):
        parts.append(texts[at])
        if at < high:
            parts.append(node.text[node.items[at].end : node.items[at + 1].start])
    return Splice(node.items[low].start, node.items[high].end, "".join(parts))


def rename(root: Node, path: Path, name: str) -> Splice:
    """Give a member another name, in its place.

    Raises:
        PlaceError: when there is no such member.
    """
    parent = jsontext.find(root, path[:-1]) if path else None
    at = _position(parent, path[-1]) if parent is not None else -1
    if parent is None or at < 0 or parent.kind is not Kind.OBJECT:
        raise PlaceError(f"There is no member at {jsontext.pointer(path)}.")
    start = parent.name_starts[at]
    return Splice(start, jsontext.string_end(parent.text, start), jsontext.quote(name))


def _position(parent: Node, key: str | int) -> int:
    if isinstance(key, str):
        return parent.index_of(key) if parent.kind is Kind.OBJECT else -1
    return key if parent.kind is Kind.ARRAY and 0 <= key < len(parent.items) else -1


def _container(root: Node, path: Path, kind: Kind) -> Node:
    node = jsontext.find(root, path)
    if node is None or node.kind is not kind:
        raise PlaceError(f"There is no {kind} at {jsontext.pointer(path) or 'the top'}.")
    return node


def _wrap(path: Path, json_text: str) -> str:
    for key in reversed(path):
        if isinstance(key, int):
            if key:
                raise PlaceError(f"There is no place {key} in an array that is not there yet.")
            json_text = f"[{json_text}]"
        else:
            json_text = f"{{{jsontext.quote(key)}: {json_text}}}"
    return json_text


def _add(root: Node, node: Node, key: str | int, json_text: str, order: Sequence[str]) -> Splice:
    if isinstance(key, str) and node.kind is Kind.OBJECT:
        at = len(node.items)
        if order:
            before = set(order[: order.index(key)]) if key in order else set(order)
            at = max((at + 1 for at, name in enumerate(node.names) if name in before), default=0)
            if key not in order:
                at = len(node.items)
        return _insert(root, node, at, f"{jsontext.quote(key)}: {json_text}")
    if isinstance(key, int) and node.kind is Kind.ARRAY and key == len(node.items):
        return _insert(root, node, key, json_text)
    raise PlaceError(f"{key!r} cannot be put into this {node.kind}.")


def _starts(node: Node, at: int) -> int:
    return node.name_starts[at] if node.kind is Kind.OBJECT else node.items[at].start


def _insert(root: Node, node: Node, at: int, entry: str) -> Splice:
    text, count = node.text, len(node.items)
    if not count:
        gap = "\n" + _line_indent(text, node.start)
        if node is root or _has_lines(root):
            return Splice(node.start + 1, node.end - 1, f"{gap}{' ' * INDENT}{entry}{gap}")
        return Splice(node.start + 1, node.end - 1, entry)
    gap = text[node.start + 1 : _starts(node, 0)]
    if count > 1:
        second = text[node.items[0].end : _starts(node, 1)]
        gap = second[second.index(",") + 1 :]
    elif "\n" not in gap:
        gap = " "
    if at < count:
        spot = _starts(node, at)
        return Splice(spot, spot, f"{entry},{gap}")
    end = node.items[-1].end
    return Splice(end, end, f",{gap}{entry}")


def _cut(parent: Node, at: int) -> Splice:
    count = len(parent.items)
    if count == 1:
        return Splice(parent.start + 1, parent.end - 1, "")
    if at < count - 1:
        return Splice(_starts(parent, at), _starts(parent, at + 1), "")
    return Splice(parent.items[at - 1].end, parent.items[at].end, "")


def _has_lines(root: Node) -> bool:
    return "\n" in root.text[root.start : root.end]


def _line_indent(text: str, pos: int) -> str:
    begin = text.rfind("\n", 0, pos) + 1
    found = _NOT_BLANK.search(text, begin)
    return text[begin : found.start()] if found else ""
