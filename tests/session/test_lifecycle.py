"""Connecting, falling back, failing, coming back."""

from __future__ import annotations

import asyncio
from typing import Any

import psutil
import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import FaultKind
from tests.session.conftest import dial

pytestmark = pytest.mark.anyio


async def until(server: Any, *states: State) -> None:
    """Wait for one of the states, bounded."""
    reached = asyncio.Event()

    def look() -> None:
        if server.status.state in states:
            reached.set()

    stop = server.changed.connect(look)
    look()
    try:
        await asyncio.wait_for(reached.wait(), 15)
    finally:
        stop()


async def test_a_legacy_server_is_fallen_back_to_in_pure_legacy_format(rude: Any, supervised: Any) -> None:
    """MOD-15: after the rejected probe nothing modern goes out."""
    peer = rude()
    async with supervised(peer.argv) as server:
        assert (server.identity.era, server.identity.version) == ("legacy", "2025-11-25")
        assert isinstance(await server.call_tool("echo", {"text": "hi"}), Complete)
    sent = [message["method"] for message in peer.heard() if "method" in message]
    assert sent[:3] == ["server/discover", "initialize", "notifications/initialized"]
    for message in peer.heard()[1:]:
        assert "io.modelcontextprotocol/protocolVersion" not in message.get("params", {}).get("_meta", {})


async def test_a_modern_server_gets_no_handshake(rude: Any, supervised: Any) -> None:
    """MOD-15: no initialize, no ping, and every request carries what the era wants."""
    peer = rude(discover="modern")
    async with supervised(peer.argv) as server:
        assert (server.identity.era, server.identity.version) == ("modern", "2026-07-28")
        assert isinstance(await server.ping(), Complete)
    methods = {message["method"] for message in peer.heard()}
    assert not methods & {"initialize", "notifications/initialized", "ping"}
    for message in peer.heard():
        if "id" in message:
            assert message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18"])
async def test_an_older_answer_is_accepted_and_shown(rude: Any, supervised: Any, version: str) -> None:
    """LIFE-01."""
    async with supervised(rude(version=version).argv) as server:
        assert server.status.state is State.CONNECTED
        assert server.identity.version == version


async def test_noise_before_and_between_messages_is_kept_and_harmless(rude: Any, supervised: Any, journal: Any) -> None:
    """STDIO-01, STDIO-03, STDIO-26."""
    noise = '\x1b[32m🚀 listening\x1b[0m\r\n{not json}\n[1,2,3]\n"text"\nnull\n\n   \n'
    peer = rude(before=[{"text": "Fake MCP server ready\n"}], on={"tools/list": [{"text": noise}, {"answer": True}]})
    async with supervised(peer.argv) as server:
        assert server.status.state is State.CONNECTED
        assert [item.key for item in server.catalogue[What.TOOLS].items] == ["echo"]
    stray = [entry.data for entry in journal.of("stray")]
    assert stray[0] == b"Fake MCP server ready"
    assert stray[1:] == ["\x1b[32m🚀 listening\x1b[0m".encode(), b"{not json}", b"[1,2,3]", b'"text"', b"null"]


async def test_a_hung_initialize_ends_with_the_line_that_explains_it(rude: Any, supervised: Any) -> None:
    """LIFE-12, STDIO-02: bounded, the stray line is named, initialize is never cancelled on the wire."""
    peer = rude(on={"initialize": [{"text": "[INFO] cache warm "}]}, before=[{"text": "Content-Length: 3\n"}])
    patience = Patience(probe=2, handshake=0.5)
    async with supervised(peer.argv, patience=patience) as server:
        assert server.status.state is State.FAILED
        assert server.status.fault.kind is FaultKind.TIMEOUT
        assert "rude" in server.status.fault.sentence
        assert "Content-Length" in server.status.fault.sentence
    assert peer.heard("notifications/cancelled") == []


