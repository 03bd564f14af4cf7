"""Tasks in the real window: those of the extension (the demo server), and those of 2025-11-25 that are asked for."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.inbox import AskState
from mcp_inspector.session.task_runs import CoreTasks, TaskRun, TaskState
from mcp_inspector.ui.models import task_rows
from tests.ui.bench import Bench, opened, press, until

pytestmark = pytest.mark.anyio

CORE = ServerEntry("core", command=sys.executable, args=(str(Path(__file__).parents[1] / "peers" / "task_server.py"),))


async def begun(bench: Bench, tool: str, arguments: dict[str, object], name: str = "demo") -> TaskRun:
    """Call a tool and give its task once it is on the page."""
    page = await bench.tool(tool)
    assert page.arguments.arguments is not None
    page.arguments.arguments.document.set_text(json.dumps(arguments))
    await bench.still()
    before = len(bench.server(name).task_runs)
    press(page.arguments.call)
    await until(lambda: len(bench.server(name).task_runs) > before, what="the task")
    bench.window.area.show_page("tasks")
    await bench.still()
    return bench.server(name).task_runs[-1]


async def test_a_task_of_the_extension_is_followed_to_its_result() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        bench.window.area.show_page("tasks")
        page = bench.window.area.tasks
        assert page._stack.currentWidget() is page._empty
        run = await begun(bench, "brew_tea", {"seconds": 1})
        assert page.run is run
        assert page.pill.text() == "working"
        assert bench.window.area.tabs.count_text(4) == "1"
        shown = {fact.name: fact.value for fact in page.facts._facts}
        assert shown["Task id"] == run.state.task_id
        assert shown["Polled every"] == "500 ms"
        assert shown["Kept"].startswith("10 min 0 s, 9 min")
        await until(lambda: run.outcome is not None, what="the end")
        await bench.still()
        assert page.pill.text() == "completed"
        assert page.tabs.currentIndex() == 0
        assert page.history.item(0).text().split("  ")[1] == "completed"
        assert not page.cancel_button.isEnabled()


async def test_a_task_is_cancelled_by_its_button() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        run = await begun(bench, "brew_tea", {"seconds": 100})
        page = bench.window.area.tasks
        press(page.cancel_button)
        await until(lambda: run.outcome is not None, what="the end")
        await bench.still()
        assert page.pill.text() == "cancelled"
        assert "cancelled" in {fact.name: fact.value for fact in page.facts._facts}["Ended"]


async def test_a_task_that_wants_input_asks_in_the_inbox() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        run = await begun(bench, "brew_tea", {"seconds": 0.2, "ask": True})
        await until(lambda: bench.inspector.inbox.waiting, what="the question")
        await bench.still()
        assert bench.window.area.tasks.pill.text() == "input required"
        bench.window.show_inbox()
        panel = bench.window.inbox.panel
        assert "tasks/update" in panel.head.facts.text()
        panel.body.arguments.document.set_text('{"sugar": "some"}')
        press(panel.primary)
        await until(lambda: run.outcome is not None, what="the end")
        assert panel.ask.state is AskState.ANSWERED
        assert b"some sugar" in run.outcome.result


async def test_a_tool_of_2025_11_25_is_run_as_a_task_by_the_switch() -> None:
    async with opened(CORE) as bench:
        await bench.connect("core")
        page = await bench.tool("plain")
        assert not page.as_task.isVisible()
        page = await bench.tool("must")
        assert page.as_task.isVisible()
        assert page.as_task.isChecked()
        page = await bench.tool("work")
        assert not page.as_task.isChecked()
        press(page.arguments.call)
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the plain call")
        assert bench.server("core").task_runs == []
        page.as_task.click()
        run = await begun(bench, "work", {"seconds": 0.4}, "core")
        assert isinstance(run.codec, CoreTasks)
        await until(lambda: run.outcome is not None, what="the end")
        await bench.still()
        assert b"done as t1" in run.outcome.result
        assert [status for _, status, _ in run.history] == ["working", "completed"]
        assert (await bench.tool("work")).as_task.isChecked()
        run = await begun(bench, "work", {"seconds": 60}, "core")
        press(bench.window.area.tasks.cancel_button)
        await until(lambda: run.outcome is not None, what="the end of the cancelled one")


async def test_odd_tasks_in_words() -> None:
    state = CoreTasks().state(b'{"taskId":"x","status":"dreaming","createdAt":"yesterday","ttl":-1,"pollInterval":"5"}')
    assert state is not None
    run = TaskRun("s", "tools/call", "t", 1, state, CoreTasks(), None, None, None)
    assert task_rows.status(run) == "dreaming"
    assert task_rows.expiry(run) == "without limit, or the server does not say"
    assert {fact.name: fact.value for fact in task_rows.facts(run)}["Created"] == "yesterday"


@pytest.mark.parametrize(
    ("ttl", "poll", "kept"),
    [
        (math.inf, math.inf, "inf ms"),
        (-5, -1, "-5 ms"),
        (1e300, 0, "1e+300 ms"),
        (math.nan, math.nan, "nan ms"),
    ],
)
async def test_odd_times_of_a_task_never_break_its_rows(ttl: float, poll: float, kept: str) -> None:
    state = TaskState("t", "working", ttl_ms=ttl, poll_ms=poll, created="2026-11-30T12:00:00Z", raw=b"{}")
    run = TaskRun("s", "tools/call", "x", 1, state, CoreTasks(), None, None, None)
    shown = {fact.name: fact.value for fact in task_rows.facts(run)}
    assert shown["Kept"].startswith(kept)
    assert shown["Polled every"]


async def test_a_task_that_waits_for_input_leads_to_the_inbox() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        run = await begun(bench, "brew_tea", {"seconds": 1, "ask": True})
        page = bench.window.area.tasks
        await until(lambda: run.state.status == "input_required" and page.strip.text(), what="the word that it waits")
        press(page.strip._button)
        await bench.still()
        inbox = bench.window.inbox
        assert inbox is not None
        assert inbox.ask is not None
        assert inbox.ask.way == "task"
        bench.window.area.show_page("tasks")
        bench.window.commands.run("cancel")
        await until(lambda: run.outcome is not None, what="the end")
