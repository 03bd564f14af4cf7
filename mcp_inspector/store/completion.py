"""What could come next in the filter line: fields, their words, and values seen in the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.store.query import FIELDS, Field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.store.log import Log

_MOST = 50
_LONGEST = 200
_UNIT_EXAMPLES = {"dur": (">100", ">500", ">1s", ">10s"), "size": (">1k", ">10k", ">1M")}


@dataclass(frozen=True)
class Completion:
    """Replace `start` to `stop` of the line by `text`; `help` explains it, where there is something to explain."""

    start: int
    stop: int
    text: str
    help: str = ""


def completions(line: str, cursor: int, log: Log) -> list[Completion]:
    """What fits at the cursor, best first, at most 50."""
    start = _word_start(line, cursor)
    stop = cursor
    while stop < len(line) and not line[stop].isspace():
        stop += 1
    word = line[start:cursor]
    while word[:1] in ("-", "("):
        word, start = word[1:], start + 1
    name, colon, typed = word.partition(":")
    if not colon:
        fitting = (field for field in FIELDS.values() if field.name.startswith(name.lower()))
        return [Completion(start, stop, f"{field.name}:", field.help) for field in fitting]
    field = FIELDS.get(name.lower())
    if field is None:
        return []
    sign = "=" if typed.startswith("=") else ""
    typed = typed.removeprefix("=").strip('"').lower()
    values = [value for value in _values(field, log) if typed in value.lower() and len(value) <= _LONGEST]
    values.sort(key=lambda value: (not value.lower().startswith(typed), value.lower()) if typed else (False, ""))
    spelled = values[:_MOST] if field.name in _UNIT_EXAMPLES else [quoted(value) for value in values[:_MOST]]
    return [Completion(start, stop, f"{field.name}:{sign}{value}") for value in spelled]


def exactly(field: str, value: str) -> str:
    """The term for rows whose field is this very value: what “filter by this cell” adds to the line."""
    return f"{field}:={quoted(value)}"


def quoted(value: str) -> str:
    """A value as it must stand in the filter line to be taken as it is."""
    plain = value and value[0] not in '"/=<>-(' and not any(letter.isspace() or letter in '*"()' for letter in value)
    if plain:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _word_start(line: str, cursor: int) -> int:
    """Where the word at the cursor begins; spaces inside quotes do not end it."""
    start, inside = 0, False
    for place, letter in enumerate(line[:cursor]):
        if letter == '"' and (place == 0 or line[place - 1] != "\\"):
            inside = not inside
        elif letter.isspace() and not inside:
            start = place + 1
    return start


def _values(field: Field, log: Log) -> Iterable[str]:
    if field.words:
        return field.words
    pools = {
        "server": log.columns.servers,
        "method": log.columns.methods,
        "target": log.columns.targets,
    }
    if field.name in pools:
        return pools[field.name].texts[1:]
    return _UNIT_EXAMPLES.get(field.name, ())
