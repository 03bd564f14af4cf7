"""Resources: the list and the templates of the chosen server, and what is read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.app_views import is_view, tools_of, view_facts
from mcp_inspector.ui.models.runs import Runs
from mcp_inspector.ui.views.item_head import ItemHead
from mcp_inspector.ui.views.item_list import ItemList
from mcp_inspector.ui.views.result import ResultView
from mcp_inspector.ui.views.templates import TemplatesPage
from mcp_inspector.ui.views.watching import Watching
from mcp_inspector.ui.widgets.across import Across
from mcp_inspector.ui.widgets.rows import Fact, ScrolledRows
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.items import Row
    from mcp_inspector.ui.models.runs import Run
    from mcp_inspector.ui.views.item_row import Mark

_METHOD = "resources/read"
_ACROSS = 620
"""Pixels from which on what is known of a resource and its buttons stand side by side."""
_LOW = 330
"""Pixels of height below which it is not told at all."""
LISTED, TEMPLATES = range(2)


class Reader(QWidget):
    """Listed resources: choose one, read it."""

    wanted = Signal(str)
    link_wanted = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._row: Row | None = None
        self._uri = ""
        self._sent: Run | None = None
        self._listening: Callable[[], None] = lambda: None
        self._pull = Pull(self._server_moved, self)
        self.list = ItemList(What.RESOURCES, desk, self._mark)
        self.head = ItemHead()
        self._facts = ScrolledRows()
        theme.mark(self._facts.rows, surface="window")
        self.read_button = QPushButton("Read   Ctrl+Enter")
        self.read_button.setToolTip("Read this resource (Ctrl+Enter)")
        theme.mark(self.read_button, kind="primary")
        self.read_button.clicked.connect(self.read)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.cancel)
        self.result = ResultView(desk, "resources", "The contents come here")
        self.watching = Watching(desk, self)
        self.watching.read_wanted.connect(self.read)
        self.watching.newer_wanted.connect(lambda: self._ask(again=True))
        self.head.add(self.watching.pill)
        right = self._right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.watching.label, 0, Qt.AlignmentFlag.AlignBottom)
        for button in (self.watching.follow, self.watching.button, self.cancel_button, self.read_button):
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        top = Across(self._facts, buttons, _ACROSS)
        theme.mark(top, surface="window")
        top.box.setContentsMargins(4, 0, 10, 8)
        top.box.setSpacing(8)
        column.addWidget(self.head)
        column.addWidget(top)
        column.addWidget(self.watching.strip)
        column.addWidget(self.result, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 3)
        self.list.setMinimumWidth(110)
        right.setMinimumHeight(120)  # less than its parts want together: the facts give way
        desk.memory.splitter("resources.splitter", splitter, [300, 860])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        self.list.chosen.connect(self._chosen)
        self.list.entered.connect(self.read)
        self.list.wanted.connect(self.wanted)
        self.result.link_wanted.connect(self.link_wanted)
        self.result.fresh_wanted.connect(self.refresh)
        desk.runs.changed.connect(self._run_moved)
        self._chosen(None)

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self.result.run

    def show_server(self, server: Server | None) -> None:
        """Show another server."""
        self._listening()
        self._listening = server.changed.connect(self._pull.soon) if server is not None else lambda: None
        self._server = server
        self.watching.show_server(server)
        self.list.show_server(server)
        self._server_moved()

    def _chosen(self, row: Row | None) -> None:
        self._row = row
        self._right.setVisible(row is not None or bool(self.list.listing.items))
        self._uri = row.key if row is not None else ""
        self.head.show_row(row)
        self._show_facts()
        self._show_run()
        self._server_moved()

    def read_uri(self, uri: str) -> None:
        """Read any URI, listed or not: a link in a result."""
        if self.list.model.find(uri).isValid() or any(row.key == uri for row in self.list.model.rows):
            self.list.choose(uri)
        else:
            self._row = None
            self._uri = uri
            self._right.show()
            self.head.show_row(None)
            self.head.name.setText(plain.line(uri))
            self._show_facts()
        self.read()

    def read(self) -> None:
        """Read it."""
        self._ask(again=False)

    def watch(self) -> None:
        """Watch it, or watch it no more."""
        if self.watching.button.isEnabled():
            self.watching.button.click()

    def refresh(self) -> None:
        """Read it from the server itself, whatever may be used again."""
        self._ask(again=False, fresh=True)

    def _ask(self, *, again: bool, fresh: bool = False) -> None:
        """Read it; `again` by itself, which moves nothing in the window. Not `fresh`: the cache may answer."""
        server, uri = self._server, self._uri
        if server is None or not uri or not self.read_button.isEnabled():
            return
        fresh = fresh or again
        run = self._desk.runs.start(
            server,
            _METHOD,
            uri,
            b"",
            lambda run: server.read_resource(uri, fresh=fresh, **Runs.hooks(run)),
            again=again,
        )
        if not again:
            self._sent = run
        self.result.show_run(run)
        self._server_moved()

    def showEvent(self, event: QShowEvent) -> None:
        """What has changed while nobody looked is read now."""
        super().showEvent(event)
        self.watching.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low page what is known of a resource gives way to what it holds."""
        super().resizeEvent(event)
        self._facts.setVisible(self.height() >= _LOW)
        self._facts.set_limit(self.height() * 38 // 100)

    def cancel(self) -> None:
        """Stop the run that is shown."""
        if self.result.run is not None:
            self.result.run.cancel()

    def _show_run(self) -> None:
        run = self._desk.runs.last((self._server.name, _METHOD, self._uri)) if self._server and self._uri else None
        self.result.show_run(run)
        if is_view(self._uri) and run is not None and isinstance(run.outcome, Complete):
            self._show_facts(run.outcome.result)
        self.watching.show_uri(self._uri)
        self.watching.show_run(run)
        self.cancel_button.setVisible(run is not None and run.running and not run.again)

    def _show_facts(self, result: bytes = b"") -> None:
        """What is known of it; of a view, what was read of it says more."""
        row, uri, server = self._row, self._uri, self._server
        meta = row.item.value.get("_meta") if row is not None else None
        views = view_facts(uri, meta, result, tools_of(server, uri)) if is_view(uri) and server is not None else []
        if row is not None:
            self._facts.set_facts((*_facts(row), *views))
        elif uri:
            self._facts.set_facts((Fact("URI", uri, mono=True), Fact("Listed", "no, it comes from a link"), *views))
        else:
            self._facts.set_facts(())

    def _run_moved(self, run: Run) -> None:
        if run is self._sent and run.seq:
            self._sent = None
            self._desk.record_sent.emit(run.seq)
        if run is self.result.run or (run.server is self._server and run.target == self._uri):
            self._show_run()

    def _server_moved(self) -> None:
        server = self._server
        up = server is not None and (
            server.status.up or (server.entry.connect == "lazy" and server.status.state is State.IDLE)
        )
        self.read_button.setEnabled(up and bool(self._uri))
        why = "" if server is None or up else f"{server.name} is {server.status.words()}: connect it first"
        self.read_button.setToolTip(why or "Read this resource (Ctrl+Enter)")

    def _mark(self, server: Server, row: Row) -> Mark:
        run = self._desk.runs.last((server.name, _METHOD, row.key))
        if run is None:
            return None
        if run.running and not run.again:
            return "reading", "accent"
        if run.again:
            return "changed", "accent"
        return ("✓", "ok") if run.ok else ("✕", "error")


class ResourcesPage(QStackedWidget):
    """Listed resources and templates, one beside the other's place."""

    wanted = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resources-page")
        self._desk = desk
        self._server: Server | None = None
        self._tabs: list[SegmentedTabs] = []
        self.reader = Reader(desk)
        self._take(self.reader)
        self._pull = Pull(self._counts, self)
        self._listening: Callable[[], None] = lambda: None
        self.show_part(desk.memory.get("resources.part", LISTED))

    def _take(self, page: Reader | TemplatesPage) -> None:
        tabs = SegmentedTabs(("Resources", "Templates"))
        page.list.set_top(tabs)
        tabs.tabBarClicked.connect(self.show_part)
        tabs.currentChanged.connect(self.show_part)
        self._tabs.append(tabs)
        self.addWidget(page)
        page.wanted.connect(self.wanted)
        page.link_wanted.connect(self.read_uri)

    @cached_property
    def templates(self) -> TemplatesPage:
        """The templates; made when they are first shown."""

        page = TemplatesPage(self._desk)
        self._take(page)
        page.show_server(self._server)
        self._counts()
        return page

    def show_server(self, server: Server | None) -> None:
        """Show another server."""
        self._listening()
        self._listening = server.catalogue.changed.connect(self._pull.soon) if server is not None else lambda: None
        self._server = server
        self.reader.show_server(server)
        if "templates" in self.__dict__:
            self.templates.show_server(server)
        self._counts()

    def show_part(self, part: int) -> None:
        """Show the list or the templates."""
        if part not in (LISTED, TEMPLATES):
            return
        page = self.templates if part == TEMPLATES else self.reader
        for tabs in self._tabs:
            blocked = tabs.blockSignals(True)
            tabs.setCurrentIndex(part)
            tabs.blockSignals(blocked)
        self.setCurrentWidget(page)
        self._desk.memory.put("resources.part", part)

    def open(self, key: str) -> None:
        """Choose a resource or a template by its key."""
        if self._server is None or not key:
            return
        template = key in self._server.catalogue[What.TEMPLATES].by_key
        self.show_part(TEMPLATES if template else LISTED)
        (self.templates if template else self.reader).list.choose(key)

    def read_uri(self, uri: str) -> None:
        """Read any URI."""
        self.show_part(LISTED)
        self.reader.read_uri(uri)

    def send(self) -> None:
        """Read what is chosen."""
        if self.currentWidget() is self.reader:
            self.reader.read()
        else:
            self.templates.send()

    def toggle_request(self) -> None:
        """Show the request of a template as it will be sent, or the form again."""
        if self.currentWidget() is not self.reader:
            self.templates.arguments.toggle_request()

    def watch(self) -> None:
        """Watch the listed resource that is shown, or watch it no more."""
        if self.currentWidget() is self.reader:
            self.reader.watch()

    def refresh(self) -> None:
        """Ask the server itself for what is shown, whatever the cache has."""
        if self.currentWidget() is self.reader:
            self.reader.refresh()
        else:
            self.templates.call(fresh=True)

    def cancel(self) -> None:
        """Stop what runs."""
        (self.reader if self.currentWidget() is self.reader else self.templates).cancel()

    def next_problem(self) -> None:
        """Go to the next problem of a template's values."""
        if self.currentWidget() is not self.reader:
            self.templates.next_problem()

    @property
    def result(self) -> ResultView:
        """The result that is shown."""
        return (self.reader if self.currentWidget() is self.reader else self.templates).result

    @property
    def list(self) -> ItemList:
        """The list that is shown."""
        return (self.reader if self.currentWidget() is self.reader else self.templates).list

    def _counts(self) -> None:
        for tabs in self._tabs:
            for part, what in ((LISTED, What.RESOURCES), (TEMPLATES, What.TEMPLATES)):
                count = len(self._server.catalogue[what].items) if self._server is not None else 0
                tabs.set_count(part, count or None)


def _facts(row: Row) -> tuple[Fact, ...]:
    value = row.item.value
    size, mime = value.get("size"), value.get("mimeType")
    return (
        Fact("URI", row.key, mono=True),
        Fact("Title", row.title if row.title != row.name else ""),
        Fact("Type", mime if isinstance(mime, str) else ""),
        Fact("Size", plain.size(size) if isinstance(size, int) and size >= 0 else ""),
        Fact("Description", row.item.description[:2_000]),
        Fact("Problem", row.item.problem, tone="error"),
    )
