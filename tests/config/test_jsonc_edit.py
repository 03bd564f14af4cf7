"""Editing: the change arrives, and nothing else moves."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.config.jsonc import Document, Node, NodeKind, parse
from mcp_inspector.config.jsonc_edit import remove, rename, set_value

if TYPE_CHECKING:
    import random

PIECES = ["", "", " ", "\n", "\n  ", "\t", '/* {,]" */', ' // x, "y": [\n', "\r\n    "]

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=4), values, max_size=5)


def written(value: object, rng: random.Random) -> str:
    """A value as somebody might write it: odd blanks, comments, trailing commas."""

    def gap() -> str:
        return "".join(rng.choices(PIECES, k=rng.randint(0, 2)))

    if isinstance(value, dict):
        parts = [
            gap() + json.dumps(key) + gap() + ":" + gap() + written(item, rng) + gap() for key, item in value.items()
        ]
        close = "," + gap() if parts and rng.random() < 0.3 else ""
        return "{" + ",".join(parts) + close + gap() + "}"
    if isinstance(value, list):
        parts = [gap() + written(item, rng) + gap() for item in value]
        close = "," + gap() if parts and rng.random() < 0.3 else ""
        return "[" + ",".join(parts) + close + gap() + "]"
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def leaves(document: Document, skip: tuple[str | int, ...] | None = None) -> list[tuple[tuple[str | int, ...], str]]:
    """Every scalar with its path and spelling, without those at or below `skip`."""
    found = []

    def walk(node: Node, path: tuple[str | int, ...]) -> None:
        if skip is not None and path[: len(skip)] == skip:
            return
        for index, child in enumerate(node.children):
            walk(child.value, (*path, index if child.key is None else child.key))
        if node.kind not in (NodeKind.OBJECT, NodeKind.ARRAY):
            found.append((path, document.text[node.start : node.end]))

    assert document.root is not None
    walk(document.root, ())
    return found


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        found += paths(item, (*path, step))
    return found


def parent(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path[:-1]:
        value = value[step]
    return value


@given(objects.filter(bool), scalars, st.randoms(use_true_random=False))
def test_a_scalar_put_in_the_place_of_a_value_leaves_all_around_it(value: Any, new: Any, rng: random.Random) -> None:
    text = written(value, rng)
    path = rng.choice(paths(value))
    node = parse(text).find(path)
    assert node is not None
    after = set_value(text, path, new)
    assert after.startswith(text[: node.start])
    assert after.endswith(text[node.end :])
    parent(value, path)[path[-1]] = new
    assert parse(after).plain() == value


@given(objects.filter(bool), values, st.randoms(use_true_random=False))
def test_any_value_arrives_and_all_else_keeps_its_spelling(value: Any, new: Any, rng: random.Random) -> None:
    text = written(value, rng)
    path = rng.choice(paths(value))
    after = set_value(text, path, new)
    parent(value, path)[path[-1]] = new
    assert parse(after).plain() == value
    assert leaves(parse(after), path) == leaves(parse(text), path)
    assert set_value(after, path, new) == after


@given(objects, st.text(max_size=5), values, st.randoms(use_true_random=False))
def test_a_new_member_comes_last_and_comments_stay(value: Any, key: str, new: Any, rng: random.Random) -> None:
    value.pop(key, None)
    text = written(value, rng)
    after = set_value(text, (key,), new)
    assert parse(after).plain() == {**value, key: new}
    assert list(parse(after).plain())[-1] == key
    assert comments(after) == comments(text)


@given(objects.filter(bool), st.randoms(use_true_random=False))
def test_a_removed_member_takes_nothing_with_it(value: Any, rng: random.Random) -> None:
    text = written(value, rng)
    path = rng.choice(paths(value))
    after = remove(text, path)
    expected = copy.deepcopy(value)
    del parent(expected, path)[path[-1]]
    assert parse(after).plain() == expected
    spellings = [spelling for _, spelling in leaves(parse(text), path)]
    assert [spelling for _, spelling in leaves(parse(after))] == spellings


@given(objects.filter(bool), st.text(max_size=5), st.randoms(use_true_random=False))
def test_a_renamed_member_changes_its_name_only(value: Any, new: str, rng: random.Random) -> None:
    value.pop(new, None)
    if not value:
        return
    old = rng.choice(list(value))
    text = written(value, rng)
    after = rename(text, (old,), new)
    assert parse(after).plain() == {new if key == old else key: item for key, item in value.items()}
    assert list(parse(after).plain()) == [new if key == old else key for key in value]
    root = parse(text).root
    child = root.child(old) if root else None
    assert child is not None
    assert after.startswith(text[: child.start])
    assert after.endswith(text[child.key_end :])


def comments(text: str) -> list[str]:
    """What stands outside of texts and looks like a comment."""
    token = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
    return [found for found in token.findall(text) if found.startswith("/")]


FILE = """\
// my servers
{
    "mcpServers": {
        // the first
        "a": {
            "command": "x", // why x
            "args": ["-y", /* always */ "pkg"],
            "env": {},
            "x-foo": 1.0
        }, // after a
        "b": { "url": "http://h/mcp" }
        /* the end */
    },
    "other": [1,2,  3]
}
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("mcpServers", "a", "command"), "y", '"x", //', '"y", //'),
        (("mcpServers", "a", "args"), ["-y", "other"], '"pkg"', '"other"'),
        (("mcpServers", "a", "args"), ["-y", "pkg", "z"], '"pkg"]', '"pkg", "z"]'),
        (("mcpServers", "a", "args"), ["-q", "-y", "pkg"], '["-y"', '["-q", "-y"'),
        (("mcpServers", "a", "args"), ["pkg"], '["-y", /* always */', "[/* always */"),
        (("mcpServers", "a", "cwd"), "/w", '"x-foo": 1.0', '"x-foo": 1.0,\n            "cwd": "/w"'),
        (("mcpServers", "a", "env"), {"K": "v"}, '"env": {}', '"env": {\n                "K": "v"\n            }'),
        (("mcpServers", "b", "type"), "sse", '/mcp" }', '/mcp", "type": "sse" }'),
        (("other",), [1, 2, 4], "  3]", "  4]"),
        (("other",), [1, 2, 3, 4], "  3]", "  3,4]"),
        (
            ("mcpServers", "c"),
            {"command": "z", "args": []},
            '/mcp" }\n        /* the end */',
            '/mcp" },\n        /* the end */\n        "c": {\n'
            '            "command": "z",\n            "args": []\n        }',
        ),
    ],
)
def test_cfg_02_only_the_edited_part_changes(path: tuple[str, ...], value: object, old: str, new: str) -> None:
    """CFG-02: comments, unknown members, order and indentation survive an edit, byte for byte."""
    assert FILE.count(old) == 1
    assert set_value(FILE, path, value) == FILE.replace(old, new)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (("mcpServers", "a", "x-foo"), '"env": {},\n            "x-foo": 1.0', '"env": {}'),
        (("mcpServers", "a", "command"), '            "command": "x", // why x\n', ""),
        (("mcpServers", "a", "args", 0), '"-y", ', ""),
        (("mcpServers", "a", "args", 1), '"-y", /* always */ "pkg"', '"-y" /* always */ '),
        (
            ("mcpServers", "b"),
            '        }, // after a\n        "b": { "url": "http://h/mcp" }\n',
            "        } // after a\n",
        ),
        (("mcpServers", "b", "url"), ' "url": "http://h/mcp" ', " "),
        (("other",), '    },\n    "other": [1,2,  3]\n', "    }\n"),
        (("other", 2), "2,  3", "2"),
    ],
)
def test_removing_takes_the_comma_and_the_empty_line(path: tuple[str | int, ...], old: str, new: str) -> None:
    assert FILE.count(old) == 1
    assert remove(FILE, path) == FILE.replace(old, new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "a": 1\n}\n'),
        ("\ufeff\n", '\ufeff{\n  "a": 1\n}\n'),
        ("// note\r\n", '// note\r\n{\r\n  "a": 1\r\n}\r\n'),
    ],
)
def test_a_text_without_a_value_gets_its_first(before: str, after: str) -> None:
    assert set_value(before, (), {"a": 1}) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", '{\n  "a": 1\n}'),
        ("{ }\n", '{\n  "a": 1\n}\n'),
        ("{ // none yet\n}", '{ // none yet\n  "a": 1\n}'),
        ('{"b":1}', '{"b":1,"a":1}'),
        ('{"b": 1}', '{"b": 1, "a": 1}'),
        ('{"b": 1,}', '{"b": 1, "a": 1,}'),
        ('{\n "b": 1, // c\n}', '{\n "b": 1, // c\n "a": 1,\n}'),
        ('{\n "b": 1 // c\n}', '{\n "b": 1, // c\n "a": 1\n}'),
        ('{\r\n\t"b": 1\r\n}', '{\r\n\t"b": 1,\r\n\t"a": 1\r\n}'),
    ],
)
def test_a_new_member_takes_the_style_it_finds(before: str, after: str) -> None:
    assert set_value(before, ("a",), 1) == after


def test_duplicates_go_together_and_the_last_is_the_one_that_is_edited() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'
    assert set_value(text, ("a",), 4) == '{"a": 1, "b": 2, "a": 4}'
    assert remove(text, ("a",)) == '{"b": 2}'
    assert rename(text, ("a",), "c") == '{"c": 1, "b": 2, "c": 3}'


def test_equal_values_of_another_type_are_written() -> None:
    assert set_value('{"a": 1}', ("a",), True) == '{"a": true}'
    assert set_value('{"a": 1.0}', ("a",), 1) == '{"a": 1}'
    assert set_value('{"a": 1.50}', ("a",), 1.5) == '{"a": 1.50}'


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    assert set_value("{}", ("a",), "\ud800").encode()


@pytest.mark.parametrize("path", [("x", "y"), ("a", "y"), ("l", 3), ("l", "k"), ()])
def test_a_path_that_leads_nowhere_is_said(path: tuple[str | int, ...]) -> None:
    with pytest.raises(LookupError):
        remove('{"a": 1, "l": []}', path)
    with pytest.raises(LookupError):
        set_value('{"a": 1, "l": []}', path or ("l", 0), 1)
