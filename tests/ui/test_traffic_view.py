"""The Traffic dock, used with keys and mouse."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QMenu

from mcp_inspector.store.exchanges import RowState
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.ui import theme
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.findings import Findings
from mcp_inspector.ui.views.traffic import TrafficView
from mcp_inspector.ui.views.traffic_columns import Column
from tests.ui.story import WEATHER, Story, tell


@pytest.fixture
def log():
    made = Log()
    yield made
    made.close()


@pytest.fixture
def view(log, qtbot, qapp):
    theme.install(qapp, "light")
    tell(log, 3)
    made = TrafficView(log)
    qtbot.addWidget(made)
    made.resize(1440, 500)
    made.show()
    qtbot.waitExposed(made)
    made.model.catch_up()
    return made


def row_with(view, target: str, state: RowState | None = None) -> int:
    for place in reversed(range(len(view.model))):
        exchange = view.model.exchange(place)
        if target in (exchange.target, exchange.method) and state in (None, exchange.state):
            return view.model.row(place)
    raise AssertionError(target)


def spot(view, row: int, column: Column) -> QPoint:
    header = view.table.header
    x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
    return QPoint(x, view.table._area_of(view.model.place(row)).center().y())


def test_the_density_that_was_promised(view):
    if QFontMetrics(theme.font()).height() > 14:
        pytest.skip("the system's font is larger than the one the promise was made for")
    view.resize(1440, 520)
    assert view.table.rows_seen() >= 25
    assert view.detail.isVisible()


def test_moving_with_keys(view, qtbot):
    table = view.table
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.current == 0
    qtbot.keyClick(table, Qt.Key.Key_J)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert table.current == 2
    qtbot.keyClick(table, Qt.Key.Key_K)
    assert table.current == 1
    assert not table.follow
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.current == len(view.model) - 1
    assert table.follow
    assert view.detail.row == table.current


def test_request_and_response_by_brackets(view, qtbot):
    table = view.table
    table.select(row_with(view, "get-structured-content"))
    qtbot.keyClicks(table, "[")
    assert view.detail.tabs.tabText(view.detail.tabs.currentIndex()) == "Request"
    qtbot.keyClicks(table, "]")
    assert view.detail.tabs.tabText(view.detail.tabs.currentIndex()) == "Response"


def test_following_ends_when_one_scrolls_and_begins_again_at_the_end(view, log, qtbot):
    bar = view.table.verticalScrollBar()
    assert view.table.follow
    bar.setValue(3)
    assert not view._follow.isChecked()
    Story(log).call("demo", "ping", "", {}, {"result": {}})
    view.model.catch_up()
    assert bar.value() == 3
    view._follow.click()
    assert bar.value() == bar.maximum()
    Story(log).call("demo", "ping", "", {}, {"result": {}})
    view.model.catch_up()
    assert bar.value() == bar.maximum()


def test_selecting_with_mouse_and_copying(view, qtbot):
    table = view.table
    table.verticalScrollBar().setValue(0)
    first, last = spot(view, 2, Column.METHOD), spot(view, 5, Column.METHOD)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=first)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, last)
    assert table.selected == [2, 3, 4, 5]
    qtbot.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, spot(view, 4, Column.TIME)
    )
    assert table.selected == [2, 3, 5]
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = json.loads(QGuiApplication.clipboard().text())
    assert [one["seq"] for one in copied] == [view.model.exchanges[row].first for row in (2, 3, 5)]
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(table, Qt.Key.Key_C, both)
    assert QGuiApplication.clipboard().text().startswith("**#")


def test_a_row_leads_back_to_its_call(view, qtbot):
    row = row_with(view, "get-structured-content")
    seq = view.model.exchanges[row].first
    view.table.select(row)
    with qtbot.waitSignal(view.call_activated) as told:
        qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert told.args == [seq]
    with qtbot.waitSignal(view.call_activated) as told:
        view.detail._call.click()
    assert told.args == [seq]
    place = spot(view, row, Column.TARGET)
    with qtbot.waitSignal(view.call_activated):
        qtbot.mouseDClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_reveal_finds_the_row_of_any_of_its_messages(view, log):
    row = row_with(view, "get-structured-content")
    reply = view.model.exchanges[row].reply
    assert view.reveal(reply)
    assert view.table.current == row
    assert not view.reveal(len(log) + 5)


def test_reveal_takes_a_row_out_of_the_filter_that_hides_it(view):
    row = row_with(view, "get-structured-content")
    view.set_filter("method:prompts/get")
    view.model.catch_up()
    assert view.model.place(row) < 0
    assert view.reveal(view.model.exchanges[row].first)
    assert view.table.current == row
    view.clear()
    assert view.reveal(view.model.exchanges[row].first)
    assert view.table.current == row


def test_reveal_of_a_call_that_has_just_been_sent(view, log):
    seq = Story(log).call("demo", "tools/call", "fresh", {}, None)
    assert view.reveal(seq)
    assert view.model.exchanges[view.table.current].target == "fresh"


def test_reveal_ends_a_pause(view, log):
    view._pause.click()
    seq = Story(log).call("demo", "tools/call", "fresh", {}, None)
    assert view.reveal(seq)
    assert not view.model.paused


def test_hidden_rows_are_counted_and_come_back_with_one_click(view, qtbot):
    whole = len(view.model)
    qtbot.keyClicks(view.filter, "method:tools/call")
    qtbot.waitUntil(lambda: len(view.model) < whole)
    assert view._hidden.isVisible()
    assert view._hidden.text() == f"{whole - len(view.model)} hidden"
    view._hidden.click()
    assert len(view.model) == whole
    assert view.filter.text() == ""
    assert not view._hidden.isVisible()


def test_a_filter_that_is_not_understood_is_red_and_says_why(view, qtbot):
    view.set_filter("methd:x")
    assert view.filter.property("invalid") is True
    assert "methd" in view._why.text()
    view.set_filter("")
    assert not view._why.isVisible()


def test_the_menus_write_the_line(view, qtbot):
    server = view._menus[0]
    server.aboutToShow.emit()
    entries = {action.text(): action for action in server.actions()}
    assert {"demo", "everything", "github", "sqlite"} <= set(entries)
    entries["demo"].trigger()
    assert view.filter.text() == "server:=demo"
    status = view._menus[2]
    status.aboutToShow.emit()
    next(action for action in status.actions() if action.text() == "tool error").trigger()
    assert view.filter.text() == 'server:=demo status:="tool error"'
    view.model.catch_up()
    assert {view.model.exchange(place).state for place in range(len(view.model))} == {RowState.TOOL_ERROR}
    server.aboutToShow.emit()
    chosen = [action.text() for action in server.actions() if action.isChecked()]
    assert chosen == ["demo"]
    next(action for action in server.actions() if action.text() == "demo").trigger()
    assert view.filter.text() == 'status:="tool error"'


def _menu(view, row: int, column: Column) -> QMenu:
    place = spot(view, row, column)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.table.viewport().mapToGlobal(place))
    view.table.contextMenuEvent(event)
    return next(menu for menu in view.findChildren(QMenu) if menu.isVisible())


def test_filtering_by_a_cell(view):
    row = row_with(view, "get-structured-content")
    view.reveal(view.model.exchanges[row].first)
    menu = _menu(view, row, Column.TARGET)
    next(action for action in menu.actions() if action.text().startswith("Show only")).trigger()
    menu.close()
    assert view.filter.text() == "target:=get-structured-content"
    view.model.catch_up()
    assert {view.model.exchange(place).target for place in range(len(view.model))} == {"get-structured-content"}


def test_leaving_out_a_cell(view):
    row = row_with(view, "get-structured-content")
    view.reveal(view.model.exchanges[row].first)
    menu = _menu(view, row, Column.SERVER)
    next(action for action in menu.actions() if action.text().startswith("Hide")).trigger()
    menu.close()
    view.model.catch_up()
    assert view.filter.text() == "-server:=everything"
    assert "everything" not in {view.model.exchange(place).server for place in range(len(view.model))}


def test_one_server_or_all(view, qtbot):
    whole = len(view.model)
    view.set_server("sqlite", only=True)
    view.model.catch_up()
    assert {view.model.exchange(place).server for place in range(len(view.model))} == {"sqlite"}
    with qtbot.waitSignal(view.server_wanted) as told:
        view._scope.click()
    assert told.args == [None]
    assert len(view.model) == whole
    view.set_server(None)
    assert not view._scope.isVisible()


def test_clear_and_show_all(view, qtbot):
    whole = len(view.model)
    view._clear.click()
    assert len(view.model) == 0
    assert view.table.empty.isVisible()
    assert view._cleared.text() == f"{whole} cleared"
    view._cleared.click()
    assert len(view.model) == whole


def test_pause(view, log, qtbot):
    before = len(view.model)
    view._pause.click()
    Story(log).call("demo", "ping", "", {}, {"result": {}})
    qtbot.waitUntil(lambda: view._pause.text() == "2 waiting")
    assert len(view.model) == before
    view._pause.click()
    assert len(view.model) == before + 1


def test_the_filter_line_completes(view, qtbot):
    view.filter.setFocus()
    qtbot.keyClicks(view.filter, "ser")
    offered = view.filter._offered
    assert offered.at(0).text == "server:"
    view.filter._take(offered.index(0))
    assert view.filter.text() == "server:"
    qtbot.waitUntil(lambda: offered.rowCount() == 4)
    values = [offered.at(row).text for row in range(4)]
    view.filter._take(offered.index(values.index("server:demo")))
    assert view.filter.text() == "server:demo "


def test_state_survives(view, log, qtbot):
    header = view.table.header
    header.moveSection(header.visualIndex(Column.STATUS), 1)
    header._show(Column.SIZE, False)
    header._pressed = True
    header.resizeSection(Column.METHOD, 222)
    header._pressed = False
    view.set_filter("server:demo")
    view._side.click()
    state = json.loads(json.dumps(view.save_state()))
    other = TrafficView(log)
    qtbot.addWidget(other)
    other.resize(1440, 500)
    other.show()
    other.restore_state(state)
    assert other.table.header.visualIndex(Column.STATUS) == 1
    assert other.table.header.isSectionHidden(Column.SIZE)
    assert other.table.header.sectionSize(Column.METHOD) == 222
    assert other.filter.text() == "server:demo"
    assert not other.detail.isVisible()
    other.restore_state({"columns": {"order": [1, 1], "widths": "x"}, "splitter": 3})


@pytest.mark.parametrize("width", [320, 500, 757, 1000, 2400])
def test_columns_fit_the_width(view, width):
    header = view.table.header
    header.fit(width)
    shown = [column for column in Column if not header.isSectionHidden(column)]
    assert {Column.METHOD, Column.STATUS, Column.KIND} <= set(shown)
    if width >= 757:
        assert sum(header.sectionSize(column) for column in shown if column != Column.NOTE) < width
        assert Column.NOTE in shown


def test_running_times_are_repainted_only_while_something_runs(view, log):
    assert view.model.pending
    assert view.table._running.isActive()
    for row in list(view.model.exchanges.pending):
        first = view.model.exchanges[row].first
        log.append(Entry("demo", 1, Channel.MESSAGE, Direction.RECEIVED, 1, 10**15, b"{}", "response", call=first))
    view.model.catch_up()
    assert not view.table._running.isActive()


def test_tooltips_show_markup_as_it_is(view, log):
    Story(log).call("demo", "tools/call", "<b>x</b><img src='file:///etc/passwd'>" * 8, {}, None)
    view.model.catch_up()
    row = len(view.model) - 1
    tip = view.table._tip(spot(view, row, Column.TARGET))
    assert "<img" not in tip
    assert "&lt;img" in tip
    view.table.viewportEvent(QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(5, 5), QPoint(5, 5)))


def test_both_schemes_paint_differently(view, qapp):
    light = view.table.grab().toImage()
    look = theme.install(qapp, "dark")
    qapp.processEvents()
    dark = view.table.grab().toImage()
    look.choose("light")
    middle = QPoint(light.width() - 30, light.height() - 40)
    assert light.pixelColor(middle).lightness() > 200
    assert dark.pixelColor(middle).lightness() < 60


# --- the detail ---


def test_the_answer_is_laid_out_and_nothing_in_it_is_altered(view, qtbot):
    view.table.select(row_with(view, "get-structured-content"))
    view.detail.show_part("response")
    qtbot.waitUntil(lambda: not view.detail.response.busy)
    shown = view.detail.response.text.data()
    assert b'"station": 9007199254740993' in shown
    assert b'"humidity": 82.0' in shown
    assert shown.translate(None, b" \n") == WEATHER.translate(None, b" \n")
    assert view.detail.response.body() == WEATHER


def test_the_answer_as_a_tree(view):
    view.table.select(row_with(view, "get-structured-content"))
    view.detail.show_part("response")
    view.detail._tree.click()
    assert view.detail.response.tree.isVisible()
    view.detail._tree.click()
    assert view.detail.response.text.isVisible()


def test_raw_shows_the_exact_bytes_twice(view, qtbot):
    view.table.select(row_with(view, "get-structured-content"))
    view.detail.show_part("raw")
    raw = view.detail.raw
    raw.records.setCurrentIndex(1)
    assert raw.text.data() == WEATHER
    assert "stands there twice" in raw.warnings.text()
    raw.text.select(2, 9)
    assert raw.hex.selection() == (2, 9)
    assert raw.hex.selected_bytes() == WEATHER[2:9]


def test_an_answer_that_comes_while_one_looks(view, log, qtbot):
    story = Story(log)
    seq = story.call("demo", "tools/call", "late", {}, None)
    view.reveal(seq)
    view.detail.show_part("response")
    assert "Waiting" in view.detail.response._empty._sentence.text()
    body = b'{"jsonrpc":"2.0","id":1,"result":{}}'
    story.put("demo", Channel.MESSAGE, Direction.RECEIVED, body, kind="response", call=seq)
    qtbot.waitUntil(lambda: view.detail.response.body() == body)


def test_no_answer_says_why(view):
    view.table.select(row_with(view, "search_issues"))
    view.detail.show_part("response")
    assert view.detail.response._empty._sentence.text() == "No answer: timed out"
    assert view.detail.response._empty._detail.text() == "No answer within 30 s."


def test_rows_that_are_no_message_show_their_facts(view):
    row = next(view.model.row(place) for place in range(len(view.model)) if "npx" in view.model.exchange(place).note)
    view.table.select(row)
    assert view.detail.tabs.tabText(0) == "Facts"
    assert not view.detail.tabs.isTabVisible(1)
    sections = view.detail._notes._shown
    facts = {fact.name: fact.value for _, section in sections for fact in section}
    assert facts["pid"] == "41207"


def test_http_of_a_row(view):
    row = next(view.model.row(place) for place in range(len(view.model)) if view.model.exchange(place).status == 401)
    view.table.select(row)
    view.detail.show_part("http")
    facts = dict(view.detail._http._shown)
    assert any(fact.name == "WWW-Authenticate" for section in facts.values() for fact in section)


def test_the_chosen_part_stays_chosen_over_rows_that_lack_it(view, qtbot):
    call, line = row_with(view, "get-structured-content"), row_with(view, "notifications/message")
    view.table.select(call)
    assert view.detail.tabs.tabText(view.detail.tabs.currentIndex()) == "Response"
    view.table.select(line)
    assert view.detail.tabs.tabText(view.detail.tabs.currentIndex()) == "Message"
    view.table.select(call)
    assert view.detail.tabs.tabText(view.detail.tabs.currentIndex()) == "Response"


def test_a_call_that_is_revealed_at_the_end_does_not_end_following(view, log):
    seq = Story(log).call("demo", "tools/call", "fresh", {}, None)
    assert view.reveal(seq)
    assert view.table.follow
    assert view.reveal(1)
    assert not view.table.follow


def test_findings_are_listed(view):
    view.table.select(row_with(view, "get-structured-content"))
    view.detail.show_part("checks")
    assert view.detail._checks._shown[1] == ['member "temperature" stands there twice']
    assert view.detail.tabs.count_text(5) == "1"


def test_a_row_that_is_judged_while_it_is_looked_at_says_so(view, log, qtbot):
    """Also when nothing was found: it must not say for ever that its turn comes."""
    seq = Story(log).call("demo", "ping", "", {}, {})
    assert view.reveal(seq)
    view.detail.show_part("checks")
    assert view.detail._checks.waits
    view.model.set_findings(Findings(log, Memory(None), view.model))
    qtbot.waitUntil(lambda: not view.detail._checks.waits)


def test_a_body_of_20_mb_is_read_in_parts(view, log, qtbot):
    """QT-07: one line of 20 MiB; it is all there, and can be copied whole."""
    body = b'{"data":"' + b"QUJD" * 5_000_000 + b'"}'
    story = Story(log)
    seq = story.call("demo", "tools/call", "big", {}, None)
    story.put("demo", Channel.MESSAGE, Direction.RECEIVED, body, kind="response", call=seq)
    view.reveal(seq)
    view.detail.show_part("response")
    pane = view.detail.response
    qtbot.waitUntil(lambda: not pane.busy, timeout=20_000)
    assert pane.body() == body
    assert pane.text.data() == body
    assert "shown as it came" in pane._said.text()
    pane._lay_out.click()
    qtbot.waitUntil(lambda: not pane.busy, timeout=20_000)
    assert pane.text.data().startswith(b'{\n  "data": "QUJD')
    assert pane.text.index.rows < 20


def test_a_folded_line_opens(view, qtbot):
    view.table.select(row_with(view, "get-structured-content"))
    view.detail.show_part("response")
    qtbot.waitUntil(lambda: not view.detail.response.busy)
    text = view.detail.response.text
    rows = text.index.rows
    fold = next(row for row in range(rows) if text.row(*text.index.locate(row)).folded)
    y = (fold - text._sight.top) * text.row_height + 4
    qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(text._gutter() + 20, y))
    assert text.index.rows > rows
    text.select_all()
    assert text.selected_bytes() == text.data()


def test_secrets_are_covered_until_they_are_wanted(view, log):
    story = Story(log)
    secret = "ghp_0123456789abcdefghijklmnop"
    seq = story.call("demo", "tools/call", "login", {"name": "login", "arguments": {"token": secret}}, {"result": {}})
    view.reveal(seq)
    view.detail.show_part("request")
    assert secret.encode() not in view.detail.request.text.data()
    assert b'"login"' in view.detail.request.text.data()
    assert secret.encode() in view.detail.request.body()
    view.detail._reveal.click()
    assert secret.encode() in view.detail.request.text.data()
    view.detail._reveal.click()
    view.detail._tree.click()
    model = view.detail.request.tree.model()

    def words(parent) -> str:
        rows = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
        return " ".join(model.data(index) + words(index) for index in rows)

    from PySide6.QtCore import QModelIndex

    assert secret not in words(QModelIndex())
    view.detail._reveal.click()
    assert secret in words(QModelIndex())
