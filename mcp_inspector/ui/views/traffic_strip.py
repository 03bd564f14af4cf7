"""The thin strip above the rows of Traffic: how much happened when, and where something failed.

Drag over it to see only that time; click to go to a moment.
"""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from mcp_inspector.store.timeline import density
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.time_window import TimeWindow, exact, words

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from mcp_inspector.ui.models.traffic import TrafficModel

_HEIGHT: Final = 14
_STEP: Final = 2
_DRAGGED: Final = 4


class TrafficStrip(QWidget):
    """Always the whole session. `term_wanted` gives a term for the filter line, `row_wanted` a row to go to."""

    term_wanted = Signal(str)
    row_wanted = Signal(int)

    def __init__(self, model: TrafficModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._pressed: QPoint | None = None
        self._to = 0
        self._key: tuple[int, int] = (-1, -1)
        self._bars: list[tuple[int, bool]] = []
        self.setFixedHeight(_HEIGHT)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName("Traffic over time")
        model.counted.connect(self.update)

    def sizeHint(self) -> QSize:
        """A thin strip."""
        return QSize(200, _HEIGHT)

    @property
    def window_of_time(self) -> TimeWindow:
        """All of the session."""
        times = self._model.log.columns.mono_ns
        return TimeWindow().grown(times[-1] - times[0] if len(times) else 0)

    def bars(self) -> list[tuple[int, bool]]:
        """For each column of two pixels: how many records, and whether something failed."""
        key = (self._model.exchanges.seen, self.width())
        if key != self._key:
            self._key = key
            self._bars = [*density(self._model.exchanges, self.window_of_time.edges(self.width(), _STEP))]
        return self._bars

    def paintEvent(self, _: QPaintEvent) -> None:
        """Bars on a logarithmic scale, what failed in its colour and to the full height."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("base"))
        bars = self.bars()
        most = max((count for count, _ in bars), default=0)
        ink, bad = theme.mixed("accent", "base", 0.55), theme.colour("error")
        room = _HEIGHT - 4
        for place, (count, failed) in enumerate(bars):
            if count:
                high = max(2, round(room * log1p(count) / log1p(most)))
                painter.fillRect(place * _STEP, _HEIGHT - 2 - high, _STEP, high, ink)
                if failed:
                    painter.fillRect(place * _STEP, 1, _STEP, 3, bad)
        painter.fillRect(0, _HEIGHT - 1, self.width(), 1, theme.colour("line"))
        area = self._dragged()
        if area is not None:
            tint = QColor(theme.colour("accent"))
            tint.setAlpha(70)
            painter.fillRect(area, tint)

    def _dragged(self) -> QRect | None:
        if self._pressed is None or abs(self._to - self._pressed.x()) < _DRAGGED:
            return None
        left, right = sorted((self._pressed.x(), self._to))
        return QRect(max(left, 0), 0, min(right, self.width()) - max(left, 0), _HEIGHT - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
            self._to = self._pressed.x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag on."""
        if self._pressed is not None:
            self._to = event.position().toPoint().x()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was dragged over becomes a term of the filter; a click goes there."""
        if self._pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        area, self._pressed = self._dragged(), None
        shown = self.window_of_time
        if area is not None:
            start, end = (shown.at(x, self.width()) for x in (area.left(), area.left() + area.width()))
            self.term_wanted.emit(f"at:{exact(start)}..{exact(end)}")
        elif len(self._model.exchanges):
            self.row_wanted.emit(self._row_at(shown.at(event.position().x(), self.width())))
        self.update()

    def _row_at(self, at: int) -> int:
        from bisect import bisect_left

        exchanges, times = self._model.exchanges, self._model.log.columns.mono_ns
        place = bisect_left(times, times[0] + at, 0, exchanges.seen)
        return exchanges.row_of[min(place, exchanges.seen - 1)]

    def event(self, event: QEvent) -> bool:
        """What happened at a moment."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bars, shown, column = self.bars(), self.window_of_time, event.pos().x() // _STEP
            if 0 <= column < len(bars):
                count, failed = bars[column]
                width = shown.width // max(len(bars), 1)
                at = words(shown.at(event.pos().x(), self.width()), width)
                bad = ", something failed" if failed else ""
                tip = f"{at} after the start: {plain.count(count, 'record')}{bad}. Drag to show only a time."
                QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)
