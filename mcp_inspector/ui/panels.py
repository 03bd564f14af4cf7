"""The docks at the bottom besides Traffic and stderr: made empty with the window, filled when the core is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mcp_inspector.ui import plain
from mcp_inspector.ui.models import said
from mcp_inspector.ui.notices import Action
from mcp_inspector.ui.views.docks import Dock

if TYPE_CHECKING:
    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.book import Book
    from mcp_inspector.ui.views.collections import CollectionsView
    from mcp_inspector.ui.views.composer import ComposerView
    from mcp_inspector.ui.views.inbox import InboxView
    from mcp_inspector.ui.views.log import LogView
    from mcp_inspector.ui.views.subscriptions import SubscriptionsView


class Panels(QObject):
    """Owns those docks and their views. `asked` tells how many questions of servers wait."""

    asked = Signal(int)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.inbox: InboxView | None = None
        self.inbox_dock = _dock("inbox-dock", "Inbox", 250)
        self.log: LogView | None = None
        self.log_dock = _dock("log-dock", "Log", 170)
        self.subscriptions: SubscriptionsView | None = None
        self.subscriptions_dock = _dock("subscriptions-dock", "Subscriptions", 200)
        self.findings_dock = _dock("findings-dock", "Findings", 200)
        self.composer: ComposerView | None = None
        self.composer_dock = _dock("composer-dock", "Any request", 220)
        self.collections: CollectionsView | None = None
        self.collections_dock = _dock("collections-dock", "Collections", 240)
        self.collections_dock.visibilityChanged.connect(lambda shown: self._make_collections() if shown else None)

    @property
    def docks(self) -> tuple[Dock, ...]:
        """In the order of their tabs."""
        talk = (self.inbox_dock, self.log_dock, self.subscriptions_dock, self.composer_dock)
        return (self.findings_dock, self.collections_dock, *talk)

    def attach(self, inspector: Inspector, log: Log, book: Book, exchanges: Exchanges) -> None:
        """The core is there. Imported late: the first paint needs none of it. `exchanges` are those of Traffic."""
        from mcp_inspector.ui.views.composer import ComposerView
        from mcp_inspector.ui.views.inbox import InboxView
        from mcp_inspector.ui.views.log import LogView
        from mcp_inspector.ui.views.subscriptions import SubscriptionsView

        self.inbox = InboxView(self._desk)
        self.inbox.counted.connect(self._questions)
        fill(self.inbox_dock.widget(), self.inbox)
        self.inbox.attach(inspector.inbox)
        book.renamed.connect(self.inbox.presets.rename)
        self.log = LogView(self._desk, log, exchanges)
        fill(self.log_dock.widget(), self.log)
        self.subscriptions = SubscriptionsView(self._desk)
        fill(self.subscriptions_dock.widget(), self.subscriptions)
        self._known: set[str] = set()
        self._book = book
        self._desk.servers.refreshed.connect(self._servers_moved)
        self._servers_moved()
        self._desk.saving.shown.connect(self._show_action)
        self._desk.probe_requested.connect(self._probe)
        self.composer = ComposerView(self._desk, log)
        fill(self.composer_dock.widget(), self.composer)

    def detach(self) -> None:
        """The window closes."""
        self._desk.shelf.stop()
        if self.inbox is not None:
            self.inbox.detach()
        if self.composer is not None:
            self.composer.detach()

    def send(self, focus: QWidget | None) -> bool:
        """Send what is edited in the panel that has the keyboard; False when none of them has it."""
        for view in (self.inbox, self.composer):
            if view is not None and focus is not None and view.isAncestorOf(focus):
                view.send()
                return True
        return False

    def show_inbox(self) -> None:
        """Show what servers ask, with the keyboard in the answer to what has waited longest."""
        bring(self.inbox_dock)
        self._desk.notices.settle("inbox")
        if self.inbox is not None:
            self.inbox.show_waiting()

    def show_log(self) -> None:
        """Show what servers log, with the keyboard in its filter."""
        bring(self.log_dock)
        if self.log is not None:
            self.log.search.setFocus()

    def show_subscriptions(self) -> None:
        """Show what is subscribed to."""
        bring(self.subscriptions_dock)
        if self.subscriptions is not None:
            self.subscriptions.uri.setFocus()

    def _make_collections(self) -> None:
        """Made when it is first looked at: nothing of it is wanted before. Behind another tab it counts as visible."""
        if self.collections is None and not self.collections_dock.visibleRegion().isEmpty():
            self.open_collections()

    def open_collections(self) -> CollectionsView:
        """The view of collections, made now if it is not there yet."""
        if self.collections is None:
            from mcp_inspector.ui.views.collections import CollectionsView

            self.collections = CollectionsView(self._desk)
            self.collections.acting.asked.connect(lambda: bring(self.collections_dock))
            fill(self.collections_dock.widget(), self.collections)
        return self.collections

    def show_collections(self) -> CollectionsView:
        """Show saved calls and collections."""
        bring(self.collections_dock)
        view = self.open_collections()
        view.tree.setFocus()
        return view

    def _show_action(self, path: str, name: str) -> None:
        self.show_collections().select(Path(path), name)

    def _probe(self, server: str, tool: str) -> None:
        self.show_collections().deeds.probe(server, tool)

    def show_composer(self) -> None:
        """Show the editor for any request, with the keyboard in it."""
        bring(self.composer_dock)
        if self.composer is not None:
            self.composer.edit.setFocus()

    def _servers_moved(self) -> None:
        """What an older version kept for a server that appears goes into its entry."""
        for server in self._desk.servers.servers:
            if server.name not in self._known:
                self._known.add(server.name)
                said.move(self._desk.memory, self._book, server)

    def _questions(self, waiting: int) -> None:
        """Say how many wait; where to find them is a notice, since nothing takes the keyboard away."""
        self.inbox_dock.setWindowTitle(f"Inbox ({waiting})" if waiting else "Inbox")
        self.asked.emit(waiting)
        # A dock behind another tab counts as visible for Qt; only its region tells.
        if not waiting or self.inbox is None or not self.inbox.visibleRegion().isEmpty():
            self._desk.notices.settle("inbox")
            return
        words = f"{plain.count(waiting, 'question')} of servers in the Inbox: nothing goes on before it is answered."
        self._desk.notices.say(words, Action("Show", self.show_inbox), key="inbox")


def bring(dock: Dock) -> None:
    """Show a dock in front of the others in its place."""
    dock.show()
    dock.raise_()


def fill(host: QWidget | None, widget: QWidget) -> None:
    """Put a view into its empty place."""
    assert host is not None
    layout = QVBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(widget)


def _dock(name: str, title: str, need: int) -> Dock:
    return Dock(name, title, QWidget(), titled=False, need=need)
