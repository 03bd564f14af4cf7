"""From the parts of one place to the kind of field it is: choices, alternatives, null, types, or raw JSON and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.schema.compare import key_of
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Part, Source, strings_of, text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BRANCHES = 200
_MAX_ROUNDS = 50


class FieldKind(StrEnum):
    """What a field edits."""

    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    NULL = "null"
    ENUM = "enum"  # one of `choices`; with a single one it is a constant
    OBJECT = "object"  # named members, perhaps more
    MAP = "map"  # members named by the person
    ARRAY = "array"
    TUPLE = "tuple"  # fixed positions, perhaps more
    UNION = "union"  # one of `branches`
    ANY = "any"  # any JSON value; `branches` are its types
    RAW = "raw"  # a JSON editor; `reason` says why


@dataclass(frozen=True, slots=True)
class Choice:
    """One allowed value: its JSON text as the schema spells it, and how to call it."""

    json_text: str
    label: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative of a union: a name for it and all that applies when it is chosen."""

    label: str
    parts: tuple[Part, ...]
    reason: str = ""


@dataclass(slots=True)
class Settled:
    """What one place comes to. `reason` is set for RAW and ANY. `suggestions` are JSON texts that may be picked."""

    kind: FieldKind
    parts: tuple[Part, ...]
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    branches: tuple[Branch, ...] = ()
    rules: tuple[str, ...] = ()
    reason: str = ""
    suggestions: list[str] = field(default_factory=list)
    alternatives: tuple[tuple[Part, ...], ...] = ()


_TYPE_PARTS: dict[str, Part] = {
    name: {"type": jsontext.parse(f'"{name}"')}
    for name in ("string", "number", "integer", "boolean", "object", "array", "null")
}
_TYPE_WORDS = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "object": "object",
    "array": "list",
    "null": "null",
}
_KINDS = {
    "string": FieldKind.STRING,
    "number": FieldKind.NUMBER,
    "integer": FieldKind.INTEGER,
    "boolean": FieldKind.BOOLEAN,
    "null": FieldKind.NULL,
}
_ANNOTATIONS = frozenset(["title", "description", "default", "examples", "deprecated", "$comment", "type"])
_SCALARS = frozenset(["string", "number", "integer"])
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
        place = _alternatives(source, state.parts)
        if place is None:
            break
        at, keyword, options = place
        base = _without(state.parts, at, keyword)
        done = _union(source, state, base, keyword, options)
        if done is not None:
            return done
    return _by_type(source, state)


def _alternatives(source: Source, parts: tuple[Part, ...]) -> tuple[int, str, list[Flat]] | None:
    """The first `oneOf` or `anyOf`, with each option flat."""
    for at, part in enumerate(parts):
        for keyword in ("oneOf", "anyOf"):
            node = part.get(keyword)
            if node is None:
                continue
            if node.kind is not Kind.ARRAY or not node.items:
                source.tell(node, f'"{keyword}" must be an array that is not empty.')
                return at, keyword, []
            return at, keyword, [source.flat([item]) for item in node.items[:MAX_BRANCHES]]
    return None


def _without(parts: tuple[Part, ...], at: int, keyword: str) -> tuple[Part, ...]:
    changed = {name: node for name, node in parts[at].items() if name != keyword}
    return (*parts[:at], changed, *parts[at + 1 :])


def _union(source: Source, state: Settled, base: tuple[Part, ...], keyword: str, options: list[Flat]) -> Settled | None:
    """Take one `oneOf` or `anyOf` into the state; a settled outcome when it ends there."""
    options = [option for option in options if not option.never]
    rule = _rule(source, keyword, options)
    state.parts = base
    if rule:
        state.rules = (*state.rules, rule)
        return None
    rest = [option for option in options if not _only_null(source, option)]
    if len(rest) < len(options):
        state.nullable = state.nullable or _admits_null(source, base)
        if not rest:
            state.parts = (*base, _TYPE_PARTS["null"])
            return None
    choices = _titled(source, rest)
    if choices is not None:
        return _enum(source, state, choices)
    if any(not option.parts and not option.reason for option in rest):
        return None  # one option allows anything, so the alternatives say nothing
    types = Shape(source, base).types()[0]
    possible = [option for option in rest if not types or _may(source, option, types)] or rest
    if len(possible) == 1:
        if possible[0].reason:
            return Settled(FieldKind.RAW, base, state.nullable, reason=possible[0].reason)
        state.parts = (*base, *possible[0].parts)
        return None
    if _merge_scalars(source, state, base, possible):
        return None
    branches = tuple(
        Branch(label, (*base, *option.parts), option.reason)
        for label, option in zip(_labels(source, possible), possible, strict=True)
    )
    return Settled(FieldKind.UNION, base, _nullable(source, state), branches=branches, rules=state.rules)


