"""URI templates (RFC 6570, all four levels): which variables they have, and the URI that values give.

A variable that is not defined leaves nothing behind; one that is empty leaves its name where the operator has names.
Own code, because a template from a server may be malformed: then the fault is said and the text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

Value = str | Sequence[str] | Mapping[str, str]
"""A text, a list of texts, or an associative array in order."""

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_VARIABLE = re.compile(
    r"((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(\*|:[1-9][0-9]{0,3})?"
)
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = "-._~"
_RESERVED = _UNRESERVED + ":/?#[]@!$&'()*+,;="


@dataclass(frozen=True, slots=True)
class _Operator:
    """How an operator joins values: what stands first, what between, whether names do, what an empty value leaves."""

    first: str
    between: str
    named: bool = False
    empty: str = ""
    safe: str = _UNRESERVED


_OPERATORS = {
    "": _Operator("", ","),
    "+": _Operator("", ",", safe=_RESERVED),
    "#": _Operator("#", ",", safe=_RESERVED),
    ".": _Operator(".", "."),
    "/": _Operator("/", "/"),
    ";": _Operator(";", ";", named=True),
    "?": _Operator("?", "&", named=True, empty="="),
    "&": _Operator("&", "&", named=True, empty="="),
}


@dataclass(frozen=True, slots=True)
class Variable:
    """One use of a variable. `optional`: the URI may well go without it (it is in a query, parameter or fragment).

    `explode` is True for ``{list*}``, which takes lists; `length` is the prefix of ``{var:3}``, 0 for none.
    """

    name: str
    operator: str = ""
    explode: bool = False
    length: int = 0

    @property
    def optional(self) -> bool:
        """Whether the URI has a good form without it."""
        return self.operator in ("?", "&", ";", "#")


@dataclass(frozen=True, slots=True)
class _Expression:
    operator: str
    variables: tuple[Variable, ...]


class Template:
    """A URI template, read. `problems` are sentences about what is malformed in it; those parts stay literal."""

    def __init__(self, text: str) -> None:
        self.text = text
        problems: list[str] = []
        parts: list[str | _Expression] = []
        at = 0
        for match in _EXPRESSION.finditer(text):
            parts.append(text[at : match.start()])
            expression = _read(match[1], problems)
            parts.append(match[0] if expression is None else expression)
            at = match.end()
        parts.append(text[at:])
        if any(isinstance(part, str) and re.search(r"[{}]", _EXPRESSION.sub("", part)) for part in parts):
            problems.append("A brace has no partner.")
        self._parts = parts
        self.problems = tuple(problems)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable once, in order of its first use."""
        found: dict[str, Variable] = {}
        for part in self._parts:
            for variable in part.variables if isinstance(part, _Expression) else ():
                found.setdefault(variable.name, variable)
        return tuple(found.values())

    def expand(self, values: Mapping[str, Value | None]) -> str:
        """The URI. Names that are missing or None, empty lists and empty mappings count as not defined.

        Characters of the template itself that no URI may have are percent-encoded, as RFC 6570 section 3.1 says.
        """
        return "".join(
            _expand(part, values) if isinstance(part, _Expression) else _encode(part, _RESERVED + "{}", escapes=True)
            for part in self._parts
        )


def expand(template: str, values: Mapping[str, Value | None]) -> str:
    """The URI that a template gives for these values."""
    return Template(template).expand(values)


def _read(inside: str, problems: list[str]) -> _Expression | None:
    operator = inside[:1] if inside[:1] in "+#./;?&" else ""
    if inside[:1] in ("=", ",", "!", "@", "|"):
        problems.append(f"{{{inside[:40]}}} begins with {inside[0]}, which is reserved.")
        return None
    variables = []
    for spelled in inside[len(operator) :].split(","):
        match = _VARIABLE.fullmatch(spelled)
        if match is None:
            what = f"{spelled[:40]!r} is no variable" if spelled else "a variable is missing"
            problems.append(f"{{{inside[:40]}}}: {what}.")
            return None
        modifier = match[2] or ""
        length = int(modifier[1:]) if modifier.startswith(":") else 0
        variables.append(Variable(match[1], operator, modifier == "*", length))
    return _Expression(operator, tuple(variables))


def _expand(expression: _Expression, values: Mapping[str, Value | None]) -> str:
    operator = _OPERATORS[expression.operator]
    done = []
    for variable in expression.variables:
        value = values.get(variable.name)
        if isinstance(value, str):
            done.append(_text(variable, value, operator))
        elif value:
            done.append(_many(variable, value, operator))
    return operator.first + operator.between.join(done) if done else ""


def _text(variable: Variable, value: str, operator: _Operator) -> str:
    cut = value[: variable.length] if variable.length else value
    return _pair(variable.name, _value(cut, operator), operator)


def _many(variable: Variable, value: Sequence[str] | Mapping[str, str], operator: _Operator) -> str:
    if isinstance(value, Mapping):
        pairs = [(_value(name, operator), _value(text, operator)) for name, text in value.items()]
        if variable.explode:
            return operator.between.join(f"{name}={text}" for name, text in pairs)
        return _pair(variable.name, ",".join(part for pair in pairs for part in pair), operator)
    texts = [_value(text, operator) for text in value]
    if variable.explode:
        return operator.between.join(_pair(variable.name, text, operator) for text in texts)
    return _pair(variable.name, ",".join(texts), operator)


def _pair(name: str, text: str, operator: _Operator) -> str:
    if not operator.named:
        return text
    return f"{name}={text}" if text else f"{name}{operator.empty}"


def _value(text: str, operator: _Operator) -> str:
    return _encode(text, operator.safe, escapes=operator.safe == _RESERVED)


def _encode(text: str, safe: str, *, escapes: bool) -> str:
    """Percent-encode; with `escapes`, what is percent-encoded already stays."""
    if not escapes:
        return quote(text, safe=safe, errors="surrogatepass")
    done, at = [], 0
    for match in _ESCAPED.finditer(text):
        done += [quote(text[at : match.start()], safe=safe, errors="surrogatepass"), match[0]]
        at = match.end()
    return "".join([*done, quote(text[at:], safe=safe, errors="surrogatepass")])
