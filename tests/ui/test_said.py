"""What a server is told of this client: capabilities with a new connection, `_meta` with the next request."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton

from mcp_inspector.app import demo_entry
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.ui.models.said import difference
from mcp_inspector.ui.views.said_dialog import SaidDialog
from tests.ui.bench import Bench, opened, press, until

pytestmark = pytest.mark.anyio


async def dialog_of(bench: Bench) -> SaidDialog:
    bench.window.area.show_page("overview")
    await bench.still()
    overview = bench.window.area.overview
    press(next(one for one in overview.findChildren(QPushButton) if one.text() == "Client…"))
    (dialog,) = bench.window.findChildren(SaidDialog)
    return dialog


def last_params(bench: Bench, method: str) -> dict:
    bodies = [one.entry.data for one in bench.log.slice(1, len(bench.log) + 1) if one.entry.method == method
              and one.entry.kind == "request"]  # fmt: skip
    return json.loads(bodies[-1])["params"]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_capabilities_are_edited_and_the_server_is_told_at_the_next_connection(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        await bench.connect()
        dialog = await dialog_of(bench)
        assert "elicitation" in dialog.capabilities.text
        dialog.capabilities.set_text('{"roots": {}, "extensions": {"com.example/x": {"a": 1}}}')
        press(dialog.apply_button)
        await until(lambda: dialog.changes.count(), what="the comparison")
        assert dialog.changes.item(0).text() == "Nothing: it lists the same"
        opening = last_params(bench, "server/discover" if era == "modern" else "initialize")
        told = (
            opening["_meta"]["io.modelcontextprotocol/clientCapabilities"]
            if era == "modern"
            else opening["capabilities"]
        )
        assert set(told) == {"roots", "extensions"}
        assert told["extensions"] == {"com.example/x": {"a": 1}}
        page = await bench.call("ask_name")
        assert not page.run.ok  # it may not ask any more
        dialog.close()
        assert set(bench.server().entry.capabilities) == {"roots", "extensions"}


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_meta_and_a_trace_context_go_into_each_request(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        await bench.connect()
        dialog = await dialog_of(bench)
        dialog.meta.set_text('{"com.example/tenant": "a"}')
        dialog.trace.setChecked(True)
        press(dialog.meta_button)
        dialog.close()
        traces = set()
        for _ in range(2):
            await bench.call("echo", {"text": "x"})
            meta = last_params(bench, "tools/call")["_meta"]
            assert meta["com.example/tenant"] == "a"
            assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", meta["traceparent"])
            assert "progressToken" in meta
            traces.add(meta["traceparent"])
        assert len(traces) == 2


async def test_what_is_no_object_changes_nothing() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        dialog = await dialog_of(bench)
        dialog.meta.set_text("[1]")
        press(dialog.meta_button)
        assert "no JSON object" in dialog.strip.text()
        assert bench.server().entry.meta == {}
        dialog.close()


async def test_the_difference_of_two_listings_in_words() -> None:
    before = {"tools": frozenset({"a", "b"}), "prompts": frozenset()}
    after = {"tools": frozenset({"b", "c"}), "prompts": frozenset({"p"})}
    assert difference(before, after) == ["+ tools: c", "− tools: a", "+ prompts: p"]
    assert difference(after, after) == []


async def test_what_an_older_version_kept_in_the_window_moves_into_the_entry_and_follows_a_rename() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        memory = bench.window.desk.memory
        old = {"capabilities": {"roots": {}}, "meta": {"a": 1}, "trace": True}
        memory.put("said", {"mine": old, "other": old})
        memory.put("log.levels", {"mine": "error"})
        assert bench.book.add(ServerEntry("mine", command="x"), connect=False) == ""
        await until(lambda: bench.server("mine").entry.log_level, what="the level in the entry")
        await until(lambda: bench.server("mine").entry.trace, what="the rest in the entry")
        assert memory.get("said", {}) == {"other": old}
        assert memory.get("log.levels", {}) == {}
        entry = bench.book.entry("mine")
        assert bench.book.update("mine", entry, replace(entry, name="ours"), connect=False) == ""
        written = json.loads(bench.servers_file.read_text())["mcpServers"]["ours"]
        choices = {"capabilities": {"roots": {}}, "meta": {"a": 1}, "trace": True, "logLevel": "error"}
        assert written == {"command": "x", **choices}
        assert bench.server("ours").entry.capabilities == {"roots": {}}
