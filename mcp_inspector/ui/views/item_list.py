"""The list of tools, resources, templates or prompts of the chosen server: search, rows, words when it is empty."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListView,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.agent.names import PREFIX, SEPARATOR, Scheme
from mcp_inspector.session.catalogue import Freshness, Listing, What
from mcp_inspector.session.status import State
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.items import ROW, ItemModel, Row
from mcp_inspector.ui.models.servers import TROUBLE
from mcp_inspector.ui.views.item_row import ItemRow
from mcp_inspector.ui.views.list_age import ListAge
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.item_row import Mark

_ICONS = {
    What.TOOLS: "wrench",
    What.RESOURCES: "file-text",
    What.TEMPLATES: "braces",
    What.PROMPTS: "message-square-text",
}
_NOUNS = {What.TOOLS: "tool", What.RESOURCES: "resource", What.TEMPLATES: "template", What.PROMPTS: "prompt"}


class ItemList(QWidget):
    """One list. `chosen` gives the row to show (None for none), `entered` asks to go on to it with the keyboard."""

    chosen = Signal(object)
    entered = Signal()
    wanted = Signal(str)
    """A command for the chosen server: `connect`, `refresh`, `why`, `add`."""

    def __init__(
        self, what: What, desk: Desk, mark: Callable[[Server, Row], Mark] | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._what, self._desk = what, desk
        self._noun = _NOUNS[what]
        self._server: Server | None = None
        self._key: tuple[str, int] | None = None
        self._disconnect: list[Callable[[], None]] = []
        self._pull = Pull(self._refresh, self)
        self.model = ItemModel(self)
        self.search = SearchEdit(f"Filter {self._noun}s")
        self.search.setToolTip(f"Filter {self._noun}s by name and description (Ctrl+F)")
        self._count = ElidedLabel(tone="muted", size="small")
        self.age = ListAge()
        self._strip = Strip()
        self._strip.activated.connect(self.wanted)
        self.view = _View(self)
        self.view.setObjectName(f"{what}")
        self.view.setAccessibleName(f"{self._noun}s".capitalize())
        self.view.setModel(self.model)
        self._delegate = ItemRow(self._mark if mark else None, self.view, self._badge)
        self.view.setItemDelegate(self._delegate)
        self._marker = mark
        self._empty = EmptyState(_ICONS[what], "")
        self._empty_command = ""
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self._empty)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.search.submitted.connect(self.view.setFocus)
        self.view.selectionModel().currentChanged.connect(self._current)
        self.view.activated.connect(lambda _: self.entered.emit())
        self.view.typed.connect(self._typed)
        self._empty.activated.connect(lambda: self._act(self._empty_command))
        desk.runs.changed.connect(lambda _: self.view.viewport().update())
        desk.rows_changed.connect(self._dense)
        self._dense()

    def _lay_out(self) -> None:
        refresh = QAction(icons.icon("refresh-cw", "muted"), f"Refresh {self._noun}s (F5)", self)
        refresh.triggered.connect(lambda: self.wanted.emit("refresh"))
        pages = QAction(icons.icon("list"), "Page by page… (Shift+F5)", self)
        pages.triggered.connect(lambda: self.wanted.emit(f"pages {self._what}"))
        button = QToolButton()
        button.setDefaultAction(refresh)
        menu = QMenu(button)
        menu.addActions([refresh, pages])
        button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        button.customContextMenuRequested.connect(lambda place: menu.popup(button.mapToGlobal(place)))
        button.setToolTip(f"Refresh {self._noun}s (F5); by a right click page by page (Shift+F5)")
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 6, 6)
        head.setSpacing(6)
        head.addWidget(self.search, 1)
        head.addWidget(self._count)
        head.addWidget(button)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._column = layout
        layout.addWidget(band)
        layout.addWidget(self._strip)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.age)
        theme.mark(self, surface="base")

    def _dense(self) -> None:
        memory = self._desk.memory
        self._delegate.two_lines = memory.get("two_lines", default=False)
        routed = self._what is What.TOOLS and memory.get("routed_names", default=False)
        self._delegate.called = self._routed if routed else lambda row: row.shown
        self.view.scheduleDelayedItemsLayout()

    def _routed(self, row: Row) -> str:
        """The name that a model calls a tool by, made as the Agent page makes it."""
        options = self._desk.memory.get("agent", {})
        scheme = Scheme(options.get("prefix", PREFIX), options.get("separator", SEPARATOR))
        return plain.line(scheme.name(self._server.name, row.key)) if self._server is not None else row.shown

    def set_top(self, widget: QWidget) -> None:
        """Put something above the search: what else can be listed here."""
        self._column.insertWidget(0, widget)

    @property
    def listing(self) -> Listing:
        """The list that is shown; an unknown one without a server."""
        return self._server.catalogue[self._what] if self._server is not None else Listing(self._what)

    @property
    def row(self) -> Row | None:
        """The chosen row, even when the filter hides it; None when the server does not list it."""
        if self._key is None:
            return None
        key, twin = self._key
        return next((row for row in self.model.rows if row.key == key and row.twin == twin), None)

    def show_server(self, server: Server | None) -> None:
        """Show another server's list, with the search and selection it was left with."""
        for disconnect in self._disconnect:
            disconnect()
        self._disconnect = []
        self._server = server
        self._key = None
        if server is not None:
            self._disconnect = [
                server.catalogue.changed.connect(self._listing_changed),
                server.changed.connect(self._pull.soon),
            ]
            key = self._desk.memory.get(self._slot("selected"), "")
            self._key = (key, 0) if key else None
            self.search.setText(self._desk.memory.get(self._slot("filter"), ""))
        self._refresh()
        self.chosen.emit(self.row)

    def choose(self, key: str, twin: int = 0) -> None:
        """Choose an item; a filter that hides it is cleared."""
        self._key = (key, twin)
        if not self.model.find(key, twin).isValid():
            self.search.clear()
        self._select()
        self._keep()
        self.chosen.emit(self.row)

    def _slot(self, name: str) -> str:
        return f"{self._what}.{name}:{self._server.name if self._server else ''}"

    def _mark(self, row: Row) -> Mark:
        if self._server is None or self._marker is None:
            return None
        return self._marker(self._server, row)

    def _badge(self, row: Row) -> tuple[int, str]:
        """How much is wrong with an item, and the colour of the worst."""
        if self._server is None or self._desk.findings is None:
            return 0, ""
        count, worst = self._desk.findings.badge(self._server.name, row.key)
        return count, "error" if worst.word == "error" else "warn"

    def _listing_changed(self, what: What) -> None:
        if what is self._what:
            self._pull.soon()

    def _refresh(self) -> None:
        listing = self.listing
        before = self.row
        if self.model.show(listing.items):
            if self._key is None and listing.items:
                first = self.model.row(self.model.index(0))
                self._key = (first.key, first.twin) if first is not None else None
            self._select()
            after = self.row
            if after is not None and (before is None or before.item.raw != after.item.raw):
                self.chosen.emit(after)
        self._show_state(listing)

    def _select(self) -> None:
        index = self.model.find(*self._key) if self._key is not None else QModelIndex()
        selection = self.view.selectionModel()
        blocked = selection.blockSignals(True)
        if index.isValid():
            self.view.setCurrentIndex(index)
        else:
            selection.clear()
        selection.blockSignals(blocked)
        self.view.viewport().update()

    def _current(self, index: QModelIndex, _: QModelIndex) -> None:
        row = self.model.row(index)
        if row is not None and self._key != (row.key, row.twin):
            self._key = (row.key, row.twin)
            self._keep()
            self.chosen.emit(row)

    def _keep(self) -> None:
        if self._server is not None and self._key is not None:
            self._desk.memory.put(self._slot("selected"), self._key[0])

    def _filter(self, text: str) -> None:
        self.model.filter(text)
        if self._server is not None:
            self._desk.memory.put(self._slot("filter"), text)
        self._select()
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.scrollToTop()
        self._show_state(self.listing)

    def _typed(self, text: str) -> None:
        self.search.setFocus()
        self.search.setText(self.search.text() + text)

    def _act(self, command: str) -> None:
        if command == "clear":
            self.search.clear()
        elif command:
            self.wanted.emit(command)

    def _show_state(self, listing: Listing) -> None:
        shown, total = self.model.rowCount(), self.model.total
        self._count.setText(f"{shown:,} of {total:,}" if shown != total else f"{total:,}" if total else "")
        self._count.setToolTip(tooltip(f"{shown:,} of {plain.count(total, self._noun)} shown"))
        self.age.show_listing(listing)
        self._show_strip(listing)
        if shown:
            self._stack.setCurrentWidget(self.view)
            return
        sentence, detail, action, self._empty_command, icon = self._nothing(listing)
        self._empty.set(sentence, detail, action, icon or _ICONS[self._what])
        self._stack.setCurrentWidget(self._empty)

    def _show_strip(self, listing: Listing) -> None:
        if listing.items and listing.freshness is Freshness.STALE:
            age = plain.ago(time.time() - listing.fetched_wall_ns / 1e9) if listing.fetched_wall_ns else "from before"
            up = self._server is not None and self._server.status.up
            command, word = ("refresh", "Refresh") if up else ("connect", "Connect")
            self._strip.say(f"Stale, read {age}", f"{listing.why}", "warn", command, word)
        elif listing.warnings:
            head = listing.warnings[0] if len(listing.warnings) == 1 else plain.count(len(listing.warnings), "warning")
            self._strip.say(head, "\n".join(listing.warnings), "warn")
        else:
            self._strip.hide()

    def _nothing(self, listing: Listing) -> tuple[str, str, str, str, str]:
        """Sentence, detail, button, its command, icon: what is said in place of rows."""
        noun, server = self._noun, self._server
        if server is None:
            return "No server yet", "Add one by command, URL or pasted configuration.", "Add server", "add", "server"
        name = plain.line(server.name, 60)
        if listing.items:
            text = plain.line(self.search.text(), 40)
            return f"No {noun} matches “{text}”", "", "Clear filter", "clear", "search"
        if listing.freshness is Freshness.LOADING:
            return f"Listing {noun}s…", name, "", "", "loader"
        if listing.freshness is Freshness.FAILED:
            return f"{name} could not list its {noun}s", plain.line(listing.why), "Try again", "refresh", "circle-x"
        if listing.freshness is Freshness.UNSUPPORTED:
            why = plain.line(listing.why) or f"It does not declare the capability for {noun}s."
            return f"{name} offers no {noun}s", why, "", "", ""
        if listing.freshness in (Freshness.FRESH, Freshness.STALE):
            return f"{name} lists no {noun}s", "", "", "", ""
        state = server.status.state
        if state in TROUBLE:
            fault = server.status.fault
            return f"{name}: {server.status.words()}", fault.sentence if fault else "", "Why", "why", "circle-x"
        if state in (State.STARTING, State.RECONNECTING):
            return f"{name} is {server.status.words()}…", "", "", "", "loader"
        if server.status.up:
            return f"The {noun}s of {name} have not been listed yet", "", "List them", "refresh", ""
        word = "disabled" if state is State.DISABLED else "not connected"
        return f"{name} is {word}", "", "Connect", "connect", "plug"


class _View(QListView):
    """The rows; letters typed here go to the search."""

    typed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text()
        plain_key = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            row = self.currentIndex().data(ROW)
            if row is not None:
                from PySide6.QtGui import QGuiApplication

                QGuiApplication.clipboard().setText(row.key)
        elif text and text.isprintable() and plain_key and text != " ":
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)
