"""Draws rows of traffic into a canvas: five milliseconds for a screenful, where a table of cells needs twenty."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.views.traffic_columns import ABOUT, Column

if TYPE_CHECKING:
    from mcp_inspector.ui.models.traffic_row import RowText

_PAD: Final = 7
_ICON: Final = 13
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_KEPT: Final = 4000
_SPREAD: Final = frozenset({Column.TARGET, Column.STATUS, Column.LATENCY, Column.SIZE, Column.NOTE})


class Spot(NamedTuple):
    """A column as it stands now: where it begins and how wide it is, in pixels of the viewport."""

    column: Column
    x: int
    width: int


class RowPainter:
    """Draws rows; keeps fonts and what it measured. Make a new one when fonts change."""

    def __init__(self) -> None:
        self.sans, self.mono = theme.font(), theme.mono()
        self._metrics = {False: QFontMetrics(self.sans), True: QFontMetrics(self.mono)}
        self._wide = {mono: metrics.horizontalAdvance("W") for mono, metrics in self._metrics.items()}
        self._cut: dict[tuple[str, int, bool], str] = {}
        self.height = max(metrics.height() for metrics in self._metrics.values()) + 4

    def row(self, painter: QPainter, text: RowText, y: int, spots: list[Spot]) -> None:
        """Draw one row whose background is there already."""
        spread_from = -1
        last = spots[-1].x + spots[-1].width if spots else 0
        for number, spot in enumerate(spots):
            column, x, width = spot
            if column is Column.TARGET and text.spread:
                rest = {later.column for later in spots[number:]}
                if rest <= _SPREAD:
                    spread_from = x
                    break
            self._cell(painter, text, column, QRect(x, y, width, self.height))
        if spread_from >= 0:
            area = QRect(spread_from, y, last - spread_from, self.height)
            self._text(painter, text.note, area, text.note_ink, mono=text.method in ("stderr", "stray stdout"))

    def _cell(self, painter: QPainter, text: RowText, column: Column, area: QRect) -> None:
        if column is Column.METHOD:
            self._text(painter, text.method, area, text.ink)
        elif column is Column.TARGET:
            self._text(painter, text.target, area, text.ink)
        elif column is Column.SEQ:
            self._text(painter, text.seq, area, "muted", mono=True, flags=_RIGHT)
        elif column is Column.TIME:
            self._text(painter, text.time, area, "muted", mono=True)
        elif column is Column.SERVER:
            self._text(painter, text.server, area, "muted")
        elif column is Column.KIND:
            self._icon(painter, text.kind.icon, text.kind.ink, area)
        elif column is Column.STATUS:
            if text.status.icon:
                self._icon(painter, text.status.icon, text.status.ink, area)
                area = area.adjusted(_ICON + 4, 0, 0, 0)
            self._text(painter, text.status.word, area, text.status.ink)
        elif column is Column.LATENCY:
            if text.elapsed_ns >= 0:
                self._tint(painter, text.elapsed_ns, area)
            self._text(painter, text.latency, area, "text", mono=True, flags=_RIGHT)
        elif column is Column.SIZE:
            self._text(painter, text.size, area, "muted", mono=True, flags=_RIGHT)
        elif column is Column.NOTE:
            self._text(painter, text.note, area, text.note_ink)

    def _text(
        self,
        painter: QPainter,
        text: str,
        area: QRect,
        ink: str,
        *,
        mono: bool = False,
        flags: Qt.AlignmentFlag | Qt.TextFlag | int = _LEFT,
    ) -> None:
        room = area.width() - 2 * _PAD
        if not text or room < 4:
            return
        painter.setFont(self.mono if mono else self.sans)
        painter.setPen(theme.colour(ink))
        painter.drawText(area.adjusted(_PAD, 0, -_PAD, 0), int(flags), self.fitted(text, room, mono=mono))

    def fitted(self, text: str, room: int, *, mono: bool = False) -> str:
        """The text, cut with an ellipsis where it has no room."""
        if len(text) * self._wide[mono] <= room and text.isascii():
            return text
        key = (text, room, mono)
        found = self._cut.get(key)
        if found is None:
            if len(self._cut) > _KEPT:
                self._cut.clear()
            found = self._cut[key] = self._metrics[mono].elidedText(text, Qt.TextElideMode.ElideRight, room)
        return found

    def is_cut(self, text: str, column: Column, width: int) -> bool:
        """Whether a cell of this width cannot show all of a text."""
        return self.fitted(text, width - 2 * _PAD, mono=ABOUT[column].mono) != text

    @staticmethod
    def _icon(painter: QPainter, name: str, ink: str, area: QRect) -> None:
        drawn = icons.pixmap(name, _ICON, ink, painter.device().devicePixelRatio())
        painter.drawPixmap(area.x() + _PAD, area.y() + (area.height() - _ICON) // 2, drawn)

    @staticmethod
    def _tint(painter: QPainter, elapsed_ns: int, area: QRect) -> None:
        """A line under the number, longer by the logarithm: 1 ms is nothing, 10 s is all of the cell."""
        part = log10(max(elapsed_ns / 1e6, 1)) / 4
        ink = "error" if elapsed_ns >= 5_000_000_000 else "warn" if elapsed_ns >= 1_000_000_000 else "accent"
        width = int(min(part, 1) * (area.width() - 2 * _PAD))
        line = QRect(area.right() - _PAD - width + 1, area.bottom() - 1, width, 2)
        painter.fillRect(line, theme.mixed(ink, "base", 0.45))
