"""Draws the axis and the lanes of the timeline."""

from __future__ import annotations

from heapq import heappop, heappush
from math import log1p
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from mcp_inspector.store.timeline import LaneKind
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.time_window import TimeWindow, words

if TYPE_CHECKING:
    from mcp_inspector.store.timeline import Lane, Span, Timeline

HEAD: Final = 22
LANE: Final = 40
_PAD: Final = 4
_STEP: Final = 2
_ALONE: Final = 250
"""So many rows in sight are drawn one by one; more are gathered."""
_LEVELS: Final = 4
_TEXT_PX: Final = 46
_INKS: Final = {
    LaneKind.CALLS: "accent",
    LaneKind.QUESTIONS: "key",
    LaneKind.NOTIFICATIONS: "ok",
    LaneKind.HTTP: "number",
    LaneKind.PROCESS: "muted",
}


class LanePainter:
    """One painting of the canvas. `body` is the part right of the names."""

    def __init__(self, painter: QPainter, timeline: Timeline, view: TimeWindow, body: QRect, current: int) -> None:
        self._painter, self._timeline, self._view, self._body = painter, timeline, view, body
        self._current = current
        self._small = theme.font("small")
        self._metrics = QFontMetrics(self._small)

    def axis(self, height: int) -> None:
        """Round moments at the top, with lines through all lanes."""
        painter, body = self._painter, self._body
        painter.fillRect(0, 0, body.right() + 1, HEAD, theme.colour("window"))
        painter.fillRect(0, HEAD - 1, body.right() + 1, 1, theme.colour("line"))
        painter.fillRect(body.left() - 1, 0, 1, height, theme.colour("line"))
        painter.setFont(self._small)
        marks = self._view.marks(max(body.width() // 110, 2))
        step = marks[1] - marks[0] if len(marks) > 1 else self._view.width
        for at in marks:
            x = body.left() + round(self._view.x(at, body.width()))
            painter.fillRect(x, HEAD - 5, 1, 5, theme.colour("edge"))
            text = words(at, step)
            wide = self._metrics.horizontalAdvance(text)
            if x + 4 + wide <= body.right():
                painter.setPen(theme.colour("muted"))
                painter.drawText(QRect(x + 4, 0, wide + 2, HEAD), Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(theme.colour("muted"))
        name = f"{words(self._view.width, max(self._view.width // 100, 1))} shown"
        area = QRect(8, 0, body.left() - 14, HEAD)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self._cut(name, area.width()))

    def mark(self, start: int, end: int, height: int) -> None:
        """The time that was dragged over, with its length."""
        painter, body = self._painter, self._body
        left, right = (body.left() + self._view.x(at, body.width()) for at in (start, end))
        left, right = max(left, body.left()), min(right, body.right() + 1)
        if right < body.left() or left > body.right():
            return
        tint = QColor(theme.colour("accent"))
        tint.setAlpha(40)
        painter.fillRect(QRectF(left, HEAD, max(right - left, 1), height - HEAD), tint)
        painter.setPen(QPen(theme.colour("accent"), 1))
        for x in (left, right - 1):
            painter.drawLine(round(x), HEAD, round(x), height)
        text = words(end - start, max((end - start) // 1_000, 1))
        wide = self._metrics.horizontalAdvance(text) + 10
        box = QRect(round(min(max((left + right - wide) / 2, body.left()), body.right() - wide)), 2, wide, HEAD - 5)
        painter.fillRect(box, theme.colour("accent"))
        painter.setPen(theme.colour("on_accent"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def lane(self, lane: Lane, top: int, *, first: bool) -> None:
        """One lane with its name."""
        painter, body, view = self._painter, self._body, self._view
        painter.fillRect(0, top + LANE - 1, body.right() + 1, 1, theme.colour("line"))
        self._name(lane, top, first)
        painter.save()
        painter.setClipRect(QRect(body.left(), max(top, HEAD), body.width(), LANE - 1 - max(HEAD - top, 0)))
        if lane.count(view.start, view.end) > _ALONE:
            self._gathered(lane, top)
        else:
            self._alone(lane, top)
        painter.restore()

    def _name(self, lane: Lane, top: int, first: bool) -> None:
        painter = self._painter
        area = QRect(8, top + 3, self._body.left() - 14, (LANE - 6) // 2)
        painter.setFont(self._small)
        if first:
            painter.setPen(theme.colour("text"))
            name = self._cut(plain.line(lane.server or "MCP Inspector", 80), area.width())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(theme.colour("muted"))
        second = area.translated(0, area.height()) if first else QRect(8, top, area.width(), LANE - 1)
        painter.drawText(second, Qt.AlignmentFlag.AlignVCenter, self._cut(lane.kind.word, area.width()))

    def _gathered(self, lane: Lane, top: int) -> None:
        """Bars by how many rows begin in a column, on a logarithmic scale; what failed on top of them."""
        painter, body = self._painter, self._body
        columns = lane.columns(self._view.edges(body.width(), _STEP))
        most = max((count for count, _, _ in columns), default=0)
        ink, busy = theme.mixed(_INKS[lane.kind], "base", 0.7), theme.mixed(_INKS[lane.kind], "base", 0.25)
        bad, room = theme.colour("error"), LANE - 2 * _PAD
        floor = top + LANE - 1 - _PAD
        scale = room / log1p(most) if most else 0
        for place, (count, failed, running) in enumerate(columns):
            x = body.left() + place * _STEP
            if running:
                painter.fillRect(x, floor - 4, _STEP, 4, busy)
            if count:
                high = max(2, round(log1p(count) * scale))
                painter.fillRect(x, floor - high, _STEP, high, ink)
                if failed:
                    high = max(3, min(high, round(log1p(failed) * scale)))
                    painter.fillRect(x, floor - high, _STEP, high, bad)

    def _alone(self, lane: Lane, top: int) -> None:
        """Each row by itself, those at the same time below each other as far as there is room."""
        body, view = self._body, self._view
        spans = lane.spans(view.start, view.end, self._timeline.length)
        free: list[tuple[float, int]] = []
        levels: list[int] = []
        used = 0
        for span in spans:
            left = view.x(span.start, body.width())
            if free and free[0][0] <= left:
                _, level = heappop(free)
            else:
                level = used
                used += 1
            levels.append(level)
            heappush(free, (max(view.x(span.end, body.width()), left + 3) + 1, level))
        rows = min(max(used, 1), _LEVELS)
        high = (LANE - 2 * _PAD - (rows - 1)) // rows
        for span, level in zip(spans, levels, strict=True):
            self._span(lane, span, top + _PAD + min(level, rows - 1) * (high + 1), high)

    def _span(self, lane: Lane, span: Span, y: int, high: int) -> None:
        painter, body, view = self._painter, self._body, self._view
        left = body.left() + view.x(span.start, body.width())
        right = body.left() + view.x(span.end, body.width())
        left, right = min(max(left, body.left() - 1), body.right() - 1), min(right, body.right() + 2)
        area = QRectF(left, y, max(right - left, 2), high)
        ink = "error" if span.failed else "warn" if span.pending else _INKS[lane.kind]
        chosen = span.row == self._current
        painter.fillRect(area, theme.mixed(ink, "base", 0.75 if chosen else 0.3))
        painter.fillRect(QRectF(area.left(), y, 2, high), theme.colour(ink))
        if chosen:
            painter.setPen(QPen(theme.colour("text"), 1))
            painter.drawRect(area.adjusted(0, 0, -1, -1))
        if area.width() >= _TEXT_PX and high >= self._metrics.height() - 3:
            exchange = self._timeline.exchanges[span.row]
            text = plain.line(exchange.target or exchange.method or exchange.note, 60)
            painter.setFont(self._small)
            painter.setPen(theme.colour("text"))
            inside = area.adjusted(6, 0, -3, 0)
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, self._cut(text, int(inside.width())))

    def _cut(self, text: str, width: int) -> str:
        return self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
