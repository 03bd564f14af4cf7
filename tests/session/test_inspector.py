"""All servers as one object: edits of the servers file while they run."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from tests.session.conftest import dial

pytestmark = pytest.mark.anyio


@pytest.fixture
def entry(rude: Any) -> ServerEntry:
    peer = rude()
    return ServerEntry("one", command=peer.command, args=peer.args)


async def test_a_renamed_server_stays_connected(entry: ServerEntry, journal: Any) -> None:
    inspector = Inspector(journal, Ways(dial), [entry])
    try:
        inspector.start()
        (server,) = inspector.servers
        await server.settled()
        await server.loaded()
        inspector.rename("one", "uno")
        inspector.apply([replace(entry, name="uno")])
        assert inspector.servers == (server,)
        assert inspector.find("uno") is server
        assert inspector.find("one") is None
        assert server.name == "uno"
        assert not server.needs_restart
        assert isinstance(await server.call_tool("echo", {}), Complete)
        assert len(journal.of("started")) == 1
    finally:
        await inspector.close()


async def test_a_name_that_is_taken_renames_nothing(entry: ServerEntry, journal: Any) -> None:
    inspector = Inspector(journal, Ways(dial), [entry, replace(entry, name="two")])
    inspector.rename("one", "two")
    inspector.rename("three", "four")
    assert [server.name for server in inspector.servers] == ["one", "two"]
    await inspector.close()


async def test_an_edited_file_is_followed(entry: ServerEntry, journal: Any) -> None:
    """STDIO-30, CFG-14: removed and disabled ones end, edited ones say that they need a restart, order follows."""
    others = [replace(entry, name=name) for name in ("two", "three", "four")]
    inspector = Inspector(journal, Ways(dial), [entry, *others])
    try:
        inspector.start()
        for server in inspector.servers:
            assert (await server.settled()).state is State.CONNECTED
        one, _, three, four = inspector.servers
        inspector.apply([replace(four.entry, env={"A": "b"}), entry, replace(three.entry, disabled=True)])
        assert [server.name for server in inspector.servers] == ["four", "one", "three"]
        assert four.needs_restart
        assert not one.needs_restart
        ended = asyncio.Event()
        three.changed.connect(lambda: ended.set() if three.status.state is State.DISABLED else None)
        await asyncio.wait_for(ended.wait(), 10)
        assert one.status.up
        assert four.status.up
    finally:
        await inspector.close()
