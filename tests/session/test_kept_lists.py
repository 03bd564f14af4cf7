"""What servers listed is kept from one run of the program to the next."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.kept_lists import KEPT, KeptLists
from mcp_inspector.session.remembered import Remembered, compare
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.stdio import Stdio

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def listed(*names: str, wall_ns: int = 1, declared: Any = None, **texts: bytes) -> Remembered:
    tools = {name: (texts.get(name, b'{"name":"' + name.encode() + b'"}'),) for name in names}
    return Remembered(1, wall_ns, "2025-11-25", "s 1", declared or {}, {What.TOOLS: tools})


async def one_run(journal: Any, folder: Path, argv: tuple[str, ...]) -> list[Remembered]:
    """Connect once, as one run of the program does, and give what is remembered in the end."""
    ways = Ways(
        lambda entry, _: Stdio([entry.command, *entry.args]), patience=Patience(probe=5, handshake=10), lists=folder
    )
    inspector = Inspector(journal, ways, [ServerEntry("mine", command=argv[0], args=argv[1:])])
    server = inspector.servers[0]
    try:
        server.connect()
        await server.settled()
        await server.loaded()
        await server._connects.kept()
        return list(server.remembered)
    finally:
        await inspector.close()


async def test_an_earlier_run_can_be_compared_with(rude: Any, journal: Any, tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    tool = {"name": "echo", "inputSchema": {"type": "object"}}
    (first,) = await one_run(journal, folder, rude(tools=[tool]).argv)
    earlier, now = await one_run(journal, folder, rude(tools=[{**tool, "description": "now"}]).argv)
    assert (earlier.connection, now.connection) == (0, 1)
    assert replace(earlier, connection=1) == first
    assert [(each.key, each.kind) for each in compare(earlier, now)] == [("echo", "changed")]
    three = await one_run(journal, folder, rude(tools=[tool]).argv)
    assert [one.connection for one in three] == [-1, 0, 1]


async def test_an_earlier_run_is_recalled_without_a_connection(rude: Any, journal: Any, tmp_path: Path) -> None:
    """What was recalled first stays when the lists are kept again."""
    folder = tmp_path / "lists"
    tool = {"name": "echo", "inputSchema": {"type": "object"}}
    argv = rude(tools=[tool], prompts=[{"name": "greet"}]).argv
    await one_run(journal, folder, argv)
    inspector = Inspector(
        journal,
        Ways(lambda entry, _: Stdio([entry.command, *entry.args]), lists=folder),
        [ServerEntry("mine", command=argv[0])],
    )
    server = inspector.servers[0]
    try:
        await asyncio.gather(server.recall(), server.recall())
        assert [list(one.lists[What.PROMPTS]) for one in server.remembered] == [["greet"]]
        assert not server.status.up
    finally:
        await inspector.close()
    assert len(await one_run(journal, folder, rude(tools=[{**tool, "title": "t"}]).argv)) == 2


async def test_what_is_the_same_stands_once_and_the_oldest_go(tmp_path: Path) -> None:
    kept = KeptLists(tmp_path / "lists")
    same = [listed("a", wall_ns=1), listed("a", wall_ns=2), listed("a", wall_ns=3, declared={"roots": {}})]
    await kept.save("s", same)
    found = await kept.load("s")
    assert [(one.wall_ns, one.connection) for one in found] == [(2, -1), (3, 0)]
    await kept.save("s", [listed(f"t{n}", wall_ns=n) for n in range(KEPT + 5)])
    assert [one.wall_ns for one in await kept.load("s")] == list(range(5, KEPT + 5))
    assert await kept.load("other") == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name":"s","texts":[],"connects":[{}]}'])
async def test_a_file_that_cannot_be_read_costs_the_memory_only(tmp_path: Path, text: str) -> None:
    kept = KeptLists(tmp_path / "lists")
    await kept.save("s", [listed("a")])
    (file,) = (tmp_path / "lists").iterdir()
    file.write_text(text)
    assert await kept.load("s") == []
    await kept.save("s", [listed("b")])
    assert len(await kept.load("s")) == 1


async def test_nothing_is_kept_without_a_folder_or_where_none_can_be(tmp_path: Path) -> None:
    nowhere = KeptLists(None)
    await nowhere.save("s", [listed("a")])
    assert await nowhere.load("s") == []
    (tmp_path / "file").write_text("x")
    blocked = KeptLists(tmp_path / "file" / "lists")
    await blocked.save("s", [listed("a")])
    assert await blocked.load("s") == []


async def test_text_that_is_no_utf_8_costs_the_memory_only(tmp_path: Path) -> None:
    kept = KeptLists(tmp_path / "lists")
    await kept.save("s", [listed("a", a=b"\xff")])
    assert await kept.load("s") == []
