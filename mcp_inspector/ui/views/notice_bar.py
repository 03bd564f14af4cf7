"""Where notices are shown: a band above the status bar with the newest one, and the list of the others on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.notices import Level, Notice, Notices
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

_TONES = {Level.ERROR: "error", Level.WARNING: "warn", Level.INFO: "accent"}
_ICONS = {Level.ERROR: "circle-x", Level.WARNING: "triangle-alert", Level.INFO: "info"}
_LIST_HEIGHT = 180


class NoticeBar(QWidget):
    """Nothing while there is nothing to say; else the newest notice, and all of them when opened."""

    def __init__(self, notices: Notices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self._pull = Pull(self._show, self)
        self._disconnect = notices.changed.connect(self._pull.soon)
        self._open = False
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._show()

    def rows(self) -> list[NoticeRow]:
        """The rows that are shown, newest last."""
        return [row for row in self.findChildren(NoticeRow) if not row.isHidden()]

    def _show(self) -> None:
        while (item := self._layout.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        notices = self._notices.open
        if len(notices) < 2:
            self._open = False
        if self._open:
            self._layout.addWidget(self._list(notices[:-1]))
        if notices:
            row = NoticeRow(notices[-1], self._notices.dismiss)
            if len(notices) > 1:
                row.add_button("Fewer" if self._open else f"{len(notices) - 1} more", self._toggle)
                row.add_button("Dismiss all", self._notices.clear)
            self._layout.addWidget(row)
        self.setVisible(bool(notices))

    def _list(self, notices: tuple[Notice, ...]) -> QScrollArea:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for notice in notices:
            layout.addWidget(NoticeRow(notice, self._notices.dismiss))
        layout.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        area.setFixedHeight(min(_LIST_HEIGHT, body.sizeHint().height()))
        return area

    def _toggle(self) -> None:
        self._open = not self._open
        self._show()


class NoticeRow(QWidget):
    """One notice: icon, sentence, its actions, and a cross."""

    dismissed = Signal()

    def __init__(self, notice: Notice, dismiss: Callable[[Notice], None]) -> None:
        super().__init__()
        self.notice = notice
        words = ElidedLabel(notice.sentence)
        words.setToolTip(tooltip(notice.sentence))
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(30, 3, 6, 3)
        self._layout.setSpacing(6)
        self._layout.addWidget(words, 1)
        for action in notice.actions:
            self.add_button(action.text, action.run)
        if notice.detail:
            self.add_button("Copy details", lambda: QGuiApplication.clipboard().setText(notice.detail))
        cross = QToolButton()
        cross.setIcon(icons.icon("x", "muted"))
        cross.setToolTip("Dismiss")
        cross.setAccessibleName("Dismiss")
        cross.clicked.connect(lambda: dismiss(notice))
        self._layout.addWidget(cross)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def add_button(self, text: str, run: Callable[[], object]) -> None:
        """One more button, before the cross."""
        button = QPushButton(text)
        theme.mark(button, kind="quiet")
        button.clicked.connect(lambda: run())
        place = self._layout.count() - 1 if self._layout.count() and isinstance(self._cross(), QToolButton) else -1
        self._layout.insertWidget(place, button)

    def _cross(self) -> QWidget | None:
        item = self._layout.itemAt(self._layout.count() - 1)
        return item.widget() if item is not None else None

    def paintEvent(self, _: QPaintEvent) -> None:
        """A tint, an icon, a line above."""
        painter = QPainter(self)
        tone = _TONES[self.notice.level]
        painter.fillRect(self.rect(), theme.mixed(tone, "base", 0.10))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))
        icon = icons.pixmap(_ICONS[self.notice.level], 16, tone, self.devicePixelRatioF())
        painter.drawPixmap(8, (self.height() - 16) // 2, icon)
