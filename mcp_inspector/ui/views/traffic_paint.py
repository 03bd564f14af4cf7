"""Draws rows of traffic into a canvas: five milliseconds for a screenful, where a table of cells needs twenty."""

from __future__ import annotations

from itertools import takewhile
from math import log10
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.models.traffic_row import Look
from mcp_inspector.ui.views.traffic_columns import CHEVRON, MOST, Column, Spot, about

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from mcp_inspector.store.marks import Mark
    from mcp_inspector.ui.models.traffic_row import RowText

_PAD: Final = 7
_ICON: Final = 13
_KEPT: Final = 4000
_MIDDLE: Final = frozenset({Column.METHOD, Column.TARGET})
"""What is told apart by its end: `notifications/…`, a URI, the names of one family of tools."""
_INDENT: Final = 14
_FLAG: Final = 4
_TINT: Final = 0.16
MARK_COLOURS: Final = ("#e5484d", "#f0761b", "#d9a900", "#2f9e60", "#3e7bfa", "#9b51e0")
"""Red, orange, yellow, green, blue, purple: the same in both schemes, tinted into what lies behind the text."""
_SPREAD: Final = frozenset({Column.TARGET, Column.STATUS, Column.LATENCY, Column.SIZE, Column.NOTE})

_CLOSED, _OPENED = Look("closed", "muted", "chevron-right"), Look("opened", "muted", "chevron-down")
_COMMON: Final = "notifications/"


