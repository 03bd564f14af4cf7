"""What is wrong with a value, in words and at the field it is about."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from mcp_inspector.schema.words import spelled
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mcp_inspector.wire.jsontext import Path

_Kind = jsonschema_rs.ValidationErrorKind
_SHOWN = 80
_LISTED = 8
_DEEP = 6


class Severity(StrEnum):
    """An error breaks the schema; a warning is about a format, which is an annotation, or could not be checked."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where in the value, a sentence without subject ("must be at least 1"), the keyword.

    A missing member is reported at its own path, so that the message stands at its field. `rule` is a JSON Pointer to
    the keyword in the schema.
    """

    path: Path
    sentence: str
    keyword: str
    severity: Severity = Severity.ERROR
    rule: str = ""

    @property
    def text(self) -> str:
        """The path and the sentence, for a list of problems."""
        where = jsontext.pointer(self.path)
        return f"{where or 'The value'} {self.sentence}"


def problems_of(errors: Iterable[jsonschema_rs.ValidationError], limit: int = 200) -> list[Problem]:
    """The problems of a validator's errors, in their order, each once."""
    found: dict[Problem, None] = {}
    for error in errors:
        for problem in _read(error, 0):
            found[problem] = None
        if len(found) >= limit:
            break
    return [*found][:limit]


def _read(error: jsonschema_rs.ValidationError, depth: int) -> Iterator[Problem]:
    kind = error.kind
    path: Path = tuple(error.instance_path)  # from the root, in the errors of an alternative, too
    rule = jsontext.pointer(tuple(error.schema_path))

    def problem(sentence: str, at: Path = path, severity: Severity = Severity.ERROR) -> Problem:
        keyword = str(error.schema_path[-1]) if error.schema_path else kind.name
        return Problem(at, sentence, kind.name if kind.name != "falseSchema" else keyword, severity, rule)

    if isinstance(kind, _Kind.Required):
        yield problem("is required", (*path, kind.property))
    elif isinstance(kind, _Kind.AdditionalProperties | _Kind.UnevaluatedProperties):
        for name in kind.unexpected[:_LISTED]:
            yield problem("is not a member that the schema knows", (*path, name))
    elif isinstance(kind, _Kind.FalseSchema) and error.schema_path[-1:] == ["additionalProperties"]:
        yield problem("must have no members")
    elif isinstance(kind, _Kind.UnevaluatedItems):
        yield problem("has more items than the schema allows")
    elif isinstance(kind, _Kind.AnyOf | _Kind.OneOfNotValid):
        yield from _nearest(kind.context, path, depth, problem("fits none of the alternatives"))
    elif isinstance(kind, _Kind.PropertyNames):
        for inner in _read(kind.error, depth + 1):
            yield problem(f"has a member whose name {inner.sentence}")
    elif isinstance(kind, _Kind.Format):
        sentence = f"is not a valid {_FORMATS.get(kind.format, kind.format)}"
        yield problem(sentence, severity=Severity.WARNING)
    elif isinstance(kind, _Kind.Custom):
        sentence = f"is not checked: {kind.message[:1].lower()}{kind.message[1:]}"
        yield problem(sentence, severity=Severity.WARNING)
    elif isinstance(kind, _Kind.BacktrackLimitExceeded | _Kind.RegexEngineFailure):
        yield problem("is not checked: the pattern takes too long", severity=Severity.WARNING)
    else:
        yield problem(_sentence(kind))


def _nearest(
    context: Sequence[Sequence[jsonschema_rs.ValidationError]], base: Path, depth: int, fallback: Problem
) -> Iterator[Problem]:
    """The problems of the alternative that fits best: those that speak about the inside, the fewest first."""
    needed = _needed(context, base)
    if needed:
        yield Problem(base, f"needs {needed}", "required", rule=fallback.rule)
        return
    types: list[str] = []
    best: tuple[int, int, list[Problem]] | None = None
    for errors in context:
        here = [error for error in errors if isinstance(error.kind, _Kind.Type) and tuple(error.instance_path) == base]
        for error in here:
            if isinstance(error.kind, _Kind.Type):
                types.extend(name for name in error.kind.types if name not in types)
        if here or not errors or depth >= _DEEP:
            continue
        wrong = sum(isinstance(error.kind, _Kind.Constant | _Kind.Enum) for error in errors)
        if best is None or (wrong, len(errors)) < best[:2]:
            best = wrong, len(errors), [one for error in errors for one in _read(error, depth + 1)]
    if best is not None:
        yield from best[2]
    elif types:
        yield Problem(fallback.path, f"must be {_any_of(_TYPES[name] for name in types)}", "type", rule=fallback.rule)
    else:
        yield fallback


