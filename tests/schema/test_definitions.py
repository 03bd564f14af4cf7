"""How bad a change of a list is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector.schema.definitions import Weight, compare_lists, compare_server

B, D, M = Weight.BREAKING, Weight.DANGEROUS, Weight.MINOR


def items(*values: Any) -> list[bytes]:
    return [json.dumps(value).encode() for value in values]


def tool(name: str = "t", **members: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"type": "object"}, **members}


def args(required: list[str] = [], **properties: Any) -> dict[str, Any]:  # noqa: B006 - never changed
    return tool(inputSchema={"type": "object", "properties": properties, "required": required})


TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("before", "after", "weights"),
    [
        (tool(), tool(description="new words"), [D]),
        (tool(), tool(title="T"), [M]),
        (tool(annotations={"readOnlyHint": True}), tool(annotations={"readOnlyHint": False}), [D]),
        (tool(annotations={"title": "a"}), tool(annotations={"title": "b"}), [M]),
        (tool(), tool(icons=[]), [M]),
        (tool(), tool(surprise=1), [D]),
        (args(a=TEXT), args(a=TEXT, b=TEXT), [M]),
        (args(a=TEXT), args(["b"], a=TEXT, b=TEXT), [B]),
        (args(a=TEXT), args(["a"], a=TEXT), [B]),
        (args(["a"], a=TEXT), args(a=TEXT), [M]),
        (args(a=TEXT, b=TEXT), args(a=TEXT), [B]),
        (args(a=TEXT), args(a=WHOLE), [B]),
        (args(a=WHOLE), args(a={"type": "number"}), [M]),
        (args(a={"type": "number"}), args(a=WHOLE), [B]),
        (args(a=TEXT), args(a={"type": ["string", "null"]}), [M]),
        (args(a=TEXT), args(a={"type": "string", "description": "d"}), [D]),
        (args(a=TEXT), args(a={"type": "string", "title": "d"}), [M]),
        (args(a=TEXT), args(a={"type": "string", "default": "d"}), [D]),
        (args(a=TEXT), args(a={"type": "string", "maxLength": 5}), [B]),
        (args(a={"maxLength": 5}), args(a={"maxLength": 6}), [M]),
        (args(a={"minimum": 5}), args(a={"minimum": 6}), [B]),
        (args(a={"minimum": 5}), args(a={"minimum": 5.0}), []),
        (args(a={"enum": ["x", "y"]}), args(a={"enum": ["x"]}), [B]),
        (args(a={"enum": ["x"]}), args(a={"enum": ["x", "y"]}), [M]),
        (args(a={"pattern": "a"}), args(a={"pattern": "b"}), [D]),
        (args(a={}), args(a={"pattern": "b"}), [B]),
        (args(a={"items": TEXT}), args(a={"items": WHOLE}), [B]),
        (args(a={"anyOf": [TEXT, WHOLE]}), args(a={"anyOf": [WHOLE]}), [B]),
        (args(a={"anyOf": [TEXT]}), args(a={"anyOf": [WHOLE, TEXT]}), [M]),
        (tool(), tool(inputSchema={"type": "object", "additionalProperties": False}), [B]),
        (tool(inputSchema={"type": "object", "additionalProperties": False}), tool(), [M]),
        (tool(outputSchema={"type": "object"}), tool(), [B]),
        (tool(), tool(outputSchema={"type": "object"}), [M]),
        (tool(outputSchema={"properties": {"a": TEXT}}), tool(outputSchema={"properties": {}}), [B]),
        (tool(outputSchema={"properties": {}}), tool(outputSchema={"properties": {"a": TEXT}}), [M]),
        (tool(outputSchema={"required": ["a"]}), tool(outputSchema={}), [B]),
        (tool(outputSchema={"properties": {"a": WHOLE}}), tool(outputSchema={"properties": {"a": {}}}), [B]),
        (tool(), tool(execution={"taskSupport": "required"}), [B]),
        (tool(), tool(execution={"taskSupport": "optional"}), [M]),
    ],
)
def test_each_change_of_a_tool_has_its_weight(before: Any, after: Any, weights: list[Weight]) -> None:
    found = compare_lists("tools", items(before), items(after))
    assert [each.weight for each in found.changes] == weights, found.changes
    assert found.count == bool(weights)


def test_what_stands_behind_a_reference_is_compared_and_a_moved_definition_is_no_change() -> None:
    def schema(name: str, inner: Any) -> Any:
        return tool(inputSchema={"properties": {"p": {"$ref": f"#/$defs/{name}"}}, "$defs": {name: inner}})

    loop = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    assert compare_lists("tools", items(schema("A", loop)), items(schema("B", loop))).count == 0
    [found] = compare_lists("tools", items(schema("A", TEXT)), items(schema("A", WHOLE))).changes
    assert (found.weight, found.path) == (B, ("inputSchema", "properties", "p", "type"))
    assert "p" in found.sentence


def test_things_come_go_and_are_renamed() -> None:
    before = items(tool("a", description="does"), tool("b"), tool("c"))
    after = items(tool("c"), tool("b"), tool("z", description="does"), tool("new"))
    found = compare_lists("tools", before, after)
    assert (found.added, found.removed, found.changed, found.count) == (("z", "new"), ("a",), (), 3)
    assert found.weight is B
    sentences = {(each.key, each.weight): each.sentence for each in found.changes}
    assert sentences["a", B] == "tool renamed to “z”"
    assert ("", M) in sentences  # the order


def test_prompts_resources_and_templates() -> None:
    one = {"name": "p", "arguments": [{"name": "x"}, {"name": "y", "required": True}, {"name": "gone"}]}
    two = {"name": "p", "arguments": [{"name": "x", "required": True}, {"name": "y"}, {"name": "z", "required": True}]}
    found = compare_lists("prompts", items(one), items(two)).changes
    assert [(each.path[1], each.weight) for each in found] == [("x", B), ("y", M), ("gone", B), ("z", B)]
    page = {"uri": "x:1", "name": "n", "mimeType": "text/plain"}
    found = compare_lists("resources", items(page), items({**page, "name": "m", "mimeType": "text/html"})).changes
    assert [(each.path, each.weight) for each in found] == [(("name",), M), (("mimeType",), D)]
    assert compare_lists("templates", items({"uriTemplate": "x:{a}"}), []).weight is B


def test_repeated_and_broken_things_are_matched_in_their_order() -> None:
    before = [b'{"name":"a","v":1}', b'{"name":"a","v":2}', b"5", b"{broken"]
    after = [b'{"name":"a","v":1}', b'{"name":"a","v":3}', b"5", b"{broken"]
    found = compare_lists("tools", before, after)
    assert [(each.key, each.before, each.after) for each in found.changes] == [("a", "2", "3")]


def test_large_and_many_things_stay_bounded() -> None:
    large = tool(description="x" * 600_000)
    [found] = compare_lists("tools", items(large), items({**large, "title": "t"})).changes
    assert "too large" in found.sentence
    before = items(*(tool(f"t{each}") for each in range(6_000)))
    told = compare_lists("tools", before, [])
    assert len(told.changes) == 5_000
    assert told.why
    assert len(told.removed) == 6_000


def test_a_server_that_says_something_else_of_itself() -> None:
    one = {"capabilities": {"tools": {}, "logging": {}}, "instructions": "a", "serverInfo": {"version": "1"}}
    two = {"capabilities": {"tools": {"x": 1}, "prompts": {}}, "instructions": "b", "serverInfo": {"version": "2"}}
    found = compare_server(json.dumps(one).encode(), json.dumps(two).encode())
    assert [(each.path, each.weight) for each in found] == [
        (("capabilities", "tools"), D),
        (("capabilities", "logging"), B),
        (("capabilities", "prompts"), M),
        (("instructions",), D),
        (("serverInfo",), M),
    ]
    assert compare_server(b"{", b"[]") == ()
