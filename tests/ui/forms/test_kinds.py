"""Every kind of field has an editor that fits it, and what is typed is what is sent."""

from __future__ import annotations

import base64
import json
import re
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QDate, QEvent, QLocale, QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui.forms.choices import ToggleEditor
from mcp_inspector.ui.forms.formats import DateHelp, FileHelp, NowHelp, UuidHelp
from mcp_inspector.ui.forms.lists import ListEditor
from mcp_inspector.ui.forms.texts import HELD, TextEditor
from mcp_inspector.ui.forms.unions import UnionEditor
from tests.ui.bench import write
from tests.ui.forms import form_schemas as schemas

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.ui.forms.hand import Hand


def properties(**members: Any) -> dict[str, Any]:
    """An object schema."""
    return {"type": "object", "properties": members}


def text(**more: Any) -> dict[str, Any]:
    """A schema of one text, `t`."""
    return properties(t={"type": "string", **more})


# --- numbers ---


@pytest.mark.parametrize(
    "typed", ["9007199254740993", "1.0", "1e400", "-0", "123456789012345678901234567890.5", "1E-7", "2147483648"]
)
def test_numbers_of_any_size_keep_their_spelling(hand: Callable[..., Hand], typed: str) -> None:
    form = hand(properties(n={"type": "number"}))
    form.type("n", typed)
    assert form.document.wire_bytes() == b'{"n":%s}' % typed.encode()


def test_bounds_and_steps_are_said_and_stepped(hand: Callable[..., Hand]) -> None:
    form = hand(properties(n={"type": "number", "minimum": 0, "maximum": 0.2, "multipleOf": 0.1}))
    assert form.row("n").words.shown_note() == "number 0 to 0.2, multiple of 0.1"
    line = form.input("n")
    line.setFocus()
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(line, key)
        seen.append(line.text())
    assert seen == ["0", "0.1", "0.2", "0.2", "0.1"]
    assert form.sent == {"n": 0.1}


def test_steps_are_exact_however_long_the_number_is(hand: Callable[..., Hand]) -> None:
    form = hand(properties(n={"type": "integer"}), '{"n": 9007199254740993000000000000000001}')
    QTest.keyClick(form.input("n"), Qt.Key.Key_Up)
    assert form.document.text == '{"n": 9007199254740993000000000000000002}'


def test_what_is_no_number_can_be_sent_as_a_text(hand: Callable[..., Hand]) -> None:
    form = hand(properties(n={"type": "integer"}))
    form.type("n", "many")
    assert form.sent == {}
    form.state("n", 'Send as the text "many"')
    assert form.sent == {"n": "many"}


@pytest.mark.parametrize("name", ["de_DE", "ar_EG", "fa_IR", "hi_IN"])
def test_the_locale_changes_no_number(hand: Callable[..., Hand], name: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(name))
    try:
        form = hand(properties(n={"type": "number"}, day={"type": "string", "format": "date"}))
        form.type("n", "1234.5")
        QTest.keyClick(form.input("n"), Qt.Key.Key_Up)
        _help(form, "day", DateHelp).open().days.clicked.emit(QDate(2026, 2, 3))
        assert form.document.wire_bytes() == b'{"n":1235.5,"day":"2026-02-03"}'
        assert form.input("n").text() == "1235.5"
    finally:
        QLocale.setDefault(before)


# --- texts ---


def test_lengths_are_counted(hand: Callable[..., Hand]) -> None:
    form = hand(text(minLength=2, maxLength=5))
    assert form.editor("t").counter == "0 / 5"
    form.type("t", "é😀x")
    assert form.editor("t").counter == "3 / 5"
    assert "2 to 5 characters" in form.row("t").words.shown_note()


def test_a_pattern_is_said(hand: Callable[..., Hand]) -> None:
    form = hand(text(pattern="^[a-z]+$"))
    assert "matches ^[a-z]+$" in form.row("t").words.shown_note()


