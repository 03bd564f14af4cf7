"""Labels, fields, tabs, rows and the hex view."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from mcp_inspector.ui.widgets.hex_view import HexView
from mcp_inspector.ui.widgets.inputs import LongLineEdit, SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows, ValueLabel
from mcp_inspector.ui.widgets.tabs import SegmentedTabs


@pytest.mark.parametrize(("character", "count"), [("A", 40_000), ("ü", 33_000)])
def test_a_long_line_is_never_cut(qtbot, character, count):
    """QT-14"""
    edit = LongLineEdit()
    qtbot.addWidget(edit)
    QGuiApplication.clipboard().setText(character * count)
    edit.paste()
    assert edit.text() == character * count


def test_a_search_field_by_keyboard(qtbot):
    edit = SearchEdit("Filter tools")
    qtbot.addWidget(edit)
    qtbot.keyClicks(edit, "abc")
    with qtbot.waitSignal(edit.submitted):
        qtbot.keyClick(edit, Qt.Key.Key_Down)
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == ""
    with qtbot.waitSignal(edit.left):
        qtbot.keyClick(edit, Qt.Key.Key_Escape)
    edit.set_problem("not a filter")
    assert edit.property("invalid") is True
    assert edit.toolTip() == "not a filter"


def test_a_label_gives_way_and_says_so(qtbot):
    label = ElidedLabel("trigger-long-running-operation")
    qtbot.addWidget(label)
    label.resize(400, 20)
    assert not label.is_elided()
    label.resize(60, 20)
    assert label.is_elided()
    assert label.minimumSizeHint().width() < 60
    label.grab()


def test_labels_never_read_markup(qtbot):
    hostile = '<img src="file:///etc/passwd"><b>x</b>'
    rows = KeyValueRows([Fact("name", hostile)])
    label = ElidedLabel(hostile)
    pill = Pill(hostile)
    empty = EmptyState("plug", hostile, hostile, "Do")
    for widget in (rows, label, pill, empty):
        qtbot.addWidget(widget)
        widget.resize(300, 120)
        widget.grab()
    assert rows.text() == f"name: {hostile}"
    assert label.text() == hostile
    formats = {child.textFormat() for child in empty.findChildren(type(empty._sentence))}
    assert formats == {Qt.TextFormat.PlainText}


def test_an_empty_state_offers_what_to_do(qtbot):
    empty = EmptyState("plug", "No server yet", action="Add server")
    qtbot.addWidget(empty)
    with qtbot.waitSignal(empty.activated):
        empty._button.click()
    empty.set("Nothing found")
    assert empty._button.isHidden()


def test_tabs_come_closer_before_they_scroll(qtbot):
    tabs = SegmentedTabs(("Request", "Response", "Raw", "HTTP", "Notes"))
    qtbot.addWidget(tabs)
    tabs.resize(600, 30)
    tabs.show()
    wide = sum(tabs.tabRect(index).width() for index in range(tabs.count()))
    tabs.resize(wide - 20, 30)
    assert sum(tabs.tabRect(index).width() for index in range(tabs.count())) <= wide - 20
    tabs.set_count(4, 3)
    assert tabs.count_text(4) == "3"
    assert tabs.accessibleTabName(4) == "Notes 3"
    tabs.grab()


def test_a_tab_that_is_shown_again_has_its_place(qtbot):
    """Whatever the bar is told of other tabs in the same breath."""
    tabs = SegmentedTabs(("Request", "Response", "Raw", "Diff"))
    qtbot.addWidget(tabs)
    tabs.resize(600, 30)
    tabs.show()
    tabs.setCurrentIndex(2)
    for visible in (False, True):
        tabs.setTabVisible(1, visible)
        tabs.setTabVisible(3, False)
        assert (tabs.tabRect(1).width() > 0) is visible
        assert tabs.tabRect(2).left() == tabs.tabRect(0).right() + 1 + (tabs.tabRect(1).width() if visible else 0)


def test_a_value_is_selected_and_copied_as_it_is(qtbot):
    value = ValueLabel("one\u202e 😀 two\nthree")
    qtbot.addWidget(value)
    value.resize(300, 60)
    value.show()
    value.setFocus()
    qtbot.keyClick(value, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "one\u202e 😀 two\nthree"
    qtbot.mousePress(value, Qt.MouseButton.LeftButton, pos=QPoint(0, 5))
    value._end = value._shown.index(value._shown.place(6))
    assert value.selected() == "one\u202e 😀"
    assert value.heightForWidth(60) > value.heightForWidth(600)


def test_facts_without_a_value_are_left_out(qtbot):
    rows = KeyValueRows([Fact("pid", "12"), Fact("signal", "")])
    qtbot.addWidget(rows)
    assert rows.text() == "pid: 12"
    rows.set_facts([Fact("pid", "13")])
    assert rows.text() == "pid: 13"


@pytest.fixture
def hexes(qtbot):
    view = HexView()
    qtbot.addWidget(view)
    view.resize(640, 200)
    view.show()
    view.setFocus()
    return view


def test_bytes_are_selected_and_copied(hexes, qtbot):
    hexes.set_bytes(b'{"id":1}\n\xff')
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(hexes, Qt.Key.Key_Right)
    for _ in range(4):
        qtbot.keyClick(hexes, Qt.Key.Key_Right, shift)
    assert hexes.selected_bytes() == b'"id"'
    qtbot.keyClick(hexes, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "22 69 64 22"
    hexes.copy_text()
    assert QGuiApplication.clipboard().text() == '"id"'
    x = int(hexes._hex_x(3)) + 2
    qtbot.mouseClick(hexes.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 5))
    assert hexes.selection() == (3, 3)


def test_only_what_is_seen_is_read(hexes):
    asked = []

    def read(offset: int, count: int) -> bytes:
        asked.append((offset, count))
        return bytes(count)

    hexes.set_reader(200_000_000, read)
    hexes.grab()
    hexes.verticalScrollBar().setValue(hexes.verticalScrollBar().maximum())
    hexes.grab()
    assert max(offset for offset, _ in asked) > 199_000_000
    assert all(count < 2000 for _, count in asked)


def test_a_value_of_a_megabyte_does_not_hold_the_window_up(qtbot):
    """The layout of so long a text takes minutes; its beginning is drawn, and all of it copied."""
    text = "a" * 1_000_000
    value = ValueLabel(text)
    qtbot.addWidget(value)
    assert len(value._shown.text) < 30_000
    assert value.text() == value.selected() == text
    value._anchor, value._end = 5, len(value._shown.text)
    assert value.selected() == text[5:]
