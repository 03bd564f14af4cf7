"""All servers and what happened: the one object that a face needs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.inbox import Inbox
from mcp_inspector.session.server import Server
from mcp_inspector.session.status import State
from mcp_inspector.signals import Signal
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.ways import Ways


class Inspector:
    """The servers of one run of the program. `changed` tells that servers were added, removed or renamed.

    The log is whoever built this object's to close, after `close`.
    """

    def __init__(self, journal: Journal, ways: Ways, entries: Iterable[ServerEntry] = ()) -> None:
        self.changed: Signal[()] = Signal()
        self.inbox = Inbox()
        self._journal = journal
        self._ways = ways
        self._tasks = Tasks()
        self._ending: set[asyncio.Task[None]] = set()
        self._servers: dict[str, Server] = {}
        for entry in entries:
            self._servers.setdefault(entry.name, Server(entry, journal, ways, self.inbox))

    @property
    def servers(self) -> tuple[Server, ...]:
        """In the order of the servers file."""
        return tuple(self._servers.values())

    def use(self, ways: Ways) -> None:
        """Reach the outside differently from now on: the next requests and the next connections go by these ways."""
        self._ways = ways
        for server in self.servers:
            server.use(ways)

    def find(self, name: str) -> Server | None:
        """A server by its name."""
        return self._servers.get(name)

    def add(self, entry: ServerEntry) -> Server:
        """Add a server, or give an existing one of this name the new entry."""
        server = self._servers.get(entry.name)
        if server is not None:
            server.edit(entry)
            return server
        server = self._servers[entry.name] = Server(entry, self._journal, self._ways, self.inbox)
        self.changed.send()
        return server

    async def remove(self, name: str) -> None:
        """Forget a server after ending its connection."""
        server = self._servers.pop(name, None)
        if server is not None:
            self.changed.send()
            await server.close()

    def apply(self, entries: Iterable[ServerEntry]) -> None:
        """Follow an edited servers file: new ones appear, removed and disabled ones are ended, the rest goes on."""
        wanted = {entry.name: entry for entry in entries}
        gone = [server for name, server in self._servers.items() if name not in wanted]
        # out of the table at once: a task that came too late would not find them any more, and leave their processes
        self._servers = {name: server for name, server in self._servers.items() if name in wanted}
        for server in gone:
            self._end(server.close(), f"remove {server.name}")
        if gone:
            self.changed.send()
        for entry in wanted.values():
            server = self.add(entry)
            if entry.disabled and server.status.state not in (State.DISABLED, State.IDLE):
                self._end(server.disconnect(), f"disable {entry.name}")
        order = [name for name in wanted if name in self._servers]
        if order != list(self._servers):
            self._servers = {name: self._servers[name] for name in order}
            self.changed.send()

    def start(self) -> None:
        """Begin to connect every enabled server that is to be connected at the start."""
        for server in self.servers:
            if not server.entry.disabled and server.entry.connect == "start":
                server.connect()

    def connect_all(self) -> None:
        """Begin to connect every enabled server."""
        for server in self.servers:
            if not server.entry.disabled:
                server.connect()

    async def disconnect_all(self) -> None:
        """End every connection, all at once."""
        await asyncio.gather(*(server.disconnect() for server in self.servers))

    async def close(self) -> None:
        """End everything in order, bounded in time."""
        await asyncio.gather(*(server.close() for server in self.servers))
        if self._ending:  # not cancelled: each is in the middle of ending a process
            await asyncio.wait(self._ending)
        await self._tasks.close()

    def _end(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = self._tasks.spawn(work, name)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
