"""Rows that a collection is run with: CSV with a head, or one JSON object a line; each column is a variable."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from mcp_inspector.actions.values import as_json
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 64 * 1024 * 1024
MAX_ROWS = 100_000

Row = dict[str, str]
"""Values as JSON text, by column."""


class DataError(ValueError):
    """The rows cannot be used; the message is a sentence with the place."""


def read_rows(path: Path) -> list[Row]:
    """The rows of a file: JSON lines when its first character is ``{``, else CSV. Raises `DataError`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(f"{path} is larger than {MAX_BYTES // 2**20} MiB.")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8, from byte {error.start} on.") from None
    return rows_of(text, path.name)


def rows_of(text: str, name: str = "the data") -> list[Row]:
    """The rows of a text. A CSV cell that is JSON (a number, true, null, a quoted text) is that, else a text."""
    rows = _json_lines(text, name) if text.lstrip()[:1] == "{" else _csv(text, name)
    if not rows:
        raise DataError(f"{name} has no rows.")
    if len(rows) > MAX_ROWS:
        raise DataError(f"{name} has {len(rows):,} rows; {MAX_ROWS:,} at most are run.")
    return rows


def _json_lines(text: str, name: str) -> list[Row]:
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            node = jsontext.parse(line.strip("\r"))
        except JsonError as error:
            raise DataError(f"{name}, line {number}: it is not JSON: {error.sentence}") from None
        if node.kind is not Kind.OBJECT:
            raise DataError(f"{name}, line {number}: a row is an object, not {node.kind}.")
        rows.append({key: item.raw for key, item in zip(node.names, node.items, strict=True)})
    return rows


def _csv(text: str, name: str) -> list[Row]:
    first = text.partition("\n")[0]
    sign = max(",;\t", key=first.count) if first.count(",") == 0 else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    rows: list[Row] = []
    head: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not head:
                head = [cell.strip() for cell in cells]
                if len(set(head)) < len(head) or not all(head):
                    raise DataError(f"{name}, line {reader.line_num}: every column needs a name of its own.")
                continue
            if len(cells) != len(head):
                sentence = f"{name}, line {reader.line_num}: {len(cells)} cells, and the head has {len(head)}."
                raise DataError(sentence)
            rows.append({key: as_json(cell) for key, cell in zip(head, cells, strict=True)})
    except csv.Error as error:
        raise DataError(f"{name}, line {reader.line_num}: {error}.") from None
    return rows
