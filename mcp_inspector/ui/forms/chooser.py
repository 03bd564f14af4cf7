"""Chooses one of many: a field that opens a list with a search line. It draws itself, and costs little until opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent

_SEARCHED = 9
"""Entries from which the list has a search line."""
_ROWS = 14
_SHOWN = 300
_ICON = 13


class Chooser(QWidget):
    """One of some texts. Arrows step, typing or Space opens the list. `picked` tells what the person chose."""

    picked = Signal(int)

    def __init__(self, texts: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts = [visible(text[:_SHOWN]) for text in texts]
        self.tips: list[str] = []
        self._at = 0
        self._lit = self._invalid = False
        self.quiet: frozenset[int] = frozenset()
        """Entries that stand for nothing: they are drawn muted."""
        self._list: ChoiceList | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def at(self) -> int:
        """Which one is chosen."""
        return self._at

    @property
    def text(self) -> str:
        """The words of the chosen one."""
        return self.texts[self._at] if self.texts else ""

    def choose(self, at: int) -> None:
        """Choose one without telling."""
        if at != self._at:
            self._at = at
            self.update()
        self.setAccessibleDescription(self.text)

    def pick(self, at: int) -> None:
        """Choose one as the person does."""
        self.choose(at)
        self.picked.emit(at)

    def set_invalid(self, invalid: bool) -> None:
        """A red frame, or none."""
        if invalid != self._invalid:
            self._invalid = invalid
            self.update()

    def sizeHint(self) -> QSize:
        """As wide as the widest text, within reason."""
        wide = max((measure.width(text[:60]) for text in self.texts[:200]), default=40)
        return QSize(min(wide + 36, 320), measure.line())

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return QSize(60, measure.line())

    # --- hands ---

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows step; Space, Alt+Down, F4 and letters open the list."""
        key, mods = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
        if not mods and key in steps:
            to = min(max(self._at + steps[Qt.Key(key)], 0), len(self.texts) - 1)
            if to != self._at:
                self.pick(to)
        elif not mods and key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F4):
            self.open()
        elif event.text().isprintable() and event.text() and not mods & ~Qt.KeyboardModifier.ShiftModifier:
            self.open(event.text())
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the list."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.open()
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was pressed here is let go here."""
        event.accept()

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

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the keyboard is."""
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show that it is not here."""
        self.update()
        super().focusOutEvent(event)

    @property
    def popup(self) -> ChoiceList | None:
        """The list, while it is open."""
        return self._list

    def open(self, typed: str = "") -> ChoiceList:
        """Open the list, searching for what was typed."""
        if self._list is not None:
            self._list.close()
        found = self._list = ChoiceList(self, typed)
        found.destroyed.connect(self._closed)
        found.unfold()
        return found

    def _closed(self) -> None:
        self._list = None
        self.update()

    def event(self, event: QEvent) -> bool:
        """The tooltip of the chosen entry, and all of a text that is cut."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.tips[self._at] if self._at < len(self.tips) else ""
            cut = measure.width(self.text) > self.width() - _ICON - 18
            text = "\n".join(filter(None, (self.text if cut else "", tip)))
            QToolTip.showText(event.globalPos(), tooltip(text), self)
            return True
        return super().event(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """As an input, with a mark that it opens."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        enabled, focus = self.isEnabled(), self.hasFocus() or self._list is not None
        edge = "error" if self._invalid else "accent" if focus else "edge" if enabled else "line"
        painter.setPen(QPen(theme.colour(edge), 1))
        painter.setBrush(theme.colour("base" if enabled else "window"))
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        quiet = self._at in self.quiet or not enabled
        area = measure.placed(self, self.rect().adjusted(8, 0, -_ICON - 10, 0))
        measure.draw(painter, area, self.text, "muted" if quiet else "text", "name", wrap=False)
        arrow = icons.pixmap("chevron-down", _ICON, "text" if self._lit else "muted", self.devicePixelRatioF())
        place = QRect(self.width() - _ICON - 7, (self.height() - _ICON) // 2, _ICON, _ICON)
        painter.drawPixmap(measure.placed(self, place).topLeft(), arrow)


class ChoiceList(QFrame):
    """The open list. Return or a click takes an entry, Escape leaves it as it was."""

    def __init__(self, chooser: Chooser, typed: str = "") -> None:
        super().__init__(chooser, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("choices")
        theme.mark(self, surface="base")
        self._chooser = chooser
        self.search = SearchEdit("Search", parent=self)
        self.list = QListWidget(self)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3, 3, 3, 3)
        layout.setSpacing(3)
        layout.addWidget(self.search)
        layout.addWidget(self.list)
        self.search.setVisible(len(chooser.texts) >= _SEARCHED or bool(typed))
        self.search.installEventFilter(self)
        self.installEventFilter(self)
        self.search.textChanged.connect(self._filter)
        self.list.itemClicked.connect(self._take)
        self._filter("")
        self.search.setText(typed)

    def unfold(self) -> None:
        """Show it below the chooser, or above where there is no room."""
        chooser = self._chooser
        row = self.list.sizeHintForRow(0) if self.list.count() else measure.line()
        rows = min(max(self.list.count(), 1), _ROWS)
        tall = rows * row + 14 + (measure.line() + 3 if not self.search.isHidden() else 0)
        wide = max(chooser.width(), min(chooser.sizeHint().width() + 20, 420))
        place = chooser.mapToGlobal(QPoint(0, chooser.height() + 1))
        screen = chooser.screen().availableGeometry()
        if place.y() + tall > screen.bottom() and place.y() - chooser.height() - tall > screen.top():
            place.setY(place.y() - chooser.height() - tall - 2)
        place.setX(max(screen.left(), min(place.x(), screen.right() - wide)))
        self.setGeometry(place.x(), place.y(), wide, tall)
        self.show()
        (self.search if not self.search.isHidden() else self).setFocus()

    def shown(self) -> list[str]:
        """The texts that are listed now."""
        return [self.list.item(at).text() for at in range(self.list.count())]

    def _filter(self, typed: str) -> None:
        chosen = self._chooser.at
        wanted = typed.casefold().split()
        self.list.clear()
        current = None
        for at, text in enumerate(self._chooser.texts):
            tip = self._chooser.tips[at] if at < len(self._chooser.tips) else ""
            if wanted and not all(word in f"{text} {tip}".casefold() for word in wanted):
                continue
            item = QListWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, at)
            if tip:
                item.setToolTip(tooltip(tip))
            if at in self._chooser.quiet:
                item.setForeground(theme.colour("muted"))
            self.list.addItem(item)
            if current is None or at == chosen:
                current = item
        if current is not None:
            self.list.setCurrentItem(current)

    def _take(self, item: QListWidgetItem | None) -> None:
        chooser = self._chooser
        self.close()
        if item is not None:
            chooser.setFocus(Qt.FocusReason.PopupFocusReason)
            chooser.pick(item.data(Qt.ItemDataRole.UserRole))

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        """Arrows move in the list while letters go to the search line."""
        if event.type() != QEvent.Type.KeyPress:
            return False
        key = event.key()  # type: ignore[attr-defined]  # a key event, by its type
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
        if key in steps:
            row = min(max(self.list.currentRow() + steps[key], 0), self.list.count() - 1)
            self.list.setCurrentRow(row)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._take(self.list.currentItem())
        elif key == Qt.Key.Key_Escape:
            self.close()
        elif self.search.isHidden() and event.text().strip():  # type: ignore[attr-defined]  # as above
            self._step_to(event.text())  # type: ignore[attr-defined]  # as above
        else:
            return False
        return True

    def _step_to(self, letter: str) -> None:
        count = self.list.count()
        for step in range(1, count + 1):
            at = (self.list.currentRow() + step) % count
            if self.list.item(at).text().casefold().startswith(letter.casefold()):
                self.list.setCurrentRow(at)
                return
