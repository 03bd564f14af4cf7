"""All servers and what happened: the one object that a face needs."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_inspector.config.variables import expand
from mcp_inspector.session.inbox import Inbox
from mcp_inspector.session.server import Server
from mcp_inspector.session.signing_in import filled, forget
from mcp_inspector.session.status import State
from mcp_inspector.signals import Signal
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.vault import Vault
    from mcp_inspector.session.doctor.doctor import Doctor
    from mcp_inspector.session.doctor.network import Presented
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.ways import Ways


_FORGET_S = 3.0
"""How long the end waits for a vault, in seconds."""


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
        self._turn = asyncio.Lock()  # starting a process holds the loop up: of many, one in a turn of it
        self._servers: dict[str, Server] = {}
        self._removed: set[Server] = set()  # still ending
        self._leaving: dict[str, ServerEntry] = {}  # removed, and may come back
        for entry in entries:
            self._servers.setdefault(entry.name, Server(entry, journal, ways, self.inbox))

    @property
    def servers(self) -> tuple[Server, ...]:
        """In the order of the servers file."""
        return tuple(self._servers.values())

    @property
    def ways(self) -> Ways:
        """How the outside is reached now."""
        return self._ways

    @property
    def vault(self) -> Vault | None:
        """Where secrets are kept; None where nobody signs in."""
        return self._ways.vault

    def doctor(self, server: Server) -> Doctor:
        """Who finds out what is wrong with a server's connection, by connections of its own."""
        from mcp_inspector.session.doctor.doctor import Doctor

        return Doctor(server.entry, replace(self._ways, lists_at_connect=False), self._journal)

    async def certificate(self, server: Server) -> Presented:
        """The certificate that a server shows now, trusted or not. Raises `Fault`."""
        from mcp_inspector.session.doctor.network import presented

        return await presented(expand(await filled(server.entry, self._ways)).entry)

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

    def rename(self, old: str, new: str) -> None:
        """Call a server by another name; its connection and lists stay. Records so far keep the old name."""
        server = self._servers.get(old)
        if server is None or new in self._servers:
            return
        server.edit(replace(server.entry, name=new))
        self._servers = {new if name == old else name: each for name, each in self._servers.items()}
        self.changed.send()

    async def remove(self, name: str) -> None:
        """Forget a server after ending its connection."""
        server = self._servers.pop(name, None)
        if server is not None:
            self._removed.add(server)
            self.changed.send()
            await self._end(server)

    def let_go(self, entry: ServerEntry) -> None:
        """A server was removed by the person: what is kept of its sign-in goes with `forget`, or at the end."""
        self._leaving[entry.name] = entry

    def take_back(self, name: str) -> None:
        """It was not meant to go."""
        self._leaving.pop(name, None)

    async def forget(self, name: str) -> None:
        """Remove the tokens of a server that was let go from the vault, unless there is one of its name again."""
        entry = self._leaving.pop(name, None)
        if entry is not None and name not in self._servers:
            await forget(entry, self._ways)

    def apply(self, entries: Iterable[ServerEntry]) -> None:
        """Follow an edited servers file: new ones appear, removed and disabled ones are ended, the rest goes on."""
        wanted = {entry.name: entry for entry in entries}
        surplus = [self._servers.pop(name) for name in list(self._servers) if name not in wanted]
        for server in surplus:
            self._removed.add(server)
            self._tasks.spawn(self._end(server), f"remove {server.name}")
        for entry in wanted.values():
            server = self.add(entry)
            if entry.disabled and server.status.state not in (State.DISABLED, State.IDLE):
                self._tasks.spawn(server.disconnect(), f"disable {entry.name}")
        order = [name for name in wanted if name in self._servers]
        if order != list(self._servers) or surplus:
            self._servers = {name: self._servers[name] for name in order}
            self.changed.send()

    async def _end(self, server: Server) -> None:
        await server.close()
        self._removed.discard(server)

    def start(self) -> None:
        """Begin to connect every enabled server that is to be connected at the start."""
        for server in self.servers:
            if not server.entry.disabled and server.entry.connect == "start":
                server.connect(self._turn)

    def connect_all(self) -> None:
        """Begin to connect every enabled server."""
        for server in self.servers:
            if not server.entry.disabled:
                server.connect(self._turn)

    async def close(self) -> None:
        """End everything in order, bounded in time."""
        await asyncio.gather(*(server.close() for server in (*self.servers, *self._removed)))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FORGET_S):
                for name in list(self._leaving):
                    await self.forget(name)
        await self._tasks.close()
