"""Small things that only show: a label that elides, a pill, an empty state."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.visible import tooltip, visible

Tone = str
"""The name of an ink: ``text``, ``muted``, ``accent``, ``ok``, ``warn``, ``error``."""


class ElidedLabel(QWidget):
    """One line of plain text that gives way: what does not fit ends in …, and the tooltip then shows all of it."""

    def __init__(
        self,
        text: str = "",
        tone: Tone = "text",
        size: theme.Size = "normal",
        *,
        bold: bool = False,
        mono: bool = False,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._text, self._tone, self._mode = text, tone, mode
        self.setFont(theme.mono(size) if mono else theme.font(size, bold=bold))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """The whole text, as it was given."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.updateGeometry()
            self.update()

    def set_tone(self, tone: Tone) -> None:
        """Show it in another named colour."""
        self._tone = tone
        self.update()

    def is_elided(self) -> bool:
        """Whether something is cut now."""
        return self.fontMetrics().horizontalAdvance(visible(self._text)) > self.width()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(visible(self._text[:2000])) + 1, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(min(metrics.averageCharWidth() * 5, self.sizeHint().width()), metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme.colour(self._tone if self.isEnabled() else "muted"))
        painter.setFont(self.font())
        shown = QFontMetrics(self.font()).elidedText(visible(self._text[:5000]), self._mode, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            own = self.toolTip() or (tooltip(self._text) if self.is_elided() else "")
            if own:
                QToolTip.showText(event.globalPos(), own, self)
            return True
        return super().event(event)


class Pill(QWidget):
    """A word in a rounded outline: a state or a property, in a tone that is never its only meaning."""

    _SPACE: Final = 7

    def __init__(self, text: str = "", tone: Tone = "muted", icon: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._tone, self._icon = text, tone, icon
        self.setFont(theme.font("small"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """The word."""
        return self._text

    def set(self, text: str, tone: Tone = "muted", icon: str = "") -> None:
        """Show another word, tone and icon; an empty word hides the pill."""
        self._text, self._tone, self._icon = text, tone, icon
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(visible(self._text)) + 2 * self._SPACE + 1
        return QSize(width + (metrics.height() + 2 if self._icon else 0), metrics.height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        paint_pill(painter, QRectF(self.rect()), visible(self._text), self._tone, self._icon)


def paint_pill(painter: QPainter, area: QRectF, text: str, tone: str, icon: str = "") -> None:
    """Draw a pill into an area with the painter's font: for delegates."""
    painter.setPen(QPen(theme.mixed(tone, "base", 0.45), 1))
    painter.setBrush(theme.mixed(tone, "base", 0.08))
    outline = area.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(outline, outline.height() / 2, outline.height() / 2)
    painter.setPen(theme.colour(tone))
    if icon:
        side = int(area.height()) - 6
        drawn = icons.pixmap(icon, side, tone, painter.device().devicePixelRatio())
        painter.drawPixmap(int(area.x()) + 6, int(area.y()) + 3, drawn)
        area = area.adjusted(side + 5, 0, 0, 0)
    # Squeezed by a layout: its beginning says more than its middle.
    text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max(0, int(area.width()) - 6))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


_AIRY: Final = (24, 16, 24, 16)
_TIGHT: Final = (8, 2, 8, 2)


class EmptyState(QWidget):
    """What stands where nothing is yet: an icon, a sentence, and what to do next. `activated` is the button.

    Where there is little room, air, icon and detail go in this order; the detail is then in the tooltip.
    """

    activated = Signal()

    def __init__(
        self, icon: str, sentence: str, detail: str = "", action: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._picture = IconLabel(icon, 36, "edge")
        self._sentence = QLabel(sentence)
        self._detail = QLabel(detail)
        self._button = QPushButton(action)
        theme.mark(self._sentence, role="head")
        theme.mark(self._detail, role="muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*_AIRY)
        layout.setSpacing(8)
        layout.addStretch(2)
        layout.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        for label in (self._sentence, self._detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addSpacing(4)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self._button.clicked.connect(self.activated)
        self.set(sentence, detail, action)

    def set(self, sentence: str, detail: str = "", action: str = "", icon: str = "") -> None:
        """Change what it says; without an action there is no button."""
        self._sentence.setText(sentence)
        self._detail.setText(detail)
        self._button.setText(action)
        self._button.setVisible(bool(action))
        if icon:
            self._picture.set_icon(icon)
        self._fit()

    def _fit(self) -> None:
        """Leave out what would lie over something else."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        detail = bool(self._detail.text())
        for margins, picture, more in (
            (_AIRY, True, detail),
            (_TIGHT, True, detail),
            (_TIGHT, False, detail),
            (_TIGHT, False, False),
        ):
            if self._needed(margins, picture, more) <= self.height():
                break
        layout.setContentsMargins(*margins)
        self._picture.setVisible(picture)
        self._detail.setVisible(more)
        self.setToolTip(tooltip(self._detail.text()) if detail and not more else "")
        layout.activate()

    def _needed(self, margins: tuple[int, int, int, int], picture: bool, detail: bool) -> int:
        wide = self.width() - margins[0] - margins[2]
        parts = [self._sentence.heightForWidth(wide)]
        if picture:
            parts.append(self._picture.height())
        if detail:
            parts.append(self._detail.heightForWidth(wide))
        if self._button.text():
            parts.append(self._button.sizeHint().height() + 4)
        return sum(parts) + 8 * len(parts) + margins[1] + margins[3]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """What cannot be left out: a line, and the button."""
        high = self._sentence.fontMetrics().height() + _TIGHT[1] + _TIGHT[3]
        return QSize(60, high + (self._button.sizeHint().height() + 12 if self._button.text() else 0))


class IconLabel(QWidget):
    """An icon that stands alone; drawn anew in the colours of every scheme, which a pixmap in a label is not."""

    def __init__(self, icon: str, size: int = 16, ink: str = "muted", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._ink = icon, ink
        self.setFixedSize(size, size)

    def set_icon(self, icon: str, ink: str = "") -> None:
        """Show another icon, and in another ink unless that is empty."""
        self._icon, self._ink = icon, ink or self._ink
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        drawn = icons.pixmap(self._icon, self.width(), self._ink, self.devicePixelRatioF())
        QPainter(self).drawPixmap(0, 0, drawn)
