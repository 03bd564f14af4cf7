"""What the row delegates share: the ground of a row, text that ends in an ellipsis, the sign of a state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from mcp_inspector.session.status import State
from mcp_inspector.ui import theme
from mcp_inspector.ui.models.servers import tone

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

PAD = 10
"""Pixels between a row's edge and its text."""


def ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """Fill a row's ground; the selected row of the list that has the keyboard carries a bar as well."""
    state = option.state
    selected = bool(state & QStyle.StateFlag.State_Selected)
    if selected:
        painter.fillRect(option.rect, theme.colour("selection"))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(option.rect, theme.colour("hover"))
    if selected:
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        bar = QRect(option.rect.left(), option.rect.top(), 3 if focused else 2, option.rect.height())
        painter.fillRect(bar, theme.colour("accent"))


def text(painter: QPainter, area: QRect, words: str, font: QFont, ink: QColor, *, right: bool = False) -> int:
    """Draw one line, cut with an ellipsis; returns how many pixels it took."""
    if area.width() <= 0 or not words:
        return 0
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
    painter.setFont(font)
    painter.setPen(ink)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), shown)
    return metrics.horizontalAdvance(shown)


def line_height(widget: QWidget, *fonts: QFont) -> int:
    """The height of one line in each font together."""
    return sum(QFontMetrics(font, widget).height() for font in fonts)


def two_lines(
    painter: QPainter, area: QRect, title: tuple[str, str], word: tuple[str, str], below: str, *, bold: bool = True
) -> None:
    """Two lines: a title and, at its right, a word, each with its ink; below them quiet, small text."""
    upper_font, small = theme.font(bold=bold), theme.font("small")
    upper = QRect(area.left(), area.top(), area.width(), QFontMetrics(upper_font).height())
    lower = QRect(area.left(), upper.bottom() + 1, area.width(), area.bottom() - upper.bottom())
    taken = text(painter, upper, word[0], small, theme.colour(word[1]), right=True)
    text(painter, upper.adjusted(0, 0, -(taken + 8), 0), title[0], upper_font, theme.colour(title[1]))
    text(painter, lower, below, small, theme.colour("muted"))


def sign(painter: QPainter, state: State, area: QRectF) -> None:
    """The sign of a state: its shape tells it without its colour."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = theme.colour(tone(state))
    pen = QPen(ink, max(1.4, area.width() / 6))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    inner = area.adjusted(1, 1, -1, -1)
    if state is State.CONNECTED:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawEllipse(inner)
    elif state in (State.FAILED, State.EXITED):
        painter.drawLine(inner.topLeft(), inner.bottomRight())
        painter.drawLine(inner.topRight(), inner.bottomLeft())
    elif state in (State.RECONNECTING, State.STARTING, State.STOPPING):
        painter.drawEllipse(inner)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawPie(inner, 90 * 16, (-180 if state is State.RECONNECTING else -90) * 16)
    elif state in (State.DEGRADED, State.SESSION_EXPIRED, State.NEEDS_SIGN_IN):
        _triangle(painter, inner, ink)
    else:
        painter.drawEllipse(inner)
        if state is State.DISABLED:
            painter.drawLine(inner.bottomLeft() + QPointF(1, -1), inner.topRight() + QPointF(-1, 1))
    painter.restore()


def _triangle(painter: QPainter, area: QRectF, ink: QColor) -> None:
    shape = QPainterPath(QPointF(area.center().x(), area.top()))
    shape.lineTo(area.bottomRight())
    shape.lineTo(area.bottomLeft())
    shape.closeSubpath()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillPath(shape, ink)
