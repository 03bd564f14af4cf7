"""Searching a large text in slices, and the bar above it."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.inputs import SearchEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_STEP: Final = 1 << 18
LIMIT: Final = 100_000


class Finder:
    """All places of a text in `data`, in order, up to `LIMIT`. Capital letters in what is sought make case count.

    Without regard to case only ASCII letters are equal to their other form.
    """

    def __init__(self, data: bytes | bytearray, sought: str) -> None:
        raw = sought.encode("utf-8", "surrogatepass")
        self.length = len(raw)
        self.places = array("q")
        self.seen = 0
        self._data = data
        flags = re.IGNORECASE if sought == sought.lower() else re.RegexFlag(0)
        self._pattern = re.compile(re.escape(raw), flags)

    @property
    def done(self) -> bool:
        """Whether the whole text has been searched, or enough was found."""
        return self.seen >= len(self._data) or len(self.places) >= LIMIT

    def step(self, limit_ns: int) -> bool:
        """Go on until the time is up; True when done."""
        deadline = perf_counter_ns() + limit_ns
        while not self.done:
            end = min(self.seen + _STEP, len(self._data))
            start = self.places[-1] + self.length if self.places else 0
            start = max(start, self.seen - self.length + 1, 0)
            self.places.extend([found.start() for found in self._pattern.finditer(self._data, start, end)])
            self.seen = end
            if perf_counter_ns() >= deadline:
                break
        return self.done

    def between(self, first: int, last: int) -> array[int]:
        """The places that touch a range of bytes."""
        low = bisect_left(self.places, first - self.length + 1)
        return self.places[low : bisect_left(self.places, last)]

    def after(self, offset: int) -> int:
        """The number of the first place at or after an offset; the first of all when there is none."""
        index = bisect_left(self.places, offset)
        return index if index < len(self.places) else 0


class FindBar(QWidget):
    """Find in the text, or go to a line of it."""

    sought = Signal(str)
    stepped = Signal(int)
    """1 for the next place, -1 for the one before."""
    line_wanted = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._edit = SearchEdit("Find")
        self._line = QLineEdit()
        self._line.setPlaceholderText("Go to line")
        self._line.setAccessibleName("Go to line")
        self._count = QLabel()
        theme.mark(self._count, role="muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(6, 3, 6, 3)
        layout.setSpacing(4)
        layout.addWidget(self._edit, 1)
        layout.addWidget(self._line, 1)
        layout.addWidget(self._count)
        self._steps = [
            self._button("chevron-up", "Previous (Shift+F3)", lambda: self.stepped.emit(-1)),
            self._button("chevron-down", "Next (F3)", lambda: self.stepped.emit(1)),
        ]
        self._button("x", "Close (Esc)", self.closed.emit)
        self._edit.textChanged.connect(self.sought)
        self._edit.left.connect(self.closed)
        self._edit.submitted.connect(lambda: self.stepped.emit(1))
        self._line.returnPressed.connect(self._go)
        self.hide()

    def _button(self, icon: str, tip: str, act: object) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icons.icon(icon))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(act)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(button)
        return button

    def open_find(self, text: str) -> None:
        """Show the search field, with this text unless it is empty."""
        self._mode(find=True)
        if text:
            self._edit.setText(text)
        self._edit.setFocus()
        self._edit.selectAll()

    def open_line(self, lines: int) -> None:
        """Show the line field."""
        self._mode(find=False)
        self._count.setText(f"of {lines:,}")
        self._line.setFocus()
        self._line.selectAll()

    def _mode(self, *, find: bool) -> None:
        self._edit.setVisible(find)
        self._line.setVisible(not find)
        self._count.clear()
        for button in self._steps:
            button.setVisible(find)
        self.show()

    def text(self) -> str:
        """What is sought."""
        return self._edit.text()

    def show_count(self, index: int, total: int, *, done: bool) -> None:
        """``3 of 120``, ``120 so far``, ``nothing found``."""
        more = "" if done and total < LIMIT else "+"
        if not self._edit.text():
            words = ""
        elif not total:
            words = "nothing found" if done else "searching"
        else:
            words = f"{index + 1:,} of {total:,}{more}"
        self._count.setText(words)
        theme.mark(self._edit, invalid=bool(self._edit.text()) and not total and done)

    def _go(self) -> None:
        text = self._line.text().strip().replace(",", "").replace(" ", "")
        good = text.isascii() and text.isdigit()
        theme.mark(self._line, invalid=not good)
        if good:
            # A number of a person, not of a wire; still bounded, because a signal's int has 32 bits.
            self.line_wanted.emit(min(int(text[:9]), 2**31 - 1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() == Qt.Key.Key_F3:
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)


class Search(QObject):
    """What is sought in one text, and where the search stands; its view draws the places and calls `step`."""

    shown = Signal(object, object)
    """First and last offset of the place to be shown. Objects, because a signal's int has 32 bits."""
    changed = Signal()
    """There is more to draw, or more to do."""

    def __init__(self, bar: FindBar) -> None:
        super().__init__(bar)
        self.bar = bar
        self.finder: Finder | None = None
        self.found = -1
        self.start = 0
        self._data: bytes | bytearray = b""
        bar.sought.connect(self.seek)
        bar.stepped.connect(self.go)

    @property
    def done(self) -> bool:
        """Whether nothing is being sought any more."""
        return self.finder is None or self.finder.done

    def set_data(self, data: bytes | bytearray) -> None:
        """Search in another text; what was sought is sought there too."""
        self._data = data
        self.start = 0
        self.seek(self.bar.text() if self.bar.isVisible() else "")

    def seek(self, text: str) -> None:
        """Seek something else, from `start` on; empty ends it."""
        self.finder = Finder(self._data, text) if text else None
        self.found = -1
        self.changed.emit()

    def step(self, limit_ns: int) -> None:
        """Search on for a while, and show the first place as soon as it is known."""
        finder = self.finder
        if finder is None:
            self.bar.show_count(0, 0, done=True)
            return
        finder.step(limit_ns)
        if self.found < 0 and finder.places and (finder.done or finder.places[-1] >= self.start):
            self.found = finder.after(self.start)
            self._show()
        self.bar.show_count(max(self.found, 0), len(finder.places), done=finder.done)

    def go(self, by: int) -> None:
        """Show the next (1) or previous (-1) place, around the ends."""
        if self.finder is not None and self.finder.places:
            self.found = (self.found + by) % len(self.finder.places)
            self._show()
            self.bar.show_count(self.found, len(self.finder.places), done=self.finder.done)

    def _show(self) -> None:
        if self.finder is not None:
            place = self.finder.places[self.found]
            self.shown.emit(place, place + self.finder.length)