class RowPainter:
    """Draws rows; keeps fonts and what it measured. Make a new one when fonts change."""

    def __init__(self) -> None:
        self.sans, self.mono = theme.font(), theme.mono()
        self._metrics = {False: QFontMetrics(self.sans), True: QFontMetrics(self.mono)}
        self._wide = {mono: metrics.horizontalAdvance("W") for mono, metrics in self._metrics.items()}
        self._cut: dict[tuple[str, int, bool], str] = {}
        # The monospace font of some systems has tall lines, which would cost every sixth row: both fonts stand on one
        # base line, in rows made for the other. Drawing at a base line is also twice as fast as aligning.
        sans = self._metrics[False]
        self.height = sans.height() + 4
        self._base = 2 + sans.ascent()

    def rows(self, painter: QPainter, texts: list[tuple[int, RowText]], spots: list[Spot]) -> None:
        """Draw rows, each at its y, over backgrounds that are there already: column by column, with few changes of
        font and pen."""
        ratio = painter.device().devicePixelRatio()
        spread = self._spread_area(spots)
        for column, x, width in spots:
            fixed = about(column)
            mono = fixed.mono
            painter.setFont(self.mono if mono else self.sans)
            if column == Column.KIND:
                for y, text in texts:
                    self._icon(painter, text.kind, x + CHEVRON, y, ratio)
                    if text.opens:
                        look = _OPENED if text.opens == 2 else _CLOSED
                        self._icon(painter, look, x + 4, y, ratio)
                continue
            pen = ""
            for y, text in texts:
                if column in _SPREAD and text.spread and spread is not None:
                    continue
                word, ink = _cell(text, column)
                if not word:
                    continue
                place, room = x + _PAD, width - 2 * _PAD
                if column == Column.METHOD and text.depth:
                    place, room = place + text.depth * _INDENT, room - text.depth * _INDENT
                    painter.fillRect(place - 8, y, 1, self.height, theme.colour("line"))
                if column == Column.STATUS and text.status.icon:
                    self._icon(painter, text.status, place, y, ratio)
                    place, room = place + _ICON + 4, room - _ICON - 4
                if column == Column.LATENCY:
                    self._tint(painter, text.elapsed_ns, x, y, width)
                if room < 4:
                    continue
                if column == Column.METHOD and word.startswith(_COMMON):
                    # What they have in common says the least: it goes first.
                    word = self._metrics[mono].elidedText(word, Qt.TextElideMode.ElideLeft, room)
                else:
                    word = self.fitted(word, room, mono=mono, middle=column in _MIDDLE)
                if fixed.right:
                    place += room - self._metrics[mono].horizontalAdvance(word)
                if ink != pen:
                    painter.setPen(theme.colour(ink))
                    pen = ink
                painter.drawText(place, y + self._base, word)
        if spread is not None:
            for y, text in texts:
                if text.spread:
                    self._note(painter, text, spread[0], y, spread[1])

    def mark(self, painter: QPainter, mark: Mark, y: int, dirty: QRect, *, chosen: bool) -> None:
        """The colour of a mark behind its row, and at its edge where it is chosen, too."""
        if mark.colour:
            colour = QColor(MARK_COLOURS[mark.colour - 1])
            if not chosen:
                tint = QColor(colour)
                tint.setAlphaF(_TINT)
                painter.fillRect(dirty.left(), y, dirty.width(), self.height, tint)
            painter.fillRect(0, y + 1, _FLAG, self.height - 2, colour)

    def widths(self, text: RowText) -> dict[Column, int]:
        """How wide the cells of a row are (px) in the columns that follow what stands in them."""
        columns = [column for column in MOST if not (text.spread and column in _SPREAD)]
        result = {}
        for column in columns:
            metrics = self._metrics[about(column).mono]
            result[column] = metrics.horizontalAdvance(_cell(text, column)[0][: 2 * MOST[column]])
        return result

    @staticmethod
    def _spread_area(spots: list[Spot]) -> tuple[int, int] | None:
        """Where a note that has the whole row goes: x and width; None when other columns are in the way."""
        for number, spot in enumerate(spots):
            if spot.column == Column.TARGET:
                rest = list(takewhile(lambda one: one.column in _SPREAD, spots[number:]))
                return spot.x, rest[-1].x + rest[-1].width - spot.x
        return None

    def _note(self, painter: QPainter, text: RowText, x: int, y: int, width: int) -> None:
        mono = text.method in ("stderr", "stray stdout")
        painter.setFont(self.mono if mono else self.sans)
        painter.setPen(theme.colour(text.note_ink))
        painter.drawText(x + _PAD, y + self._base, self.fitted(text.note, width - 2 * _PAD, mono=mono))

    def fitted(self, text: str, room: int, *, mono: bool = False, middle: bool = False) -> str:
        """The text, cut with an ellipsis at its end or in its middle where it has no room."""
        if len(text) * self._wide[mono] <= room and text.isascii():
            return text
        key = (text, room, mono)
        found = self._cut.get(key)
        if found is None:
            if len(self._cut) > _KEPT:
                self._cut.clear()
            found = self._cut[key] = self._metrics[mono].elidedText(
                text, Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight, room
            )
        return found

    def is_cut(self, text: str, column: int, width: int) -> bool:
        """Whether a cell of this width cannot show all of a text."""
        return self.fitted(text, width - 2 * _PAD, mono=about(column).mono) != text

    def _icon(self, painter: QPainter, look: Look, x: int, y: int, ratio: float) -> None:
        drawn = icons.pixmap(look.icon, _ICON, look.ink, ratio)
        painter.drawPixmap(x, y + (self.height - _ICON) // 2, drawn)

    def _tint(self, painter: QPainter, elapsed_ns: int, x: int, y: int, width: int) -> None:
        """A line under the number, longer by the logarithm: 1 ms is nothing, 10 s is all of the cell."""
        part = log10(max(elapsed_ns / 1e6, 1)) / 4
        ink = "error" if elapsed_ns >= 5_000_000_000 else "warn" if elapsed_ns >= 1_000_000_000 else "accent"
        long = int(min(part, 1) * (width - 2 * _PAD))
        if long:
            line = theme.mixed(ink, "base", 0.45)
            painter.fillRect(x + width - _PAD - long, y + self.height - 2, long, 2, line)


def _cell(text: RowText, column: int) -> tuple[str, str]:
    """The word of a cell and its ink."""
    if column == Column.METHOD:
        return text.method, text.ink
    if column == Column.TARGET:
        return text.target, text.ink
    if column == Column.STATUS:
        return text.status.word, text.status.ink
    if column == Column.LATENCY:
        return text.latency, "text"
    if column == Column.NOTE:
        return text.note, text.note_ink
    if column >= len(Column):
        place = column - len(Column)
        return (text.more[place] if place < len(text.more) else ""), "text"
    plain = {
        Column.SEQ: text.seq,
        Column.TIME: text.time,
        Column.SERVER: text.server,
        Column.SIZE: text.size,
        Column.DELTA: text.delta,
        Column.SINCE: text.since,
    }
    return plain[Column(column)], "muted"
