"""What the form sends for what a hand did, in cases that people met with other clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.schema.validate import Checker
from mcp_inspector.ui.models.arguments import by_path
from tests.ui.bench import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.forms.hand import Hand


def properties(**members: Any) -> dict[str, Any]:
    """An object schema."""
    return {"type": "object", "properties": members}


def test_untouched_optional_members_are_not_sent(hand: Callable[..., Hand]) -> None:
    """SCH-01"""
    form = hand(
        {**properties(q={"type": "string"}, page={"type": "integer"}, flag={"type": "boolean"}), "required": ["q"]}
    )
    form.type("q", "x")
    assert form.sent == {"q": "x"}


def test_cleared_members_are_not_sent_and_empty_text_is_an_explicit_choice(hand: Callable[..., Hand]) -> None:
    """SCH-03"""
    form = hand(properties(price={"type": "integer"}, note={"type": "string"}))
    form.type("price", "5")
    form.type("note", "x")
    assert form.sent == {"price": 5, "note": "x"}
    form.clear("price")
    form.clear("note")
    assert form.sent == {}
    form.state("note", 'Send empty text ""')
    assert form.sent == {"note": ""}
    assert form.input("note").placeholderText() == 'sent as empty text ""'


def test_null_is_a_choice_and_shown_as_one(hand: Callable[..., Hand]) -> None:
    form = hand(properties(n={"type": ["string", "null"], "default": None}, s={"type": "string"}))
    form.state("n", "Send null")
    assert form.sent == {"n": None}
    assert form.input("n").placeholderText() == "null"
    form.state("s", "Send null (the schema does not allow it)")
    assert form.sent == {"n": None, "s": None}
    form.type("n", "words")
    assert form.sent["n"] == "words"


@pytest.mark.parametrize(
    ("typed", "sent"),
    [("1", 1), ("1e3", 1000), (" 7 ", 7), ("-0", 0), ("9007199254740993", 9007199254740993)],
)
def test_integers_are_numbers(hand: Callable[..., Hand], typed: str, sent: int) -> None:
    """SCH-07"""
    form = hand(properties(count={"type": "integer"}))
    form.type("count", typed)
    assert form.sent == {"count": sent}
    assert typed.strip() in form.document.text  # spelled as typed


@pytest.mark.parametrize("typed", ["０１", "1_000", "٣", "abc", "--1", "0x10"])
def test_what_is_no_json_number_is_said_and_not_sent(hand: Callable[..., Hand], typed: str) -> None:
    """SCH-07"""
    form = hand(properties(count={"type": "integer"}))
    form.type("count", typed)
    assert form.sent == {}
    assert "not sent" in form.row("count").problem().lower()
    form.type("count", "3")
    assert form.sent == {"count": 3}
    assert form.row("count").problem() == ""


def test_a_fraction_in_an_integer_field_can_be_sent_for_a_test(hand: Callable[..., Hand]) -> None:
    form = hand(properties(count={"type": "integer"}))
    form.type("count", "1.5")
    assert form.sent == {"count": 1.5}


def test_choices_keep_their_json_type(hand: Callable[..., Hand]) -> None:
    """SCH-10: 1, "1" and true are three options."""
    mixed = [1, "1", True, None, 1.5, {"a": 1}, [1]]
    form = hand(properties(phases={"type": "integer", "enum": [0, 1, 3]}, mixed={"enum": mixed}))
    form.pick("phases", "3")
    assert form.sent == {"phases": 3}
    for at, value in enumerate(mixed, 1):
        form.pick_at("mixed", at)
        sent = form.sent["mixed"]
        assert sent == value
        assert type(sent) is type(value)
    form.pick_at("mixed", 0)
    assert form.sent == {"phases": 3}


def test_titled_choices_show_labels_and_send_values(hand: Callable[..., Hand]) -> None:
    """SCH-11"""
    form = hand(
        properties(
            size={"type": "string", "oneOf": [{"const": "s-1", "title": "Small"}, {"const": "l-9", "title": "Large"}]},
            legacy={"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]},
        )
    )
    form.pick("size", "Small")
    form.pick("legacy", "Beta")
    assert form.sent == {"size": "s-1", "legacy": "b"}


def test_references_become_fields(hand: Callable[..., Hand]) -> None:
    """SCH-12"""
    address = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    schema = {"type": "object", "$defs": {"A": address}, "properties": {"home": {"$ref": "#/$defs/A"}}}
    form = hand({**schema, "required": ["home"]})
    form.type("home/city", "Bonn")
    assert form.sent == {"home": {"city": "Bonn"}}


def test_an_optional_object_is_filled_in_and_emptied_without_losing_the_keyboard(hand: Callable[..., Hand]) -> None:
    form = hand(properties(home=properties(city={"type": "string"})))
    form.add_member("home", "note")
    form.type("home/city", "Bonn")
    assert form.sent["home"]["city"] == "Bonn"
    form.clear("home/city")
    line = form.input("home/city")
    assert form.view.focusWidget() is line
    form.type("home/city", "Ulm")
    assert form.sent["home"]["city"] == "Ulm"


def test_root_alternatives_are_chosen_and_only_theirs_are_sent(hand: Callable[..., Hand]) -> None:
    """SCH-15"""
    schema = {
        "type": "object",
        "anyOf": [
            {
                "properties": {"kind": {"const": "email"}, "address": {"type": "string"}},
                "required": ["kind", "address"],
            },
            {"properties": {"kind": {"const": "sms"}, "phone": {"type": "string"}}, "required": ["kind", "phone"]},
        ],
    }
    form = hand(schema)
    form.pick("", "sms")
    form.type("phone", "1")
    assert form.sent == {"kind": "sms", "phone": "1"}


TWO = {
    "type": "object",
    "properties": {
        "t": {
            "oneOf": [
                {
                    "title": "A",
                    "type": "object",
                    "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}, "y": {"type": "string"}},
                    "required": ["kind", "x"],
                },
                {
                    "title": "B",
                    "type": "object",
                    "properties": {"kind": {"const": "b"}, "x": {"type": "integer"}},
                    "required": ["kind", "x"],
                },
            ]
        }
    },
}


def test_a_left_alternative_sends_nothing_and_comes_back_when_chosen_again(hand: Callable[..., Hand]) -> None:
    """SCH-16"""
    form = hand(TWO)
    form.pick("t", "A")
    form.type("t/x", "1")
    form.type("t/y", "q")
    assert form.sent == {"t": {"kind": "a", "x": 1, "y": "q"}}
    form.pick("t", "B")
    form.type("t/x", "2")
    assert form.sent == {"t": {"kind": "b", "x": 2}}
    form.pick("t", "A")
    assert form.sent == {"t": {"kind": "a", "x": 1, "y": "q"}}


def test_a_loaded_value_chooses_its_alternative_by_its_constant(hand: Callable[..., Hand]) -> None:
    """SCH-16"""
    form = hand(TWO, '{"t": {"kind": "b", "x": 1}}')
    assert form.row("t").editor.box.text == "B"


def test_json_in_a_field_is_sent_as_json(hand: Callable[..., Hand]) -> None:
    """SCH-18, SCH-39: any type, also plain strings"""
    form = hand(properties(any={}, list={"type": "array"}))
    form.pick("any", "list")
    form.add_item("any")
    form.pick("any/0", "number")
    form.type("any/0", "1")
    assert form.sent == {"any": [1]}
    form.pick("any", "text")
    form.type("any", "5")
    assert form.sent == {"any": "5"}
    form.document.set(("list",), '[1,"1",null,{"a":[]}]')
    form.view.refresh()
    assert form.sent["list"] == [1, "1", None, {"a": []}]


def test_items_are_added_removed_and_moved_without_mixing_values(hand: Callable[..., Hand]) -> None:
    """SCH-19"""
    item = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "qty": {"type": "integer"}},
        "required": ["name", "qty"],
    }
    form = hand({**properties(items={"type": "array", "minItems": 1, "items": item}), "required": ["items"]})
    for at, (name, quantity) in enumerate((("a", "1"), ("b", "2"), ("c", "3"))):
        form.add_item("items")
        form.type(f"items/{at}/name", name)
        form.type(f"items/{at}/qty", quantity)
    form.press("items/1", "Remove this item")
    assert form.sent == {"items": [{"name": "a", "qty": 1}, {"name": "c", "qty": 3}]}
    assert form.input("items/1/name").text() == "c"
    form.press("items/1", "Move up")
    assert form.sent == {"items": [{"name": "c", "qty": 3}, {"name": "a", "qty": 1}]}
    form.type("items/0/name", "cc")
    assert form.sent["items"][0] == {"name": "cc", "qty": 3}


def test_members_with_names_of_ones_own_keep_their_types(hand: Callable[..., Hand]) -> None:
    """SCH-20"""
    form = hand(
        properties(
            labels={"type": "object", "additionalProperties": {"type": "string"}},
            scores={"type": "object", "additionalProperties": {"type": "integer"}},
            hdr={"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": False},
        )
    )
    assert form.add_member("labels", "a.b") == ""
    form.type("labels/a.b", "1")
    assert form.add_member("scores", "k") == ""
    form.type("scores/k", "2")
    assert form.add_member("hdr", "x-a") == ""
    form.type("hdr/x-a", "v")
    assert form.sent == {"labels": {"a.b": "1"}, "scores": {"k": 2}, "hdr": {"x-a": "v"}}
    assert "already" in form.add_member("labels", "a.b")
    assert form.add_member("hdr", "nope") != ""


def test_tuples_have_positions(hand: Callable[..., Hand]) -> None:
    """SCH-21"""
    point = {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "items": False, "minItems": 2}
    form = hand({**properties(pt=point), "required": ["pt"]})
    form.type("pt/0", "1.5")
    form.type("pt/1", "Main")
    assert form.sent == {"pt": [1.5, "Main"]}


def test_huge_lists_and_objects_build_few_widgets(hand: Callable[..., Hand]) -> None:
    """SCH-22, SCH-27"""
    many = {f"p{number}": {"type": "string"} for number in range(10_000)}
    form = hand(properties(two={"type": "array", "items": {"type": "string"}, "minItems": 1_000_000}, **many))
    assert len(form.view.rows()) < 200


def test_names_of_any_kind_are_sent_verbatim(hand: Callable[..., Hand]) -> None:
    """SCH-23"""
    names = [
        "a.b",
        "x~z",
        "class",
        "objectName",
        "parent",
        "__init__",
        "größe",
        "&File",
        "<b>x</b>",
        "e\u0301",
        "\u00e9",
    ]
    form = hand(properties(**{name: {"type": "string"} for name in names}))
    for number, name in enumerate(names):
        row = form.view.reach((name,))
        assert row is not None
        row.editor.line.setText("")
        row.editor.line.textEdited.emit(str(number))
        assert row.words.name == name
    assert form.sent == {name: str(number) for number, name in enumerate(names)}


def test_texts_with_a_format_are_sent_as_typed(hand: Callable[..., Hand]) -> None:
    """SCH-28"""
    form = hand(properties(when={"type": "string", "format": "date-time"}, mail={"type": "string", "format": "email"}))
    form.type("when", "2026-01-02T03:04:05.123456+05:30")
    assert form.sent == {"when": "2026-01-02T03:04:05.123456+05:30"}


def test_constants_are_there_and_examples_are_only_hints(hand: Callable[..., Hand]) -> None:
    """SCH-29"""
    form = hand({**properties(v={"const": 2}, s={"type": "string", "examples": ["ex"]}), "required": ["v"]})
    assert form.sent == {"v": 2}
    assert "ex" in form.input("s").placeholderText()


@pytest.mark.parametrize(("character", "count"), [("A", 40_000), ("ü", 33_000)])
def test_long_values_are_never_cut(hand: Callable[..., Hand], character: str, count: int) -> None:
    """QT-14"""
    form = hand(properties(token={"type": "string"}))
    form.paste("token", character * count)
    assert form.sent == {"token": character * count}


@pytest.mark.parametrize("text", ["two\nlines", "a\u2028b", "tab\tand\u00a0space", "x\u2029y", "e\U0001f600e"])
def test_pasted_characters_stay_what_they_are(hand: Callable[..., Hand], text: str) -> None:
    form = hand(properties(token={"type": "string"}))
    form.paste("token", text)
    assert form.sent == {"token": text}
    form.document.set_string(("token",), text + "!")
    form.view.refresh()
    assert form.input("token").text() == text + "!"


def test_half_a_surrogate_pair_is_shown_as_json_and_kept(hand: Callable[..., Hand]) -> None:
    form = hand(properties(s={"type": "string"}), '{"s": "\\ud800x"}')
    row = form.row("s")
    assert row.raw is not None
    assert row.raw.area.text() == '"\\ud800x"'
    assert "\\ud800x" in form.document.wire_bytes().decode()


def test_a_value_of_another_type_is_shown_as_json(hand: Callable[..., Hand]) -> None:
    form = hand(properties(n={"type": "integer"}), '{"n": "text"}')
    row = form.row("n")
    assert row.raw is not None
    assert row.raw.area.isVisible()
    row.raw.area.setText("5")
    row.raw.area.edited.emit("5")
    assert form.sent == {"n": 5}


def test_broken_json_stops_the_form_and_nothing_is_lost(hand: Callable[..., Hand]) -> None:
    """SCH-33"""
    form = hand(properties(a={"type": "string"}))
    form.type("a", "kept")
    form.document.set_text('{"a": ')
    form.view.refresh()
    assert not form.view._root.isEnabled()
    assert form.document.text == '{"a": '
    form.document.undo()
    form.view.refresh()
    assert form.sent == {"a": "kept"}
    assert form.input("a").text() == "kept"


def test_undo_takes_a_typed_word_back_as_one_step(hand: Callable[..., Hand]) -> None:
    form = hand(properties(a={"type": "string"}))
    form.type("a", "word")
    form.document.undo()
    form.view.refresh()
    assert form.sent == {}
    assert form.input("a").text() == ""


def test_conditions_bring_fields_while_typing(hand: Callable[..., Hand]) -> None:
    schema = {
        **properties(kind={"type": "string"}),
        "if": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]},
        "then": {"properties": {"number": {"type": "string"}}, "required": ["number"]},
    }
    form = hand(schema)
    assert form.view.row_of(("number",)) is None
    form.type("kind", "card")
    form.type("number", "12")
    assert form.sent == {"kind": "card", "number": "12"}


def test_narrow_forms_put_names_above(hand: Callable[..., Hand]) -> None:
    form = hand(properties(location={"type": "string"}))
    row = form.row("location")
    assert row.name_rect.right() < row.editor.line.x()
    form.view.resize(260, 500)
    form.view.refresh()
    assert row.name_rect.bottom() <= row.editor.line.y()


def test_what_is_wrong_is_said_at_the_field_in_words_and_with_its_path(hand: Callable[..., Hand]) -> None:
    item = {"type": "object", "properties": {"qty": {"type": "integer", "minimum": 1}}}
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": item}}}
    form = hand(schema, '{"items": [{"qty": 1}, {"qty": 0}]}')
    problems = Checker(form.form.source).check(form.document.text)
    form.view.show_problems(by_path(problems), everywhere=True)
    row = form.row("items/1/qty")
    assert row.problem() == "Must be at least 1."
    assert row.problem_shown == "Must be at least 1.  /items/1/qty"
    assert row.problem_rect.height() > 0
    form.type("items/1/qty", "x")
    assert row.problem_shown.endswith("  /items/1/qty")
    row.say("Added 3 rows.")
    form.type("items/1/qty", "5")
    form.view.show_problems({})
    assert not row.problem_shown


@pytest.mark.parametrize("kind", ["string", "integer"])
def test_a_member_with_a_name_of_ones_own_stays_while_one_types(hand: Callable[..., Hand], kind: str) -> None:
    form = hand({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": kind}}}})
    form.add_member("m", "key")
    form.type("m/key", "7")
    form.clear("m/key")
    assert form.sent == {"m": {"key": "" if kind == "string" else None}}
    if kind == "integer":
        form.type("m/key", "7x")
        assert form.sent == {"m": {"key": None}}
        assert form.input("m/key").text() == "7x"
        assert "null is sent in its place" in form.row("m/key").problem()
    form.row("m/key").set_state(None)  # that is what the menu and the cross are for
    assert form.sent == {}


def test_what_a_new_item_begins_with_is_replaced_by_what_is_typed(hand: Callable[..., Hand]) -> None:
    form = hand({"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}}})
    form.add_item("l")
    write(form.view.focused(), "7")
    assert form.sent == {"l": [7]}
