"""What makes a day with forms bearable: problems in words, keys, folding, finding, what was sent before, copies."""

from __future__ import annotations

import itertools
import json
import shlex
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.schema.validate import INLINE_LIMIT
from mcp_inspector.ui import bridge
from mcp_inspector.ui.forms.context import LARGE
from mcp_inspector.ui.forms.sections import LONG
from mcp_inspector.ui.views.arguments import FORM, JSON
from tests.ui.bench import write
from tests.ui.forms import form_schemas as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.forms.hand import Hand
    from tests.ui.forms.table import Table

CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


# --- problems ---


def test_problems_stand_at_their_fields_in_words_once_the_person_was_there(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER)
    assert at.row("customer").problem() == ""  # nobody was there yet
    at.type("quantity", "120")
    at.input("customer").setFocus()
    at.still()
    assert at.row("quantity").problem() == "Must be at most 99."
    assert at.input("quantity").property("invalid") is True
    assert at.row("customer").problem() == ""
    at.press_send()
    assert at.row("customer").problem() == "Is required."


def test_the_list_has_all_problems_with_their_paths_and_leads_to_them(table: Callable[..., Table]) -> None:
    value = {"tags": ["x", "x"], "items": [{"name": "a", "qty": 1}, {"name": "b", "qty": 0}], "home": {}}
    at = table(schemas.CONTAINERS, json.dumps(value))
    view = at.arguments_view
    assert not view.problem_list.isVisible()
    QTest.mouseClick(view._foot.count, Qt.MouseButton.LeftButton)
    assert view.problem_list.isVisible()
    lines = at.problems()
    assert any(line.startswith("/items/1/qty") and "at least 1" in line for line in lines)
    assert any(line.startswith("/home/city") and "required" in line for line in lines)
    assert any(line.startswith("/tags") and "different" in line for line in lines)
    at.row("items").set_folded(True)
    item = view.problem_list.item(next(n for n, line in enumerate(lines) if line.startswith("/items/1/qty")))
    QTest.mouseClick(
        view.problem_list.viewport(), Qt.MouseButton.LeftButton, pos=view.problem_list.visualItemRect(item).center()
    )
    assert at.input("items/1/qty").hasFocus()
    seen = set()
    for _ in lines:
        view.next_problem()
        row = at.view.row_at(view.window().focusWidget())
        seen.add(row.field.path if row is not None else None)
    assert {("items", 1, "qty"), ("home", "city")} <= seen


def test_in_the_json_a_problem_leads_to_its_place_in_the_text(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER, '{"customer": "a", "quantity": 120, "revision": 2}')
    at.arguments_view.tabs.setCurrentIndex(JSON)
    at.arguments_view.next_problem()
    assert at.json.textCursor().position() == at.document.text.index("120")
    assert at.json.hasFocus()


def test_what_does_not_fit_can_be_sent_anyway(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER, '{"customer": "", "quantity": "many"}')
    assert at.arguments_view.call.text().startswith("Send anyway")
    at.press_send()
    assert at.sent_texts == ['{"customer":"","quantity":"many"}']


def test_folded_problems_are_counted_outside(table: Callable[..., Table]) -> None:
    at = table(schemas.CONTAINERS, '{"tags": ["a"], "items": [{"name": "a", "qty": 0}]}')
    at.arguments_view.send()
    at.still()
    row = at.row("items")
    row.set_folded(True)
    from mcp_inspector.ui.forms.row_paint import side_words

    assert side_words(row) == ("1 problem", "error")


def test_large_arguments_are_checked_in_a_process_of_their_own(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"n": {"type": "integer"}}})
    text = json.dumps({"n": "x", "pad": "y" * INLINE_LIMIT})
    at.document.set_text(text)
    at.still()
    view = at.arguments_view
    assert any("is being checked" in line.lower() for line in at.problems())
    assert view._checking.running
    for _ in range(2_000):
        if not view._checking.running:
            break
        QTest.qWait(10)
    assert any(line.startswith("/n") and "whole number" in line for line in at.problems())
    at.document.set_text(text.replace('"x"', "5"))
    at.still()
    view.show_arguments(None)  # whoever goes away ends what runs
    assert not view._checking.running


