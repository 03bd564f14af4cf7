"""Edits change one place of the text and nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.schema import textedit
from mcp_inspector.schema.textedit import PlaceError
from mcp_inspector.wire import jsontext

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
containers = st.lists(json_values, max_size=5) | st.dictionaries(st.text(max_size=3), json_values, max_size=5)
indents = st.sampled_from([None, 0, 2, 4])


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found.extend(paths(item, (*path, key)))
    return found


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@given(containers, indents, st.data())
def test_set_replaces_just_the_value(value: Any, indent: int | None, data: st.DataObject) -> None:
    text = json.dumps(value, indent=indent)
    path = data.draw(st.sampled_from(paths(value)))
    root = jsontext.parse(text)
    node = jsontext.find(root, path)
    assert node is not None
    changed = textedit.set_value(root, path, "1.50").apply(text)
    assert changed == text[: node.start] + "1.50" + text[node.end :]


@given(containers, indents, st.text(max_size=3), st.data())
def test_new_members_and_elements(value: Any, indent: int | None, name: str, data: st.DataObject) -> None:
    text = json.dumps(value, indent=indent)
    path = data.draw(st.sampled_from([p for p in paths(value) if isinstance(at(value, p), dict | list)]))
    expected = copy.deepcopy(value)
    target = at(expected, path)
    key: str | int = name if isinstance(target, dict) else len(target)
    if isinstance(target, dict):
        target[name] = {"x": []}
    else:
        target.append({"x": []})
    changed = textedit.set_value(jsontext.parse(text), (*path, key), '{"x": []}').apply(text)
    assert json.loads(changed) == expected
    assert list(json.loads(changed)) == list(expected)


@given(st.lists(json_values, max_size=5), indents, st.data())
def test_insert_remove_and_move(value: list[Any], indent: int | None, data: st.DataObject) -> None:
    text = json.dumps({"list": value}, indent=indent)
    index = data.draw(st.integers(0, len(value)))
    inserted = textedit.insert_item(jsontext.parse(text), ("list",), index, '"new"').apply(text)
    assert json.loads(inserted) == {"list": [*value[:index], "new", *value[index:]]}
    if indent and value:
        assert inserted == json.dumps(json.loads(inserted), indent=indent)
    back = textedit.remove(jsontext.parse(inserted), ("list", index)).apply(inserted)
    assert json.loads(back) == {"list": value}
    if value:
        assert jsontext.compact(back) == jsontext.compact(text)
        source, target = data.draw(st.integers(0, len(value) - 1)), data.draw(st.integers(0, len(value) - 1))
        moved = textedit.move_item(jsontext.parse(text), ("list",), source, target).apply(text)
        expected = [*value]
        expected.insert(target, expected.pop(source))
        assert json.loads(moved) == {"list": expected}
        assert len(moved) == len(text)


@given(st.dictionaries(st.text(max_size=3), json_values, min_size=1, max_size=5), indents, st.data())
def test_remove_and_rename_members(value: dict[str, Any], indent: int | None, data: st.DataObject) -> None:
    text = json.dumps(value, indent=indent)
    name = data.draw(st.sampled_from(list(value)))
    removed = textedit.remove(jsontext.parse(text), (name,)).apply(text)
    assert json.loads(removed) == {key: item for key, item in value.items() if key != name}
    if indent:
        assert removed == json.dumps(json.loads(removed), indent=indent)
    renamed = textedit.rename(jsontext.parse(text), (name,), 'ne"w').apply(text)
    assert [*json.loads(renamed)][[*value].index(name)] == 'ne"w'


def test_layout_of_the_neighbours_is_followed() -> None:
    def put(text: str, path: tuple[str | int, ...], value: str = "1") -> str:
        return textedit.set_value(jsontext.parse(text), path, value).apply(text)

    assert put("{}", ("a",)) == '{\n  "a": 1\n}'
    assert put('{\n  "a": 1\n}', ("b",)) == '{\n  "a": 1,\n  "b": 1\n}'
    assert put('{"a":1,"b":2}', ("c",)) == '{"a":1,"b":2,"c": 1}'
    assert put('{"a": 1}', ("b",)) == '{"a": 1, "b": 1}'
    assert put('{\n  "a": {}\n}', ("a", "b")) == '{\n  "a": {\n    "b": 1\n  }\n}'
    assert put('{\n  "a": {}\n}', ("b", "c")) == '{\n  "a": {},\n  "b": {"c": 1}\n}'
    assert put("[\n    1\n]", (1,)) == "[\n    1,\n    1\n]"
    assert put(" { } ", ("a",)) == ' {\n   "a": 1\n } '


def test_containers_on_the_way_are_made() -> None:
    text = textedit.set_value(jsontext.parse("{}"), ("home", "tags", 0, "n"), "1").apply("{}")
    assert json.loads(text) == {"home": {"tags": [{"n": 1}]}}


def test_a_new_member_finds_the_place_the_schema_gives_it() -> None:
    order = ["a", "b", "c", "d"]
    text = '{"b": 1, "x": 0, "d": 2}'
    root = jsontext.parse(text)
    assert textedit.set_value(root, ("a",), "0", order).apply(text) == '{"a": 0, "b": 1, "x": 0, "d": 2}'
    assert textedit.set_value(root, ("c",), "0", order).apply(text) == '{"b": 1, "c": 0, "x": 0, "d": 2}'
    assert textedit.set_value(root, ("y",), "0", order).apply(text) == '{"b": 1, "x": 0, "d": 2, "y": 0}'


@pytest.mark.parametrize(
    "path",
    [("a", "b"), ("list", 5), ("list", "x"), (0,), ("new", 1), ("a", 0)],
    ids=lambda path: jsontext.pointer(path),
)
def test_places_that_cannot_be(path: tuple[str | int, ...]) -> None:
    with pytest.raises(PlaceError):
        textedit.set_value(jsontext.parse('{"a": 1, "list": [1]}'), path, "1")


def test_what_is_not_there_cannot_be_removed() -> None:
    root = jsontext.parse('{"a": [1]}')
    for path in [(), ("b",), ("a", 1), ("a", 0, "x")]:
        with pytest.raises(PlaceError):
            textedit.remove(root, path)
    with pytest.raises(PlaceError):
        textedit.move_item(root, ("a",), 0, 1)
    with pytest.raises(PlaceError):
        textedit.insert_item(root, (), 0, "1")
    with pytest.raises(PlaceError):
        textedit.rename(root, ("a", 0), "x")
