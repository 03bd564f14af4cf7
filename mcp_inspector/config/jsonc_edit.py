"""Change one value of a JSON text with comments, and nothing else: every other character stays as it was.

Each function takes a text and gives the changed text. They raise `JsoncError` when the text cannot be read and
`LookupError` when a path leads nowhere. Comments inside a value that goes away go with it, and so does one behind it
when they have their line to themselves; all others stay.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.config import jsonc
from mcp_inspector.config.jsonc import Child, Document, Node, NodeKind, Spelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Path = tuple[str | int, ...]

_BLANKS = " \t\r\n"

_NEWLINE = re.compile(r"\r\n|\r|\n")
_REST_OF_LINE = re.compile(r"(?:[ \t]|/\*(?:(?!\*/)[^\r\n])*\*/)*(?://[^\r\n]*)?(?=[\r\n]|\Z)")


def set_value(text: str, path: Path, value: Any) -> str:
    """Make the value at `path` equal to `value` with as few changes as possible; a missing last member is added.

    Objects and arrays are compared member by member, so that what is equal keeps its spelling and its comments.
    """
    document = jsonc.parse(text)
    node = document.find(path)
    if node is None:
        if document.root is None and not path:
            return _first_value(document, value)
        if not path or isinstance(path[-1], int):
            raise LookupError(f"there is nothing at {path!r}")
        return _insert(document, _container(document, path[:-1]), None, path[-1], value)
    if same(node, value):
        return text
    if node.children or _inner_comment(text, node):
        if node.kind is NodeKind.OBJECT and isinstance(value, dict):
            return _merge_object(text, path, node, value)
        if node.kind is NodeKind.ARRAY and isinstance(value, list | tuple):
            return _merge_array(text, path, node, value)
    spread = _spread(text, node) if node.children else _whole_is_spread(document, node)
    rendered = _render(document, value, _line_indent(text, node.start), compact=not spread)
    return text[: node.start] + rendered + text[node.end :]


def remove(text: str, path: Path) -> str:
    """Take a member (with all its duplicates) or an element away, with its comma."""
    if not path:
        raise LookupError("the whole text cannot be removed")
    document = jsonc.parse(text)
    node = _container(document, path[:-1])
    child = node.child(path[-1])
    if child is None:
        raise LookupError(f"there is nothing at {path!r}")
    text = _cut(text, node, child)
    if isinstance(path[-1], str) and sum(other.key == path[-1] for other in node.children) > 1:
        return remove(text, path)
    return text


def rename(text: str, path: Path, name: str) -> str:
    """Give a member another name, in all its duplicates. The caller sees to it that the name is free."""
    document = jsonc.parse(text)
    node = _container(document, path[:-1])
    found = [child for child in node.children if child.key is not None and child.key == path[-1]]
    if not found:
        raise LookupError(f"there is nothing at {path!r}")
    for child in reversed(found):
        text = text[: child.start] + _dump(name) + text[child.key_end :]
    return text


def same(node: Node, value: Any) -> bool:
    """Whether a value stands in the text already: equal and of the same type; ``1`` is neither ``1.0`` nor ``true``."""
    return bool(_typed(node.plain(spelled=_has_spelled(value))) == _typed(value))


def _has_spelled(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_spelled(item) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_has_spelled(item) for item in value)
    return isinstance(value, Spelled)


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_typed(item) for item in value]
    return type(value).__name__, value


def _merge_object(text: str, path: Path, node: Node, value: Mapping[str, Any]) -> str:
    for key in {child.key for child in node.children}:
        if isinstance(key, str) and key not in value:
            text = remove(text, (*path, key))
    for key, item in value.items():
        text = set_value(text, (*path, key), item)
    return text


def _merge_array(text: str, path: Path, node: Node, value: Sequence[Any]) -> str:
    old, new = [child.value for child in node.children], list(value)
    head = 0
    while head < min(len(old), len(new)) and same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    both = min(len(old), len(new)) - tail
    for index in range(head, both):
        text = set_value(text, (*path, index), new[index])
    for _ in range(len(old) - len(new)):
        text = remove(text, (*path, both))
    for index in range(both, len(new) - tail):
        document = jsonc.parse(text)
        text = _insert(document, _container(document, path), index, None, new[index])
    return text


def _container(document: Document, path: Path) -> Node:
    node = document.find(path)
    if node is None or node.kind not in (NodeKind.OBJECT, NodeKind.ARRAY):
        raise LookupError(f"there is no object or array at {path!r}")
    return node


def _first_value(document: Document, value: Any) -> str:
    """A value into a text that has none: behind its comments."""
    text = document.text.rstrip(_BLANKS)
    gap = document.newline if text.strip(jsonc.BOM) else ""
    return text + gap + _render(document, value, "", compact=False) + document.newline


def _dump(value: Any) -> str:
    """One value on one line. Lone surrogates cannot be written as UTF-8, so they keep their escape."""
    if isinstance(value, Spelled):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_dump(str(key))}: {_dump(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_dump(item) for item in value) + "]"
    text = json.dumps(value, ensure_ascii=False)
    return text if not re.search("[\ud800-\udfff]", text) else json.dumps(value)


def _render(document: Document, value: Any, indent: str, *, compact: bool) -> str:
    """A value as text that fits in at a place indented by `indent`: spread over lines, or on one."""
    if compact or not isinstance(value, dict | list | tuple) or not value:
        return _dump(value)
    if not isinstance(value, dict) and not any(isinstance(item, dict | list | tuple) for item in value):
        line = _dump(value)
        if len(line) <= 80:
            return line
    inner, newline = indent + document.indent, document.newline
    if isinstance(value, dict):
        parts = [f"{_dump(str(key))}: {_render(document, item, inner, compact=False)}" for key, item in value.items()]
    else:
        parts = [_render(document, item, inner, compact=False) for item in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return opening + ",".join(newline + inner + part for part in parts) + newline + indent + closing


def _line_start(text: str, offset: int) -> int:
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    return start + 1 if text.startswith(jsonc.BOM, start) else start


def _line_indent(text: str, offset: int) -> str:
    """The blanks at the start of the line on which a character stands."""
    start = _line_start(text, offset)
    end = start
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[start:end]


def _first_on_line(text: str, offset: int) -> bool:
    return not text[_line_start(text, offset) : offset].strip(" \t")


def _spread(text: str, node: Node) -> bool:
    """Whether a container's own children stand on lines of their own."""
    gaps, at = [], node.start + 1
    for child in node.children:
        gaps.append(text[at : child.start])
        at = child.end
    gaps.append(text[at : node.end - 1])
    return any("\n" in gap or "\r" in gap for gap in gaps)