def test_a_calendar_gives_the_day_and_leaves_the_time(hand: Callable[..., Hand]) -> None:
    form = hand(properties(day={"type": "string", "format": "date"}, at={"type": "string", "format": "date-time"}))
    calendar = _help(form, "day", DateHelp).open()
    calendar.days.clicked.emit(QDate(2026, 2, 28))
    assert form.sent == {"day": "2026-02-28"}
    form.type("at", "2026-01-02T03:04:05.123456+05:30")
    calendar = _help(form, "at", DateHelp).open()
    assert calendar.days.selectedDate() == QDate(2026, 1, 2)
    calendar.days.clicked.emit(QDate(2027, 12, 31))
    assert form.sent["at"] == "2027-12-31T03:04:05.123456+05:30"


def test_now_has_a_zone_and_a_time_without_one_can_get_it(hand: Callable[..., Hand]) -> None:
    form = hand(properties(at={"type": "string", "format": "date-time"}, t={"type": "string", "format": "time"}))
    for name, pattern in (("at", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"), ("t", r"\d\d:\d\d:\d\d")):
        entries = _help(form, name, NowHelp).actions()
        for (_, _, run), zone in zip(entries, ("Z", r"[+-]\d\d:\d\d"), strict=True):
            run()
            assert re.fullmatch(pattern + zone, form.sent[name])
    form.type("at", "2026-01-02T03:04:05")
    words, run = next((words, run) for _, words, run in _help(form, "at", NowHelp).actions() if "zone Z" in words)
    assert words == "Add the zone Z (UTC)"
    run()
    assert form.sent["at"] == "2026-01-02T03:04:05Z"


def test_durations_and_uuids_are_offered(hand: Callable[..., Hand]) -> None:
    form = hand(properties(d={"type": "string", "format": "duration"}, u={"type": "string", "format": "uuid"}))
    form.state("d", "PT1H  (1 hour)")
    _help(form, "u", UuidHelp).run()
    assert form.sent["d"] == "PT1H"
    assert str(uuid.UUID(form.sent["u"])) == form.sent["u"]


@pytest.mark.parametrize(
    ("form_of_text", "wrong", "right"),
    [
        ("date", "2026-02-30", "2026-02-28"),
        ("time", "25:00:00Z", "23:59:59+02:00"),
        ("date-time", "2026-01-01T00:00:00", "2026-01-01T00:00:00Z"),
        ("duration", "1 hour", "P1DT2H"),
        ("email", "nobody", "somebody@example.com"),
        ("uri", "not a uri", "urn:a:b"),
        ("uuid", "1234", "12345678-1234-1234-1234-123456789abc"),
        ("ipv4", "1.2.3.256", "1.2.3.4"),
        ("ipv6", "::g", "fe80::1"),
        ("regex", "(", "^a+$"),
        ("json-pointer", "a/b", "/a/b"),
        ("hostname", "-x-", "example.com"),
    ],
)
def test_formats_warn_and_never_change_what_is_typed(
    table: Callable[..., Any], form_of_text: str, wrong: str, right: str
) -> None:
    at = table(text(format=form_of_text))
    at.type("t", wrong)
    at.input("t").clearFocus()
    at.still()
    row = at.row("t")
    assert row.problem().startswith("Is not a valid")
    assert row.problem_tone == "warn"
    assert at.sent == {"t": wrong}
    assert at.arguments_view.call.text().startswith("Call tool")  # a format is an annotation: nothing stops
    at.type("t", right)
    at.still()
    assert row.problem() == ""
    assert at.sent == {"t": right}


def test_unknown_formats_say_their_name_and_mind_nothing(table: Callable[..., Any]) -> None:
    at = table(text(format="phone"))
    at.type("t", "anything")
    at.still()
    assert at.row("t").problem() == ""
    assert at.row("t").words.shown_note() == "phone"


@pytest.mark.parametrize(
    ("more", "sent"),
    [
        ({"contentEncoding": "base64", "contentMediaType": "image/png"}, base64.b64encode(bytes(range(256))).decode()),
        ({"format": "byte"}, base64.b64encode(bytes(range(256))).decode()),
        ({"contentEncoding": "base16"}, bytes(range(256)).hex().upper()),
        ({"contentEncoding": "base64url"}, base64.urlsafe_b64encode(bytes(range(256))).decode().rstrip("=")),
        ({"format": "data-url"}, "data:image/png;base64," + base64.b64encode(bytes(range(256))).decode()),
    ],
)
def test_bytes_come_from_a_file(hand: Callable[..., Hand], tmp_path: Path, more: dict[str, Any], sent: str) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(bytes(range(256)))
    form = hand(text(**more))
    helper = _help(form, "t", FileHelp)
    assert any(action.toolTip() == "Take the bytes of a file" for action in form.input("t").actions())
    helper.take(str(file))
    assert form.sent == {"t": sent}


def test_a_text_comes_from_a_file_and_what_is_no_text_is_refused(hand: Callable[..., Hand], tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes("zwei\r\nZeilen é".encode())
    form = hand(text())
    _help(form, "t", FileHelp).take(str(file))
    assert form.sent == {"t": "zwei\r\nZeilen é"}
    other = hand(text())
    file.write_bytes(b"\xff\xfe")
    _help(other, "t", FileHelp).take(str(file))
    assert other.sent == {}
    assert "not text in UTF-8" in other.row("t").problem()
    _help(other, "t", FileHelp).take(str(tmp_path / "nowhere"))
    assert "No such file" in other.row("t").problem()


def test_the_file_dialog_does_not_stop_the_window(hand: Callable[..., Hand], tmp_path: Path) -> None:
    form = hand(text(format="byte"))
    _help(form, "t", FileHelp).run()
    dialog = next(one for one in QApplication.topLevelWidgets() if one.metaObject().className() == "QFileDialog")
    (tmp_path / "f").write_bytes(b"abc")
    dialog.fileSelected.emit(str(tmp_path / "f"))
    dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert form.sent == {"t": "YWJj"}


def test_passwords_are_hidden_until_somebody_looks(hand: Callable[..., Hand]) -> None:
    form = hand(text(format="password"))
    form.type("t", "secret")
    editor = form.editor("t")
    assert isinstance(editor, TextEditor)
    assert editor.line.echoMode() is QLineEdit.EchoMode.Password
    editor.reveal.trigger()
    assert editor.line.echoMode() is QLineEdit.EchoMode.Normal
    editor.reveal.trigger()
    assert editor.line.echoMode() is QLineEdit.EchoMode.Password
    assert form.sent == {"t": "secret"}


def test_code_has_an_area_that_grows_and_keeps_every_character(hand: Callable[..., Hand]) -> None:
    form = hand(text(contentMediaType="text/x-python"))
    area = form.editor("t").area
    assert area is not None
    assert area.font().fixedPitch()
    small = form.row("t").height()
    area.setFocus()
    write(area, "if a:")
    for _ in range(9):
        QTest.keyClick(area, Qt.Key.Key_Return)
    write(area, "b")
    _settled(form)
    assert form.sent == {"t": "if a:" + 9 * "\n" + "b"}
    assert form.row("t").height() > small


def test_embedded_json_is_looked_at_and_laid_out(hand: Callable[..., Hand]) -> None:
    form = hand(text(contentMediaType="application/json"))
    form.type("t", '{"a":')
    form.input("t").clearFocus()
    form.row("t").show_problem()
    assert form.row("t").problem().startswith("Is not JSON: line 1, column 6")
    form.type("t", '{"a":1.0}')
    form.state("t", "Lay the JSON out")
    assert form.sent == {"t": '{\n  "a": 1.0\n}'}


def test_a_text_too_long_for_any_input_is_kept_and_sent(hand: Callable[..., Hand]) -> None:
    long = "x" * (HELD + 1)
    form = hand(text())
    form.paste("t", long)
    assert form.sent == {"t": long}
    assert form.input("t").isReadOnly()
    assert f"{HELD + 1:,} characters" in form.input("t").text()
    form.state("t", "Do not send")
    assert form.sent == {}
    form.type("t", "short")
    assert form.sent == {"t": "short"}


def test_examples_are_suggested_and_never_values(hand: Callable[..., Hand]) -> None:
    form = hand(text(examples=["one", "two"], default="three"))
    assert form.sent == {}
    form.state("t", 'Example: "two"')
    assert form.sent == {"t": "two"}
    form.state("t", "three")  # from the icon at the end of the line
    assert form.sent == {"t": "three"}


def test_input_methods_arrive_when_they_are_committed(hand: Callable[..., Hand]) -> None:
    form = hand(properties(t={"type": "string"}, n={"type": "number"}, code={"type": "string"}))
    for name in ("t", "code"):
        widget = form.input(name)
        widget.setFocus()
        QApplication.sendEvent(widget, QInputMethodEvent("にほ", []))
        assert name not in form.sent  # what is being composed is no value yet
        form.view.refresh()
        event = QInputMethodEvent()
        event.setCommitString("日本")
        QApplication.sendEvent(widget, event)
        assert form.sent[name] == "日本"


@pytest.mark.parametrize("words", ["שלום עולם", "مرحبا ١٢٣", "a\u202eb", "\u200f12"])
def test_right_to_left_text_is_sent_as_typed(hand: Callable[..., Hand], words: str) -> None:
    form = hand(text())
    form.type("t", words)
    assert form.sent == {"t": words}


def test_a_mirrored_window_lays_the_form_out(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.ORDER)
    form.view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    form.view.refresh()
    form.type("quantity", "3")
    assert form.sent["quantity"] == 3


# --- choices ---


def test_one_true_and_text_one_are_three_choices_of_a_list_too(hand: Callable[..., Hand]) -> None:
    mixed = {"type": "array", "items": {"enum": [1, "1", True, 1.5]}, "uniqueItems": True}
    form = hand(properties(days=mixed))
    words = form.editor("days").toggles.words
    assert words == ("1", '"1"', "true", "1.5")
    for word in ('"1"', "true"):
        form.pick("days", word)
    assert form.document.wire_bytes() == b'{"days":["1",true]}'
    form.pick("days", '"1"')
    assert form.document.wire_bytes() == b'{"days":[true]}'
    form.pick("days", "true")
    assert form.sent == {}


def test_values_that_are_no_choices_turn_the_words_into_rows(hand: Callable[..., Hand]) -> None:
    days = {"type": "array", "items": {"enum": ["Mon", "Tue"]}, "uniqueItems": True}
    form = hand(properties(days=days), '{"days": ["Mon", "Never"]}')
    assert isinstance(form.editor("days"), ListEditor)
    assert form.row("days/1").raw.area.text() == '"Never"'
    form.document.set_text('{"days": ["Mon"]}')
    form.view.refresh()
    form.state("days", "Edit as choices")
    assert isinstance(form.row("days").editor, ToggleEditor)


def test_long_lists_of_choices_are_searched(hand: Callable[..., Hand]) -> None:
    names = [f"zone/{part}/{n}" for part in ("Europe", "Asia") for n in range(60)]
    form = hand(properties(zone={"enum": names}))
    box = form.row("zone").editor.box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_A)
    popup = box.popup
    assert popup is not None
    write(popup.search, "sia 42")
    assert popup.shown() == ["zone/Asia/42"]
    QTest.keyClick(popup.search, Qt.Key.Key_Return)
    assert form.sent == {"zone": "zone/Asia/42"}
    box.open()
    QTest.keyClick(box.popup.search, Qt.Key.Key_Escape)
    assert form.sent == {"zone": "zone/Asia/42"}
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert form.sent == {"zone": "zone/Asia/43"}


def test_equal_labels_are_told_apart(hand: Callable[..., Hand]) -> None:
    form = hand(properties(c={"oneOf": [{"const": "a", "title": "Same"}, {"const": "b", "title": "Same"}]}))
    assert form.choices("c") == ["not sent", 'Same ("a")', 'Same ("b")']


def test_a_required_choice_has_none_chosen_at_first(hand: Callable[..., Hand]) -> None:
    form = hand({**properties(c={"enum": ["a", "b"]}, b={"type": "boolean"}), "required": ["c", "b"]})
    assert form.sent == {}
    assert form.row("c").editor.segments.chosen == -1
    assert "not sent" not in form.choices("c")


# --- lists ---

ITEMS = properties(items={"type": "array", "items": {"type": "string"}})


def test_items_move_by_keys_with_the_keyboard_in_them(hand: Callable[..., Hand]) -> None:
    form = hand(ITEMS, '{"items": ["a", "b", "c"]}')
    form.input("items/0").setFocus()
    for key, expected in ((Qt.Key.Key_Down, "bac"), (Qt.Key.Key_Down, "bca"), (Qt.Key.Key_Up, "bac")):
        QTest.keyClick(form.view.focusWidget(), key, Qt.KeyboardModifier.AltModifier)
        assert "".join(form.sent["items"]) == expected
        assert form.view.focusWidget().text() == "a"


def test_items_with_fields_move_with_the_keyboard_in_one_of_them(hand: Callable[..., Hand]) -> None:
    item = properties(name={"type": "string"}, qty={"type": "integer"})
    form = hand(
        properties(items={"type": "array", "items": item}), '{"items": [{"name": "a"}, {"name": "b", "qty": 2}]}'
    )
    line = form.input("items/1/qty")
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert form.sent == {"items": [{"name": "b", "qty": 2}, {"name": "a"}]}
    assert form.view.focusWidget() is line
    write(line, "1")
    assert form.sent["items"][0]["qty"] == 21


def test_what_cannot_be_read_moves_with_its_item(hand: Callable[..., Hand]) -> None:
    form = hand(properties(items={"type": "array", "items": {"type": "number"}}), '{"items": [1, 2]}')
    form.type("items/0", "x")
    assert "null is sent" in form.row("items/0").problem()
    form.press("items/0", "Move down")
    assert form.row("items/1").problem() != ""
    assert form.row("items/0").problem() == ""


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        ('["x", "y"]', ["x", "y"]),
        ("x\ny\n\nz w", ["x", "y", "z w"]),
        ('"x"\n"y"', ["x", "y"]),
    ],
)
def test_a_list_is_pasted(hand: Callable[..., Hand], pasted: str, expected: list[str]) -> None:
    form = hand(ITEMS, '{"items": ["a"]}')
    QApplication.clipboard().setText(pasted)
    editor = form.editor("items")
    assert isinstance(editor, ListEditor)
    QTest.mouseClick(editor._paste, Qt.MouseButton.LeftButton)
    assert form.sent == {"items": ["a", *expected]}
    assert "Added" in form.row("items").problem()
    form.document.undo()
    assert form.sent == {"items": ["a"]}
    QApplication.clipboard().setMimeData(QMimeData())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.csv", "name;qty\nBolt;3\nNut;12\n"),
        ("rows.jsonl", '{"name": "Bolt", "qty": 3}\n{"name": "Nut", "qty": 12}\n'),
        ("rows.json", '[{"name": "Bolt", "qty": 3}, {"name": "Nut", "qty": 12}]'),
    ],
)
def test_tables_and_json_lines_are_imported(hand: Callable[..., Hand], tmp_path: Path, name: str, content: str) -> None:
    item = properties(name={"type": "string"}, qty={"type": "integer"})
    form = hand(properties(items={"type": "array", "items": item}))
    (tmp_path / name).write_text(content, encoding="utf-8")
    editor = form.editor("items")
    assert isinstance(editor, ListEditor)
    editor.take_file(str(tmp_path / name))
    assert form.sent == {"items": [{"name": "Bolt", "qty": 3}, {"name": "Nut", "qty": 12}]}


