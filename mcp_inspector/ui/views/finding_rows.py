"""How the Findings dock draws its rows: groups, single findings, and the list that holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.findings import ICONS, LINE, TONES, Index, Line
from mcp_inspector.ui.views import rows

if TYPE_CHECKING:
    from mcp_inspector.checks.rule import Finding, Severity

_ICON = 14


class GroupRow(QStyledItemDelegate):
    """Severity, title and count on one line; what it is made of below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines and a little air."""
        return QSize(80, rows.line_height(option.widget, theme.font(), theme.font("small")) + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a group."""
        line = index.data(LINE)
        if not isinstance(line, Line):
            return
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 2, -8, -2)
        normal, small = theme.font(), theme.font("small")
        high = QFontMetrics(normal).height()
        _sign(painter, line.severity, area.left(), area.top() + (high - _ICON) // 2)
        count = f"{line.count:,}"
        wide = QFontMetrics(small).horizontalAdvance(count)
        left = area.left() + _ICON + 6
        top = QRect(left, area.top(), area.right() - left - wide - 8, high)
        rows.text(painter, top, line.title, normal, theme.colour("text"))
        place = QRect(area.right() - wide, area.top(), wide + 1, high)
        rows.text(painter, place, count, small, theme.colour("muted"), right=True)
        low = QRect(left, top.bottom() + 1, area.right() - left, area.bottom() - top.bottom())
        rows.text(painter, low, line.note, small, theme.colour("muted"))


class FindingRow(QStyledItemDelegate):
    """Severity, record number, what it is about, and the sentence, on one line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One line."""
        return QSize(120, QFontMetrics(theme.font()).height() + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a finding."""
        finding: Finding | None = index.data(LINE)
        if finding is None:
            return
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 0, -8, 0)
        normal, small, mono = theme.font(), theme.font("small"), theme.mono("small")
        _sign(painter, finding.severity, area.left(), area.center().y() - _ICON // 2 + 1)
        left = area.left() + _ICON + 6
        number = f"#{finding.seq}"
        wide = max(QFontMetrics(mono).horizontalAdvance("#00000"), QFontMetrics(mono).horizontalAdvance(number)) + 6
        rows.text(painter, QRect(left, area.top(), wide, area.height()), number, mono, theme.colour("muted"))
        left += wide
        about = plain.line(finding.tool or finding.server, 60)
        room = min(QFontMetrics(small).horizontalAdvance(about), area.width() // 4)
        rows.text(painter, QRect(left, area.top(), room, area.height()), about, small, theme.colour("muted"))
        left += room + 10
        rest = QRect(left, area.top(), area.right() - left, area.height())
        rows.text(painter, rest, plain.line(finding.sentence, 400), normal, theme.colour("text"))


def _sign(painter: QPainter, severity: Severity, left: int, top: int) -> None:
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(left, top, icons.pixmap(ICONS[severity], _ICON, TONES[severity], ratio))


class FindingList(QListView):
    """Rows of one height, with a key to copy."""

    copy_wanted = Signal()

    def __init__(self, name: str, delegate: QStyledItemDelegate) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)
