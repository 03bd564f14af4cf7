"""Raw messages that are hard to pair: batches, and requests under an id that is open already."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import Fault, FaultKind
from tests.peers.raw_http import RawHttp

if TYPE_CHECKING:
    from tests.peers.raw_http import Reply, Request

pytestmark = pytest.mark.anyio

PING = {"jsonrpc": "2.0", "method": "ping"}


def batch(*idents: Any, **more: Any) -> bytes:
    return json.dumps([{**PING, "id": ident, **more} for ident in idents]).encode()


async def test_each_request_of_a_batch_is_paired(rude: Any, supervised: Any, journal: Any) -> None:
    peer = rude(on={"ping#2": [{"error": {"code": -5, "message": "no"}}]})
    async with supervised(peer.argv, protocol="2025-03-26") as server:
        waiter = asyncio.get_running_loop().create_future()
        assert await server.send_raw(batch("a", 900, "c"), waiter) is None
        assert [call.ident for call in server.in_flight] == ["a", 900, "c"]
        outcome = await asyncio.wait_for(waiter, 10)
        assert isinstance(outcome, Complete)
        found = {each["id"]: each for each in outcome.value}
        assert list(found) == ["a", 900, "c"]
        assert found["a"]["result"] == found["c"]["result"] == {}
        assert found[900]["error"]["code"] == -5
        assert server.in_flight == ()
        answers = [each for each in journal.entries if each.call == outcome.call and each.direction.name == "RECEIVED"]
        assert len(answers) == 3
        assert not any(each.faults for each in answers)


async def test_a_batch_that_only_tells_waits_for_nothing(rude: Any, supervised: Any) -> None:
    peer = rude()
    async with supervised(peer.argv, protocol="2025-03-26") as server:
        assert await server.send_raw(b'[{"jsonrpc":"2.0","method":"notifications/x"}]') is None
        assert server.in_flight == ()
        assert isinstance(await server.ping(), Complete)


class Held:
    """A legacy server over HTTP that holds its first `tools/call` until a second has been answered."""

    def __init__(self) -> None:
        self.first = asyncio.Event()
        self.second = asyncio.Event()
        self.batches = 0

    async def __call__(self, request: Request, reply: Reply) -> None:
        if request.method != "POST":
            await reply.send("405 Method Not Allowed", b"", "Allow: POST")
            return
        message = request.message
        if isinstance(message, list):
            await self._batch(message, reply)
        elif message.get("method") == "initialize":
            info = {"protocolVersion": "2025-03-26", "capabilities": {}, "serverInfo": {"name": "held"}}
            await reply.result(request, info, "Mcp-Session-Id: s")
        elif "id" not in message:
            await reply.send("202 Accepted")
        elif message["method"] == "tools/call" and not self.first.is_set():
            self.first.set()
            await self.second.wait()
            await reply.result(request, {"content": [], "which": 1})
        else:
            await reply.result(request, {"content": [], "which": 2})

    async def _batch(self, message: list[Any], reply: Reply) -> None:
        self.batches += 1
        if self.batches == 1:
            await reply.json([{"jsonrpc": "2.0", "id": each["id"], "result": {}} for each in message])
        else:
            await reply.send("500 Internal Server Error")


async def connected(journal: Any, raw: RawHttp) -> Inspector:
    entry = ServerEntry("raw", transport="http", url=raw.url("/mcp"), protocol="2025-03-26")
    ways = Ways(Dialer(), patience=Patience(probe=2, handshake=5), lists_at_connect=False)
    inspector = Inspector(journal, ways, [entry])
    inspector.servers[0].connect()
    assert (await inspector.servers[0].settled()).up
    return inspector


async def test_a_raw_request_under_an_open_id_gets_its_own_answer_over_http(journal: Any) -> None:
    peer = Held()
    async with RawHttp(peer) as raw:
        inspector = await connected(journal, raw)
        server = inspector.servers[0]
        try:
            call = asyncio.create_task(server.call_tool("slow"))
            await asyncio.wait_for(peer.first.wait(), 10)
            ident = server.in_flight[0].ident
            waiter = asyncio.get_running_loop().create_future()
            message = {"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": {"name": "again"}}
            assert await server.send_raw(json.dumps(message).encode(), waiter) is None
            again = await asyncio.wait_for(waiter, 10)
            assert isinstance(again, Complete)
            assert again.value["which"] == 2
            assert not call.done()
            peer.second.set()
            first = await asyncio.wait_for(call, 10)
            assert isinstance(first, Complete)
            assert first.value["which"] == 1
            assert first.call != again.call
        finally:
            peer.second.set()
            await inspector.close()


async def test_a_batch_over_http_is_answered_in_its_own_exchange_and_lost_with_it(journal: Any) -> None:
    async with RawHttp(Held()) as raw:
        inspector = await connected(journal, raw)
        server = inspector.servers[0]
        try:
            waiters = [asyncio.get_running_loop().create_future() for _ in range(2)]
            await server.send_raw(batch("a", "b"), waiters[0])
            whole = await asyncio.wait_for(waiters[0], 10)
            assert whole.value == [{"id": "a", "result": {}}, {"id": "b", "result": {}}]
            await server.send_raw(batch("c", "d"), waiters[1])
            lost = await asyncio.wait_for(waiters[1], 10)
            assert [sorted(each) for each in lost.value] == [["id", "lost"]] * 2
            assert server.in_flight == ()
        finally:
            await inspector.close()


@pytest.mark.parametrize(
    ("server", "sentence", "said"),
    [
        ("time", "timed out.", "time: timed out."),
        ("time", "time closed the connection.", "time closed the connection."),
        ("time", "time: no.", "time: no."),
        ("my", "my-server is gone.", "my: my-server is gone."),
        ("größe", "größer.", "größe: größer."),
    ],
)
def test_a_sentence_names_its_server_once(server: str, sentence: str, said: str) -> None:
    fault = Fault(FaultKind.CLOSED, sentence)
    assert fault.about(server).sentence == said
    assert fault.about(server).sentence == said


async def test_a_raw_request_that_is_refused_is_told_as_such(rude: Any, supervised: Any) -> None:
    peer = rude(on={"odd": [{"error": {"code": 7, "message": "odd"}}]})
    async with supervised(peer.argv) as server:
        waiter = asyncio.get_running_loop().create_future()
        await server.send_raw(b'{"jsonrpc":"2.0","id":"z","method":"odd"}', waiter)
        outcome = await asyncio.wait_for(waiter, 10)
        assert isinstance(outcome, RpcError)
        assert outcome.code == 7
        lost = asyncio.get_running_loop().create_future()
        peer_gone = await server.send_raw(b'{"jsonrpc":"2.0","id":"y","method":"tools/none"}', lost)
        assert peer_gone is None
        assert not isinstance(await asyncio.wait_for(lost, 10), LocalError)
