"""`oneOf` and `anyOf`: a chooser where a person has to choose, and something simpler wherever that says it all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema.choices import choices_of, enum_field, nullable, only_null
from mcp_inspector.schema.kinds import TYPE_PARTS, Branch, FieldKind, Rule, Settled
from mcp_inspector.schema.labels import labels_of
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Part, Source, strings_of
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BRANCHES = 200
"""How many alternatives of one place are offered."""

_SCALARS = frozenset(["string", "number", "integer"])


def first_union(source: Source, parts: tuple[Part, ...]) -> tuple[int, str, list[Flat]] | None:
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


def without(parts: tuple[Part, ...], at: int, keyword: str) -> tuple[Part, ...]:
    """The parts with a keyword of one of them taken out."""
    changed = {name: node for name, node in parts[at].items() if name != keyword}
    return (*parts[:at], changed, *parts[at + 1 :])


def take_in(
    source: Source, state: Settled, base: tuple[Part, ...], keyword: str, options: list[Flat]
) -> Settled | None:
    """Take one `oneOf` or `anyOf` into the state; a settled outcome when it ends there."""
    if options and all(option.never for option in options):
        return Settled(FieldKind.RAW, base, reason="none of the alternatives allows a value")
    options = [option for option in options if not option.never]
    rule = _rule(source, keyword, options)
    state.parts = base
    if not options:
        return None  # not an array, or an empty one: told already
    if rule is not None:
        state.rules = (*state.rules, rule)
        return None
    rest = [option for option in options if not only_null(source, option)]
    if len(rest) < len(options):
        state.nullable = state.nullable or _admits_null(source, base)
        if not rest:
            state.parts = (*base, TYPE_PARTS["null"])
            return None
    choices = choices_of(source, rest)
    if choices is not None:
        return enum_field(source, state, choices)
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
        Branch(label, (*base, *option.parts), option.reason, option.scope, option.named)
        for label, option in zip(labels_of(source, possible), possible, strict=True)
    )
    return Settled(FieldKind.UNION, base, nullable(source, state), branches=branches, rules=state.rules)


def _admits_null(source: Source, parts: tuple[Part, ...]) -> bool:
    return not any("type" in part for part in parts) or "null" in Shape(source, parts).types()[0]


def _may(source: Source, option: Flat, types: Sequence[str]) -> bool:
    if not any("type" in part for part in option.parts):
        return True
    own = Shape(source, option.parts).types()[0]
    return any(name in types or (name == "integer" and "number" in types) or name == "number" for name in own)


def _rule(source: Source, keyword: str, options: list[Flat]) -> Rule | None:
    """The rule when the options only differ in what is required, None otherwise."""
    names: list[str] = []
    sets: list[tuple[str, ...]] = []
    for option in options:
        if option.reason or not option.parts:
            return None
        for part in option.parts:
            if not part.keys() <= {"required", "not", "title", "description", "$comment", "type", "properties"}:
                return None
            if "properties" in part and not _bare_properties(part):
                return None
        shape = Shape(source, option.parts)
        required = shape.required()
        if not required and shape.first("not") is None:
            return None
        sets.append(tuple(required))
        names.append(" and ".join(required) if required else "none of the others")
    if not names:
        return None
    how = "Exactly one" if keyword == "oneOf" else "At least one"
    sentence = f"{how} of these is needed: {'; '.join(names)}."
    return Rule(sentence, tuple(sets), keyword == "oneOf")


def _bare_properties(part: Part) -> bool:
    """Whether `properties` only repeats names (``{"a": {}}``) that `required` is about."""
    names = strings_of(part.get("required"))
    node = part["properties"]
    return all(
        name in names and (item.raw == "true" or (item.kind is Kind.OBJECT and not item.items))
        for name, item in zip(node.names, node.items, strict=True)
    )


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
    state.parts = (*base, TYPE_PARTS[kinds.pop()])
    state.suggestions.extend(suggestions)
    state.alternatives = tuple(
        option.parts for option in options if not any("enum" in part or "const" in part for part in option.parts)
    )
    return True