async def test_an_exit_at_start_is_a_state_with_its_facts(rude: Any, supervised: Any) -> None:
    peer = rude(before=[{"stderr": "API_KEY is missing\n"}, {"exit": 3}])
    async with supervised(peer.argv) as server:
        assert server.status.state is State.EXITED
        assert server.status.words() == "exited (code 3)"
        assert server.status.fault.facts["exit_code"] == 3
        assert any("API_KEY is missing" in line for line in server.status.fault.facts["stderr"])


async def test_a_server_that_dies_on_the_probe_is_started_once_more_without_it(rude: Any, supervised: Any) -> None:
    """Protocol §2.3.8."""
    peer = rude(on={"server/discover": [{"exit": 1}]})
    async with supervised(peer.argv) as server:
        assert server.status.state is State.CONNECTED
    assert [message["method"] for message in peer.heard()][:2] == ["server/discover", "initialize"]


async def test_an_exit_in_mid_call_fails_the_call_at_once_and_is_come_back_from(
    rude: Any, supervised: Any, journal: Any
) -> None:
    """STDIO-13, LIFE-13: the call is never run again by itself, lists are kept and then read anew."""
    peer = rude(on={"tools/call:die": [{"exit": 3}]})
    async with supervised(peer.argv) as server:
        outcome = await server.call_tool("die", {})
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.EXITED
        assert outcome.fault.facts["exit_code"] == 3
        assert server.catalogue[What.TOOLS].items
        await until(server, State.CONNECTED)
        await server.loaded()
        assert server.catalogue[What.TOOLS].freshness is Freshness.FRESH
        assert isinstance(await server.call_tool("echo", {"text": "again"}), Complete)
    assert len(peer.heard("tools/call")) == 2
    assert [entry.connection for entry in journal.of("connected")] == [1, 2]


async def test_reconnecting_ends_after_the_attempts_of_the_entry(rude: Any, supervised: Any, journal: Any) -> None:
    async with supervised(rude(on={"tools/call": [{"exit": 4}]}).argv, reconnect=2) as server:
        dying = ("-c", "import sys; sys.exit(5)")
        server.edit(ServerEntry("rude", command=server.entry.command, args=dying, reconnect=2))
        await server.call_tool("echo", {})
        await until(server, State.EXITED)
        assert server.status.fault.facts["exit_code"] == 5
        assert server.catalogue[What.TOOLS].freshness is Freshness.STALE
    assert len(journal.of("started")) == 3


async def test_disconnect_ends_the_process_and_connect_starts_another(rude: Any, supervised: Any, journal: Any) -> None:
    """STDIO-30, LIFE-13."""
    async with supervised(rude().argv) as server:
        await server.disconnect()
        assert server.status.state is State.IDLE
        assert len(journal.of("exited")) == 1
        server.connect()
        assert (await server.settled()).state is State.CONNECTED
        await server.restart()
        assert (await server.settled()).state is State.CONNECTED
        assert len(journal.of("started")) - len(journal.of("exited")) == 1


async def test_disconnect_in_the_middle_of_connecting(rude: Any, supervised: Any) -> None:
    """QT-04, LIFE-12: cancel works before the limit."""
    async with supervised(rude(on={"server/discover": []}).argv, connect=False) as server:
        for _ in range(3):
            server.connect()
            await asyncio.sleep(0.05)
            await server.disconnect()
            assert server.status.state is State.IDLE


async def test_one_silent_server_does_not_hold_another(rude: Any, supervised: Any) -> None:
    """STDIO-32."""
    silent = rude(on={"server/discover": [], "initialize": []})
    async with (
        supervised(silent.argv, connect=False, name="silent") as slow,
        supervised(rude().argv, connect=False, name="quick") as quick,
    ):
        slow.connect()
        quick.connect()
        assert (await quick.settled()).state is State.CONNECTED
        assert slow.status.state is State.STARTING


async def test_a_lazy_server_connects_when_it_is_used(rude: Any, supervised: Any) -> None:
    async with supervised(rude().argv, connect=False) as server:
        refused = await server.call_tool("echo", {})
        assert isinstance(refused, LocalError)
        assert "not connected" in refused.sentence
        server.edit(ServerEntry("rude", command=server.entry.command, args=server.entry.args, connect="lazy"))
        assert isinstance(await server.call_tool("echo", {"text": "x"}), Complete)


