"""The columns of the traffic table, and the header that resizes and orders them."""

from __future__ import annotations

from enum import IntEnum
from math import ceil
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QMouseEvent


class Column(IntEnum):
    """What a column shows."""

    SEQ = 0
    TIME = 1
    SERVER = 2
    KIND = 3
    METHOD = 4
    TARGET = 5
    STATUS = 6
    LATENCY = 7
    SIZE = 8
    NOTE = 9


class _About(NamedTuple):
    title: str
    least: int
    characters: int
    help: str
    right: bool = False
    mono: bool = False


ABOUT: Final = {
    Column.SEQ: _About("#", 5, 7, "Number of the first message, over all servers", right=True, mono=True),
    Column.TIME: _About("time", 13, 13, "When the first byte was read or written", mono=True),
    Column.SERVER: _About("server", 10, 12, "The server it came from or went to"),
    Column.KIND: _About("⇄", 3, 3, "Direction or kind: → sent, ← received"),
    Column.METHOD: _About("method", 14, 22, "Method, or what happened"),
    Column.TARGET: _About("target", 12, 30, "Tool, prompt, URI or URL"),
    Column.STATUS: _About("status", 13, 13, "How it stands or ended"),
    Column.LATENCY: _About("latency", 8, 10, "Request written to answer read, at transport", right=True, mono=True),
    Column.SIZE: _About("size", 8, 8, "Bytes of request and answer", right=True, mono=True),
    Column.NOTE: _About("note", 11, 26, "Findings, and what was said"),
}
"""Titles and widths, in characters: what a column needs at least, and what it would like to have."""

MOST: Final = {
    Column.METHOD: 24,
    Column.SERVER: 18,
    Column.SEQ: 7,
    Column.TARGET: 48,
    Column.NOTE: 40,
}
"""The columns that are as wide as what stands in them, up to so many characters."""

_PADDING: Final = 0.75
_AROUND: Final = 1
_STEP_BACK: Final = (Column.SIZE, Column.SEQ, Column.TIME, Column.NOTE)


class _Titles(QAbstractTableModel):
    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return len(Column)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        about = ABOUT[Column(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            return about.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return about.help
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if about.right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return None


class TrafficHeader(QHeaderView):
    """Columns can be dragged wider, dragged elsewhere, and hidden by its context menu."""

    arranged = Signal()
    """Widths, order or visibility have changed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setModel(_Titles(self))
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setStretchLastSection(True)
        self.setMinimumSectionSize(24)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._own = self._pressed = False
        self._unwanted: set[Column] = set()
        self._fitting = False
        self._content: dict[Column, int] = {}
        self._unit = self.fontMetrics().horizontalAdvance("0")
        self.fit(1000)
        self.sectionResized.connect(self._resized)
        self.sectionMoved.connect(self.arranged)

    def reset_widths(self) -> None:
        """All columns, in their first order, with widths that fit."""
        self._own = False
        self._unwanted.clear()
        for column in ABOUT:
            self.moveSection(self.visualIndex(column), column)
        self.fit(self.width())
        self.arranged.emit()

    def saw(self, content: dict[Column, int]) -> None:
        """How wide the widest text of each column is that was shown, in pixels; for those of `MOST`."""
        characters = {column: ceil(pixels / self._unit) for column, pixels in content.items()}
        if characters != self._content:
            self._content = characters
            self.fit(self.width())
            self.arranged.emit()

    def fit(self, width: int) -> None:
        """Share a width among the columns, unless a person has set them.

        Each gets its least; then method and server get what their texts need, and what is left goes to the others that
        would like more. Where even the least has no room, size, number, time and note step back, in this order.
        """
        shown = [column for column in ABOUT if column not in self._unwanted]
        if not self._own:
            for column in _STEP_BACK:
                if self._leasts(shown) * self._unit <= width:
                    break
                shown = [one for one in shown if one is not column]
        self._fitting = True
        for column in ABOUT:
            self.setSectionHidden(column, column not in shown)
        if not self._own:
            for column, characters in self._shares(shown, width / self._unit - self._leasts(shown)).items():
                self.resizeSection(column, int(self._unit * (characters + _PADDING)))
        self._fitting = False

    def _shares(self, shown: list[Column], room: float) -> dict[Column, float]:
        """Characters for each column, when there is `room` beyond what all need at least."""
        shares: dict[Column, float] = {column: self._least(column) for column in shown}
        more = {column: self._wanted(column) - self._least(column) for column in shown}
        room = max(0.0, room)
        for column in (Column.METHOD, Column.SERVER):
            if column in self._content and column in shares:
                given = min(room, more.pop(column))
                shares[column] += given
                room -= given
        part = min(1.0, room / max(1, sum(more.values())))
        for column, wish in more.items():
            shares[column] += part * wish
        return shares

    def needed(self) -> int:
        """The width that the columns take, the last of which is content with its least."""
        order = [self.logicalIndex(place) for place in range(self.count())]
        shown = [column for column in order if not self.isSectionHidden(column)]
        sizes = [self.sectionSize(column) for column in shown]
        return sum(sizes[:-1]) + min(sizes[-1], int(self._leasts([Column(shown[-1])]) * self._unit))

    def _wanted(self, column: Column) -> int:
        about = ABOUT[column]
        if column not in MOST or not self._content:
            return about.characters
        return min(MOST[column], max(self._content.get(column, 0), len(about.title)) + _AROUND)

    def _least(self, column: Column) -> int:
        return min(ABOUT[column].least, self._wanted(column))

    def _leasts(self, columns: list[Column]) -> float:
        return sum(self._least(column) + _PADDING for column in columns)

    def save(self) -> dict[str, Any]:
        """Order, and what a person has set: widths and columns that are not wanted. For JSON."""
        return {
            "order": [self.logicalIndex(place) for place in range(self.count())],
            "unwanted": sorted(self._unwanted),
            "widths": [self.sectionSize(column) for column in ABOUT] if self._own else [],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """What `save` gave; what does not fit is left out."""
        order, widths = state.get("order"), state.get("widths")
        if isinstance(order, list) and sorted(order) == list(range(len(Column))):
            for place, column in enumerate(order):
                self.moveSection(self.visualIndex(column), place)
        unwanted = state.get("unwanted")
        if isinstance(unwanted, list):
            self._unwanted = {column for column in Column if column in unwanted and column is not Column.METHOD}
        if isinstance(widths, list) and len(widths) == len(Column) and all(isinstance(one, int) for one in widths):
            self._fitting = True
            for column, width in enumerate(widths):
                self.setSectionHidden(column, False)
                self.resizeSection(column, min(max(width, 24), 4000))
            self._fitting = False
            self._own = True
        self.fit(self.width())
        self.arranged.emit()

    def _resized(self, column: int, before: int, after: int) -> None:
        # The last column takes what is left whenever the table is resized: only a pressed mouse is a person.
        if self._pressed:
            self._own = True
        if not self._fitting:
            self.arranged.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = True
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._pressed = False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column, about in ABOUT.items():
            action = menu.addAction("direction" if column is Column.KIND else about.title)
            action.setCheckable(True)
            action.setChecked(column not in self._unwanted)
            action.setEnabled(column is not Column.METHOD)
            action.toggled.connect(lambda shown, column=column: self._show(column, shown))
        menu.addSeparator()
        menu.addAction("All columns, as at first", self.reset_widths)
        menu.popup(event.globalPos())

    def _show(self, column: Column, shown: bool) -> None:
        (self._unwanted.discard if shown else self._unwanted.add)(column)
        self.fit(self.width())
        self.arranged.emit()
