"""Collections in the real window over the demo server: opened, run, looked at, edited, loaded."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

from mcp_inspector import resources
from mcp_inspector.actions.results import Status
from mcp_inspector.app import demo_entry
from mcp_inspector.session.approval import Gate
from mcp_inspector.ui.views.action_detail import EDIT, LOAD
from tests.ui.bench import Bench, opened, press, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def picture(window, name: str) -> None:
    """For a person who wants to look."""
    folder = os.environ.get("MCP_INSPECTOR_PICTURES")
    if folder:
        for theme in ("light", "dark"):
            window.choose_theme(theme, keep=False)
            window.grab().save(f"{folder}/{name}-{theme}.png")
        window.choose_theme("light", keep=False)


async def panel(bench: Bench):
    view = bench.window.panels.show_collections()
    await until(view.isVisible, what="the panel")
    return view


async def ran(view) -> None:
    await until(lambda: not view.run.running, what="the run to end")
    await until(lambda: view.run.runner is not None and view.run.runner.finished, what="the runner")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "demo.mcp.json"
    shutil.copy(resources.path("samples/demo.mcp.json"), path)
    return path


async def test_the_example_is_opened_run_and_looked_at(sample: Path) -> None:
    async with opened(demo_entry(lazy=True), gate=Gate()) as bench:
        view = await panel(bench)
        await bench.still()
        assert not view.empty.isHidden()
        picture(bench.window, "collections-empty")
        view.deeds.open(sample)
        assert view.tree.topLevelItem(0).childCount() == 8
        press(view.all_button)
        await ran(view)  # the server was connected by it
        await bench.still()
        assert view.words.text().startswith("8 passed in")
        view.select(sample, "The forecast has a row for each day")
        await bench.still()
        picture(bench.window, "collections")
        assert view.detail.isVisible()


async def test_failures_are_shown_run_again_and_lead_to_traffic(sample: Path) -> None:
    sample.write_text(sample.read_text("utf-8").replace('"equals": 42', '"equals": 43'), "utf-8")
    async with opened(demo_entry(lazy=True), size=QSize(1440, 900)) as bench:
        view = await panel(bench)
        view.deeds.open(sample)
        press(view.all_button)
        await ran(view)
        await bench.still()
        assert "1 failed" in view.words.text()
        view.select(sample, "Add is exact")
        await bench.still()
        picture(bench.window, "collections-failed")
        result = view.run.results[sample, "Add is exact"][0]
        seen: list[int] = []
        bench.window.desk.record_requested.connect(seen.append)
        bench.window.desk.record_requested.emit(result.quoted.call)
        assert bench.log.record(seen[0]).entry.target == "add"

        sample.write_text(sample.read_text("utf-8").replace('"equals": 43', '"equals": 42'), "utf-8")
        bench.window.desk.shelf.look()
        await panel(bench)
        press(view.again_button)
        await ran(view)
        await bench.still()
        assert len(view.run.runner.cases) == 1
        assert view.run.status((sample, "Add is exact")) is Status.PASSED


async def test_an_action_is_edited_in_its_place(sample: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        view = await panel(bench)
        view.deeds.open(sample)
        view.select(sample, "Add is exact")
        await bench.still()
        detail = view.detail
        detail.tabs.setCurrentIndex(EDIT)
        picture(bench.window, "collections-edit")
        before = sample.read_text("utf-8")
        detail.document.set_text(detail.document.text.replace('"a": 2', '"a": 3'))
        press(detail.save_button)
        after = sample.read_text("utf-8")
        assert json.loads(after)["actions"][1]["arguments"] == {"a": 3, "b": 40.0}
        assert [one for one in before.splitlines() if one not in after.splitlines()] == [
            '      "arguments": { "a": 2, "b": 40.0 },'
        ] or json.loads(after)["actions"][0] == json.loads(before)["actions"][0]
        detail.document.set_text(detail.document.text.replace('"tool"', '"tol"'))
        press(detail.save_button)
        assert "must be one of" in detail.strip.text()
        assert sample.read_text("utf-8") == after


async def test_a_broken_collection_is_shown_and_mended_in_the_window(tmp_path: Path) -> None:
    path = tmp_path / "broken.mcp.json"
    path.write_text('{"actions": [{"name": "x", "kind": "tol", "server": "demo", "target": "echo"}]}', "utf-8")
    async with opened(demo_entry(lazy=True)) as bench:
        view = await panel(bench)
        view.deeds.open(path)
        view.select(path)
        press(view.all_button)
        assert "cannot be run" in view.strip.text()
        await bench.still()
        picture(bench.window, "collections-broken")
        detail = view.detail
        detail.tabs.setCurrentIndex(EDIT)
        assert detail.tabs.tabText(EDIT) == "File"
        detail.document.set_text(path.read_text("utf-8").replace('"tol"', '"tool", "arguments": {"text": "x"}'))
        press(detail.save_button)
        assert bench.window.desk.shelf.get(path).usable
        press(view.all_button)
        await ran(view)
        assert view.run.runner.summary.passed == 1


async def test_a_load_run_draws_its_latency(sample: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        view = await panel(bench)
        view.deeds.open(sample)
        view.select(sample, "Echo gives the text back")
        view.detail.tabs.setCurrentIndex(LOAD)
        load = view.detail.load
        load.seconds.setValue(2)
        await bench.still()
        press(load.start_button)
        await until(lambda: load.result is not None and load.result.done > 3, what="calls")
        await until(lambda: not load.running, what="the end")
        await bench.still()
        assert "a second, 0 failed" in load.words.text()
        assert "99 %" in load.words.text()
        picture(bench.window, "collections-load")
        bench.window.resize(800, 500)
        await bench.still()
        picture(bench.window, "collections-load-small")


async def test_what_may_destroy_asks_during_a_run_and_a_run_is_cancelled(tmp_path: Path) -> None:
    actions = [
        {"name": "add one", "kind": "tool", "server": "demo", "target": "remove_item", "arguments": {"name": "x"}},
        {"name": "slow", "kind": "tool", "server": "demo", "target": "slow", "arguments": {"seconds": 30}},
        {"name": "never", "kind": "tool", "server": "demo", "target": "echo", "arguments": {"text": "x"}},
    ]
    path = tmp_path / "x.mcp.json"
    path.write_text(json.dumps({"actions": actions}), "utf-8")
    async with opened(demo_entry(lazy=True), gate=Gate()) as bench:
        view = await panel(bench)
        view.deeds.open(path)
        press(view.all_button)
        await until(lambda: view.bar.asking, what="the question")
        await bench.still()
        picture(bench.window, "collections-asks")
        press(view.bar.never)
        await until(lambda: view.run.status((path, "slow")) is Status.RUNNING, what="the second")
        press(view.cancel_button)
        await ran(view)
        await bench.still()
        found = [view.run.status((path, one["name"])) for one in actions]
        assert found == [Status.ERROR, Status.SKIPPED, Status.SKIPPED]
        bodies = [one.entry.data for one in bench.log.slice(1, len(bench.log) + 1)]
        assert any(b"notifications/cancelled" in body for body in bodies)


async def test_a_server_of_a_collection_is_shown_before_it_is_started(tmp_path: Path) -> None:
    entry = demo_entry()
    server = {"command": entry.command, "args": list(entry.args), "env": dict(entry.env)}
    action = {"name": "a", "kind": "tool", "server": "theirs", "target": "echo", "arguments": {"text": "x"}}
    path = tmp_path / "x.mcp.json"
    path.write_text(json.dumps({"servers": {"theirs": server}, "actions": [action]}), "utf-8")
    async with opened(demo_entry(lazy=True)) as bench:
        view = await panel(bench)
        view.deeds.open(path)
        press(view.all_button)
        assert "To run this starts" in view.strip.text()
        assert bench.inspector.find("theirs") is None
        view.strip.activated.emit("start")
        await ran(view)
        assert view.run.runner.summary.passed == 1


async def test_a_tool_is_probed_with_the_cases_of_its_form() -> None:
    async with opened(demo_entry(lazy=True), gate=Gate()) as bench:
        await bench.connect()
        page = await bench.tool("get_weather")
        page.arguments.foot.probe.trigger()
        view = bench.window.panels.collections
        await until(view.isVisible, what="the panel")
        await bench.still()
        assert view.tree.topLevelItem(0).childCount() == 31
        view.run_selected()
        await ran(view)
        await bench.still()
        assert view.run.runner.summary.passed == 31
        picture(bench.window, "probe")


async def test_the_policy_is_shown_as_a_dry_run_and_changed() -> None:
    gate = Gate()
    async with opened(demo_entry(lazy=True), gate=gate) as bench:
        await bench.connect()
        dialog = bench.window.show_policy()
        await until(dialog.isVisible, what="the dialog")
        rows = {row.tool: row.decision.rule for row in dialog._rows}
        assert (rows["echo"], rows["exit_process"], rows["add_item"]) == ("allow", "ask", "allow")
        dialog._chosen("demo", "echo", 3)
        rows = {row.tool: row.decision.rule for row in dialog._rows}
        assert rows["echo"] == "deny"
        if os.environ.get("MCP_INSPECTOR_PICTURES"):
            dialog.grab().save(f"{os.environ['MCP_INSPECTOR_PICTURES']}/policy.png")
        dialog.close()


async def test_an_action_goes_over_the_clipboard(sample: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        view = await panel(bench)
        view.deeds.open(sample)
        collection = bench.window.desk.shelf.get(sample)
        view.deeds.copy(collection, collection.actions[0])
        view.select(sample)
        view.deeds.paste()
        names = [action.name for action in bench.window.desk.shelf.get(sample).actions]
        assert names[-1] == "Echo gives the text back 2"
        QGuiApplication.clipboard().setText('{"name": "x"}')
        view.deeds.paste()
        assert "no action" in view.strip.text()
