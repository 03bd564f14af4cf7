"""Who gets the room of a window that is small, grows, or shows long names; and a server that takes long to start."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.status import State
from mcp_inspector.ui.views.server_list import SERVER
from mcp_inspector.ui.views.traffic_columns import Column
from mcp_inspector.ui.widgets.labels import EmptyState
from tests.ui.bench import demo_opened, opened, press, until

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.main_window import MainWindow

pytestmark = pytest.mark.anyio

LONG = "x" * 300
_LONG_SERVER = """
import json, sys
long = "N" * 300
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"error": {"code": -32601, "message": "no"}}
    if message["method"] == "initialize":
        answer = {"result": {
            "protocolVersion": "2025-11-25", "capabilities": {"experimental": {long: {long: long}}},
            "serverInfo": {"name": long, "title": long, "version": long}, "instructions": long * 10}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""


def _drag_left_edge(window: MainWindow, by: int) -> None:
    """Take the edge between the left panels and the page as a person does."""
    place, handle = window.servers_dock.geometry().topRight() + QPoint(1, 40), window.windowHandle()
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseMove(handle, place)
    QTest.mousePress(handle, left, none, place)
    for step in (by // 3, by // 2, by):
        QTest.mouseMove(handle, place + QPoint(step, 0))
        QTest.qWait(20)
    QTest.mouseRelease(handle, left, none, place + QPoint(by, 0))


async def test_panels_get_back_what_a_small_window_took(tmp_path: Path) -> None:
    memory = tmp_path / "window.json"
    async with demo_opened(size=QSize(1200, 800), memory=memory) as bench:
        window = bench.window
        await bench.still()
        first = window.servers_dock.width(), window.traffic_dock.height()
        assert first[1] >= 0.33 * 800  # with its tabs, two fifths of the window
        window.resize(640, 440)
        await bench.still()
        assert window.servers_dock.width() < first[0]
        assert window.traffic_dock.height() < first[1]
        window.resize(1200, 800)
        await bench.still()
        assert (window.servers_dock.width(), window.traffic_dock.height()) == pytest.approx(first, abs=3)
        _drag_left_edge(window, 100)
        chosen = window.servers_dock.width()
        assert chosen == pytest.approx(first[0] + 100, abs=12)
        window.resize(640, 440)
        await bench.still()
        window.resize(1200, 800)
        await bench.still()
        assert window.servers_dock.width() == pytest.approx(chosen, abs=3)
        window.resize(700, 500)
    async with demo_opened(size=QSize(1200, 800), memory=memory) as bench:
        await bench.still()
        assert bench.window.servers_dock.width() == pytest.approx(chosen, abs=3)
        bench.window.arrangement.reset()
        await until(lambda: bench.window.servers_dock.width() == pytest.approx(first[0], abs=3))


async def test_three_fields_and_the_button_at_800_by_500() -> None:
    async with demo_opened(size=QSize(800, 500)) as bench:
        page = await bench.tool("fill_form")
        bench.window.grab()
        port = page.arguments.form.viewport()
        for row in page.arguments.form.rows()[:3]:
            place = row.mapTo(port, QPoint(0, 0))
            assert place.y() >= 0
            assert place.y() + 28 <= port.height()  # the field; what is said of it stands below
        button = page.arguments.call
        assert button.mapTo(bench.window, button.rect().bottomRight()).y() < bench.window.height()
        page = await bench.call("add", {"a": 1, "b": 2})
        assert page.result.isVisible()


async def test_the_detail_of_traffic_comes_back_with_the_height() -> None:
    async with demo_opened(size=QSize(1200, 800)) as bench:
        window = bench.window
        assert window.traffic is not None
        assert window.traffic.detail.isVisible()
        window.resize(900, 500)
        assert not window.traffic.detail.isVisible()
        assert window.traffic.save_state()["detail"] is True
        window.resize(1200, 800)
        assert window.traffic.detail.isVisible()


@pytest.mark.parametrize("width", [640, 900, 1440])
async def test_long_names_never_push_anything_off_the_overview(width: int) -> None:
    long = ServerEntry("long", command=sys.executable, args=("-c", _LONG_SERVER), reconnect=0)
    lost = ServerEntry(LONG, command=f"no-such-{LONG}", reconnect=0)
    async with opened(long, lost, size=QSize(width, 800)) as bench:
        window = bench.window
        window.area.show_page("overview")
        await bench.connect("long")
        await bench.still()
        window.grab()
        facts = window.area.overview._facts
        assert facts.horizontalScrollBar().maximum() == 0
        for button in (one for one in facts.findChildren(QPushButton) if one.isVisible()):
            right = button.mapTo(facts.viewport(), button.rect().topRight()).x()
            assert right <= facts.viewport().width()
        server = bench.server(LONG)
        server.connect()
        await server.settled()
        window.desk.choose(LONG)
        await bench.still()
        window.grab()
        card = window.area.overview.card
        assert card.isVisible()
        assert card._title.text().startswith(LONG)
        assert card.horizontalScrollBar().maximum() == 0


def _overlaps(empty: EmptyState) -> bool:
    shown = [child for child in empty.children() if isinstance(child, QWidget) and not child.isHidden()]
    areas = [child.geometry() for child in shown]
    return any(one.intersects(other) for at, one in enumerate(areas) for other in areas[:at]) or not all(
        empty.rect().contains(area) for area in areas
    )


@pytest.mark.parametrize("action", ["", "Try again"])
def test_an_empty_state_never_lies_over_itself(qtbot, action: str) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(400, 500)
    empty = EmptyState("activity", "Choose a row", "Its messages, bytes and findings are shown here.", action, host)
    host.show()
    for height in (400, 160, 120, 90, 70, empty.minimumSizeHint().height()):
        empty.resize(180, height)
        empty.grab()
        assert not _overlaps(empty), height
    assert empty.toolTip()
    empty.resize(300, 400)
    empty.grab()
    assert not empty.toolTip()
    assert not empty._picture.isHidden()


async def test_a_server_that_hangs_says_what_it_waits_for_and_can_be_cancelled() -> None:
    stuck = ServerEntry("stuck", command=sys.executable, args=("-c", "import time; time.sleep(600)"), reconnect=0)
    async with opened(stuck) as bench:
        window = bench.window
        server = bench.server("stuck")
        window.desk.choose("stuck")
        server.connect()
        strip = window.area.strip
        await until(lambda: " of 5 s" in strip.text(), what="the strip to count")
        assert "waiting for probe" in strip.text()
        assert window.desk.servers.index(0).data(SERVER) is server
        assert server.status.step == "probe"
        window.area.show_page("overview")
        assert strip.isVisible()
        press(strip._button)
        await until(lambda: server.status.state is State.IDLE, what="the server to be idle")
        await bench.still()
        assert strip.text() == ""


async def test_methods_are_whole_where_notes_leave_room() -> None:
    async with demo_opened(size=QSize(1440, 900)) as bench:
        view = bench.window.traffic
        assert view is not None
        bench.window.grab()
        await bench.still()
        header = view.table.header
        for method in ("resources/templates/list", "server/discover"):
            assert not view.table._painter.is_cut(method, Column.METHOD, header.sectionSize(Column.METHOD))
        assert header.needed() <= view.table.viewport().width()
        assert json.dumps(header.save())  # widths that were given by content are no person's choice
        assert header.save()["widths"] == []
