"""From the parts of one place to the kind of field it is, or to raw JSON and why."""

from __future__ import annotations

from mcp_inspector.schema.alternatives import first_union, take_in, without
from mcp_inspector.schema.choices import enum_field, enumerated, nullable
from mcp_inspector.schema.kinds import TYPE_PARTS, TYPE_WORDS, Branch, Choice, FieldKind, Settled
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Part, Source, text_of
from mcp_inspector.wire.jsontext import Kind

__all__ = ["ANY_REASON", "FieldKind", "settle"]

_MAX_ROUNDS = 50
_KINDS = {
    "string": FieldKind.STRING,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.INTEGER,
    "boolean": FieldKind.BOOLEAN,
    "null": FieldKind.NULL,
}
ANY_REASON = "the schema sets no type: any JSON value is allowed"


def settle(source: Source, flat: Flat) -> Settled:
    """Decide the kind of field for a place. Never raises; oddities become findings of the source."""
    if flat.reason:
        return Settled(FieldKind.RAW, flat.parts, reason=flat.reason)
    if flat.never:
        return Settled(FieldKind.RAW, flat.parts, reason="the schema allows no value here")
    return _settle_parts(source, flat.parts)


def _settle_parts(source: Source, parts: tuple[Part, ...]) -> Settled:
    state = Settled(FieldKind.RAW, parts, nullable=Shape(source, parts).flag("nullable"))
    for _ in range(_MAX_ROUNDS):
        place = first_union(source, state.parts)
        if place is None:
            break
        at, keyword, options = place
        base = without(state.parts, at, keyword)
        done = take_in(source, state, base, keyword, options)
        if done is not None:
            return done
    return _by_type(source, state)


def _by_type(source: Source, state: Settled) -> Settled:
    shape = Shape(source, state.parts)
    const, enum = shape.first("const"), shape.first("enum")
    if const is not None:
        label = next((text_of(node) for node in shape.every("title") if len(state.parts) > 1), "")
        return enum_field(source, state, [Choice(const.raw, label)])
    if enum is not None:
        if enum.kind is Kind.ARRAY and enum.items:
            return enum_field(source, state, enumerated(shape, enum))
        source.tell(enum, '"enum" must be an array that is not empty.')
    types, odd = shape.types()
    if odd and not types:
        return Settled(FieldKind.RAW, state.parts, reason="the schemas here allow no type in common")
    if odd and types:
        place = next((node for part in state.parts for node in part.values()), None)
        source.tell(place, f"No type is given; taken as {TYPE_WORDS[types[0]]}.")
    state.nullable = nullable(source, state)
    real = [name for name in types if name != "null"] or types
    if not real or len(real) >= 5:
        names = real or ["string", "number", "boolean", "object", "array", "null"]
        state.branches = tuple(Branch(TYPE_WORDS[name], (*state.parts, TYPE_PARTS[name])) for name in names)
        state.kind, state.reason = FieldKind.ANY, ANY_REASON
        state.nullable = not real or "null" in types
        return state
    if len(real) > 1:
        state.kind = FieldKind.UNION
        state.branches = tuple(Branch(TYPE_WORDS[name], (*state.parts, TYPE_PARTS[name])) for name in real)
        return state
    state.nullable = state.nullable and real != ["null"]
    if real[0] == "object":
        state.kind = FieldKind.OBJECT if shape.properties() or _has_conditions(shape) else FieldKind.MAP
        if state.kind is FieldKind.MAP:
            additional = shape.additional()
            if additional.closed and not additional.patterns:
                state.kind = FieldKind.OBJECT
    elif real[0] == "array":
        state.kind = FieldKind.TUPLE if shape.prefix() else FieldKind.ARRAY
    else:
        state.kind = _KINDS[real[0]]
    return state


def _has_conditions(shape: Shape) -> bool:
    return any(shape.first(word) is not None for word in ("if", "dependentSchemas", "dependencies"))
