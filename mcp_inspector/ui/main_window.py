"""The window: tool bar, docks, the pages of the chosen server, notices and status. It delegates all else to views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from mcp_inspector.ui.arrangement import Arrangement
from mcp_inspector.ui.changes_actions import ChangesActions
from mcp_inspector.ui.commands import Commands
from mcp_inspector.ui.desk import Desk
from mcp_inspector.ui.finding_actions import FindingActions
from mcp_inspector.ui.models.palette import Entry, Finder
from mcp_inspector.ui.panels import Panels
from mcp_inspector.ui.place_actions import PlaceActions
from mcp_inspector.ui.quick_runs import QuickRuns
from mcp_inspector.ui.server_actions import ServerActions
from mcp_inspector.ui.timeline_dock import TimelineDock
from mcp_inspector.ui.views.docks import Dock
from mcp_inspector.ui.views.notice_bar import NoticeBar
from mcp_inspector.ui.views.quick_actions import QuickActions
from mcp_inspector.ui.views.server_area import ServerArea
from mcp_inspector.ui.views.server_list import ServerList
from mcp_inspector.ui.views.status import Status
from mcp_inspector.ui.views.toolbar import ToolBar
from mcp_inspector.ui.window_commands import commands_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QResizeEvent, QShowEvent

    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.models.book import Book
    from mcp_inspector.ui.theme import Choice, Theme
    from mcp_inspector.ui.views.inbox import InboxView
    from mcp_inspector.ui.views.policy_dialog import PolicyDialog
    from mcp_inspector.ui.views.stderr import StderrView
    from mcp_inspector.ui.views.traffic import TrafficView

_STATE_VERSION = 1
_LOW = 560
"""Below this height (px) a form and the detail of Traffic have no room beside each other."""
SMALLEST = QSize(640, 400)


class MainWindow(QMainWindow):
    """One window over one inspector. It shows at once; `attach` gives it the core when that is there."""

    close_wanted = Signal()
    """The person wants to leave. Whoever runs the program ends it in order."""
    theme_chosen = Signal(str)

    def __init__(self, memory: Memory, theme: Theme, theme_choice: Choice) -> None:
        super().__init__()
        self.setObjectName("main")
        self.setWindowTitle("MCP Inspector")
        self.setMinimumSize(SMALLEST)
        self.desk = Desk(memory, self)
        self.theme, self.theme_choice = theme, theme_choice
        self.server_actions = ServerActions(self.desk, self)
        self.places = PlaceActions(self)
        self.timeline = TimelineDock(self)
        self.traffic: TrafficView | None = None
        self.stderr: StderrView | None = None
        self.servers = ServerList(self.desk)
        self.servers.setMinimumWidth(120)
        self.quick = QuickActions(self.desk)
        self.quick_runs = QuickRuns(self)
        self.panels = Panels(self.desk, self)
        self.findings = FindingActions(self)
        self.area = ServerArea(self.desk)
        self.changes = ChangesActions(self)
        self.notices = NoticeBar(self.desk.notices)
        self.status = Status(self.desk)
        self.commands = Commands(self, commands_of(self))
        self._finder = Finder(self._open_found)
        self.tool_bar = ToolBar(self)
        self.addToolBar(self.tool_bar)
        self._build_centre()
        self._build_docks()
        self.tool_bar.build_menu()
        self._connect()
        self._first_show = True

    # --- building ---

    def _build_centre(self) -> None:
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.notices)
        self.setCentralWidget(centre)
        self.setStatusBar(self.status)

    def _build_docks(self) -> None:
        self._traffic_host, self._stderr_host = QWidget(), QWidget()
        self.servers_dock = Dock("servers-dock", "Servers", self.servers)
        self.quick_dock = Dock("quick-dock", "Quick actions", self.quick)
        self.traffic_dock = Dock("traffic-dock", "Traffic", self._traffic_host, titled=False)
        self.stderr_dock = Dock("stderr-dock", "stderr", self._stderr_host, titled=False)
        bottom = (self.traffic_dock, self.timeline.dock, *self.panels.docks, self.stderr_dock, self.places.dock)
        self.arrangement = Arrangement(self, self.desk.memory, (self.servers_dock, self.quick_dock), bottom)
        self.docks = self.arrangement.docks

    def _connect(self) -> None:
        desk = self.desk
        self.servers.wanted.connect(self.server_actions.run)
        self.area.wanted.connect(self._wanted)
        desk.open_requested.connect(self.open)
        desk.record_requested.connect(self.show_record)
        desk.record_sent.connect(self._point_at)
        desk.traffic_requested.connect(self._show_traffic)
        desk.servers.refreshed.connect(self._servers_moved)
        desk.server_chosen.connect(self._server_chosen)
        self.panels.asked.connect(self.status.show_questions)
        self.status.inbox.clicked.connect(self.show_inbox)
        self._servers_moved()

    def _wanted(self, command: str) -> None:
        if command == "compose":
            self.panels.show_composer()
        elif command == "inbox":
            self.show_inbox()
        else:
            self.server_actions.run(command)

    # --- the core ---

    def attach(self, inspector: Inspector, log: Log, book: Book) -> None:
        """The core is there: show it."""
        from mcp_inspector.ui.traffic_actions import TrafficActions
        from mcp_inspector.ui.views.stderr import StderrView
        from mcp_inspector.ui.views.traffic import TrafficView
        from mcp_inspector.ui.views.traffic_place import TrafficPlace

        self.desk.attach(inspector, log, book)
        self.traffic = TrafficView(log)
        self.traffic.restore_state(self.desk.memory.get("traffic", dict[str, str]()))
        self.traffic.call_activated.connect(self._call_activated)
        self.traffic.said.connect(lambda sentence: self.desk.notices.say(sentence, key="copied"))
        place = TrafficPlace(self.traffic)
        self.again = TrafficActions(self)
        self.again.attach(self.traffic)
        place.opened.connect(self.again.attach)
        _fill(self._traffic_host, self.places.attach(place))
        self.timeline.attach(place)
        if self.places.places is not None:
            self.changes.attach(self.places.places.folders.data / "lists")
        self._fit_traffic()
        self.stderr = StderrView(self.desk)
        self.stderr.attach()
        _fill(self._stderr_host, self.stderr)
        self.panels.attach(inspector, log, book, self.traffic.model.exchanges)
        self.findings.attach(place, log)
        self.arrangement.soon()
        self.status.start()
        self.tool_bar.show_recording(log)
        self._server_chosen()

    # --- what is shown ---

    def open(self, server: str, page: str, key: str) -> None:
        """Choose a server and show an item of it."""
        self.desk.choose(server)
        if page:
            self.area.open(page, key)

    def show_record(self, seq: int) -> None:
        """Show a record in Traffic."""
        self.places.back_to_live()
        self.traffic_dock.show()
        self.traffic_dock.raise_()
        if self.traffic is not None:
            self.traffic.reveal(seq)

    def _point_at(self, seq: int) -> None:
        """Choose the row of a call that was just made, so that arguments, result and exchange are seen together."""
        if self.traffic is not None:
            self.traffic.reveal(seq)

    def call(self) -> None:
        """Send what has the keyboard: the answer to a question, else the call of the page that is shown."""
        if not (self.panels.send(self.focusWidget()) or self.quick_runs.send(self.focusWidget())):
            self.area.call()

    def search(self) -> None:
        """Search where the keyboard is: in a text, in Traffic, else in the list of the page."""
        from mcp_inspector.ui.widgets.text_view import TextView

        widget: QWidget | None = self.focusWidget()
        while widget is not None:
            if isinstance(widget, TextView):
                widget.open_find()
                return
            if widget is self.places.traffic:
                self.focus_traffic()
                return
            if widget is self.places.sessions:
                self.places.focus_search()
                return
            widget = widget.parentWidget()
        self.area.focus_search()

    def _show_traffic(self, server: str) -> None:
        self.desk.choose(server)
        self.places.back_to_live()
        self.traffic_dock.show()
        self.traffic_dock.raise_()
        if self.traffic is not None:
            self.traffic.set_server(server, only=True)

    def _call_activated(self, seq: int) -> None:
        log = self.desk.log
        if log is None or not 0 < seq <= len(log):
            return
        entry = log.record(seq, body=False).entry
        page = {"tools/call": "tools", "resources/read": "resources", "prompts/get": "prompts"}.get(entry.method, "")
        self.open(entry.server, page or "overview", entry.target if page else "")

    def _servers_moved(self) -> None:
        servers = self.desk.servers.servers
        up = sum(server.status.up for server in servers)
        self.servers_dock.title.set_word(f"{up} of {len(servers)} up" if servers else "")
        self.tool_bar.show_server(self.desk.server)
        self.commands.enable("connect-all", any(not server.status.up for server in servers))

    def _server_chosen(self) -> None:
        server = self.desk.server
        self.setWindowTitle(f"{server.name[:100]} – MCP Inspector" if server is not None else "MCP Inspector")
        self.tool_bar.show_server(server)
        if self.traffic is not None:
            self.traffic.set_server(server.name if server is not None else None)

    # --- commands ---

    def palette_entries(self) -> list[Entry]:
        """All that the palette can find."""
        commands = [
            Entry(
                command.text,
                command.group,
                "command",
                command.icon,
                f"{command.text} {command.group}".casefold(),
                self._running(command.name),
                self.commands.action(command.name).shortcut().toString(),
            )
            for command in self.commands
            if self.commands.enabled(command.name) and command.name != "palette"
        ]
        return [*self._finder.servers(self.desk.servers.servers), *commands]

    def _running(self, name: str) -> Callable[[], None]:
        return lambda: self.commands.run(name)

    def _open_found(self, server: str, page: str, key: str) -> None:
        self.desk.open_requested.emit(server, page, key)
        self.area.focus_list()

    def open_palette(self) -> None:
        """Put the keyboard into the field that finds everything."""
        self.tool_bar.palette_field.open()

    def focus_servers(self) -> None:
        """Put the keyboard into the list of servers."""
        self.servers_dock.show()
        self.servers.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_traffic(self) -> None:
        """Put the keyboard into the filter line of Traffic."""
        self.traffic_dock.show()
        self.traffic_dock.raise_()
        if self.places.traffic is not None:
            self.places.traffic.shown.focus_filter()

    def show_policy(self) -> PolicyDialog:
        """Show what the policy does with every tool."""
        from mcp_inspector.ui.views.policy_dialog import PolicyDialog

        dialog = PolicyDialog(self.desk, self)
        dialog.show()
        return dialog

    def find_quick(self) -> None:
        """Put the keyboard into the field that finds a quick action."""
        self.quick_dock.show()
        self.quick.focus_search()

    @property
    def inbox(self) -> InboxView | None:
        """What servers ask; None before the core is there."""
        return self.panels.inbox

    def show_inbox(self) -> None:
        """Show what servers ask."""
        self.panels.show_inbox()

    def step_server(self, by: int) -> None:
        """Choose the next server, or the one before."""
        servers = self.desk.servers.servers
        if servers and self.desk.server in servers:
            self.desk.choose(servers[(servers.index(self.desk.server) + by) % len(servers)].name)

    def choose_theme(self, choice: Choice, *, keep: bool = True) -> None:
        """Light, dark, or as the system; `keep` it for the next start, too."""
        self.theme_choice = choice
        self.theme.choose(choice)
        if keep:
            self.theme_chosen.emit(choice)
        self.tool_bar.show_theme(choice)

    def toggle_rows(self, option: str = "two_lines") -> None:
        """Change how lists show their rows: in one or two lines, tools by their routed names."""
        self.desk.memory.put(option, not self.desk.memory.get(option, default=False))
        self.desk.rows_changed.emit()

    def show_shortcuts(self) -> None:
        """Open the sheet of shortcuts."""
        from mcp_inspector.ui.views.shortcuts import ShortcutSheet

        ShortcutSheet(self.commands, self).show()

    # --- coming and going ---

    def restore(self, size: QSize | None = None) -> None:
        """Put the window where it was left; `size` wins over what was remembered."""
        memory = self.desk.memory
        geometry, state = memory.get_bytes("geometry"), memory.get_bytes("docks")
        if size is not None:
            self.resize(size)
        elif not geometry or not self.restoreGeometry(QByteArray(geometry)):
            room = self.screen().availableGeometry().size()
            self.resize(min(1440, room.width()), min(900, room.height()))
        kept = size is None and bool(state) and self.restoreState(QByteArray(state), _STATE_VERSION)
        self._first_show = not kept

    def remember(self) -> None:
        """Keep where everything is."""
        memory = self.desk.memory
        memory.put_bytes("geometry", bytes(self.saveGeometry().data()))
        memory.put_bytes("docks", bytes(self.saveState(_STATE_VERSION).data()))
        if self.traffic is not None:
            memory.put("traffic", self.traffic.save_state())

    def detach(self) -> None:
        """Stop every clock and listener: the core is about to end."""
        self.places.detach()
        self.changes.detach()
        self.status.stop()
        self.panels.detach()
        self.desk.servers.detach()
        self.desk.notices.detach()
        if self.desk.book is not None:
            self.desk.book.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """The first sizes of docks can only be set once the window has its own."""
        super().showEvent(event)
        if self._first_show:
            self._first_show = False
            self.arrangement.size()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The panels get back what a smaller window took from them."""
        super().resizeEvent(event)
        self._fit_traffic()
        if self.isVisible() and not self._first_show:
            self.arrangement.fit()

    def _fit_traffic(self) -> None:
        for view in (self.traffic, self.places.traffic.past if self.places.traffic is not None else None):
            if view is not None:
                view.set_low(self.height() < _LOW)

    def event(self, event: QEvent) -> bool:
        """What happens on the edges between the panels comes here."""
        done = super().event(event)
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            self.arrangement.mouse(event)
        return done

    def closeEvent(self, event: QCloseEvent) -> None:
        """Never closes by itself: the program ends in order, then the window goes."""
        event.ignore()
        self.close_wanted.emit()


def _fill(host: QWidget, widget: QWidget) -> None:
    layout = QVBoxLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(widget)
