"""What may be called: hints with their defaults, rules, tools that changed, and the file they are kept in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.config import policy
from mcp_inspector.config.policy import Rule
from mcp_inspector.session.approval import Gate, denial, hints_of
from mcp_inspector.session.catalogue import Item, What

if TYPE_CHECKING:
    from pathlib import Path


def tool(name: str = "t", **annotations: bool) -> Item:
    value = {"name": name, "inputSchema": {"type": "object"}}
    return Item(What.TOOLS, json.dumps({**value, **({"annotations": annotations} if annotations else {})}).encode())


@pytest.mark.parametrize(
    ("annotations", "rule", "words"),
    [
        ({}, Rule.ASK, "does not say that it is harmless"),
        ({"readOnlyHint": True}, Rule.ALLOW, "only reads"),
        ({"destructiveHint": True}, Rule.ASK, "may destroy"),
        ({"destructiveHint": False}, Rule.ALLOW, "destroys nothing"),
        ({"readOnlyHint": True, "destructiveHint": True}, Rule.ALLOW, "only reads"),
    ],
)
def test_hints_decide_where_no_rule_does(annotations: dict[str, bool], rule: Rule, words: str) -> None:
    decision = Gate().decide("s", "t", tool(**annotations))
    assert decision.rule is rule
    assert words in decision.why


def test_defaults_of_the_specification_are_shown_as_such() -> None:
    hints = hints_of(tool(destructiveHint=False))
    assert [(hint.value, hint.said) for hint in hints.hints] == [
        (False, False),
        (False, True),
        (False, False),
        (True, False),
    ]
    assert (
        hints.words
        == "may change things (not said, assumed), destroys nothing, reaches the outside (not said, assumed)"
    )


def test_a_tool_that_is_not_listed_asks() -> None:
    assert Gate().decide("s", "gone", None).rule is Rule.ASK


def test_the_most_particular_rule_counts(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text('{"servers": {"s": {"*": "deny", "t": "allow"}, "*": {"x": "deny", "*": "ask"}}}')
    gate = Gate(file)
    found = {
        (server, name): gate.decide(server, name, tool(name, readOnlyHint=True)).rule
        for server in "so"
        for name in "txy"
    }
    assert found == {
        ("s", "t"): Rule.ALLOW,
        ("s", "x"): Rule.DENY,
        ("s", "y"): Rule.DENY,
        ("o", "t"): Rule.ASK,
        ("o", "x"): Rule.DENY,
        ("o", "y"): Rule.ASK,
    }


def test_a_changed_tool_asks_again_and_shows_what_changed(tmp_path: Path) -> None:
    files = tmp_path / "policy.json", tmp_path / "approved.json"
    gate = Gate(*files)
    gate.approve("s", tool(), always=True)
    assert Gate(*files).decide("s", "t", tool()).rule is Rule.ALLOW
    spaced = Item(What.TOOLS, json.dumps(json.loads(tool().raw), indent=4).encode())
    assert Gate(*files).decide("s", "t", spaced).rule is Rule.ALLOW  # only the layout is another
    decision = Gate(*files).decide("s", "t", tool(readOnlyHint=True))
    assert decision.rule is Rule.ASK
    assert '+    "readOnlyHint": true' in decision.diff
    again = Gate(*files)
    again.approve("s", tool(readOnlyHint=True))
    assert again.decide("s", "t", tool(readOnlyHint=True)).rule is Rule.ALLOW


def test_what_is_wrong_in_the_file_asks(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text('{"servers": {"s": {"t": "alow"}}, "default": {"destructve": "allow"}}')
    found = policy.load(file)
    assert found.rule("s", "t")[0] is Rule.ASK
    assert len(found.problems) == 2
    file.write_text("{")
    assert policy.load(file).rule("any", "thing")[0] is Rule.ASK
    file.write_text("[]")
    assert policy.load(file).rule("any", "thing")[0] is Rule.ASK


def test_rules_are_written_without_touching_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    file.write_text('// mine\n{"x": 1.0, "servers": {"a": {"b": "deny"}}}\n')
    gate = Gate(file)
    gate.put("a", "c", Rule.ALLOW)
    gate.put("a", "b", None)
    assert gate.policy.rules == {"a": {"c": Rule.ALLOW}}
    assert file.read_text().startswith('// mine\n{"x": 1.0, ')


def test_a_denial_is_a_result_that_a_model_can_read() -> None:
    found = denial("t", "By the rule for all tools: deny.")
    assert found["isError"] is True
    assert found["structuredContent"] == {"denied": True, "tool": "t", "reason": "By the rule for all tools: deny."}
