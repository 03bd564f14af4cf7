"""What stands above a form in the words of its server, and what it says while the JSON is not complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QWidget

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.forms.marks import Mark, TextButton

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

_SHORT, _SHORT_LINES, _LONGEST = 320, 4, 12_000
_BAR = 30


class HeadText(QWidget):
    """A description that is cut to a few lines until somebody asks for all of it."""

    toggled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self._open = False
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        theme.mark(self._label, role="muted")
        self._below = QLabel(self)
        self._below.setTextFormat(Qt.TextFormat.PlainText)
        theme.mark(self._below, role="muted")
        self._more = TextButton(self, "More", run=self._toggle)
        self._more.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Another description."""
        self._text, self._open = plain.lines(text[:_LONGEST]).strip(), False

    def say_below(self, text: str) -> None:
        """A sentence of our own below it."""
        self._below.setText(text)
        self.toggled.emit()

    @property
    def cut(self) -> bool:
        """Whether there is more than is shown."""
        return len(self._text) > _SHORT or self._text.count("\n") >= _SHORT_LINES

    def _toggle(self) -> None:
        self._open = not self._open
        self.toggled.emit()

    def _shown(self) -> str:
        if self._open or not self.cut:
            return self._text
        short = "\n".join(self._text[:_SHORT].split("\n")[:_SHORT_LINES]).rstrip()
        return f"{short} …"

    def place(self, left: int, top: int, width: int) -> int:
        """Place it; the height with the space below, 0 when it says nothing."""
        shown = self._shown()
        self.setVisible(bool(shown or self._below.text()))
        if self.isHidden():
            return 0
        if self._label.text() != shown:
            self._label.setText(shown)
        y = 0
        self._label.setVisible(bool(shown))
        if shown:
            tall = self._label.heightForWidth(width)
            self._label.setGeometry(0, 0, width, tall)
            y = tall
        self._more.setVisible(self.cut)
        if self.cut:
            self._more.set_text("Less" if self._open else "More")
            wide = self._more.sizeHint().width()
            self._more.setGeometry(width - wide if self.isRightToLeft() else 0, y + 2, wide, measure.line())
            y += measure.line() + 2
        self._below.setVisible(bool(self._below.text()))
        if self._below.text():
            y += 6 if y else 0
            self._below.setGeometry(0, y, width, measure.line())
            y += measure.line()
        self.setGeometry(left, top, width, y)
        return y + 10


class WaitingBar(Mark):
    """At the lower edge of a form that waits; a click goes to where the JSON is wrong."""

    activated = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Go to where the JSON is wrong")
        self._words = "The JSON is not complete: the form waits, and nothing is sent. Click to see where."
        self.setAccessibleName(self._words)
        self.clicked.connect(self.activated)
        self.hide()

    def place(self, around: QSize) -> None:
        """Along the lower edge."""
        self.setGeometry(0, around.height() - _BAR, around.width(), _BAR)

    def paintEvent(self, _: QPaintEvent) -> None:
        """A tint and the words."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.mixed("warn", "base", 0.2 if self._lit else 0.13))
        painter.fillRect(0, 0, self.width(), 1, theme.colour("line"))
        icon = icons.pixmap("triangle-alert", 14, "warn", self.devicePixelRatioF())
        painter.drawPixmap(14, (self.height() - 14) // 2, icon)
        area = QRect(36, 0, self.width() - 44, self.height())
        measure.draw(painter, area, self._words, "warn", "small", wrap=False)
