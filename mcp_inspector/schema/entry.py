"""Between what a person types and JSON text: nothing is rounded or read by the habits of a language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node

_NUMBER = re.compile(jsontext.NUMBER)
_DIGITS_OF_OTHERS = re.compile(r"[^\W0-9_a-zA-Z]|_")


@dataclass(frozen=True, slots=True)
class Entry:
    """What typed text comes to: `json_text`, or a `problem`. Both empty: nothing was typed, so omit it."""

    json_text: str | None = None
    problem: str = ""


def read(kind: FieldKind, typed: str) -> Entry:
    """The JSON text of typed text in a field of this kind.

    Text fields take every character as it is. Numbers keep their spelling (``1.0``, ``1e400``, ``-0``); spaces around
    them are dropped. All other kinds take JSON.
    """
    if kind is FieldKind.STRING:
        return Entry(jsontext.quote(typed)) if typed else Entry()
    text = typed.strip(" \t\r\n")
    if not text:
        return Entry()
    if kind in (FieldKind.INTEGER, FieldKind.NUMBER):
        return _number(kind, text)
    try:
        jsontext.parse(text)
    except JsonError as error:
        return Entry(problem=str(error))
    return Entry(text)


def show(node: Node | None) -> str:
    """What a line edit shows for a value: a string's characters, anything else as spelled, nothing for omitted."""
    if node is None:
        return ""
    return jsontext.unquote(node.raw) if node.kind is Kind.STRING else node.raw


def _number(kind: FieldKind, text: str) -> Entry:
    if _NUMBER.fullmatch(text):
        if kind is FieldKind.INTEGER and not is_whole(text):
            return Entry(problem=f"{text[:60]} is not a whole number.")
        return Entry(text)
    if _DIGITS_OF_OTHERS.search(text):
        return Entry(problem="A JSON number has only the digits 0 to 9, without separators.")
    if re.fullmatch(r"-?[0-9]+,[0-9]+", text):
        return Entry(problem="Write the decimal separator as a point.")
    if re.fullmatch(r"-?0[0-9]+(\.[0-9]+)?", text):
        return Entry(problem="A JSON number must not start with 0.")
    try:
        jsontext.parse(text)
    except JsonError as error:
        if error.sentence.startswith("A number") or error.sentence.endswith("JSON number."):
            return Entry(problem=error.sentence)
    return Entry(problem=f"{text[:60]} is not a number.")


def is_whole(spelled: str) -> bool:
    """Whether a JSON number is mathematically an integer, however it is spelled: ``1.0`` and ``1e3`` are."""
    if "." not in spelled and "e" not in spelled and "E" not in spelled:
        return True
    number = jsontext.decimal_of(spelled).normalize()
    exponent = number.as_tuple().exponent
    return not number or (isinstance(exponent, int) and exponent >= 0)