# --- order, groups, find ---


def test_required_fields_come_first_and_are_marked(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.ORDER)
    assert [row.field.key for row in form.view.rows()][:4] == ["customer", "quantity", "revision", "price"]
    assert [row.words.starred for row in form.view.rows()][:4] == [True, True, True, False]


def test_long_forms_fold_by_group_and_say_what_is_in_them(table: Callable[..., Table]) -> None:
    at = table(schemas.wide(120), '{"j_member_119": {"a": "x"}}')
    root = at.view.root.inner
    heads = [head for some in root.heads_at.values() for head in some]
    assert [head.section.title for head in heads][:2] == ["Required", "a…"]
    assert not heads[0].folded
    assert len(root.entries) < 60
    last = heads[-1]
    assert not last.folded  # it holds a value
    assert "1 set" in last.note
    folded = next(head for head in heads if head.folded)
    QTest.mouseClick(folded, Qt.MouseButton.LeftButton)
    assert not folded.folded
    QTest.keyClick(folded, Qt.Key.Key_Left)
    assert folded.folded
    assert at.view.go_to(("e_member_55",))  # a folded group opens when it is needed
    assert at.view.row_at(at.arguments_view.window().focusWidget()).field.path == ("e_member_55",)
    at.arguments_view.show_arguments(None)
    at.arguments_view.show_arguments(at.arguments)
    at.still()
    opened = [head.section.title for some in at.view.root.inner.heads_at.values() for head in some if not head.folded]
    assert "e…" in opened  # what the person opened stays open


def test_short_forms_have_neither_groups_nor_a_find_line(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.wide(LONG))
    assert form.view.root.inner.heads_at == {}
    assert form.view.finder.bar.isHidden()


def test_fields_are_found_by_name_title_and_description(table: Callable[..., Table]) -> None:
    schema = schemas.wide(100)
    schema["properties"]["h_member_75"] = {"type": "string", "description": "The needle of the haystack"}
    at = table(schema)
    assert at.view.finder.bar.isVisible()
    write(at.view.finder.bar.edit, "needle")
    at.still()
    assert [row.field.key for row in at.view.rows()] == ["h_member_75"]
    assert at.view.finder.bar.count.text() == "1 field"
    QTest.keyClick(at.view.finder.bar.edit, Qt.Key.Key_Return)
    assert at.view.row_at(at.arguments_view.window().focusWidget()).field.key == "h_member_75"
    at.view.finder.bar.edit.setFocus()
    QTest.keyClick(at.view.finder.bar.edit, Qt.Key.Key_Escape)
    at.still()
    assert len(at.view.rows()) > 3


def test_f3_opens_the_find_line_and_finds_inside(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.CONTAINERS, '{"tags": ["a"], "home": {"city": "x"}, "labels": {"needle": "1"}}')
    QTest.keyClick(form.input("home/city"), Qt.Key.Key_F3)
    assert form.view.finder.bar.isVisible()
    write(form.view.finder.bar.edit, "city")
    while bridge.pulling():
        QTest.qWait(5)
    assert ("home", "city") in [row.field.path for row in form.view.rows()]
    assert ("tags",) not in [row.field.path for row in form.view.rows()]
    form.view.finder.bar.edit.clear()
    write(form.view.finder.bar.edit, "needle")
    while bridge.pulling():
        QTest.qWait(5)
    assert ("labels", "needle") in [row.field.path for row in form.view.rows()]
    QTest.keyClick(form.view.finder.bar.edit, Qt.Key.Key_Escape)
    QTest.keyClick(form.view.finder.bar.edit, Qt.Key.Key_Escape)
    assert not form.view.finder.bar.isVisible()
    assert ("tags",) in [row.field.path for row in form.view.rows()]


