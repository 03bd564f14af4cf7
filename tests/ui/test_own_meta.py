"""The `_meta` of one tool's requests and its trace context: edited beside the request, seen in it, sent, kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.own_meta import Meta, OwnMeta
from mcp_inspector.ui.views.arguments import FORM, REQUEST
from tests.ui.bench import opened, press, rude_entry, until

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.anyio

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "other")]
TRACE = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01")


@pytest.mark.parametrize("discover", ["modern", "unknown"])
async def test_it_is_seen_in_the_request_sent_with_it_and_kept_for_the_tool(
    rude: Any, tmp_path: Path, discover: str
) -> None:
    peer = rude(discover=discover, tools=TOOLS)
    memory = tmp_path / "window.json"
    async with opened(rude_entry(peer), memory=memory) as bench:
        await bench.connect("rude")
        page = await bench.tool("echo")
        page.arguments.tabs.setCurrentIndex(REQUEST)
        editor = page.arguments.request_view.meta
        editor.document.set_text('{"example.com/big": 9007199254740993.0, "progressToken": "mine"}')
        press(editor.trace)
        await bench.still()
        shown = page.arguments.request_view.shown()
        assert '"example.com/big": 9007199254740993.0' in shown
        assert TRACE.search(shown)
        assert page.arguments.tabs.tabText(REQUEST).startswith("Request")
        page.arguments.tabs.setCurrentIndex(FORM)
        press(page.arguments.call)
        await until(lambda: page.run is not None and not page.run.running, what="the call to end")
        press(page.arguments.call)
        await until(lambda: len(peer.heard("tools/call")) == 2 and not page.run.running, what="the second call")
        metas = [one["params"]["_meta"] for one in peer.heard("tools/call")]
        assert all(meta["example.com/big"] == 9007199254740993.0 and meta["progressToken"] == "mine" for meta in metas)
        assert b"9007199254740993.0" in peer.journal.read_bytes()
        assert len({TRACE.fullmatch(meta["traceparent"]).group() for meta in metas}) == 2

        await bench.tool("other")
        assert editor.document.text == ""
        assert not editor.trace.isChecked()
        press(page.arguments.call)
        await until(lambda: len(peer.heard("tools/call")) == 3, what="the third call")
        assert "example.com/big" not in peer.heard("tools/call")[2]["params"].get("_meta", {})

    async with opened(rude_entry(peer), memory=memory) as bench:
        await bench.connect("rude")
        page = await bench.tool("echo")
        assert "9007199254740993.0" in page.arguments.request_view.meta.document.text
        assert page.arguments.request_view.meta.trace.isChecked()


async def test_what_is_no_object_keeps_the_call_back_and_says_so(rude: Any) -> None:
    peer = rude(tools=TOOLS)
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        page = await bench.tool("echo")
        page.arguments.request_view.meta.document.set_text("[1]")
        await bench.still()
        assert not page.arguments.call.isEnabled()
        assert "_meta" in page.arguments.call.toolTip()
        page.call()
        assert page.arguments.tabs.currentIndex() == REQUEST
        assert page.run is None
        page.arguments.request_view.meta.document.set_text("")
        await bench.still()
        assert page.arguments.call.isEnabled()


async def test_what_looks_like_a_secret_is_not_kept_on_disk(qtbot: QtBot) -> None:
    memory = Memory(None)
    metas = OwnMeta(memory)
    metas.put(("a", "tools", "x"), Meta('{"authorization": "Bearer abcdefghijklmnop"}', True))
    metas.put(("a", "tools", "y"), Meta('{"n": 1}', False))
    assert metas.get(("a", "tools", "x")).trace
    assert [row[2] for row in memory.get("request.meta", [])] == ["y"]
    metas.rename("a", "b")
    assert {name: bytes(raw) for name, raw in metas.get(("b", "tools", "y")).members.items()} == {"n": b"1"}
    metas.put(("b", "tools", "y"), Meta())
    assert memory.get("request.meta", [0]) == []
