"""What a server listed at its connects, compared by definition; and names that stand twice (SCH-34)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.remembered import Difference, compare

pytestmark = pytest.mark.anyio


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


async def test_any_two_connects_are_compared_by_definition(rude: Any, supervised: Any) -> None:
    peer = rude(
        on={
            "tools/list#1": [{"result": {"tools": [tool("same"), tool("gone"), tool("other", description="a")]}}],
            "tools/list#2": [{"result": {"tools": [tool("same")]}}],
            "tools/list": [
                {
                    "line": '{"jsonrpc":"2.0","id":$id,"result":{"tools":['
                    '{"inputSchema": {"type": "object"}, "name": "same"},'
                    '{"name":"other","description":"b","inputSchema":{"type":"object"}},'
                    '{"name":"new","inputSchema":{"type":"object"}}]}}'
                }
            ],
        }
    )
    # A rude server counts from its own start: the script of one process has to serve all three connections.
    async with supervised(peer.argv, connect=False) as server:
        server.connect()
        await server.settled()
        await server.loaded()
        assert len(server.remembered) == 1
        first = server.remembered[0]
        assert (first.connection, first.version, first.server) == (1, "2025-11-25", "rude 1")
        assert "sampling" in first.declared
        await server.refresh(What.TOOLS)
        await server.refresh(What.TOOLS)
        assert len(server.remembered) == 1  # of connects, not of every look
        server._remember()
        found = compare(server.remembered[0], server.remembered[1])
        assert [(each.key, each.kind) for each in found] == [
            ("gone", "removed"),
            ("new", "added"),
            ("other", "changed"),
        ]
        assert found[2] == Difference(What.TOOLS, "other", "changed", found[2].before, found[2].after)
        assert b'"a"' in found[2].before
        assert b'"b"' in found[2].after
        assert compare(server.remembered[1], server.remembered[1]) == []


async def test_each_connect_is_remembered_with_what_was_declared_and_shares_what_is_equal(
    rude: Any, supervised: Any
) -> None:
    async with supervised(rude().argv) as server:
        server.edit(replace(server.entry, capabilities={"roots": {}}))
        assert server.needs_restart
        await server.restart()
        await server.settled()
        await server.loaded()
        one, other = server.remembered
        assert set(other.declared) == {"roots"}
        assert compare(one, other) == []
        assert one.lists[What.TOOLS]["echo"][0] is other.lists[What.TOOLS]["echo"][0]


async def test_a_name_that_stands_twice_is_listed_twice_and_marked(rude: Any, supervised: Any) -> None:
    """SCH-34: both are visible, with a warning; names that differ by case are two; an empty name is broken."""
    tools = [tool("search", title="one"), tool("search", title="two"), tool("Search"), tool(""), tool("x" * 1000)]
    async with supervised(rude(tools=tools).argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert [item.key for item in listing.items] == ["search", "search", "Search", "", "x" * 1000]
        assert [bool(item.note) for item in listing.items] == [True, True, False, False, False]
        assert "2 times" in listing.items[0].note
        assert listing.by_key["search"].title == "one"
        assert listing.items[3].problem
        assert "A name stands more than once: 'search'" in " ".join(listing.warnings)
        assert compare(server.remembered[0], server.remembered[0]) == []
        assert len(server.remembered[0].lists[What.TOOLS]["search"]) == 2


async def test_what_a_later_page_repeats_as_it_was_is_left_out_and_what_differs_stays(
    rude: Any, supervised: Any
) -> None:
    """PAG-01 stays bounded: a list that changed while it was read is not shown twice."""
    pages = [
        {"cursor": None, "items": [tool("a"), tool("b")], "next": "c1"},
        {"cursor": "c1", "items": [tool("b"), tool("a", title="other"), tool("c")], "next": None},
    ]
    async with supervised(rude(pages={"tools/list": pages}).argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert [item.key for item in listing.items] == ["a", "b", "a", "c"]
        assert any("1 entries repeat" in warning for warning in listing.warnings)
        assert any("'a'" in warning for warning in listing.warnings)
