"""Lists over many pages, and what servers do to them."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.session.catalogue import Freshness, What

pytestmark = pytest.mark.anyio


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}}


async def test_all_pages_are_read_and_cursors_go_back_as_they_came(rude: Any, supervised: Any) -> None:
    """PAG-02, PAG-03."""
    cursors = ["YQ==&x=1", " c 2 ", "0", "", "k" * 10_000]
    pages = [
        {"cursor": before, "items": [tool(f"t{number}")], "next": after}
        for number, (before, after) in enumerate(zip([None, *cursors], [*cursors, None], strict=True))
    ]
    peer = rude(pages={"tools/list": pages})
    async with supervised(peer.argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert [item.key for item in listing.items] == [f"t{number}" for number in range(6)]
        assert (listing.freshness, listing.pages, listing.warnings) == (Freshness.FRESH, 6, ())
    assert [message["params"].get("cursor") for message in peer.heard("tools/list")] == [None, *cursors]


@pytest.mark.parametrize("cursor", ["c1", ""])
async def test_a_cursor_that_comes_again_ends_the_reading(rude: Any, supervised: Any, cursor: str) -> None:
    """PAG-01, PAG-02."""
    endless = {"result": {"tools": [tool(f"t{number}") for number in range(8)], "nextCursor": cursor}}
    peer = rude(on={"tools/list": [endless]})
    async with supervised(peer.argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert len(listing.items) == 8
        assert any("came twice" in warning for warning in listing.warnings)
        assert any("8 entries repeat" in warning for warning in listing.warnings)
    assert len(peer.heard("tools/list")) == 2


async def test_ever_new_cursors_without_new_tools_end_too(rude: Any, supervised: Any) -> None:
    """PAG-01."""
    steps = {f"tools/list#{n}": [{"result": {"tools": [tool("a")], "nextCursor": f"c{n}"}}] for n in range(1, 20)}
    peer = rude(on=steps)
    async with supervised(peer.argv) as server:
        assert any("nothing new" in warning for warning in server.catalogue[What.TOOLS].warnings)
    assert len(peer.heard("tools/list")) < 8


async def test_a_refused_cursor_begins_again_once(rude: Any, supervised: Any) -> None:
    """PAG-03."""
    page = {"result": {"tools": [tool("a")], "nextCursor": "c"}}
    gone = {"error": {"code": -32602, "message": "cursor expired"}}
    last = {"result": {"tools": [tool("b")]}}
    peer = rude(on={"tools/list#1": [page], "tools/list#2": [gone], "tools/list#3": [page], "tools/list#4": [last]})
    async with supervised(peer.argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert [item.key for item in listing.items] == ["a", "b"]
        assert "from the start" in listing.warnings[0]


async def test_broken_entries_do_not_hide_the_good_ones(rude: Any, supervised: Any) -> None:
    """LIFE-16."""
    entries = [
        {"name": "a", "inputSchema": {"type": "object", "properties": {}, "required": None}},
        {"name": "b", "inputSchema": {"type": "object"}, "outputSchema": {}},
        {"name": "c", "inputSchema": {"type": "string"}},
        {"name": "d"},
        None,
        "x",
        5,
        {},
        tool("good"),
    ]
    async with supervised(rude(tools=entries).argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert len(listing.items) == 9
        problems = {item.key: item.problem for item in listing.items if item.key}
        assert [key for key, problem in problems.items() if not problem] == ["a", "b", "good"]
        assert any("4 of 9 entries are broken" in warning for warning in listing.warnings)


@pytest.mark.parametrize("result", [{}, {"tools": None}, {"tools": "x"}, {"tools": {}}], ids=repr)
async def test_a_result_without_the_array_is_a_failed_list(rude: Any, supervised: Any, result: Any) -> None:
    """QT-05."""
    async with supervised(rude(on={"tools/list": [{"result": result}]}).argv) as server:
        listing = server.catalogue[What.TOOLS]
        assert listing.freshness is Freshness.FAILED
        assert "tools" in listing.why


async def test_a_list_that_is_not_known_is_unsupported_and_no_failure(rude: Any, supervised: Any) -> None:
    unknown = {"error": {"code": -32601, "message": "Method not found"}}
    async with supervised(rude(on={"resources/templates/list": [unknown]}).argv) as server:
        assert server.catalogue[What.TEMPLATES].freshness is Freshness.UNSUPPORTED
        assert server.status.words() == "connected"


async def test_what_is_not_declared_is_not_asked_for_unless_insisted(rude: Any, supervised: Any) -> None:
    peer = rude(capabilities={"tools": {}})
    async with supervised(peer.argv) as server:
        assert server.catalogue[What.PROMPTS].freshness is Freshness.UNSUPPORTED
        assert peer.heard("prompts/list") == []
        await server.refresh(What.PROMPTS, insist=True)
        assert server.catalogue[What.PROMPTS].items


async def test_the_stepper_goes_page_by_page(rude: Any, supervised: Any) -> None:
    pages = [
        {"cursor": None, "items": [tool("a"), tool("b")], "next": "c1"},
        {"cursor": "c1", "items": [tool("b")], "next": None},
    ]
    async with supervised(rude(pages={"tools/list": pages}).argv) as server:
        stepper = server.stepper(What.TOOLS)
        first = await stepper.step()
        assert (first.number, first.cursor, first.next_cursor, first.new) == (1, None, b'"c1"', 2)
        assert not stepper.done
        second = await stepper.step()
        assert (second.cursor, second.next_cursor, second.new) == (b'"c1"', None, 0)
        assert stepper.done
        assert "1 entries repeat" in stepper.listing().warnings[0]
