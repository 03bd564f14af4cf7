"""The table of traffic: a canvas that draws the rows that are seen, whatever their number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.traffic_cells import Cells
from mcp_inspector.ui.models.traffic_outline import seq_of
from mcp_inspector.ui.views import traffic_keys
from mcp_inspector.ui.views.traffic_columns import Column
from mcp_inspector.ui.views.traffic_header import TrafficHeader
from mcp_inspector.ui.views.traffic_paint import RowPainter
from mcp_inspector.ui.views.traffic_tips import spoken, tip
from mcp_inspector.ui.widgets.labels import EmptyState

if TYPE_CHECKING:
    from mcp_inspector.ui.models.traffic import TrafficModel
    from mcp_inspector.ui.models.traffic_row import RowText

_RUNNING_MS: Final = 100
_INT_MAX: Final = 2**31 - 1


class TrafficTable(QAbstractScrollArea):
    """Rows of a `TrafficModel`. One row is current; several can be selected. At its end it follows what comes.

    Below an opened row are its messages: what is current, selected or hovered is a key (`traffic_outline`).
    """

    chosen = Signal(int)
    """The current row (not its place) has changed; -1 for none."""
    frame_chosen = Signal(int)
    """A single message of the current row is current, by its record's number; 0 when it is the row itself."""
    activated = Signal(int)
    """Return or a double click on a row."""
    part_wanted = Signal(str)
    """``request`` or ``response``: the keys [ and ]."""
    menu_wanted = Signal(int, int, QPoint)
    """Context menu: row, column, global position."""
    copy_wanted = Signal(str)
    """``json`` or ``markdown`` of the selection."""
    done_wanted = Signal(str)
    """A key that does something with the selection: its name in `traffic_keys.DEEDS`."""
    filter_wanted = Signal()
    follow_changed = Signal(bool)

    def __init__(self, model: TrafficModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Traffic")
        self.viewport().setMouseTracking(True)
        self.model = model
        self._painter = RowPainter()
        self.cells = Cells(model)
        self._current = self._anchor = -1
        self._selected: set[int] = set()
        self._hovered = -1
        self._follow = True
        self._silent = False
        self.header = TrafficHeader(self)
        self.header.arranged.connect(self._arranged)
        self.empty = EmptyState("activity", "No traffic yet", parent=self.viewport())
        self._longest: dict[int, int] = {}
        self._widen = Pull(lambda: self.header.saw(self._longest), self)
        self._running = QTimer(self)
        self._running.setInterval(_RUNNING_MS)
        self._running.timeout.connect(self._tick)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.horizontalScrollBar().valueChanged.connect(self.header.setOffset)
        model.inserted.connect(self._inserted)
        model.rearranged.connect(self._rearranged)
        model.updated.connect(self._updated)
        self._fit()

    # --- state ---

    @property
    def current(self) -> int:
        """The current row, -1 for none; of a single message the row that it belongs to."""
        return self.model.row_of_key(self._current)

    @property
    def key(self) -> int:
        """What is current: a row or a single message; -1 for nothing."""
        return self._current

    @property
    def selected(self) -> list[int]:
        """The selected rows, ascending; the current one when no more are."""
        keys = self._selected or ({self._current} - {-1})
        return sorted({self.model.row_of_key(key) for key in keys})

    @property
    def selected_seqs(self) -> list[int]:
        """The first messages of the selected rows, and the selected single ones, ascending."""
        keys = self._selected or ({self._current} - {-1})
        return sorted(seq_of(key) or self.model.exchanges.first[key] for key in keys)

    @property
    def follow(self) -> bool:
        """Whether new rows are scrolled into view."""
        return self._follow

    def set_follow(self, on: bool) -> None:
        """Stay at the end, or stay where it is."""
        if on:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        if on != self._follow:
            self._follow = on
            self.follow_changed.emit(on)

    def select(self, row: int, *, extend: bool = False, toggle: bool = False) -> None:
        """Make a row current and bring it into view; -1 selects nothing."""
        place = self.model.place(row) if row != -1 else -1
        if toggle:
            self._selected = self._selected or ({self._current} - {-1})
            self._selected ^= {row}
            self._anchor = row
        elif extend and self._anchor != -1 and place >= 0:
            first, last = sorted((self.place_or_near(self._anchor), place))
            self._selected = {self.model.key(one) for one in range(first, last + 1)}
        else:
            self._anchor = row
            self._selected = set()
        if place >= 0:
            self._reveal(place)
        if row != self._current:
            before, self._current = self.current, row
            if self.current != before:
                self.chosen.emit(self.current)
            self.frame_chosen.emit(seq_of(row))
            self.setAccessibleDescription(spoken(self.text(self.model.key(place))) if place >= 0 else "")
        self.viewport().update()

    def place_or_near(self, key: int) -> int:
        """Where a key is shown, or what comes after its row."""
        place = self.model.place(key)
        return place if place >= 0 else self.model.place_near(self.model.row_of_key(key))

    def rows_seen(self) -> int:
        """How many whole rows fit."""
        return max(1, self.viewport().height() // self._painter.height)

    def column_at(self, x: int) -> int:
        """Which column is there; the last one beyond the end."""
        logical = self.header.logicalIndexAt(x)
        return logical if logical >= 0 else int(Column.NOTE)

    # --- geometry ---

    def _fit(self) -> None:
        height = self.header.sizeHint().height()
        self.setViewportMargins(0, height, 0, 0)
        frame = self.viewport().geometry()
        self.header.setGeometry(frame.x(), frame.y() - height, frame.width(), height)
        self.header.fit(frame.width())
        bar = self.verticalScrollBar()
        bar.setPageStep(self.rows_seen())
        self._silent = True
        bar.setRange(0, min(max(0, len(self.model) - self.rows_seen()), _INT_MAX))
        if self._follow:
            bar.setValue(bar.maximum())
        self._silent = False
        across = self.horizontalScrollBar()
        across.setRange(0, max(0, self.header.needed() - self.viewport().width()))
        across.setPageStep(self.viewport().width())
        self.empty.setGeometry(self.viewport().rect())
        self.empty.setVisible(not len(self.model))

    def _reveal(self, place: int) -> None:
        bar, seen = self.verticalScrollBar(), self.rows_seen()
        if place < bar.value():
            bar.setValue(place)
        elif place >= bar.value() + seen:
            bar.setValue(place - seen + 1)

    def _place_at(self, y: int) -> int:
        place = self.verticalScrollBar().value() + y // self._painter.height
        return place if y >= 0 and place < len(self.model) else -1

    def _area_of(self, place: int) -> QRect:
        y = (place - self.verticalScrollBar().value()) * self._painter.height
        return QRect(0, y, self.viewport().width(), self._painter.height)

    # --- what the model tells ---

    def _inserted(self, first: int, last: int) -> None:
        self._fit()
        top = self.verticalScrollBar().value()
        if first <= top + self.rows_seen() or self._follow:
            self.viewport().update()
        self._watch()

    def _rearranged(self) -> None:
        self.cells.forget()
        bar = self.verticalScrollBar()
        if self._current < -1 and self.model.place(self._current) < 0:
            self.select(self.current)  # its operation was closed, or is shown no more
        anchored = self._current if self.model.place(self._current) >= 0 else -1
        self._selected = {key for key in self._selected if self.model.place(key) >= 0}
        self._fit()
        if anchored != -1 and not self._follow:
            place = self.model.place(anchored)
            if not bar.value() <= place < bar.value() + self.rows_seen():
                bar.setValue(max(0, place - self.rows_seen() // 3))
        self.viewport().update()
        self._watch()

    def _updated(self) -> None:
        self.cells.forget()
        self.viewport().update()
        self._watch()

    def _watch(self) -> None:
        """Repaint running times only while something runs."""
        if self.model.pending and self.isVisible():
            if not self._running.isActive():
                self._running.start()
        else:
            self._running.stop()

    def _tick(self) -> None:
        if not self.model.pending or not self.isVisible():
            self._running.stop()
        x = self.header.sectionViewportPosition(Column.LATENCY)
        self.viewport().update(x, 0, self.header.sectionSize(Column.LATENCY), self.viewport().height())

    def _arranged(self) -> None:
        self.cells.set_paths(self.header.paths)
        self._fit()
        self.viewport().update()

    def _scrolled(self, value: int) -> None:
        self.viewport().update()
        if not self._silent:
            at_end = value >= self.verticalScrollBar().maximum()
            if at_end != self._follow:
                self._follow = at_end
                self.follow_changed.emit(at_end)

    # --- painting ---

    def text(self, key: int) -> RowText:
        """The cells of a row, or of a single message."""
        return self.cells.text(key)[0]

    def _measure(self, text: RowText) -> None:
        """Keep how wide texts are; the columns follow a moment later, and never become narrower for it."""
        for column, pixels in self._painter.widths(text).items():
            if pixels > self._longest.get(column, 0):
                self._longest[column] = pixels
                self._widen.soon()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        dirty = event.rect()
        painter.fillRect(dirty, theme.colour("base"))
        height, top = self._painter.height, self.verticalScrollBar().value()
        selection, hover = theme.colour("selection"), theme.colour("hover")
        alternate = theme.colour("alternate")
        first = max(0, dirty.top() // height)
        last = min(dirty.bottom() // height + 1, len(self.model) - top)
        texts: list[tuple[int, RowText]] = []
        times = not (self.header.isSectionHidden(Column.DELTA) and self.header.isSectionHidden(Column.SINCE))
        for number in range(first, last):
            row, y = self.model.key(top + number), number * height
            made, new = self.cells.text(row)
            if new:
                self._measure(made)
            text = self.cells.at(top + number, row, times=times)
            if row == self._current or row in self._selected:
                painter.fillRect(dirty.left(), y, dirty.width(), height, selection)
            elif row == self._hovered:
                painter.fillRect(dirty.left(), y, dirty.width(), height, hover)
            elif (top + number) & 1:
                painter.fillRect(dirty.left(), y, dirty.width(), height, alternate)
            self._painter.mark(painter, text.mark, y, dirty, chosen=row == self._current or row in self._selected)
            texts.append((y, text))
        # A note may lie over several columns: then all of them are drawn, and cut to what is to be painted anew.
        painter.setClipRect(dirty)
        self._painter.rows(painter, texts, self.header.spots())
        if self.hasFocus() and self._current != -1:
            place = self.model.place(self._current)
            if top + first <= place < top + last:
                painter.fillRect(0, (place - top) * height, 2, height, theme.colour("accent"))

    # --- events ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        self._fit()
        self._watch()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._painter = RowPainter()
            self.cells.forget()
            self._fit()
        super().changeEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = event.position().toPoint()
        place = self._place_at(spot.y())
        row = self.model.key(place) if place >= 0 else -1
        if event.button() == Qt.MouseButton.RightButton and row in self._selected:
            return
        if event.button() == Qt.MouseButton.LeftButton and self._on_chevron(spot, place):
            self.model.set_open(row, not self.model.outline.is_open(row))
            return
        modifiers = event.modifiers()
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            self.select(
                row,
                extend=bool(modifiers & Qt.KeyboardModifier.ShiftModifier),
                toggle=bool(modifiers & Qt.KeyboardModifier.ControlModifier) and row >= 0,
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().toPoint().y())
        on_chevron = self._on_chevron(event.position().toPoint(), place)
        if place >= 0 and event.button() == Qt.MouseButton.LeftButton and not on_chevron:
            self.activated.emit(self.model.row(place))

    def _on_chevron(self, spot: QPoint, place: int) -> bool:
        if place < 0 or not self.model.can_open(self.model.key(place)):
            return False
        return self.header.on_chevron(spot.x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            place = self._place_at(event.position().toPoint().y())
            if place >= 0 and self._anchor != -1:
                self.select(self.model.key(place), extend=True)
            return
        self._hover(self._place_at(event.position().toPoint().y()))

    def _hover(self, place: int) -> None:
        row = self.model.key(place) if place >= 0 else -1
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._tip(event.pos()), self.viewport())
            return True
        return super().viewportEvent(event)

    def _tip(self, spot: QPoint) -> str:
        place = self._place_at(spot.y())
        if place < 0:
            return ""
        key, column = self.model.key(place), self.column_at(spot.x())
        width = self.header.sectionSize(column)
        return tip(self.model, key, self.text(key), column, lambda text: self._painter.is_cut(text, column, width))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        spot = self.viewport().mapFromGlobal(event.globalPos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self._current != -1:
            spot = self._area_of(self.model.place(self._current)).center()
        place = self._place_at(spot.y())
        if place >= 0:
            self.menu_wanted.emit(self.model.row(place), self.column_at(spot.x()), self.viewport().mapToGlobal(spot))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not traffic_keys.pressed(self, event):
            super().keyPressEvent(event)
