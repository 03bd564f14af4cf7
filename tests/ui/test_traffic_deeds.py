"""What is done with rows of traffic, in the real window with the demo server: follow, mark, resend, compare."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mcp_inspector.store.exchanges import RowState
from mcp_inspector.store.log import Log
from mcp_inspector.ui import bridge
from mcp_inspector.ui.models.traffic_outline import seq_of
from mcp_inspector.ui.views.traffic_columns import Column
from tests.ui.bench import demo_opened, until

if TYPE_CHECKING:
    from tests.ui.bench import Bench

pytest.importorskip("mcp", reason="the official SDK is not installed")
pytestmark = [pytest.mark.anyio, pytest.mark.peer]


async def _called(bench: Bench, tool: str, arguments: dict) -> int:
    """Call a tool as the window does, and choose its row; returns its number."""
    outcome = await bench.server().call_tool(tool, json.dumps(arguments).encode())
    await bench.still()
    bench.window.traffic.reveal(outcome.call)
    bench.window.traffic.table.setFocus()
    return outcome.call


def _press(bench: Bench, text: str) -> None:
    QTest.keyClicks(bench.window.traffic.table, text)


async def test_resend_edit_duplicate_and_what_differs(home):
    async with demo_opened() as bench:
        view = bench.window.traffic
        first = await _called(bench, "add", {"a": 1, "b": 2})
        _press(bench, "r")
        again = await until(lambda: (seq := view.model.exchanges[view.table.current].first) > first and seq)
        await until(lambda: view.model.exchanges[view.table.current].reply)
        assert bench.log.body(first) != bench.log.body(again)
        assert json.loads(bench.log.body(again))["params"]["arguments"] == {"a": 1, "b": 2}
        view.detail.show_part("diff")
        await bench.still()
        texts = [
            [view.detail.diff.lines.topLevelItem(row).text(column) for column in range(4)]
            for row in range(view.detail.diff.lines.topLevelItemCount())
        ]
        assert any(text[0] == "$.id" and text[1] == "changed" for text in texts)
        assert texts[0][0].startswith("Request: ")

        view.table.setFocus()
        _press(bench, "e")
        composer = bench.window.panels.composer
        assert composer.isVisible()
        text = composer.document.text
        assert '"again-1"' in text
        composer.document.set_text(text.replace('"a": 1', '"a": 40'))
        composer.send()
        edited = await until(lambda: (seq := view.model.exchanges[view.table.current].first) > again and seq)
        assert json.loads(bench.log.body(edited))["params"]["arguments"]["a"] == 40
        await until(lambda: view.model.exchanges.reply[view.model.row_of(edited)])

        bench.window.traffic_dock.raise_()
        view.reveal(edited)
        view.table.setFocus()
        _press(bench, "d")
        await bench.still()
        arguments = bench.window.area.tools.arguments.arguments
        assert json.loads(arguments.document.text) == {"a": 40, "b": 2}


async def test_marks_are_keys_and_can_be_undone(home):
    async with demo_opened() as bench:
        view, marks = bench.window.traffic, bench.log.marks
        seq = await _called(bench, "echo", {"text": "x"})
        _press(bench, "2")
        assert marks[seq].word == "orange"
        _press(bench, "b")
        assert marks[seq].pinned
        _press(bench, "m")
        assert view.prompt.isVisible()
        QTest.keyClicks(view.prompt.edit, "look here")
        QTest.keyClick(view.prompt.edit, Qt.Key.Key_Return)
        assert marks[seq].comment == "look here"
        await bench.still()
        assert view.table.text(view.table.key).note == "orange · pinned · look here"
        view.set_filter("mark:orange has:comment")
        view.model.catch_up()
        assert [view.model.exchange(place).first for place in range(len(view.model))] == [seq]
        view.set_filter("")
        view.clear()
        view.model.catch_up()
        assert [view.model.exchange(place).first for place in range(len(view.model))] == [seq]
        view.table.setFocus()
        view.table.select(view.model.row_of(seq))
        QTest.keyClick(view.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        view.model.catch_up()
        assert len(view.model) > 5
        for _ in range(3):
            QTest.keyClick(view.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert not marks.items()
        assert bench.log.flush()
        view.table.select(view.model.row_of(seq))
        _press(bench, "6")
        path = bench.log.path
        assert bench.log.flush()
        copy = Log.open(path)
        assert copy.marks[seq].word == "purple"
        copy.close()


async def test_an_operation_opens_into_its_messages_and_is_followed(home):
    async with demo_opened() as bench:
        view = bench.window.traffic
        model = view.model
        await _called(bench, "echo", {"text": "x"})
        seq = await _called(bench, "slow", {"seconds": 0.3, "steps": 3})
        row = model.row_of(seq)
        assert model.exchanges[row].progress >= 2
        before = len(model)
        QTest.keyClick(view.table, Qt.Key.Key_Right)
        assert model.outline.is_open(row)
        added = len(model) - before
        assert added == model.exchanges[row].progress + 2
        place = model.place(row)
        words = [view.table.text(model.key(place + number)).method for number in range(1, added + 1)]
        assert words[0] == "request"
        assert words[1] == "progress"
        assert words[-1] == "response"
        assert [model.depth(place + number) for number in (0, 1)] == [0, 1]
        _press(bench, "jj")
        assert seq_of(view.table.key)
        assert view.table.current == row
        assert b"notifications/progress" in view.detail.request.body()
        QTest.keyClick(view.table, Qt.Key.Key_Left)
        assert view.table.key == row
        assert len(model) == before
        _press(bench, "f")
        assert view.filter.text() == f"op:{seq}"
        assert [model.row(place) for place in range(len(model))] == [row] * (added + 1)
        _press(bench, "f")
        model.catch_up()
        assert len(model) == before


async def test_a_call_that_asks_is_one_row_with_its_rounds(home):
    async with demo_opened() as bench:
        view, model = bench.window.traffic, bench.window.traffic.model
        inbox = bench.inspector.inbox
        ended: list[object] = []
        bridge.spawn(bench.server().call_tool("ask_name", b"{}"), on_done=ended.append)
        await until(lambda: inbox.waiting)
        await bench.still()
        (row,) = (row for row in model.exchanges.pending if model.exchanges[row].target == "ask_name")
        assert view.table.text(row).status.word == "goes on"
        listed = len(model)
        inbox.waiting[0].answer(b'{"action":"accept","content":{"name":"Ada"}}')
        await until(lambda: ended)
        await bench.still()
        exchange = model.exchanges[row]
        assert exchange.state is RowState.OK
        assert b"Ada" in bench.log.body(exchange.reply)
        (part,) = model.exchanges.parts(row)
        assert model.place(part) < 0
        assert len(model) == listed
        assert model.hidden == 0
        model.set_open(row, True)
        assert model.place(part) > model.place(row)
        assert model.depth(model.place(part)) == 1
        view.set_grouped(False)
        model.catch_up()
        assert model.place(part) >= 0
        assert model.depth(model.place(part)) == 0


async def test_two_rows_are_compared(home):
    async with demo_opened() as bench:
        view = bench.window.traffic
        first = await _called(bench, "echo", {"text": "one"})
        _press(bench, "c")
        second = await _called(bench, "echo", {"text": "two"})
        _press(bench, "c")
        lines = view.detail.diff.lines
        texts = [
            [lines.topLevelItem(row).text(column) for column in range(4)] for row in range(lines.topLevelItemCount())
        ]
        assert ["$.params.arguments.text", "changed", '"one"', '"two"'] in texts
        view.detail.diff.swap_wanted.emit()
        assert view.model.exchanges[view.table.current].first == first
        assert view.detail._shown_seq() in (first, second)


async def test_a_value_becomes_a_filter_and_a_column(home):
    async with demo_opened() as bench:
        view = bench.window.traffic
        await _called(bench, "echo", {"text": "one"})
        seq = await _called(bench, "echo", {"text": "two"})
        assert view.deeds.add_path("$.params.arguments.text") == ""
        assert view.deeds.add_path("no path") != ""
        await bench.still()
        assert view.table.text(view.model.row_of(seq)).more == ("two",)
        view.filter.add_term("$.params.arguments.text:=two")
        await bench.still()
        view.model.catch_up()
        assert [view.model.exchange(place).first for place in range(len(view.model))] == [seq]
        kept = view.save_state()
        view.table.header.set_paths(())
        view.restore_state(kept)
        assert view.table.header.paths == ("$.params.arguments.text",)


async def test_times_count_from_the_row_above_and_from_a_reference(home):
    async with demo_opened() as bench:
        view = bench.window.traffic
        first = await _called(bench, "echo", {"text": "one"})
        second = await _called(bench, "echo", {"text": "two"})
        view.reveal(first)
        view.table.setFocus()
        _press(bench, "t")
        assert not view.table.header.isSectionHidden(Column.SINCE)
        model, cells = view.model, view.table.cells
        place = model.place(model.row_of(second))
        text = cells.at(place, model.key(place), times=True)
        assert text.since.startswith("+")
        assert text.delta.startswith("+")
        place = model.place(model.row_of(first))
        assert cells.at(place, model.key(place), times=True).since == "0"
        before = cells.at(place - 1, model.key(place - 1), times=True)
        assert before.since.startswith("−")
