"""One document under two views: what is typed is never lost, and only what is there is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.schema.document import Change, Document, State
from mcp_inspector.schema.textedit import PlaceError
from mcp_inspector.wire.jsontext import JsonError


def test_the_form_writes_into_the_text() -> None:
    """SCH-01: what was not touched is not there."""
    document = Document()
    document.set(("q",), '"x"')
    assert document.text == '{\n  "q": "x"\n}'
    assert document.wire_bytes() == b'{"q":"x"}'


def test_a_tool_without_parameters_gets_an_empty_object() -> None:
    """SCH-40."""
    assert Document().wire_bytes() == b"{}"


def test_typed_and_cleared_again_is_omitted_and_empty_is_a_state_of_its_own() -> None:
    """SCH-03."""
    document = Document()
    document.set(("price",), "5")
    document.set_string(("note",), "x")
    assert document.state(("price",)) is State.FILLED
    document.remove(("price",))
    document.remove(("note",))
    assert document.wire_bytes() == b"{}"
    assert document.state(("note",)) is State.OMITTED
    document.set_string(("note",), "")
    assert (document.wire_bytes(), document.state(("note",))) == (b'{"note":""}', State.EMPTY)
    document.set(("note",), "null")
    assert document.state(("note",)) is State.NULL
    document.set(("note",), "[ ]")
    assert document.state(("note",)) is State.EMPTY
    assert not document.remove(("nothing",))


def test_invalid_text_keeps_the_last_valid_tree_and_cannot_be_sent() -> None:
    """SCH-33."""
    document = Document('{"b": null}')
    document.edit_text(6, 10, "")
    assert document.text == '{"b": }'
    assert not document.valid
    assert document.error is not None
    assert (document.error.line, document.error.column) == (1, 7)
    assert document.raw(("b",)) == "null"
    with pytest.raises(JsonError):
        document.wire_bytes()
    with pytest.raises(JsonError):
        document.set(("c",), "1")
    assert document.text == '{"b": }'
    document.edit_text(6, 6, "7")
    assert document.valid
    assert document.raw(("b",)) == "7"


def test_text_that_was_never_json_has_no_tree() -> None:
    document = Document('{"a": ')
    assert document.root is None
    assert document.node(()) is None
    assert document.state(()) is State.OMITTED
    assert document.duplicates() == []


def test_what_the_form_writes_must_be_json() -> None:
    document = Document()
    with pytest.raises(JsonError):
        document.set(("a",), "1, 2")
    with pytest.raises(JsonError):
        document.insert((), 0, "nope")
    assert document.text == "{}"
    with pytest.raises(PlaceError):
        Document('{"a": 1}').set(("a", "b"), "1")


def test_spelling_survives_edits_beside_it() -> None:
    text = '{\n "id" : 9007199254740993, "x": 1.0,"x":1e400,\t"s": "\\u0041", "unknown": [ -0 ]\n}'
    document = Document(text)
    document.set(("q",), "true")
    document.set(("unknown", 0), "1")
    document.set(("unknown", 0), "-0")
    document.remove(("q",))
    assert document.text == text
    assert document.wire_bytes() == b'{"id":9007199254740993,"x":1.0,"x":1e400,"s":"\\u0041","unknown":[-0]}'
    assert document.duplicates() == [(("x",), text.index('"x":1e400'))]


def test_a_string_that_is_the_same_keeps_its_spelling() -> None:
    document = Document('{"s": "\\u0041"}')
    assert not document.set_string(("s",), "A")
    assert document.text == '{"s": "\\u0041"}'
    assert not document.can_undo


def test_a_repeated_member_is_removed_as_a_whole_in_one_step() -> None:
    document = Document('{"a": 1, "b": 2, "a": 3}')
    document.remove(("a",))
    assert document.wire_bytes() == b'{"b":2}'
    document.undo()
    assert document.text == '{"a": 1, "b": 2, "a": 3}'


def test_lists_keep_the_others_when_one_goes() -> None:
    """SCH-19: add a/1, b/2, c/3, delete b, reorder."""
    document = Document('{"items": []}')
    for at, name in enumerate("abc"):
        document.set(("items", at), "{}")
        document.set_string(("items", at, "name"), name)
        document.set(("items", at, "qty"), str(at + 1))
    document.remove(("items", 1))
    assert json.loads(document.wire_bytes()) == {"items": [{"name": "a", "qty": 1}, {"name": "c", "qty": 3}]}
    document.move(("items",), 1, 0)
    document.insert(("items",), 1, '{"name": "new"}')
    assert [item["name"] for item in json.loads(document.text)["items"]] == ["c", "new", "a"]


def test_touched_follows_the_items() -> None:
    document = Document('{"items": [1, 2, 3]}')
    document.touch(("items", 2))
    assert document.touched(("items",))
    assert not document.touched(("items", 0))
    document.remove(("items", 0))
    assert document.touched(("items", 1))
    assert not document.touched(("items", 2))
    document.insert(("items",), 0, "9")
    assert document.touched(("items", 2))


def test_undo_and_redo() -> None:
    document = Document()
    assert not document.undo()
    for text in ("1", "12", "123"):
        document.set(("n",), text, merge="typing n")
    document.set(("m",), "1", merge="typing m")
    document.set_text('{"other": true}')
    assert document.undo()
    assert json.loads(document.text) == {"n": 123, "m": 1}
    assert document.undo()
    assert json.loads(document.text) == {"n": 123}
    assert document.undo()
    assert document.text == "{}"
    assert not document.can_undo
    assert document.redo()
    assert document.redo()
    assert json.loads(document.text) == {"n": 123, "m": 1}
    document.set(("x",), "1")
    assert not document.can_redo


def test_views_hear_of_every_change_and_know_their_own() -> None:
    document = Document()
    heard: list[Change] = []
    disconnect = document.changed.connect(lambda change: heard.append(change))
    view = object()
    document.set(("a",), "1", origin=view)
    document.set(("a",), "1", origin=view)
    assert [change.origin for change in heard] == [view]
    document.reset("{}")
    assert document.text == "{}"
    assert not document.modified
    assert len(heard) == 2
    disconnect()


@given(st.text(max_size=20), st.text(max_size=20))
def test_replacing_the_text_is_narrow(old: str, new: str) -> None:
    document = Document(old)
    heard: list[Change] = []
    document.changed.connect(lambda change: heard.append(change))
    document.set_text(new)
    assert document.text == new
    for change in heard:
        assert change.splice.apply(old) == new
        assert len(change.splice.new) + change.splice.end - change.splice.start <= len(old) + len(new)
    if old[:1] and old[:1] == new[:1] and heard:
        assert heard[0].splice.start >= 1
    document.undo()
    assert document.text == old


edits = st.one_of(
    st.tuples(st.just("set"), st.sampled_from("abc"), st.integers(0, 9)),
    st.tuples(st.just("remove"), st.sampled_from("abc"), st.just(0)),
    st.tuples(st.just("text"), st.sampled_from('{}"1,'), st.integers(0, 30)),
    st.tuples(st.just("undo"), st.just(""), st.just(0)),
)


@given(st.lists(edits, max_size=20))
def test_undo_always_comes_back(steps: list[tuple[str, str, int]]) -> None:
    document = Document('{"a": {"b": 1.0}}')
    for what, key, number in steps:
        if what == "undo":
            document.undo()
        elif what == "text":
            spot = min(number, len(document.text))
            document.edit_text(spot, spot, key)
        elif document.valid and document.root is not None and document.root.kind == "object":
            if what == "set":
                document.set((key,), str(number))
            else:
                document.remove((key,))
    after = document.text
    undone = 0
    while document.undo():
        undone += 1
    assert document.text == '{"a": {"b": 1.0}}'
    for _ in range(undone):
        document.redo()
    assert document.text == after


def test_forty_kilobytes_pasted_into_a_field_arrive_whole() -> None:
    pasted = ('line "quoted" \\ tab\t ünï 日本 \r\n' * 1400)[:40_000]
    document = Document()
    document.set_string(("text",), pasted)
    sent: Any = json.loads(document.wire_bytes())
    assert sent == {"text": pasted}


def test_a_lone_surrogate_can_be_sent() -> None:
    document = Document('{"s": "\ud800"}')
    assert document.wire_bytes() == b'{"s":"\\ud800"}'
