"""How much work a schema can cause: a few lines of it can ask for 2^30 checks, and a check cannot be interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema.source import Source, objects_of
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHECKS = 200_000
"""How many schema-on-value checks one validation may come to; a check takes some microseconds."""

_MAX_PAIRS = 100_000
_HERE_ONE = ("not", "if", "then", "else")
_HERE_MANY = ("allOf", "anyOf", "oneOf")
_INSIDE = ("additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems", "contains")


def too_much(source: Source, value: Node, most: int = MAX_CHECKS) -> bool:
    """Whether checking a value against a schema would take more than `most` steps.

    Every schema applied to every value counts once for each way that leads there, as a validator would go.
    """
    counts: dict[tuple[int, int], int] = {}
    pairs: dict[tuple[int, int], list[tuple[int, int]]] = {}
    todo: list[tuple[Node, Node, bool]] = [(source.root, value, False)]
    while todo:
        schema, node, ready = todo.pop()
        pair = (schema.start, node.start)
        if ready:
            # a pair that is not counted yet is on the way here: a circle, which the validator cuts
            counts[pair] = 1 + sum(counts.get(other, 0) for other in pairs.pop(pair))
            if counts[pair] > most:
                return True
        elif pair not in counts and pair not in pairs:
            if most < len(counts) + len(pairs):
                return True
            if len(counts) + len(pairs) > _MAX_PAIRS:
                return False  # each pair at most once so far: much, but not a bomb
            applied = [*_applied(source, schema, node)]
            pairs[pair] = [(one.start, two.start) for one, two in applied]
            todo.append((schema, node, True))
            todo.extend((one, two, False) for one, two in applied)
    return False


def _applied(source: Source, schema: Node, node: Node) -> Iterator[tuple[Node, Node]]:
    """The schemas that checking `schema` on `node` leads to, each with its value."""
    if schema.kind is not Kind.OBJECT:
        return
    part = dict(zip(schema.names, schema.items, strict=True))
    for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
        if keyword in part:
            target, _ = source.resolve(part[keyword])
            if target is not None:
                yield target, node
    for keyword in _HERE_MANY:
        options = part.get(keyword)
        if options is not None and options.kind is Kind.ARRAY:
            yield from ((option, node) for option in options.items)
    for keyword in _HERE_ONE:
        if keyword in part:
            yield part[keyword], node
    if node.kind is Kind.OBJECT:
        yield from _members(part, node)
    elif node.kind is Kind.ARRAY:
        yield from _items(part, node)


def _members(part: dict[str, Node], node: Node) -> Iterator[tuple[Node, Node]]:
    for keyword in ("dependentSchemas", "dependencies"):
        yield from ((schema, node) for name, schema in objects_of(part, keyword) if node.index_of(name) >= 0)
    named = dict(objects_of(part, "properties"))
    patterns = objects_of(part, "patternProperties")
    for name, item in zip(node.names, node.items, strict=True):
        if name in named:
            yield named[name], item
        yield from ((schema, item) for _, schema in patterns)
        if name not in named:
            yield from ((part[keyword], item) for keyword in _INSIDE[:2] if keyword in part)


def _items(part: dict[str, Node], node: Node) -> Iterator[tuple[Node, Node]]:
    fixed = part.get("prefixItems") or part.get("items")
    if fixed is not None and fixed.kind is Kind.ARRAY:
        yield from zip(fixed.items, node.items, strict=False)
    for keyword in _INSIDE[2:]:
        if keyword in part:
            yield from ((part[keyword], item) for item in node.items)


def risky(source: Source) -> bool:
    """Whether a schema can multiply work at all: it has references, and places with several schemas for one value."""
    text = source.root.text
    return "Ref" in text or ("$ref" in text and any(f'"{keyword}"' in text for keyword in _HERE_MANY))


def depth_of(root: Node) -> int:
    """How many levels of objects and arrays a value has."""
    deepest = 0
    todo = [(root, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        todo.extend((item, depth + 1) for item in node.items if item.is_container)
    return deepest