def _needed(context: Sequence[Sequence[jsonschema_rs.ValidationError]], base: Path) -> str:
    """What one of the alternatives would need, when members are all that each of them misses; else empty."""
    options: dict[str, None] = {}
    for errors in context:
        names = [error.kind.property for error in errors if isinstance(error.kind, _Kind.Required)]
        if not names or len(names) < len(errors) or any(tuple(error.instance_path) != base for error in errors):
            return ""
        options[" and ".join(names)] = None
    listed = [*options][:_LISTED]
    return "" if len(listed) < 2 else f"{', '.join(listed[:-1])} or {listed[-1]}"


_TYPES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_FORMATS = {
    "date": "date (as 2026-01-31)",
    "time": "time with zone (as 14:30:00Z)",
    "date-time": "date and time with zone (as 2026-01-31T14:30:00Z)",
    "duration": "duration (as P1DT2H)",
    "email": "email address",
    "uri": "URI",
    "uuid": "UUID",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "hostname": "host name",
    "regex": "regular expression",
    "json-pointer": "JSON Pointer",
}


def _sentence(kind: Any) -> str:
    """The words for the kinds that need no place of their own."""
    match kind:
        case _Kind.Type(types=types):
            return f"must be {_any_of(_TYPES.get(name, name) for name in types)}"
        case _Kind.Minimum(limit=limit):
            return f"must be at least {_number(limit)}"
        case _Kind.Maximum(limit=limit):
            return f"must be at most {_number(limit)}"
        case _Kind.ExclusiveMinimum(limit=limit):
            return f"must be greater than {_number(limit)}"
        case _Kind.ExclusiveMaximum(limit=limit):
            return f"must be less than {_number(limit)}"
        case _Kind.MultipleOf(multiple_of=step):
            return f"must be a multiple of {_number(step)}"
        case _Kind.MinLength(limit=limit):
            return "must not be empty" if limit == 1 else f"must have at least {limit} characters"
        case _Kind.MaxLength(limit=limit):
            return f"must have at most {_counted(limit, 'character')}"
        case _Kind.Pattern(pattern=pattern):
            return f"must match {_cut(pattern)}"
        case _Kind.Enum(options=options):
            more = f" or {len(options) - _LISTED} others" if len(options) > _LISTED else ""
            return f"must be one of {', '.join(_shown(one) for one in options[:_LISTED])}{more}"
        case _Kind.Constant(expected_value=value):
            return f"must be {_shown(value)}"
        case _Kind.MinItems(limit=limit):
            return f"must have at least {_counted(limit, 'item')}"
        case _Kind.MaxItems(limit=limit) | _Kind.AdditionalItems(limit=limit):
            return f"must have at most {_counted(limit, 'item')}"
        case _Kind.MinProperties(limit=limit):
            return f"must have at least {_counted(limit, 'member')}"
        case _Kind.MaxProperties(limit=limit):
            return f"must have at most {_counted(limit, 'member')}"
        case _Kind.UniqueItems():
            return "has equal items, but all must be different"
        case _Kind.Contains():
            return "has not the number of certain items that the schema asks for"
        case _Kind.Not():
            return "has a value that the schema excludes"
        case _Kind.OneOfMultipleValid():
            return "fits several alternatives, but must fit exactly one"
        case _Kind.FalseSchema():
            return "is not allowed here"
        case _Kind.ContentEncoding(content_encoding=encoding):
            return f"is not {encoding}"
        case _Kind.ContentMediaType(content_media_type=media):
            return f"is not {media}"
        case _:
            return f'does not fulfil "{kind.name}"'


def _number(value: Any) -> str:
    try:
        return spelled(Decimal(str(value)))
    except ArithmeticError:
        return str(value)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _any_of(words: Iterable[str]) -> str:
    listed = [*dict.fromkeys(words)]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return _cut(jsontext.quote(value))
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    return _number(value)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
