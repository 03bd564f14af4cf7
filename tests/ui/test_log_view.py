"""What servers log, in the real window with the demo server, and as a flood."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from mcp_inspector.app import demo_entry
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.ui.models.log_rows import LEVELS, LogModel, read
from tests.ui.bench import Bench, opened, press, until

if TYPE_CHECKING:
    from mcp_inspector.ui.views.log import LogView

pytestmark = pytest.mark.anyio


def view_of(bench: Bench) -> LogView:
    bench.window.panels.show_log()
    assert bench.window.panels.log is not None
    return bench.window.panels.log


def choose(view: LogView, level: str) -> None:
    view.wanted.setCurrentIndex(view.wanted.findData(level))
    view.wanted.activated.emit(view.wanted.currentIndex())


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_messages_come_at_the_level_that_is_asked_for(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        await bench.connect()
        view = view_of(bench)
        choose(view, "debug")
        await bench.still()
        await until(lambda: bench.server().log_level == "debug", what="the level")
        await bench.call("log_lines", {"count": 8})
        await until(lambda: view.model.rowCount() == 8, what="all eight messages")
        lines = [view.model.line(place) for place in range(8)]
        assert [line.level for line in lines] == list(LEVELS)
        assert {line.logger for line in lines} == {"demo.lines"}
        assert lines[0].text == "debug line 1"
        assert '"line":3' in lines[2].text.replace(" ", "")
        view.table.setCurrentIndex(view.model.index(2, 0))
        assert view.tree.model().rowCount() > 0
        view.least.setCurrentIndex(view.least.findData("error"))
        await until(lambda: view.model.rowCount() == 4, what="error and worse")
        view.least.setCurrentIndex(0)
        view.search.setText("line 3")
        await until(lambda: view.model.rowCount() == 1, what="the one with the text")
        view.search.clear()
        await until(lambda: view.model.rowCount() == 8, what="all again")
        kept = bench.book.entry("demo")
        assert kept.log_level == "debug"
    async with opened(kept) as bench:
        await bench.connect()
        assert bench.server().log_level == "debug"  # of its entry, and asked for at connect
        await bench.call("log_lines", {"count": 1, "level": "debug"})
        await until(lambda: view_of(bench).model.rowCount() == 1, what="a debug message")


async def test_without_a_level_the_empty_view_says_what_to_do() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        view = view_of(bench)
        await bench.call("log_lines")
        await bench.still()
        assert view.model.rowCount() == 0
        assert view._stack.currentWidget() is view._empty
        assert "choose a level" in view._empty._detail.text()


async def test_pause_keeps_new_messages_back_and_scope_shows_one_server() -> None:
    entries = [replace(demo_entry(lazy=True), name=name, protocol="legacy") for name in ("one", "two")]
    async with opened(*entries) as bench:
        for name in ("one", "two"):
            await bench.connect(name)
        view = view_of(bench)
        await bench.server("one").call_tool("log_lines", b'{"count":3,"level":"error"}')
        await bench.server("two").call_tool("log_lines", b'{"count":2,"level":"error"}')
        await until(lambda: view.model.rowCount() == 5, what="the messages of both")
        press(view.scope)
        await until(lambda: view.model.rowCount() == 2, what="those of the chosen one")
        bench.window.desk.choose("one")
        await until(lambda: view.model.rowCount() == 3, what="those of the other")
        press(view.pause)
        await bench.server("one").call_tool("log_lines", b'{"count":4,"level":"error"}')
        await bench.still()
        assert view.model.rowCount() == 3
        press(view.pause)
        await until(lambda: view.model.rowCount() == 7, what="what was kept back")
        press(view.clear)
        await until(lambda: view.model.rowCount() == 0, what="a clear view")


def entry(number: int, params: bytes | None = None, level: str = "") -> Entry:
    level = level or LEVELS[number % 8]
    params = params or b'{"level":"%s","logger":"l","data":"line %d"}' % (level.encode(), number)
    data = b'{"jsonrpc":"2.0","method":"notifications/message","params":%s}' % params
    now = time.time_ns()
    return Entry(
        "s",
        1,
        Channel.MESSAGE,
        Direction.RECEIVED,
        now,
        now,
        data,
        "notification",
        "notifications/message",
        target=level,
    )


@pytest.mark.timeout(180)
async def test_three_hundred_thousand_messages_never_stop_the_window() -> None:
    log = Log()
    model = LogModel(log)
    longest, last, stop = 0.0, time.perf_counter(), False

    async def heartbeat() -> None:
        nonlocal longest, last
        while not stop:
            await asyncio.sleep(0.002)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now

    beat = asyncio.get_running_loop().create_task(heartbeat())
    for start in range(0, 300_000, 1_000):
        for number in range(start, start + 1_000):
            log.append(entry(number))
        last = time.perf_counter()  # what it takes to append is the flood's doing, not the view's
        await asyncio.sleep(0)
    await until(lambda: model.rowCount() == 300_000, 90, "all of them")
    model.filter("error", "")
    await until(lambda: model.rowCount() == 150_000, 60, "error and worse")
    assert model.line(149_999).text == "line 299999"
    stop = True
    await beat
    assert longest < 0.5  # a shared machine of two cores: seconds would be a frozen window, this is not
    model.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    log.close()


@pytest.mark.parametrize(
    ("params", "level", "text"),
    [
        (b'{"level":"info","data":{"a":1.50}}', "info", '{"a":1.50}'),
        (b'{"level":5,"logger":[],"data":null}', "?", "null"),
        (b'{"level":"loud","data":"a\\nb\\u202ec"}', "loud", "a b⟨202E⟩c"),
        (b"[]", "?", "(cannot be read)"),
    ],
)
async def test_odd_messages_are_shown_and_never_raise(params: bytes, level: str, text: str) -> None:
    log = Log()
    line = read(log, log.append(entry(1, params)))
    assert (line.level, line.text) == (level, text)
    log.close()
