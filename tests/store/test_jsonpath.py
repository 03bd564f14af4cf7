"""Paths into messages, which the filter line and the columns of the traffic use."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mcp_inspector.store import jsonpath
from mcp_inspector.store.jsonpath import PathError, parse

BODY = (
    b'{"id":1,"params":{"name":"echo","_meta":{"io.x/y":true},"arguments":{"city":"K\\u00f6ln","n":9007199254740993,'
    b'"list":[{"a":1.0},{"a":1e400},{"b":2}],"empty":null}}, "params2" : [ ] }'
)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$.params.name", [b'"echo"']),
        ("$.params.arguments.n", [b"9007199254740993"]),
        ("$.params.arguments.list[0].a", [b"1.0"]),
        ("$.params.arguments.list[*].a", [b"1.0", b"1e400"]),
        ('$.params._meta["io.x/y"]', [b"true"]),
        ("$.params._meta['io.x/y']", [b"true"]),
        ("$.params.arguments.empty", [b"null"]),
        ("$.params.arguments.list[7]", []),
        ("$.params.name.deeper", []),
        ("$.params2", [b"[ ]"]),
        ("$[0]", []),
    ],
)
def test_values_as_they_are_spelled(path, values):
    found = parse(path)
    assert list(found.values(BODY)) == values
    assert found.first(BODY) == (values[0] if values else None)
    assert parse(str(found)) == found


@pytest.mark.parametrize(
    ("path", "place"), [("params", 0), ("$", 0), ("$.", 1), ("$.a[", 3), ("$.a[x]", 3), ("$.a b", 3)]
)
def test_what_is_no_path_says_where(path, place):
    with pytest.raises(PathError) as caught:
        parse(path)
    assert caught.value.position == place


@pytest.mark.parametrize("text", [b"", b"no", b'{"params":', b"[" * 5000, b'{"params":{"name":"x"'])
def test_what_is_no_json_has_no_values(text):
    assert parse("$.params.name").first(text) is None


def test_of_members_of_one_name_the_last_counts():
    assert parse("$.a").first(b'{"a":1,"a":2}') == b"2"


def test_words_and_numbers():
    assert jsonpath.words(b'"K\\u00f6ln\\n"') == "Köln\n"
    assert jsonpath.words(b"1.0") == "1.0"
    assert jsonpath.number(b"9007199254740993") == Decimal(9007199254740993)
    assert jsonpath.number(b"1e400") == Decimal("1e400")
    assert jsonpath.number(b'"1"') is None
    assert jsonpath.spelled(["a b", 0, "c"]) == '$["a b"][0].c'