async def test_messages_before_the_handshake_ends_are_tolerated(rude: Any, supervised: Any) -> None:
    """LIFE-03: a log, a changed list and a ping come before the initialize reply; the ping is answered."""
    before = [
        {"out": {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "boot"}}},
        {"out": {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}},
        {"out": {"jsonrpc": "2.0", "id": 1, "method": "ping"}},
        {"answer": True},
    ]
    peer = rude(on={"initialize": before})
    async with supervised(peer.argv) as server:
        assert server.status.state is State.CONNECTED
    assert {"jsonrpc": "2.0", "id": 1, "result": {}} in peer.heard("response")


async def test_unknown_requests_are_refused_under_their_own_id(rude: Any, supervised: Any) -> None:
    """LIFE-10: also ids 0 and ""."""
    asks = [{"out": {"jsonrpc": "2.0", "id": ident, "method": "vendor/thing"}} for ident in ("x", 0, "")]
    peer = rude(
        on={
            "tools/call": [
                *asks,
                {"out": {"jsonrpc": "2.0", "method": "notifications/foo", "params": []}},
                {"answer": True},
            ]
        }
    )
    async with supervised(peer.argv) as server:
        assert isinstance(await server.call_tool("echo", {}), Complete)
        await server.ping()
    answers = {repr(message["id"]): message["error"]["code"] for message in peer.heard("response")}
    assert answers == {"'x'": -32601, "0": -32601, "''": -32601}


async def test_a_changed_list_is_read_again(rude: Any, supervised: Any) -> None:
    changed = {"out": {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}}
    peer = rude(on={"tools/call": [changed, changed, changed, {"answer": True}]})
    async with supervised(peer.argv) as server:
        before = len(peer.heard("tools/list"))
        told = asyncio.Event()
        server.catalogue.changed.connect(lambda what: told.set() if what is What.TOOLS else None)
        await server.call_tool("echo", {})
        await asyncio.wait_for(told.wait(), 10)
        await server.loaded()
        assert len(peer.heard("tools/list")) == before + 1


async def test_a_failed_refresh_keeps_the_list_and_says_degraded(rude: Any, supervised: Any) -> None:
    peer = rude(on={"tools/list#2": [{"error": {"code": -32603, "message": "database is down"}}]})
    async with supervised(peer.argv) as server:
        await server.refresh(What.TOOLS)
        listing = server.catalogue[What.TOOLS]
        assert (listing.freshness, len(listing.items)) == (Freshness.STALE, 1)
        assert "database is down" in listing.why
        assert server.status.state is State.DEGRADED
        await server.refresh(What.TOOLS)
        assert server.status.state is State.CONNECTED


async def test_our_own_ping_that_is_refused_is_a_sign_of_life(rude: Any, supervised: Any) -> None:
    """LIFE-17."""
    peer = rude(on={"ping": [{"error": {"code": -32601, "message": "no ping"}}]})
    async with supervised(peer.argv) as server:
        assert isinstance(await server.ping(), RpcError)
        assert server.status.state is State.CONNECTED


async def test_a_server_that_left_the_servers_file_has_its_process_ended(rude: Any, journal: Any) -> None:
    """Whatever stays, comes and is reordered beside it; and also when the program ends right after."""
    one, two = rude(), rude()
    entries = [ServerEntry(name, command=peer.argv[0], args=peer.argv[1:]) for name, peer in (("1", one), ("2", two))]
    inspector = Inspector(journal, Ways(dial), entries)
    inspector.start()
    first, second = inspector.servers
    pids = []
    for server in (first, second):
        await server.settled()
        pids.append(server.session.transport.pid)
    inspector.apply([entries[1]])
    assert [server.name for server in inspector.servers] == ["2"]
    await until(first, State.IDLE)
    assert not psutil.pid_exists(pids[0])
    assert second.status.state is State.CONNECTED
    inspector.apply([])
    await inspector.close()
    assert not psutil.pid_exists(pids[1])