def test_fold_all_and_unfold_all(table: Callable[..., Table]) -> None:
    at = table(schemas.wide(60))
    at.view.finder.bar.fold.click()
    assert at.view.root.inner.entries == []
    at.view.finder.bar.unfold.click()
    assert len(at.view.root.inner.entries) == 60


# --- keys ---


def test_tab_goes_through_all_fields_in_the_order_in_which_they_stand(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.CONTAINERS, '{"tags": ["a"], "home": {"city": "x"}, "scores": {"k": 1}}')
    form.add_item("items")  # rows that were made later stand between the others
    outer, before, after = QWidget(), QLineEdit(), QLineEdit()
    layout = QVBoxLayout(outer)
    for widget in (before, form.view, after):
        layout.addWidget(widget)
    outer.resize(600, 700)
    outer.show()
    outer.activateWindow()
    form.view.focus_first()
    seen = []
    for _ in range(200):
        focus = outer.focusWidget()
        if not form.view.isAncestorOf(focus):
            break
        seen.append(focus.mapTo(form.view.widget(), QPoint(0, 0)))
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert outer.focusWidget() is after
    assert len(seen) >= 20
    assert [point.y() for point in seen] == sorted(point.y() for point in seen)
    QTest.keyClick(after, Qt.Key.Key_Backtab, SHIFT)
    assert form.view.isAncestorOf(outer.focusWidget()) or outer.focusWidget() is form.view
    form.view.focus_first()
    QTest.keyClick(outer.focusWidget(), Qt.Key.Key_Backtab, SHIFT)
    assert outer.focusWidget() in (before, form.view)
    form.view.setParent(None)
    outer.close()
    outer.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_ctrl_enter_sends_from_every_kind_of_field(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER, '{"customer": "a", "quantity": 1, "revision": 2, "extra": {}}')
    count = 0
    for row in list(at.view.rows()):
        for stop in row.active.stops():
            QTest.keyClick(stop, Qt.Key.Key_Return, CTRL)
            at.still()
            count += 1
            assert len(at.sent_texts) == count, f"{row.field.path} {stop}"
    QTest.keyClick(at.json, Qt.Key.Key_Return, CTRL)
    assert len(at.sent_texts) == count + 1
    assert count > 8


def test_escape_leaves_a_field_and_return_comes_back(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER)
    for name in ("note", "quantity"):
        widget = at.input(name)
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Escape)
        assert at.view.hasFocus()
        QTest.keyClick(at.view, Qt.Key.Key_Return)
        assert widget.hasFocus()


def test_alt_enter_opens_the_menu_of_a_field_and_alt_arrows_fold(table: Callable[..., Table]) -> None:
    at = table(schemas.CONTAINERS, '{"tags": ["a"], "home": {"city": "x"}}')
    line = at.input("home/city")
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Return, ALT)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert "Do not send" in [action.text() for action in menu.actions()]
    menu.close()
    QTest.keyClick(line, Qt.Key.Key_Left, ALT)
    home = at.view.row_of(("home",))
    assert home.folded
    assert home.fold_button.hasFocus()
    QTest.keyClick(home.fold_button, Qt.Key.Key_Right, ALT)
    assert not home.folded


def test_the_wheel_turns_no_value(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.ORDER, '{"mixed": 1}')
    box = form.row("mixed").editor.box
    box.setFocus()
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent

    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(box.mapToGlobal(QPoint(5, 5))),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    assert form.sent["mixed"] == 1


# --- long values ---


