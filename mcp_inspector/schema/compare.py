"""JSON equality: 1 and 1.0 are the same number, 1, "1" and true are three different values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Hashable

_DEEP = 100


def key_of(node: Node, depth: int = 0) -> Hashable:
    """A key that is equal for equal JSON values and hashable. Beyond 100 levels the spelling decides."""
    if node.kind is Kind.NUMBER:
        return "n", jsontext.decimal_of(node.raw)
    if node.kind is Kind.STRING:
        return "s", jsontext.unquote(node.raw)
    if not node.is_container:
        return "w", node.raw
    if depth >= _DEEP:
        return "t", jsontext.compact(node.raw)
    if node.kind is Kind.ARRAY:
        return "a", tuple(key_of(item, depth + 1) for item in node.items)
    members = {name: key_of(item, depth + 1) for name, item in zip(node.names, node.items, strict=True)}
    return "o", frozenset(members.items())


def same(one: Node, two: Node) -> bool:
    """Whether two values are equal as JSON."""
    return one.raw == two.raw or key_of(one) == key_of(two)
