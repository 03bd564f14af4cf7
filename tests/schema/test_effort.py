"""What a check may cost is told before it is begun: hostile schemas are found, those of real tools are not held up."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from mcp_inspector.schema import patterns
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.samples import full
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire import jsontext

_CORPUS = Path(__file__).parents[1] / "data" / "corpus_schemas.json.gz"
BRANCHES: list[Any] = [{"const": [n]} for n in range(300)]

# Each of these was measured to stop a window for a second up to some minutes, with less than 200 KB.
HOSTILE: dict[str, tuple[Any, Any]] = {
    "repetitions in a pattern": ({"pattern": "(.{0,1000}x){5}y"}, ("a" * 40 + "x") * 4000),
    "a pattern on a long text": ({"pattern": "[^x]*(.{0,900})x.{800}y"}, "ax" * 90_000),
    "a pattern that is compiled to megabytes": ({"properties": {"t": {"pattern": r"((\w{30}){30}){30}"}}}, {}),
    "many patterns": ({"patternProperties": {rf"{n}\w{{90}}": {} for n in range(300)}}, {}),
    "patterns that go back, for each item": ({"items": {"pattern": r"^((a|b)*)*\1c"}}, ["ab" * 30] * 900),
    "alternatives for each item": ({"items": {"anyOf": BRANCHES}}, [[] for _ in range(1500)]),
    "alternatives by reference": (
        {"properties": {"l": {"items": {"$ref": "#/properties/u"}}, "u": {"oneOf": BRANCHES}}},
        {"l": [[] for _ in range(1500)]},
    ),
    "an enumeration of lists": ({"items": {"enum": [[n] for n in range(300)]}}, [[] for _ in range(3000)]),
    "errors everywhere": ({"items": {"type": "string"}}, [1] * 60_000),
    "references that double": (
        {"$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)} | {"d30": {}}}
        | {"$ref": "#/$defs/d0"},
        1,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_may_take_long_is_not_begun_where_a_window_waits(name: str) -> None:
    schema, value = HOSTILE[name]
    checker = Checker(json.dumps(schema), patient=False)
    text = json.dumps(value)
    assert not checker.quick(jsontext.parse(text))
    assert [one.sentence for one in checker.check(text)] == ["is not checked: that would take too long here"]
    assert "_compiled" not in checker.__dict__  # compiling may be what takes long


def test_the_schemas_of_real_tools_are_checked_at_once() -> None:
    tools = json.loads(gzip.decompress(_CORPUS.read_bytes()))
    held_up = []
    for tool in tools:
        form = Form(tool["inputSchema"])
        checker = Checker(form.source)
        if not checker.quick(jsontext.parse(full(form, checker).json_text)):
            held_up.append(tool["tool"])
    assert len(held_up) <= len(tools) // 100, held_up


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        ("", 1),
        ("^abc$", 3),
        ("[a-z]{1,63}", 63),
        (r"\w{5}\{9}", 8),
        ("((a{2}b){3})+", 9),
        ("(.{0,1000}x){50}", 50_050),
        ("a{1000000000000}{1000000000000}", 10**9),
        ("(((", 1),
        (")a", 2),
        ("a{,3}", 3),
    ],
)
def test_atoms_of_a_pattern_are_counted_with_their_repetitions(pattern: str, count: int) -> None:
    assert patterns.atoms(pattern) >= count if count == 10**9 else patterns.atoms(pattern) == count


@pytest.mark.parametrize(
    ("pattern", "goes_back"),
    [("^(?=.*[A-Z]).{8,}$", True), (r"(a)\1", True), ("(?<!x)y", True), ("(?:a|b)+", False), (r"\d{3}\.", False)],
)
def test_patterns_that_go_back_are_told_apart(pattern: str, goes_back: bool) -> None:
    assert patterns.fancy(pattern) is goes_back


def test_a_condition_with_a_hostile_pattern_is_left_open_instead_of_decided() -> None:
    """The form asks `if` at each key: what cannot be decided in time fits."""
    evil = "(.{0,1000}x){5}y"
    schema = {
        "type": "object",
        "properties": {"t": {"type": "string"}},
        "if": {"properties": {"t": {"pattern": evil}}},
        "then": {"properties": {"extra": {"type": "string"}}},
    }
    root = Form(schema).root
    node = jsontext.parse(json.dumps({"t": ("a" * 40 + "x") * 4000}))
    assert not patterns.decidable(evil, "")
    assert [field.key for field in root.children(node)] == ["t", "extra"]
