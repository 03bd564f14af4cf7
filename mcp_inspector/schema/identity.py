"""Numbers for JSON values: two values have one number when they are equal, another when they are spelled the same.

Each value is looked at once, however deep it lies, so two documents are compared in time that grows with their size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


@dataclass(slots=True)
class Identities:
    """The numbers of all values of the documents that were taken in; equal numbers mean equal values.

    `value_of` leaves out how a number or string is spelled and the order of members; repeated members count, each by
    its turn. `form_of` counts all of that, and leaves out whitespace only.
    """

    _values: dict[Hashable, int] = field(default_factory=dict)
    _forms: dict[Hashable, int] = field(default_factory=dict)
    _scalars: dict[str, tuple[int, int]] = field(default_factory=dict)
    _of: dict[int, tuple[int, int]] = field(default_factory=dict)
    _kept: list[Node] = field(default_factory=list)

    def take(self, root: Node) -> None:
        """Number a document and all that is in it."""
        self._kept.append(root)  # the numbers are kept under `id`, which must not be given to another node
        escapes = "\\" in root.text
        order: list[Node] = []
        todo = [root]
        while todo:
            node = todo.pop()
            order.append(node)
            if node.is_container:
                todo.extend(node.items)
        for node in reversed(order):
            self._of[id(node)] = self._container(node, escapes) if node.is_container else self._scalar(node)

    def value_of(self, node: Node) -> int:
        """The number of what a value means. Raises `KeyError` for a node of no document that was taken in."""
        return self._of[id(node)][0]

    def form_of(self, node: Node) -> int:
        """The number of how a value is written, whitespace left out."""
        return self._of[id(node)][1]

    def _scalar(self, node: Node) -> tuple[int, int]:
        raw = node.raw
        known = self._scalars.get(raw)
        if known is not None:
            return known
        value: Hashable = "w", raw
        if node.kind is Kind.NUMBER:
            value = "n", jsontext.decimal_of(raw)
        elif node.kind is Kind.STRING:
            value = "s", jsontext.unquote(raw)
        numbers = self._scalars[raw] = self._numbers(value, raw)
        return numbers

    def _container(self, node: Node, escapes: bool) -> tuple[int, int]:
        of = self._of
        pairs = [of[id(item)] for item in node.items]
        if node.kind is Kind.ARRAY:
            return self._numbers(("a", tuple(pair[0] for pair in pairs)), ("a", tuple(pair[1] for pair in pairs)))
        text = node.text
        spelled: Iterable[str] = node.names
        if escapes:
            spelled = (text[start + 1 : jsontext.string_end(text, start) - 1] for start in node.name_starts)
        form = "o", tuple(zip(spelled, (pair[1] for pair in pairs), strict=True))
        return self._numbers(("o", frozenset(zip(turns(node), (pair[0] for pair in pairs), strict=True))), form)

    def _numbers(self, value: Hashable, form: Hashable) -> tuple[int, int]:
        values, forms = self._values, self._forms
        return values.setdefault(value, len(values)), forms.setdefault(form, len(forms))


def turns(node: Node) -> list[tuple[str, int]]:
    """The names of an object's members, each with how often it stood before: ``a b a`` is (a, 0) (b, 0) (a, 1)."""
    if len(set(node.names)) == len(node.names):
        return [(name, 0) for name in node.names]
    seen: dict[str, int] = {}
    result = []
    for name in node.names:
        turn = seen.get(name, 0)
        seen[name] = turn + 1
        result.append((name, turn))
    return result