def _insert(document: Document, node: Node, index: int | None, key: str | None, value: Any) -> str:
    """Put a new child at `index`, or behind all others."""
    text, children = document.text, node.children
    if (node.kind is NodeKind.OBJECT) != (key is not None):
        raise LookupError("a member goes into an object, an element into an array")
    wide = _spread(text, node) if children or _inner_comment(text, node) else _whole_is_spread(document, node)
    indent = _child_indent(document, node)
    colon = _colon(text, children[0]) if children and key is not None and not wide else ": "
    name = "" if key is None else _dump(key) + colon
    body = name + _render(document, value, indent, compact=not wide)
    gap = document.newline + indent if wide else (" " if _airy(text, children) else "")

    if children and index is not None and index < len(children):
        at = children[index].start
        return text[:at] + body + "," + gap + text[at:]
    if not children:
        end = _content_end(text, node, node.start + 1)
        close = document.newline + _line_indent(text, node.start) if wide else ""
        return text[:end] + (gap if wide else "") + body + close + text[node.end - 1 :]
    last = children[-1]
    end = _content_end(text, node, last.end if last.comma is None else last.comma + 1)
    if last.comma is None:
        return text[: last.end] + "," + text[last.end : end] + gap + body + text[end:]
    return text[:end] + gap + body + "," + text[end:]


def _inner_comment(text: str, node: Node) -> bool:
    return bool(text[node.start + 1 : node.end - 1].strip())


def _whole_is_spread(document: Document, node: Node) -> bool:
    """How to fill an empty container: as the document around it is written."""
    root = document.root
    return root is None or root is node or "\n" in document.text[root.start : root.end]


def _content_end(text: str, node: Node, offset: int) -> int:
    """Behind the last comment that stands between `offset` and the end of a container."""
    return offset + len(text[offset : node.end - 1].rstrip(" \t\r\n"))


def _child_indent(document: Document, node: Node) -> str:
    for child in reversed(node.children):
        if _first_on_line(document.text, child.start):
            return _line_indent(document.text, child.start)
    return _line_indent(document.text, node.start) + document.indent


def _colon(text: str, child: Child) -> str:
    between = text[child.key_end : child.value.start]
    return between if re.fullmatch(r"[ \t]*:[ \t]*", between) else ": "


def _airy(text: str, children: Sequence[Child]) -> bool:
    """Whether a blank follows the commas of a container on one line."""
    if len(children) > 1:
        return children[1].start > (children[0].comma or children[0].end) + 1
    return not children or children[0].key is None or text[children[0].key_end : children[0].value.start] != ":"


def _cut(text: str, node: Node, child: Child) -> str:
    """The text without one child, its comma, and the line it leaves empty."""
    position = node.children.index(child)
    start, end = child.start, child.end
    before = node.children[position - 1] if position else None
    if child.comma is not None:
        if text[end : child.comma].strip(_BLANKS):  # a comment stands between: it is kept
            text = text[: child.comma] + text[child.comma + 1 :]
        else:
            end = child.comma + 1
    elif before is not None and before.comma is not None:
        own_lines = _first_on_line(text, start) and _REST_OF_LINE.match(text, end)
        if not own_lines and not text[before.comma + 1 : start].strip(_BLANKS):
            return text[: before.comma] + text[end:]
        text = text[: before.comma] + text[before.comma + 1 :]
        start, end = start - 1, end - 1
    rest = _REST_OF_LINE.match(text, end)
    if rest is not None and _first_on_line(text, start):
        newline = _NEWLINE.match(text, rest.end())
        return text[: _line_start(text, start)] + text[newline.end() if newline else rest.end() :]
    while end < len(text) and text[end] in " \t":
        end += 1
    return text[:start] + text[end:]