@pytest.mark.parametrize("paste", ["x" * 40_000, "line\n" * 8_000, "é" * 40_000, '{"a": "' + "y" * 40_000 + '"}'])
def test_forty_kilobytes_pasted_arrive_whole(table: Callable[..., Table], paste: str) -> None:
    """QT-14, in a field and in the JSON."""
    at = table({"type": "object", "properties": {"t": {"type": "string"}}})
    at.paste("t", paste)
    assert at.sent == {"t": paste}
    at.document.set_text('{"t": ""}')
    at.still()
    cursor = at.json.textCursor()
    cursor.setPosition(7)
    at.json.setTextCursor(cursor)
    data = QMimeData()
    data.setText(json.dumps(paste)[1:-1])
    at.json.insertFromMimeData(data)
    at.still()
    assert at.sent == {"t": paste}


def test_typing_beside_a_large_value_is_written_at_a_pause_and_before_it_is_sent(table: Callable[..., Table]) -> None:
    at = table(
        {"type": "object", "properties": {"a": {"type": "string"}, "pad": {"type": "string"}}},
        json.dumps({"pad": "y" * LARGE}),
    )
    before = at.document.text
    at.input("a").setFocus()
    write(at.input("a"), "word")
    assert at.document.text == before
    at.arguments_view.send()
    assert json.loads(at.sent_texts[0])["a"] == "word"
    write(at.input("a"), "s")
    QTest.qWait(600)
    assert at.document.value(("a",)) == "words"


def test_a_large_text_is_read_aside_and_the_form_follows(table: Callable[..., Table]) -> None:
    at = table(
        {"type": "object", "properties": {"a": {"type": "string"}, "pad": {"type": "string"}}},
        json.dumps({"a": "x", "pad": ["some words"] * (LARGE // 14)}, indent=1),
    )
    QTest.qWait(1_200)
    cursor = at.json.textCursor()
    cursor.setPosition(at.document.text.index("x") + 1)
    at.json.setTextCursor(cursor)
    write(at.json, "yz")
    for _ in range(400):
        if at.input("a").text() == "xyz":
            break
        QTest.qWait(10)
    assert at.input("a").text() == "xyz"
    at.json.setTextCursor(at.json.textCursor())
    QTest.keyClick(at.json, Qt.Key.Key_Backspace)
    at.show({"type": "object"}, name="another")  # what is being read belongs to nobody any more
    QTest.qWait(800)
    assert at.sent == {}


# --- what was sent, what was named ---


def test_what_was_sent_is_counted_and_comes_back_after_a_restart(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"q": {}}})
    for value in ("1", "2", "1"):
        at.document.set_text(f'{{"q": {value}}}')
        at.still()
        at.press_send()
    assert at.arguments_view._busy.text() == "sent 3 times"
    at.desk.memory.save()
    again = table({"type": "object", "properties": {"q": {}}})
    assert again.arguments_view._busy.text() == "sent 3 times"
    sent = again.desk.recall.sent(again.arguments.key)
    assert [(one.text, one.count) for one in sent] == [('{"q": 1}', 2), ('{"q": 2}', 1)]
    panel = again.arguments_view.tools.open_sets()
    rows = [panel.list.item(at).text() for at in range(panel.list.count())]
    assert rows[0] == "Sent before"
    assert rows[1].startswith("×2, just now")
    panel.load(2)
    again.still()
    assert again.sent == {"q": 2}
    again.document.undo()
    assert again.sent == {"q": 1}


def test_a_changed_schema_is_said_also_when_nothing_was_left_typed(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"q": {}}}, '{"q": 1}')
    at.press_send()
    at.document.set_text(at.arguments.begin)
    at.desk.memory.save()
    again = table({"type": "object", "properties": {"q": {"type": "string"}}})
    assert again.arguments_view.strip.text() == "The schema has changed since the last call"


