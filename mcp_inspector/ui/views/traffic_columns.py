"""The columns of the traffic table, and the header that resizes and orders them."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent


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
    characters: int
    help: str
    right: bool = False
    mono: bool = False


ABOUT: Final = {
    Column.SEQ: _About("#", 7, "Number of the first message, over all servers", right=True, mono=True),
    Column.TIME: _About("time", 13, "When the first byte was read or written", mono=True),
    Column.SERVER: _About("server", 12, "The server it came from or went to"),
    Column.KIND: _About("⇄", 4, "Direction or kind: → sent, ← received"),
    Column.METHOD: _About("method", 21, "Method, or what happened"),
    Column.TARGET: _About("target", 25, "Tool, prompt, URI or URL"),
    Column.STATUS: _About("status", 13, "How it stands or ended"),
    Column.LATENCY: _About("latency", 9, "Request written to answer read, at the transport", right=True, mono=True),
    Column.SIZE: _About("size", 9, "Bytes of request and answer", right=True, mono=True),
    Column.NOTE: _About("note", 30, "Findings, and what was said"),
}


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
        self.reset_widths()
        self.sectionResized.connect(self.arranged)
        self.sectionMoved.connect(self.arranged)

    def reset_widths(self) -> None:
        """All columns, in their first order and width."""
        unit = self.fontMetrics().horizontalAdvance("0")
        for column, about in ABOUT.items():
            self.setSectionHidden(column, False)
            self.moveSection(self.visualIndex(column), column)
            self.resizeSection(column, unit * about.characters + 6)
        self.arranged.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column, about in ABOUT.items():
            action = menu.addAction("direction" if column is Column.KIND else about.title)
            action.setCheckable(True)
            action.setChecked(not self.isSectionHidden(column))
            action.setEnabled(column is not Column.METHOD)
            action.toggled.connect(lambda shown, column=column: self._show(column, shown))
        menu.addSeparator()
        menu.addAction("All columns, as at first", self.reset_widths)
        menu.popup(event.globalPos())

    def _show(self, column: Column, shown: bool) -> None:
        self.setSectionHidden(column, not shown)
        self.arranged.emit()