def test_cells_that_do_not_fit_are_said(hand: Callable[..., Hand]) -> None:
    form = hand(properties(items={"type": "array", "items": {"type": "integer"}}))
    editor = form.editor("items")
    assert isinstance(editor, ListEditor)
    editor.take("1\ntwo\n3", "The clipboard")
    assert form.sent == {"items": [1, "two", 3]}
    assert "Line 2" in form.row("items").problem()


def test_a_full_list_takes_no_more(hand: Callable[..., Hand]) -> None:
    form = hand(properties(items={"type": "array", "items": {"type": "string"}, "maxItems": 1}))
    form.add_item("items")
    editor = form.editor("items")
    assert isinstance(editor, ListEditor)
    assert not editor._add.isEnabled()
    assert "at most 1" in editor._add.toolTip()


def test_tuples_name_their_positions_and_end_where_the_schema_says(hand: Callable[..., Hand]) -> None:
    """SCH-21"""
    form = hand(schemas.CONTAINERS)
    form.add_item("point")
    assert [form.row(f"point/{at}").words.name for at in range(3)] == ["x", "y", "unit"]
    form.type("point/0", "1.5")
    form.type("point/1", "2")
    assert form.sent["point"] == [1.5, 2]  # the third position is not sent as null
    editor = form.editor("point")
    assert isinstance(editor, ListEditor)
    assert not editor._add.isVisible()


