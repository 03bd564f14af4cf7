"""How one tool, resource, template or prompt is drawn in a list: name, description, marks; one or two lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.items import ROW, Row
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.labels import paint_pill
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

Mark = tuple[str, str] | None
"""A short word at the right edge and its colour: ``("✓ 3", "ok")``."""

_ICON = 13


class ItemRow(QStyledItemDelegate):
    """Draws a `Row`. The mark and the signs have their place first; the name gives way, never runs into them."""

    def __init__(
        self,
        mark: Callable[[Row], Mark] | None,
        parent: QObject,
        badge: Callable[[Row], tuple[int, str]] = lambda _: (0, ""),
    ) -> None:
        super().__init__(parent)
        self._badge = badge
        self._mark = mark
        self.two_lines = True
        self.called: Callable[[Row], str] = lambda row: row.shown
        """What a row is called in the list."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One or two lines and a little air."""
        if self.two_lines:
            return QSize(80, rows.line_height(option.widget, theme.font(), theme.font("small")) + 5)
        return QSize(80, rows.line_height(option.widget, theme.font()) + 6)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw an item."""
        row: Row = index.data(ROW)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 0, -8, 0)
        bold, small = theme.font(bold=True), theme.font("small")
        top = area
        if self.two_lines:
            top = QRect(area.left(), area.top() + 2, area.width(), QFontMetrics(bold).height())
        right = self._signs(painter, row, top, self._mark(row) if self._mark is not None else None)
        name = QRect(top.left(), top.top(), right - top.left(), top.height())
        ink = theme.colour("error" if row.item.problem else "text")
        used = rows.text(painter, name, self.called(row), bold, ink)
        muted = theme.colour("muted")
        if self.two_lines:
            low = QRect(area.left(), top.bottom(), area.width(), area.bottom() - top.bottom() - 1)
            rows.text(painter, low, row.note or row.title, small, muted)
        elif name.width() - used > 40:
            rows.text(painter, name.adjusted(used + 8, 0, 0, 0), row.note or row.title, small, muted)

    def _signs(self, painter: QPainter, row: Row, area: QRect, mark: Mark) -> int:
        """Draw what stands at the right and return where the name must end."""
        right = area.right() + 1
        if mark is not None:
            word, ink = mark
            taken = rows.text(
                painter, QRect(area.left(), area.top(), area.width(), area.height()), word, theme.font("small"),
                theme.colour(ink), right=True,
            )  # fmt: skip
            right -= taken + 6
        count, tone = self._badge(row)
        if count:
            words = f"{count:,}"
            wide = QFontMetrics(theme.font("small")).horizontalAdvance(words) + 12
            high = min(area.height() - 2, QFontMetrics(theme.font("small")).height() + 2)
            place = QRectF(right - wide, area.center().y() - high // 2 + 1, wide, high)
            paint_pill(painter, place, words, tone)
            right -= wide + 6
        for icon, ink in signs(row):
            drawn = icons.pixmap(icon, _ICON, ink, painter.device().devicePixelRatioF())
            right -= _ICON
            painter.drawPixmap(right, area.center().y() - _ICON // 2 + 1, drawn)
            right -= 5
        return right

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """The whole text of a row, which a narrow list cuts."""
        row = index.data(ROW)
        if not isinstance(row, Row):
            return False
        count, _ = self._badge(row)
        found = f"\n\n{plain.count(count, 'warning or error', 'warnings and errors')}: see Findings." if count else ""
        QToolTip.showText(event.globalPos(), tooltip(words(row) + found), view)
        return True


def signs(row: Row) -> list[tuple[str, str]]:
    """Icons and their colours: what the server's own hints claim, and trouble."""
    found = []
    if row.item.problem:
        found.append(("triangle-alert", "error"))
    if row.item.note or row.twin:
        found.append(("copy", "warn"))
    if row.item.what is What.TOOLS and row.destructive and not row.read_only:
        found.append(("triangle-alert", "warn"))
    return found


def words(row: Row) -> str:
    """All that is known of a row, for its tooltip."""
    lines = [row.key or "(no name)"]
    if row.title and row.title != row.key:
        lines.append(row.title)
    description = row.item.description
    if description:
        lines += ["", description]
    if row.item.problem:
        lines += ["", f"Cannot be used: {row.item.problem}"]
    if row.item.note:
        lines += ["", f"The server lists it more than once: {row.item.note}."]
    if row.read_only:
        lines += ["", "The server says that it only reads (a hint, not a promise)."]
    elif row.destructive:
        lines += ["", "The server says that it may destroy something."]
    return "\n".join(lines)
