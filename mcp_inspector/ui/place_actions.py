"""What can be done with the places of the program: settings, servers files, recorded sessions, exports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from mcp_inspector.store.keeping import is_session
from mcp_inspector.store.opening import SUFFIX
from mcp_inspector.ui import bridge, plain
from mcp_inspector.ui.notices import Action, Level
from mcp_inspector.ui.panels import bring, fill
from mcp_inspector.ui.views.docks import Dock

if TYPE_CHECKING:
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.main_window import MainWindow
    from mcp_inspector.ui.models.setting_list import Places
    from mcp_inspector.ui.views.export_dialog import ExportDialog
    from mcp_inspector.ui.views.session_compare import SessionCompare
    from mcp_inspector.ui.views.sessions import SessionsView
    from mcp_inspector.ui.views.settings_dialog import SettingsDialog
    from mcp_inspector.ui.views.traffic_place import TrafficPlace


class PlaceActions(QObject):
    """Commands of the window. Nothing here is built before it is wanted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._desk = window, window.desk
        self.places: Places | None = None
        self.traffic: TrafficPlace | None = None
        self.sessions: SessionsView | None = None
        self._settings: SettingsDialog | None = None
        self.dock = Dock("sessions-dock", "Sessions", QWidget(), titled=False)
        self.dock.visibilityChanged.connect(lambda shown: self._fill() if shown else None)

    def attach(self, traffic: TrafficPlace) -> TrafficPlace:
        """The core is there, and its live traffic is shown here."""
        self.traffic = traffic
        traffic.call_wanted.connect(self.show_call)
        # A dock behind another tab counts as visible for Qt; only its region tells.
        if not self.dock.visibleRegion().isEmpty():
            self._fill()
        return traffic

    # --- settings and servers files ---

    def show_settings(self) -> SettingsDialog | None:
        """Open the settings, or bring them to the front."""
        if self.places is None:
            return None
        if self._settings is None:
            from mcp_inspector.ui.views.settings_dialog import SettingsDialog

            self._settings = SettingsDialog(self._desk, self.places, self._window)
            self._settings.open_wanted.connect(self.open_servers_file)
        self._settings.show_anew()
        return self._settings

    def open_servers_file(self) -> QFileDialog | None:
        """Ask for one more servers file."""
        book = self._desk.book
        if book is None:
            return None
        dialog = QFileDialog(self._window, "Open a servers file")
        dialog.setObjectName("servers-file")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Servers files (*.json *.jsonc)", "All files (*)"])
        folder = self._desk.memory.get("servers_folder", "")
        dialog.setDirectory(folder if folder and Path(folder).is_dir() else str(Path(book.file).parent))
        dialog.fileSelected.connect(self.open_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def open_file(self, path: str) -> None:
        """Read one more servers file, and choose its first server."""
        book = self._desk.book
        if book is None:
            return
        self._desk.memory.put("servers_folder", str(Path(path).parent))
        before = set(book.names)
        problem = book.open_file(Path(path))
        if problem:
            self._desk.notices.say(problem, level=Level.ERROR, key=f"file:{path}")
            return
        new = next((name for name in book.names if name not in before), "")
        if new:
            self._desk.servers.refresh()
            self._desk.choose(new)

    # --- sessions ---

    def _fill(self) -> None:
        """Build the list of sessions when its dock is looked at for the first time."""
        if self.sessions is not None or self.places is None or self._desk.log is None:
            return
        from mcp_inspector.ui.views.sessions import SessionsView

        self.sessions = SessionsView(self._desk, self.places.folders.data / "sessions", self._desk.log)
        self.sessions.open_wanted.connect(self.open_session)
        self.sessions.export_wanted.connect(self._export_file)
        self.sessions.removing.connect(self._let_go)
        self.sessions.compare_wanted.connect(self.compare_sessions)
        fill(self.dock.widget(), self.sessions)

    def compare_sessions(self, before: Path, after: Path) -> SessionCompare:
        """Show what differs between two recorded sessions."""
        from mcp_inspector.ui.views.session_compare import SessionCompare

        dialog = SessionCompare(before, after, self._window)
        dialog.show()
        return dialog

    def show_sessions(self) -> None:
        """Bring the list of sessions to the front, with the keyboard in it."""
        bring(self.dock)
        self._fill()
        if self.sessions is not None:
            self.sessions.table.setFocus()

    def focus_search(self) -> None:
        """Put the keyboard into the search of the sessions."""
        if self.sessions is not None:
            self.sessions.search.setFocus()

    def open_session(self, path: Path) -> bool:
        """Show an earlier session in Traffic; False when it cannot be read, and a notice says why."""
        if self.traffic is None:
            return False
        if path.is_file() and not is_session(path) and path.suffix != SUFFIX:
            self._import(path)
            return False
        problem = self.traffic.open(path)
        if problem:
            self._desk.notices.say(problem, level=Level.ERROR, key=f"session:{path}")
            return False
        bring(self._window.traffic_dock)
        self.traffic.focus()
        return True

    def _import(self, path: Path) -> None:
        """Read an export or a HAR file beside the window, then show it as an earlier session."""
        from mcp_inspector.session.importing import opened

        def done(log: Log) -> None:
            if self.traffic is None:
                log.close()
                return
            self.traffic.show_log(log, str(path), path.name)
            bring(self._window.traffic_dock)
            self.traffic.focus()

        def failed(error: Exception) -> None:
            self._desk.notices.say(plain.line(str(error)), level=Level.ERROR, key=f"session:{path}")

        work = bridge.aside(lambda: opened(path))
        bridge.spawn(work, what=f"reading {path.name}", on_done=done, on_error=failed)

    def ask_session(self) -> QFileDialog:
        """Ask for a session file, from wherever it is."""
        dialog = QFileDialog(self._window, "Open a session")
        dialog.setObjectName("session-file")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["Sessions, exports and HAR (*.mcpsession *.jsonl *.har)", "All files (*)"])
        if self.places is not None:
            dialog.setDirectory(str(self.places.folders.data / "sessions"))
        dialog.fileSelected.connect(lambda path: self.open_session(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def back_to_live(self) -> None:
        """Show the live session in Traffic."""
        if self.traffic is not None:
            self.traffic.back()

    def show_call(self, server: str, method: str, target: str) -> None:
        """From a call in an earlier session to its tool, resource or prompt of today."""
        if all(one.name != server for one in self._desk.servers.servers):
            self._desk.notices.say(f"There is no server {server[:100]} any more.", level=Level.WARNING, key="no-server")
            return
        page = {"tools/call": "tools", "resources/read": "resources", "prompts/get": "prompts"}.get(method, "")
        self._desk.open_requested.emit(server, page or "overview", target if page else "")

    def _let_go(self, path: Path) -> None:
        if self.traffic is not None and self.traffic.path == path:
            self.traffic.back()

    # --- export ---

    def export(self) -> ExportDialog | None:
        """Export what is shown in Traffic."""
        if self.traffic is None:
            return None
        from mcp_inspector.ui.views.export_dialog import ExportDialog, choices_of

        view = self.traffic.shown
        log = view.model.log
        name = log.path.stem if log.path is not None else "session"
        choices = choices_of(view.model, view.table.selected)
        # One selected row is mostly just the one that is looked at; several were selected for this.
        chosen = 0 if len(view.table.selected) > 1 else len(choices) - 1
        dialog = ExportDialog(self._desk, view.model.exchanges, choices, chosen, name, self._window)
        self.traffic.changed.connect(dialog.close)
        dialog.show()
        return dialog

    def _export_file(self, path: Path) -> None:
        if self.open_session(path):
            self.export()

    def say_pruned(self, sentence: str) -> None:
        """Say that old sessions were deleted to keep below the limit."""
        self._desk.notices.say(sentence, Action("Settings", self.show_settings), key="pruned")

    def detach(self) -> None:
        """The window ends."""
        if self.sessions is not None:
            self.sessions.model.stop()
            self.sessions.shelf.finish()
        self.back_to_live()