def test_sets_are_saved_loaded_renamed_and_deleted(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"q": {"type": "string"}}})
    for name, value in (("first", "1"), ("second", "2")):
        at.type("q", value)
        panel = at.arguments_view.tools.open_sets()
        write(panel.name, name)
        QTest.keyClick(panel.name, Qt.Key.Key_Return)
        panel.close()
    at.desk.memory.save()
    again = table({"type": "object", "properties": {"q": {"type": "string"}}})
    panel = again.arguments_view.tools.open_sets()
    panel.list.setFocus()
    panel.list.setCurrentRow(0)
    QTest.keyClick(panel.list, Qt.Key.Key_F2)
    assert panel.name.text() == "first"
    write(panel.name, "second")
    panel.name.setText("second")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    assert "already" in panel._note.text()
    panel.name.setText("one")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    assert [one.name for one in again.desk.recall.sets(again.arguments.key)] == ["one", "second"]
    QTest.mouseClick(
        panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualItemRect(panel.list.item(0)).center()
    )
    again.still()
    assert again.sent == {"q": "1"}
    panel = again.arguments_view.tools.open_sets()
    panel.list.setFocus()
    panel.list.setCurrentRow(1)
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    panel.close()
    assert [one.name for one in again.desk.recall.sets(again.arguments.key)] == ["one"]
    other = table({"type": "object", "properties": {"q": {"type": "string"}}}, name="another tool")
    assert other.desk.recall.sets(other.arguments.key) == []


# --- generate, copy ---


def test_generate_fills_a_sample_that_fits_and_can_be_taken_back(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER)
    at.arguments_view._foot.action("Required members only").trigger()
    at.still()
    assert set(at.sent) == {"customer", "quantity", "revision"}
    assert at.arguments_view.errors() == 0
    at.arguments_view._foot.action("Every member").trigger()
    at.still()
    assert set(at.sent) >= set(schemas.ORDER["properties"]) - {"old", "internal"}
    assert at.arguments_view.errors() == 0
    at.input("customer").setFocus()
    at.undo()
    assert set(at.sent) == {"customer", "quantity", "revision"}


def test_boundary_and_invalid_cases_are_listed_and_put_into_the_form(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER)
    at.arguments_view._foot.action("Boundary and invalid cases…").trigger()
    cases = at.arguments_view.tools.cases
    assert cases.isVisible()
    names = [(case.name, case.path, case.valid) for case in cases.cases]
    assert ("past the greatest number", ("quantity",), False) in names
    assert ("least number", ("quantity",), True) in names
    assert ("required member missing", ("customer",), False) in names
    row = names.index(("past the greatest number", ("quantity",), False))
    cases.list.setCurrentRow(row)
    at.still()
    assert at.sent["quantity"] == 100
    assert at.arguments_view.call.text().startswith("Send anyway")
    QTest.keyClick(cases.list, Qt.Key.Key_Up)
    at.still()
    assert at.sent["quantity"] == 99
    at.press_send()
    assert json.loads(at.sent_texts[0])["quantity"] == 99


SHOP = ServerEntry("my shop", command="python", args=("-m", "shop"), origin="/home/ada/mcp.json")


def test_arguments_are_copied_as_json_and_as_a_command(table: Callable[..., Table]) -> None:
    at = table(schemas.ORDER, '{"customer": "O\'Neil $x", "quantity": 1.0}')
    view = at.arguments_view
    view.tools.copied = lambda _: (SHOP, "tools", "place order")
    assert view.tools.copy_as("json") == at.document.text
    assert view.tools.copy_as("line") == '{"customer":"O\'Neil $x","quantity":1.0}'
    command = view.tools.copy_as("command")
    assert QGuiApplication.clipboard().text() == command
    assert shlex.split(command)[0] == "mcp-inspector"
    words = shlex.split(command)[1:]
    assert words == ["call", "my shop", "place order", "--args", '{"customer":"O\'Neil $x","quantity":1.0}']


def test_secrets_become_variables_in_copies(table: Callable[..., Table]) -> None:
    schema = {"type": "object", "properties": {"api key": {"type": "string", "format": "password"}}}
    at = table(schema, '{"api key": "hunter2"}')
    view = at.arguments_view
    view.tools.copied = lambda _: (SHOP, "tools", "buy")
    for what in ("command", "python"):
        text = view.tools.copy_as(what)
        assert "hunter2" not in text
        assert "API_KEY" in text
    assert "hunter2" in view.tools.copy_as("json")


