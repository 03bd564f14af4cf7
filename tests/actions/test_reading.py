"""What is wrong in a collection is said with its place, and what is somebody else's is left alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector import resources
from mcp_inspector.actions.reading import read, read_action, read_file
from mcp_inspector.actions.values import MissingValue, Values
from mcp_inspector.schema.jsonpath import JsonPath, PathError, to_path
from mcp_inspector.wire import jsontext

ACTION = {"name": "a", "kind": "tool", "server": "s", "target": "t"}


def said(**more: Any) -> str:
    return "\n".join(map(str, read(json.dumps({"actions": [{**ACTION, **more}]})).oddities))


def test_the_sample_has_nothing_odd() -> None:
    collection = read_file(resources.path("samples/demo.mcp.json"))
    assert collection.oddities == ()
    assert len(collection.actions) == 8


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"kind": "tol"}, '/actions/0/kind): "kind" must be one of'),
        ({"target": 7}, '/actions/0/target): "target" must be text'),
        ({"timeout": -1}, "/actions/0/timeout)"),
        ({"assert": [{}]}, "/actions/0/assert/0): An assertion needs a check"),
        ({"assert": [{"equal": 1, "error": False}]}, '"equal" has no effect; perhaps "equals" is meant'),
        ({"assert": [{"path": "a.b", "equals": 1}]}, "is no JSONPath"),
        ({"assert": [{"matches": "("}]}, "is no regular expression"),
        ({"assert": [{"count": -1}]}, "/actions/0/assert/0/count"),
        ({"argument": {}}, '"argument" has no effect; perhaps "arguments" is meant'),
        ({"arguments": {"x": "${nobody}"}}, "${nobody} is defined nowhere here"),
        ({"variables": {"api_key": "sk-1"}}, "looks like a secret"),
        ({"kind": "chain"}, '"steps" is required'),
    ],
)
def test_what_is_wrong_is_said_with_its_place(more: dict[str, Any], words: str) -> None:
    assert words in said(**more)


def test_two_actions_of_one_name_and_a_member_that_stands_twice() -> None:
    action = json.dumps(ACTION)
    collection = read(f'{{"actions": [{action}, {action}], "x": 1, "x": 2}}')
    words = "\n".join(map(str, collection.oddities))
    assert 'There is an action "a" before this one' in words
    assert '"x" stands here twice' in words
    assert not collection.usable


def test_what_is_somebody_elses_stays_and_says_nothing() -> None:
    assert said(**{"x-owner": "me", "labels": [1]}) == ""
    assert said(variables={"api_key": "${secret:api_key}", "token": "${env:TOKEN}"}) == ""


def test_a_file_that_is_none(tmp_path: Any) -> None:
    assert "cannot be read" in str(read_file(tmp_path / "gone.mcp.json").oddities[0])
    assert str(read('{"actions": [\n  {"name": }\n]}').oddities[0]).startswith("line 2: It is not JSON")
    for text in ("[]", "1", '{"actions": 5}', '{"actions": [1]}', "{}"):
        assert not read(text).usable
    action, oddities = read_action('{"name": "x"}')
    assert action is None
    assert oddities


def test_values_keep_their_spelling_and_type() -> None:
    values = Values({"n": "1.50", "s": '"a\\"b"', "o": '{"k": [1e400]}', "r": '"${env:TOKEN}"'}, {"TOKEN": "geheim"})
    filled = values.fill_json('{"a": "${n}", "b": "<${s}>", "c": "${o}", "d": "$${n}", "e": "${gone:-x}", "f": 1.0}')
    assert filled == '{"a": 1.50, "b": "<a\\"b>", "c": {"k": [1e400]}, "d": "${n}", "e": "x", "f": 1.0}'
    assert values.fill_text("u://${r}/${n}") == "u://geheim/1.50"
    assert values.hide("it is geheim") == "it is •••"
    with pytest.raises(MissingValue, match="has no value"):
        values.fill_text("${gone}")
    with pytest.raises(MissingValue, match="defined by itself: a → b → a"):
        Values({"a": '"${b}"', "b": '"${a}"'}).fill_text("${a}")


def test_paths_find_nodes_with_their_spelling() -> None:
    root = jsontext.parse('{"a": [{"n": 1.0}, {"n": 2e0}], "x.y": {"ü": "z"}, "it\'s": 1}')
    assert [node.raw for node in JsonPath("$.a[?@.n > 1].n").find(root)] == ["2e0"]
    assert [node.raw for node in JsonPath("$..n").find(root)] == ["1.0", "2e0"]
    for path in (("a", 0, "n"), ("x.y", "ü"), ("it's",)):
        assert [node.raw for node in JsonPath(to_path(path)).find(root)] == [jsontext.find(root, path).raw]  # type: ignore[union-attr]  # it is there
    assert JsonPath("$").find(jsontext.parse('"text"'))[0].raw == '"text"'
    assert JsonPath("$.x").find(jsontext.parse('"{\\"x\\": 1}"')) == []
    for text in ("", "a", "$.", "$[", "$.a[?", "$.a[?@.b ==]"):
        with pytest.raises(PathError, match="is no JSONPath"):
            JsonPath(text)
