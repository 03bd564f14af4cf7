"""A text of any size on screen, copied exactly, searched, and coloured where it is seen."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QMenu

from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets.json_colour import JsonColours
from mcp_inspector.ui.widgets.text_view import TextView


@pytest.fixture
def view(qtbot, qapp):
    theme.install(qapp, "light")
    widget = TextView()
    widget.resize(700, 400)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    widget.setFocus()
    return widget


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_copied_lines_keep_their_line_feeds(view, qtbot):
    """QT-11"""
    text = '{\n  "a": 1\n}'
    view.set_text(text)
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == text
    assert json.loads(clipboard()) == {"a": 1}
    assert "\u2029" not in clipboard()


def test_copied_text_is_what_was_there_not_what_was_shown(view):
    text = "tab\there\r\nnbsp\u00a0 bidi\u202e zero\u200b emoji😀 sep\u2028end"
    view.set_text(text)
    view.select_all()
    view.copy()
    assert clipboard() == text


def test_bytes_that_are_no_text_stay_what_they_are(view):
    data = b"ok \xff\xfe\x00 \xed\xa0\x80 end"
    view.set_bytes(data)
    view.select_all()
    assert view.selected_bytes() == data
    view.grab()


def test_one_line_of_20_mb_opens_at_once_and_can_be_read_to_its_end(view, qtbot):
    """QT-07: nothing is laid out but what is seen."""
    data = b'{"data":"' + b"QUJD" * 5_000_000 + b'"}'
    view.set_bytes(data, "json")
    view.grab()
    qtbot.waitUntil(view.is_ready)
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    view.grab()
    assert view._page.kept < 200
    assert view.index.rows * view.index.width >= len(data)
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert view.selected_bytes() == data


def test_selecting_with_the_mouse(view, qtbot):
    view.set_text("alpha beta\ngamma delta\n")
    height, gutter, advance = view.row_height, view._gutter(), view._page.advance
    start = QPoint(int(gutter + 6 * advance), height // 2)
    end = QPoint(int(gutter + 5 * advance), height + height // 2)
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.viewport(), end)
    view.mouseMoveEvent(_move(end))
    assert view.selected_bytes() == b"beta\ngamma"
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(4, 0))
    assert view.selected_bytes() == b"beta"


def _move(place: QPoint):
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent

    left = Qt.MouseButton.LeftButton
    return QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(place), left, left, Qt.KeyboardModifier.NoModifier
    )


def test_selecting_with_keys_goes_over_whole_characters(view, qtbot):
    view.set_text("é😀x\nsecond")
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(view, Qt.Key.Key_Right, shift)
    assert view.selected_bytes() == "é".encode()
    qtbot.keyClick(view, Qt.Key.Key_Right, shift)
    assert view.selected_bytes() == "é😀".encode()
    qtbot.keyClick(view, Qt.Key.Key_Left, shift)
    qtbot.keyClick(view, Qt.Key.Key_Down, shift)
    assert view.selected_bytes().startswith("é😀x\n".encode())
    qtbot.keyClick(view, Qt.Key.Key_End, shift)
    assert view.selected_bytes() == "é😀x\nsecond".encode()


def test_search_finds_all_and_goes_around(view, qtbot):
    lines = [f"line {number} needle" if number % 1000 == 3 else f"line {number}" for number in range(100_000)]
    view.set_text("\n".join(lines))
    view.search("NEEDLE".lower())
    qtbot.waitUntil(view.is_ready)
    assert view.found() == (0, 100)
    assert view.selected_bytes() == b"needle"
    view.search_next(-1)
    assert view.found()[0] == 99
    assert view.index.line_at(view.selection()[0]) == 99_003
    view.search_next(1)
    assert view.index.line_at(view.selection()[0]) == 3


def test_search_across_slices_and_with_case(view, qtbot):
    """A place that lies across two slices of the search is found once."""
    border = 1 << 18
    data = bytearray(b"." * (border * 2))
    data[border - 3 : border + 3] = b"Needle"
    view.set_bytes(bytes(data))
    view.search("needle")
    qtbot.waitUntil(view.is_ready)
    assert view.found() == (0, 1)
    view.search("NEEDLE")
    qtbot.waitUntil(view.is_ready)
    assert view.found()[1] == 0


def test_the_find_bar_by_keyboard(view, qtbot):
    view.set_text("one two one")
    qtbot.keyClick(view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    bar = view._bar
    assert bar.isVisible()
    qtbot.keyClicks(bar._edit, "one")
    qtbot.waitUntil(view.is_ready)
    assert bar._count.text() == "1 of 2"
    qtbot.keyClick(bar._edit, Qt.Key.Key_Return)
    assert bar._count.text() == "2 of 2"
    qtbot.keyClick(bar._edit, Qt.Key.Key_Escape)
    qtbot.keyClick(bar._edit, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_go_to_line(view, qtbot):
    view.set_text("\n".join(f"line {number}" for number in range(1, 50_001)))
    view.go_to_line(40_000)
    assert view.selected_bytes() == b"line 40000"
    view.go_to_line(10**9)
    assert view.selected_bytes() == b"line 50000"


def test_a_resize_keeps_the_first_row_in_view(view, qtbot):
    view.set_text("\n".join("word " * 100 + str(number) for number in range(1000)))
    qtbot.waitUntil(view.is_ready)
    view.go_to_line(500)
    before = view.index.row_span(*view.index.locate(view._sight.top))[0]
    view.resize(350, 400)
    line, part = view.index.locate(view._sight.top)
    first, last = view.index.row_span(line, part)
    assert first <= before < last
    assert view.index.rows > 1000


def test_zoom_and_wrap(view, qtbot):
    view.set_text("x" * 5000)
    rows = view.index.rows
    qtbot.keyClick(view, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert view.index.rows > rows
    qtbot.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.index.rows == rows
    view.set_wrap(False)
    assert view.index.rows == 5  # of 1 024 bytes


def test_following_the_end_of_a_growing_text(view, qtbot):
    view.set_follow(True)
    for number in range(200):
        view.append(f"stderr line {number}\n".encode())
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(3)
    view.append(b"one more\n")
    assert bar.value() == 3
    assert view.line_count() == 201


def test_the_menu_can_be_extended(view):
    seen = []
    view.menu_opening.connect(lambda menu: seen.append(isinstance(menu, QMenu)))
    from PySide6.QtGui import QContextMenuEvent

    view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1)))
    assert seen == [True]


def _coloured(text: bytes, start: int, end: int):
    return [(text[first:last], colour) for first, last, colour in JsonColours().spans(text, 0, start, end)]


def test_colours_of_a_whole_line():
    text = b'{"a": "b\\"c", "n": -1.50e3, "t": true, "list": ["x"]}'
    assert _coloured(text, 0, len(text)) == [
        (b'"a"', "key"),
        (b'"b\\"c"', "string"),
        (b'"n"', "key"),
        (b"-1.50e3", "number"),
        (b'"t"', "key"),
        (b"true", "number"),
        (b'"list"', "key"),
        (b'"x"', "string"),
    ]


def test_a_row_in_the_middle_of_a_string_is_coloured_as_one():
    text = b'{"a": "' + b"0123456789" * 10_000 + b'", "b": 12}'
    assert _coloured(text, 50_000, 50_020) == [(text[50_000:50_020], "string")]
    assert _coloured(text, len(text) - 12, len(text)) == [
        (text[-12:-10], "string"),
        (b'"b"', "key"),
        (b"12", "number"),
    ]


def test_rows_of_one_long_line_are_coloured_as_the_whole_is():
    text = json.dumps([{"key": 'va\\l"ue', "n": number} for number in range(3000)]).encode()
    whole = {
        place: colour
        for first, last, colour in JsonColours().spans(text, 0, 0, len(text))
        for place in range(first, last)
    }
    colours = JsonColours()
    rows = {}
    for start in range(0, len(text), 77):
        for first, last, colour in colours.spans(text, 0, start, min(start + 77, len(text))):
            rows.update((place, colour) for place in range(first, last))
    different = {place for place in whole if whole[place] != rows.get(place)}
    # Only numbers cut by the end of a row may end up plain or whole.
    assert not {place for place in different if whole[place] != "number"}


def test_help_events_do_not_break_the_view(view):
    view.set_text("x")
    event = QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1))
    assert view.event(event) is not None


def test_something_found_in_a_folded_line_is_shown(view, qtbot):
    data = b"{\n" + b'"data": "' + b"QUJD" * 5000 + b"needle" + b"QUJD" * 5000 + b'"\n}'
    view.set_bytes(data, "json", fold=True)
    qtbot.waitUntil(view.is_ready)
    assert view.index.rows == 5
    view.search("needle")
    qtbot.waitUntil(view.is_ready)
    assert view.selected_bytes() == b"needle"
    assert view.index.rows > 100
    row = view.index.row_at(view.selection()[0])
    assert view._sight.top <= row < view._sight.top + view.visible_rows()
