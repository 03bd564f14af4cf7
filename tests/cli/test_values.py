"""``key=value`` words become JSON by the tool's schema, without a change of spelling."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from mcp_inspector.cli.exits import UsageError
from mcp_inspector.cli.values import merged, pairs, typed

SCHEMA: dict[str, Any] = {
    "$defs": {"Size": {"enum": ["s", "m", 3, None]}, "Count": {"type": "integer"}},
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "n": {"type": "number"},
        "i": {"$ref": "#/$defs/Count"},
        "flag": {"type": "boolean"},
        "list": {"type": "array", "items": {"type": "string"}},
        "map": {"type": "object"},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"type": ["integer", "string"]},
        "size": {"$ref": "#/$defs/Size"},
        "any": {},
        "open": True,
    },
}


def value(word: str) -> str:
    ((_, text),) = typed(pairs([word]), json.dumps(SCHEMA).encode()).items()
    return text.decode()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("text=5", '"5"'),
        ("text=", '""'),
        ("text=a=b", '"a=b"'),
        ('text="q"', r'"\"q\""'),
        ("text= x \n", r'" x \n"'),
        ("n=1.50", "1.50"),
        ("n=1e400", "1e400"),
        ("n=9007199254740993", "9007199254740993"),
        ("i=7", "7"),
        ("flag=true", "true"),
        ("list=[1.0, 2]", "[1.0, 2]"),
        ('map={"b": 1, "a": 2.0, "b": 3}', '{"b": 1, "a": 2.0, "b": 3}'),
        ("maybe=3", "3"),
        ("maybe=null", "null"),
        ("either=3", "3"),
        ("either=three", '"three"'),
        ("size=s", '"s"'),
        ("size=3", "3"),
        ("size=null", "null"),
        ("any=5", '"5"'),
        ("open=5", '"5"'),
        ("unknown=5", '"5"'),
        ("n:=[1.0]", "[1.0]"),
        ("text:=5", "5"),
        ("any:=null", "null"),
    ],
)
def test_values_by_the_schema(word: str, expected: str) -> None:
    assert value(word) == expected


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("n=soon", "n should be a number"),
        ("n=", "n should be a number"),
        ("i=1.5", "i should be an integer"),
        ("flag=yes", "flag should be a boolean"),
        ("flag=1", "flag should be a boolean"),
        ("list=a,b", "list should be an array"),
        ("list={}", "list should be an array"),
        ("map=[]", "map should be an object"),
        ("maybe=x", "maybe should be"),
        ("size=xl", 'size should be one of "s", "m", 3'),
        ("n:=soon", "n:= is not JSON"),
        ("n:=1 2", "n:= is not JSON"),
        ("=5", "is no argument"),
        ("word", "is no argument"),
    ],
)
def test_what_does_not_fit_is_said(word: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        value(word)
    assert "`" not in str(caught.value)


@pytest.mark.parametrize("schema", [None, b"{}", b"true", b"not json", b'{"properties": 7}', b"[]"])
def test_without_a_usable_schema_values_are_texts(schema: bytes | None) -> None:
    assert typed(pairs(["a=5", "b:=5"]), schema) == {"a": b'"5"', "b": b"5"}


def test_pairs_go_over_the_given_arguments() -> None:
    base = b'{"a": 1.0, "b": {"x":1,"x":2}}'
    assert merged(base, {"a": b"2.50", "c": b'"n"'}) == b'{"a":2.50,"b":{"x":1,"x":2},"c":"n"}'
    assert merged(base, {}) == base
    assert merged(None, {}) is None
    assert msgspec.json.decode(merged(None, {"é": b"1"}) or b"") == {"é": 1}
