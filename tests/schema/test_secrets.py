"""Values of `format: password` and `writeOnly` are found wherever they stand, and nothing else is taken out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.secrets import may_have_secrets, without_secrets
from mcp_inspector.wire import jsontext

PASSWORD = {"type": "string", "format": "password"}
WRITE_ONLY = {"type": "string", "writeOnly": True}


def left(schema: dict[str, Any], text: str) -> str | None:
    source = Form(schema).source
    assert may_have_secrets(source)
    return without_secrets(source, jsontext.parse(text))


@pytest.mark.parametrize(
    ("schema", "text", "kept"),
    [
        ({"properties": {"p": PASSWORD, "u": {}}}, '{"u": 1.0, "p": "hush"}', '{"u": 1.0}'),
        ({"properties": {"p": WRITE_ONLY}}, '{"p": "hush", "x": [9007199254740993]}', '{"x": [9007199254740993]}'),
        ({"properties": {"a": {"properties": {"p": PASSWORD}}}}, '{"a": {"p": "hush"}}', '{"a": {}}'),
        ({"properties": {"l": {"items": PASSWORD}}}, '{"l": ["hush", "hush"], "n": 1}', '{"l": ["", ""], "n": 1}'),
        (
            {"properties": {"l": {"items": {"properties": {"p": PASSWORD}}}}},
            '{"l": [{"p": "hush", "n": 1}, {"n": 2}]}',
            '{"l": [{"n": 1}, {"n": 2}]}',
        ),
        ({"properties": {"t": {"prefixItems": [{}, PASSWORD]}}}, '{"t": ["me", "hush", 3]}', '{"t": ["me", "", 3]}'),
        ({"additionalProperties": PASSWORD}, '{"a": "hush", "b": "hush"}', "{}"),
        ({"patternProperties": {"^p": PASSWORD}}, '{"p1": "hush", "u": 1}', '{"u": 1}'),
        ({"oneOf": [{"properties": {"p": PASSWORD}}, {"properties": {"q": {}}}]}, '{"p": "hush", "q": 1}', '{"q": 1}'),
        (
            {"if": {"required": ["u"]}, "then": {"properties": {"p": PASSWORD}}},
            '{"u": 1, "p": "hush"}',
            '{"u": 1}',
        ),
        ({"dependentSchemas": {"u": {"properties": {"p": PASSWORD}}}}, '{"u": 1, "p": "hush"}', '{"u": 1}'),
        (
            {"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}, "p": PASSWORD}}}},
            '{"p": "hush", "n": {"p": "hush", "n": {"p": "hush", "k": 1}}}',
            '{"n": {"n": {"k": 1}}}',
        ),
        ({"properties": {"p": PASSWORD}}, '{"p": "hush", "p": "hush", "q": 1}', '{"q": 1}'),
        ({"properties": {"p": {"writeOnly": True, "properties": {"q": {}}}}}, '{"p": {"q": "hush"}}', "{}"),
        ({"properties": {"p": {"anyOf": [PASSWORD, {"type": "null"}]}}}, '{"p": "hush"}', "{}"),
    ],
)
def test_secrets_are_left_out_at_any_depth_and_the_rest_stays_as_spelled(
    schema: dict[str, Any], text: str, kept: str
) -> None:
    assert left(schema, text) == kept


def test_nothing_is_kept_of_what_is_a_secret_as_a_whole_or_cannot_be_told() -> None:
    assert left({"type": "object", "writeOnly": True}, '{"p": "hush"}') is None
    inside = {"properties": {"a": {"properties": {"p": PASSWORD}}}}
    assert left(inside, '{"a": {"p": "hush"}, "a": {"p": "hush"}}') is None  # the first one cannot be reached
    many = ", ".join(f'"p{n}": "hush"' for n in range(300))
    assert left({"additionalProperties": PASSWORD}, f"{{{many}}}") is None


def test_schemas_without_secrets_cost_nothing_and_change_nothing() -> None:
    source = Form({"properties": {"password": {"type": "string"}, "write": {}}}).source
    text = '{ "password" : "not called a secret by its schema" }'
    assert without_secrets(source, jsontext.parse(text)) == text


def test_an_escaped_keyword_is_a_keyword() -> None:
    source = Form('{"properties": {"p": {"\\u0066ormat": "\\u0070assword"}}}').source
    assert may_have_secrets(source)
    assert without_secrets(source, jsontext.parse('{"p": "hush"}')) == "{}"


_names = st.sampled_from(["a", "b", "p"])
_schemas = st.recursive(
    st.sampled_from([PASSWORD, WRITE_ONLY, {"type": "string"}, {}]),
    lambda inner: st.one_of(
        st.builds(lambda members: {"properties": members}, st.dictionaries(_names, inner, max_size=3)),
        st.builds(lambda item: {"items": item}, inner),
        st.builds(lambda options: {"anyOf": options}, st.lists(inner, min_size=1, max_size=2)),
    ),
    max_leaves=6,
)
_values = st.recursive(
    st.just("hush"),
    lambda inner: st.one_of(st.dictionaries(_names, inner, max_size=3), st.lists(inner, max_size=3)),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(schema=_schemas, value=_values)
def test_what_is_kept_holds_no_secret_any_more(schema: Any, value: Any) -> None:
    import json

    source = Form({"type": "object", "properties": {"v": schema}}).source
    kept = without_secrets(source, jsontext.parse(json.dumps({"v": value})))
    assert kept is not None
    again = without_secrets(source, jsontext.parse(kept))
    assert again == kept  # whatever it takes out, it takes out at once
    if schema in (PASSWORD, WRITE_ONLY):
        assert "hush" not in kept
