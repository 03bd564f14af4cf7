"""A flat, underlined row of tabs with counts, for the places inside a pane."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget

from mcp_inspector.ui import theme


class SegmentedTabs(QTabBar):
    """Tabs that draw only a word, a quiet count and a line under the chosen one.

    When they do not fit they first come closer together, then scroll. A disabled tab stays where it is; its tooltip
    should say why it is disabled.
    """

    _WIDE: Final = 12
    _TIGHT: Final = 6

    def __init__(self, titles: tuple[str, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._space = self._WIDE
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for title in titles:
            self.addTab(title)

    def set_count(self, index: int, count: str | int | None) -> None:
        """A quiet number after the word; None takes it away."""
        text = "" if count is None else str(count)
        if self.tabData(index) != text:
            self.setTabData(index, text)
            self.setAccessibleTabName(index, f"{self.tabText(index)} {text}".strip())
            # QTabBar measures again only when something it knows has changed.
            self.setTabText(index, self.tabText(index))
            self._fit()

    def count_text(self, index: int) -> str:
        """The number shown after the word, empty when there is none."""
        return str(self.tabData(index) or "")

    def setTabVisible(self, index: int, visible: bool) -> None:
        # Told what it is already, QTabBar forgets that it has to lay out what was changed just before.
        if visible != self.isTabVisible(index):
            super().setTabVisible(index, visible)

    def tabSizeHint(self, index: int) -> QSize:
        return QSize(self._width(index, self._space), self.fontMetrics().height() + 13)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(self._width(index, self._TIGHT), self.fontMetrics().height() + 13)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height() + 13)

    def _width(self, index: int, space: int) -> int:
        width = self.fontMetrics().horizontalAdvance(self.tabText(index)) + 2 * space
        count = self.count_text(index)
        if count:
            width += QFontMetrics(theme.font("small")).horizontalAdvance(count) + 6
        return width

    def _fit(self) -> None:
        wide = sum(self._width(index, self._WIDE) for index in range(self.count()) if self.isTabVisible(index))
        tabs = max(1, self.count())
        space = (
            self._WIDE
            if wide <= self.width()
            else max(self._TIGHT, self._WIDE - (wide - self.width()) // (2 * tabs) - 1)
        )
        if space != self._space:
            self._space = space
            if self.count():
                self.setTabText(0, self.tabText(0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("window"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), theme.colour("line"))
        under_mouse = self.tabAt(self.mapFromGlobal(self.cursor().pos())) if self.underMouse() else -1
        small = theme.font("small")
        for index in range(self.count()):
            if not self.isTabVisible(index):
                continue
            area = self.tabRect(index)
            chosen = index == self.currentIndex()
            ink = "text" if chosen or index == under_mouse else "muted"
            painter.setPen(theme.colour(ink))
            if not self.isTabEnabled(index):
                painter.setPen(theme.mixed("muted", "window", 0.65))
            painter.setFont(self.font())
            words = area.adjusted(self._space, 0, 0, -1)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.tabText(index))
            count = self.count_text(index)
            if count:
                words.setLeft(words.left() + self.fontMetrics().horizontalAdvance(self.tabText(index)) + 6)
                painter.setFont(small)
                painter.setPen(theme.colour("muted"))
                painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, count)
            if chosen:
                line = QRect(area.left(), self.height() - 2, area.width(), 2)
                painter.fillRect(line, theme.colour("accent"))
                if self.hasFocus():
                    painter.setPen(theme.colour("accent"))
                    painter.drawRoundedRect(area.adjusted(2, 3, -3, -5), 3, 3)
