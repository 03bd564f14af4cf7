"""Values at the edge of each keyword, and just past it: what a server should take, and what it should refuse."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from mcp_inspector.schema import samples
from mcp_inspector.schema.document import Document
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.validate import Checker
from mcp_inspector.schema.words import spelled
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.schema.fields import Field, Form

MAX_CASES = 500
_LONGEST = 10_000
_OPEN = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One value: what was done to a full valid sample, where, the whole JSON text, and whether the schema takes it."""

    name: str
    path: Path
    json_text: str
    valid: bool


def cases(form: Form, checker: Checker | None = None) -> list[Case]:
    """Cases for every member of the full sample; each differs from it in one place. Equal ones are left out."""
    checker = checker or Checker(form.source)
    base = samples.full(form, checker).json_text
    found: dict[str, Case] = {}
    for name, path, json_text in _all(form.root, Document(base)):
        text = jsontext.compact(json_text)
        if text not in found:
            found[text] = Case(name, path, json_text, checker.valid(json_text))
        if len(found) >= MAX_CASES:
            break
    return [*found.values()]


def _all(field: Field, document: Document, depth: int = 0) -> Iterator[tuple[str, Path, str]]:
    node = document.node(field.path)
    if node is None or depth > _OPEN:
        return
    if field.kind is FieldKind.UNION:
        chosen = field.detect(node)
        yield from _all(field.branch(chosen), document, depth + 1) if chosen is not None else ()
        return
    for name, json_text in _values(field, node.raw):
        yield name, field.path, _with(document, field.path, json_text)
    if node.kind is Kind.OBJECT and field.kind in (FieldKind.OBJECT, FieldKind.MAP):
        for child in field.children(node):
            if child.required and document.node(child.path) is not None:
                yield "required member missing", child.path, _without(document, child.path)
        yield "unknown member", (*field.path, "unknown"), _with(document, (*field.path, "unknown"), '"x"')
    for child in field.children(node):
        yield from _all(child, document, depth + 1)


def _with(document: Document, path: Path, json_text: str) -> str:
    changed = Document(document.text)
    changed.set(path, json_text)
    return changed.text


def _without(document: Document, path: Path) -> str:
    changed = Document(document.text)
    changed.remove(path)
    return changed.text


def _values(field: Field, present: str) -> Iterator[tuple[str, str]]:
    if field.kind is FieldKind.ENUM:
        yield from ((f"choice {choice.label}", choice.json_text) for choice in field.choices[:_OPEN])
        yield "not one of the choices", '"not one of them"'
    elif field.kind is FieldKind.BOOLEAN:
        yield from (("true", "true"), ("false", "false"))
    elif field.kind in (FieldKind.INTEGER, FieldKind.NUMBER):
        yield from _numbers(field)
    elif field.kind is FieldKind.STRING:
        yield from _texts(field)
    elif field.kind in (FieldKind.ARRAY, FieldKind.TUPLE):
        yield from _lists(field)
    if field.path:
        yield "null", "null"
        yield "another type", "1" if present.startswith('"') else '"text"'


def _numbers(field: Field) -> Iterator[tuple[str, str]]:
    bounds = field.shape.bounds()
    step = bounds.multiple_of or Decimal(1)
    for word, bound, outward in (("least", bounds.low, -step), ("greatest", bounds.high, step)):
        if bound is not None:
            yield f"{word} number", spelled(bound)
            yield f"past the {word} number", spelled(bound + outward)
            yield f"inside the {word} number", spelled(bound - outward)
    yield from (("zero", "0"), ("minus zero", "-0"), ("with a fraction", "1.5"), ("whole with a point", "1.0"))
    yield from (("past exact doubles", "9007199254740993"), ("past all doubles", "1e400"))
    if bounds.multiple_of is not None:
        yield "off the step", spelled(bounds.multiple_of / 2)


def _texts(field: Field) -> Iterator[tuple[str, str]]:
    low, high = field.shape.count("minLength", lowest=False), field.shape.count("maxLength", lowest=True)
    yield from (("empty", '""'), ("beyond ASCII", '"ünï 日本 😀"'), ("escapes", '"\\u0000\\"\\\\\\n"'))
    for length, word in ((low, "least"), (high, "greatest")):
        if length is not None and length < _LONGEST:
            yield f"{word} length", jsontext.quote("x" * length)
            yield f"past the {word} length", jsontext.quote("x" * max(length + (1 if word == "greatest" else -1), 0))
    if field.format or field.shape.first("pattern") is not None:
        yield "not of this form", '"~ not of this form ~"'
    if high is None:
        yield "long", jsontext.quote("x" * _LONGEST)


def _lists(field: Field) -> Iterator[tuple[str, str]]:
    def of(count: int, *, same: bool = False) -> str:
        items = [samples.one(field.item(at), seed=0 if same else at) for at in range(count)]
        return f"[{', '.join(items)}]"

    yield "empty", "[]"
    least, most = field.min_items, field.max_items
    if least and least <= _OPEN:
        yield "fewest items", of(least)
        yield "fewer than the fewest items", of(least - 1)
    if most is not None and most < _OPEN:
        yield "most items", of(most)
        yield "more than the most items", of(most + 1)
    if field.unique:
        yield "equal items", of(2, same=True)
