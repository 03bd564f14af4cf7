"""Servers that misbehave, in the real window: it says what happened, and everything else goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from mcp_inspector.app import demo_entry
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import Freshness, Item, What
from mcp_inspector.session.status import State
from mcp_inspector.ui.models.items import read_rows
from mcp_inspector.ui.views.item_row import signs
from tests.ui.bench import Bench, opened, press, rude_entry, until

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.anyio


async def begin_call(bench: Bench, tool: str = "echo") -> Any:
    """Call a tool and come back while it runs."""
    page = await bench.tool(tool)
    press(page.arguments.call)
    await until(lambda: page.run is not None and page.run.seq, what="the call to be sent")
    await bench.still()
    return page


async def test_a_server_killed_in_mid_call(rude: Callable[..., Any]) -> None:
    peer = rude(on={"tools/call": []})
    async with opened(rude_entry(peer)) as bench:
        server = await bench.connect("rude")
        page = await begin_call(bench)
        assert page.result.state_words == "running"
        assert page.arguments.cancel.isVisible()
        started = [one for one in range(1, len(bench.log) + 1) if bench.log.record(one).entry.kind == "started"]
        os.kill(bench.log.facts(started[-1])["pid"], signal.SIGKILL)
        await until(lambda: not page.run.running, what="the call to end")
        await server.settled()
        await bench.still()
        assert server.status.state in (State.EXITED, State.FAILED)
        assert not page.arguments.cancel.isVisible()
        assert page.result.state_words not in ("ok", "running")
        # What was listed stays, said to be stale, and the strip tells why.
        assert server.catalogue[What.TOOLS].freshness is Freshness.STALE
        assert bench.window.area.tools.list.model.rowCount() == 1
        assert "rude" in bench.window.area.strip.text()
        assert not page.arguments.call.isEnabled()
        bench.window.area.show_page("overview")
        await bench.still()
        assert "signal" in bench.window.area.overview.card._title.text()


async def test_cancel_ends_a_call_at_once_though_the_server_stays_silent(rude: Callable[..., Any]) -> None:
    """TMO-05, QT-13"""
    peer = rude(on={"tools/call": []})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        for _ in range(3):
            page = await begin_call(bench)
            press(page.arguments.cancel)
            await until(lambda page=page: not page.run.running, 2, "the call to be cancelled")
            await bench.still()
            assert page.result.state_words == "cancelled"
            assert page.arguments.call.isEnabled()
            assert not page.arguments.cancel.isVisible()
        await until(lambda: len(peer.heard("notifications/cancelled")) == 3, what="the server to be told")


async def test_progress_is_shown_while_a_call_runs(rude: Callable[..., Any]) -> None:
    progress = {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": "$token", "progress": 9_007_199_254_740_993, "total": 1e19, "message": "half way"},
    }
    peer = rude(on={"tools/call": [{"out": progress}, {"later": [{"sleep": 0.4}, {"result": {"content": []}}]}]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        page = await begin_call(bench)
        await until(lambda: "half way" in page.arguments._busy.text(), what="the progress")
        await until(lambda: not page.run.running)
        assert page.run.ok


@pytest.mark.parametrize(
    "result", [None, [], "x", {"tools": None}, {"tools": {}}, {"tools": [None]}, {"tools": ["a"]}, {}]
)
async def test_lists_of_any_shape_leave_a_window_that_works(rude: Callable[..., Any], result: Any) -> None:
    """QT-05"""
    peer = rude(on={"tools/list": [{"result": result}]})
    async with opened(rude_entry(peer)) as bench:
        server = await bench.connect("rude")
        assert server.status.up
        listed = bench.window.area.tools.list
        assert listed.view.isVisible() or listed._empty.isVisible()
        bench.window.area.show_page("prompts")
        await bench.still()
        assert bench.window.area.prompts.list.model.rowCount() == 1
        assert bench.window.desk.notices.open == ()  # nothing of ours failed


async def test_garbage_instead_of_a_server_gets_a_card_with_the_facts(rude: Callable[..., Any]) -> None:
    peer = rude(
        before=[
            {"text": "Content-Length: 12\r\n\r\nhello\n"},
            {"stderr": "Traceback\nModuleNotFoundError: No module named 'numpy'\n"},
            {"exit": 3},
        ]
    )
    async with opened(rude_entry(peer), demo_entry(lazy=True)) as bench:
        server = bench.server("rude")
        server.connect()
        await server.settled()
        bench.window.desk.choose("rude")
        await bench.still()
        card = bench.window.area.card
        assert card.isVisible()
        failure = card._failure
        assert failure is not None
        assert "exited (code 3)" in failure.title
        assert "numpy" in failure.hint
        rows = dict(failure.rows)
        assert "rude_session.py" in rows["Command"]
        assert rows["Exit code"] == "3"
        assert rows["Process id"].isdigit()
        titles = [section.title for section in failure.sections]
        assert titles[0].startswith("stderr, last 2 lines")
        assert any("stdout" in title for title in titles)
        press(card._copy)
        report = QGuiApplication.clipboard().text()
        assert "ModuleNotFoundError" in report
        # The other server is not touched by it.
        await bench.connect("demo")
        assert bench.window.area.tools.list.model.rowCount() > 5


async def test_a_command_that_is_not_there_says_where_it_was_looked_for() -> None:
    entry = ServerEntry("gone", command="no-such-command-here", args=("--api-key", "hush"), reconnect=0)
    async with opened(entry) as bench:
        server = bench.server("gone")
        server.connect()
        await server.settled()
        await bench.still()
        failure = bench.window.area.card._failure
        assert failure is not None
        rows = dict(failure.rows)
        assert "no-such-command-here" in rows["Command"]
        assert "hush" not in failure.report()
        assert rows.get("Searched (PATH)")
        QTest.mouseClick(bench.window.area.card.findChild(object, "failure-edit"), Qt.MouseButton.LeftButton)
        dialog = await until(lambda: bench.window.findChild(object, "server-dialog"))
        assert dialog.fields.form.reach(("command",)).editor.line.text() == "no-such-command-here"
        dialog.reject()


async def test_hostile_text_is_shown_as_it_is_everywhere(rude: Callable[..., Any]) -> None:
    """SEC-02, SEC-04"""
    evil = '<img src="http://127.0.0.1:9/x.png"><h1>SAFE</h1> &amp; &File %1\u202e\x1b[2K'
    tool = {
        "name": evil,
        "title": evil,
        "description": evil,
        "inputSchema": {"type": "object", "properties": {evil: {"type": "string", "description": evil}}},
    }
    peer = rude(
        tools=[tool],
        prompts=[{"name": evil, "description": evil}],
        resources=[{"uri": f"x://{evil}", "name": evil, "description": evil}],
        on={"tools/call": [{"result": {"content": [{"type": "text", "text": evil}], "isError": True}}]},
    )
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        page = bench.window.area.tools
        assert "\u202e" not in page.list.model.index(0).data()
        assert "SAFE" in page.list.model.index(0).data()
        press(page.arguments.call)
        await until(lambda: page.run is not None and not page.run.running)
        for name in ("resources", "prompts", "overview", "tools"):
            bench.window.area.show_page(name)
            await bench.still()
        from PySide6.QtWidgets import QLabel

        for label in bench.window.findChildren(QLabel):
            if "SAFE" in label.text():
                assert label.textFormat() == Qt.TextFormat.PlainText, label


async def test_a_flood_of_notifications_neither_stops_the_window_nor_loses_one(rude: Callable[..., Any]) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "$n"}}
    peer = rude(on={"tools/call": [{"repeat": 5_000, "do": [{"out": note}]}, {"result": {"content": []}}]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        worst = 0.0
        page = await bench.tool("echo")
        press(page.arguments.call)
        loop = asyncio.get_running_loop()
        last = loop.time()
        while page.run is None or page.run.running:
            await asyncio.sleep(0.005)
            now = loop.time()
            worst, last = max(worst, now - last), now
        await bench.still()
        notes = sum(
            bench.log.columns.methods.texts[code] == "notifications/message" for code in bench.log.columns.method
        )
        assert notes == 5_000
        assert worst < 1.0  # a stall that a person would call frozen; the benchmarks measure the real figure


async def test_ten_thousand_tools_are_listed_and_searched(rude: Callable[..., Any]) -> None:
    """SCH-34"""
    schema = {"type": "object"}
    tools = [{"name": f"tool_{n}", "description": f"number {n}", "inputSchema": schema} for n in range(10_000)]
    tools += [{"name": "", "inputSchema": {}}, {"name": "x\n\u202ey", "inputSchema": {}}]
    peer = rude(tools=tools)
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        listed = bench.window.area.tools.list
        assert listed.model.total == len(tools)
        listed.search.setText("tool_9999")
        assert listed.model.rowCount() == 1
        listed.search.clear()
        assert listed.model.rowCount() == len(tools)
        assert "broken" in listed._strip.text()


async def test_tools_of_the_same_name_are_both_there_and_marked() -> None:
    """SCH-34"""
    item = Item(What.TOOLS, b'{"name": "search", "inputSchema": {}}')
    rows = read_rows([item, Item(What.TOOLS, b'{"name": "Search"}'), item])
    assert [row.twin for row in rows] == [0, 0, 1]
    assert signs(rows[2])


async def test_disconnecting_and_connecting_by_buttons_many_times(rude: Callable[..., Any]) -> None:
    """QT-04"""
    peer = rude()
    async with opened(rude_entry(peer)) as bench:
        server = bench.server("rude")
        for _ in range(10):
            press(bench.window.tool_bar.connect_button)
            await until(lambda: server.status.up)
            await bench.still()
            press(bench.window.tool_bar.connect_button)
            await until(lambda: server.status.state is State.IDLE)
            await bench.still()
        assert bench.window.desk.notices.open == ()


@pytest.mark.parametrize("when", ["connecting", "calling", "with a dialog open"])
async def test_a_window_closed_in_the_middle_leaves_nothing(rude: Callable[..., Any], when: str) -> None:
    """QT-03: the hunt of the test's own end looks for children, tasks, timers and windows."""
    script: dict[str, Any] = {"on": {"tools/call": []}}
    if when == "connecting":
        script = {"on": {"initialize": [], "server/discover": []}}
    peer = rude(**script)
    async with opened(rude_entry(peer)) as bench:
        if when == "connecting":
            bench.server("rude").connect()
            await asyncio.sleep(0.2)
            assert bench.server("rude").status.state is State.STARTING
            return
        await bench.connect("rude")
        if when == "calling":
            await begin_call(bench)
        else:
            assert bench.window.server_actions.add() is not None
