"""Shows a text of any size: draws the rows that are seen, from the bytes as they are, and nothing else.

Qt's text widgets lay out everything, take a minute for one long line, and change line ends and spaces; so wire content
goes into this view. What is copied is what is there, with its line feeds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets import text_keys
from mcp_inspector.ui.widgets.text_find import FindBar, Search
from mcp_inspector.ui.widgets.text_mouse import TextMouse
from mcp_inspector.ui.widgets.text_page import Frame, TextPage
from mcp_inspector.ui.widgets.text_sight import TextSight

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent

    from mcp_inspector.ui.widgets.text_cursor import TextCursor
    from mcp_inspector.ui.widgets.text_index import LineIndex
    from mcp_inspector.ui.widgets.text_row import Row

Colouring = Literal["", "json"]

_SLICE_NS: Final = 4_000_000
_FIRST: Final = 1 << 18
_MANY: Final = 50_000


class TextView(QAbstractScrollArea):
    """A read-only view of a text, monospace, with selection, search, go to line, wrapping and zoom."""

    menu_opening = Signal(QMenu)
    """The context menu is about to be shown: the place to add actions to it."""
    selection_changed = Signal()

    def __init__(self, parent: QWidget | None = None, *, numbers: bool = True) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Text")
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._page = TextPage()
        self._numbers, self.wrapped, self._follow = numbers, True, False
        self._zoom = 0
        self._sight = TextSight(self, self._page, numbers=numbers)
        self._placeholder = ""
        self._bar = FindBar(self)
        self._bar.line_wanted.connect(self.go_to_line)
        self._bar.closed.connect(self.close_bar)
        self._search = Search(self._bar)
        self._search.shown.connect(self.select)
        self._search.changed.connect(self._searched)
        self._work = QTimer(self)
        self._work.setInterval(0)
        self._work.timeout.connect(self._go_on)
        # Breaking a million lines anew takes a moment: not for every step of a splitter that is being dragged.
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(60)
        self._settle.timeout.connect(self._sight.refit)
        self._mouse = TextMouse(self)

    @property
    def index(self) -> LineIndex:
        """Lines and rows of the text."""
        return self._page.index

    @property
    def caret(self) -> TextCursor:
        """The cursor and the selection."""
        return self._page.caret

    @property
    def row_height(self) -> int:
        """Pixels from row to row."""
        return self._page.height

    # --- content ---

    def set_bytes(self, data: bytes, colouring: Colouring = "", *, fold: bool = False, keep: bool = False) -> None:
        """Show these bytes as UTF-8; what is no UTF-8 is shown as its value. `fold` folds very long lines.

        `keep`: a newer version of what is shown. What is seen and selected stays so, and changed lines are marked.
        """
        kept = self._sight.keep() if keep else None
        self._page.set_data(data, json=colouring == "json", fold=fold)
        self._sight.widest = 0.0
        self.index.grow(_SLICE_NS, _FIRST)
        self.verticalScrollBar().setValue(0)
        self.horizontalScrollBar().setValue(0)
        self._sight.refit()
        if kept is not None:
            self._sight.restore(kept)
        self._search.set_data(data)
        self._more_to_do()
        self.selection_changed.emit()

    def set_text(self, text: str, colouring: Colouring = "", *, keep: bool = False) -> None:
        """Show a text; `keep` as with bytes."""
        self.set_bytes(text.encode("utf-8", "surrogatepass"), colouring, keep=keep)

    def changed_lines(self) -> tuple[tuple[int, int], ...]:
        """Ranges of lines, counted from 0, that are marked as changed."""
        return self._page.changed

    def append(self, more: bytes) -> None:
        """Add bytes at the end; a view that stands at the end, and is told to follow, stays there."""
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        self.index.append(more)
        self._search.set_data(self.index.data)
        # The last row may have been drawn shorter than it is now.
        self._forget()
        self.index.grow(_SLICE_NS)
        self._sight.set_range()
        if self._follow and at_end:
            bar.setValue(bar.maximum())
        self._more_to_do()

    def set_follow(self, on: bool) -> None:
        """Whether to stay at the end when text is added there."""
        self._follow = on

    def set_placeholder(self, sentence: str) -> None:
        """What to say while there is no text."""
        self._placeholder = sentence
        self.viewport().update()

    def set_wrap(self, on: bool) -> None:
        """Break lines at the width of the view, or only very long ones."""
        self.wrapped = on
        self._sight.refit()

    def set_fold(self, on: bool) -> None:
        """Fold lines of more than eight rows, each of which a click opens; copying and searching see all of them."""
        self.index.set_fold(on)
        self._forget()
        self._sight.refit()

    def open_fold(self, offset: int) -> bool:
        """Open the fold that holds a byte; False when there is none."""
        line = self.index.line_at(offset)
        if not self.index.is_fold(line, self.index.part_at(line, offset)):
            return False
        self.index.open(line)
        self._forget()
        self._sight.set_range()
        return True

    def data(self) -> bytes:
        """All bytes."""
        return bytes(self.index.data)

    def line_count(self) -> int:
        """How many lines are known by now."""
        return self.index.lines

    def is_ready(self) -> bool:
        """Whether all lines are known and every search has ended."""
        return self.index.done and self._search.done

    # --- selection ---

    def selected_bytes(self) -> bytes:
        """The selected bytes, exactly."""
        first, last = self.caret.selection
        return bytes(self.index.data[first:last])

    def selection(self) -> tuple[int, int]:
        """First and last byte offset of the selection; equal when nothing is selected."""
        return self.caret.selection

    def select(self, first: int, last: int) -> None:
        """Select bytes and bring them into view."""
        self.caret.set(first, last)
        self.reveal(last, first)

    def select_all(self) -> None:
        """Select everything."""
        self.caret.set(0, len(self.index.data))
        self.show_selection()

    def copy(self) -> None:
        """The selection to the clipboard, with line feeds as they are; nothing when nothing is selected."""
        raw = self.selected_bytes()
        if raw:
            QGuiApplication.clipboard().setText(raw.decode("utf-8", "replace"))

    def copy_all(self) -> None:
        """Everything to the clipboard."""
        QGuiApplication.clipboard().setText(bytes(self.index.data).decode("utf-8", "replace"))

    def show_selection(self) -> None:
        """Draw the selection as it is now, and tell of it."""
        self.viewport().update()
        self.selection_changed.emit()

    # --- search ---

    def open_find(self) -> None:
        """Open the find bar, with the selection if it is short."""
        chosen = self.selected_bytes()
        text = chosen.decode("utf-8", "replace") if len(chosen) < 200 and b"\n" not in chosen else ""
        self._search.start = self.caret.selection[0]
        self._bar.open_find(text)
        self._place_bar()
        self._search.seek(self._bar.text())

    def open_line(self) -> None:
        """Open the bar that goes to a line."""
        self._bar.open_line(self.index.lines)
        self._place_bar()

    def search(self, text: str) -> None:
        """Mark all places of a text and show the first after the cursor; the search goes on in slices."""
        self._search.start = self.caret.selection[0]
        self._search.seek(text)

    def search_next(self, step: int = 1) -> None:
        """Show the next (1) or previous (-1) found place, around the end."""
        self._search.go(step)

    def found(self) -> tuple[int, int]:
        """Which place is shown (from 0, -1 for none) and how many there are by now."""
        return self._search.found, len(self._search.finder.places) if self._search.finder else 0

    def go_to_line(self, number: int) -> None:
        """Put the cursor on a line, counted from 1."""
        while self.index.lines <= number and not self.index.grow(_SLICE_NS):
            pass
        self._sight.set_range()
        line = min(max(number, 1), self.index.lines) - 1
        start, end = self.index.span(line)
        self.caret.set(start, end)
        self.reveal(start)

    def close_bar(self) -> bool:
        """Close the find bar; False when it was not open."""
        if not self._bar.isVisible():
            return False
        self._bar.hide()
        self._search.seek("")
        self._place_bar()
        self.setFocus()
        return True

    def _place_bar(self) -> None:
        height = self._bar.sizeHint().height() if self._bar.isVisible() else 0
        if self.viewportMargins().top() != height:
            self.setViewportMargins(0, height, 0, 0)
        self._bar.setGeometry(0, 0, self.width(), height)

    # --- work in slices ---

    def _more_to_do(self) -> None:
        if not self.is_ready() and not self._work.isActive():
            self._work.start()

    def _go_on(self) -> None:
        if not self.index.done:
            self.index.grow(_SLICE_NS)
            self._sight.set_range()
        if not self._search.done:
            self._search.step(_SLICE_NS)
            self.viewport().update()
        if self.is_ready():
            self._work.stop()

    def _searched(self) -> None:
        self._search.step(_SLICE_NS)
        self.viewport().update()
        self._more_to_do()

    # --- geometry ---

    def zoom(self, steps: int) -> None:
        """Larger or smaller by points; 0 goes back to normal."""
        self._zoom = 0 if steps == 0 else min(max(self._zoom + steps, -4), 24)
        self._page.set_zoom(self._zoom)
        self._sight.refit()

    def _forget(self) -> None:
        self._page.forget()
        self.viewport().update()

    def _gutter(self) -> int:
        return self._sight.gutter

    def visible_rows(self) -> int:
        """How many whole rows fit."""
        return self._sight.rows

    def reveal(self, offset: int, also: int | None = None) -> None:
        """Scroll so that a byte is seen, and if there is room another one too."""
        self._sight.reveal(offset, also)
        self.show_selection()

    def row(self, line: int, part: int) -> Row:
        """A drawn row: of a line, and which of its rows."""
        return self._page.row(line, part)

    def _row_at(self, y: int) -> Row:
        row = min(max(self._sight.top + y // self.row_height, 0), self.index.rows - 1)
        return self.row(*self.index.locate(row))

    def offset_at(self, place: QPoint) -> int:
        """The byte that is drawn at a place of the viewport."""
        return self._row_at(place.y()).offset_at(place.x() - self._gutter() + self.horizontalScrollBar().value())

    def is_fold_at(self, place: QPoint) -> bool:
        """Whether a folded line's last row is drawn there."""
        return self._row_at(place.y()).folded > 0 and place.x() > self._gutter()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        area = self.viewport().rect()
        painter.fillRect(area, theme.colour("base"))
        if not self.index.data:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font())
            painter.drawText(area.adjusted(12, 8, -12, -8), Qt.TextFlag.TextWordWrap, self._placeholder)
            return
        shift = self.horizontalScrollBar().value()
        self._page.finder = self._search.finder
        frame = Frame(area, self._sight.top, shift, self._gutter(), self._numbers, self.hasFocus())
        widest = self._page.paint(painter, frame)
        if widest > self._sight.widest:
            self._sight.widest = widest
            QTimer.singleShot(0, self, self._sight.set_range)

    # --- events ---

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_bar()
        if self.index.lines < _MANY:
            self._sight.refit()
        else:
            self._settle.start()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.FontChange:
            self._page.set_zoom(self._zoom)
            self._sight.refit()
        super().changeEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.pressed(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._mouse.double_clicked(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.moved(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.released()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not text_keys.pressed(self, event):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = text_keys.menu(self)
        self.menu_opening.emit(menu)
        menu.popup(event.globalPos())
