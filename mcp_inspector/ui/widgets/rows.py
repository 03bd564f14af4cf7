"""Rows of a name and a value: facts about a process, a response, a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QGridLayout, QMenu, QScrollArea, QSizePolicy, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QResizeEvent


class Fact(NamedTuple):
    """One row. `mono` for what came over a wire; `tone` is a named colour."""

    name: str
    value: str
    mono: bool = False
    tone: str = "text"


LAID_OUT = 20_000
"""How many characters of a value are drawn: the layout of a text is worked out whole, many times, on the spot."""


_NAME_WIDTH = 24
"""The most that a name takes, in characters; the tooltip has the rest."""


class ValueLabel(QWidget):
    """Plain text of any length that wraps anywhere, can be selected, and is copied exactly as it is."""

    def __init__(
        self, text: str = "", *, mono: bool = False, tone: str = "text", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._tone = tone
        self._anchor = self._end = 0
        self._strong = (0, 0)
        self.setFont(theme.mono() if mono else theme.font())
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._set(text)

    def setText(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._anchor = self._end = 0
            self._set(text)
            self.updateGeometry()
            self.update()

    def _set(self, text: str) -> None:
        self._text = text
        more = len(text) - LAID_OUT
        cut = text if more <= 0 else f"{text[:LAID_OUT]}… {more:,} more characters, which are copied with the rest"
        self._shown = Shown(cut, lines=True)
        self.setAccessibleName(text[:500])

    def text(self) -> str:
        """The whole value."""
        return self._text

    def emphasise(self, first: int, last: int) -> None:
        """Make a part stand out, such as the host of an address."""
        self._strong = (first, last)
        self.updateGeometry()
        self.update()

    def selected(self) -> str:
        """The selected part, or all of it when nothing is selected."""
        first, last = sorted((self._anchor, self._end))
        last = len(self._text) if last > LAID_OUT else last
        return self._text[first:last] if first != last else self._text

    def copy(self) -> None:
        """Put the selection on the clipboard."""
        QGuiApplication.clipboard().setText(self.selected())

    def _layout(self, width: int) -> tuple[QTextLayout, float]:
        layout = QTextLayout(self._shown.text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        height = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(20, width))
            line.setPosition(QPointF(0, height))
            height += line.height()
        layout.endLayout()
        return layout, height

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(self.fontMetrics().height(), int(self._layout(width)[1] + 0.99))

    def sizeHint(self) -> QSize:
        width = min(420, self.fontMetrics().horizontalAdvance(self._shown.text[:400]) + 2)
        return QSize(width, self.heightForWidth(max(width, 60)))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(theme.colour(self._tone))
        marks = []
        if self._strong[0] < self._strong[1]:
            first, last = self._shown.place(self._strong[0]), self._shown.place(self._strong[1])
            strong = QTextCharFormat()
            strong.setForeground(theme.colour("accent"))
            strong.setFontUnderline(True)
            part = QTextLayout.FormatRange()
            part.start, part.length, part.format = first, last - first, strong
            marks.append(part)
        if self._anchor != self._end:
            first, last = sorted((self._shown.place(self._anchor), self._shown.place(self._end)))
            mark = QTextLayout.FormatRange()
            mark.start, mark.length = first, last - first
            look = QTextCharFormat()
            look.setBackground(self.palette().color(QPalette.ColorRole.Highlight))
            mark.format = look
            marks.append(mark)
        self._layout(self.width())[0].draw(painter, QPointF(0, 0), marks)

    def _place(self, event: QMouseEvent) -> int:
        layout, _ = self._layout(self.width())
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            if event.position().y() < line.y() + line.height() or number == layout.lineCount() - 1:
                return self._shown.index(line.xToCursor(event.position().x()))
        return 0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._anchor = self._end = self._place(event)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._end = self._place(event)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._anchor, self._end = 0, len(self._text)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._anchor = self._end = 0
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._anchor, self._end = 0, len(self._text)
            self.update()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icons.icon("copy"), "Copy").triggered.connect(self.copy)
        menu.popup(event.globalPos())


class _Name(ElidedLabel):
    """A name as wide as it is, but never so wide that a server's own names push the values off the page."""

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * _NAME_WIDTH), hint.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class KeyValueRows(QWidget):
    """A grid of facts: names quiet on the left, values beside them, as high as it needs to be."""

    def __init__(self, facts: Iterable[Fact] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(10, 8, 10, 8)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._facts: list[Fact] = []
        self.set_facts(facts)

    def set_facts(self, facts: Iterable[Fact]) -> None:
        """Show these instead; a fact without a value is left out, one without a name spans both columns."""
        wanted = [fact for fact in facts if fact.value]
        if wanted == self._facts:
            return
        self._facts = wanted
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, fact in enumerate(wanted):
            value = ValueLabel(fact.value, mono=fact.mono, tone=fact.tone)
            if not fact.name:
                self._grid.addWidget(value, row, 0, 1, 2)
                continue
            name = _Name(fact.name, "muted")
            self._grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value, row, 1)

    def set_name_width(self, width: int) -> None:
        """The least width of the names, so that several of these can stand in one line."""
        self._grid.setColumnMinimumWidth(0, width)

    def name_width(self) -> int:
        """The width that its names need."""
        return max((self.fontMetrics().horizontalAdvance(fact.name) for fact in self._facts if fact.name), default=0)

    def text(self) -> str:
        """All rows as ``name: value`` lines."""
        return "\n".join(f"{fact.name}: {fact.value}" if fact.name else fact.value for fact in self._facts)


class ScrolledRows(QScrollArea):
    """Facts as high as they are up to a limit (px), and scrolled from there on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = KeyValueRows()
        self._limit = 200
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.rows)

    def set_facts(self, facts: Iterable[Fact]) -> None:
        """Show these instead."""
        self.rows.set_facts(facts)
        self._fit()

    def set_limit(self, limit: int) -> None:
        """How high they may be."""
        if limit != self._limit:
            self._limit = limit
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self.rows.layout()
        assert layout is not None
        layout.invalidate()
        wide = self.viewport().width()
        high = layout.totalHeightForWidth(wide) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
        self.setFixedHeight(max(0, min(high, self._limit)))