def test_huge_lists_build_what_is_seen_and_reach_the_rest(hand: Callable[..., Hand]) -> None:
    form = hand(ITEMS, json.dumps({"items": [str(n) for n in range(5_000)]}))
    assert len(form.view.rows()) < 120
    assert form.view.go_to(("items", 3_000))
    assert form.view.focusWidget().text() == "3000"


# --- maps ---


def test_keys_are_renamed_in_their_place(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.CONTAINERS, '{"tags": ["x"], "labels": {"a": "1", "b": "2"}}')
    edit = form.row("labels/a").name_edit
    assert edit is not None
    edit.setFocus()
    edit.selectAll()
    write(edit, "new")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert form.document.text == '{"tags": ["x"], "labels": {"new": "1", "b": "2"}}'
    edit = form.row("labels/new").name_edit
    assert edit is not None
    edit.setFocus()
    edit.selectAll()
    write(edit, "b")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert "already" in form.row("labels/new").problem()
    assert form.sent["labels"] == {"new": "1", "b": "2"}


@pytest.mark.parametrize("name", ["", "a.b", "__class__", "日本", "a/b~c", "&x"])
def test_keys_of_any_spelling_are_kept(hand: Callable[..., Hand], name: str) -> None:
    """SCH-20"""
    form = hand(schemas.CONTAINERS)
    assert form.add_member("labels", name) == ""
    assert form.sent["labels"] == {name: ""}


