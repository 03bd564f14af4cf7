"""Any request from the real window to the demo server, and what comes back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mcp_inspector.app import demo_entry
from mcp_inspector.ui.models.composing import OTHERS, methods, template
from tests.ui.bench import Bench, opened, press, until

pytestmark = pytest.mark.anyio


def composer(bench: Bench):
    bench.window.panels.show_composer()
    view = bench.window.panels.composer
    assert view is not None
    return view


def lines(view) -> list[str]:
    return [view.lines.item(at).text() for at in range(view.lines.count())]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_template_is_sent_and_its_answer_is_matched(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        await bench.connect()
        view = composer(bench)
        view.templates.setCurrentIndex(view.templates.findText("tools/list"))
        view.templates.activated.emit(view.templates.currentIndex())
        await bench.still()
        assert json.loads(view.document.text)["id"] == "any-1"
        assert view.strip.text() == ""
        press(view.send_button)
        await until(lambda: view.lines.count() == 2, what="the answer")
        assert lines(view)[0].startswith("→ request   tools/list")
        assert lines(view)[1].startswith("← response, matched")
        assert view.tree.model().rowCount() > 0


async def test_an_error_and_an_unknown_method_are_matched_too() -> None:
    async with opened(replace(demo_entry(lazy=True), protocol="legacy")) as bench:
        await bench.connect()
        view = composer(bench)
        view.document.set_text('{"jsonrpc":"2.0","id":"mine","method":"no/such"}')
        view.edit.setFocus()
        calls = len(bench.log)
        QTest.keyClick(view.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: view.lines.count() == 2, what="the error")
        assert lines(view)[1].startswith("← error, matched")
        sent = [one.entry.data for one in bench.log.slice(calls + 1, len(bench.log) + 1)]
        assert sent[0] == b'{"jsonrpc":"2.0","id":"mine","method":"no/such"}'


async def test_what_is_no_message_goes_out_byte_by_byte_and_is_flagged() -> None:
    async with opened(replace(demo_entry(lazy=True), protocol="legacy")) as bench:
        await bench.connect()
        view = composer(bench)
        view.document.set_text('{"jsonrpc": "2.0",  "id": 1e0, "method": "ping"')
        await bench.still()
        assert "not JSON" in view.strip.text()
        press(view.send_button)
        await until(lambda: view.lines.count() >= 1, what="the line of what was sent")
        assert "odd" in lines(view)[0]
        bodies = [one.entry.data for one in bench.log.slice(1, len(bench.log) + 1)]
        assert b'{"jsonrpc": "2.0",  "id": 1e0, "method": "ping"' in bodies
        view.document.set_text('{ "jsonrpc":"2.0", "id":"still", "method":"ping" }')
        view.exactly.setChecked(True)
        press(view.send_button)
        await until(lambda: any("matched" in line and "still" in line for line in lines(view)), what="the next answer")
        bodies = [one.entry.data for one in bench.log.slice(1, len(bench.log) + 1)]
        assert b'{ "jsonrpc":"2.0", "id":"still", "method":"ping" }' in bodies


async def test_what_is_typed_is_kept_and_nothing_is_sent_without_a_connection(tmp_path) -> None:
    memory = tmp_path / "window.json"
    async with opened(demo_entry(lazy=True), memory=memory) as bench:
        view = composer(bench)
        assert not view.send_button.isEnabled()
        view.document.set_text('{"jsonrpc":"2.0","method":"x"}')
        await bench.still()
    async with opened(demo_entry(lazy=True), memory=memory) as bench:
        assert composer(bench).document.text == '{"jsonrpc":"2.0","method":"x"}'


async def test_every_template_is_a_message() -> None:
    for method in methods(None):
        message = json.loads(template(method, None, 3))
        assert message["method"] == method
        assert ("id" in message) == (not method.startswith("notifications/"))
    assert template("no JSON", None, 1) == OTHERS["no JSON"]
