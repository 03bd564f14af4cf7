"""What all views of one window share: the inspector, the chosen server, notices, memory, drafts and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.ui.models.drafts import Drafts
from mcp_inspector.ui.models.runs import Runs
from mcp_inspector.ui.models.servers import ServerModel
from mcp_inspector.ui.notices import Notices

if TYPE_CHECKING:
    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.memory import Memory


class Desk(QObject):
    """One window's shared things. Views keep it and listen; it knows no view."""

    server_chosen = Signal()
    """Another server (or none) is the chosen one."""

    open_requested = Signal(str, str, str)
    """Show something: server name, page (`tools`, `resources`, `prompts`, `overview`), key of the item or empty."""

    record_requested = Signal(int)
    """Show a record of the log, by its sequence number."""

    edit_requested = Signal(str)
    """Edit a server's entry, by name."""

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.memory = memory
        self.notices = Notices()
        self.drafts = Drafts(memory)
        self.runs = Runs(self)
        self.servers = ServerModel(self)
        self.inspector: Inspector | None = None
        self.server: Server | None = None
        self.servers.refreshed.connect(self._keep_choice)

    def attach(self, inspector: Inspector) -> None:
        """The core is there: show it."""
        self.inspector = inspector
        self.servers.attach(inspector)

    def choose(self, name: str) -> None:
        """Make a server the chosen one."""
        found = next((server for server in self.servers.servers if server.name == name), None)
        if found is not None:
            self.memory.put("server", name)
        if found is not self.server:
            self.server = found
            self.server_chosen.emit()

    def _keep_choice(self) -> None:
        servers = self.servers.servers
        if self.server in servers:
            return
        wanted = self.memory.get("server", "")
        self.choose(next((one.name for one in servers if one.name == wanted), servers[0].name if servers else ""))