def test_names_that_the_schema_forbids_are_refused(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.CONTAINERS)
    assert "at most 5" in form.add_member("scores", "toolong") or form.add_member("scores", "toolong") != ""
    assert "^x-" in form.add_member("headers", "y")
    assert "scores" not in form.sent or form.sent["scores"] == {}


# --- unions, rules, conditions, recursion, any ---


def test_required_only_alternatives_are_a_rule_line(table: Callable[..., Any]) -> None:
    at = table(schemas.UNIONS)
    rules = at.view.root.inner.rules()
    assert rules == [("At least one of these is needed: id; name.", "muted")]
    at.arguments_view.send()
    at.still()
    assert at.view.root.inner.rules()[0][1] == "error"
    assert any("Needs id or name" in line for line in at.problems())
    at.type("id", "1")
    at.still()
    assert at.view.root.inner.rules() == [("✓ At least one of these is needed: id; name.", "muted")]


def test_a_union_of_simple_kinds_stands_on_one_line(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.UNIONS, '{"value": 1.50, "target": {"kind": "sms", "number": "1"}}')
    box, line = form.row("value").editor.heads
    assert box.y() == line.y()
    assert box.text == "number"
    form.pick("value", "text")
    form.type("value", "words")
    assert form.sent["value"] == "words"
    form.pick("value", "null")
    assert form.sent["value"] is None
    form.pick("value", "not sent")
    assert "value" not in form.sent


