"""Our whole core against real servers: the real dialer and the real session file, over each transport and era."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.log import Log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.server import Server
    from mcp_inspector.store.record import Entry


@dataclass
class Reached:
    """A server that was connected, and all that was recorded of it."""

    server: Server
    inspector: Inspector
    log: Log

    @property
    def inbox(self) -> Inbox:
        """The questions of servers."""
        return self.inspector.inbox

    def entries(self, kind: str = "", method: str = "") -> list[Entry]:
        """What was recorded so far, in order."""
        self.log.flush()
        found = [record.entry for record in self.log.slice(1, len(self.log) + 1)]
        return [each for each in found if kind in ("", each.kind) and method in ("", each.method)]

    async def until(self, true: Callable[[], Any], limit: float = 10) -> None:
        """Wait until something about the server is so, looking again whenever it tells of a change."""
        news = asyncio.Event()
        drop = [
            signal.connect(lambda *_: news.set())
            for signal in (
                self.server.changed,
                self.server.notified,
                self.server.catalogue.changed,
                self.server.subscriptions.changed,
                self.inbox.changed,
            )
        ]
        try:
            async with asyncio.timeout(limit):
                while not true():
                    await news.wait()
                    news.clear()
        finally:
            for each in drop:
                each()


@pytest.fixture
def reach(tmp_path: Path) -> Callable[..., Any]:
    """``async with reach(argv or url, protocol="auto", transport="auto") as reached``: connected, its lists read."""

    @asynccontextmanager
    async def run(
        target: tuple[str, ...] | str,
        *,
        name: str = "peer",
        capabilities: dict[str, Any] | None = None,
        patience: Patience | None = None,
        connect: bool = True,
        **entry: Any,
    ) -> AsyncIterator[Reached]:
        if isinstance(target, str):
            made = ServerEntry(name, url=target, **{"transport": "auto", **entry})
        else:
            made = ServerEntry(name, command=target[0], args=tuple(target[1:]), **entry)
        client = Client() if capabilities is None else Client(capabilities=capabilities)
        log = Log.create(tmp_path / "sessions")
        ways = Ways(Dialer(), client, patience or Patience(request=30, handshake=30), reconnect_base=0.05)
        inspector = Inspector(log, ways, [made])
        server = inspector.servers[0]
        try:
            if connect:
                server.connect()
                await server.settled()
                await server.loaded()
            yield Reached(server, inspector, log)
        finally:
            await inspector.close()
            log.close()

    return run
