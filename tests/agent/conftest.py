"""Tools as servers list them, for the tests of the agent's view."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from mcp_inspector.agent.tools import Toolbox, boxed
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import Item, What
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.stdio import Stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp_inspector.store.record import Entry
    from mcp_inspector.transport.base import Transport


class Journal:
    """Counts what happened."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries)


@asynccontextmanager
async def connected(**servers: tuple[str, ...]) -> AsyncIterator[Inspector]:
    """Servers by name and command, connected, their lists read."""

    def dial(entry: ServerEntry, choice: str) -> Transport:
        return Stdio([entry.command, *entry.args], env=entry.env)

    entries = [ServerEntry(name, command=argv[0], args=argv[1:]) for name, argv in servers.items()]
    inspector = Inspector(Journal(), Ways(dial), entries)
    try:
        for server in inspector.servers:
            server.connect()
        for server in inspector.servers:
            await server.settled()
            await server.loaded()
        yield inspector
    finally:
        await inspector.close()


def listed(name: str, schema: Any = None, **more: Any) -> Item:
    """One entry of `tools/list`."""
    value = {"name": name, "inputSchema": {"type": "object"} if schema is None else schema, **more}
    return Item(What.TOOLS, msgspec.json.encode(value))


@pytest.fixture
def box() -> Callable[..., Toolbox]:
    """``box(("git", item), …, scheme=…, choice=…)``."""

    def make(*tools: tuple[str, Item], **more: Any) -> Toolbox:
        return boxed(tools, **more)

    return make


@pytest.fixture
def tool() -> Callable[..., Item]:
    """``tool("add", {"type": "object"}, description=…)``."""
    return listed