def test_a_constant_alternative_needs_no_editor(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.UNIONS)
    form.pick("limit", '"all"')
    assert form.sent["limit"] == "all"
    assert len(form.row("limit").editor.heads) == 1


def test_conditions_and_dependencies_are_live(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.CONDITIONS, '{"method": "card"}')
    names = {row.field.key for row in form.view.rows()}
    assert "card" in names
    assert "company" not in names
    form.pick("method", "invoice")
    names = {row.field.key for row in form.view.rows()}
    assert "company" in names
    assert "card" not in names
    assert not form.row("zone").field.required
    form.type("coupon", "X")
    assert form.row("zone").field.required
    form.pick("gift", "true")
    form.type("message", "hello")
    assert form.sent["message"] == "hello"


def test_the_keyboard_stays_when_typing_changes_what_the_field_is(hand: Callable[..., Hand]) -> None:
    schema = {
        **properties(code={"type": "string"}),
        "if": {"properties": {"code": {"minLength": 3}}, "required": ["code"]},
        "then": {"properties": {"code": {"pattern": "^[a-z]+$"}}},
    }
    form = hand(schema)
    form.input("code").setFocus()
    for letter in "abcdef":
        write(form.view.focusWidget(), letter)
    assert form.sent == {"code": "abcdef"}
    assert "matches" in form.row("code").words.shown_note()


