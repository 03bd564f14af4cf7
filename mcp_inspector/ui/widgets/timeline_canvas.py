"""The lanes of a session drawn over time: only what is seen, gathered by columns of pixels where there is much.

Wheel zooms at the mouse, with Shift it moves; dragging marks a time, dragging with the middle button moves. Keys:
arrows move, + and - zoom, 0 shows all, [ and ] step from row to row, Return opens the chosen one, Esc lets go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.time_window import TimeWindow, words
from mcp_inspector.ui.widgets.timeline_paint import HEAD, LANE, LanePainter
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent

    from mcp_inspector.store.timeline import Lane, Span, Timeline

_DRAGGED: Final = 4
_NEAR_PX: Final = 5
_ZOOM: Final = 1.25
_MOST_LABEL: Final = 190


class TimelineCanvas(QAbstractScrollArea):
    """Shows `timeline` in `view`. `marked` is the time that was dragged over, None without."""

    chosen = Signal(int)
    """The row that was clicked or stepped to; -1 for none."""
    opened = Signal(int)
    marked_changed = Signal()
    viewed = Signal()
    """Another part of the session is shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.timeline: Timeline | None = None
        self.view = TimeWindow()
        self.marked: tuple[int, int] | None = None
        self.current = -1
        self._drag: tuple[QPoint, Qt.MouseButton, TimeWindow] | None = None
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(LANE)

    # --- what is shown ---

    def set_timeline(self, timeline: Timeline | None) -> None:
        """Show another session."""
        self.timeline, self.marked, self.current = timeline, None, -1
        self.view = TimeWindow().grown(timeline.length if timeline is not None else 0).all()
        self.refresh()
        self.viewed.emit()

    def refresh(self) -> None:
        """More has come."""
        if self.timeline is not None:
            self.view = self.view.grown(self.timeline.length)
        self._fit()
        self.viewport().update()

    def show_window(self, view: TimeWindow) -> None:
        """Show another part."""
        if view != self.view:
            self.view = view
            self.viewport().update()
            self.viewed.emit()

    def mark(self, marked: tuple[int, int] | None) -> None:
        """Mark a time, or let go of it."""
        if marked != self.marked:
            self.marked = marked
            self.viewport().update()
            self.marked_changed.emit()

    def choose(self, row: int) -> None:
        """Make a row the chosen one; it is not told."""
        self.current = row
        self.viewport().update()

    @property
    def lanes(self) -> list[Lane]:
        """The lanes, from the top."""
        return self.timeline.lanes if self.timeline is not None else []

    @property
    def label_width(self) -> int:
        """How wide the names at the left are."""
        return min(_MOST_LABEL, max(90, self.viewport().width() // 5))

    @property
    def drawn_width(self) -> int:
        """Pixels for the time."""
        return max(self.viewport().width() - self.label_width, 1)

    def sizeHint(self) -> QSize:
        """Some lanes."""
        return QSize(600, HEAD + 4 * LANE)

    # --- drawing ---

    def paintEvent(self, _: QPaintEvent) -> None:
        """The axis, then each lane that is in sight."""
        painter = QPainter(self.viewport())
        area = self.viewport().rect()
        painter.fillRect(area, theme.colour("base"))
        if self.timeline is None:
            return
        body = QRect(self.label_width, 0, self.drawn_width, area.height())
        brush = LanePainter(painter, self.timeline, self.view, body, self.current)
        scroll = self.verticalScrollBar().value()
        painter.setClipRect(QRect(0, HEAD, area.width(), area.height() - HEAD))
        for index, lane in enumerate(self.lanes):
            top = HEAD + index * LANE - scroll
            if top + LANE > HEAD and top < area.height():
                brush.lane(lane, top, first=index == 0 or self.lanes[index - 1].server != lane.server)
        painter.setClipping(False)
        brush.axis(area.height())
        if self.marked is not None:
            brush.mark(*self.marked, area.height())

    # --- mouse ---

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the mouse; with Shift or sideways, move; over the names, scroll."""
        turn = event.angleDelta()
        x = event.position().x() - self.label_width
        if x < 0:
            super().wheelEvent(event)
        elif turn.x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.show_window(self.view.moved(-(turn.x() or turn.y()) * self.view.width // 1_200))
        elif turn.y():
            self.zoom(_ZOOM ** (-turn.y() / 120), self.view.at(x, self.drawn_width))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to mark, or to move."""
        if event.position().x() >= self.label_width:
            self._drag = (event.position().toPoint(), event.button(), self.view)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Mark or move on."""
        if self._drag is None:
            return
        begin, button, view = self._drag
        by = event.position().toPoint().x() - begin.x()
        if button == Qt.MouseButton.MiddleButton:
            self.show_window(view.moved(-by * view.width // self.drawn_width))
        elif button == Qt.MouseButton.LeftButton and abs(by) >= _DRAGGED:
            left, right = sorted((begin.x(), event.position().toPoint().x()))
            places = (max(x - self.label_width, 0) for x in (left, right))
            start, end = (min(self.view.at(x, self.drawn_width), self.view.end) for x in places)
            self.marked = (start, max(end, start + 1))
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A drag has marked a time; a click chooses what is there, or lets go of the time."""
        drag, self._drag = self._drag, None
        if drag is None or drag[1] != Qt.MouseButton.LeftButton:
            return
        if abs(event.position().toPoint().x() - drag[0].x()) >= _DRAGGED:
            self.marked_changed.emit()
            return
        span = self._span_at(event.position().toPoint())
        if span is None:
            self.mark(None)
        self._choose(span)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what is there."""
        span = self._span_at(event.position().toPoint())
        if span is not None:
            self.opened.emit(span.row)

    def viewportEvent(self, event: QEvent) -> bool:
        """What is under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip(self._tip(event.pos())), self.viewport())
            return True
        return super().viewportEvent(event)

    def _lane_at(self, y: int) -> Lane | None:
        index = (y - HEAD + self.verticalScrollBar().value()) // LANE
        return self.lanes[index] if y >= HEAD and 0 <= index < len(self.lanes) else None

    def _span_at(self, place: QPoint) -> Span | None:
        lane, x = self._lane_at(place.y()), place.x() - self.label_width
        if lane is None or x < 0 or self.timeline is None:
            return None
        near = max(self.view.width * _NEAR_PX // self.drawn_width, 1)
        at = self.view.at(x, self.drawn_width)
        if lane.count(at - near, at + near) > 5_000:
            return None
        return lane.nearest(at, near, self.timeline.length)

    def _tip(self, place: QPoint) -> str:
        lane = self._lane_at(place.y())
        if lane is None or self.timeline is None:
            return ""
        if place.x() < self.label_width:
            return f"{plain.line(lane.server)}: {lane.kind.word}, {len(lane):,}"
        span = self._span_at(place)
        if span is None:
            return ""
        row = self.timeline.exchanges[span.row]
        took = "" if row.elapsed_ns is None else f", {plain.elapsed(row.elapsed_ns)}"
        what = " ".join(filter(None, (row.method or row.kind.name.lower(), row.target)))
        at = words(span.start, max(self.view.width // 1_000, 1))
        note = f"\n{plain.line(row.note)}" if row.note else ""
        return f"#{row.first} {plain.line(what)}\n{row.state.word}{took}, {at} after the start{note}"

    # --- keys ---

    def zoom(self, factor: float, at: int | None = None) -> None:
        """More or less of the session, around a moment or the middle."""
        self.show_window(self.view.zoomed(factor, at if at is not None else (self.view.start + self.view.end) // 2))

    def show_marked(self) -> None:
        """Zoom to the time that is marked, or show all."""
        self.show_window(self.view.between(*self.marked) if self.marked is not None else self.view.all())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the head of this file."""
        key, tenth = event.key(), self.view.width // 10
        moves: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Left: lambda: self.show_window(self.view.moved(-tenth)),
            Qt.Key.Key_Right: lambda: self.show_window(self.view.moved(tenth)),
            Qt.Key.Key_Home: lambda: self.show_window(self.view.moved(-self.view.length)),
            Qt.Key.Key_End: lambda: self.show_window(self.view.moved(self.view.length)),
            Qt.Key.Key_Plus: lambda: self.zoom(1 / _ZOOM),
            Qt.Key.Key_Equal: lambda: self.zoom(1 / _ZOOM),
            Qt.Key.Key_Minus: lambda: self.zoom(_ZOOM),
            Qt.Key.Key_0: lambda: self.show_window(self.view.all()),
            Qt.Key.Key_Z: self.show_marked,
            Qt.Key.Key_BracketLeft: lambda: self.step(-1),
            Qt.Key.Key_BracketRight: lambda: self.step(1),
            Qt.Key.Key_Return: lambda: self.opened.emit(self.current) if self.current >= 0 else None,
            Qt.Key.Key_Escape: lambda: self.mark(None),
        }
        if key in moves and not event.matches(QKeySequence.StandardKey.Copy):
            moves[key]()
        else:
            super().keyPressEvent(event)

    def step(self, by: int) -> None:
        """Choose the next row of all lanes, or the one before, and bring it into sight."""
        if self.timeline is None or not self.timeline.taken:
            return
        last = self.timeline.taken - 1
        row = min(max(self.current + by, 0), last) if self.current >= 0 else (0 if by > 0 else last)
        exchanges = self.timeline.exchanges
        at = exchanges.log.columns.mono_ns[exchanges.first[row] - 1] - self.timeline.origin
        if not self.view.start <= at <= self.view.end:
            self.show_window(self.view.moved(at - (self.view.start + self.view.end) // 2))
        self.current = row
        self.viewport().update()
        self.chosen.emit(row)

    def _choose(self, span: Span | None) -> None:
        self.current = span.row if span is not None else -1
        self.viewport().update()
        self.chosen.emit(self.current)

    def _fit(self) -> None:
        room = self.viewport().height() - HEAD
        self.verticalScrollBar().setRange(0, max(len(self.lanes) * LANE - room, 0))
        self.verticalScrollBar().setPageStep(max(room, LANE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size."""
        super().resizeEvent(event)
        self._fit()
