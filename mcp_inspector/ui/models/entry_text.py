"""A server's entry as texts of a dialog, and back: one argument a line, one variable a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def lines_of(words: Iterable[str]) -> str:
    """Arguments, one a line. One that a line cannot show (empty, with line ends or odd edges) stands in JSON quotes."""
    return "\n".join(jsontext.quote(word) if _needs_quotes(word) else word for word in words)


def words_of(text: str) -> tuple[str, ...]:
    """The arguments of such lines; empty lines are none."""
    return tuple(_unquoted(line) for line in text.split("\n") if line.strip())


def _needs_quotes(word: str) -> bool:
    return not word or word != word.strip() or word[0] == '"' or any(ord(one) < 32 for one in word)


def _unquoted(line: str) -> str:
    stripped = line.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] == '"':
        try:
            jsontext.parse(stripped)
        except JsonError:
            return stripped
        return jsontext.unquote(stripped)
    return stripped


def pairs_of(values: Mapping[str, str], mark: str) -> str:
    """``NAME=value`` or ``Name: value`` lines; a value that a line cannot show stands in JSON quotes."""
    return "\n".join(f"{name}{mark}{jsontext.quote(value) if _odd(value) else value}" for name, value in values.items())


def _odd(value: str) -> bool:
    return value != value.strip() or value[:1] == '"' or any(ord(one) < 32 for one in value)


def mapping_of(text: str, mark: str) -> tuple[dict[str, str], list[str]]:
    """The pairs of such lines, and sentences about lines that are none."""
    found: dict[str, str] = {}
    problems = []
    sign = mark.strip()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        name, there, value = line.partition(sign)
        if not there or not name.strip():
            problems.append(f"Line {number} is no NAME{sign}value: {line.strip()[:60]}")
            continue
        if name.strip() in found:
            problems.append(f"{name.strip()} stands twice; the last one counts.")
        found[name.strip()] = _unquoted(value)
    return found, problems
