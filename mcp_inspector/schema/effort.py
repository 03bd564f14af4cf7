"""How long a check may take at worst, told from the schema and the size of the value, before it is begun.

The validator cannot be interrupted and holds the interpreter. A few kilobytes can keep it busy for minutes: an `anyOf`
of 300 constants over 1 500 items gathers 450 000 errors. What is not surely quick is done in another process, which
can be ended. The figures were measured; they are upper bounds, and most checks take a hundredth of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.schema import patterns
from mcp_inspector.schema.cost import risky, too_much
from mcp_inspector.schema.source import text_of
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from mcp_inspector.schema.source import Source
    from mcp_inspector.wire.jsontext import Node

MOST_NS = 50_000_000
"""The longest that a check may take where a window waits for it, in nanoseconds: three frames, reached by nothing seen
so far that was not made for it."""
_LARGEST_SCHEMA = 1_000_000
_MOST_CHECKS = 3_000
_VALUE_NS = 10_000
"""For each value: it may be wrong, and an error takes that long to be told."""
_UNION_NS = 600
"""For each value and each character of an `anyOf`, `oneOf` or `allOf`: every alternative may tell errors."""
_ENUM_NS = 50
"""For each value and each character of an `enum`: objects and lists are compared one by one."""
_ATOM_NS = 25
"""For each character of the value and each atom of a pattern."""
_FANCY_NS = 5_000_000
"""For each value: a pattern that goes back is stopped after that."""
_UNIONS = frozenset(["anyOf", "oneOf", "allOf"])
# fmt: off
_REPEATED = frozenset((
    "items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties",
    "patternProperties", "propertyNames", "$defs", "definitions",
))
# fmt: on
"""Schemas that may apply to any number of values; the others apply once where they stand."""
_VALUES = frozenset(["const", "default", "examples", "example"])


@dataclass(slots=True)
class Effort:
    """What a schema asks for: nanoseconds once, for each value, and for each character; what its patterns come to."""

    once: int = 0
    each: int = _VALUE_NS
    letter: int = 0
    atoms: int = 0
    anywhere: bool = False
    """Whether references lead to places that are no definitions, so that all may apply to any value."""

    def most(self, length: int, values: int) -> int:
        """The longest that a check of a text can take, in nanoseconds."""
        each = self.each + (self.once if self.anywhere else 0)
        return self.once + each * values + self.letter * length


def effort_of(source: Source) -> Effort:
    """What one schema asks for."""
    found = Effort()
    todo: list[tuple[Node, bool]] = [(source.root, False)]
    while todo:
        node, repeated = todo.pop()
        for name, item in zip(node.names, node.items, strict=False):
            _add(found, name, item, repeated)
            if item.is_container and name != "enum" and name not in _VALUES:
                todo.append((item, repeated or name in _REPEATED))
        if not node.names:
            todo.extend((item, repeated) for item in node.items if item.is_container)
    return found


def _add(found: Effort, name: str, item: Node, repeated: bool) -> None:
    cost = 0
    if name in _UNIONS:
        cost = _UNION_NS * (item.end - item.start)
    elif name == "enum":
        cost = _ENUM_NS * (item.end - item.start)
    elif name == "pattern" and item.kind is Kind.STRING:
        cost = _pattern(found, text_of(item))
    elif name == "patternProperties" and item.kind is Kind.OBJECT:
        found.each += sum(_pattern(found, pattern) for pattern in item.names)
    elif name.endswith("ef") and item.kind is Kind.STRING:
        target = text_of(item)
        found.anywhere = found.anywhere or not target.startswith(("#/$defs/", "#/definitions/"))
    if repeated:
        found.each += cost
    else:
        found.once += cost


def _pattern(found: Effort, pattern: str) -> int:
    count = patterns.atoms(pattern)
    found.atoms += count
    found.letter += _ATOM_NS * count
    return _FANCY_NS if patterns.fancy(pattern) else 0


def quick(source: Source, effort: Effort, value: Node) -> bool:
    """Whether a check surely takes no longer than a window may wait."""
    if len(source.root.text) > _LARGEST_SCHEMA or effort.atoms > patterns.MOST_ATOMS:
        return False
    text = value.text
    values = 1 + text.count(",") + text.count("{") + text.count("[")
    if effort.most(len(text), values) > MOST_NS:
        return False
    return not (risky(source) and too_much(source, value, _MOST_CHECKS))
