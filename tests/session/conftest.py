"""Servers under supervision, for the tests of the session: real processes, a journal in memory."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp_inspector.session.server import Server
    from mcp_inspector.store.record import Entry
    from mcp_inspector.transport.base import Transport


class Journal:
    """Keeps every entry; `seq` is its place, from 1."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries)

    def of(self, kind: str, method: str | None = None) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == kind and method in (None, entry.method)]


def dial(entry: ServerEntry, choice: str) -> Transport:
    assert choice == "stdio"
    return Stdio([entry.command, *entry.args], env=entry.env)


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def supervised(journal: Journal) -> Callable[..., Any]:
    """``async with supervised(argv, **entry) as server``: connected and its lists read, unless ``connect=False``."""

    @asynccontextmanager
    async def run(
        argv: tuple[str, ...],
        *,
        connect: bool = True,
        patience: Patience | None = None,
        base: float = 0.05,
        name: str = "rude",
        client: Client | None = None,
        **entry: Any,
    ) -> AsyncIterator[Server]:
        limits = patience or Patience(probe=5, handshake=10)
        ways = Ways(dial, client or Client(), patience=limits, reconnect_base=base)
        inspector = Inspector(journal, ways, [ServerEntry(name, command=argv[0], args=argv[1:], **entry)])
        server = inspector.servers[0]
        try:
            if connect:
                server.connect()
                await server.settled()
                await server.loaded()
            yield server
        finally:
            await inspector.close()

    return run
