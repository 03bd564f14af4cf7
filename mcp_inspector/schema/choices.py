"""Enumerations: which values may be chosen, and what they are called."""

from __future__ import annotations

from mcp_inspector.schema.compare import key_of
from mcp_inspector.schema.kinds import Choice, FieldKind, Settled
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Source, strings_of, text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

_ANNOTATIONS = frozenset(["title", "description", "default", "examples", "deprecated", "$comment", "type"])
_TOLD_APART = 500


def choices_of(source: Source, options: list[Flat]) -> list[Choice] | None:
    """Choices when every option is a constant or an enumeration of scalars, None otherwise."""
    choices: list[Choice] = []
    for option in options:
        shape = Shape(source, option.parts)
        const = shape.first("const")
        enum = shape.first("enum")
        if option.reason or any(part.keys() - _ANNOTATIONS - {"const", "enum"} for part in option.parts):
            return None
        if const is not None:
            choices.append(Choice(const.raw, shape.text("title"), shape.text("description")))
        elif enum is not None and enum.kind is Kind.ARRAY and enum.items:
            choices.extend(enumerated(shape, enum))
        else:
            return None
    return choices or None


def enumerated(shape: Shape, enum: Node) -> list[Choice]:
    """The choices of an `enum`, with the labels that other keywords give."""
    labels: list[str] = []
    for keyword in ("enumNames", "x-enumNames", "x-enum-varnames"):
        labels = labels or strings_of(shape.first(keyword))
    described = strings_of(shape.first("enumDescriptions")) or strings_of(shape.first("x-enum-descriptions"))
    return [
        Choice(item.raw, labels[at] if at < len(labels) else "", described[at] if at < len(described) else "")
        for at, item in enumerate(enum.items)
    ]


def enum_field(source: Source, state: Settled, choices: list[Choice]) -> Settled:
    """The enum field of these choices, cut down by what `enum` and `const` of the parts still allow."""
    for part in state.parts:
        for keyword in ("enum", "const"):
            node = part.get(keyword)
            if node is not None and (keyword == "const" or node.kind is Kind.ARRAY):
                allowed = {key_of(item) for item in ([node] if keyword == "const" else node.items)}
                choices = [one for one in choices if key_of(jsontext.parse(one.json_text)) in allowed]
    if not choices:
        reason = "the schema's enumerations have no value in common"
        return Settled(FieldKind.RAW, state.parts, state.nullable, reason=reason)
    unique = {key_of(jsontext.parse(one.json_text)): one for one in reversed(choices)}
    ordered = [one for one in choices if unique[key_of(jsontext.parse(one.json_text))] is one]
    null = nullable(source, state) and not any(one.json_text == "null" for one in ordered)
    named = tuple(_named(ordered))
    return Settled(FieldKind.ENUM, state.parts, null, choices=named, rules=state.rules)


def _named(choices: list[Choice]) -> list[Choice]:
    """Every choice with a label; labels that would be the same are told apart by the JSON text."""
    plain = [one.label or text_of(jsontext.parse(one.json_text)) or one.json_text for one in choices]
    return (
        [
            Choice(one.json_text, label if plain.count(label) == 1 else _apart(label, one.json_text), one.description)
            for one, label in zip(choices, plain, strict=True)
        ]
        if len(choices) <= _TOLD_APART
        else [Choice(one.json_text, label, one.description) for one, label in zip(choices, plain, strict=True)]
    )


def _apart(label: str, json_text: str) -> str:
    return json_text if json_text in (label, jsontext.quote(label)) else f"{label} ({json_text})"


def only_null(source: Source, option: Flat) -> bool:
    """Whether an option allows null and nothing else."""
    shape = Shape(source, option.parts)
    if shape.types()[0] == ["null"]:
        return True
    const, enum = shape.first("const"), shape.first("enum")
    if const is not None:
        return const.kind is Kind.NULL
    return enum is not None and [item.raw for item in enum.items] == ["null"]


def nullable(source: Source, state: Settled) -> bool:
    """Whether null is allowed besides what the kind says."""
    return state.nullable or "null" in Shape(source, state.parts).types()[0]
