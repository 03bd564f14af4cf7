"""How far a value is from a schema: to find the alternative a value belongs to, and to decide conditions.

This is not validation (`validate` does that): it is bounded, forgiving, and counts instead of listing.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from mcp_inspector.schema.compare import key_of, same
from mcp_inspector.schema.entry import is_whole
from mcp_inspector.schema.patterns import decidable, effort, matches
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Part, Source, objects_of, strings_of, text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEPS = 5_000
_DEPTH = 20
_ITEMS = 50
_TYPE, _CONSTANT, _MISSING, _OTHER, _UNKNOWN = 50_000, 20_000, 5_000, 1_000, 1
_HARD = 1_000


@dataclass(slots=True)
class _Count:
    source: Source
    steps: int = _STEPS
    first: str = ""

    def add(self, weight: int, sentence: str) -> int:
        self.first = self.first or sentence
        return weight


def fits(source: Source, flat: Flat, node: Node) -> bool:
    """Whether a value fits, as far as the budget reaches; what cannot be decided fits."""
    if flat.never:
        return False
    return _parts(_Count(source), flat.parts, node, 0) < _HARD


def why(source: Source, parts: Sequence[Part], node: Node) -> str:
    """The first thing that does not fit, in words; empty when all does."""
    count = _Count(source)
    return count.first if _parts(count, parts, node, 0) >= _HARD else ""


def best(source: Source, options: Sequence[Sequence[Part]], node: Node) -> int | None:
    """The index of the option a value fits best, the first of equals; None when it has the type of none."""
    scores = [_parts(_Count(source), parts, node, 0) for parts in options]
    if not scores or (min(scores) >= _TYPE and all(_wrong_type(source, parts, node) for parts in options)):
        return None
    return scores.index(min(scores))


def _wrong_type(source: Source, parts: Sequence[Part], node: Node) -> bool:
    types = Shape(source, parts).types()[0]
    return bool(types) and not _has_type(node, types)


def _has_type(node: Node, types: Sequence[str]) -> bool:
    if node.kind is Kind.NUMBER:
        return "number" in types or ("integer" in types and is_whole(node.raw))
    return node.kind.value in types


def _parts(count: _Count, parts: Sequence[Part], node: Node, depth: int) -> int:
    count.steps -= 1
    if count.steps < 0 or depth > _DEPTH:
        return 0
    shape = Shape(count.source, parts)
    types = [name for name in shape.types()[0] if any("type" in part for part in parts)]
    if types and not _has_type(node, types):
        return count.add(_TYPE, f"is {_named(node)}, not {' or '.join(types)}")
    score = _values(count, shape, node)
    if node.kind is Kind.OBJECT:
        score += _object(count, shape, node, depth)
    elif node.kind is Kind.ARRAY:
        score += _array(count, shape, node, depth)
    elif node.kind is Kind.STRING:
        score += _string(count, shape, node)
    elif node.kind is Kind.NUMBER:
        score += _number(count, shape, node)
    return score + _combined(count, parts, node, depth)


def _named(node: Node) -> str:
    return node.raw if len(node.raw) <= 30 else f"a {node.kind}"


def _values(count: _Count, shape: Shape, node: Node) -> int:
    score = 0
    for const in shape.every("const"):
        if not same(const, node):
            score += count.add(_CONSTANT, f"is not {const.raw[:60]}")
    for enum in shape.every("enum"):
        if enum.kind is Kind.ARRAY and enum.items:
            key = key_of(node)
            if not any(key_of(item) == key for item in enum.items):
                score += count.add(_CONSTANT, "is not one of the allowed values")
    return score


def _object(count: _Count, shape: Shape, node: Node, depth: int) -> int:
    score = 0
    names = set(node.names)
    for name in shape.required():
        if name not in names:
            score += count.add(_MISSING, f"{name} is missing")
    properties = shape.properties()
    additional = shape.additional()
    for name in names:
        value = node.get(name)
        schemas = properties.get(name)
        if value is None:
            continue
        fitting = [item for pattern, item in additional.patterns if matches(pattern, name)]
        if schemas is None:
            if not fitting and additional.closed:
                score += count.add(_OTHER, f"{name} is not allowed")
                continue
            schemas = fitting or additional.schemas
            score += 0 if schemas else _UNKNOWN
        else:
            schemas = [*schemas, *fitting]
        if schemas:
            flat = count.source.cached_flat(schemas)
            if flat.never:
                score += count.add(_OTHER, f"{name} is not allowed")
            else:
                before = count.first
                score += _weaker(_parts(count, flat.parts, value, depth + 1))
                if count.first and not before:
                    count.first = f"{name} {count.first}"
    score += _dependent(count, shape, node, names, depth)
    for keyword, low in (("minProperties", True), ("maxProperties", False)):
        score += _counted(count, shape, keyword, len(names), low, "members")
    return score


def _dependent(count: _Count, shape: Shape, node: Node, names: set[str], depth: int) -> int:
    """What members ask for by being there, and what all names have to be."""
    score = 0
    for part in shape.parts:
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for name, asked in objects_of(part, keyword):
                if name not in names:
                    continue
                if asked.kind is not Kind.ARRAY:
                    score += _flat(count, asked, node, depth)
                elif missing := [one for one in strings_of(asked) if one not in names]:
                    score += count.add(_MISSING, f"{missing[0]} is missing")
        rule = part.get("propertyNames")
        for name in node.names[:_ITEMS] if rule is not None else ():
            spelled = jsontext.parse(jsontext.quote(name))
            if rule is not None and _flat(_Count(count.source, count.steps), rule, spelled, depth) >= _HARD:
                score += count.add(_OTHER, f"{name} is no name that is allowed")
    return score


def _weaker(score: int) -> int:
    """A misfit inside weighs less than one here, but a wrong constant (a discriminator) stays strong."""
    return min(score, _CONSTANT)


def _array(count: _Count, shape: Shape, node: Node, depth: int) -> int:
    score = _counted(count, shape, "minItems", len(node.items), True, "items")
    score += _counted(count, shape, "maxItems", len(node.items), False, "items")
    prefix = shape.prefix()
    rest, more = shape.rest()
    for at, item in enumerate(node.items[:_ITEMS]):
        schemas = prefix[at] if at < len(prefix) else rest
        if at >= len(prefix) and not more:
            score += count.add(_OTHER, f"has more than {len(prefix)} items")
            break
        if schemas:
            flat = count.source.cached_flat(schemas)
            score += _OTHER if flat.never else _weaker(_parts(count, flat.parts, item, depth + 1))
    if shape.flag("uniqueItems") and len(node.items) <= 1000:
        keys = [key_of(item) for item in node.items]
        if len(set(keys)) < len(keys):
            score += count.add(_OTHER, "has equal items")
    for wanted in shape.every("contains"):
        some = sum(
            _flat(_Count(count.source, count.steps), wanted, item, depth) < _HARD for item in node.items[:_ITEMS]
        )
        count.steps -= min(len(node.items), _ITEMS)
        least = shape.count("minContains", lowest=False)
        most = shape.count("maxContains", lowest=True)
        if some < (1 if least is None else least) or (most is not None and some > most):
            score += count.add(_OTHER, "has not the number of certain items that is asked for")
    return score


def _counted(count: _Count, shape: Shape, keyword: str, number: int, low: bool, what: str) -> int:
    bound = shape.count(keyword, lowest=not low)
    if bound is None or (number >= bound if low else number <= bound):
        return 0
    return count.add(_OTHER, f"has {'fewer' if low else 'more'} than {bound} {what}")


def _string(count: _Count, shape: Shape, node: Node) -> int:
    value = jsontext.unquote(node.raw)
    score = _counted(count, shape, "minLength", len(value), True, "characters")
    score += _counted(count, shape, "maxLength", len(value), False, "characters")
    for pattern in shape.every("pattern"):
        if pattern.kind is not Kind.STRING:
            continue
        spelled = text_of(pattern)
        count.steps -= effort(spelled, value)
        if count.steps >= 0 and decidable(spelled, value) and not matches(spelled, value):
            score += count.add(_OTHER, f"does not match {text_of(pattern)[:60]}")
    return score


def _number(count: _Count, shape: Shape, node: Node) -> int:
    value = jsontext.decimal_of(node.raw)
    bounds = shape.bounds()
    low, high = bounds.low, bounds.high
    if low is not None and (value <= low if bounds.low_exclusive else value < low):
        return count.add(_OTHER, "is too small")
    if high is not None and (value >= high if bounds.high_exclusive else value > high):
        return count.add(_OTHER, "is too large")
    step = bounds.multiple_of
    if step and abs(value.adjusted() - step.adjusted()) < 25 and (value % step) != Decimal(0):
        return count.add(_OTHER, f"is no multiple of {step}")
    return 0


def _combined(count: _Count, parts: Sequence[Part], node: Node, depth: int) -> int:
    score = 0
    for part in parts:
        for keyword in ("anyOf", "oneOf"):
            options = part.get(keyword)
            if options is not None and options.kind is Kind.ARRAY and options.items:
                score += min(_flat(count, option, node, depth) for option in options.items[:_ITEMS])
        inverse = part.get("not")
        if inverse is not None and _flat(_Count(count.source, count.steps), inverse, node, depth) < _HARD:
            score += count.add(_OTHER, "has an excluded value")
        condition = part.get("if")
        if condition is not None:
            holds = _flat(_Count(count.source, count.steps), condition, node, depth) < _HARD
            then = part.get("then" if holds else "else")
            score += _flat(count, then, node, depth) if then is not None else 0
    return score


def _flat(count: _Count, schema: Node, node: Node, depth: int) -> int:
    flat = count.source.cached_flat([schema])
    return _OTHER if flat.never else _parts(count, flat.parts, node, depth + 1)
