"""Each assertion on results of every kind: what passes, what does not, and the sentence that shows both sides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector.actions.judging import Ending, Evidence, ending, judged
from mcp_inspector.actions.reading import read
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.transport.base import Fault, FaultKind

RESULT = (
    b'{"content": [{"type": "text", "text": "hello world"}, {"type": "image"}], "structuredContent": '
    b'{"n": 9007199254740993, "f": 1.50, "list": [1, 2, {"a": 1, "b": [2]}], "s": "x", "none": null, "text": ""}}'
)
OUTPUT = b'{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'


def check(assertion: dict[str, Any], outcome: Outcome | None = None, schema: bytes | None = OUTPUT) -> tuple[bool, str]:
    action = {"name": "x", "kind": "tool", "server": "s", "target": "t", "assert": [assertion]}
    collection = read(json.dumps({"actions": [action]}))
    assert collection.usable, [str(one) for one in collection.oddities]
    evidence = Evidence(outcome or Complete("tools/call", 1, 2, 5_000_000, result=RESULT), schema)
    verdict = judged(collection.actions[0].assertions, evidence)[0]
    return verdict.passed, verdict.sentence


S = "$.structuredContent"


@pytest.mark.parametrize(
    ("assertion", "passed"),
    [
        ({"path": f"{S}.n", "equals": 9007199254740993}, True),
        ({"path": f"{S}.n", "equals": 9007199254740992}, False),
        ({"path": f"{S}.f", "equals": 1.5}, True),
        ({"path": f"{S}.list", "equals": [1, 2.0, {"b": [2], "a": 1}]}, True),
        ({"path": f"{S}.list", "equals": [2, 1, {"b": [2], "a": 1}]}, False),
        ({"path": f"{S}.none", "equals": None}, True),
        ({"path": f"{S}.gone", "equals": None}, False),
        ({"path": f"{S}.s", "notEquals": "y"}, True),
        ({"path": f"{S}.s", "notEquals": "x"}, False),
        ({"path": "$.content[0].text", "contains": "lo wo"}, True),
        ({"path": f"{S}.list", "contains": 2}, True),
        ({"path": f"{S}.list", "contains": {"a": 1}}, True),
        ({"path": f"{S}.list", "contains": {"a": 2}}, False),
        ({"path": S, "contains": {"s": "x", "list": [1, 2, {"a": 1, "b": [2]}]}}, True),
        ({"path": "$.content[0].text", "matches": "^hello [a-z]+$"}, True),
        ({"path": "$.content[0].text", "matches": "^world"}, False),
        ({"path": "$.content[*].type", "matches": "^(text|image)$"}, True),
        ({"path": "$.content[*].type", "equals": "text"}, False),
        ({"path": "$.content[*].type", "equals": "text", "some": True}, True),
        ({"path": f"{S}.gone", "exists": False}, True),
        ({"path": f"{S}.none", "exists": True}, True),
        ({"path": f"{S}.list", "count": 3}, True),
        ({"path": f"{S}.list[*]", "count": 3}, True),
        ({"path": f"{S}.gone[*]", "count": 0}, True),
        ({"path": f"{S}.list", "count": {"atLeast": 4}}, False),
        ({"path": "$.content[0].text", "count": 11}, True),
        ({"path": f"{S}.f", "atLeast": 1.5}, True),
        ({"path": f"{S}.f", "greaterThan": 1.5}, False),
        ({"path": f"{S}.n", "greaterThan": 9007199254740992}, True),
        ({"path": f"{S}.n", "lessThan": 9007199254740993}, False),
        ({"path": f"{S}.s", "atMost": 3}, False),
        ({"path": f"{S}.list[2]", "schema": {"required": ["a", "b"]}}, True),
        ({"path": f"{S}.list[2]", "schema": {"required": ["c"]}}, False),
        ({"outputSchema": True}, True),
        ({"latencyMs": 5}, True),
        ({"latencyMs": 4.9}, False),
        ({"sizeBytes": len(RESULT)}, True),
        ({"sizeBytes": len(RESULT) - 1}, False),
        ({"error": False}, True),
        ({"error": True}, False),
        ({"outcome": ["accepted", "rejected"]}, True),
        ({"findings": "error"}, False),  # without a judge nothing can be said, and that is no pass
    ],
)
def test_assertions(assertion: dict[str, Any], passed: bool) -> None:
    found, sentence = check(assertion)
    assert found is passed, sentence
    assert sentence.endswith(".")


TOOL = Complete(
    "tools/call", 1, 2, result=b'{"content": [{"type": "text", "text": "no"}], "isError": true}', tool_error=True
)
RPC = RpcError("tools/call", 1, 2, code=-32602, message="bad", error=b'{"code": -32602, "message": "bad"}')
BROKEN = RpcError("tools/call", 1, 2, code=-32603, message="oh", error=b'{"code": -32603, "message": "oh"}')
HUNG = LocalError("tools/call", 1, fault=Fault(FaultKind.TIMEOUT, "It took too long."))
GONE = LocalError("tools/call", 1, fault=Fault(FaultKind.EXITED, "It exited."))
DENIED = LocalError("tools/call", 1, fault=Fault(FaultKind.DENIED, "No."))


@pytest.mark.parametrize(
    ("outcome", "wanted"),
    [
        (TOOL, Ending.REJECTED),
        (RPC, Ending.REJECTED),
        (BROKEN, Ending.CRASHED),
        (HUNG, Ending.HUNG),
        (GONE, Ending.CRASHED),
        (DENIED, Ending.NOT_RUN),
    ],
)
def test_endings(outcome: Outcome, wanted: Ending) -> None:
    assert ending(outcome) is wanted
    passed, sentence = check({"path": "$.x", "exists": False}, outcome)
    assert not passed  # an error nobody asked about fails by itself
    assert sentence


def test_errors_that_are_asked_for() -> None:
    assert check({"error": "tool"}, TOOL)[0]
    assert not check({"error": "tool"}, RPC)[0]
    assert check({"error": -32602}, RPC)[0]
    assert not check({"error": -32601}, RPC)[0]
    assert check({"error": True}, RPC)[0]
    assert not check({"error": True}, HUNG)[0]  # ours, not the server's
    assert check({"outcome": "hung"}, HUNG)[0]


def test_what_is_missing_for_an_output_schema_is_said() -> None:
    assert "lists no outputSchema" in check({"outputSchema": True}, schema=None)[1]
    bare = Complete("tools/call", 1, 2, result=b'{"content": []}')
    assert "has no structuredContent" in check({"outputSchema": True}, bare)[1]


def test_a_hostile_text_or_pattern_ends_in_time() -> None:
    """A pattern that goes back for ever, on a text made for it: it is decided or given up within bounds."""
    text = json.dumps({"content": [{"type": "text", "text": "a" * 200_000 + "!"}]}).encode()
    outcome = Complete("tools/call", 1, 2, result=text)
    for pattern in ("(a+)+$", "(a|a)*b", "(?=(a+)+$)x", r"(a*)*\1b"):
        assert not check({"path": "$.content[0].text", "matches": pattern}, outcome)[0]
    found = read(
        '{"actions": [{"name": "x", "kind": "tool", "server": "s", "target": "t", "assert": [{"matches": "(a"}]}]}'
    )
    assert not found.usable
