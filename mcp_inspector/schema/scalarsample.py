"""Sample texts and numbers for one field."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from typing import TYPE_CHECKING

from mcp_inspector.schema import regexsample
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.source import text_of
from mcp_inspector.schema.words import spelled
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.schema.fields import Field

_MOST = 100_000
_FORMATS = {
    "date": "2026-01-{:02}",
    "time": "14:30:{:02}Z",
    "date-time": "2026-01-31T14:30:{:02}Z",
    "duration": "P{}D",
    "email": "person{}@example.com",
    "idn-email": "person{}@example.com",
    "hostname": "host{}.example.com",
    "idn-hostname": "host{}.example.com",
    "ipv4": "192.0.2.{}",
    "ipv6": "2001:db8::{}",
    "uri": "https://example.com/{}",
    "uri-reference": "/path/{}",
    "iri": "https://example.com/{}",
    "iri-reference": "/path/{}",
    "url": "https://example.com/{}",
    "uri-template": "/path/{{id}}/{}",
    "uuid": "123e4567-e89b-42d3-a456-{:012}",
    "json-pointer": "/a/{}",
    "relative-json-pointer": "{}/a",
    "regex": "^a{{{}}}$",
    "byte": "dGV4dA==",
}


def string_texts(field: Field, seed: int) -> Iterator[str]:
    """JSON texts of strings to try: by format, by pattern, by length."""
    shape = field.shape
    low = min(shape.count("minLength", lowest=False) or 0, _MOST)
    high = shape.count("maxLength", lowest=True)
    patterns = [text_of(node) for node in shape.every("pattern")]
    for alternative in field.alternatives:
        patterns.extend(text_of(part["pattern"]) for part in alternative if "pattern" in part)
    formats = [field.format, *(text_of(part.get("format")) for one in field.alternatives for part in one)]
    for form in formats:
        if form in _FORMATS:
            text = _FORMATS[form].format(seed + 1)
            if field.shape.count("minLength", lowest=False) is None or len(text) >= low:
                yield jsontext.quote(text)
    for pattern in patterns:
        for variant in range(seed, seed + 4):
            text_or_none = regexsample.sample(pattern, low, variant)
            if text_or_none is not None and (high is None or len(text_or_none) <= high):
                yield jsontext.quote(text_or_none)
    if field.encoding == "base64":
        yield '"dGV4dA=="'
    if field.media_type == "application/json":
        yield '"{}"'
    text = f"text {seed + 1}" if seed else "text"
    if len(text) < low:
        text = (text + " text" * (low // 5 + 1))[:low].replace(" ", "x") if low else text
    if high is not None and len(text) > high:
        text = f"{seed or 't'}"[:high]
    yield jsontext.quote(text)


def number_text(field: Field, seed: int) -> Iterator[str]:
    """JSON texts of numbers to try: in the range, on the step."""
    bounds = field.shape.bounds()
    whole = field.kind is FieldKind.INTEGER
    with localcontext() as context:
        context.prec = 60
        step = bounds.multiple_of if bounds.multiple_of and bounds.multiple_of > 0 else None
        if whole:
            step = step if step is not None and step == step.to_integral_value() else Decimal(1)
        unit = step if step is not None else Decimal(1)
        low, high = bounds.low, bounds.high
        starts: list[Decimal] = []
        if low is not None:
            aligned = _align(low, unit, ROUND_CEILING) if step is not None else low
            starts += [aligned + unit * seed, aligned + unit * (seed + 1)]
            if high is not None and step is None:
                starts.append((low + high) / 2)
        elif high is not None:
            aligned = _align(high, unit, ROUND_FLOOR) if step is not None else high
            starts += [aligned - unit * seed, aligned - unit * (seed + 1)]
        else:
            starts.append(unit * (seed + 1))
        yield from (spelled(number) for number in starts)
        yield "0"


def _align(number: Decimal, unit: Decimal, rounding: str) -> Decimal:
    return (number / unit).to_integral_value(rounding=rounding) * unit
