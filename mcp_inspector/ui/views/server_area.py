"""The middle of the window: the pages of the chosen server. Tabs stay where they are, whatever the server can do."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.schema.definitions import Weight
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.status import State
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.listening import Listening
from mcp_inspector.ui.models import failure, signing
from mcp_inspector.ui.models.servers import TROUBLE
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.list_book import Changes
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.agent import AgentPage
    from mcp_inspector.ui.views.authorization import AuthorizationPage
    from mcp_inspector.ui.views.caller import CallerPage
    from mcp_inspector.ui.views.failure_card import FailureCard
    from mcp_inspector.ui.views.overview import Overview
    from mcp_inspector.ui.views.prompts import PromptsPage
    from mcp_inspector.ui.views.resources import ResourcesPage
    from mcp_inspector.ui.views.tasks import TasksPage
    from mcp_inspector.ui.views.tools import ToolsPage

    Page = ToolsPage | ResourcesPage | PromptsPage | Overview | TasksPage | AgentPage | AuthorizationPage

NAMES = ("tools", "resources", "prompts", "overview", "tasks", "agent", "authorization")
_TITLES = ("Tools", "Resources", "Prompts", "Overview", "Tasks", "Agent", "Authorization")
_LISTS = ((What.TOOLS,), (What.RESOURCES, What.TEMPLATES), (What.PROMPTS,), (), (), (), ())
_LISTING = NAMES[:3]


class ServerArea(QWidget):
    """The pages of one server. A server that is not there shows why instead, unless its lists are still known."""

    wanted = Signal(str)
    """A command for the chosen server."""
    changes_wanted = Signal()
    """Show what the chosen server lists otherwise than before."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._found: Changes | None = None
        self._listening = Listening()
        self._pull = Pull(self._refresh, self)
        self._made: list[Page] = []
        self.tabs = SegmentedTabs(_TITLES)
        self.tabs.setObjectName("pages")
        self._pages = QStackedWidget()
        self._pages.addWidget(QWidget())
        self.strip = Strip()
        self.strip.activated.connect(self._on_wanted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self.strip)
        self.changes = Strip()
        self.changes.activated.connect(lambda _: self.changes_wanted.emit())
        layout.addWidget(self.changes)
        layout.addWidget(self._pages, 1)
        self.show_page(desk.memory.get("page", "tools"))
        self.tabs.currentChanged.connect(self._tab_changed)
        desk.server_chosen.connect(self._server_chosen)
        desk.signing.changed.connect(self._pull.soon)
        desk.servers.ticked.connect(lambda: self._show_strip(self._server))

    # Pages are made when they are first shown: the window is on screen before any of them, and most runs need few.

    @cached_property
    def tools(self) -> ToolsPage:
        """The tools of the server."""
        from mcp_inspector.ui.views.tools import ToolsPage

        page = ToolsPage(self._desk)
        page.link_wanted.connect(self.read_uri)
        self._take(page)
        return page

    @cached_property
    def resources(self) -> ResourcesPage:
        """Its resources and templates."""
        from mcp_inspector.ui.views.resources import ResourcesPage

        page = ResourcesPage(self._desk)
        self._take(page)
        return page

    @cached_property
    def prompts(self) -> PromptsPage:
        """Its prompts."""
        from mcp_inspector.ui.views.prompts import PromptsPage

        page = PromptsPage(self._desk)
        page.link_wanted.connect(self.read_uri)
        self._take(page)
        return page

    @cached_property
    def overview(self) -> Overview:
        """Who it is."""
        from mcp_inspector.ui.views.overview import Overview

        page = Overview(self._desk)
        self._take(page)
        return page

    @cached_property
    def tasks(self) -> TasksPage:
        """Its tasks."""
        from mcp_inspector.ui.views.tasks import TasksPage

        page = TasksPage(self._desk)
        self._take(page)
        return page

    @cached_property
    def agent(self) -> AgentPage:
        """Its tools as a model sees them."""
        from mcp_inspector.ui.views.agent import AgentPage

        page = AgentPage(self._desk)
        self._take(page)
        return page

    @cached_property
    def authorization(self) -> AuthorizationPage:
        """How it is signed in at."""
        from mcp_inspector.ui.views.authorization import AuthorizationPage

        page = AuthorizationPage(self._desk)
        self._take(page)
        return page

    @cached_property
    def card(self) -> FailureCard:
        """Why it is not there, in place of a page that has nothing to show."""
        from mcp_inspector.ui.views.failure_card import FailureCard

        card = FailureCard()
        card.wanted.connect(self._on_wanted)
        self._pages.addWidget(card)
        return card

    def _take(self, page: Page) -> None:
        page.wanted.connect(self._on_wanted)
        self._pages.addWidget(page)
        self._made.append(page)
        page.show_server(self._server)

    def _shown(self) -> QWidget:
        """The page of the chosen tab, made if it is not there yet."""
        pages: dict[str, Callable[[], QWidget]] = {
            "tools": lambda: self.tools,
            "resources": lambda: self.resources,
            "prompts": lambda: self.prompts,
            "overview": lambda: self.overview,
            "tasks": lambda: self.tasks,
            "agent": lambda: self.agent,
            "authorization": lambda: self.authorization,
        }
        return pages[self.page]()

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
        page = self._shown()
        return page if self.page in _LISTING else None  # type: ignore[return-value]  # those of lists do

    def call(self) -> None:
        """Call, read or get what is chosen."""
        if (page := self._asking) is not None:
            page.send()

    def watch(self) -> None:
        """Watch the resource that is shown, or watch it no more."""
        if self.page == "resources":
            self.resources.watch()

    def read_anew(self) -> None:
        """Ask the server for the resource that is shown, whatever the cache has."""
        if self.page == "resources":
            self.resources.refresh()

    def show_request(self) -> None:
        """Show the request of the page as it will be sent, with its `_meta`; again for the form."""
        if self.page == "resources":
            self.resources.toggle_request()
        elif self.page in ("tools", "prompts"):
            (self.tools if self.page == "tools" else self.prompts).arguments.toggle_request()

    def cancel(self) -> None:
        """Stop what runs on the page."""
        if self.page == "tasks":
            self.tasks.cancel()
        elif (page := self._asking) is not None:
            page.cancel()

    def focus_list(self) -> None:
        """Put the keyboard into the page's list, at what is chosen there."""
        if (page := self._asking) is not None:
            page.list.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_search(self) -> None:
        """Put the keyboard into the search of the page's list."""
        if (page := self._asking) is not None:
            page.list.search.setFocus()
            page.list.search.selectAll()

    def next_problem(self) -> None:
        """Go to the next problem of the arguments."""
        if (page := self._asking) is not None:
            page.next_problem()

    def show_record(self) -> None:
        """Show the exchange of the result in Traffic."""
        if (page := self._asking) is not None:
            page.result.show_record()

    def show_changes(self, found: Changes | None) -> None:
        """Say above the pages what the chosen server lists otherwise than at its connect before; None for nothing."""
        self._found = found
        self._pull.soon()
        if found is None:
            self.changes.hide()
            return
        tone = {Weight.BREAKING: "error", Weight.DANGEROUS: "warn"}.get(found.weight or Weight.MINOR, "accent")
        since = f"Since {plain.moment(found.before.wall_ns)}: " if found.before.wall_ns else ""
        self.changes.say(f"{since}{found.sentence}", "", tone, "changes", "Show")

    def _changes_of(self, whats: tuple[What, ...]) -> int:
        """How many things of these lists are otherwise than before."""
        return sum(each.count for each in self._found.lists if each.what in whats) if self._found is not None else 0

    def _tab_changed(self, at: int) -> None:
        self._desk.memory.put("page", NAMES[at])
        self._refresh()

    def _on_wanted(self, command: str) -> None:
        if command == "why":
            self.show_page("overview")
        else:
            self.wanted.emit(command)

    def _server_chosen(self) -> None:
        self._listening.stop()
        server = self._server = self._desk.server
        if server is not None:
            self._listening.to(
                server.changed.connect(self._pull.soon),
                server.catalogue.changed.connect(self._pull.soon),
            )
        for page in self._made:
            page.show_server(server)
        self._refresh()

    def _refresh(self) -> None:
        server = self._server
        for at, whats in enumerate(_LISTS[: len(_LISTING)]):
            listings = [server.catalogue[what] for what in whats] if server is not None else []
            count = sum(len(listing.items) for listing in listings)
            unsupported = bool(listings) and all(one.freshness is Freshness.UNSUPPORTED for one in listings)
            words = f"{count:,}" if count else "–" if unsupported else None
            changed = self._changes_of(whats)
            self.tabs.set_count(at, f"{words or 0} · {changed:,} changed" if changed else words)
            self.tabs.setTabToolTip(at, f"{_TITLES[at]} (Ctrl+{at + 1})" + (
                f"\nThe server does not declare {_TITLES[at].lower()}." if unsupported else ""))  # fmt: skip
        self.tabs.setTabToolTip(3, "Overview (Ctrl+4)")
        tasks = server.task_runs if server is not None else []
        self.tabs.set_count(4, len(tasks) or None)
        self.tabs.setTabToolTip(4, "Tasks (Ctrl+5)")
        self.tabs.setTabToolTip(5, "Agent: the tools as a model sees them (Ctrl+6)")
        self.tabs.setTabToolTip(6, "Authorization (Ctrl+7)")
        self._show_strip(server)
        at = max(self.tabs.currentIndex(), 0)
        unknown = server is not None and not any(server.catalogue[what].items for what in _LISTS[at])
        if server is not None and unknown and at < len(_LISTING) and server.status.state in TROUBLE:
            self.card.show_failure(failure.read(server, self._desk.records_of(server, failure.LINES)))
            self._pages.setCurrentWidget(self.card)
        elif self._desk.inspector is not None:
            self._pages.setCurrentWidget(self._shown())

    def _show_strip(self, server: Server | None) -> None:
        """Above every page but the Overview: that the server is not there, or needs a restart."""
        if server is None:
            self.strip.hide()
            return
        if server.status.state is State.STARTING and (waited := server.status.waited(time.perf_counter_ns())):
            words = f"{plain.line(server.name, 60)} is starting: waiting for {server.status.step}, {waited}"
            self.strip.say(words, "", "accent", "disconnect", "Cancel")
            return
        if self.page == "authorization":
            self.strip.hide()
            return
        if self._desk.signing.running(server):
            words = f"Signing in at {plain.line(server.name, 60)}: {signing.progress(server)}"
            self.strip.say(words, "", "accent", "authorization", "Show the steps")
            return
        if self.page == "overview":
            self.strip.hide()
            return
        if server.status.up and (wanted := server.signing_in.wanted):
            self.strip.say(plain.line(wanted, 300), "", "warn", "sign-in", "Sign in")
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
