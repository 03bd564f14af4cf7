"""Values made from a schema: the least that is valid, and one with everything in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.schema import misfit, regexsample
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.scalarsample import number_text, string_texts
from mcp_inspector.schema.source import strings_of, text_of
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.schema.fields import Field, Form
    from mcp_inspector.schema.problems import Problem

_FULL_DEPTH = 6
_DEPTH = 15
_MOST_ITEMS = 100
_MOST_VALUES = 3_000
_TRIES = 40
_CHECKED_LENGTH = 5_000


@dataclass(frozen=True, slots=True)
class Sample:
    """A made value as JSON text, and what is wrong with it where none could be made that is right."""

    json_text: str
    problems: tuple[Problem, ...] = ()


def minimal(form: Form, checker: Checker | None = None) -> Sample:
    """A valid value with required members only."""
    return _sample(form, full=False, checker=checker)


def full(form: Form, checker: Checker | None = None) -> Sample:
    """A valid value with every named member, one item in each list; recursion is followed a few levels."""
    return _sample(form, full=True, checker=checker)


def one(field: Field, seed: int = 0) -> str:
    """The JSON text of a minimal value for one field; another seed gives another value where there is a choice."""
    return _Maker(full=False).value(field, 0, seed)


def _sample(form: Form, *, full: bool, checker: Checker | None) -> Sample:
    checker = checker or Checker(form.source)
    text = _Maker(full=full).value(form.root, 0, 0)
    return Sample(jsontext.pretty(text), tuple(checker.check(text)))


class _Maker:
    def __init__(self, *, full: bool) -> None:
        self.full = full
        self.left = _MOST_VALUES

    def value(self, field: Field, depth: int, seed: int) -> str:
        """The first candidate that fits the field's own schema, else the first."""
        self.left -= 1
        first = None
        for tried, text in enumerate(self.candidates(field, depth, seed)):
            if first is None:
                first = text
            if tried >= _TRIES or self.left < 0 or len(text) > _CHECKED_LENGTH:
                return text
            if not misfit.why(field.source, field.all_parts, jsontext.parse(text)):
                return text
        return first if first is not None else "null"

    def candidates(self, field: Field, depth: int, seed: int) -> Iterator[str]:
        if field.constant is not None:
            yield field.constant
        choices = [choice.json_text for choice in field.choices]
        yield from choices[seed % len(choices) :] if choices else ()
        given = [*field.examples, *([field.default] if field.default not in (None, "null") else [])]
        yield from [text for text in given if text is not None][seed:]
        yield from choices
        if depth > _DEPTH or self.left < 0:
            yield field.empty()
            return
        yield from self._by_kind(field, depth, seed)
        if field.nullable:
            yield "null"

    def _by_kind(self, field: Field, depth: int, seed: int) -> Iterator[str]:
        kind = field.kind
        if kind is FieldKind.STRING:
            yield from string_texts(field, seed)
        elif kind in (FieldKind.NUMBER, FieldKind.INTEGER):
            yield from number_text(field, seed)
        elif kind is FieldKind.BOOLEAN:
            yield from (["true", "false"] if self.full and not seed % 2 else ["false", "true"])
        elif kind in (FieldKind.OBJECT, FieldKind.MAP):
            yield from self.objects(field, depth, seed)
        elif kind in (FieldKind.ARRAY, FieldKind.TUPLE):
            yield self.array(field, depth, seed)
        elif kind is FieldKind.UNION:
            yield from (self.value(field.branch(at), depth + 1, seed) for at in range(len(field.branches)))
        elif kind is FieldKind.ANY:
            yield jsontext.quote(f"text {seed + 1}" if seed else "text")
            yield from (self.value(field.branch(at), depth + 1, seed) for at in range(1, len(field.branches)))
        else:
            yield from ("null", "{}", '""')

    def objects(self, field: Field, depth: int, seed: int) -> Iterator[str]:
        text = self.object(field, depth, seed)
        yield text
        if self.full:  # what excludes each other cannot all be there
            less = _Maker(full=False)
            less.left = self.left
            yield less.object(field, depth, seed)
            self.left = less.left

    def object(self, field: Field, depth: int, seed: int) -> str:
        """Members are added in rounds, because what is there may make more required."""
        members: dict[str, str] = {}
        needed = dict.fromkeys(name for rule in field.rules for name in rule.options[0])
        others = {name for rule in field.rules if rule.exclusive for names in rule.options[1:] for name in names}
        left_out = others - needed.keys()
        for _ in range(4):
            node = jsontext.parse(_joined(members))
            added = False
            for child in field.children(node):
                name = str(child.key)
                wanted = child.required or name in needed or (self.full and self._worth(child, depth, left_out))
                if wanted and name not in members:
                    members[name] = self.value(child, depth + 1, seed)
                    added = True
            for name in needed:
                if name not in members:
                    members[name] = self.value(field.member(name), depth + 1, seed)
            members = _ordered(members, field)
            if not added:
                break
        self._fill_up(field, members, depth)
        return _joined(members)

    def _worth(self, child: Field, depth: int, left_out: set[str]) -> bool:
        simple = child.kind not in (FieldKind.OBJECT, FieldKind.ARRAY, FieldKind.UNION, FieldKind.TUPLE)
        return (depth < _FULL_DEPTH or simple) and child.key not in left_out and child.possible and not child.read_only

    def _fill_up(self, field: Field, members: dict[str, str], depth: int) -> None:
        least = min(field.shape.count("minProperties", lowest=False) or 0, _MOST_ITEMS)
        most = field.shape.count("maxProperties", lowest=True)
        additional = field.shape.additional()
        if self.full and field.kind is FieldKind.MAP and (additional.schemas or additional.patterns):
            least = max(least, 1)
        for name in names_for(field, least):
            if len(members) >= least:
                break
            if name not in members:
                members[name] = self.value(field.member(name), depth + 1, len(members))
        for name in [*members][::-1]:
            if most is not None and len(members) > most and not field.member(name).required:
                del members[name]

    def array(self, field: Field, depth: int, seed: int) -> str:
        least = field.min_items or 0
        if self.full and depth < _FULL_DEPTH:
            least = max(least, field.positions, 1)
        most = field.max_items
        count = min(least if most is None else min(least, most), _MOST_ITEMS)
        items = [
            self.value(field.item(at), depth + 1, seed + at if field.unique or at else seed) for at in range(count)
        ]
        contained = field.contained
        if contained is not None and count < _MOST_ITEMS:
            needed = field.shape.count("minContains", lowest=False)
            for at in range(min(1 if needed is None else needed, _MOST_ITEMS)):
                text = self.value(contained, depth + 1, at)
                if most is not None and len(items) >= most and items:
                    items[at % len(items)] = text
                elif text not in items or not field.unique:
                    items.append(text)
        return f"[{', '.join(items)}]"


def names_for(field: Field, count: int) -> list[str]:
    """Names that members of this object may have: named ones first, then made-up ones that fit."""
    names = [*field.shape.properties()]
    patterns = [pattern for pattern, _ in field.shape.additional().patterns]
    for rule in field.shape.every("propertyNames"):
        names.extend(strings_of(rule.get("enum")))
        patterns.extend([text_of(rule.get("pattern"))] if text_of(rule.get("pattern")) else [])
    names.extend(regexsample.sample(pattern, 0, seed) or "" for pattern in patterns for seed in range(count))
    names.extend(f"key{at or ''}" for at in range(count + 1))
    return [name for name in dict.fromkeys(names) if not field.name_problem(name)]


def _ordered(members: dict[str, str], field: Field) -> dict[str, str]:
    order = [*field.shape.properties()]
    return {
        **{name: members[name] for name in order if name in members},
        **{name: text for name, text in members.items() if name not in order},
    }


def _joined(members: dict[str, str]) -> str:
    return f"{{{', '.join(f'{jsontext.quote(name)}: {text}' for name, text in members.items())}}}"
