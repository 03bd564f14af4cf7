"""Keeps what each server lists at its connects, and knows what is different since the connect before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.session.list_book import Changes, Connect, ListBook, changes, key_of
from mcp_inspector.ui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.remembered import Remembered
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk


class ListWatch(QObject):
    """`changed` tells the name of a server whose changes are others now. Files are read and written in a thread."""

    changed = Signal(str)

    def __init__(self, desk: Desk, book: ListBook, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.book = book
        self._desk = desk
        self._stops: dict[Server, Callable[[], None]] = {}
        self._last: dict[Server, Remembered] = {}
        self._found: dict[Server, Changes] = {}
        self._seen: set[tuple[Server, int]] = set()
        desk.servers.refreshed.connect(self._servers_moved)
        self._servers_moved()

    def detach(self) -> None:
        """Follow the servers no more."""
        for stop in self._stops.values():
            stop()
        self._stops.clear()

    def of(self, server: Server) -> Changes | None:
        """What is different since the connect before, until it was looked at; None when nothing is."""
        found = self._found.get(server)
        return found if found is not None and (server, found.after.wall_ns) not in self._seen else None

    def looked_at(self, server: Server) -> None:
        """The person has seen it."""
        found = self._found.get(server)
        if found is not None:
            self._seen.add((server, found.after.wall_ns))
            self.changed.emit(server.name)

    def _servers_moved(self) -> None:
        servers = self._desk.servers.servers
        for gone in [server for server in self._stops if server not in servers]:
            self._stops.pop(gone)()
            for known in (self._last, self._found):
                known.pop(gone, None)
        for server in servers:
            if server not in self._stops:
                self._stops[server] = server.changed.connect(partial(self._look, server))
                self._look(server)

    def _look(self, server: Server) -> None:
        last, known = server.remembered[-1] if server.remembered else None, self._last.get(server)
        if last is None or last is known:
            return
        self._last[server] = last
        key, connect = key_of(server.entry), Connect.of(last)
        instead = known is not None and known.connection == last.connection

        def work() -> Changes | None:
            before = self.book.keep(key, connect, instead=instead)
            return changes(before, connect) if before is not None else None

        bridge.spawn(
            bridge.aside(work),
            what=f"comparing the lists of {server.name}",
            on_done=lambda found: self._compared(server, found),
        )

    def _compared(self, server: Server, found: Changes | None) -> None:
        if server not in self._stops:
            return
        if found is not None and found.lists:
            self._found[server] = found
        elif server in self._found:
            del self._found[server]
        else:
            return
        self.changed.emit(server.name)
