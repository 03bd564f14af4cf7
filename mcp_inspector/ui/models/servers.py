"""The servers as rows: state, name, how they are reached and what they offer, with a running countdown."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.status import State
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.session.server import Server

SERVER = Qt.ItemDataRole.UserRole
"""The `Server` of an index."""

Index = QModelIndex | QPersistentModelIndex

TONES = {
    State.CONNECTED: "ok",
    State.DEGRADED: "warn",
    State.STARTING: "accent",
    State.RECONNECTING: "warn",
    State.NEEDS_SIGN_IN: "warn",
    State.SESSION_EXPIRED: "warn",
    State.EXITED: "error",
    State.FAILED: "error",
}
"""The colour that supports a state's word; every other state is quiet."""

TRANSPORTS = {"streamable-http": "http", "http": "http", "sse": "sse", "stdio": "stdio", "auto": "http or sse"}


TROUBLE = (State.FAILED, State.EXITED, State.NEEDS_SIGN_IN, State.SESSION_EXPIRED)
"""States that a failure card explains."""

_COUNTING = (State.STARTING, State.RECONNECTING)


def tone(state: State) -> str:
    """The theme's colour name for a state."""
    return TONES.get(state, "muted")


def subtitle(server: Server) -> str:
    """How it is reached, and the version spoken or the state in words: ``stdio · 2025-11-25``, ``http · failed``."""
    identity, status = server.identity, server.status
    reached = identity.transport if status.up and identity else server.entry.transport
    parts = [TRANSPORTS.get(reached, reached)]
    if status.up and identity is not None:
        parts.append(identity.version)
        if status.state is State.DEGRADED:
            parts.append("degraded")
    elif status.state is State.STARTING:
        parts.append(", ".join(filter(None, (status.words(), status.step))))  # the time is its mark
    else:
        parts.append(status.words(time.perf_counter_ns()))
    if server.entry.remote and server.entry.route.pin:
        parts.insert(1, "pinned cert.")
    return plain.line(" · ".join(parts))


def mark(server: Server) -> tuple[str, str]:
    """The word at the right edge and its colour: what it offers while it is up, the gist of the trouble when not."""
    status = server.status
    if status.up:
        tools = server.catalogue[What.TOOLS]
        if tools.items:
            return plain.count(len(tools.items), "tool"), "muted"
        resources, prompts = server.catalogue[What.RESOURCES], server.catalogue[What.PROMPTS]
        for listing, noun in ((resources, "resource"), (prompts, "prompt")):
            if listing.items:
                return plain.count(len(listing.items), noun), "muted"
        return "", "muted"
    if status.state is State.RECONNECTING and status.retry_at_ns:
        left = max(0.0, (status.retry_at_ns - time.perf_counter_ns()) / 1e9)
        return (f"in {left:.0f} s" if left >= 0.5 else "now"), "warn"
    if status.state is State.STARTING:
        return status.waited(time.perf_counter_ns()), "accent"
    if status.state is State.EXITED and status.fault is not None:
        facts = status.fault.facts
        word = f"signal {facts['signal']}" if "signal" in facts else f"code {facts.get('exit_code', '?')}"
        return plain.line(word, 20), "error"
    if status.state is State.NEEDS_SIGN_IN:
        return "Sign in", "warn"
    if status.fault is not None and "http_status" in status.fault.facts:
        return f"HTTP {status.fault.facts['http_status']}", "error"
    return "", "muted"


class ServerModel(QAbstractListModel):
    """The inspector's servers in their order. `refreshed` tells after any server changed, at most every 30 ms."""

    refreshed = Signal()
    ticked = Signal()
    """Time has passed for a server that waits."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inspector: Inspector | None = None
        self._servers: tuple[Server, ...] = ()
        self._disconnect: list[Callable[[], None]] = []
        self._pull = Pull(self.refresh, self)
        self._clock = QTimer(self)
        self._clock.setInterval(500)
        self._clock.timeout.connect(self._tick)

    def attach(self, inspector: Inspector) -> None:
        """Show the servers of this inspector from now on."""
        self._inspector = inspector
        inspector.changed.connect(self._pull.soon)
        self.refresh()

    def detach(self) -> None:
        """Stop listening: the window closes."""
        for disconnect in self._disconnect:
            disconnect()
        self._disconnect.clear()
        self._clock.stop()

    @property
    def servers(self) -> tuple[Server, ...]:
        """The servers as shown."""
        return self._servers

    def refresh(self) -> None:
        """Look at the servers again."""
        servers = self._inspector.servers if self._inspector is not None else ()
        if servers != self._servers:
            self.beginResetModel()
            self.detach()
            self._servers = servers
            for server in servers:
                self._disconnect.append(server.changed.connect(self._pull.soon))
                self._disconnect.append(server.catalogue.changed.connect(self._pull.soon))
            self.endResetModel()
        elif servers:
            self.dataChanged.emit(self.index(0), self.index(len(servers) - 1))
        self._tick(draw=False)
        self.refreshed.emit()

    def _tick(self, *, draw: bool = True) -> None:
        counting = any(server.status.state in _COUNTING for server in self._servers)
        if counting != self._clock.isActive():
            if counting:
                self._clock.start()
            else:
                self._clock.stop()
        if draw and self._servers:
            self.dataChanged.emit(self.index(0), self.index(len(self._servers) - 1))
            self.ticked.emit()

    def find(self, name: str) -> QModelIndex:
        """Where a server is; invalid when it is not there."""
        for place, server in enumerate(self._servers):
            if server.name == name:
                return self.index(place)
        return QModelIndex()

    def server(self, index: Index) -> Server | None:
        """The server at an index."""
        return self._servers[index.row()] if index.isValid() and index.row() < len(self._servers) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many servers there are."""
        return 0 if parent is not None and parent.isValid() else len(self._servers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The server; its name and state for screen readers."""
        server = self.server(index)
        if server is None:
            return None
        if role == SERVER:
            return server
        if role == Qt.ItemDataRole.DisplayRole:
            return plain.line(server.name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{plain.line(server.name)}, {server.status.words()}, {subtitle(server)}"
        return None
