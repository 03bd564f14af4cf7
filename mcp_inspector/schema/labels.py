"""How to call the alternatives of a union, so that a person can tell them apart."""

from __future__ import annotations

from mcp_inspector.schema.kinds import TYPE_WORDS
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Source, text_of
from mcp_inspector.wire.jsontext import Kind, Node

_SHOWN = 60
_TELLS_NOTHING = frozenset(["type", "kind"])


def labels_of(source: Source, options: list[Flat]) -> list[str]:
    """A name for each option: its title, the value that tells it apart, its reference, its type, its members."""
    shapes = [Shape(source, option.parts) for option in options]
    labels = _discriminators(shapes)
    for at, (option, shape) in enumerate(zip(options, shapes, strict=True)):
        title = shape.text("title") or option.named
        if labels[at] and not title:
            continue
        types = shape.types()[0]
        if not title and (only := _constant(shape)) is not None:
            title = only
        elif not title and types == ["array"]:
            title = _list_label(source, shape)
        elif not title and types and types != ["object"]:
            title = " or ".join(TYPE_WORDS[name] for name in types)
        elif not title:
            title = _by_members(shape) or (TYPE_WORDS[types[0]] if types else "option")
        labels[at] = title
    counts = {label: labels.count(label) for label in labels}
    seen: dict[str, int] = {}
    for at, label in enumerate(labels):
        if counts[label] > 1:
            seen[label] = seen.get(label, 0) + 1
            labels[at] = f"{label} {seen[label]}"
    return labels


def _discriminators(shapes: list[Shape]) -> list[str]:
    """For each option the value of the member that is a different constant in every option, empty without one."""
    values: dict[str, dict[int, str]] = {}
    for at, shape in enumerate(shapes):
        for name, schemas in shape.properties().items():
            for schema in schemas:
                const = _only_value(schema)
                if const is not None and not const.is_container:
                    values.setdefault(name, {})[at] = text_of(const) or const.raw
    objects = sum(bool(shape.properties()) for shape in shapes)
    for found in values.values():
        if len(found) == objects > 1 and len(set(found.values())) == objects:
            return [found.get(at, "") for at in range(len(shapes))]
    return [""] * len(shapes)


def _constant(shape: Shape) -> str | None:
    """The only value of an option, as it is spelled."""
    const = shape.first("const")
    return const.raw[:_SHOWN] if const is not None else None


def _only_value(schema: Node) -> Node | None:
    if schema.kind is not Kind.OBJECT:
        return None
    const, enum = schema.get("const"), schema.get("enum")
    if const is None and enum is not None and enum.kind is Kind.ARRAY and len(enum.items) == 1:
        return enum.items[0]
    return const


def _by_members(shape: Shape) -> str:
    names = [name for name in shape.required() if name not in _TELLS_NOTHING]
    return f"with {', '.join(names[:3])}" if names else ""


def _list_label(source: Source, shape: Shape) -> str:
    item = shape.first("items")
    types = Shape(source, source.flat([item]).parts).types()[0] if item is not None else []
    return f"list of {TYPE_WORDS[types[0]]}" if len(types) == 1 else "list"
