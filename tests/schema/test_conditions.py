"""`if`/`then`/`else` and dependencies hold wherever they stand: in lists, items and references, at any depth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector.schema.fields import Field, Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext

# An object whose member `k` decides which others there are.
PICKY: dict[str, Any] = {
    "type": "object",
    "properties": {"k": {"enum": ["a", "b"]}},
    "if": {"properties": {"k": {"const": "a"}}, "required": ["k"]},
    "then": {
        "properties": {"x": {"type": "integer"}},
        "required": ["x"],
        "dependentSchemas": {"x": {"properties": {"y": {"type": "boolean"}}}},
        "if": {"properties": {"x": {"minimum": 5}}, "required": ["x"]},
        "then": {"properties": {"big": {"type": "string"}}},
    },
    "else": {"properties": {"z": {"type": "string"}}},
    "dependentRequired": {"z": ["why"]},
}


def fields_at(root: Field, value: Any, *path: str | int) -> dict[str | int, Field]:
    """The fields inside of a place, as the form walks there."""
    node: Any = jsontext.parse(json.dumps(value))
    field = root
    for key in path:
        field = next(one for one in field.children(node) if one.key == key)
        node = node.get(key)
        if field.kind is FieldKind.UNION:
            chosen = field.detect(node)
            assert chosen is not None
            field = field.branch(chosen)
    return {one.key: one for one in field.children(node)}


@pytest.mark.parametrize(
    ("schema", "path", "wrap"),
    [
        (PICKY, (), lambda v: v),
        ({"properties": {"o": PICKY}}, ("o",), lambda v: {"o": v}),
        ({"properties": {"l": {"items": PICKY}}}, ("l", 1), lambda v: {"l": [{}, v]}),
        ({"properties": {"t": {"prefixItems": [{}, PICKY]}}}, ("t", 1), lambda v: {"t": [0, v]}),
        ({"properties": {"m": {"additionalProperties": PICKY}}}, ("m", "any"), lambda v: {"m": {"any": v}}),
        (
            {"properties": {"u": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/p"}]}}, "$defs": {"p": PICKY}},
            ("u",),
            lambda v: {"u": v},
        ),
        (
            {
                "properties": {"l": {"items": {"$ref": "#/$defs/p"}}},
                "$defs": {"p": {"allOf": [{"properties": {"in": {"$ref": "#/$defs/p"}}}, PICKY]}},
            },
            ("l", 0, "in", "in"),
            lambda v: {"l": [{"in": {"in": v}}]},
        ),
    ],
)
def test_conditions_are_live_at_any_depth(schema: dict[str, Any], path: tuple[str | int, ...], wrap: Any) -> None:
    root = Form({"type": "object", **schema}).root
    assert "z" in fields_at(root, wrap({}), *path)
    then = fields_at(root, wrap({"k": "a"}), *path)
    assert "z" not in then
    assert then["x"].required
    assert "y" not in then
    assert fields_at(root, wrap({"k": "a", "x": 1}), *path)["y"].kind is FieldKind.BOOLEAN
    assert "big" in fields_at(root, wrap({"k": "a", "x": 7}), *path)  # a condition inside of what a condition brings
    assert fields_at(root, wrap({"k": "b", "z": ""}), *path)["why"].required


LISTED: dict[str, Any] = {
    "type": "array",
    "if": {"contains": {"const": "number"}},
    "then": {"items": {"type": ["number", "string"]}, "minItems": 2},
    "else": {"items": {"type": "string"}, "maxItems": 3},
}


def test_a_list_has_the_items_that_its_condition_gives() -> None:
    field = Form({"type": "object", "properties": {"l": LISTED}}).root.member("l")
    words, numbers = (jsontext.parse(text) for text in ('["a"]', '["number", 1]'))
    assert field.applied(words).item(0).kind is FieldKind.STRING
    assert field.applied(words).max_items == 3
    assert field.applied(numbers).item(1).kind is FieldKind.UNION
    assert field.applied(numbers).min_items == 2
    assert field.applied(words) is field.applied(jsontext.parse('["b"]'))
    assert [one.kind for one in field.children(words)] == [FieldKind.STRING]


def test_a_first_item_decides_about_the_others() -> None:
    schema = {
        "type": "array",
        "if": {"prefixItems": [{"const": "point"}], "minItems": 1},
        "then": {"prefixItems": [{}, {"type": "number"}, {"type": "number"}], "items": False},
    }
    field = Form(schema).root
    assert field.applied(jsontext.parse('["point"]')).positions == 3
    assert [one.kind for one in field.children(jsontext.parse('["point"]'))][1:] == [FieldKind.NUMBER] * 2
    assert field.applied(jsontext.parse('["line"]')).positions == 0