def _nullable(source: Source, state: Settled) -> bool:
    return state.nullable or "null" in Shape(source, state.parts).types()[0]


def _admits_null(source: Source, parts: tuple[Part, ...]) -> bool:
    return not any("type" in part for part in parts) or "null" in Shape(source, parts).types()[0]


def _may(source: Source, option: Flat, types: Sequence[str]) -> bool:
    if not any("type" in part for part in option.parts):
        return True
    own = Shape(source, option.parts).types()[0]
    return any(name in types or (name == "integer" and "number" in types) or name == "number" for name in own)


def _only_null(source: Source, option: Flat) -> bool:
    shape = Shape(source, option.parts)
    if shape.types()[0] == ["null"]:
        return True
    const, enum = shape.first("const"), shape.first("enum")
    if const is not None:
        return const.kind is Kind.NULL
    return enum is not None and [item.raw for item in enum.items] == ["null"]


def _rule(source: Source, keyword: str, options: list[Flat]) -> str:
    """A sentence when the options only differ in what is required, empty otherwise."""
    names: list[str] = []
    for option in options:
        if option.reason or not option.parts:
            return ""
        for part in option.parts:
            if not part.keys() <= {"required", "not", "title", "description", "$comment", "type", "properties"}:
                return ""
            if "properties" in part and not _bare_properties(part):
                return ""
        shape = Shape(source, option.parts)
        required = shape.required()
        if not required and shape.first("not") is None:
            return ""
        names.append(" and ".join(required) if required else "none of the others")
    if not names:
        return ""
    how = "Exactly one" if keyword == "oneOf" else "At least one"
    return f"{how} of these is needed: {'; '.join(names)}."


def _bare_properties(part: Part) -> bool:
    """Whether `properties` only repeats names (``{"a": {}}``) that `required` is about."""
    names = strings_of(part.get("required"))
    node = part["properties"]
    return all(
        name in names and (item.raw == "true" or (item.kind is Kind.OBJECT and not item.items))
        for name, item in zip(node.names, node.items, strict=True)
    )


def _titled(source: Source, options: list[Flat]) -> list[Choice] | None:
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
            choices.extend(_enumerated(shape, enum))
        else:
            return None
    return choices or None


def _enumerated(shape: Shape, enum: Node) -> list[Choice]:
    labels: list[str] = []
    for keyword in ("enumNames", "x-enumNames", "x-enum-varnames"):
        labels = labels or strings_of(shape.first(keyword))
    described = strings_of(shape.first("enumDescriptions")) or strings_of(shape.first("x-enum-descriptions"))
    return [
        Choice(item.raw, labels[at] if at < len(labels) else "", described[at] if at < len(described) else "")
        for at, item in enumerate(enum.items)
    ]


def _merge_scalars(source: Source, state: Settled, base: tuple[Part, ...], options: list[Flat]) -> bool:
    """Texts (or numbers) that only differ in format, pattern or range are one field, the options being hints."""
    kinds: set[str] = set()
    suggestions: list[str] = []
    for option in options:
        shape = Shape(source, (*base, *option.parts))
        types, _ = shape.types()
        if len(types) != 1 or types[0] not in _SCALARS or option.reason:
            return False
        if any(keyword in part for part in option.parts for keyword in ("anyOf", "oneOf", "not", "if")):
            return False
        const, enum = shape.first("const"), shape.first("enum")
        suggestions.extend(item.raw for item in (enum.items if enum is not None else ()))
        if const is not None:
            suggestions.append(const.raw)
        kinds.add(types[0])
    if len(kinds) != 1:
        return False
    state.parts = (*base, _TYPE_PARTS[kinds.pop()])
    state.suggestions.extend(suggestions)
    state.alternatives = tuple(
        option.parts for option in options if not any("enum" in part or "const" in part for part in option.parts)
    )
    return True


