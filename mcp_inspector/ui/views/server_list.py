"""The Servers dock: every server with its honest state, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from mcp_inspector.config.variables import names_kept
from mcp_inspector.session.status import State
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.servers import SERVER, mark, subtitle, tone
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.labels import paint_pill

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_SIGN = 10
_ICON_ONLY = 30
_WORDS = 180
"""Pixels: the button of a row that is narrow is its icon."""


class ServerRow(QStyledItemDelegate):
    """Two lines: sign, name and a mark; below, how it is reached and its state in words."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Two lines and a little air."""
        return QSize(120, rows.line_height(option.widget, theme.font(bold=True), theme.font("small")) + 10)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a server."""
        server: Server = index.data(SERVER)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 5, -rows.PAD, -5)
        bold, small = theme.font(bold=True), theme.font("small")
        upper = QRect(area.left() + _SIGN + 8, area.top(), area.width() - _SIGN - 8, QFontMetrics(bold).height())
        lower = QRect(upper.left(), upper.bottom() + 1, upper.width(), area.bottom() - upper.bottom())
        state = server.status.state
        rows.sign(painter, state, QRectF(area.left(), upper.center().y() - _SIGN / 2 + 0.5, _SIGN, _SIGN))
        word, ink = mark(server)
        if state is State.NEEDS_SIGN_IN:
            button = sign_in_button(option.rect)
            painter.setFont(small)
            paint_pill(painter, QRectF(button), word if button.width() > _ICON_ONLY else "", "accent", "log-in")
            taken = button.width()
        else:
            taken = rows.text(painter, upper, word, small, theme.colour(ink), right=True)
        quiet = state in (State.DISABLED, State.IDLE)
        name = upper.adjusted(0, 0, -(taken + 8 if taken else 0), 0)
        rows.text(painter, name, plain.line(server.name), bold, theme.colour("muted" if quiet else "text"))
        trouble = not server.status.up and not quiet
        rows.text(painter, lower, subtitle(server), small, theme.colour(tone(state) if trouble else "muted"))


def sign_in_button(row: QRect) -> QRect:
    """Where the button of a server that needs a sign-in is, in its row."""
    metrics = QFontMetrics(theme.font("small"))
    words = metrics.horizontalAdvance("Sign in") + 34 if row.width() > _WORDS else _ICON_ONLY
    width, height = words, metrics.height() + 6
    return QRect(row.right() - rows.PAD - width, row.top() + 4, width, height)


class ServerList(QListView):
    """The list. What the person wants done is told by signals; the window does it."""

    wanted = Signal(str, str)
    """A command (`connect`, `disconnect`, `restart`, `edit`, `duplicate`, `remove`, `copy`) and a server's name."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.setObjectName("servers")
        self.setAccessibleName("Servers")
        self.setModel(desk.servers)
        self.setItemDelegate(ServerRow(self))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
        self.selectionModel().currentChanged.connect(self._chosen)
        self.activated.connect(self._activated)
        desk.server_chosen.connect(self._show_choice)
        desk.servers.modelReset.connect(self._show_choice)
        for command, key in _KEYS.items():
            self._shortcut(command, key)

    def _shortcut(self, command: str, key: str) -> None:
        action = QAction(_TEXTS[command], self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: self._want(command))
        self.addAction(action)

    def current(self) -> Server | None:
        """The server under the cursor."""
        return self._desk.servers.server(self.currentIndex())

    def _want(self, command: str) -> None:
        server = self.current()
        if server is not None:
            self.wanted.emit(command, server.name)

    def _chosen(self, current: QModelIndex, _: QModelIndex) -> None:
        server = self._desk.servers.server(current)
        if server is not None:
            self._desk.choose(server.name)

    def _activated(self, index: QModelIndex) -> None:
        server = self._desk.servers.server(index)
        if server is not None and not server.status.up:
            self.wanted.emit("sign-in" if _wants_sign_in(server) else "connect", server.name)

    def _on_button(self, event: QMouseEvent) -> Server | None:
        """The server whose Sign in button is under the mouse."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        server = self._desk.servers.server(index)
        if server is None or not _wants_sign_in(server):
            return None
        return server if sign_in_button(self.visualRect(index)).contains(place) else None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the button of a row signs in; elsewhere it chooses, as usual."""
        server = self._on_button(event) if event.button() is Qt.MouseButton.LeftButton else None
        super().mouseReleaseEvent(event)
        if server is not None:
            self.wanted.emit("sign-in", server.name)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """On the button it is only another click."""
        if self._on_button(event) is None:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The hand says that the button can be clicked."""
        over = self._on_button(event) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def _show_choice(self) -> None:
        server = self._desk.server
        index = self._desk.servers.find(server.name) if server is not None else QModelIndex()
        if index != self.currentIndex():
            self.setCurrentIndex(index)

    def _menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        server = self._desk.servers.server(index)
        if server is None:
            return
        self.setCurrentIndex(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for command in commands_for(server):
            if command == "-":
                menu.addSeparator()
                continue
            action = menu.addAction(icons.icon(_ICONS[command]), _TEXTS[command])
            if command in _KEYS:
                action.setShortcut(QKeySequence(_KEYS[command]))
            action.triggered.connect(self._doing(command, server.name))
        menu.popup(self.viewport().mapToGlobal(place))

    def _doing(self, command: str, name: str) -> Callable[[], None]:
        return lambda: self.wanted.emit(command, name)


def _wants_sign_in(server: Server) -> bool:
    return server.status.state is State.NEEDS_SIGN_IN


def commands_for(server: Server) -> list[str]:
    """What can be done with a server in its state; ``-`` stands for a line."""
    state = server.status.state
    if server.status.up or state in (State.STARTING, State.RECONNECTING):
        first = ["disconnect", "restart"]
    else:
        first = ["sign-in", "connect"] if state is State.NEEDS_SIGN_IN else ["connect"]
    signing = ["authorization"] if server.entry.remote else []
    probing = ["probe"] if server.status.up else []
    values = ["values"] if names_kept(server.entry) else []
    return [*first, "refresh", *signing, *values, "doctor", *probing, "-", "edit", "duplicate", "copy", "-", "remove"]


_TEXTS = {
    "connect": "Connect",
    "sign-in": "Sign in",
    "authorization": "Authorization…",
    "values": "Enter values anew…",
    "doctor": "Connection doctor…",
    "disconnect": "Disconnect",
    "restart": "Restart",
    "refresh": "Refresh lists",
    "probe": "Probe…",
    "edit": "Edit…",
    "duplicate": "Duplicate",
    "copy": "Copy as JSON",
    "remove": "Remove",
}
_ICONS = {
    "connect": "plug",
    "sign-in": "log-in",
    "authorization": "key-round",
    "values": "pencil",
    "doctor": "activity",
    "disconnect": "unplug",
    "restart": "rotate-cw",
    "refresh": "refresh-cw",
    "probe": "zap",
    "edit": "pencil",
    "duplicate": "copy-plus",
    "copy": "copy",
    "remove": "trash-2",
}
_KEYS = {"edit": "F2", "duplicate": "Ctrl+D", "remove": "Del", "restart": "Ctrl+R", "copy": "Ctrl+C"}
