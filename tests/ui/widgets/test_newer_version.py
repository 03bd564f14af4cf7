"""A newer version of what is shown: what is seen, chosen and selected stays, and what is another now is marked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.ui.widgets.hex_view import HexView
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.text_change import change
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def lines(count: int, **other: str) -> str:
    return "\n".join(other.get(f"l{number}", f"line {number}") for number in range(count))


def test_a_text_keeps_its_first_row_and_selection_when_lines_come_before_them(qtbot: QtBot) -> None:
    view = TextView()
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    text = lines(300)
    view.set_text(text)
    view.verticalScrollBar().setValue(150)
    place = text.index("line 160")
    view.caret.set(place, place + 8)
    newer = "a new first line\n" + lines(300, l155="another one")
    view.set_text(newer, keep=True)
    assert view.verticalScrollBar().value() == 151
    assert view.selected_bytes() == b"line 160"
    assert view.changed_lines() == ((0, 1), (156, 157))
    view.set_text(newer)
    assert view.changed_lines() == ()
    assert view.verticalScrollBar().value() == 0


def test_a_tree_keeps_what_is_open_chosen_and_seen_and_marks_what_is_another(qtbot: QtBot) -> None:
    tree = JsonTree()
    qtbot.addWidget(tree)
    tree.resize(300, 200)
    tree.show()
    rows = [{"name": f"row {number}", "count": 0} for number in range(80)]
    tree.set_json(json.dumps({"rows": rows, "total": 80}).encode())
    model = tree.model()
    tree.collapseAll()
    top = model.index(0, 0)
    tree.expand(top)
    tree.expand(model.index(40, 0, top))
    chosen = model.index(0, 0, model.index(40, 0, top))
    tree.setCurrentIndex(chosen)
    tree.verticalScrollBar().setValue(30)
    rows[40]["count"] = 7
    tree.set_json(json.dumps({"rows": rows, "total": 80}).encode(), keep=True)
    top = model.index(0, 0)
    inside = model.index(40, 0, top)
    assert tree.isExpanded(top)
    assert tree.isExpanded(inside)
    assert not tree.isExpanded(model.index(39, 0, top))
    assert tree.pointer() == "/rows/40/name"
    assert tree.verticalScrollBar().value() == 30
    assert [tree.is_changed(model.index(row, 0, inside)) for row in (0, 1)] == [False, True]
    assert tree.is_changed(inside)
    assert not tree.is_changed(model.index(39, 0, top))
    tree.grab()
    tree.set_json(b'{"rows": []}')
    assert not tree.is_changed(model.index(0, 0))


def test_bytes_keep_what_is_selected(qtbot: QtBot) -> None:
    view = HexView()
    qtbot.addWidget(view)
    view.resize(600, 100)
    view.show()
    view.set_bytes(bytes(range(256)) * 8)
    view.verticalScrollBar().setValue(20)
    view.select(400, 410)
    top = view.verticalScrollBar().value()
    view.set_bytes(bytes(256) * 8, keep=True)
    assert view.selection() == (400, 410)
    assert view.verticalScrollBar().value() == top
    view.set_bytes(bytes(405), keep=True)
    assert view.selection() == (400, 405)


@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_a_change_is_what_differs(head: bytes, old: bytes, new: bytes, tail: bytes) -> None:
    before, after = head + old + tail, head + new + tail
    found = change(before, after)
    assert before[: found.head] == after[: found.head]
    assert before[len(before) - found.tail :] == after[len(after) - found.tail :]
    assert found.head + found.tail <= min(len(before), len(after))
    assert found.head >= len(head)
    assert found.same == (before == after)
    for place in range(len(before) + 1):
        assert 0 <= found.moved(place) <= len(after)
    count = after.count(b"\n") + 1
    assert all(0 <= first < stop <= count + 1 for first, stop in found.lines())


@pytest.mark.parametrize("size", [3, 1 << 16, (1 << 17) + 5])
def test_a_change_in_the_middle_of_much_is_found(size: int) -> None:
    before = b"a" * size + b"\nold\n" + b"b" * size
    found = change(before, b"a" * size + b"\nnew!\n" + b"b" * size)
    assert (found.head, found.tail) == (size + 1, size + 1)
    assert found.lines() == ((1, 2),)
