"""The field that finds everything, in the tool bar, and the list that opens below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.models.palette import Entry, is_sure, ranked
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.inputs import SearchEdit

if TYPE_CHECKING:
    from collections.abc import Callable

_WIDTH = 620
_ROWS = 14
_ENTRY = Qt.ItemDataRole.UserRole


class PaletteField(SearchEdit):
    """The field. `gather` is asked for the entries each time it opens."""

    def __init__(self, gather: Callable[[], list[Entry]], parent: QWidget | None = None) -> None:
        super().__init__("Search everything…   Ctrl+K", parent=parent)
        self.setObjectName("palette")
        self.setAccessibleName("Search everything")
        self._gather = gather
        self._entries: list[Entry] = []
        self._list: PaletteList | None = None
        self._before: QWidget | None = None
        self.textEdited.connect(lambda _: self._show())

    def open(self) -> None:
        """Take the keyboard and show everything."""
        before = self.window().focusWidget()
        if before is not self:
            self._before = before
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        self._entries = self._gather()
        self._show()

    def close_list(self) -> None:
        """Hide the list and empty the field."""
        if self._list is not None:
            self._list.hide()
        self.clear()

    @property
    def list(self) -> PaletteList | None:
        """The list, once it was opened."""
        return self._list

    def _show(self) -> None:
        if not self._entries:
            self._entries = self._gather()
        if self._list is None:
            self._list = PaletteList(self.window())
            self._list.picked.connect(self._picked)
        entries = ranked(self._entries, self.text())
        self._list.show_entries(entries, choose=bool(entries) and is_sure(entries[0], self.text()))
        self._place()

    def _place(self) -> None:
        if self._list is None:
            return
        window = self.window()
        width = min(_WIDTH, window.width() - 24)
        left = self.mapTo(window, QPoint(0, 0)).x() + (self.width() - width) // 2
        left = max(12, min(left, window.width() - width - 12))
        top = self.mapTo(window, QPoint(0, self.height())).y() + 4
        height = min(self._list.wanted_height(), window.height() - top - 12)
        self._list.setGeometry(left, top, width, height)
        self._list.show()
        self._list.raise_()

    def _picked(self, entry: Entry) -> None:
        self.close_list()
        self._give_back()
        entry.run()

    def _give_back(self) -> None:
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus()
        else:
            self.clearFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and Return work on the list; Escape gives the keyboard back."""
        key = event.key()
        shown = self._list is not None and self._list.isVisible()
        step = _STEPS.get(Qt.Key(key), 0)
        if self._list is not None and shown and step:
            self._list.step(step)
        elif self._list is not None and shown and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._list.pick()
        elif key == Qt.Key.Key_Escape:
            self.close_list()
            self._give_back()
        elif key == Qt.Key.Key_Down:
            self.open()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving it closes the list."""
        super().focusOutEvent(event)
        if self._list is not None and event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self._list.hide()
        self._entries = []


_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _ROWS, Qt.Key.Key_PageUp: -_ROWS}


class _Model(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == _ENTRY:
            return entry
        return f"{entry.kind} {entry.text}" if role == Qt.ItemDataRole.DisplayRole else None


class _Line(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, rows.line_height(option.widget, theme.font()) + 10)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry: Entry = index.data(_ENTRY)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 0, -rows.PAD, 0)
        drawn = icons.pixmap(entry.icon or "command", 16, "muted", painter.device().devicePixelRatioF())
        painter.drawPixmap(area.left(), area.center().y() - 7, drawn)
        area.setLeft(area.left() + 26)
        small, muted = theme.font("small"), theme.colour("muted")
        taken = rows.text(painter, area, entry.keys or entry.kind, small, muted, right=True)
        area.setRight(area.right() - taken - 10)
        used = rows.text(painter, area, entry.text, theme.font(bold=True), theme.colour("text"))
        rest = QRect(area.left() + used + 10, area.top(), area.width() - used - 10, area.height())
        rows.text(painter, rest, entry.detail, small, muted)


class PaletteList(QFrame):
    """The list below the field. It is a child of the window, not a popup: it takes no keyboard and no grab."""

    picked = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("palette-list")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._model = _Model(self)
        self.view = QListView()
        self.view.setModel(self._model)
        self.view.setItemDelegate(_Line(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.clicked.connect(lambda index: self.picked.emit(index.data(_ENTRY)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.addWidget(self.view)
        window.installEventFilter(self)

    def show_entries(self, entries: list[Entry], *, choose: bool = True) -> None:
        """Show these; the first one is chosen, or none, so that Return alone does nothing that was not meant."""
        self._model.beginResetModel()
        self._model.entries = entries
        self._model.endResetModel()
        self.view.setVisible(bool(entries))
        if entries and choose:
            self.view.setCurrentIndex(self._model.index(0))

    def entries(self) -> list[Entry]:
        """What is shown."""
        return list(self._model.entries)

    def wanted_height(self) -> int:
        """As many rows as there are, up to fourteen."""
        return max(1, min(len(self._model.entries), _ROWS)) * max(self.view.sizeHintForRow(0), 24) + 4

    def step(self, by: int) -> None:
        """Move the choice."""
        last = len(self._model.entries) - 1
        if last >= 0:
            row = self.view.currentIndex().row() + by
            row = 0 if row > last and by == 1 else last if row < 0 and by == -1 else max(0, min(row, last))
            self.view.setCurrentIndex(self._model.index(row))

    def pick(self) -> None:
        """Take the chosen one."""
        entry = self.view.currentIndex().data(_ENTRY)
        if entry is not None:
            self.picked.emit(entry)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A window that changes its size closes the list."""
        if event.type() == QEvent.Type.Resize:
            self.hide()
        return False

    def paintEvent(self, _: Any) -> None:
        """A quiet frame."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("base"))
        painter.setPen(theme.colour("edge"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if not self._model.entries:
            painter.setPen(theme.colour("muted"))
            painter.drawText(self.rect().adjusted(12, 0, -12, 0), int(Qt.AlignmentFlag.AlignVCenter), "Nothing has it")
