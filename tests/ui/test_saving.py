"""From a result and from a row of Traffic: an action, a collection with what it must answer, a Python test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from mcp_inspector.app import demo_entry
from mcp_inspector.ui.views import saving_menu
from mcp_inspector.ui.views.traffic_menu import open_menu
from tests.ui.bench import Bench, opened, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def entry(menu: QMenu, words: str):
    """An entry of a menu or of the menus in it."""
    found = [*menu.actions(), *(one for sub in menu.findChildren(QMenu) for one in sub.actions())]
    return next(one for one in found if one.text() == words)


def saved(bench: Bench) -> list[dict]:
    return json.loads((bench.window.desk.shelf.folder / "my-actions.mcp.json").read_text("utf-8"))["actions"]


async def test_a_result_becomes_an_action_and_passes_its_own_assertions(tmp_path: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        page = await bench.call("add", {"a": 1, "b": 2.50})
        menu = page.result.lasting.menu()
        menu.aboutToShow.emit()
        entry(menu, "Save as action").trigger()
        assert saved(bench)[0]["target"] == "add"
        menu.aboutToShow.emit()
        entry(menu, "My actions").trigger()
        assert [one["name"] for one in saved(bench)] == ["add", "add 2"]
        assert saved(bench)[1]["assert"][0] == {"outputSchema": True}
        view = bench.window.panels.show_collections()
        await until(view.isVisible, what="the panel")
        view.run_selected()
        await until(lambda: view.run.runner is not None and view.run.runner.finished, what="the run")
        assert view.run.runner.summary.passed == 2


async def test_a_row_of_traffic_becomes_a_python_test(tmp_path: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        await bench.call("echo", {"text": "hello"})
        traffic = bench.window.traffic
        exchanges = traffic.model.exchanges
        row = next(at for at in range(len(exchanges)) if exchanges[at].method == "tools/call")
        menu = open_menu(traffic, row, 0, QPoint(0, 0))
        entry(menu, "Copy").trigger()
        text = QGuiApplication.clipboard().text()
        compile(text, "test_echo.py", "exec")
        assert "client.call_tool('echo', {'text': 'hello'})" in text
        desk = bench.window.desk
        name, text = desk.saving.python_test(
            desk.saving.happened(bench.log, exchanges[row].first, exchanges[row].reply)
        )
        desk.saving.write(tmp_path / name, text)
        assert (tmp_path / "test_echo.py").read_text("utf-8") == text
        menu.close()
        dialog = saving_menu.ask_file(bench.window, name, print)
        assert not dialog.isModal() or dialog.windowModality().name == "WindowModal"
        dialog.reject()


async def test_a_secret_does_not_go_into_the_file() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        await bench.call("fill_form", {"name": "ab", "extra": {"password": "hunter22x"}})
        run = bench.window.area.tools.run
        one = bench.window.desk.saving.happened(bench.log, run.outcome.call, run.outcome.reply)
        bench.window.desk.saving.save(one)
        assert saved(bench)[0]["arguments"]["extra"]["password"] == "${secret:password}"
        await until(lambda: any("it is kept" in n.sentence for n in bench.window.desk.notices.open), what="the notice")
