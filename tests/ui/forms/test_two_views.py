"""One document, two live views: what is true of the text, whichever view it was typed into."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mcp_inspector.ui.views.arguments import FORM, JSON
from tests.ui.bench import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.forms.table import Table

TEXTS = {"type": "object", "properties": {"a": {"type": "string"}, "n": {"type": "number"}}}


def test_what_is_typed_in_one_view_is_in_the_other(table: Callable[..., Table]) -> None:
    at = table(TEXTS)
    at.type("a", "word")
    assert json.loads(at.json.toPlainText()) == {"a": "word"}
    at.document.set_text('{"a": "", "n": 1.0}')
    at.still()
    assert at.input("n").text() == "1.0"
    at.type_json("7", at=at.document.text.index("1.0"))
    assert at.input("n").text() == "71.0"


@pytest.mark.parametrize(
    "text",
    [
        '{"n": 9007199254740993, "a": "x"}',
        '{"n": 1.0}',
        '{"n":1e400 , "z":[ 1,2 ], "a":"\\u00e9\\/"}',
        '{"n": -0, "a": null}',
        '{"a": "first", "a": "last", "unknown": {"deep": [1.50]}}',
    ],
)
def test_spelling_order_duplicates_and_unknown_members_stay(table: Callable[..., Table], text: str) -> None:
    at = table(TEXTS)
    at.document.set_text(text)
    at.still()
    assert at.json.toPlainText() == text
    for row in at.view.rows():  # looking at every field changes nothing
        row.active.focus()
    at.view.leave()
    at.still()
    assert at.document.text == text
    assert at.document.wire_bytes().decode().replace(" ", "") == text.replace(" ", "")


def test_a_change_of_one_field_leaves_the_rest_as_it_was_typed(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{ "z" : 1.00,\n   "a":"x" , "n" : 1e400 }')
    write(at.input("a"), "y")
    assert at.document.text == '{ "z" : 1.00,\n   "a":"xy" , "n" : 1e400 }'


def test_duplicates_are_told_and_sent(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{"a": "first", "a": "last"}')
    assert at.input("a").text() == "last"
    assert "twice" in at.arguments_view.strip.text()
    at.press_send()
    assert at.sent_texts == ['{"a":"first","a":"last"}']


def test_unknown_members_have_rows_of_their_own(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{"a": "x", "other": {"b": [1]}}')
    row = at.row("other")
    assert row.name_edit is not None
    assert row.name_edit.text() == "other"
    at.press("other", "Remove this member")
    assert at.sent == {"a": "x"}


def test_broken_json_disables_send_marks_the_spot_and_sends_nothing_older(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{"a": "good"}')
    at.rub_json(1)
    view = at.arguments_view
    assert not view.call.isEnabled()
    assert "Line 1, column 13" in view._side._error.text()
    assert view._side._error.isVisible()
    selection = view.json.extraSelections()
    assert len(selection) == 1
    assert selection[0].format.underlineStyle() != selection[0].format.UnderlineStyle.NoUnderline
    view.send()
    QTest.keyClick(view.json, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    at.still()
    assert at.sent_texts == []
    assert "Line 1" in at.problems()[0]
    at.type_json("}")
    assert view.call.isEnabled()
    assert view.json.extraSelections() == []
    at.press_send()
    assert at.sent_texts == ['{"a":"good"}']


def test_the_form_waits_while_the_json_is_broken_and_leads_to_the_spot(table: Callable[..., Table]) -> None:
    """SCH-33: the text stays, and nothing is written over it."""
    at = table(TEXTS, '{"a": "good"}')
    at.rub_json(2)
    at.input("a").setFocus()
    at.still()
    assert not at.view.root.isEnabled()
    assert at.view._waiting.isVisible()
    assert at.document.text == '{"a": "good'
    QTest.mouseClick(at.view._waiting, Qt.MouseButton.LeftButton)
    assert at.json.hasFocus()
    at.type_json('er"}')
    assert at.view.root.isEnabled()
    assert not at.view._waiting.isVisible()
    assert at.input("a").text() == "gooder"


def test_the_form_does_not_flicker_while_one_types_in_the_json(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{"a": "good"}')
    at.rub_json(2)
    assert at.view.root.isEnabled()
    assert not at.view._waiting.isVisible()
    at.type_json('"}')
    assert at.view.root.isEnabled()


def test_switching_views_and_tools_loses_nothing_valid_or_not(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{"a": "good"}')
    at.rub_json(3)
    broken = at.document.text
    for mode in (FORM, JSON, FORM):
        at.arguments_view.tabs.setCurrentIndex(mode)
        at.still()
    first = at.arguments
    at.show(TEXTS, name="other")
    assert at.sent == {}
    assert at.input("a").text() == ""
    at.arguments_view.show_arguments(first)
    at.still()
    assert first.document.text == broken
    assert at.json.toPlainText() == broken


def test_drafts_survive_a_restart_and_belong_to_their_schema(table: Callable[..., Table]) -> None:
    at = table(TEXTS)
    at.type("a", "kept")
    at.desk.memory.save()
    again = table(TEXTS)
    assert again.sent == {"a": "kept"}
    assert again.arguments_view.strip.text() == ""
    changed = table({**TEXTS, "required": ["n"]})
    assert changed.sent == {"a": "kept"}
    assert "schema has changed" in changed.arguments_view.strip.text()


# --- omitted, null, empty ---

EVERY_KIND: dict[str, Any] = {
    "text": {"type": "string"},
    "long": {"type": "string", "contentMediaType": "text/x-sql"},
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "few": {"enum": ["x", "y"]},
    "many": {"enum": [f"choice number {n}" for n in range(40)]},
    "object": {"type": "object", "properties": {"b": {"type": "string"}}},
    "map": {"type": "object", "additionalProperties": {"type": "string"}},
    "list": {"type": "array", "items": {"type": "string"}},
    "days": {"type": "array", "items": {"enum": ["Mon", "Tue"]}, "uniqueItems": True},
    "union": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
    "any": {},
}


@pytest.mark.parametrize("name", [*EVERY_KIND])
def test_omitted_and_null_are_reachable_and_visible_for_every_field(table: Callable[..., Table], name: str) -> None:
    at = table({"type": "object", "properties": EVERY_KIND})
    omitted = _seen(at, name)
    assert "not sent" in omitted
    words = "Send null" if name == "any" else "Send null (the schema does not allow it)"
    at.state(name, words)
    at.still()
    assert at.sent == {name: None}
    assert "null" in _seen(at, name)
    at.state(name, "Do not send")
    at.still()
    assert at.sent == {}
    assert _seen(at, name) == omitted


@pytest.mark.parametrize(
    ("name", "words", "value"),
    [
        ("text", 'Send empty text ""', ""),
        ("long", 'Send empty text ""', ""),
        ("object", "Send empty object {}", {}),
        ("map", "Send empty object {}", {}),
        ("list", "Send empty list []", []),
        ("days", "Send empty list []", []),
    ],
)
def test_empty_is_reachable_and_looks_unlike_omitted(
    table: Callable[..., Table], name: str, words: str, value: object
) -> None:
    at = table({"type": "object", "properties": EVERY_KIND})
    omitted = _seen(at, name)
    at.state(name, words)
    at.still()
    assert at.sent == {name: value}
    assert "not sent" not in _seen(at, name)
    assert _seen(at, name) != omitted


def _seen(at: Table, name: str) -> str:
    """All words that a row shows of its value."""
    row = at.row(name)
    found = [row.active.state]
    for head in row.active.heads:
        if hasattr(head, "placeholderText"):
            found += [head.text(), head.placeholderText()]
        elif hasattr(head, "chosen"):
            found.append(head.words[head.chosen] if head.chosen >= 0 else "")
        elif hasattr(head, "texts"):
            found.append(head.text)
    if row.inner is not None:
        found.append(f"{len(row.inner.entries)} fields")
    return " ".join(found)


def test_nothing_untouched_is_sent(table: Callable[..., Table]) -> None:
    """SCH-01"""
    at = table({"type": "object", "properties": EVERY_KIND})
    for row in at.view.rows():
        row.active.focus()
    at.view.leave()
    at.press_send()
    assert at.sent_texts == ["{}"]


DEFAULTS = {
    "type": "object",
    "properties": {"limit": {"type": "integer", "default": 10}, "mode": {"type": "string", "default": "fast"}},
    "required": ["limit"],
}


def test_defaults_are_prefilled_visible_and_removable(table: Callable[..., Table]) -> None:
    at = table(DEFAULTS)
    assert at.sent == {"limit": 10}
    assert at.input("limit").text() == "10"
    assert "the default" in at.row("limit").words.shown_note()
    assert "fast" in at.input("mode").placeholderText()
    at.clear("limit")
    assert at.sent == {}


def test_whose_defaults_are_sent_is_a_choice_that_is_kept(table: Callable[..., Table]) -> None:
    at = table(DEFAULTS)
    foot = at.arguments_view._foot
    foot.action("and all defaults").trigger()
    at.still()
    assert at.sent == {"limit": 10, "mode": "fast"}
    foot.action("Constants only").trigger()
    at.still()
    assert at.sent == {}
    at.type("limit", "3")
    foot.action("and all defaults").trigger()
    at.still()
    assert at.sent == {"limit": 3}  # what a person typed is not touched
    at.desk.memory.save()
    again = table(DEFAULTS, name="another")
    assert again.sent == {"limit": 10, "mode": "fast"}
    assert again.arguments_view._foot.action("and all defaults").isChecked()


# --- undo ---


def test_undo_and_redo_cover_both_views(table: Callable[..., Table]) -> None:
    at = table(TEXTS)
    at.type("a", "one")
    at.type("n", "5")
    at.type_json(" ", at=len(at.document.text))
    assert at.document.text.endswith(" ")
    at.undo()  # in the JSON
    assert not at.document.text.endswith(" ")
    at.input("a").setFocus()
    at.undo()  # in the form: takes back what was typed into another field, and goes there
    assert at.sent == {"a": "one"}
    assert at.input("n").hasFocus()
    at.undo()
    assert at.sent == {}
    assert at.input("a").text() == ""
    at.redo()
    assert at.sent == {"a": "one"}
    at.redo()
    assert at.sent == {"a": "one", "n": 5}


def test_a_word_typed_in_a_field_is_one_step_and_the_next_visit_another(table: Callable[..., Table]) -> None:
    at = table(TEXTS)
    line = at.input("a")
    line.setFocus()
    write(line, "one")
    at.input("n").setFocus()
    line.setFocus()
    line.setCursorPosition(3)
    write(line, "two")
    assert at.sent == {"a": "onetwo"}
    at.undo()
    assert at.sent == {"a": "one"}
    at.undo()
    assert at.sent == {}


def test_undo_of_what_could_not_be_read_brings_the_value_back(table: Callable[..., Table]) -> None:
    at = table(TEXTS, '{"n": 5}')
    line = at.input("n")
    line.setFocus()
    line.setCursorPosition(1)
    write(line, "x")
    assert at.sent == {}
    at.undo()
    assert at.sent == {"n": 5}
    assert line.text() == "5"
    assert at.arguments_view.errors() == 0


def test_switches_choices_and_items_are_undone_too(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": EVERY_KIND})
    at.pick("flag", "true")
    at.pick("days", "Tue")
    at.add_item("list")
    assert at.sent == {"flag": True, "list": [""], "days": ["Tue"]}
    for expected in ({"flag": True, "days": ["Tue"]}, {"flag": True}, {}):
        at.undo()
        assert at.sent == expected


def test_json_of_another_alternative_chooses_it_and_typing_in_the_form_does_not(table: Callable[..., Table]) -> None:
    schema = {
        "anyOf": [
            {"title": "A", "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"title": "B", "type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]},
            {"title": "C", "type": "object", "properties": {"c": {"type": "string"}}, "additionalProperties": False},
        ]
    }
    at = table(schema, '{"a": "x"}')
    box = at.view.root.editor.box
    assert box.text == "A"
    at.document.set_text('{"b": "x"}')
    at.still()
    assert box.text == "B"
    at.document.set_text('{"b": "x", "a": "y"}')  # it fits B still, so B it stays
    at.still()
    assert box.text == "B"
    at.document.set_text('{"b": 5}')  # what fits nothing leaves the choice alone
    at.still()
    assert box.text == "B"
    at.document.set_text('{"b": "x"}')
    at.still()
    at.clear("b")  # {} would fit C, but it is the person who is at work in B
    assert box.text == "B"
    at.pick("", "C")
    at.pick("", "A")
    assert box.text == "A"
    assert at.sent == {"a": "x"} or at.sent == {}