def test_recursion_unfolds_on_demand(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.CONTAINERS)
    assert form.row("tree").inner is None
    form.add_member("tree", "")  # presses "Fill in", then adds a member by the way
    form.type("tree/name", "root")
    form.add_item("tree/children")
    form.type("tree/children/0/name", "leaf")
    assert form.sent["tree"]["children"] == [{"name": "leaf"}]
    assert form.row("tree/children/0/children").inner is None


def test_any_json_has_a_chooser_of_types(hand: Callable[..., Hand]) -> None:
    """SCH-18, SCH-39"""
    form = hand(schemas.CONTAINERS)
    assert form.row("anything").field.kind is FieldKind.ANY
    assert form.choices("anything") == ["not sent", "text", "number", "true or false", "object", "list", "null"]
    form.pick("anything", "object")
    assert form.add_member("anything", "deep") == ""
    form.pick("anything/deep", "list")
    form.add_item("anything/deep")
    form.pick("anything/deep/0", "true or false")
    form.pick("anything/deep/0", "true or false")
    assert form.sent["anything"] == {"deep": [False]}


def test_titles_details_and_warnings_of_the_schema_are_seen(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.ORDER)
    assert form.row("old").words.shown_note() == "deprecated · Use note."
    assert form.row("internal").words.details == 'x-owner: "shop" · x-unit: {"of": "nothing"}'
    assert "set by the server" in form.row("internal").words.shown_note()
    assert not form.row("internal").details_rect.isEmpty()
    titled = hand(properties(repo_path={"type": "string", "title": "Repo Path"}, b={"type": "string", "title": "Big"}))
    assert titled.row("repo_path").words.shown_note() == ""  # a title made of the name says nothing
    assert titled.row("b").words.shown_note() == "Big"


def test_text_of_the_schema_is_shown_plain(hand: Callable[..., Hand]) -> None:
    form = hand(schemas.ODD)
    row = form.view.reach(("<b>bold</b> & co",))
    assert row is not None
    assert row.words.name == "<b>bold</b> & co"
    assert "⟨202E⟩" in row.words.shown_note()


