"""The main job in the real window with the real demo server: connect, list, fill in, call, see result and wire."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mcp_inspector.app import demo_entry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from tests.ui.bench import demo_opened, opened, press, until, write

pytestmark = pytest.mark.anyio


async def test_connect_by_button_and_see_the_lists() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        window = bench.window
        await bench.still()
        assert bench.server().status.state is State.IDLE
        press(window.tool_bar.connect_button)
        await until(lambda: bench.server().status.up, what="the demo server to be connected")
        await bench.server().loaded()
        await bench.still()
        tools = len(bench.server().catalogue[What.TOOLS].items)
        assert tools > 5
        assert window.area.tools.list.model.rowCount() == tools
        assert window.area.tabs.count_text(0) == str(tools)
        assert window.servers_dock.title.word() == "1 of 1 up"
        assert window.status.connected.text() == "1 connected"


async def test_fill_the_form_by_typing_call_and_see_result_and_traffic() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("add")
        for name, digits in (("a", "9007199254740993"), ("b", "2")):
            row = page.arguments.form.row_of((name,))
            assert row is not None
            row.editor.line.clear()
            write(row.editor.line, digits)
        await bench.still()
        assert page.arguments.errors() == 0
        press(page.arguments.call)
        await until(lambda: page.run is not None and not page.run.running, what="the call to end")
        await bench.still()
        run = page.run
        assert run is not None
        assert isinstance(run.outcome, Complete)
        assert b"9007199254740993" in bench.log.body(run.seq)  # what was typed is what was sent, digit by digit
        assert page.result.state_words == "ok"
        assert page.result.content.tree.isVisible()
        traffic = bench.window.traffic
        assert traffic is not None
        exchange = traffic.model.exchanges[traffic.model.exchanges.row(run.seq)]
        assert (exchange.method, exchange.target, exchange.state.word) == ("tools/call", "add", "ok")


async def test_call_by_keyboard_alone() -> None:
    async with demo_opened() as bench:
        window = bench.window
        window.activateWindow()
        window.area.tools.list.search.setFocus()
        write(window.area.tools.list.search, "echo")
        QTest.keyClick(window.area.tools.list.search, Qt.Key.Key_Down)
        await bench.still()
        page = window.area.tools
        page.list.view.setCurrentIndex(page.list.model.index(0))
        QTest.keyClick(page.list.view, Qt.Key.Key_Return)
        row = page.arguments.form.row_of(("text",))
        assert row is not None
        editor = row.editor.line
        editor.selectAll()
        write(editor, "a<b>c & é")
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the call to end")
        assert page.run is not None
        assert page.run.ok
        assert "a<b>c & é".encode() in bench.log.body(page.run.seq)


async def test_a_tool_that_fails_shows_its_error_and_the_next_call_works() -> None:
    async with demo_opened() as bench:
        page = await bench.call("fail", {})
        assert page.result.state_words in ("tool error", "error -32603") or "error" in page.result.state_words
        page = await bench.call("echo", {"text": "still here"})
        assert page.result.state_words == "ok"


async def test_a_result_that_breaks_its_output_schema_is_shown_first_and_judged_after() -> None:
    async with demo_opened() as bench:
        page = await bench.call("wrong_output", {})
        assert page.result.state_words == "ok"
        await until(lambda: "outputSchema" in page.result.output_words, what="the check")
        assert page.result.output_words == "breaks outputSchema"


async def test_read_a_resource_a_template_and_save_nothing_by_itself() -> None:
    async with demo_opened() as bench:
        window = bench.window
        window.area.open("resources", "demo://welcome")
        await bench.still()
        reader = window.area.resources.reader
        press(reader.read_button)
        await until(lambda: reader.run is not None and reader.run.outcome is not None, what="the read to end")
        await bench.still()
        assert reader.run is not None
        assert reader.run.ok
        assert reader.result.content.text.block is not None
        assert reader.result.content.text.block.text.startswith("Welcome")


async def test_get_a_prompt_from_its_button() -> None:
    async with demo_opened() as bench:
        button = next(one for one in bench.window.quick.buttons if not one.asks)
        press(button)
        page = bench.window.area.prompts
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the prompt")
        await bench.still()
        assert bench.window.area.page == "prompts"
        assert page.run is not None
        assert page.run.ok


async def test_a_prompt_with_arguments_asks_for_them_first() -> None:
    async with demo_opened() as bench:
        button = next(one for one in bench.window.quick.buttons if one.asks)
        press(button)
        await bench.still()
        page = bench.window.area.prompts
        assert page.row is not None
        assert page.row.key == button.item.target
        assert page.run is None


async def test_drafts_survive_switching_tools_and_refreshing() -> None:
    """SCH-36: what is shown is what is sent, whatever tool was shown in between."""
    async with demo_opened() as bench:
        page = await bench.tool("add")
        editor = page.arguments.form.row_of(("a",)).editor.line
        editor.clear()
        write(editor, "10")
        await bench.tool("echo")
        page = await bench.tool("add")
        await bench.server().refresh()
        await bench.still()
        assert page.arguments.form.row_of(("a",)).editor.line.text() == "10"
        assert page.arguments.arguments is not None
        assert page.arguments.arguments.document.value(("a",)) == 10
