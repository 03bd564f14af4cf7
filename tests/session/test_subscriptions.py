"""One `subscriptions/listen` stream at a time, with the filter that is wanted, over real HTTP."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from tests.peers.raw_http import RawHttp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_inspector.session.server import Server
    from tests.peers.raw_http import Reply, Request

pytestmark = pytest.mark.anyio

HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}


class Listened:
    """A modern server that acknowledges every listen and keeps it open, and counts. `capabilities` are declared."""

    def __init__(self, capabilities: dict[str, Any]) -> None:
        self.capabilities = capabilities
        self.filters: list[Any] = []
        self.open = 0
        self.lists = 0
        self.end_first = False
        self._news = asyncio.Event()

    async def until(self, ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not ready():
                self._news.clear()
                await self._news.wait()

    async def __call__(self, request: Request, reply: Reply) -> None:
        message = request.message
        if message["method"] == "server/discover":
            found = {**HINTS, "supportedVersions": ["2026-07-28"], "capabilities": self.capabilities}
            await reply.result(request, found)
        elif message["method"] == "subscriptions/listen":
            await self._listen(message, reply)
        else:
            self.lists += 1
            await reply.result(request, {**HINTS, "tools": [], "resources": [], "resourceTemplates": []})

    async def _listen(self, message: Any, reply: Reply) -> None:
        self.filters.append(message["params"]["notifications"])
        self.open += 1
        self._news.set()
        await reply.stream()
        params = {
            "_meta": {"io.modelcontextprotocol/subscriptionId": message["id"]},
            "notifications": self.filters[-1],
        }
        await reply.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params})
        if not (self.end_first and len(self.filters) == 1):
            await asyncio.wait_for(reply.gone.wait(), 20)
        self.open -= 1
        self._news.set()


async def run(journal: Any, peer: Listened, play: Callable[[Server], Awaitable[None]]) -> None:
    async with RawHttp(peer) as raw:
        ways = Ways(Dialer(), patience=Patience(probe=2, handshake=3), reconnect_base=0.05)
        inspector = Inspector(journal, ways, [ServerEntry("raw", transport="http", url=raw.url("/mcp"))])
        server = inspector.servers[0]
        try:
            server.connect()
            assert (await server.settled()).up
            await server.loaded()
            await play(server)
        finally:
            await inspector.close()


async def test_the_stream_is_closed_when_nothing_is_watched_any_more(journal: Any) -> None:
    peer = Listened({"resources": {"subscribe": True}})

    async def play(server: Server) -> None:
        await server.subscriptions.watch("x:1")
        await peer.until(lambda: peer.open == 1)
        await server.subscriptions.watch("x:2")
        await peer.until(lambda: len(peer.filters) == 2 and peer.open == 1)
        assert peer.filters[-1] == {"resourceSubscriptions": ["x:1", "x:2"]}
        server.subscriptions.uris.clear()
        await server.subscriptions.unwatch("x:1")
        await peer.until(lambda: peer.open == 0)
        assert server.in_flight == ()

    await run(journal, peer, play)


async def test_lists_are_read_anew_after_a_broken_stream_and_not_after_a_new_filter(journal: Any) -> None:
    """A stream that another replaces misses nothing; one that broke may have."""
    peer = Listened({"resources": {"subscribe": True, "listChanged": True}})
    missed: list[int] = []

    async def play(server: Server) -> None:
        stop = server.subscriptions.missed.connect(lambda: missed.append(len(peer.filters)))
        await peer.until(lambda: peer.open == 1)
        await server.subscriptions.watch("x:1")
        await peer.until(lambda: len(peer.filters) == 2 and peer.open == 1)
        assert missed == []
        stop()

    await run(journal, peer, play)
    broken = Listened({"resources": {"listChanged": True}})
    broken.end_first = True

    async def play_broken(server: Server) -> None:
        told = asyncio.Event()
        stop = server.subscriptions.missed.connect(told.set)
        await asyncio.wait_for(told.wait(), 10)
        assert len(broken.filters) == 2
        stop()

    await run(journal, broken, play_broken)


async def test_a_late_acknowledgement_is_not_that_of_the_stream_which_replaced_it(rude: Any, supervised: Any) -> None:
    """Matched by the subscription id: what the old filter honoured says nothing of the new one."""

    def acknowledged(ident: Any, **honoured: Any) -> dict[str, Any]:
        meta = {"io.modelcontextprotocol/subscriptionId": ident}
        params = {"notifications": honoured, "_meta": meta}
        return {"out": {"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params}}

    late = [{"wait": "subscriptions/listen"}, {"sleep": 0.05}, acknowledged("$id", toolsListChanged=True)]
    second = [{"later": [{"wait": "notifications/cancelled"}, acknowledged("$id", resourceSubscriptions=["rude://a"])]}]
    peer = rude(discover="modern", on={"subscriptions/listen#1": [{"later": late}], "subscriptions/listen": second})
    async with supervised(peer.argv) as server:
        subscriptions = server.subscriptions
        news = asyncio.Event()
        stop = subscriptions.changed.connect(news.set)

        async def until(ready: Callable[[], bool]) -> None:
            async with asyncio.timeout(15):
                while not ready():
                    news.clear()
                    await news.wait()

        await until(lambda: bool(peer.heard("subscriptions/listen")))
        await subscriptions.watch("rude://a")
        await until(lambda: any("late" in each.detail for each in subscriptions.history))
        assert subscriptions.honoured == {}
        stop()