def test_long_descriptions_open_at_a_click(hand: Callable[..., Hand]) -> None:
    form = hand(text(description="word " * 200))
    row = form.row("t")
    before = row.height()
    assert row.words.shown_note().endswith("…")
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.note_rect.center())
    _settled(form)
    assert row.height() > before
    assert row.words.shown_note().endswith("word")


def test_odd_schemas_still_give_a_form_and_a_reason(hand: Callable[..., Hand]) -> None:
    """SCH-26: nothing is fetched; the field is a JSON editor that says why."""
    form = hand(schemas.ODD)
    assert "External reference not resolved" in form.row("remote").words.shown_note()
    form.type("remote", '{"a": [1]}')
    form.type("weird", "x")
    assert form.sent["remote"] == {"a": [1]}
    assert form.sent["weird"] == "x"


def test_a_bomb_gives_a_sentence_and_the_json(table: Callable[..., Any]) -> None:
    """SCH-27"""
    bomb = {"$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(30)}, "$ref": "#/$defs/a0"}
    bomb["$defs"]["a30"] = {"type": "object"}
    at = table(bomb)
    assert at.view.root is not None
    at.document.set_text('{"x": 1}')
    at.press_send()
    assert at.sent_texts == ['{"x":1}']


def test_a_schema_that_cannot_be_read_gives_a_sentence_and_leads_to_the_json(table: Callable[..., Any]) -> None:
    at = table({"$ref": "https://example.invalid/x"}, split=False)
    root = at.view.root
    assert root.words.shown_note().startswith("Edited as JSON: External reference not resolved")
    assert not root.note_rect.isEmpty()
    QTest.mouseClick(root.editor.button, Qt.MouseButton.LeftButton)
    assert at.json.hasFocus()
    at.type_json('{"a": 1', at=0)
    assert not at.arguments_view.call.isEnabled()  # broken text is no value: nothing older is sent for it


@pytest.mark.parametrize("schema", [True, {}, {"type": "object"}, b"not json", b"[]", b'{"type": 7}'])
def test_schemas_that_say_nothing_take_any_json(table: Callable[..., Any], schema: object) -> None:
    at = table(schema)
    at.document.set_text('{"x": [1.0]}')
    at.press_send()
    assert at.sent_texts == ['{"x":[1.0]}']


def test_nothing_flashes_as_a_window_of_its_own(hand: Callable[..., Hand]) -> None:
    """A widget that is shown before it has its parent is a window for a moment."""
    before = set(QApplication.topLevelWidgets())
    form = hand(schemas.CONTAINERS, '{"tags": ["a"], "list": [1, {"a": []}], "tree": {"name": "x"}}')
    form.add_item("tags")
    form.pick("anything", "object")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    seen = [repr(one) for one in set(QApplication.topLevelWidgets()) - before if one is not form.view]
    assert seen == []


def _help(form: Hand, path: str, kind: type[Any]) -> Any:
    editor = form.editor(path)
    assert isinstance(editor, TextEditor)
    return next(one for one in editor.helps if isinstance(one, kind))


def _settled(form: Hand) -> None:
    from mcp_inspector.ui import bridge

    while bridge.pulling():
        QTest.qWait(5)


def test_conditions_of_a_list_change_its_items_under_the_keyboard(hand: Callable[..., Hand]) -> None:
    schema = {
        "type": "array",
        "if": {"prefixItems": [{"const": "n"}], "minItems": 1},
        "then": {"items": {"type": ["number", "string"]}},
        "else": {"items": {"type": "string"}},
    }
    form = hand({"type": "object", "properties": {"l": schema}}, '{"l": ["", "12"]}')
    line = form.input("l/0")
    line.setFocus()
    write(line, "n")
    assert form.sent == {"l": ["n", "12"]}
    focus = form.view.focused()
    assert form.row("l/0").isAncestorOf(focus)
    assert isinstance(form.row("l/1").editor, UnionEditor)
    write(focus, "o")
    assert form.sent["l"][0] == "no"
    assert isinstance(form.row("l/1").editor, TextEditor)
