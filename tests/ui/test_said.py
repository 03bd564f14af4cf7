"""What a server is told of this client: capabilities with a new connection, `_meta` with the next request."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton

from mcp_inspector.app import demo_entry
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.remembered import Remembered, compare
from mcp_inspector.ui.models import list_changes
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
        await until(lambda: dialog.changes.summary.text(), what="the comparison")
        assert dialog.changes.summary.text() == "Nothing: both list the same"
        assert "Both list the same" in dialog.changes._empty._sentence.text()
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


LISTED = {"name": "only_with_sampling", "inputSchema": {"type": "object"}}
GREET = {"name": "greet", "description": "Greets.", "inputSchema": {"type": "object", "properties": {"who": {}}}}


async def test_what_a_server_lists_under_each_set_is_compared_with_its_definitions(rude_http: Any) -> None:
    first = [{"result": {"tools": [GREET, LISTED]}}]
    second = [{"result": {"tools": [{**GREET, "description": "Greets warmly."}, {"name": "new", "inputSchema": {}}]}}]
    peer = rude_http(on={"tools/list#1": first, "tools/list": second})
    async with opened(ServerEntry("rude", transport="http", url=peer.url)) as bench:
        await bench.connect("rude")
        dialog = await dialog_of(bench)
        dialog.show_changes()
        assert "nothing to compare" in dialog.changes._empty._sentence.text()
        dialog.capabilities.set_text('{"roots": {}}')
        press(dialog.apply_button)
        await until(lambda: dialog.changes.list.count(), what="the comparison")
        changes = dialog.changes
        assert changes.before.currentText().startswith("#1")
        assert "sampling" in changes.before.currentText()
        assert changes.after.currentText().endswith("roots")
        rows = [changes.list.item(at).text() for at in range(changes.list.count())]
        assert rows == ["≠ tool greet", "+ tool new", "− tool only_with_sampling"]
        assert "Greets." in changes.old.data().decode()
        assert "Greets warmly." in changes.new.data().decode()
        assert len(changes.new.changed_lines()) == 1
        dialog.close()


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_the_demo_lists_a_tool_more_to_those_who_declare_its_extension(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        await bench.connect()
        dialog = await dialog_of(bench)
        dialog.capabilities.set_text('{"extensions": {"com.example/extra-tools": {}}}')
        press(dialog.apply_button)
        await until(lambda: dialog.changes.list.count(), what="the comparison")
        rows = [dialog.changes.list.item(at).text() for at in range(dialog.changes.list.count())]
        assert "+ tool extra_tool" in rows
        assert dialog.changes.old.data() == b""
        assert b"extra_tool" in dialog.changes.new.data()
        assert dialog.changes.after.currentText().endswith("com.example/extra-tools")
        dialog.close()


async def test_two_connects_are_compared_in_words() -> None:
    def at(number: int, declared: dict[str, Any], **tools: bytes) -> Remembered:
        lists = {What.TOOLS: {name: (text,) for name, text in tools.items()}}
        return Remembered(number, 0, "2025-11-25", "x 1", declared, lists)

    one = at(1, {"sampling": {}}, a=b'{"name":"a"}', b=b'{"name":"b","title":"B"}')
    same = at(2, {"sampling": {}}, a=b'{"name":"a"}')
    other = at(3, {"extensions": {"com.example/x": {}}}, b=b'{"name":"b","title":"C"}', c=b'{"name":"c"}')
    again = at(4, {"extensions": {"com.example/x": {}}}, c=b'{"name":"c"}')
    found = compare(one, other)
    assert [list_changes.words(each) for each in found] == ["− tool a", "≠ tool b", "+ tool c"]
    assert list_changes.summary(found) == "1 added, 1 removed, 1 changed"
    assert list_changes.summary([]) == "Nothing: both list the same"
    assert list_changes.other_set([one, same, other, again]) == 1
    assert list_changes.other_set([one, same]) == 0
    assert list_changes.other_set([one]) == 0
    assert list_changes.label(other).endswith("com.example/x")
    assert list_changes.told({}) == "no capability"
    assert list_changes.connects([one, at(1, {}), same])[0].declared == {}


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
