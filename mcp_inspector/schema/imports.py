"""A list from pasted text: JSON, JSON lines, a table with commas, semicolons or tabs, or one item a line."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

if TYPE_CHECKING:
    from mcp_inspector.schema.fields import Field

MAX_ITEMS = 100_000


@dataclass(frozen=True, slots=True)
class Pasted:
    """The items as JSON texts, how the text was read ("12 rows of a table"), and what could not be read."""

    items: tuple[str, ...]
    how: str
    problems: tuple[str, ...] = ()


def items_of(field: Field, text: str) -> Pasted:
    """The items that pasted text holds, for the list `field`. Cells become what the item's fields are."""
    text = text.strip("\ufeff\r\n")
    whole = _json(text)
    if whole is not None:
        return whole
    lines = [line for line in text.splitlines() if line.strip()][:MAX_ITEMS]
    rows = _json_lines(lines)
    if rows is not None:
        return rows
    item = field.item(0)
    if item.kind is FieldKind.OBJECT:
        return _table(item, text)
    items, problems = [], []
    for number, line in enumerate(lines, 1):
        json_text, problem = _cell(item, line if item.kind is FieldKind.STRING else line.strip())
        if json_text is not None:
            items.append(json_text)
        if problem:
            problems.append(f"Line {number}: {problem}")
    return Pasted(tuple(items), _counted(len(items), "line"), tuple(problems))


def _json(text: str) -> Pasted | None:
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        root = jsontext.parse(text)
    except JsonError:
        return None
    if root.kind is Kind.OBJECT:
        return Pasted((root.raw,), "one JSON object")
    return Pasted(tuple(item.raw for item in root.items), f"a JSON list of {_counted(len(root.items), 'item')}")


def _json_lines(lines: list[str]) -> Pasted | None:
    if not lines or any(line.lstrip()[:1] not in ("{", "[", '"') for line in lines):
        return None
    try:
        return Pasted(tuple(jsontext.parse(line).raw for line in lines), f"{_counted(len(lines), 'line')} of JSON")
    except JsonError:
        return None


def _table(item: Field, text: str) -> Pasted:
    """Rows of a table whose first line names the members; a table without such a line fills them in order."""
    first = text.splitlines()[0] if text else ""
    separator = max("\t;,", key=first.count)
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if row][: MAX_ITEMS + 1]
    except csv.Error as error:
        return Pasted((), "a table", (f"The table cannot be read: {error}.",))
    known = [str(child.key) for child in sorted(item.children(), key=lambda one: one.order.index(str(one.key)))]
    named = bool(rows) and any(cell.strip() in known for cell in rows[0])
    names = [cell.strip() for cell in rows[0]] if named else known
    items, problems = [], []
    for number, row in enumerate(rows[named:], 1 + named):
        members = []
        if len(row) > len(names):
            problems.append(f"Row {number} has more cells than there are members.")
        for name, cell in zip(names, row, strict=False):
            child = item.member(name)
            json_text, problem = _cell(child, cell if child.kind is FieldKind.STRING else cell.strip())
            if json_text is not None:
                members.append(f"{jsontext.quote(name)}: {json_text}")
            if problem:
                problems.append(f"Row {number}, {name}: {problem}")
        items.append(f"{{{', '.join(members)}}}")
    return Pasted(tuple(items), f"{_counted(len(items), 'row')} of a table", tuple(problems))


def _cell(field: Field, text: str) -> tuple[str | None, str]:
    if field.kind is FieldKind.ENUM:
        for choice in field.choices:
            if text in (choice.label, choice.json_text) or jsontext.quote(text) == choice.json_text:
                return choice.json_text, ""
        return jsontext.quote(text), "is not one of the allowed values"
    if field.kind is FieldKind.BOOLEAN:
        text = text.lower()
    entry = field.read(text)
    if entry.problem and field.kind in (FieldKind.ANY, FieldKind.UNION, FieldKind.RAW):
        return jsontext.quote(text), ""
    return (jsontext.quote(text), entry.problem) if entry.problem else (entry.json_text, "")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
