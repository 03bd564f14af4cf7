"""The filter line of Traffic: what is wrong and where, what can come next, what is kept, which kinds are shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from mcp_inspector.store.completion import completions
from mcp_inspector.store.log import Log
from mcp_inspector.ui import theme
from mcp_inspector.ui.views.traffic import TrafficView
from mcp_inspector.ui.views.traffic_filter import fill_menu
from mcp_inspector.ui.views.traffic_saved import saved_menu
from tests.ui.story import tell


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
    made.resize(1200, 400)
    made.show()
    qtbot.waitExposed(made)
    made.model.catch_up()
    return made


@pytest.mark.parametrize(
    ("line", "where"),
    [("method:ping dur:soon", (16, 4)), ("$.params.", (8, 1)), ("nofield:x", (0, 7)), ("a (b", (2, 1))],
)
def test_what_is_wrong_is_underlined_where_it_is(view, line, where):
    view.set_filter(line)
    assert view.model.problem
    assert view.filter._where == where
    assert view.filter.text() == line
    view.set_filter("method:ping")
    assert view.filter._where == (0, 0)


def test_paths_complete_from_what_was_seen(log, view):
    offered = [one.text for one in completions("$.par", 5, log)]
    assert offered == ["$.params"]
    names = [one.text for one in completions("$.params.", 9, log)]
    assert "$.params.name:" in names
    values = [one.text for one in completions("$.params.name:", 14, log)]
    assert any(value.startswith("$.params.name:=") for value in values)
    assert [one.text for one in completions("", 0, log)][-1] == "$."


def test_kinds_are_switched_one_by_one(log, view):
    menu = view._menus[-1]
    fill_menu(menu, view.filter, log, "kind")
    words = {action.text(): action for action in menu.actions()}
    assert all(action.isChecked() for action in words.values())
    words["stderr"].trigger()
    words["http"].trigger()
    assert view.filter.text() == "-kind:=stderr -kind:=http"
    view.model.catch_up()
    kinds = {view.model.exchange(place).kind.name for place in range(len(view.model))}
    assert not kinds & {"STDERR", "HTTP"}
    fill_menu(menu, view.filter, log, "kind")
    again = {action.text(): action for action in menu.actions()}
    assert not again["stderr"].isChecked()
    again["stderr"].trigger()
    assert view.filter.text() == "-kind:=http"


def test_filters_are_kept(view, qtbot):
    view.set_filter("method:tools/call")
    menu = saved_menu(view)
    menu.actions()[0].trigger()
    menu.close()
    view.prompt.edit.setText("calls")
    qtbot.keyClick(view.prompt.edit, Qt.Key.Key_Return)
    assert view.saved == {"calls": "method:tools/call"}
    view.set_filter("")
    kept = view.save_state()
    view.saved = {}
    view.restore_state(kept)
    menu = saved_menu(view)
    next(action for action in menu.actions() if action.text().startswith("calls")).trigger()
    menu.close()
    assert view.filter.text() == "method:tools/call"
