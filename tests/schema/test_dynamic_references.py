"""`$dynamicRef` and `$recursiveRef` inside of one document: the outermost schema with the anchor says what it is."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.schema.fields import Field, Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire import jsontext

TREE = {
    "$id": "https://example.invalid/tree",
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"data": {}, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
}
STRICT: dict[str, Any] = {
    "$id": "https://example.invalid/strict-tree",
    "$dynamicAnchor": "node",
    "$ref": "tree",
    "properties": {"data": {"type": "integer"}},
    "unevaluatedProperties": False,
    "$defs": {"tree": TREE},
}
LIST = {
    "$id": "list",
    "type": "array",
    "items": {"$dynamicRef": "#T"},
    "$defs": {"T": {"$dynamicAnchor": "T"}},
}


def inside(field: Field, *path: str | int) -> Field:
    for key in path:
        field = field.item(key) if isinstance(key, int) else field.member(key)
    return field


def test_a_tree_that_is_made_strict_is_strict_at_every_depth() -> None:
    root = Form(STRICT).root
    for path in ((), ("children", 0), ("children", 0, "children", 3, "children", 0)):
        field = inside(root, *path)
        assert field.closed, path
        assert inside(field, "data").kind is FieldKind.INTEGER, path
    loose = Form({"$ref": "tree", "$id": "https://example.invalid/x", "$defs": {"tree": TREE}}).root
    assert not inside(loose, "children", 0).closed
    assert inside(loose, "children", 0, "data").kind is FieldKind.ANY


@pytest.mark.parametrize(("kind", "found"), [("string", FieldKind.STRING), ("boolean", FieldKind.BOOLEAN)])
def test_a_generic_list_has_items_of_the_kind_it_is_given(kind: str, found: FieldKind) -> None:
    schema = {
        "$id": "https://example.invalid/list-of",
        "$ref": "list",
        "$defs": {"mine": {"$dynamicAnchor": "T", "type": kind}, "list": LIST},
    }
    assert inside(Form(schema).root, 0).kind is found


def test_two_members_give_the_same_list_two_kinds() -> None:
    def of(name: str, kind: str) -> dict[str, Any]:
        return {"$id": name, "$ref": "list", "$defs": {"mine": {"$dynamicAnchor": "T", "type": kind}}}

    schema = {
        "$id": "https://example.invalid/both",
        "type": "object",
        "properties": {
            "texts": of("texts", "string"),
            "numbers": of("numbers", "number"),
            "either": {"anyOf": [of("e1", "string"), {"type": "object", "properties": {"x": of("e2", "integer")}}]},
        },
        "$defs": {"list": LIST},
    }
    root = Form(schema).root
    assert inside(root, "texts", 0).kind is FieldKind.STRING
    assert inside(root, "numbers", 0).kind is FieldKind.NUMBER
    assert inside(root, "texts", 1).kind is FieldKind.STRING  # the order in which one looks does not matter
    either = inside(root, "either")
    assert inside(either.branch(0), 0).kind is FieldKind.STRING
    assert inside(either.branch(1), "x", 0).kind is FieldKind.INTEGER
    text = '{"texts": ["a"], "numbers": [1], "either": {"x": [1]}}'
    assert Checker(Form(schema).source).check(text) == []
    assert either.detect(jsontext.parse('{"x": [1]}')) == 1


def test_a_dynamic_reference_to_an_ordinary_anchor_is_an_ordinary_one() -> None:
    schema = {
        "$id": "https://example.invalid/root",
        "$ref": "list",
        "$defs": {
            "mine": {"$dynamicAnchor": "T", "type": "string"},
            "list": {**LIST, "$defs": {"T": {"$anchor": "T", "type": "null"}}},
        },
    }
    assert inside(Form(schema).root, 0).kind is FieldKind.NULL


def test_without_resources_it_is_the_anchor_of_the_document() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$dynamicRef": "#T"}},
        "$defs": {"t": {"$dynamicAnchor": "T", "type": "integer"}},
    }
    assert inside(Form(schema).root, "a").kind is FieldKind.INTEGER


def test_recursive_references_of_2019_09_follow_the_outermost_that_says_so() -> None:
    tree = {
        "$id": "tree",
        "$recursiveAnchor": True,
        "type": "object",
        "properties": {"children": {"type": "array", "items": {"$recursiveRef": "#"}}},
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "$id": "https://example.invalid/strict",
        "$recursiveAnchor": True,
        "$ref": "tree",
        "unevaluatedProperties": False,
        "$defs": {"tree": tree},
    }
    assert inside(Form(schema).root, "children", 0, "children", 0).closed
    assert not inside(Form({**schema, "$recursiveAnchor": False}).root, "children", 0).closed
