"""The rows of one list of tools, resources, templates or prompts, filtered as you type: 10 000 in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from mcp_inspector.session.catalogue import Item, What
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROW = Qt.ItemDataRole.UserRole
"""The `Row` of an index."""

Index = QModelIndex | QPersistentModelIndex


class _Head(msgspec.Struct):
    """The members that a row shows. The rest of an item (schemas of many KB) is not decoded for a list."""

    name: str = ""
    title: str = ""
    description: str = ""
    uri: str = ""
    uriTemplate: str = ""
    mimeType: str = ""
    annotations: dict[str, Any] | None = None


_head = msgspec.json.Decoder(_Head)


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """One item ready to be drawn: text on one line, hidden characters visible.

    `twin` counts the items of the same key that came before it.
    """

    item: Item
    key: str
    name: str
    title: str
    note: str
    hay: str
    read_only: bool | None = None
    destructive: bool | None = None
    twin: int = 0

    @property
    def shown(self) -> str:
        """What to call it in a list: the name it is called by on the wire, since that is what people look for."""
        return self.name or self.title or "(no name)"


def read_row(item: Item, twin: int = 0) -> Row:
    """Build one row. An item that is no object, or has members of wrong types, becomes a row too."""
    try:
        head = _head.decode(item.raw)
    except (msgspec.MsgspecError, RecursionError):
        value = item.value
        annotations = value.get("annotations")
        texts = {name: item.text(name) for name in ("name", "title", "description", "uri", "uriTemplate", "mimeType")}
        head = _Head(annotations=annotations if isinstance(annotations, dict) else None)
        for member, text in texts.items():
            setattr(head, member, text)
    hints = head.annotations or {}
    key = {What.RESOURCES: head.uri, What.TEMPLATES: head.uriTemplate}.get(item.what, head.name)
    title = head.title or (hints["title"] if isinstance(hints.get("title"), str) else "")
    note = head.description or item.problem
    if item.what in (What.RESOURCES, What.TEMPLATES):
        note = " · ".join(filter(None, (key, head.mimeType, head.description, item.problem)))
    hay = "\n".join((head.name, title, key, head.description, head.mimeType)).casefold()
    return Row(
        item,
        key,
        plain.line(head.name),
        plain.line(title),
        plain.line(note),
        hay,
        _flag(hints.get("readOnlyHint")),
        _flag(hints.get("destructiveHint")),
        twin,
    )


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def read_rows(items: Iterable[Item]) -> list[Row]:
    """Rows of a listing in its order. Items with the same key all stay; each later one knows how many came before."""
    rows, seen = [], dict[str, int]()
    for item in items:
        row = read_row(item)
        twin = seen.get(row.key, 0)
        seen[row.key] = twin + 1
        rows.append(read_row(item, twin) if twin else row)
    return rows


def matching(rows: Sequence[Row], text: str) -> list[int]:
    """The numbers of the rows that hold every word of the text: names that begin with it first, then other names."""
    words = text.casefold().split()
    if not words:
        return list(range(len(rows)))
    found = [number for number, row in enumerate(rows) if all(word in row.hay for word in words)]
    first = words[0]

    def rank(number: int) -> int:
        name = rows[number].name.casefold()
        return 0 if name.startswith(first) else 1 if first in name else 2

    found.sort(key=rank)  # a stable sort: the server's order within a rank
    return found


class ItemModel(QAbstractListModel):
    """Rows behind a filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._shown: list[int] = []
        self._text = ""
        self._items: tuple[Item, ...] = ()

    @property
    def total(self) -> int:
        """How many there are without the filter."""
        return len(self._rows)

    @property
    def rows(self) -> Sequence[Row]:
        """All rows, whatever the filter."""
        return self._rows

    def show(self, items: tuple[Item, ...]) -> bool:
        """Take a listing's items; returns whether anything changed."""
        if items is self._items:
            return False
        self.beginResetModel()
        self._items = items
        self._rows = read_rows(items)
        self._shown = matching(self._rows, self._text)
        self.endResetModel()
        return True

    def filter(self, text: str) -> None:
        """Show only what holds these words."""
        if text == self._text:
            return
        self.beginResetModel()
        self._text = text
        self._shown = matching(self._rows, text)
        self.endResetModel()

    def find(self, key: str, twin: int = 0) -> QModelIndex:
        """Where an item is shown now; invalid when the filter hides it or it is gone."""
        for place, number in enumerate(self._shown):
            row = self._rows[number]
            if row.key == key and row.twin == twin:
                return self.index(place)
        return QModelIndex()

    def row(self, index: Index) -> Row | None:
        """The row at an index."""
        return self._rows[self._shown[index.row()]] if index.isValid() and index.row() < len(self._shown) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many pass the filter."""
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The row, its name for screen readers and type-ahead, its description as a tooltip."""
        row = self.row(index)
        if row is None:
            return None
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.shown
        return None
