"""Findings in the real window: the dock, the tab of a message, badges, the status bar, filter words, rules off."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from mcp_inspector.checks.rule import Severity
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.findings import OFF, Findings, lines, passing
from mcp_inspector.ui.views.probe_dialog import ProbeDialog
from mcp_inspector.ui.views.rules_dialog import RulesDialog
from tests.checks.script import Talk, tool
from tests.ui.bench import Bench, demo_opened, opened, press, until, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp_inspector.ui.views.findings import FindingsView
    from mcp_inspector.ui.views.traffic import TrafficView

pytestmark = pytest.mark.anyio

BAD = Path(__file__).parents[1] / "checks" / "bad_server.py"


@asynccontextmanager
async def bad_opened(memory: Path | None = None, size: QSize | None = None) -> AsyncIterator[Bench]:
    entry = ServerEntry("bad", command=sys.executable, args=(str(BAD),), protocol="legacy", reconnect=0)
    async with opened(entry, memory=memory, size=size) as bench:
        await bench.connect("bad")
        await settled(bench)
        yield bench


async def settled(bench: Bench) -> None:
    findings = bench.window.findings.live
    assert findings is not None
    await until(lambda: findings.behind == 0, what="all records to be judged")
    await bench.still()


def view_of(bench: Bench) -> FindingsView:
    bench.window.commands.run("findings")
    assert bench.window.findings.view is not None
    return bench.window.findings.view


async def test_what_is_wrong_is_listed_counted_and_explained() -> None:
    async with bad_opened() as bench:
        view = view_of(bench)
        await bench.still()
        titles = {line.title: line for line in view.groups_model.items}
        assert titles["stdout carries nothing but messages."].severity is Severity.ERROR
        severities = [line.severity for line in view.groups_model.items]
        assert severities == sorted(severities, reverse=True)
        finding = view.finding
        assert finding is not None
        assert finding.sentence in view.facts.text()
        assert "modelcontextprotocol.io/specification/" in view.facts.text()
        judge = bench.window.findings.live.judge  # type: ignore[union-attr]  # it is there since the window is
        assert bench.window.status.findings.text() == f"{judge.count()} findings"
        assert bench.window.panels.findings_dock.windowTitle() == f"Findings ({judge.count()})"


async def test_groups_by_server_and_by_tool_and_the_filter() -> None:
    async with bad_opened() as bench:
        view = view_of(bench)
        view.by.setCurrentIndex(view.by.findData("tool"))
        await bench.still()
        assert {"add", "hidden", "no schema"} <= {line.title for line in view.groups_model.items}
        view.by.setCurrentIndex(view.by.findData("server"))
        await bench.still()
        assert [line.title for line in view.groups_model.items] == ["bad"]
        view.least.setCurrentIndex(view.least.findData(3))
        await bench.still()
        (line,) = view.groups_model.items
        assert {finding.severity for finding in line.findings} == {Severity.ERROR}
        view.search.setText("tag characters")
        await until(lambda: view.groups_model.items == [], what="nothing to pass both")
        view.least.setCurrentIndex(0)
        await until(lambda: view.groups_model.items, what="the hidden text")
        assert [finding.rule.id for finding in view.groups_model.items[0].findings] == ["hidden-characters"]


async def test_a_double_click_leads_to_the_message_and_its_checks() -> None:
    async with bad_opened() as bench:
        view = view_of(bench)
        await bench.still()
        bench.window.findings.show_tool("bad", "hidden")
        await bench.still()
        assert [finding.tool for finding in view.model.items] == ["hidden"] * len(view.model.items)
        place = view.list.visualRect(view.model.index(0)).center()
        QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        QTest.mouseDClick(view.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        await bench.still()
        traffic = bench.window.traffic
        assert traffic is not None
        exchange = traffic.model.exchanges[traffic.detail.row]
        assert exchange.method == "tools/list"
        tabs = traffic.detail.tabs
        assert tabs.tabText(tabs.currentIndex()) == "Checks"
        seqs = list(traffic.model.exchanges.records(traffic.detail.row))
        assert tabs.count_text(tabs.currentIndex()) == str(len(bench.window.findings.live.judge.of(seqs)))  # type: ignore[union-attr]


def say(traffic: TrafficView, line: str) -> None:
    """Type a filter line over the one that is there."""
    traffic.filter.setFocus()
    traffic.filter.selectAll()
    write(traffic.filter, line)


async def test_filter_words_find_what_is_wrong() -> None:
    async with bad_opened() as bench:
        traffic = bench.window.traffic
        assert traffic is not None
        say(traffic, "rule:tool-name")
        await until(lambda: len(traffic.model) == 1, what="the one row with a wrong name")
        assert traffic.model.exchange(0).method == "tools/list"
        say(traffic, "has:finding kind:request")
        await until(lambda: len(traffic.model) == 2, what="both requests with findings")
        assert {traffic.model.exchange(place).method for place in range(2)} == {"initialize", "tools/list"}
        say(traffic, "rule:no-such-rule")
        await until(lambda: len(traffic.model) == 0, what="nothing")


async def test_a_rule_that_is_switched_off_stays_off(tmp_path: Path) -> None:
    memory = tmp_path / "window.json"
    async with bad_opened(memory) as bench:
        view = view_of(bench)
        await bench.still()
        before = bench.window.findings.live.judge.count()  # type: ignore[union-attr]
        name = view.finding.rule.id  # type: ignore[union-attr]
        press(view.off_button)
        await settled(bench)
        assert name not in {line.key for line in view.groups_model.items}
        assert bench.window.findings.live.judge.count() < before  # type: ignore[union-attr]
        assert bench.window.desk.memory.get(OFF, list[str]()) == [name]
    async with bad_opened(memory) as bench:
        assert bench.window.findings.live is not None
        assert bench.window.findings.live.off == {name}
        bench.window.commands.run("rules")
        dialog = bench.window.findChildren(RulesDialog)[-1]
        press(dialog.all_on)
        await bench.still()
        assert bench.window.findings.live.off == frozenset()
        dialog.search.setText("stdout")
        shown = [item for top in dialog._tops() for item in dialog._below(top) if not item.isHidden()]
        assert [item.text(1) for item in shown] == ["stray-stdout"]
        dialog.close()


async def test_tools_carry_how_much_is_wrong() -> None:
    async with bad_opened() as bench:
        page = bench.window.area.tools
        row = next(row for row in page.list.model.rows if row.key == "hidden")
        assert page.list._badge(row) == (3, "error")
    async with demo_opened() as bench:
        await settled(bench)
        page = bench.window.area.tools
        wrong = {row.key: page.list._badge(row)[0] for row in page.list.model.rows if page.list._badge(row)[0]}
        assert wrong == {"odd_header": 1}  # it is there to be wrong


async def test_copying() -> None:
    async with bad_opened() as bench:
        view = view_of(bench)
        await bench.still()
        press(view.copy_button)
        assert "address: https://modelcontextprotocol.io/" in QGuiApplication.clipboard().text()
        press(view.copy_all)
        text = QGuiApplication.clipboard().text()
        assert text.count("\n- ") + 1 == len(bench.window.findings.live.judge.findings())  # type: ignore[union-attr]
        assert "- **error** `stray-stdout` `bad`: " in text


@pytest.mark.parametrize(("width", "height"), [(800, 500), (1440, 900)])
async def test_it_has_room(width: int, height: int) -> None:
    async with bad_opened(size=QSize(width, height)) as bench:
        view = view_of(bench)
        await bench.still()
        for widget in (view.groups, view.list, view.rules):
            corner = widget.mapTo(bench.window, QPoint(widget.width(), widget.height()))
            assert widget.isVisible()
            assert corner.x() <= width
            assert corner.y() <= height


async def test_a_flood_is_judged_while_the_window_lives(qtbot: object) -> None:
    """In slices: no look takes long, and nothing is left out."""
    log = Log()
    body = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":"x"}}'
    for number in range(5_000):
        head = ("s", 1, Channel.MESSAGE, Direction.RECEIVED, number, number)
        log.append(Entry(*head, body, "notification", "notifications/message"))
    log.append(
        Entry("s", 1, Channel.LIFECYCLE, Direction.LOCAL, 1, 1, kind="connected", facts={"version": "2025-11-25"})
    )
    log.append(Entry(*head, body, "notification", "notifications/message"))
    findings = Findings(log, Memory(None))
    told = []
    findings.changed.connect(lambda: told.append(findings.behind))
    await until(lambda: findings.behind == 0, what="all to be judged")
    await until(lambda: told and told[-1] == 0, what="the end to be told")
    assert findings.judge.count() == 2  # nothing was agreed before: only the last is of a version
    assert [line.title for line in lines(passing(findings.judge.groups(), text="loud"), "rule")]
    findings.deleteLater()


async def test_probes_run_on_demand_and_can_be_cancelled() -> None:
    async with demo_opened() as bench:
        bench.window.commands.run("probe")
        dialog = bench.window.findChildren(ProbeDialog)[-1]
        assert not dialog.agreed.isChecked()  # nothing that may change something, before it is agreed to
        press(dialog.start)
        await until(lambda: len(dialog.done_probes) > 1, 30, "the first probes")
        press(dialog.cancel)
        await until(lambda: not dialog.running, what="the end")
        assert len(dialog.done_probes) < dialog.table.rowCount()
        dialog.table.selectRow(0)
        assert "An unknown version is refused" in dialog.facts.text()
        press(dialog.copy)
        assert QGuiApplication.clipboard().text().startswith("# Probes of demo (2026-07-28)")
        press(dialog.show_button)
        await bench.still()
        traffic = bench.window.traffic
        assert traffic is not None
        seqs = set(traffic.model.exchanges.records(traffic.detail.row))
        assert seqs >= set(dialog.done_probes[0].came.seqs[-1:])
        dialog.close()


async def test_an_earlier_session_has_findings_of_its_own(tmp_path: Path) -> None:
    earlier = Log.create(tmp_path)
    for entry in Talk("2025-11-25").tools(tool("a b")).entries:
        earlier.append(entry)
    earlier.close()
    assert earlier.path is not None
    async with bad_opened() as bench:
        live = bench.window.findings.live
        assert live is not None
        view = view_of(bench)
        assert bench.window.places.open_session(earlier.path)
        past = bench.window.places.traffic.past.model.findings  # type: ignore[union-attr]  # it was just opened
        assert past is not None
        assert past is not live
        await until(lambda: past.behind == 0, what="the earlier session to be judged")
        await bench.still()
        assert view.findings is past
        assert [finding.rule.id for finding in past.judge.findings()] == ["tool-name"]
        bench.window.places.back_to_live()
        assert view.findings is live
