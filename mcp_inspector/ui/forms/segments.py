"""A few words side by side, one of them chosen, perhaps none; and several that are on or off. Drawn by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.forms.marks import paint_button
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent

_SPACE, _BETWEEN = 11, 4
_MOST = 260
"""Pixels of one word at most; the rest of it is in the tooltip."""


class Words(QWidget):
    """Words in frames, in as many lines as the width asks for. Arrows move, Space and Return press; `pressed` tells."""

    pressed = Signal(int)
    taller = Signal()
    """Another width has made another number of lines."""

    def __init__(self, words: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = [visible(word) for word in words]
        self._tips = [""] * len(words)
        self._places: list[QRect] = []
        self._at = 0
        self._under = -1
        self._invalid = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.lay_out(10_000)

    @property
    def words(self) -> tuple[str, ...]:
        """What stands there."""
        return tuple(self._words)

    def set_tips(self, tips: Sequence[str]) -> None:
        """What each word's tooltip says."""
        self._tips = [*tips]

    def is_on(self, at: int) -> bool:
        """Whether a word is drawn as chosen."""
        raise NotImplementedError

    def place(self, at: int) -> QRect:
        """Where a word is drawn."""
        return self._places[at]

    def press(self, at: int) -> None:
        """As a click on a word."""
        self._at = at
        self.pressed.emit(at)
        self.update()

    def set_invalid(self, invalid: bool) -> None:
        """A red line below, or none."""
        if invalid != self._invalid:
            self._invalid = invalid
            self.update()

    def lay_out(self, room: int) -> int:
        """Place the words within a width; the height they take."""
        x = y = 0
        line = measure.line()
        places = []
        for word in self._words:
            wide = min(measure.width(word) + 2 * _SPACE, _MOST, max(room, 40))
            if x and x + wide > room:
                x, y = 0, y + line + _BETWEEN
            places.append(QRect(x, y, wide, line))
            x += wide + _BETWEEN
        self._places = [measure.mirrored(one, room) for one in places] if self.isRightToLeft() else places
        return y + line

    def sizeHint(self) -> QSize:
        """On one line."""
        wide = sum(min(measure.width(word) + 2 * _SPACE, _MOST) + _BETWEEN for word in self._words)
        return QSize(max(wide - _BETWEEN, 0), measure.line())

    def minimumSizeHint(self) -> QSize:
        """As the layout gives."""
        return QSize(40, measure.line())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the line where it must be."""
        super().resizeEvent(event)
        self.lay_out(self.width())

    # --- hands ---

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Press a word."""
        at = self._at_point(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and at >= 0:
            self.press(at)
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was pressed here is let go here."""
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the word under the mouse."""
        self._light(self._at_point(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse."""
        self._light(-1)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that it is not here."""
        self.update()
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, Space and Return press; all else belongs to the form."""
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            forward = (key == Qt.Key.Key_Right) == (self.layoutDirection() == Qt.LayoutDirection.LeftToRight)
            self._at = (self._at + (1 if forward else -1)) % max(1, len(self._words))
            self.update()
        elif plain and key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._words:
            self.press(self._at)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """The tooltip of the word under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = self._at_point(event.pos())
            tip = self._tips[at] if at >= 0 else ""
            cut = at >= 0 and measure.width(self._words[at]) + _SPACE > self._places[at].width()
            text = "\n".join(filter(None, (self._words[at] if cut else "", tip)))
            QToolTip.showText(event.globalPos(), tooltip(text), self)
            return True
        return super().event(event)

    def _at_point(self, point: QPoint) -> int:
        return next((at for at, place in enumerate(self._places) if place.contains(point)), -1)

    def _light(self, at: int) -> None:
        if at != self._under:
            self._under = at
            self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Frames and words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        enabled, focus = self.isEnabled(), self.hasFocus()
        for at, (word, area) in enumerate(zip(self._words, self._places, strict=True)):
            on = self.is_on(at)
            at_keys = focus and at == self._at
            paint_button(painter, area, lit=at == self._under or at_keys, focus=at_keys, enabled=enabled, on=on)
            painter.setFont(measure.font("name"))
            painter.setPen(theme.colour("text" if enabled else "muted"))
            shown = measure.metrics("name").elidedText(word, Qt.TextElideMode.ElideRight, area.width() - 8)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), shown)
        if self._invalid and self._places:
            last = self._places[-1]
            painter.fillRect(0, last.bottom() - 1, last.right(), 2, theme.colour("error"))


class Segments(Words):
    """One of the words is chosen, or none. `picked` tells which one the person has pressed."""

    picked = Signal(int)

    def __init__(self, words: Sequence[str], parent: QWidget | None = None) -> None:
        self._chosen = -1
        super().__init__(words, parent)
        self.pressed.connect(self._pick)

    @property
    def chosen(self) -> int:
        """Which one is chosen, -1 for none."""
        return self._chosen

    def choose(self, at: int) -> None:
        """Choose one, or none with -1, without telling."""
        if at != self._chosen:
            self._chosen = at
            self._at = max(at, 0)
            self.setAccessibleDescription(self._words[at] if at >= 0 else "nothing chosen")
            self.update()

    def is_on(self, at: int) -> bool:
        """Whether it is the chosen one."""
        return at == self._chosen

    def _pick(self, at: int) -> None:
        self.choose(at)
        self.picked.emit(at)


class Toggles(Words):
    """Each of the words is on or off. `toggled` tells which one the person has pressed, and what it is now."""

    toggled = Signal(int, bool)

    def __init__(self, words: Sequence[str], parent: QWidget | None = None) -> None:
        self._on: frozenset[int] = frozenset()
        super().__init__(words, parent)
        self.pressed.connect(self._turn)

    def set_on(self, on: frozenset[int]) -> None:
        """Which are on now."""
        if on != self._on:
            self._on = on
            self.setAccessibleDescription(", ".join(self._words[at] for at in sorted(on)) or "nothing chosen")
            self.update()

    def is_on(self, at: int) -> bool:
        """Whether it is on."""
        return at in self._on

    def _turn(self, at: int) -> None:
        now = at not in self._on
        self.set_on(self._on | {at} if now else self._on - {at})
        self.toggled.emit(at, now)
