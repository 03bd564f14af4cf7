"""Shows bytes as offset, hex and text: only the rows that are seen are read and drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from mcp_inspector.ui import icons, theme

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent

Reader = Callable[[int, int], bytes]
"""Gives the bytes from an offset, at most that many."""

_MARGIN: Final = 8
_PRINTED: Final = bytes(code if 0x20 <= code < 0x7F else 0x2E for code in range(256))
_COPY_LIMIT: Final = 16 << 20


class HexView(QAbstractScrollArea):
    """A read-only view of bytes. A selection is a range of bytes; it is copied as hex or as text."""

    selection_changed = Signal(object, object)
    """First and last offset. Objects, because a signal's int has 32 bits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Bytes")
        self._read: Reader = lambda _offset, _count: b""
        self._size = 0
        self._place = self._anchor = 0
        self._per_row = 16
        self._font = theme.mono()
        metrics = QFontMetricsF(self._font)
        self._advance = metrics.horizontalAdvance("0")
        self._height = round(metrics.height()) + 2

    def set_bytes(self, data: bytes, *, keep: bool = False) -> None:
        """Show these bytes; `keep` what is seen and selected, where there still are bytes."""
        place, anchor, top = self._place, self._anchor, self.verticalScrollBar().value()
        self.set_reader(len(data), lambda offset, count: data[offset : offset + count])
        if keep:
            self._place, self._anchor = min(place, self._size), min(anchor, self._size)
            self.verticalScrollBar().setValue(top)

    def set_reader(self, size: int, read: Reader) -> None:
        """Show `size` bytes that are read in parts when they are seen."""
        self._size, self._read = size, read
        self._place = self._anchor = 0
        self.verticalScrollBar().setValue(0)
        self._refit()

    def selection(self) -> tuple[int, int]:
        """First and last offset; equal when nothing is selected."""
        return min(self._anchor, self._place), max(self._anchor, self._place)

    def select(self, first: int, last: int) -> None:
        """Select bytes and bring the first into view; tells nobody."""
        if (first, last) == self.selection():
            return
        self._anchor = min(max(first, 0), self._size)
        self._place = min(max(last, 0), self._size)
        self._reveal(self._anchor)

    def selected_bytes(self) -> bytes:
        """The selected bytes, at most 16 MB."""
        first, last = self.selection()
        return self._read(first, min(last - first, _COPY_LIMIT))

    def copy_hex(self) -> None:
        """The selection as ``7B 22 6A`` to the clipboard."""
        QGuiApplication.clipboard().setText(self.selected_bytes().hex(" ").upper())

    def copy_text(self) -> None:
        """The selection as text to the clipboard."""
        QGuiApplication.clipboard().setText(self.selected_bytes().decode("utf-8", "replace"))

    # --- geometry ---

    def _digits(self) -> int:
        return max(4, len(f"{self._size:x}"))

    def _hex_x(self, column: int) -> float:
        return _MARGIN + (self._digits() + 2 + column * 3 + column // 8) * self._advance

    def _text_x(self, column: int) -> float:
        return self._hex_x(self._per_row) + (1 + column) * self._advance

    def _refit(self) -> None:
        per_row = 8
        for wider in (16, 32):
            self._per_row = wider
            if self._text_x(wider) + _MARGIN > self.viewport().width():
                break
            per_row = wider
        top = self.verticalScrollBar().value() * self._per_row
        self._per_row = per_row
        rows, seen = -(-self._size // per_row), max(1, self.viewport().height() // self._height)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, rows - seen))
        bar.setPageStep(seen)
        bar.setValue(top // per_row)
        across = self.horizontalScrollBar()
        across.setRange(0, max(0, int(self._text_x(per_row)) + _MARGIN - self.viewport().width()))
        across.setPageStep(self.viewport().width())
        self.viewport().update()

    def _reveal(self, offset: int) -> None:
        row, bar = offset // self._per_row, self.verticalScrollBar()
        if row < bar.value():
            bar.setValue(row)
        elif row >= bar.value() + bar.pageStep():
            bar.setValue(row - bar.pageStep() + 1)
        self.viewport().update()

    def _offset_at(self, place: QPoint) -> int:
        row = self.verticalScrollBar().value() + place.y() // self._height
        x = place.x() + self.horizontalScrollBar().value()
        if x >= self._text_x(0) - self._advance / 2:
            column = round((x - self._text_x(0)) / self._advance)
        else:
            column = sum(1 for one in range(self._per_row) if x > self._hex_x(one) + self._advance)
        return min(max(row * self._per_row + min(max(column, 0), self._per_row), 0), self._size)

    # --- painting ---

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = self.viewport().rect()
        painter.fillRect(area, theme.colour("base"))
        painter.translate(-self.horizontalScrollBar().value(), 0)
        painter.setFont(self._font)
        top, per_row = self.verticalScrollBar().value(), self._per_row
        seen = area.height() // self._height + 1
        data = self._read(top * per_row, seen * per_row)
        first, last = self.selection()
        for number in range(-(-len(data) // per_row)):
            row = data[number * per_row : (number + 1) * per_row]
            start, y = (top + number) * per_row, number * self._height
            low, high = max(first, start) - start, min(last, start + len(row)) - start
            if low < high:
                self._mark(painter, low, high, y)
            elif first == last and start <= first < start + per_row and self.hasFocus():
                x = int(self._hex_x(first - start)) - 1
                painter.fillRect(x, y, 1, self._height, theme.colour("accent"))
            self._draw(painter, f"{start:0{self._digits()}x}", _MARGIN, y, "muted")
            for part in range(0, len(row), 8):
                self._draw(painter, row[part : part + 8].hex(" "), self._hex_x(part), y, "text")
            self._draw(painter, row.translate(_PRINTED).decode("ascii"), self._text_x(0), y, "string")

    def _draw(self, painter: QPainter, text: str, x: float, y: int, ink: str) -> None:
        painter.setPen(theme.colour(ink))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(QRectF(x, y, len(text) * self._advance + 20, self._height), int(flags), text)

    def _mark(self, painter: QPainter, low: int, high: int, y: int) -> None:
        colour = theme.colour("selection")
        right = self._hex_x(high - 1) + 2 * self._advance
        painter.fillRect(QRectF(self._hex_x(low) - 1, y, right - self._hex_x(low) + 2, self._height), colour)
        painter.fillRect(QRectF(self._text_x(low), y, (high - low) * self._advance, self._height), colour)

    # --- events ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._refit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def _move(self, place: int, *, extend: bool) -> None:
        self._place = min(max(place, 0), self._size)
        if not extend:
            self._anchor = self._place
        self._reveal(self._place)
        self.selection_changed.emit(*self.selection())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move(self._offset_at(event.position().toPoint()), extend=extend)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move(self._offset_at(event.position().toPoint()), extend=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        row, page = self._per_row, self._per_row * max(1, self.verticalScrollBar().pageStep() - 1)
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -row,
            Qt.Key.Key_Down: row,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -self._size if control else -(self._place % row),
            Qt.Key.Key_End: self._size if control else row - 1 - self._place % row,
        }
        key = Qt.Key(event.key())
        if key in steps:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move(self._place + steps[key], extend=extend)
        elif control and key == Qt.Key.Key_A:
            self._anchor = 0
            self._move(self._size, extend=True)
        elif control and key == Qt.Key.Key_C:
            self.copy_hex()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        first, last = self.selection()
        menu.addAction(icons.icon("copy"), "Copy as hex\tCtrl+C", self.copy_hex).setEnabled(first < last)
        menu.addAction("Copy as text", self.copy_text).setEnabled(first < last)
        menu.popup(event.globalPos())
