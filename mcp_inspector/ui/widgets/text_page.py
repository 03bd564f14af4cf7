"""Lays out and draws the rows of a text that are on screen, and remembers them while they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFontInfo, QFontMetricsF, QPainter

from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets.json_colour import JsonColours
from mcp_inspector.ui.widgets.text_cursor import TextCursor
from mcp_inspector.ui.widgets.text_index import LineIndex
from mcp_inspector.ui.widgets.text_row import Row, background

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.ui.widgets.text_find import Finder

MARGIN: Final = 8
_KEPT_ROWS: Final = 500


class Frame(NamedTuple):
    """What is to be drawn, and where: the first row, how far the text is shifted left, and how wide the gutter is."""

    area: QRect
    top: int
    shift: int
    gutter: int
    numbers: bool
    focused: bool


class TextPage:
    """The rows of one text in one font. `index` and `caret` belong to the text; sizes are in pixels."""

    def __init__(self) -> None:
        self.index = LineIndex()
        self.caret = TextCursor(self.index)
        self.finder: Finder | None = None
        self.changed: tuple[tuple[int, int], ...] = ()
        """Ranges of lines that are marked as changed."""
        self._colours: JsonColours | None = None
        self._rows: dict[tuple[int, int], Row] = {}
        self._drawn_as = -1
        self.set_zoom(0)

    def set_data(self, data: bytes, *, json: bool, fold: bool) -> None:
        """Draw another text."""
        self.index = LineIndex(data, self.index.width, fold=fold)
        self.caret = TextCursor(self.index)
        self.changed = ()
        self._colours = JsonColours() if json else None
        self.forget()

    def set_zoom(self, points: int) -> None:
        """Draw larger or smaller than normal by some points."""
        font = theme.mono()
        font.setPointSizeF(max(5.0, font.pointSizeF() + points))
        metrics = QFontMetricsF(font)
        self._font = font
        self.advance = max(1.0, metrics.horizontalAdvance("0"))
        # A little air between rows, unless the font brings its own.
        own, airy = round(metrics.height()), round(QFontInfo(font).pixelSize() * 1.36)
        self.height = max(own, min(own + 2, airy))
        self.forget()

    def forget(self) -> None:
        """Lay out anew what will be drawn next."""
        self._rows.clear()
        if self._colours is not None:
            self._colours.clear()

    @property
    def kept(self) -> int:
        """How many rows are laid out now."""
        return len(self._rows)

    def row(self, line: int, part: int) -> Row:
        """A row, laid out: of a line, and which of its rows."""
        if self._drawn_as != theme.generation():
            self._drawn_as = theme.generation()
            self._rows.clear()
        first, last = self.index.row_span(line, part)
        row = self._rows.get((first, last))
        if row is None:
            folded = last - first if self.index.is_fold(line, part) else 0
            raw = b"" if folded else bytes(self.index.data[first:last])
            spans: Iterable[tuple[int, int, str]] = ()
            if self._colours is not None and not folded:
                spans = self._colours.spans(self.index.data, self.index.span(line)[0], first, last)
            row = Row(raw, first, self._font, self.advance * 4, spans, folded=folded)
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            self._rows[first, last] = row
        return row

    def paint(self, painter: QPainter, frame: Frame) -> float:
        """Draw all rows that are seen, and give the width of the widest."""
        area, height = frame.area, self.height
        line, part = self.index.locate(frame.top)
        widest = 0.0
        for number in range(min(area.height() // height + 1, self.index.rows - frame.top)):
            y = number * height
            row = self.row(line, part)
            widest = max(widest, row.width)
            painter.setClipRect(QRect(frame.gutter - 2, y, area.width() - frame.gutter + 2, height))
            self._paint_row(painter, row, QPointF(frame.gutter - frame.shift, y), line, part)
            if frame.focused:
                self._paint_caret(painter, row, QPointF(frame.gutter - frame.shift, y), line, part)
            painter.setClipping(False)
            if any(first <= line < stop for first, stop in self.changed):
                painter.fillRect(QRect(0, y, 3, height), theme.colour("accent"))
            if frame.numbers and part == 0:
                painter.setFont(self._font)
                painter.setPen(theme.mixed("muted", "base", 0.75))
                spot = QRect(0, y, frame.gutter - MARGIN, height)
                painter.drawText(spot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, str(line + 1))
            part += 1
            if part >= self.index.rows_of(line):
                line, part = line + 1, 0
        return widest

    def _paint_row(self, painter: QPainter, row: Row, spot: QPointF, line: int, part: int) -> None:
        marks = []
        if self.finder is not None:
            look = background("match")
            places = self.finder.between(row.start, row.end)
            marks += [row.range(place, place + self.finder.length, look) for place in places]
        first, last = self.caret.selection
        if first < last and first <= row.end and last > row.start:
            marks.append(row.range(first, last, background("selection")))
            ends_line = part == self.index.rows_of(line) - 1
            if ends_line and last > row.end and row.end < len(self.index.data):
                feed = QRect(int(spot.x() + row.width), int(spot.y()), int(self.advance * 0.6), self.height)
                painter.fillRect(feed, theme.colour("selection"))
        painter.setPen(theme.colour("text"))
        row.layout.draw(painter, spot, marks)

    def _paint_caret(self, painter: QPainter, row: Row, spot: QPointF, line: int, part: int) -> None:
        place = self.caret.place
        here = row.start <= place <= row.end and self.index.line_at(place) == line
        if here and self.index.part_at(line, place) == part:
            x = int(spot.x() + row.x_of(place))
            painter.fillRect(QRect(x, int(spot.y()), 1, self.height), theme.colour("accent"))
