"""The constraints of a field in a few words, for the line under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind, Settled
from mcp_inspector.schema.shape import Bounds, Shape
from mcp_inspector.schema.source import Source, strings_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal

_PATTERN_SHOWN = 80
_KNOWN_FORMATS = {
    "date": "date, as 2026-01-31",
    "time": "time with zone, as 14:30:00Z",
    "date-time": "date and time with zone, as 2026-01-31T14:30:00Z",
    "duration": "duration, as P1DT2H",
    "email": "email address",
    "idn-email": "email address",
    "uri": "URI",
    "uri-reference": "URI or relative reference",
    "iri": "IRI",
    "uri-template": "URI template",
    "url": "URL",
    "uuid": "UUID",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "hostname": "host name",
    "idn-hostname": "host name",
    "regex": "regular expression",
    "json-pointer": "JSON Pointer",
    "relative-json-pointer": "relative JSON Pointer",
    "byte": "Base64",
    "binary": "binary data",
    "password": "password",
}


def hint(source: Source, settled: Settled) -> str:
    """The hint line, empty when there is nothing to say beyond the kind."""
    shape = Shape(source, settled.parts)
    words = [*_of_kind(settled.kind, shape)]
    options = [", ".join(_of_kind(settled.kind, Shape(source, parts))) for parts in settled.alternatives]
    if options and all(options):
        words.append(" or ".join(dict.fromkeys(options)))
    kind = {FieldKind.INTEGER: "integer", FieldKind.NUMBER: "number"}.get(settled.kind)
    if kind:
        words = [f"{kind} {words[0]}", *words[1:]] if words else [kind]
    words.extend(rule.sentence for rule in settled.rules)
    if shape.first("not") is not None:
        words.append("with values that are excluded")
    if len(shape.every("const")) == 1 and settled.kind is FieldKind.ENUM:
        words.append("fixed")
    return ", ".join(words)


def _of_kind(kind: FieldKind, shape: Shape) -> Iterable[str]:
    if kind in (FieldKind.INTEGER, FieldKind.NUMBER):
        yield from range_words(shape.bounds())
    elif kind is FieldKind.STRING:
        yield from _text_words(shape)
    elif kind in (FieldKind.ARRAY, FieldKind.TUPLE):
        low, high = shape.count("minItems", lowest=False), shape.count("maxItems", lowest=True)
        yield from _count_words(low, high, "item", "items")
        if shape.flag("uniqueItems"):
            yield "all different"
        if shape.first("contains") is not None:
            yield _contains_words(shape)
    elif kind in (FieldKind.OBJECT, FieldKind.MAP):
        low, high = shape.count("minProperties", lowest=False), shape.count("maxProperties", lowest=True)
        yield from _count_words(low, high, "member", "members")
        names = shape.first("propertyNames")
        pattern = text_of(names.get("pattern")) if names is not None else ""
        if pattern:
            yield f"names match {pattern[:_PATTERN_SHOWN]}"
        elif names is not None and strings_of(names.get("enum")):
            yield "names from a list"
        if kind is FieldKind.OBJECT:
            yield from _dependent_words(shape)


def _text_words(shape: Shape) -> Iterable[str]:
    form = shape.text("format")
    if form:
        yield _KNOWN_FORMATS.get(form, form[:_PATTERN_SHOWN])
    encoding, media = shape.text("contentEncoding"), shape.text("contentMediaType")
    if encoding:
        yield f"{encoding} of {media}" if media else encoding
    elif media:
        yield media
    low, high = shape.count("minLength", lowest=False), shape.count("maxLength", lowest=True)
    if not (low == 1 and high is None):
        yield from _count_words(low, high, "character", "characters")
    else:
        yield "not empty"
    for node in shape.every("pattern"):
        pattern = text_of(node)
        if pattern:
            yield f"matches {pattern[:_PATTERN_SHOWN]}{'…' if len(pattern) > _PATTERN_SHOWN else ''}"


def range_words(bounds: Bounds) -> Iterable[str]:
    """A number's range: ``≥ 1``, ``> 0 and < 1``, ``1 to 100``, ``multiple of 5``."""
    low, high = bounds.low, bounds.high
    if low is not None and high is not None and not bounds.low_exclusive and not bounds.high_exclusive:
        yield f"= {spelled(low)}" if low == high else f"{spelled(low)} to {spelled(high)}"
    else:
        parts = []
        if low is not None:
            parts.append(f"{'>' if bounds.low_exclusive else '≥'} {spelled(low)}")
        if high is not None:
            parts.append(f"{'<' if bounds.high_exclusive else '≤'} {spelled(high)}")
        if parts:
            yield " and ".join(parts)
    if bounds.multiple_of is not None and bounds.multiple_of != 1:
        yield f"multiple of {spelled(bounds.multiple_of)}"


def spelled(number: Decimal) -> str:
    """A number for people: no exponent where it stays short."""
    if number.is_finite() and abs(number.adjusted()) < 20:
        text = format(number, "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    return str(number).replace("E+", "e").replace("E", "e")


def _count_words(low: int | None, high: int | None, one: str, many: str) -> Iterable[str]:
    if low is not None and high is not None and low > 0:
        yield f"exactly {low} {one if low == 1 else many}" if low == high else f"{low} to {high} {many}"
    elif low:
        yield f"at least {low} {one if low == 1 else many}"
    elif high is not None:
        yield f"at most {high} {one if high == 1 else many}"


def _contains_words(shape: Shape) -> str:
    low, high = shape.count("minContains", lowest=False), shape.count("maxContains", lowest=True)
    least = 1 if low is None else low
    most = f" and at most {high}" if high is not None else ""
    return f"at least {least}{most} of a certain kind"


def _dependent_words(shape: Shape) -> Iterable[str]:
    for keyword in ("dependentRequired", "dependencies"):
        node = shape.first(keyword)
        if node is None:
            continue
        for name, needed in [*zip(node.names, node.items, strict=False)][:3]:
            others = strings_of(needed)
            if others:
                yield f"{name} needs {' and '.join(others[:5])}"
