"""The header of the traffic table: resizes, orders, hides and adds columns."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from mcp_inspector.ui import plain
from mcp_inspector.ui.views.traffic_columns import (
    ABOUT,
    AROUND,
    AT_FIRST_HIDDEN,
    CHEVRON,
    MOST,
    MOST_PATHS,
    PADDING,
    STEP_BACK,
    Column,
    Spot,
    about,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QMouseEvent


class _Titles(QAbstractTableModel):
    paths: tuple[str, ...] = ()

    def set_paths(self, paths: tuple[str, ...]) -> None:
        self.beginResetModel()
        self.paths = paths
        self.endResetModel()

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return len(Column) + len(self.paths)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        path = self.paths[section - len(Column)] if section >= len(Column) else ""
        if role == Qt.ItemDataRole.DisplayRole:
            return plain.line(path.rpartition(".")[2] or path, 40) if path else about(section).title
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"The value at {plain.line(path, 200)}" if path else about(section).help
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if about(section).right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return None


class TrafficHeader(QHeaderView):
    """Columns can be dragged wider, dragged elsewhere, and hidden by its context menu.

    Sections from the number of `Column` on are the person's own: values of the messages, by their `paths`.
    """

    arranged = Signal()
    """Widths, order or visibility have changed."""
    path_wanted = Signal()
    """The person wants a column for a path."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._titles = _Titles(self)
        self.setModel(self._titles)
        self.setSectionsMovable(True)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setStretchLastSection(True)
        self.setMinimumSectionSize(24)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._own = self._pressed = False
        self._unwanted: set[int] = set(AT_FIRST_HIDDEN)
        self._fitting = False
        self._content: dict[int, int] = {}
        self._unit = self.fontMetrics().horizontalAdvance("0")
        self.fit(1000)
        self.sectionResized.connect(self._resized)
        self.sectionMoved.connect(self.arranged)

    def reset_widths(self) -> None:
        """All columns, in their first order, with widths that fit."""
        self._own = False
        self._unwanted = set(AT_FIRST_HIDDEN)
        self._titles.set_paths(())
        for fixed in ABOUT:
            self.moveSection(self.visualIndex(fixed), fixed)
        self.fit(self.width())
        self.arranged.emit()

    def saw(self, content: dict[int, int]) -> None:
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
        shown = [column for column in self._all() if column not in self._unwanted]
        if not self._own:
            for less in STEP_BACK:
                if self._leasts(shown) * self._unit <= width:
                    break
                shown = [one for one in shown if one != less]
        self._fitting = True
        for column in self._all():
            self.setSectionHidden(column, column not in shown)
        if not self._own:
            for column, characters in self._shares(shown, width / self._unit - self._leasts(shown)).items():
                self.resizeSection(column, int(self._unit * (characters + PADDING)))
        self._fitting = False

    def _shares(self, shown: list[int], room: float) -> dict[int, float]:
        """Characters for each column, when there is `room` beyond what all need at least."""
        shares: dict[int, float] = {column: self._least(column) for column in shown}
        more = {column: self._wanted(column) - self._least(column) for column in shown}
        room = max(0.0, room)
        for first in (Column.METHOD, Column.SERVER):
            if first in self._content and first in shares:
                given = min(room, more.pop(first))
                shares[first] += given
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
        return sum(sizes[:-1]) + min(sizes[-1], int(self._leasts([shown[-1]]) * self._unit))

    @property
    def paths(self) -> tuple[str, ...]:
        """The person's own columns."""
        return self._titles.paths

    def set_paths(self, paths: tuple[str, ...]) -> None:
        """Have these own columns."""
        if paths == self.paths or len(paths) > MOST_PATHS:
            return
        state = self.save()
        self._titles.set_paths(paths)
        self.restore(state | {"paths": list(paths)})

    def _all(self) -> range:
        return range(self.count())

    def _wanted(self, column: int) -> int:
        fixed = about(column)
        if column not in MOST or not self._content:
            return fixed.characters
        return min(MOST[Column(column)], max(self._content.get(column, 0), len(fixed.title)) + AROUND)

    def _least(self, column: int) -> int:
        return min(about(column).least, self._wanted(column))

    def _leasts(self, columns: list[int]) -> float:
        return sum(self._least(column) + PADDING for column in columns)

    def save(self) -> dict[str, Any]:
        """Order, and what a person has set: widths and columns that are not wanted. For JSON."""
        return {
            "order": [self.logicalIndex(place) for place in range(self.count())],
            "unwanted": sorted(self._unwanted),
            "widths": [self.sectionSize(column) for column in self._all()] if self._own else [],
            "paths": list(self.paths),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """What `save` gave; what does not fit is left out."""
        order, widths, paths = state.get("order"), state.get("widths"), state.get("paths")
        if isinstance(paths, list) and all(isinstance(path, str) for path in paths):
            self._titles.set_paths(tuple(paths[:MOST_PATHS]))
        known = list(self._all())
        if isinstance(order, list) and all(isinstance(one, int) for one in order):
            kept = [one for one in dict.fromkeys(order) if one in known]
            for place, column in enumerate([*kept, *(one for one in known if one not in kept)]):
                self.moveSection(self.visualIndex(column), place)
        unwanted = state.get("unwanted")
        if isinstance(unwanted, list):
            self._unwanted = {column for column in known if column in unwanted and column != Column.METHOD}
            # A memory of before there were these columns does not want them.
            self._unwanted |= {one for one in AT_FIRST_HIDDEN if isinstance(order, list) and one not in order}
        if isinstance(widths, list) and widths and all(isinstance(one, int) for one in widths):
            self._fitting = True
            for column in known:
                width = widths[column] if column < len(widths) else int(about(column).characters * self._unit)
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
        for column, fixed in ABOUT.items():
            action = menu.addAction("direction" if column is Column.KIND else fixed.title)
            action.setCheckable(True)
            action.setChecked(column not in self._unwanted)
            action.setEnabled(column is not Column.METHOD)
            action.toggled.connect(lambda shown, column=column: self._show(column, shown))
        menu.addSeparator()
        for path in self.paths:
            action = menu.addAction(plain.escape_mnemonic(plain.line(path, 60)))
            action.setCheckable(True)
            action.setChecked(True)
            rest = tuple(one for one in self.paths if one != path)
            action.toggled.connect(lambda _shown, rest=rest: self.set_paths(rest))
        menu.addAction("Column for a JSON path…", self.path_wanted.emit).setEnabled(len(self.paths) < MOST_PATHS)
        menu.addSeparator()
        menu.addAction("All columns, as at first", self.reset_widths)
        menu.popup(event.globalPos())

    def spots(self) -> list[Spot]:
        """Where the columns are that are shown, from left to right."""
        order = [self.logicalIndex(visual) for visual in range(self.count())]
        return [
            Spot(one, self.sectionViewportPosition(one), self.sectionSize(one))
            for one in order
            if not self.isSectionHidden(one)
        ]

    def on_chevron(self, x: int) -> bool:
        """Whether what opens a row is there."""
        start = self.sectionViewportPosition(Column.KIND)
        return not self.isSectionHidden(Column.KIND) and start <= x < start + CHEVRON

    def show_column(self, column: int) -> None:
        """Have a column that may be hidden."""
        if column in self._unwanted:
            self._show(column, True)

    def _show(self, column: int, shown: bool) -> None:
        (self._unwanted.discard if shown else self._unwanted.add)(column)
        self.fit(self.width())
        self.arranged.emit()