def test_prompts_and_urls_have_commands_of_their_own(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"lang": {"type": "string"}}}, '{"lang": "C++ & more"}')
    view = at.arguments_view
    web = ServerEntry("x", "http", url="https://example.com/mcp?a=1&b", origin="command line")
    view.tools.copied = lambda _: (web, "prompts", "review")
    assert (
        view.tools.copy_as("command") == "mcp-inspector prompt 'https://example.com/mcp?a=1&b' review 'lang=C++ & more'"
    )
    view.tools.copied = lambda _: (SHOP, "templates", "file:///a b")
    assert view.tools.copy_as("command") == "mcp-inspector read 'my shop' 'file:///a b'"


# --- rooms ---


@pytest.mark.parametrize("width", [200, 330, 420, 560, 900])
def test_at_every_width_the_send_button_keeps_its_word_and_nothing_overlaps(
    table: Callable[..., Table], width: int
) -> None:
    at = table(schemas.ORDER, '{"customer": ""}', split=False)
    view = at.arguments_view
    view.resize(width, 600)
    view.tabs.setCurrentIndex(FORM)
    at.still()
    QTest.qWait(20)
    call = view.call
    words = call.fontMetrics().horizontalAdvance(call.text())
    assert call.width() >= words + 16
    rows = [row for row in at.view.rows() if row.isVisible()]
    for one, other in itertools.pairwise(rows):
        assert one.geometry().bottom() < other.geometry().top()
    for row in rows:
        places = [head.geometry() for head in row.active.heads] + [row.menu_button.geometry()]
        for at_, place in enumerate(places):
            assert row.rect().contains(place), f"{row.field.path}: {place} is not in {row.rect()}"
            for other_place in places[at_ + 1 :]:
                assert not place.intersects(other_place)


@pytest.mark.parametrize("width", [240, 330, 420, 560, 900])
def test_at_every_width_nothing_inside_is_cut(hand: Callable[..., Hand], width: int) -> None:
    value = {
        "tags": ["a", "b"],
        "items": [{"name": "x", "qty": 0}, {"name": "y", "qty": 1}],
        "point": [1, 2],
        "labels": {"k": "v"},
        "tree": {"name": "root", "children": [{"name": "leaf"}]},
        "anything": {"a": [1, None, {"b": "c"}]},
    }
    form = hand(schemas.CONTAINERS, json.dumps(value))
    for wide in (width, width + 90, width):
        form.view.resize(wide, 2600)
        form.view.refresh()
        while bridge.pulling():
            QTest.qWait(5)
        for row in form.view.rows():
            for child in (*row.active.heads, row.editor.panel):
                if child is not None and child.isVisibleTo(row):
                    assert row.rect().contains(child.geometry()), f"{row.field.path} at {wide}"
            if row.inner is not None:
                room = row.inner.panel.rect()
                rows = [one.geometry() for one in row.inner.rows]
                assert all(room.contains(one) for one in rows), f"{row.field.path} at {wide}"
                assert all(one.bottom() < other.top() for one, other in itertools.pairwise(rows))


def test_all_inputs_of_a_wide_form_end_at_the_same_edge(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.ORDER)
    lines = [row.editor.line for row in form.view.rows() if hasattr(row.editor, "line") and row.beside]
    assert len({line.x() for line in lines}) == 1
    assert len({line.x() + line.width() for line in lines}) == 1


def test_a_change_of_the_look_keeps_the_form(table: Callable[..., Table]) -> None:
    from mcp_inspector.ui import theme

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    look = theme.install(application, "light")
    at = table(schemas.CONTAINERS, '{"tags": ["a"], "anything": {"x": 1}}')
    look.choose("dark")
    at.still()
    at.type("tags/0", "b")
    assert at.sent["tags"] == ["b"]
    look.choose("light")
