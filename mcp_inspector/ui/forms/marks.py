"""Small buttons that draw themselves: a hundred of them on a form must cost little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent, QKeyEvent

SMALL = 22
_ICON = 15
_SPACE = 10


class Mark(QAbstractButton):
    """A button that lights up under the mouse and when it has the keyboard. Return presses it, as Space does."""

    def __init__(self, parent: QWidget | None, tip: str, run: Callable[[], object] | None = None) -> None:
        super().__init__(parent)
        self._lit = False
        self.setAccessibleName(tip)
        if tip:
            self.setToolTip(tooltip(tip))
        if run is not None:
            self.clicked.connect(lambda: run())

    def enterEvent(self, event: QEnterEvent) -> None:
        """Under the mouse."""
        self._lit = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No longer."""
        self._lit = False
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses it. Arrows, which Qt takes to go from button to button, are left to the form."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.click()
        else:
            super().keyPressEvent(event)


class IconButton(Mark):
    """Only an icon. It takes no Tab stop unless it is told to: a row's menu has all that its buttons do."""

    def __init__(
        self, parent: QWidget | None, icon: str, tip: str, run: Callable[[], object] | None = None, ink: str = "muted"
    ) -> None:
        super().__init__(parent, tip, run)
        self.icon_name, self.ink = icon, ink
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.resize(SMALL, SMALL)

    def set_icon(self, icon: str) -> None:
        """Show another icon."""
        if icon != self.icon_name:
            self.icon_name = icon
            self.update()

    def sizeHint(self) -> QSize:
        """A small square."""
        return QSize(SMALL, SMALL)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The icon, on a lit ground."""
        painter = QPainter(self)
        if self.hasFocus() or (self.isEnabled() and (self._lit or self.isDown())):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("accent"), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("line" if self.isDown() else "hover"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        ink = self.ink if self.isEnabled() else "edge"
        drawn = icons.pixmap(self.icon_name, _ICON, "text" if self._lit and self.isEnabled() else ink, _ratio(self))
        painter.drawPixmap((self.width() - _ICON) // 2, (self.height() - _ICON) // 2, drawn)


class TextButton(Mark):
    """An icon and a word, with the frame of a button."""

    def __init__(
        self, parent: QWidget | None, text: str, icon: str = "", run: Callable[[], object] | None = None, tip: str = ""
    ) -> None:
        super().__init__(parent, tip, run)
        self._words, self._icon = visible(text), icon
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.resize(self.sizeHint())

    def set_text(self, text: str) -> None:
        """Say something else."""
        if visible(text) != self._words:
            self._words = visible(text)
            self.setAccessibleName(text)
            self.update()

    def words(self) -> str:
        """What it says."""
        return self._words

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        icon = _ICON + 5 if self._icon else 0
        return QSize(measure.width(self._words) + icon + 2 * _SPACE, measure.line())

    def paintEvent(self, _: QPaintEvent) -> None:
        """As the style sheet draws a button."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_button(painter, self.rect(), lit=self._lit, focus=self.hasFocus(), enabled=self.isEnabled())
        at = _SPACE
        if self._icon:
            ink = "text" if self.isEnabled() else "edge"
            place = measure.placed(self, QRect(at, (self.height() - _ICON) // 2, _ICON, _ICON))
            painter.drawPixmap(place.topLeft(), icons.pixmap(self._icon, _ICON, ink, _ratio(self)))
            at += _ICON + 5
        area = measure.placed(self, QRect(at, 0, self.width() - at - 4, self.height()))
        measure.draw(painter, area, self._words, "text" if self.isEnabled() else "edge", "name", wrap=False)


def paint_button(
    painter: QPainter, area: QRect, *, lit: bool = False, focus: bool = False, enabled: bool = True, on: bool = False
) -> None:
    """The ground and frame of a button."""
    ground = "selection" if on else ("hover" if lit else "raised") if enabled else "window"
    edge = "accent" if (focus or on) and enabled else ("edge" if enabled else "line")
    painter.setPen(QPen(theme.colour(edge), 1))
    painter.setBrush(theme.colour(ground))
    painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)


def _ratio(widget: QWidget) -> float:
    return widget.devicePixelRatioF()
