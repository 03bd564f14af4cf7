"""Results that a server of 2026-07-28 lets be used again (MOD-12): when they are, and when never."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session import cache
from mcp_inspector.session.cache import Cache, hint_of
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inbox import ELICITATION, Preset
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp_inspector.session.server import Server

pytestmark = pytest.mark.anyio

URI = "rude://text"
LONG = {"ttlMs": 600_000, "cacheScope": "private"}


def contents(text: str = "rude text", **more: Any) -> dict[str, Any]:
    return {"resultType": "complete", "contents": [{"uri": URI, "text": text}], **LONG, **more}


def listed(*names: str, **more: Any) -> dict[str, Any]:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
    return {"resultType": "complete", "tools": tools, **LONG, **more}


async def test_a_fresh_resource_is_not_asked_for_again(rude: Any, supervised: Any) -> None:
    peer = rude(discover="modern", on={"resources/read": [{"result": contents()}]})
    async with supervised(peer.argv) as server:
        first = await server.read_resource(URI)
        again = await server.read_resource(URI)
        assert len(peer.heard("resources/read")) == 1
        assert first.cached is None
        assert again.result == first.result
        assert (again.call, again.reply, again.elapsed_ns) == (first.call, first.reply, 0)
        assert again.cached.scope == "private"
        assert again.cached.until_ns - again.cached.fetched_ns == 600_000 * 1_000_000
        assert again.cached.words(again.cached.fetched_ns + 3_000_000_000).startswith("from the cache, 3 s old, priv")
        other = await server.read_resource("rude://other")
        assert other.cached is None
        fresh = await server.read_resource(URI, fresh=True)
        assert fresh.cached is None
        assert len(peer.heard("resources/read")) == 3
        assert (await server.read_resource(URI)).call == fresh.call  # the latest counts


@pytest.mark.parametrize(
    ("hints", "kept", "odd"),
    [
        ({"ttlMs": 0}, False, False),
        ({}, False, False),
        ({"ttlMs": -5}, False, True),
        ({"ttlMs": "60000"}, False, True),
        ({"ttlMs": True}, False, True),
        ({"ttlMs": None}, False, True),
        ({"ttlMs": 60000.5}, True, True),
        ({"ttlMs": 9_000_000_000_000_000}, True, False),
        ({"ttlMs": 60000, "cacheScope": "world"}, True, True),
    ],
    ids=repr,
)
async def test_odd_times_to_live_are_none_and_huge_ones_a_day(
    rude: Any, supervised: Any, hints: Any, kept: bool, odd: bool
) -> None:
    bare = {"resultType": "complete", "contents": []}
    peer = rude(
        discover="modern",
        on={"resources/read": [{"result": bare | hints}], "tools/list": [{"result": {"tools": []} | hints}]},
    )
    async with supervised(peer.argv) as server:
        await server.read_resource(URI)
        again = await server.read_resource(URI)
        assert (again.cached is not None) == kept
        if kept:
            assert again.cached.until_ns - again.cached.fetched_ns <= 24 * 3600 * 10**9
        warnings = server.catalogue[What.TOOLS].warnings
        assert any("ttlMs" in each or "cacheScope" in each for each in warnings) == odd


async def test_what_is_old_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 100.0
    monkeypatch.setattr(cache.time, "monotonic", lambda: moment)
    kept = Cache()
    kept.enter("here")
    params = {"uri": URI}
    kept.put("resources/read", params, Complete("resources/read", 1, result=b'{"ttlMs":1000}'), kept.moment)
    moment = 100.9
    assert kept.get("resources/read", {"uri": URI, "_meta": {"a": 1}}) is not None  # `_meta` decides nothing
    moment = 101.0
    assert kept.get("resources/read", params) is None


def test_memory_stays_bounded() -> None:
    kept = Cache()
    kept.enter("here")
    large = b'{"ttlMs":60000,"x":"' + b"x" * 2**20 + b'"}'
    for number in range(100):
        kept.put("resources/read", {"uri": f"a://{number}"}, Complete("resources/read", 1, result=large), kept.moment)
    assert kept.get("resources/read", {"uri": "a://0"}) is None
    assert kept.get("resources/read", {"uri": "a://99"}) is not None
    assert kept._bytes <= 32 * 2**20
    kept.clear()
    assert kept._bytes == 0


@pytest.mark.parametrize("result", [b"[]", b"{", b'{"ttlMs": 1e999}', b'{"ttlMs": {}}', b"[" * 100_000])
def test_any_result_has_a_hint(result: bytes) -> None:
    assert hint_of(result).scope == ""


@pytest.mark.parametrize(
    ("uri", "dropped"),
    [(URI, True), (f"{URI}/part", True), ("other://text", False), ("rude://textbook", False)],
)
async def test_an_update_makes_a_resource_old(rude: Any, supervised: Any, uri: str, dropped: bool) -> None:
    update = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}}
    on = {"resources/read": [{"result": contents()}], "tools/call": [{"out": update}, {"answer": True}]}
    peer = rude(discover="modern", on=on)
    async with supervised(peer.argv) as server:
        await server.read_resource(URI)
        await server.call_tool("echo", {})
        assert ((await server.read_resource(URI)).cached is None) == dropped


async def test_what_changed_while_it_was_read_is_not_kept(rude: Any, supervised: Any) -> None:
    update = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": URI}}
    peer = rude(discover="modern", on={"resources/read": [{"out": update}, {"result": contents()}]})
    async with supervised(peer.argv) as server:
        await server.read_resource(URI)
        await server.read_resource(URI)
        assert len(peer.heard("resources/read")) == 2


async def test_lists_come_from_the_cache_until_they_change(rude: Any, supervised: Any) -> None:
    change = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    on = {
        "tools/list#1": [{"result": listed("a")}],
        "tools/list": [{"result": listed("a", "b")}],
        "tools/call": [{"out": change}, {"answer": True}],
    }
    peer = rude(discover="modern", on=on)
    async with supervised(peer.argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert listing.cached is None
        assert listing.until_wall_ns == listing.fetched_wall_ns + 600_000 * 10**6
        await server.refresh(What.TOOLS, fresh=False)
        again = server.catalogue[What.TOOLS]
        assert len(peer.heard("tools/list")) == 1
        assert again.cached is not None
        assert again.fetched_wall_ns == again.cached.fetched_ns
        assert [item.key for item in again.items] == ["a"]
        await server.call_tool("a", {})
        await server.refresh(What.TOOLS, fresh=False)
        assert [item.key for item in server.catalogue[What.TOOLS].items] == ["a", "b"]
        assert server.catalogue[What.TOOLS].cached is None
        await server.loaded()
        await server.refresh(What.TOOLS)  # by hand: always
        assert server.catalogue[What.TOOLS].cached is None
        assert len(peer.heard("tools/list")) >= 3


async def test_each_page_is_kept_for_itself_and_all_go_with_a_refused_cursor(rude: Any, supervised: Any) -> None:
    on = {
        "tools/list#1": [{"result": listed("a", nextCursor="2", ttlMs=600_000)}],
        "tools/list#2": [{"result": listed("b", ttlMs=0)}],
        "tools/list#3": [{"error": {"code": -32602, "message": "no such cursor"}}],
        "tools/list": [{"result": listed("c")}],
    }
    peer = rude(discover="modern", on=on)
    async with supervised(peer.argv) as server:
        assert server.catalogue[What.TOOLS].ttl_ms == 0  # of its shortest page
        await server.refresh(What.TOOLS, fresh=False)  # the first page from the cache, the second refused: again
        assert [item.key for item in server.catalogue[What.TOOLS].items] == ["c"]
        assert len(peer.heard("tools/list")) == 4
        assert server.catalogue[What.TOOLS].cached is None


async def test_what_was_answered_for_is_never_used_again(rude: Any, supervised: Any) -> None:
    """Nothing that carried inputResponses or requestState may be kept."""
    question = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"type": "object"}}}
    asks = {"resultType": "input_required", "inputRequests": {"q": question}}
    on = {f"resources/read#{n}": [{"result": asks if n % 2 else contents()}] for n in range(1, 5)}
    peer = rude(discover="modern", on=on)
    async with supervised(peer.argv) as server:
        server._inbox.set_preset("*", ELICITATION, Preset("accept"))
        for _ in range(2):
            assert (await server.read_resource(URI)).cached is None
        assert len(peer.heard("resources/read")) == 4


async def test_the_legacy_era_has_no_cache(rude: Any, supervised: Any) -> None:
    peer = rude(on={"resources/read": [{"result": contents()}]})
    async with supervised(peer.argv) as server:
        assert server.identity.era == "legacy"
        await server.read_resource(URI)
        await server.read_resource(URI)
        assert len(peer.heard("resources/read")) == 2


async def test_another_process_is_another_server(rude: Any, supervised: Any) -> None:
    peer = rude(discover="modern", on={"resources/read": [{"result": contents()}]})
    async with supervised(peer.argv) as server:
        await server.read_resource(URI)
        await server.restart()
        await server.settled()
        assert (await server.read_resource(URI)).cached is None


@asynccontextmanager
async def over_http(journal: Any, url: str, **entry: Any) -> AsyncIterator[Server]:
    ways = Ways(Dialer(), patience=Patience(probe=5, handshake=10), reconnect_base=0.05)
    given = {"transport": "http", "url": url, **entry}
    inspector = Inspector(journal, ways, [ServerEntry("raw", **given)])
    server = inspector.servers[0]
    try:
        server.connect()
        assert (await server.settled()).state is State.CONNECTED
        await server.loaded()
        yield server
    finally:
        await inspector.close()


async def again(server: Server, **changes: Any) -> None:
    server.edit(replace(server.entry, **changes))
    await server.restart()
    assert (await server.settled()).state is State.CONNECTED
    await server.loaded()


async def test_another_account_gets_nothing_of_the_first(rude_http: Any, journal: Any, monkeypatch: Any) -> None:
    """Neither private nor public results cross authorization contexts; a variable counts by its value."""
    peer = rude_http(discover="modern", on={"resources/read": [{"result": contents(cacheScope="public")}]})
    monkeypatch.setenv("ACCOUNT", "one")
    async with over_http(journal, peer.url, headers={"Authorization": "Bearer ${ACCOUNT}"}) as server:
        await server.read_resource(URI)
        await again(server)  # the same account over a new connection: the server's promise still holds
        assert (await server.read_resource(URI)).cached is not None
        monkeypatch.setenv("ACCOUNT", "two")
        await again(server)
        assert (await server.read_resource(URI)).cached is None
        assert (await server.read_resource(URI)).cached is not None
        await again(server, capabilities={"roots": {}})  # what is declared decides about what is listed and read
        assert (await server.read_resource(URI)).cached is None
        secrets = [each for each in (server._cache.context,) if "one" in each or "two" in each]
        assert secrets == []


async def test_lists_are_read_when_a_person_connects(rude_http: Any, journal: Any) -> None:
    peer = rude_http(discover="modern", capabilities={"tools": {}}, on={"tools/list": [{"result": listed("a")}]})
    async with over_http(journal, peer.url) as server:
        await again(server)
        assert server.catalogue[What.TOOLS].cached is None
        assert len(peer.heard("tools/list")) == 2


async def test_lists_that_are_fresh_are_not_read_again_when_a_connection_comes_back_by_itself(
    rude_http: Any, journal: Any
) -> None:
    peer = rude_http(discover="modern", capabilities={"tools": {}}, on={"tools/list": [{"result": listed("a")}]})
    async with over_http(journal, peer.url) as server:
        server.session.closed(Fault(FaultKind.RESET, "The connection was reset."))  # as its transport says it
        async with asyncio.timeout(10):
            while server.connection < 2:
                await asyncio.sleep(0.01)
        assert (await server.settled()).state is State.CONNECTED
        await server.loaded()
        listing = server.catalogue[What.TOOLS]
        assert listing.freshness is Freshness.FRESH
        assert listing.cached is not None
        assert len(peer.heard("tools/list")) == 1
        await server.refresh()
        assert server.catalogue[What.TOOLS].cached is None


async def test_many_who_want_a_list_share_one_reading(rude: Any, supervised: Any) -> None:
    """Never two at once, of which the later answer would win."""
    peer = rude()
    async with supervised(peer.argv) as server:
        before = len(peer.heard("tools/list"))
        await asyncio.gather(*(server.refresh(What.TOOLS) for _ in range(5)))
        assert len(peer.heard("tools/list")) == before + 1
        assert server.catalogue[What.TOOLS].freshness is Freshness.FRESH


async def test_a_change_while_a_list_is_read_has_it_read_once_more(rude: Any, supervised: Any) -> None:
    """The answer that was under way may be the old one: whoever asks after the notice gets a newer."""
    change = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("old", "new")]
    on = {
        "tools/list#2": [{"out": change}, {"later": [{"sleep": 0.3}, {"result": {"tools": tools[:1]}}]}],
        "tools/list": [{"result": {"tools": tools[1:]}}],
    }
    peer = rude(on=on)
    async with supervised(peer.argv) as server:
        heard = asyncio.Event()
        stop = server.notified.connect(lambda _: heard.set())
        first = asyncio.create_task(server.refresh(What.TOOLS))
        await asyncio.wait_for(heard.wait(), 10)
        stop()
        await server.refresh(What.TOOLS)
        assert first.done()
        await first
        assert [item.key for item in server.catalogue[What.TOOLS].items] == ["new"]