def _labels(source: Source, options: list[Flat]) -> list[str]:
    labels = []
    for option in options:
        shape = Shape(source, option.parts)
        types = shape.types()[0]
        title = shape.text("title") or option.named or _discriminating(source, shape)
        if not title and types:
            title = " or ".join(_TYPE_WORDS[name] for name in types)
            if types == ["array"]:
                title = _list_label(source, shape)
        labels.append(title or "option")
    counts = {label: labels.count(label) for label in labels}
    seen: dict[str, int] = {}
    for at, label in enumerate(labels):
        if counts[label] > 1:
            seen[label] = seen.get(label, 0) + 1
            labels[at] = f"{label} {seen[label]}"
    return labels


def _list_label(source: Source, shape: Shape) -> str:
    item = shape.first("items")
    types = Shape(source, source.flat([item]).parts).types()[0] if item is not None else []
    return f"list of {_TYPE_WORDS[types[0]]}" if len(types) == 1 else "list"


def _discriminating(source: Source, shape: Shape) -> str:
    for name, schemas in [*shape.properties().items()][:20]:
        for schema in schemas:
            const = schema.get("const") if schema.kind is Kind.OBJECT else None
            if const is not None and not const.is_container:
                return f"{name}: {text_of(const) or const.raw}"
    required = shape.required()
    return f"with {', '.join(required[:3])}" if required else ""


def _enum(source: Source, state: Settled, choices: list[Choice]) -> Settled:
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
    nullable = _nullable(source, state) and not any(one.json_text == "null" for one in ordered)
    named = tuple(_named(ordered))
    return Settled(FieldKind.ENUM, state.parts, nullable, choices=named, rules=state.rules)


def _named(choices: list[Choice]) -> list[Choice]:
    """Every choice with a label; labels that would be the same are told apart by the JSON text."""
    plain = [one.label or text_of(jsontext.parse(one.json_text)) or one.json_text for one in choices]
    return (
        [
            Choice(one.json_text, label if plain.count(label) == 1 else _apart(label, one.json_text), one.description)
            for one, label in zip(choices, plain, strict=True)
        ]
        if len(choices) <= MAX_BRANCHES
        else [Choice(one.json_text, label, one.description) for one, label in zip(choices, plain, strict=True)]
    )


def _apart(label: str, json_text: str) -> str:
    return json_text if json_text in (label, jsontext.quote(label)) else f"{label} ({json_text})"


def _by_type(source: Source, state: Settled) -> Settled:
    shape = Shape(source, state.parts)
    const, enum = shape.first("const"), shape.first("enum")
    if const is not None:
        label = next((text_of(node) for node in shape.every("title") if len(state.parts) > 1), "")
        return _enum(source, state, [Choice(const.raw, label)])
    if enum is not None:
        if enum.kind is Kind.ARRAY and enum.items:
            return _enum(source, state, _enumerated(shape, enum))
        source.tell(enum, '"enum" must be an array that is not empty.')
    types, odd = shape.types()
    if odd and not types:
        return Settled(FieldKind.RAW, state.parts, reason="the schemas here allow no type in common")
    if odd and types:
        source.tell(state.parts[0][next(iter(state.parts[0]))], f"No type is given; taken as {_TYPE_WORDS[types[0]]}.")
    state.nullable = _nullable(source, state)
    real = [name for name in types if name != "null"] or types
    if not real or len(real) >= 5:
        names = real or ["string", "number", "boolean", "object", "array", "null"]
        state.branches = tuple(Branch(_TYPE_WORDS[name], (*state.parts, _TYPE_PARTS[name])) for name in names)
        state.kind, state.reason = FieldKind.ANY, ANY_REASON
        state.nullable = not real or "null" in types
        return state
    if len(real) > 1:
        state.kind = FieldKind.UNION
        state.branches = tuple(Branch(_TYPE_WORDS[name], (*state.parts, _TYPE_PARTS[name])) for name in real)
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
