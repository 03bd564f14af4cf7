"""The waits between attempts to reconnect as bars: what a host would wait, and what has been tried so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from mcp_inspector.ui import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

_GAP, _WIDEST = 6, 60


class BackoffCurve(QWidget):
    """One bar for each wait, as high as it is long; filled once it is over: green when it led back, else red."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._waits: tuple[float, ...] = ()
        self.ended: list[bool] = []
        """How the attempts so far ended: whether it was up again."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Waits before each attempt to reconnect")
        self.hide()

    def plan(self, waits: Sequence[float]) -> None:
        """Show these waits, in seconds; nothing of them is over. Without any it hides."""
        self._waits, self.ended = tuple(waits), []
        words = ", ".join(f"{wait:g} s" for wait in self._waits)
        self.setToolTip(f"Waits before each attempt to reconnect: {words}")
        self.setVisible(bool(waits))
        self.update()

    def attempted(self, up: bool) -> None:
        """The next wait is over, and its attempt has ended."""
        self.ended.append(up)
        self.update()

    def sizeHint(self) -> QSize:
        """High enough for bars and their seconds."""
        return QSize(200, 40 + self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars."""
        painter = QPainter(self)
        painter.setFont(theme.font("small"))
        low = painter.fontMetrics().height()
        longest = max(self._waits, default=1) or 1
        wide = min(_WIDEST, self.width() / max(1, len(self._waits)) - _GAP)
        room = self.height() - low - 4
        for at, wait in enumerate(self._waits):
            high = max(3.0, room * wait / longest)
            bar = QRectF(at * (wide + _GAP) + 0.5, room - high + 0.5, wide - 1, high)
            painter.setPen(QPen(theme.colour("line"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if at < len(self.ended):
                painter.setBrush(theme.colour("ok" if self.ended[at] else "error"))
            painter.drawRect(bar)
            painter.setPen(theme.colour("muted"))
            place = QRectF(bar.left(), room + 2, wide, low)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{wait:g} s")
