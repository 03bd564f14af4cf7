"""Shows JSON as a tree that is read as it is opened."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets import json_place, json_spans
from mcp_inspector.ui.widgets.json_model import JsonModel, Node, dotted, media_of, pointer

if TYPE_CHECKING:
    from collections.abc import Callable

_OPENED: Final = 60
_LARGE: Final = 1 << 18
_MOMENT_NS: Final = 8_000_000
_OPEN_ALL: Final = 3000


class JsonTree(QTreeView):
    """A read-only JSON tree: names, values as spelled, counts; strings that hold JSON open too."""

    menu_opening = Signal(QMenu, str, bytes)
    """The context menu is about to be shown, over this JSON Pointer and this value's text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = JsonModel(self)
        self._before: dict[json_place.Key, bytes] | None = None
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setFont(theme.mono())
        self.setAccessibleName("JSON tree")

    def set_json(self, text: bytes, *, keep: bool = False) -> bool:
        """Show a JSON text, opened a little; False, and empty, when it is none.

        `keep`: it is a newer version of what is shown. What is open, chosen and seen stays so, and what is another
        value now is marked.
        """
        place = json_place.take(self) if keep else None
        good = self._model.set_text(text)
        self._before = place.texts if place is not None else None
        if place is not None:
            json_place.put(self, place)
        elif good:
            self._open_some(QModelIndex(), _OPENED)
        return good

    def node_at(self, index: QModelIndex | QPersistentModelIndex) -> Node:
        """The value that a row shows."""
        return self._model.node(index)

    def is_changed(self, index: QModelIndex | QPersistentModelIndex) -> bool:
        """Whether a row shows another value than the version before did."""
        if self._before is None:
            return False
        node = self._model.node(index)
        return self._before.get(json_place.key(node)) != bytes(node.text)

    def set_mask(self, mask: Callable[[str, str], str] | None) -> None:
        """Show of each value what this makes of its name and its text; None shows all as it is."""
        self._model.mask = mask if mask is not None else (lambda name, shown: shown)
        self.viewport().update()

    def media(self) -> bytes:
        """What is encoded in the chosen value; nothing when it is no base64 of a kind."""
        node = self.node()
        return media_of(node) if node is not None else b""

    def node(self) -> Node | None:
        """What is chosen."""
        index = self.currentIndex()
        return self._model.node(index) if index.isValid() else None

    def pointer(self) -> str:
        """The chosen value's JSON Pointer, empty for the root."""
        node = self.node()
        return pointer(node.path()) if node is not None else ""

    def copy_value(self) -> None:
        """The chosen value's JSON text to the clipboard, exactly as spelled; everything when nothing is chosen."""
        node = self.node() or self._model.root
        _copy(node.raw().decode("utf-8", "replace"))

    def copy_string(self) -> None:
        """What the chosen string says, without quotes and escapes."""
        node = self.node()
        value = json_spans.string(node.text) if node is not None else None
        if value is not None:
            _copy(value)

    def copy_path(self) -> None:
        """The chosen value's path, like ``$.content[0].text``."""
        node = self.node()
        _copy(dotted(node.path()) if node is not None else "$")

    def copy_pointer(self) -> None:
        """The chosen value's JSON Pointer."""
        _copy(self.pointer())

    def copy_all(self) -> None:
        """The whole text to the clipboard."""
        _copy(self._model.root.raw().decode("utf-8", "replace"))

    def open_below(self) -> None:
        """Open everything below the chosen value, as far as that stays readable."""
        index = self.currentIndex()
        self.expand(index)
        self._open_some(index, _OPEN_ALL)

    def _open_some(self, index: QModelIndex, budget: int) -> None:
        """Open level by level while all the rows of a level fit into the budget, and for no longer than a moment."""
        deadline = perf_counter_ns() + _MOMENT_NS
        level = [index]
        while level:
            following: list[QModelIndex] = []
            for parent in level:
                rows = self._model.rowCount(parent)
                budget -= rows
                if budget < 0 or perf_counter_ns() > deadline:
                    return
                if parent.isValid():
                    self.expand(parent)
                children = (self._model.index(row, 0, parent) for row in range(rows))
                following += [child for child in children if self._opens(self._model.node(child))]
            level = following

    @staticmethod
    def _opens(node: Node) -> bool:
        return len(node.text) < _LARGE and node.has_children

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_value()
        elif event.key() == Qt.Key.Key_Asterisk:
            # Qt's own would open millions of rows.
            self.open_below()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(self.viewport().mapFrom(self, event.pos()))
        if index.isValid():
            self.setCurrentIndex(index)
        node = self.node()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icons.icon("copy"), "Copy value\tCtrl+C", self.copy_value)
        if node is not None and node.kind == '"':
            menu.addAction("Copy text without escapes", self.copy_string)
        menu.addAction("Copy path", self.copy_path)
        menu.addAction("Copy JSON Pointer", self.copy_pointer)
        menu.addAction("Copy all", self.copy_all)
        menu.addSeparator()
        menu.addAction("Open all below\t*", self.open_below)
        menu.addAction("Close all", self.collapseAll)
        raw = bytes(node.text) if node is not None and len(node.text) < 10_000 else b""
        self.menu_opening.emit(menu, self.pointer(), raw)
        menu.popup(event.globalPos())


class _Delegate(QStyledItemDelegate):
    def __init__(self, tree: JsonTree) -> None:
        super().__init__(tree)
        self._tree = tree

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        area = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.colour("selection"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(area, theme.colour("hover"))
        painter.setFont(option.font)
        metrics = QFontMetrics(option.font)
        name = index.data(JsonModel.NameRole)
        place = area.adjusted(3, 0, -4, 0)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(theme.colour("key"))
        shown = metrics.elidedText(f"{name}:", Qt.TextElideMode.ElideMiddle, max(40, place.width() * 2 // 3))
        painter.drawText(place, middle, shown)
        place.setLeft(place.left() + metrics.horizontalAdvance(shown + " "))
        painter.setPen(theme.colour(index.data(JsonModel.InkRole)))
        value = metrics.elidedText(index.data(JsonModel.ValueRole), Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, middle, value)
        if self._tree.is_changed(index):
            painter.fillRect(area.left() - 2, area.top(), 3, area.height(), theme.colour("accent"))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, QFontMetrics(option.font).height() + 4)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
