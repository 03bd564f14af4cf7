"""The filter line: its grammar, and the meaning of each field.

    query  = and { "or" and }
    and    = part { part }
    part   = [ "-" ] ( term | "(" query ")" )
    term   = field ":" value | path ":" value | value
    value  = word | "quoted" | /regular expression/ | =word | ="quoted" (the whole) | wi*ld (the whole)
           | >number | <number | number..number

Text is looked for anywhere and without regard to case. `parse` gives the tree, `filter.Filter` runs it over rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from mcp_inspector.store import jsonpath
from mcp_inspector.store.query_terms import (
    FIELDS,
    PATH,
    And,
    Field,
    Node,
    Not,
    Or,
    PathTest,
    QueryError,
    Range,
    Shape,
    Term,
    Text,
    Words,
)
from mcp_inspector.store.search import Needle

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FIELDS",
    "MOST",
    "PATH",
    "And",
    "Field",
    "Node",
    "Not",
    "Or",
    "PathTest",
    "QueryError",
    "Range",
    "Shape",
    "Term",
    "Text",
    "Words",
    "parse",
]

MOST = 2**63 - 1
_NAME = re.compile(r"([A-Za-z]+):(?!//)")
_NUMBER = r"(-?\d+(?:\.\d+)?)\s*([A-Za-zµ]*)"
_COMPARED = re.compile(rf"(>=|<=|>|<|=)?{_NUMBER}")
_SPAN = re.compile(rf"{_NUMBER}\.\.{_NUMBER}")
_DURATIONS = {"ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "": 1_000_000, "s": 10**9, "m": 60 * 10**9}
_DURATIONS |= {"min": 60 * 10**9, "h": 3_600 * 10**9}
_SIZES = {"": 1, "b": 1, "k": 1_000, "kb": 1_000, "m": 10**6, "mb": 10**6, "g": 10**9, "gb": 10**9}
_SIZES |= {"ki": 1 << 10, "kib": 1 << 10, "mi": 1 << 20, "mib": 1 << 20, "gi": 1 << 30, "gib": 1 << 30}
_ALIASES = {"out": "sent", "in": "received", "finding": "finding", "findings": "finding", "faults": "finding"}
_DEEPEST = 50


def parse(line: str) -> Node:
    """The tree of a filter line; an empty line passes every row. Raises `QueryError`."""
    return _Parser(line).parse()


@dataclass(frozen=True)
class _Value:
    text: str
    start: int
    stop: int
    style: str  # bare, quoted, exact, regex


class _Parser:
    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self.depth = 0

    def parse(self) -> Node:
        node = self._or()
        if self.at < len(self.line):
            raise QueryError("This parenthesis closes nothing.", self.at)
        return node

    def _or(self) -> Node:
        parts = [self._and()]
        while self._word_or():
            place = self.at
            self.at += 2
            parts.append(self._and())
            if any(part == And(()) for part in parts):
                raise QueryError("“or” needs something on both sides.", place, 2)
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _and(self) -> Node:
        parts: list[Node] = []
        while True:
            self._skip_space()
            if self.at >= len(self.line) or self.line[self.at] == ")" or self._word_or():
                return parts[0] if len(parts) == 1 else And(tuple(parts))
            parts.append(self._part())

    def _part(self) -> Node:
        start = self.at
        if self.line[start] == "-":
            self.at += 1
            if self.at >= len(self.line) or self.line[self.at].isspace() or self.line[self.at] == ")":
                raise QueryError("“-” needs something to leave out behind it.", start)
            return Not(self._deeper(self._part, start))
        if self.line[start] == "(":
            self.at += 1
            node = self._deeper(self._or, start)
            if self.at >= len(self.line):
                raise QueryError("This parenthesis is not closed.", start)
            self.at += 1
            return node
        return self._term()

    def _deeper(self, rule: Callable[[], Node], start: int) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise QueryError("This is nested too deeply.", start)
        node = rule()
        self.depth -= 1
        return node

    def _term(self) -> Node:
        start = self.at
        if self.line[start] == "$" and self.line[start + 1 : start + 2] in (".", "["):
            return self._path_term(start)
        named = _NAME.match(self.line, start)
        if named is None:
            value = self._value()
            return Term(None, _text_test(value), start, self.at)
        field = FIELDS.get(named[1].lower())
        if field is None:
            known = ", ".join(FIELDS)
            raise QueryError(
                f"There is no field “{named[1]}”. The fields are {known}; quote the text to look for it as it stands.",
                start,
                len(named[1]),
            )
        self.at = named.end()
        if self.at >= len(self.line) or self.line[self.at].isspace():
            raise QueryError(f"“{field.name}:” needs a value: {field.help}.", start, self.at - start)
        value = self._value()
        return Term(field, _test(field, value), start, self.at)

    def _path_term(self, start: int) -> Term:
        try:
            path, self.at = jsonpath.scan(self.line, start)
        except jsonpath.PathError as error:
            raise QueryError(error.sentence, min(error.position, len(self.line) - 1)) from error
        if self.line[self.at : self.at + 1] != ":":
            raise QueryError("A path needs “:” and a value: $.params.name:echo.", start, max(self.at - start, 1))
        self.at += 1
        if self.at >= len(self.line) or self.line[self.at].isspace():
            raise QueryError(f"“{path}:” needs a value, or * for any.", start, self.at - start)
        value = self._value()
        return Term(PATH, PathTest(path, _path_test(value)), start, self.at)

    def _value(self) -> _Value:
        start = self.at
        first = self.line[start]
        if first == '"':
            return self._quoted(start, "quoted")
        if self.line.startswith('="', start):
            return self._quoted(start + 1, "exact")
        if first == "/":
            closed = re.compile(r"/((?:[^/\\]|\\.)+)/(?=\s|\)|$)").match(self.line, start)
            if closed is not None:
                self.at = closed.end()
                return _Value(closed[1].replace("\\/", "/"), start + 1, self.at - 1, "regex")
        stop = start
        while stop < len(self.line) and not self.line[stop].isspace():
            stop += 1
        while self.depth and stop > start + 1 and self.line[stop - 1] == ")" and _unbalanced(self.line[start:stop]):
            stop -= 1
        self.at = stop
        return _Value(self.line[start:stop], start, stop, "bare")

    def _quoted(self, start: int, style: str) -> _Value:
        closed = re.compile(r'"((?:[^"\\]|\\.)*)"').match(self.line, start)
        if closed is None:
            raise QueryError("This quote is not closed.", start, len(self.line) - start)
        self.at = closed.end()
        return _Value(re.sub(r'\\(["\\])', r"\1", closed[1]), start, self.at, style)

    def _skip_space(self) -> None:
        while self.at < len(self.line) and self.line[self.at].isspace():
            self.at += 1

    def _word_or(self) -> bool:
        return re.compile(r"or(?=[\s()]|$)", re.IGNORECASE).match(self.line, self.at) is not None


def _unbalanced(text: str) -> bool:
    return text.count(")") > text.count("(")


def _test(field: Field, value: _Value) -> Text | Range | Words:
    if field.shape in (Shape.TEXT, Shape.BODY, Shape.RULE):
        return _text_test(value)
    if field.shape is Shape.ID:
        test = _text_test(value)
        return Text(test.needle, whole=not test.needle.regex or test.whole)
    if field.shape is Shape.DURATION:
        return _range(field, value, _DURATIONS)
    if field.shape is Shape.SIZE:
        return _range(field, value, _SIZES)
    if field.shape is Shape.NUMBER:
        return _range(field, value, {"": 1}, plain_is_equal=True)
    if field.shape is Shape.STATUS and re.match(r"[<>=]*-?\d", value.text) and value.style == "bare":
        return _range(field, value, {"": 1}, plain_is_equal=True)
    return _words(field, value)


def _text_test(value: _Value) -> Text:
    if value.style == "regex":
        needle = Needle(value.text, regex=True)
        try:
            _ = needle.pattern
        except (re.error, OverflowError, RecursionError) as error:
            place = getattr(error, "pos", None) or 0
            raise QueryError(
                f"The regular expression is not valid: {error}.", min(value.start + place, value.stop)
            ) from error
        return Text(needle)
    if value.style in ("quoted", "exact"):
        return Text(Needle(value.text), whole=value.style == "exact" or not value.text)
    if value.text.startswith("=") and len(value.text) > 1:
        return Text(Needle(value.text[1:]), whole=True)
    if "*" in value.text and value.text.strip("*"):
        parts = (re.escape(part) for part in value.text.split("*"))
        return Text(Needle("(?s:" + ".*".join(parts) + ")", regex=True), whole=True)
    return Text(Needle(value.text))


_AMOUNT = re.compile(r"(>=|<=|>|<)(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")


def _path_test(value: _Value) -> Text | tuple[Decimal, Decimal] | None:
    """Numbers are compared as they are spelled, to the last digit."""
    if value.style == "bare" and value.text == "*":
        return None
    amount = _AMOUNT.fullmatch(value.text) if value.style == "bare" else None
    if amount is None:
        return _text_test(value)
    if amount[3] is not None:
        return Decimal(amount[3]), Decimal(amount[4])
    number, endless = Decimal(amount[2]), Decimal("Infinity")
    if amount[1] == ">":
        return number.next_plus(), endless
    if amount[1] == "<":
        return -endless, number.next_minus()
    return (number, endless) if amount[1] == ">=" else (-endless, number)


def _range(field: Field, value: _Value, units: dict[str, int], *, plain_is_equal: bool = False) -> Range:
    span = _SPAN.fullmatch(value.text)
    if span is not None:
        low = _number(field, value, span[1], span[2] or (span[4] if span[4] in units else ""), units)
        return Range(low, _number(field, value, span[3], span[4], units))
    compared = _COMPARED.fullmatch(value.text)
    if compared is None:
        raise QueryError(f"“{value.text}” is no number for {field.name}: {field.help}.", value.start, len(value.text))
    sign, number = compared[1], _number(field, value, compared[2], compared[3], units)
    if sign == "=" or (sign is None and plain_is_equal):
        return Range(number, number)
    if sign == ">":
        return Range(number + 1, MOST)
    if sign == "<":
        return Range(-MOST, number - 1)
    return Range(-MOST, number) if sign == "<=" else Range(number, MOST)


def _number(field: Field, value: _Value, number: str, unit: str, units: dict[str, int]) -> int:
    factor = units.get(unit.lower())
    if factor is None:
        known = ", ".join(name for name in units if name)
        raise QueryError(
            f"“{unit}” is no unit for {field.name}; {f'the units are {known}' if known else 'it has none'}.",
            value.start,
            len(value.text),
        )
    whole, _, fraction = number.partition(".")
    result = abs(int(whole)) * factor + (int(fraction) * factor // 10 ** len(fraction) if fraction else 0)
    return max(min(-result if whole.startswith("-") else result, MOST - 1), 1 - MOST)


def _words(field: Field, value: _Value) -> Words:
    """The words that the value names: all that hold it, or the one that it is, with `=`."""
    text = value.text.lower().replace("-", " ").replace("_", " ")
    if value.style == "regex":
        pattern = _text_test(value).needle.pattern
        found = {word for word in field.words if pattern.search(word)}
    elif text.startswith("="):
        found = {word for word in field.words if word == text[1:]}
    else:
        text = _ALIASES.get(text, text)
        found = {word for word in field.words if text in word}
    if not found or not text.strip():
        raise QueryError(
            f"“{value.text}” is nothing that {field.name} can be: {', '.join(field.words)}.",
            value.start,
            max(value.stop - value.start, 1),
        )
    return Words(frozenset(found))
