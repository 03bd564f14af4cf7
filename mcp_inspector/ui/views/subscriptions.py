"""The Subscriptions dock: what the chosen server is asked to tell of, what it agreed to, and what has happened."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QListWidget,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.listening import Listening
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.labels import EmptyState
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.server import Server
    from mcp_inspector.session.subscriptions import Happened
    from mcp_inspector.ui.desk import Desk

HAPPENED = Qt.ItemDataRole.UserRole
_TONES = {
    "acknowledged": "ok",
    "updated": "accent",
    "refused": "error",
    "lost": "error",
    "waiting": "warn",
    "ended": "warn",
}
Index = QModelIndex | QPersistentModelIndex


class _History(QAbstractListModel):
    """What happened, newest on top."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._items: list[Happened] = []

    def show(self, items: list[Happened]) -> None:
        if items != self._items:
            self.beginResetModel()
            self._items = items
            self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._items):
            return None
        item = self._items[index.row()]
        if role == HAPPENED:
            return item
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{item.what} {plain.line(item.detail)}"
        return None


class _Row(QStyledItemDelegate):
    """Time, word and detail on one line."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, QFontMetrics(theme.font()).height() + 5)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        item: Happened = index.data(HAPPENED)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 0, -rows.PAD, 0)
        small, normal = theme.font("small"), theme.font()
        moment = time.strftime("%H:%M:%S", time.localtime(item.wall_ns / 1e9))
        left, wide = area.left(), QFontMetrics(small).horizontalAdvance("00:00:00 ") + 6
        rows.text(painter, QRect(left, area.top(), wide, area.height()), moment, small, theme.colour("muted"))
        word = QFontMetrics(normal).horizontalAdvance("closed by the server ")
        place = QRect(left + wide, area.top(), word, area.height())
        rows.text(painter, place, item.what, normal, theme.colour(_TONES.get(item.what, "text")))
        rest = QRect(place.right() + 6, area.top(), area.right() - place.right() - 6, area.height())
        rows.text(painter, rest, plain.line(item.detail), small, theme.colour("muted"))


class SubscriptionsView(QWidget):
    """Shows the chosen server."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._listening = Listening()
        self._pull = Pull(self.refresh, self)
        self.facts = KeyValueRows()
        self.watched = QListWidget()
        self.watched.setMinimumHeight(24)
        self.watched.setAccessibleName("Watched resources")
        self.uri = LongLineEdit(mono=True)
        self.uri.setPlaceholderText("any URI")
        self.uri.setAccessibleName("URI to watch")
        self.uri.returnPressed.connect(self.watch)
        self.watch_button = QPushButton(icons.icon("eye"), "Watch")
        self.watch_button.clicked.connect(self.watch)
        self.stop_button = QPushButton(icons.icon("eye-off"), "Stop")
        self.stop_button.setToolTip("Stop watching what is chosen below")
        self.stop_button.clicked.connect(self.unwatch)
        self.watched.itemSelectionChanged.connect(self._enable)
        self.model = _History(self)
        self.history = QListView()
        self.history.setModel(self.model)
        self.history.setItemDelegate(_Row(self.history))
        self.history.setUniformItemSizes(True)
        self.history.setAccessibleName("History of subscriptions")
        self.history.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._empty = EmptyState("eye", "Nothing is watched")
        self._stack = QStackedWidget()
        self._lay_out()
        desk.server_chosen.connect(self._server_chosen)
        self._server_chosen()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(8, 4, 8, 4)
        buttons.setSpacing(6)
        buttons.addWidget(self.uri, 1)
        for button in (self.watch_button, self.stop_button):
            buttons.addWidget(button)
        left = QWidget()
        theme.mark(left, surface="window")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.facts)
        column.addLayout(buttons)
        column.addWidget(self.watched, 1)
        self._stack.addWidget(self.history)
        self._stack.addWidget(self._empty)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(self._stack)
        left.setMinimumSize(180, 96)  # not higher: what stands behind this tab decides how low the panels can be
        self._desk.memory.splitter("subscriptions.splitter", splitter, [420, 640])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _server_chosen(self) -> None:
        self._listening.stop()
        server = self._server = self._desk.server
        if server is not None:
            self._listening.to(
                server.changed.connect(self._pull.soon),
                server.subscriptions.changed.connect(self._pull.soon),
            )
        self.refresh()

    def refresh(self) -> None:
        """Look again."""
        server = self._server
        self.facts.set_facts(facts(server) if server is not None else ())
        uris = sorted(server.subscriptions.uris) if server is not None else []
        if uris != [self.watched.item(at).text() for at in range(self.watched.count())]:
            self.watched.clear()
            self.watched.addItems(uris)
        history = list(reversed(server.subscriptions.history)) if server is not None else []
        self.model.show(history)
        self._empty.set(
            "Nothing has been subscribed to yet",
            "Watch a resource here or on the Resources page; what the server tells of it comes here."
            if server is not None
            else "There is no server.",
        )
        self._stack.setCurrentIndex(0 if history else 1)
        self._enable()

    def _enable(self) -> None:
        up = self._server is not None and self._server.status.up
        self.watch_button.setEnabled(up)
        self.stop_button.setEnabled(up and bool(self.watched.selectedItems()))

    def watch(self) -> None:
        """Watch what is typed."""
        uri = self.uri.text().strip()
        if self._server is not None and uri and self.watch_button.isEnabled():
            bridge.spawn(self._server.subscriptions.watch(uri), what=f"watching {uri}")
            self.uri.clear()

    def unwatch(self) -> None:
        """Stop watching what is chosen."""
        for item in self.watched.selectedItems():
            if self._server is not None:
                work = self._server.subscriptions.unwatch(item.text())
                bridge.spawn(work, what=f"watching {item.text()} no more")


def facts(server: Server) -> list[Fact]:
    """What is asked for and what is agreed, side by side."""
    identity, subscriptions = server.identity, server.subscriptions
    if identity is None or not server.status.up:
        return [Fact("State", f"{server.status.words()}: what is watched is asked for again at the next connect")]
    if identity.era == "legacy":
        declared = (
            "yes" if identity.has("resources.subscribe") else "no: the server does not declare resources.subscribe"
        )
        lists = [name for name in ("tools", "prompts", "resources") if identity.has(f"{name}.listChanged")]
        return [
            Fact("Watching", declared),
            Fact("Tells unasked", ", ".join(f"changed {name}" for name in lists) or "of no changed list"),
        ]
    requested, honoured = subscriptions.requested, subscriptions.honoured
    missing = [name for name in requested if name not in honoured]
    uris = requested.get("resourceSubscriptions", [])
    kept = honoured.get("resourceSubscriptions")
    unkept = [uri for uri in uris if isinstance(kept, list) and uri not in kept]
    return [
        Fact("Requested", _words(requested)),
        Fact("Honoured", _words(honoured) or "nothing yet"),
        Fact("Not honoured", ", ".join([*missing, *map(plain.line, unkept)]) if honoured else "", tone="warn"),
    ]


def _words(filters: Mapping[str, Any]) -> str:
    words = []
    for name, value in filters.items():
        words.append(f"{name} ({len(value)})" if isinstance(value, list) else name)
    return plain.line(", ".join(words))
