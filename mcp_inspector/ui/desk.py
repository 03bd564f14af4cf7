"""What all views of one window share: the inspector, the chosen server, notices, memory, drafts and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.store.record import Channel
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.drafts import Drafts
from mcp_inspector.ui.models.own_meta import OwnMeta
from mcp_inspector.ui.models.recall import Recall
from mcp_inspector.ui.models.runs import Runs
from mcp_inspector.ui.models.saving import Saving
from mcp_inspector.ui.models.servers import ServerModel
from mcp_inspector.ui.models.shelf import Shelf
from mcp_inspector.ui.models.signing import Signing
from mcp_inspector.ui.notices import Notices

if TYPE_CHECKING:
    from mcp_inspector.config.vault import Vault
    from mcp_inspector.session.approval import Gate
    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.session.server import Server
    from mcp_inspector.store.log import Log
    from mcp_inspector.store.record import Record
    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.models.book import Book
    from mcp_inspector.ui.models.findings import Findings

_LINES = frozenset({Channel.STDERR, Channel.STDOUT})
_SHELF_MS = 400
"""When collections are read: what reads them takes a moment to import, and the first paint needs none of it."""
_LOOKED_BACK = 200_000
"""Records that are looked at, at most, to find a server's last lines."""


class Desk(QObject):
    """One window's shared things. Views keep it and listen; it knows no view."""

    server_chosen = Signal()
    """Another server (or none) is the chosen one."""

    open_requested = Signal(str, str, str)
    """Show something: server name, page (`tools`, `resources`, `prompts`, `overview`), key of the item or empty."""

    record_requested = Signal(int)
    """Show a record of the log, by its sequence number."""

    record_sent = Signal(int)
    """A request that the person just sent has its record: what shows the traffic may point at it."""

    traffic_requested = Signal(str)
    """Show the traffic of a server, by name."""

    findings_requested = Signal(str, str)
    """List what is wrong with a tool: server name, key of the tool."""

    judged = Signal()
    """Something new has been found wrong, or is not any more."""

    text_sent = Signal(str)
    """A text shall be given to another action."""

    probe_requested = Signal(str, str)
    """The boundary cases of a tool shall be tried: server name, tool."""

    rows_changed = Signal()
    """Lists have one or two lines now."""

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.memory = memory
        self.notices = Notices()
        self.drafts = Drafts(memory)
        self.recall = Recall(memory)
        self.own_meta = OwnMeta(memory)
        self.runs = Runs(self)
        self.servers = ServerModel(self)
        self.shelf = Shelf(memory, self)
        self._shelf_soon = Pull(self.shelf.start, self, _SHELF_MS)
        self.saving = Saving(self)
        self.signing = Signing(self)
        self.inspector: Inspector | None = None
        self.log: Log | None = None
        self.book: Book | None = None
        self.findings: Findings | None = None  # of the live session, once it is judged
        self.gate: Gate | None = None  # what may be called; with the core
        self.vault: Vault | None = None  # secrets that actions refer to; with the core
        self.server: Server | None = None
        self.servers.refreshed.connect(self._keep_choice)

    def attach(self, inspector: Inspector, log: Log, book: Book) -> None:
        """The core is there: show it. Without a `gate` from outside, what is allowed is kept in memory."""
        from mcp_inspector.config.vault import Vault
        from mcp_inspector.session.approval import Gate

        self.inspector, self.log, self.book = inspector, log, book
        self.gate = self.gate or Gate()
        self.vault = self.vault or inspector.vault or Vault()
        if self.shelf.folder is not None:
            self._shelf_soon.soon()
        book.renamed.connect(self.drafts.rename)
        book.renamed.connect(self.recall.rename_server)
        book.renamed.connect(self.own_meta.rename)
        self.servers.attach(inspector)

    def records_of(self, server: Server, most: int) -> list[Record]:
        """The newest lines that the server's present or last connection wrote beside the protocol, oldest first."""
        log = self.log
        if log is None:
            return []
        columns = log.columns
        found: list[int] = []
        for index in range(len(columns) - 1, max(-1, len(columns) - 1 - _LOOKED_BACK), -1):
            if columns.servers.texts[columns.server[index]] != server.name:
                continue
            if columns.connection[index] != server.connection or len(found) >= most:
                break
            if columns.channel[index] not in _LINES:
                if found and columns.kinds.texts[columns.kind[index]] == "started":
                    break  # what came before was another process
                continue
            found.append(index + 1)
        return [log.record(seq) for seq in reversed(found)]

    def choose(self, name: str) -> None:
        """Make a server the chosen one, also one that was added just now."""
        if self.inspector is not None and (new := self.inspector.find(name)) and new not in self.servers.servers:
            self.servers.refresh()
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
