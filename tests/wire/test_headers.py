"""The headers of a modern request."""

import pytest

from mcp_inspector.wire import headers


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("get weather", "get weather"),
        ("", ""),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("X\r\nEvil: 1", "=?base64?WA0KRXZpbDogMQ==?="),
    ],
)
def test_values_survive_as_headers(value: str, encoded: str) -> None:
    """MOD-06: nothing that a server names can inject a header."""
    assert headers.encode(value) == encoded


def test_a_request_is_mirrored() -> None:
    """MOD-06."""
    assert headers.for_request("resources/read", "2026-07-28", {"uri": "file:///a b/ü"}) == (
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "resources/read"),
        ("Mcp-Name", "=?base64?ZmlsZTovLy9hIGIvw7w=?="),
    )
    assert len(headers.for_request("tools/list", "2026-07-28", {})) == 2


SCHEMA = {
    "type": "object",
    "properties": {
        "zone": {"type": "string", "x-mcp-header": "Zone"},
        "n": {"type": "integer", "x-mcp-header": "N"},
        "flag": {"type": "boolean", "x-mcp-header": "Flag"},
        "deep": {"type": "object", "properties": {"k": {"type": "string", "x-mcp-header": "Deep"}}},
    },
}


def test_arguments_are_mirrored_and_absent_ones_are_not() -> None:
    """MOD-07."""
    arguments = {"zone": "z-7", "n": 42, "flag": False, "deep": {"k": "v"}}
    assert headers.for_arguments(SCHEMA, arguments) == (
        ("Mcp-Param-Zone", "z-7"),
        ("Mcp-Param-N", "42"),
        ("Mcp-Param-Flag", "false"),
        ("Mcp-Param-Deep", "v"),
    )
    assert headers.for_arguments(SCHEMA, {"zone": None, "n": 42.0}) == (("Mcp-Param-N", "42"),)
    assert headers.refusal(SCHEMA) == ""


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"type": "string", "x-mcp-header": ""}},
        {"a": {"type": "string", "x-mcp-header": "a b"}},
        {"a": {"type": "string", "x-mcp-header": "X\r\nEvil: 1"}},
        {"a": {"type": "string", "x-mcp-header": 5}},
        {"a": {"type": "string", "x-mcp-header": "Zone"}, "b": {"type": "string", "x-mcp-header": "zone"}},
        {"a": {"type": "object", "x-mcp-header": "A"}},
        {"a": {"type": "number", "x-mcp-header": "A"}},
        {"a": {"type": ["string", "null"], "x-mcp-header": "A"}},
        {"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}},
        {"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}},
    ],
)
def test_invalid_annotations_exclude_the_tool(properties: dict[str, object]) -> None:
    """MOD-07."""
    assert headers.refusal({"type": "object", "properties": properties})


def test_a_property_that_is_called_like_the_keyword_is_none() -> None:
    assert headers.refusal({"type": "object", "properties": {"x-mcp-header": {"type": "string"}}}) == ""
