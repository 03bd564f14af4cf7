"""Says what servers list otherwise than before, and shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.main_window import MainWindow
    from mcp_inspector.ui.models.list_watch import ListWatch
    from mcp_inspector.ui.views.changes_dialog import ChangesDialog


class ChangesActions(QObject):
    """Commands of the window. Nothing is read before there are servers."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window: MainWindow = window
        self._desk: Desk = window.desk
        self.watch: ListWatch | None = None

    def attach(self, folder: Path) -> None:
        """The core is there; what servers list is kept in this folder."""
        from mcp_inspector.session.list_book import ListBook
        from mcp_inspector.ui.models.list_watch import ListWatch

        self.watch = ListWatch(self._desk, ListBook(folder), self)
        self.watch.changed.connect(lambda _: self._show_strip())
        self._desk.server_chosen.connect(self._show_strip)
        self._window.area.changes_wanted.connect(self.show)
        self._show_strip()

    def detach(self) -> None:
        """The window ends."""
        if self.watch is not None:
            self.watch.detach()

    def show(self) -> ChangesDialog | None:
        """Compare what the chosen server lists with what it listed before."""
        server = self._desk.server
        if self.watch is None or server is None:
            return None
        from mcp_inspector.ui.views.changes_dialog import ChangesDialog

        self.watch.looked_at(server)
        dialog = ChangesDialog(self.watch, server, self._window)
        dialog.show()
        return dialog

    def _show_strip(self) -> None:
        server = self._desk.server
        found = self.watch.of(server) if self.watch is not None and server is not None else None
        self._window.area.show_changes(found)
