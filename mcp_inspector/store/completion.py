"""What could come next in the filter line: fields, their words, and values seen in the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.store import jsonpath
from mcp_inspector.store.query import FIELDS, PATH, Field, Shape
from mcp_inspector.store.record import Channel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.store.log import Log

_MOST = 50
_LONGEST = 200
_LOOKED_AT = 300
_READ = 32_768
_UNIT_EXAMPLES = {"dur": (">100", ">500", ">1s", ">10s"), "size": (">1k", ">10k", ">1M")}


@dataclass(frozen=True)
class Completion:
    """Replace `start` to `stop` of the line by `text`; `help` explains it, where there is something to explain."""

    start: int
    stop: int
    text: str
    help: str = ""


def completions(line: str, cursor: int, log: Log, rules: Iterable[str] = ()) -> list[Completion]:
    """What fits at the cursor, best first, at most 50. `rules` are the names for ``rule:``."""
    start = _word_start(line, cursor)
    stop = cursor
    while stop < len(line) and not line[stop].isspace():
        stop += 1
    word = line[start:cursor]
    while word[:1] in ("-", "("):
        word, start = word[1:], start + 1
    if word.startswith("$"):
        return _paths(word, start, stop, log)
    name, colon, typed = word.partition(":")
    if not colon:
        fitting = (field for field in FIELDS.values() if field.name.startswith(name.lower()))
        found = [Completion(start, stop, f"{field.name}:", field.help) for field in fitting]
        return found if name else [*found, Completion(start, stop, "$.", PATH.help)]
    field = FIELDS.get(name.lower())
    if field is None:
        return []
    sign = "=" if typed.startswith("=") else ""
    typed = typed.removeprefix("=").strip('"').lower()
    known = rules if field.shape is Shape.RULE else _values(field, log)
    values = [value for value in known if typed in value.lower() and len(value) <= _LONGEST]
    values.sort(key=lambda value: (not value.lower().startswith(typed), value.lower()) if typed else (False, ""))
    spelled = values[:_MOST] if field.name in _UNIT_EXAMPLES else [quoted(value) for value in values[:_MOST]]
    return [Completion(start, stop, f"{field.name}:{sign}{value}") for value in spelled]


def _paths(word: str, start: int, stop: int, log: Log) -> list[Completion]:
    """The members that the newest messages have at the path which is being typed, or the values at a whole one."""
    path, colon, typed = word.partition(":")
    if colon:
        try:
            whole = jsonpath.parse(path)
        except jsonpath.PathError:
            return []
        typed = typed.removeprefix("=").strip('"').lower()
        found = dict.fromkeys(
            jsonpath.words(value) for body in _newest(log, whole.literal) for value in whole.values(body)
        )
        values = [value for value in found if typed in value.lower() and len(value) <= _LONGEST]
        return [Completion(start, stop, f"{path}:={quoted(value)}") for value in values[:_MOST]]
    above, _, begun = path.rpartition(".") if "." in path else ("$", "", "")
    try:
        steps = jsonpath.parse(above) if above not in ("$", "") else None
    except jsonpath.PathError:
        return []
    names: dict[str, bool] = {}
    for body in _newest(log, steps.literal if steps is not None else b""):
        value = body if steps is None else steps.first(body)
        for name, holds in jsonpath.members(value or b""):
            names[name] = names.get(name, False) or holds
    fitting = [name for name in names if name.lower().startswith(begun.lower())]
    texts = [f"{above or '$'}{jsonpath.step(name)}{'' if names[name] else ':'}" for name in sorted(fitting)]
    return [Completion(start, stop, text, "" if text.endswith(":") else "…") for text in texts[:_MOST]]


def _newest(log: Log, literal: bytes) -> Iterator[bytes]:
    """The bodies of the newest messages that hold these bytes, large ones left out."""
    columns = log.columns
    for seq in range(len(log), max(0, len(log) - _LOOKED_AT), -1):
        if columns.channel[seq - 1] == Channel.MESSAGE and columns.size[seq - 1] <= _READ:
            body = log.body(seq)
            if literal in body:
                yield body


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
