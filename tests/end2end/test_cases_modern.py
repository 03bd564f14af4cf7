"""Cases of 2026-07-28 that no real server plays: subscriptions that end oddly, cache hints that are none."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State

pytestmark = pytest.mark.anyio

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = {
    "out": {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {
            "_meta": {"io.modelcontextprotocol/subscriptionId": "$id"},
            "notifications": {"toolsListChanged": True},
        },
    }
}


def history(reached: Any) -> list[str]:
    return [line.what for line in reached.server.subscriptions.history]


@pytest.fixture(params=["stdio", "http"])
def modern(request: pytest.FixtureRequest, rude: Any, rude_http: Any, reach: Any) -> Any:
    """``peer, reaching = modern(**script)``: a scripted modern server of each transport."""

    def make(**script: Any) -> tuple[Any, Any]:
        peer = (rude if request.param == "stdio" else rude_http)(discover="modern", **script)
        target = peer.argv if request.param == "stdio" else peer.url
        more = {} if request.param == "stdio" else {"transport": "http"}
        return peer, reach(target, protocol="modern", **more)

    return make


@pytest.mark.parametrize(
    "answer",
    [{"result": {"resultType": "complete"}}, {"error": {"code": -32601, "message": "no"}}],
    ids=["bare result", "unknown method"],
)
async def test_a_subscription_that_is_not_served_is_asked_for_once(modern: Any, answer: Any) -> None:
    """MOD-14: one attempt, one explanation, and the server is connected all the same."""
    peer, reaching = modern(on={LISTEN: [answer]})
    async with reaching as reached:
        await reached.until(lambda: "ended" in history(reached))
        await asyncio.wait([asyncio.create_task(reached.server.ping())])
        assert len(peer.heard(LISTEN)) == 1
        assert history(reached).count("ended") == 1
        assert reached.server.subscriptions.history[-1].detail
        assert reached.server.status.state is State.CONNECTED


async def test_a_stream_that_breaks_after_the_acknowledgement_is_opened_again_with_waits(
    rude_http: Any, reach: Any
) -> None:
    """MOD-14: the waits grow."""
    peer = rude_http(discover="modern", on={LISTEN: [ACKNOWLEDGED, {"drop": True}]})
    async with reach(peer.url, transport="http", protocol="modern") as reached:
        await reached.until(lambda: history(reached).count("waiting") == 2)
        waits = [line.detail for line in reached.server.subscriptions.history if line.what == "waiting"]
        assert "1 s" in waits[0]
        assert "2 s" in waits[1]
        assert len(peer.heard(LISTEN)) == 2
        assert reached.server.status.state is State.CONNECTED
        assert isinstance(await reached.server.ping(), Complete)


async def test_a_401_of_the_stream_alone_is_told_and_not_repeated(rude_http: Any, reach: Any) -> None:
    """MOD-14."""
    peer = rude_http(discover="modern", on={LISTEN: [{"http": 401, "headers": {"WWW-Authenticate": "Bearer"}}]})
    async with reach(peer.url, transport="http", protocol="modern") as reached:
        await reached.until(lambda: "ended" in history(reached))
        assert len(peer.heard(LISTEN)) == 1
        assert isinstance(await reached.server.ping(), Complete)


async def test_an_honoured_part_is_told_from_what_was_asked_for(modern: Any) -> None:
    peer, reaching = modern(on={LISTEN: [ACKNOWLEDGED]})
    async with reaching as reached:
        subscriptions = reached.server.subscriptions
        await reached.until(lambda: "acknowledged" in history(reached))
        assert subscriptions.honoured == {"toolsListChanged": True}
        assert set(subscriptions.requested) == {"toolsListChanged", "resourcesListChanged", "promptsListChanged"}
        line = next(line for line in subscriptions.history if line.what == "acknowledged")
        assert "promptsListChanged" in line.detail
        assert peer.heard(LISTEN)[0]["params"]["notifications"] == subscriptions.requested


@pytest.mark.parametrize("hint", [-5, 0, 9e15, "60000", None, True, [1]], ids=repr)
async def test_odd_cache_hints_neither_fail_a_list_nor_stop_a_refresh(modern: Any, hint: Any) -> None:
    """MOD-12: an explicit refresh always asks."""
    tools = [{"name": "first", "inputSchema": {"type": "object"}}]
    more = {} if hint is None else {"ttlMs": hint, "cacheScope": "public"}
    later = [{"name": "second", "inputSchema": {"type": "object"}}]
    peer, reaching = modern(
        on={
            "tools/list#1": [{"result": {"resultType": "complete", "tools": tools, **more}}],
            "tools/list": [{"result": {"resultType": "complete", "tools": later, **more}}],
        }
    )
    async with reaching as reached:
        catalogue = reached.server.catalogue
        assert catalogue[What.TOOLS].freshness is Freshness.FRESH
        assert list(catalogue[What.TOOLS].by_key) == ["first"]
        await reached.server.refresh(What.TOOLS)
        assert list(catalogue[What.TOOLS].by_key) == ["second"]
        assert len(peer.heard("tools/list")) == 2


async def test_a_changed_list_overrides_its_time_to_live(modern: Any) -> None:
    """MOD-12."""
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}
    listed = {"resultType": "complete", "ttlMs": 3_600_000, "cacheScope": "private"}
    old, new = ([{"name": name, "inputSchema": {"type": "object"}}] for name in ("old", "new"))
    peer, reaching = modern(
        on={
            "tools/list#1": [{"result": {**listed, "tools": old}}],
            "tools/list": [{"result": {**listed, "tools": new}}],
            LISTEN: [ACKNOWLEDGED, {"later": [{"wait": "tools/call"}, {"out": changed}]}],
        }
    )
    async with reaching as reached:
        await reached.until(lambda: "acknowledged" in history(reached))
        await reached.server.call_tool("old", {})
        await reached.until(lambda: "new" in reached.server.catalogue[What.TOOLS].by_key)
        assert len(peer.heard("tools/list")) == 2
