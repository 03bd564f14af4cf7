"""What a value makes apply: `if`/`then`/`else`, `dependentSchemas`, `dependentRequired`, old `dependencies`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema import misfit
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Part, Source, objects_of, strings_of
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from mcp_inspector.wire.jsontext import Node

_ROUNDS = 5


def live(source: Source, shape: Shape, node: Node) -> Shape:
    """The shape with all schemas added that the value's members and conditions call for."""
    parts = shape.parts
    new = parts
    for _ in range(_ROUNDS):
        found: list[Node] = []
        for part in new:
            found.extend(_called(source, part, node))
        new = source.cached_flat(found).parts if found else ()
        if not new:
            break
        parts = (*parts, *new)
    return shape if parts is shape.parts else Shape(source, parts)


def _called(source: Source, part: Part, node: Node) -> list[Node]:
    found: list[Node] = []
    condition = part.get("if")
    if condition is not None:
        holds = misfit.fits(source, source.cached_flat([condition]), node)
        then = part.get("then" if holds else "else")
        found.extend([then] if then is not None else [])
    for keyword in ("dependentSchemas", "dependencies"):
        for name, schema in objects_of(part, keyword):
            if schema.kind is not Kind.ARRAY and node.index_of(name) >= 0:
                found.append(schema)
    return found


def required_by(shape: Shape, node: Node) -> list[str]:
    """The names that members of this value make required."""
    needed: list[str] = []
    for part in shape.parts:
        for keyword in ("dependentRequired", "dependencies"):
            for name, others in objects_of(part, keyword):
                if others.kind is Kind.ARRAY and node.index_of(name) >= 0:
                    needed.extend(strings_of(others))
    return needed
