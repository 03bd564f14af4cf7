"""The middle of the window: the pages of the chosen server. Tabs stay where they are, whatever the server can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import failure
from mcp_inspector.ui.views.failure_card import FailureCard
from mcp_inspector.ui.views.overview import LINES, TROUBLE, Overview
from mcp_inspector.ui.views.prompts import PromptsPage
from mcp_inspector.ui.views.resources import ResourcesPage
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.views.tools import ToolsPage
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.caller import CallerPage

NAMES = ("tools", "resources", "prompts", "overview")
_TITLES = ("Tools", "Resources", "Prompts", "Overview")
_LISTS = ((What.TOOLS,), (What.RESOURCES, What.TEMPLATES), (What.PROMPTS,), ())


class ServerArea(QWidget):
    """Four pages of one server. A server that is not there shows why instead, unless its lists are still known."""

    wanted = Signal(str)
    """A command for the chosen server."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._disconnect: list[Callable[[], None]] = []
        self._pull = Pull(self._refresh, self)
        self.tabs = SegmentedTabs(_TITLES)
        self.tabs.setObjectName("pages")
        self.tools = ToolsPage(desk)
        self.resources = ResourcesPage(desk)
        self.prompts = PromptsPage(desk)
        self.overview = Overview(desk)
        self._pages = QStackedWidget()
        self.card = FailureCard()
        self.card.wanted.connect(self._on_wanted)
        for page in (self.tools, self.resources, self.prompts, self.overview):
            self._pages.addWidget(page)
            page.wanted.connect(self._on_wanted)
        self.strip = Strip()
        self.strip.activated.connect(self._on_wanted)
        self._pages.addWidget(self.card)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.strip)
        layout.addWidget(self._pages, 1)
        self.tabs.currentChanged.connect(self._tab_changed)
        for page in (self.tools, self.prompts):
            page.link_wanted.connect(self.read_uri)
        desk.server_chosen.connect(self._server_chosen)
        self.show_page(desk.memory.get("page", "tools"))
        self._server_chosen()

    @property
    def page(self) -> str:
        """The page that is shown."""
        return NAMES[max(self.tabs.currentIndex(), 0)]

    def show_page(self, name: str) -> None:
        """Show a page by its name."""
        if name in NAMES:
            self.tabs.setCurrentIndex(NAMES.index(name))

    def open(self, page: str, key: str) -> None:
        """Show an item."""
        if page in NAMES:
            self.show_page(page)
        if page == "tools":
            self.tools.open(key)
        elif page == "resources":
            self.resources.open(key)
        elif page == "prompts":
            self.prompts.open(key)

    def read_uri(self, uri: str) -> None:
        """Read a resource that something links to."""
        if uri:
            self.show_page("resources")
            self.resources.read_uri(uri)

    @property
    def _asking(self) -> CallerPage | ResourcesPage | None:
        """The page that is shown, if it asks a server for things."""
        pages = {"tools": self.tools, "resources": self.resources, "prompts": self.prompts}
        return pages.get(self.page)  # type: ignore[return-value]  # mypy joins the two classes to QWidget

    def call(self) -> None:
        """Call, read or get what is chosen."""
        if (page := self._asking) is not None:
            page.send()

    def cancel(self) -> None:
        """Stop what runs on the page."""
        if (page := self._asking) is not None:
            page.cancel()

    def focus_search(self) -> None:
        """Put the keyboard into the search of the page's list."""
        if (page := self._asking) is not None:
            page.list.search.setFocus()
            page.list.search.selectAll()

    def next_problem(self) -> None:
        """Go to the next problem of the arguments."""
        page = self._asking
        if isinstance(page, ResourcesPage):
            page = page.templates
        if page is not None:
            page.arguments.next_problem()

    def show_record(self) -> None:
        """Show the exchange of the result in Traffic."""
        if (page := self._asking) is not None:
            page.result.show_record()

    def _tab_changed(self, at: int) -> None:
        self._desk.memory.put("page", NAMES[at])
        self._refresh()

    def _on_wanted(self, command: str) -> None:
        if command == "why":
            self.show_page("overview")
        else:
            self.wanted.emit(command)

    def _server_chosen(self) -> None:
        for disconnect in self._disconnect:
            disconnect()
        server = self._server = self._desk.server
        self._disconnect = []
        if server is not None:
            self._disconnect = [
                server.changed.connect(self._pull.soon),
                server.catalogue.changed.connect(self._pull.soon),
            ]
        for page in (self.tools, self.resources, self.prompts, self.overview):
            page.show_server(server)
        self._refresh()

    def _refresh(self) -> None:
        server = self._server
        for at, whats in enumerate(_LISTS[:-1]):
            listings = [server.catalogue[what] for what in whats] if server is not None else []
            count = sum(len(listing.items) for listing in listings)
            unsupported = bool(listings) and all(one.freshness is Freshness.UNSUPPORTED for one in listings)
            self.tabs.set_count(at, f"{count:,}" if count else "–" if unsupported else None)
            self.tabs.setTabToolTip(at, f"{_TITLES[at]} (Ctrl+{at + 1})" + (
                f"\nThe server does not declare {_TITLES[at].lower()}." if unsupported else ""))  # fmt: skip
        self.tabs.setTabToolTip(3, "Overview (Ctrl+4)")
        self._show_strip(server)
        at = max(self.tabs.currentIndex(), 0)
        unknown = server is not None and not any(server.catalogue[what].items for what in _LISTS[at])
        if server is not None and unknown and at < len(NAMES) - 1 and server.status.state in TROUBLE:
            self.card.show_failure(failure.read(server, self._desk.records_of(server, LINES)))
            self._pages.setCurrentWidget(self.card)
        else:
            self._pages.setCurrentIndex(at)

    def _show_strip(self, server: Server | None) -> None:
        """Above every page but the Overview: that the server is not there, or needs a restart."""
        if server is None or self.page == "overview":
            self.strip.hide()
            return
        known = any(server.catalogue[what].items for what in What)
        state = server.status.state
        if server.status.up and server.needs_restart:
            self.strip.say("The entry was edited: reconnect to apply it", "", "accent", "restart", "Reconnect")
        elif state in TROUBLE and known:
            fault = server.status.fault
            words = f"{plain.line(server.name, 60)} {server.status.words()}"
            sentence = fault.sentence if fault is not None else ""
            self.strip.say(": ".join(filter(None, (words, plain.line(sentence)))), sentence, "error", "why", "Why")
        else:
            self.strip.hide()
