"""The supervisor when several things are asked of it at once."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.limits import Limits
from mcp_inspector.transport.stdio import Stdio

pytestmark = pytest.mark.anyio

_DEAF = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", file=sys.stderr, flush=True)
time.sleep(60)
"""
STUBBORN = ServerEntry("deaf", command=sys.executable, args=("-c", _DEAF))


def inspector_of(journal: Any, *entries: ServerEntry) -> Inspector:
    ways = Ways(
        lambda entry, _: Stdio([entry.command, *entry.args], limits=Limits(stop=0.5)),
        patience=Patience(probe=5, handshake=10),
        reconnect_base=0.05,
    )
    return Inspector(journal, ways, entries)


async def shutting_down(journal: Any) -> None:
    """Wait until the process has been asked to end, and has not."""
    async with asyncio.timeout(10):
        while not journal.of("shutdown"):
            await asyncio.sleep(0.01)
    assert not journal.of("exited")


async def started(journal: Any) -> None:
    """Wait until it says that it will not listen."""
    async with asyncio.timeout(10):
        while not journal.of("line"):
            await asyncio.sleep(0.01)


async def test_a_second_disconnect_waits_for_the_first_and_breaks_nothing_off(journal: Any) -> None:
    """The program ends while a server that was told to stop takes its time: nothing may be left running."""
    inspector = inspector_of(journal, STUBBORN)
    server = inspector.servers[0]
    server.connect()
    await started(journal)
    first = asyncio.create_task(server.disconnect())
    await shutting_down(journal)
    await inspector.close()
    assert len(journal.of("exited")) == 1
    await first
    assert server.status.state is State.IDLE


async def test_a_removed_server_is_ended_before_the_program_is(journal: Any) -> None:
    inspector = inspector_of(journal, STUBBORN)
    server = inspector.servers[0]
    server.connect()
    await started(journal)
    inspector.apply([])
    await shutting_down(journal)
    await inspector.close()
    assert len(journal.of("exited")) == 1


async def test_two_restarts_at_once_leave_one_connection(rude: Any, supervised: Any, journal: Any) -> None:
    async with supervised(rude().argv) as server:
        await asyncio.gather(server.restart(), server.restart())
        assert (await server.settled()).state is State.CONNECTED
        assert isinstance(await server.call_tool("echo", {}), Complete)
        assert len(journal.of("started")) - len(journal.of("exited")) == 1
    assert len(journal.of("started")) == len(journal.of("exited"))


async def test_another_protocol_in_the_entry_counts_with_the_next_connect(rude: Any, supervised: Any) -> None:
    peer = rude(discover="modern")
    async with supervised(peer.argv, protocol="modern") as server:
        assert server.identity.era == "modern"
        await server.disconnect()
        server.edit(ServerEntry("rude", command=server.entry.command, args=server.entry.args, protocol="2025-06-18"))
        server.connect()
        assert (await server.settled()).state is State.CONNECTED
        assert server.identity.version == "2025-06-18"


async def test_the_list_is_read_once_before_a_call(rude: Any, supervised: Any) -> None:
    peer = rude()
    async with supervised(peer.argv, refresh_before_call=True) as server:
        before = len(peer.heard("tools/list"))
        assert isinstance(await server.call_tool("echo", {}), Complete)
        assert len(peer.heard("tools/list")) == before + 1
        assert server.catalogue[What.TOOLS].items


async def test_connect_while_it_is_being_ended_is_not_lost(journal: Any) -> None:
    """The person clicks Disconnect and at once Connect: it is up again in the end."""
    inspector = inspector_of(journal, STUBBORN)
    server = inspector.servers[0]
    server.connect()
    await started(journal)
    ending = asyncio.create_task(server.disconnect())
    await shutting_down(journal)
    server.connect()
    await ending
    assert server.status.state is State.STARTING
    async with asyncio.timeout(10):
        while len(journal.of("started")) < 2:
            await asyncio.sleep(0.01)
    await inspector.close()
    assert len(journal.of("exited")) == 2
    assert server.status.state is State.IDLE


async def test_the_last_word_counts_while_it_is_being_ended(journal: Any) -> None:
    inspector = inspector_of(journal, STUBBORN)
    server = inspector.servers[0]
    server.connect()
    await started(journal)
    ending = asyncio.create_task(server.disconnect())
    await shutting_down(journal)
    server.connect()
    await server.disconnect()
    await ending
    assert server.status.state is State.IDLE
    assert len(journal.of("started")) == 1
    await inspector.close()


async def test_connect_in_the_moment_in_which_it_is_told_to_have_failed_counts(
    rude: Any, supervised: Any, journal: Any
) -> None:
    """Whoever hears of the end and connects at once is not too early."""
    peer = rude(on={"tools/call": [{"exit": 3}]})
    async with supervised(peer.argv, reconnect=0) as server:
        heard: list[State] = []

        def again() -> None:
            if server.status.state is State.EXITED and not heard:
                heard.append(server.status.state)
                server.connect()

        stop = server.changed.connect(again)
        await server.call_tool("echo", {})
        async with asyncio.timeout(10):
            while not heard or not server.status.up:
                await asyncio.sleep(0.01)
        stop()
        assert len(journal.of("started")) == 2


async def test_connect_when_the_peer_has_just_gone_counts_even_where_reconnecting_is_off(
    rude: Any, supervised: Any, journal: Any
) -> None:
    """What was clicked in the moment between the loss and its clearing away is not swallowed."""
    peer = rude(on={"tools/call": [{"exit": 3}]})
    async with supervised(peer.argv, reconnect=0) as server:
        clicked = asyncio.Event()

        def click() -> None:
            if server.status.state is State.STOPPING and not clicked.is_set():
                clicked.set()
                server.connect()

        stop = server.changed.connect(click)
        await server.call_tool("echo", {})
        assert (await server.settled()).state is State.CONNECTED
        stop()
        assert clicked.is_set()
        assert len(journal.of("started")) == 2
