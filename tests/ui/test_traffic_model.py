"""What of a session is shown: pulled in ticks, filtered in the store, never lost."""

import json

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.ui.models.traffic import TrafficModel
from tests.ui.story import Story, tell


@pytest.fixture
def log():
    made = Log()
    yield made
    made.close()


@pytest.fixture
def model(log, qapp):
    made = TrafficModel(log)
    yield made
    made.deleteLater()


def _ping(log: Log, count: int = 1, server: str = "demo") -> None:
    for number in range(count):
        data = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": number}}).encode()
        log.append(
            Entry(server, 1, Channel.MESSAGE, Direction.RECEIVED, 1, 1, data, "notification", "notifications/message")
        )


def test_a_burst_is_one_insert(log, model, qtbot):
    told = []
    model.inserted.connect(lambda first, last: told.append((first, last)))
    with qtbot.waitSignal(model.inserted):
        _ping(log, 1500)
    assert told == [(0, 1500)]
    with qtbot.waitSignal(model.inserted):
        _ping(log, 3)
    assert told == [(0, 1500), (1500, 1503)]


def test_a_flood_is_taken_in_completely(log, model, qtbot):
    """QT-07: 20 000 notifications at once; every one is shown, and the ticks stay ticks."""
    told = []
    model.inserted.connect(lambda first, last: told.append(last - first))
    _ping(log, 20_000)
    qtbot.waitUntil(lambda: len(model) == 20_000)
    assert sum(told) == 20_000
    assert len(told) < 200


def test_request_and_answer_are_one_row(log, model, qtbot):
    story = Story(log)
    seq = story.call("demo", "tools/call", "echo", {"name": "echo"}, {"result": {"content": []}})
    model.catch_up()
    assert len(model) == 1
    exchange = model.exchange(0)
    assert (exchange.first, exchange.reply, exchange.state.word) == (seq, seq + 1, "ok")
    assert model.row_of(seq + 1) == model.row_of(seq) == 0


def test_an_answer_that_comes_later_updates_its_row(log, model, qtbot):
    story = Story(log)
    seq = story.call("demo", "tools/call", "echo", {}, None)
    model.catch_up()
    assert model.pending
    with qtbot.waitSignal(model.updated):
        story.put("demo", Channel.MESSAGE, Direction.RECEIVED, b"{}", kind="response", call=seq, id="1")
    assert not model.pending


def test_the_filter_hides_and_says_how_many(log, model):
    tell(log)
    model.catch_up()
    whole = len(model)
    model.set_line("method:tools/call -server:github")
    model.catch_up()
    shown = [model.exchange(place) for place in range(len(model))]
    assert shown
    assert {exchange.method for exchange in shown} == {"tools/call"}
    assert "github" not in {exchange.server for exchange in shown}
    assert model.hidden == whole - len(shown)
    model.set_line("")
    assert len(model) == whole
    assert model.hidden == 0


def test_a_line_that_is_not_understood_changes_nothing_and_says_why(log, model):
    tell(log)
    model.set_line("method:ping or method:tools/call")
    model.catch_up()
    before = len(model)
    model.set_line("methd:x")
    assert "methd" in model.problem
    assert len(model) == before
    model.set_line("method:tools/call")
    assert model.problem == ""


def test_rows_come_and_go_as_their_state_changes(log, model, qtbot):
    story = Story(log)
    _ping(log, 3)
    model.set_line("status:pending")
    model.catch_up()
    assert len(model) == 0
    seq = story.call("demo", "tools/call", "slow", {}, None)
    qtbot.waitUntil(lambda: len(model) == 1)
    assert model.exchange(0).first == seq
    _ping(log, 2)
    story.put("demo", Channel.MESSAGE, Direction.RECEIVED, b"{}", kind="response", call=seq, id="4")
    qtbot.waitUntil(lambda: len(model) == 0)
    model.set_line("status:ok")
    model.catch_up()
    assert [model.exchange(place).first for place in range(len(model))] == [seq]


def test_one_server_or_all_together_with_the_line(log, model):
    tell(log)
    model.set_server("demo")
    model.catch_up()
    assert {model.exchange(place).server for place in range(len(model))} == {"demo"}
    model.set_line("method:prompts/get")
    model.catch_up()
    assert {model.exchange(place).method for place in range(len(model))} == {"prompts/get"}
    model.set_server(None)
    model.set_line("")
    assert model.hidden == 0


def test_clearing_loses_nothing(log, model, qtbot):
    _ping(log, 10)
    model.catch_up()
    model.clear()
    assert len(model) == 0
    assert model.cleared == 10
    _ping(log, 2)
    qtbot.waitUntil(lambda: len(model) == 2)
    assert model.row(0) == 10
    assert model.place(3) == -1
    model.show_all()
    assert len(model) == 12
    assert len(log) == 12


def test_clearing_with_a_filter(log, model):
    tell(log)
    model.set_line("method:tools/call")
    model.catch_up()
    model.clear()
    model.catch_up()
    assert len(model) == 0
    story = Story(log)
    story.call("demo", "tools/call", "echo", {}, {"result": {}})
    _ping(log)
    model.catch_up()
    assert len(model) == 1
    assert model.hidden == 1


def test_paused_keeps_rows_back_and_counts_them(log, model, qtbot):
    _ping(log, 5)
    model.catch_up()
    model.set_paused(True)
    _ping(log, 7)
    qtbot.waitUntil(lambda: model.waiting == 7)
    qtbot.waitUntil(lambda: model.exchanges.seen == 12)
    assert len(model) == 5
    assert model.waiting == 7
    model.set_paused(False)
    assert len(model) == 12
    assert model.waiting == 0


def test_places_and_rows_are_two_ways_of_one_thing(log, model):
    tell(log, 3)
    for line in ("", "method:tools/call", "kind:stderr"):
        model.set_line(line)
        model.catch_up()
        for place in range(len(model)):
            assert model.place(model.row(place)) == place
    assert model.place(0) == -1
    assert model.place_near(0) == 0
    with pytest.raises(IndexError):
        model.row(len(model))


def test_a_long_session_is_filtered_in_slices(log, model, qtbot):
    _ping(log, 150_000)
    model.catch_up()
    model.set_line("level or nothing or note:x or target:y or server:demo")
    qtbot.waitUntil(lambda: model.progress == 1.0)
    assert len(model) == 150_000


def test_rows_that_come_while_a_filter_runs_are_filtered_too(log, model, qtbot):
    _ping(log, 120_000, server="one")
    model.catch_up()
    model.set_line("server:one or server:two")
    _ping(log, 10, server="two")
    _ping(log, 10, server="three")
    qtbot.waitUntil(lambda: len(model) == 120_010)
    assert model.hidden == 10


def test_bodies_are_searched(log, model):
    tell(log)
    model.set_line('body:"9007199254740993"')
    model.catch_up()
    assert [model.exchange(place).target for place in range(len(model))] == ["get-structured-content"]


def test_exchanges_shared_with_another_view(log, qapp, qtbot):
    first = TrafficModel(log)
    second = TrafficModel(log, first.exchanges)
    _ping(log, 4)
    qtbot.waitUntil(lambda: len(first) == 4 and len(second) == 4)
    first.deleteLater()
    second.deleteLater()


def test_a_deleted_model_is_not_told_any_more(log, qapp, caplog):
    model = TrafficModel(log)
    model.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    _ping(log)
    assert not caplog.records
