"""What the mouse does in a `TextView`: place the cursor, select, open folds, scroll while it drags outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

    from mcp_inspector.ui.widgets.text_view import TextView

_DRAG_MS: Final = 40
_PRIMARY_LIMIT: Final = 1 << 20
"""Bytes that are offered to the X server's own clipboard by selecting alone."""


class TextMouse(QObject):
    """The mouse over one view."""

    def __init__(self, view: TextView) -> None:
        super().__init__(view)
        self._view = view
        self._place = QPoint()
        self._last_double = (0, QPoint())
        self._drag = QTimer(self)
        self._drag.setInterval(_DRAG_MS)
        self._drag.timeout.connect(self._drag_on)

    def pressed(self, event: QMouseEvent) -> None:
        """Place the cursor; a third click selects the line, a click on a fold opens it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        view, place = self._view, event.position().toPoint()
        offset = view.offset_at(place)
        if view.is_fold_at(place):
            view.open_fold(offset)
            return
        stamp, spot = self._last_double
        if event.timestamp() - stamp < QGuiApplication.styleHints().mouseDoubleClickInterval() and spot == place:
            view.caret.select_line(offset)
            self._last_double = (0, QPoint())
        else:
            view.caret.move_to(offset, extend=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        view.show_selection()

    def double_clicked(self, event: QMouseEvent) -> None:
        """Select the word."""
        place = event.position().toPoint()
        self._view.caret.select_word(self._view.offset_at(place))
        self._last_double = (event.timestamp(), place)
        self._view.show_selection()

    def moved(self, event: QMouseEvent) -> None:
        """Select up to here, and go on scrolling while the mouse is outside."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            return
        self._place = event.position().toPoint()
        self._extend()
        if self._view.viewport().rect().contains(self._place):
            self._drag.stop()
        elif not self._drag.isActive():
            self._drag.start()

    def released(self) -> None:
        """The selection stands: where selecting is copying, offer it."""
        self._drag.stop()
        clipboard = QGuiApplication.clipboard()
        first, last = self._view.selection()
        if clipboard.supportsSelection() and 0 < last - first < _PRIMARY_LIMIT:
            text = self._view.selected_bytes().decode("utf-8", "replace")
            clipboard.setText(text, clipboard.Mode.Selection)

    def _drag_on(self) -> None:
        height = self._view.viewport().height()
        outside = self._place.y() - (height if self._place.y() > 0 else 0)
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.value() + (outside // self._view.row_height or (1 if outside > 0 else -1)))
        self._extend()

    def _extend(self) -> None:
        self._view.caret.move_to(self._view.offset_at(self._place), extend=True)
        self._view.show_selection()
