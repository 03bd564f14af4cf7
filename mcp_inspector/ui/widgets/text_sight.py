"""What is seen of the text in a `TextView`: its rows in the width there is, how far it is scrolled, places to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from mcp_inspector.ui.widgets.text_change import change
from mcp_inspector.ui.widgets.text_page import MARGIN

if TYPE_CHECKING:
    from mcp_inspector.ui.widgets.text_page import TextPage
    from mcp_inspector.ui.widgets.text_view import TextView

LONGEST_ROW: Final = 1024
_INT_MAX: Final = 2**31 - 1


class Kept(NamedTuple):
    """A text, the byte at its upper edge, pixels it is scrolled to the right, and where the selection lies."""

    data: bytes
    top: int
    across: int
    selection: tuple[int, int]


class TextSight:
    """Serves one view and its page. `widest` is the widest row drawn so far, in pixels."""

    def __init__(self, view: TextView, page: TextPage, *, numbers: bool) -> None:
        self._view, self._page, self._numbers = view, page, numbers
        self.widest = 0.0

    @property
    def gutter(self) -> int:
        """Pixels before the text."""
        if not self._numbers:
            return MARGIN
        digits = max(2, len(str(self._page.index.lines)))
        return int(digits * self._page.advance) + 2 * MARGIN

    @property
    def room(self) -> int:
        """Pixels for the text, from left to right."""
        return self._view.viewport().width() - self.gutter - MARGIN

    @property
    def rows(self) -> int:
        """How many whole rows fit."""
        return max(1, self._view.viewport().height() // self._page.height)

    @property
    def top(self) -> int:
        """The first row that is seen."""
        return self._view.verticalScrollBar().value()

    def refit(self) -> None:
        """Break lines anew and keep the first row that is seen."""
        index = self._page.index
        line, part = index.locate(self.top)
        top = index.row_span(line, part)[0]
        columns = int(self.room / self._page.advance)
        width = max(16, columns) if self._view.wrapped else LONGEST_ROW
        if width != index.width:
            index.set_width(width)
            self._page.forget()
        self.set_range()
        self._view.verticalScrollBar().setValue(index.row_at(top))
        self._view.viewport().update()

    def set_range(self) -> None:
        """Tell the scroll bars how much there is."""
        bar, seen = self._view.verticalScrollBar(), self.rows
        bar.setPageStep(seen)
        bar.setRange(0, min(max(0, self._page.index.rows - seen), _INT_MAX))
        across, room = self._view.horizontalScrollBar(), self.room
        across.setPageStep(max(1, room))
        across.setSingleStep(int(self._page.advance * 4))
        across.setRange(0, max(0, int(self.widest - room + 1)))

    def reveal(self, offset: int, also: int | None = None) -> None:
        """Scroll so that a byte is seen, and if there is room another one too."""
        index = self._page.index
        if offset > index.scanned:
            index.grow(10**12, offset + 1)
            self.set_range()
        line = index.line_at(offset)
        if also is not None and also != offset and index.rows_of(line) > 1:
            # Something inside a folded line was found: it has to be seen.
            inside = (place for place in (offset, also) if index.line_at(place) == line)
            if any(index.span(line)[0] < place < index.span(line)[1] for place in inside):
                self._view.open_fold(offset)
        row, seen = index.row_at(offset), self.rows
        bar = self._view.verticalScrollBar()
        if not bar.value() <= row < bar.value() + seen:
            far = abs(row - bar.value()) > 2 * seen
            above = row < bar.value()
            bar.setValue(row - seen // 3 if far else row if above else row - seen + 1)
        self.set_range()
        row_ = self._page.row(*index.locate(row))
        across, room = self._view.horizontalScrollBar(), self.room
        self.widest = max(self.widest, row_.width)
        self.set_range()
        for place in (offset, also):
            if place is None or not row_.start <= place <= row_.end:
                continue
            x = row_.x_of(place)
            if x < across.value():
                across.setValue(int(x))
            elif x > across.value() + room:
                across.setValue(int(x - room) + 1)

    def keep(self) -> Kept:
        """What is seen now, to be found again in the next version of the text."""
        index = self._page.index
        top = index.row_span(*index.locate(self.top))[0]
        across = self._view.horizontalScrollBar().value()
        return Kept(bytes(index.data), top, across, self._page.caret.selection)

    def restore(self, kept: Kept) -> None:
        """Show what was seen before, where it is now, and mark the lines that are others."""
        index = self._page.index
        changed = change(kept.data, bytes(index.data))
        self._page.changed = changed.lines()
        self._page.caret.set(*map(changed.moved, kept.selection))
        top = changed.moved(kept.top)
        if top > index.scanned:
            index.grow(10**12, top + 1)
        self.set_range()
        self._view.verticalScrollBar().setValue(index.row_at(top))
        self._view.horizontalScrollBar().setValue(kept.across)
        self._view.viewport().update()
