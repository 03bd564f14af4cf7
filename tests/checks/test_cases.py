"""Failures that people met, as the rules see them: what has to be said of each, and that nothing else stops."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.checks.catalogue import RULES
from tests.checks.script import N, Talk, X, text, tool


def found(talk: Talk) -> dict[str, list[str]]:
    """The sentences of each rule that found something."""
    said: dict[str, list[str]] = {}
    for finding in talk.found(RULES.values()):
        said.setdefault(finding.rule.id, []).append(finding.sentence)
    return said


def test_stdio_01_a_banner_on_stdout() -> None:
    """STDIO-01: the line is told, and the rest goes on."""
    said = found(Talk(N).raw(b"Fake MCP server v1.2 ready").tools(tool()))
    assert said == {"stray-stdout": ["stdout has the line 'Fake MCP server v1.2 ready', which is no message."]}


def test_stdio_02_a_log_glued_to_a_message() -> None:
    """STDIO-02: the line is shown as what is wrong."""
    said = found(Talk(N).raw(b'[INFO] cache warm {"jsonrpc":"2.0","id":9,"result":{}}'))
    assert "[INFO] cache warm" in said["stray-stdout"][0]


def test_stdio_07_a_byte_order_mark() -> None:
    """STDIO-07: it works, and is said."""
    said = found(Talk(N).raw(b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'))
    assert list(said) == ["not-json"]


@pytest.mark.parametrize("ident", ["1", 1.0])
def test_life_04_an_id_of_another_type(ident: Any) -> None:
    """LIFE-04: it is correlated, and the type is told."""
    said = found(Talk(N).ask("ping", ident=1).ok({}, ident))
    assert "other-id" in said
    assert "unknown-answer" not in said


def test_life_16_broken_tools_beside_good_ones() -> None:
    """LIFE-16: each broken entry is told, the good one is not."""
    broken = [
        {"name": "a", "inputSchema": {"type": "object", "properties": {}, "required": None}},
        {"name": "b", "inputSchema": {"type": "object"}, "outputSchema": {}},
        {"name": "c", "inputSchema": {"type": "string"}},
        None,
        "x",
        5,
        {},
    ]
    talk = Talk(N).ask("tools/list").ok({"tools": [*broken, tool("good")]})
    findings = talk.found(RULES.values())
    assert not any(finding.tool == "good" for finding in findings)
    said = found(talk)
    assert len(said["list-items"]) == 4
    assert "schema-invalid" in said
    assert "output-schema" in said
    assert "input-schema" in said


@pytest.mark.parametrize(
    ("method", "params", "rule"),
    [
        ("notifications/message", {"level": "info", "message": "x"}, "log-level"),
        ("notifications/resources/updated", {}, "updated-unasked"),
        ("notifications/resources/updated", {"uri": 5}, "updated-unasked"),
        ("notifications/progress", {"progressToken": 1, "progress": "50%"}, "progress-shape"),
        ("notifications/message", "x", "log-level"),
    ],
)
def test_life_20_notifications_with_malformed_params(method: str, params: Any, rule: str) -> None:
    """LIFE-20: each has its finding, and later messages are judged as ever."""
    talk = Talk(N).raw({"jsonrpc": "2.0", "method": method, "params": params})
    assert rule in found(talk)
    before = len(talk.found(RULES.values()))
    assert len(talk.tools(tool()).found(RULES.values())) == before


@pytest.mark.parametrize(
    "words",
    ["ok\x1b[2K\x1b[1A", "\x1b]52;c;ZWNobw==\x07", "a\u202eb", "\U000e0041\U000e0042", "nul\0byte"],
)
def test_sec_04_hidden_text(words: str) -> None:
    """SEC-04: what cannot be seen is told; tag characters with what they spell."""
    said = found(Talk(N).tools(tool(description=f"Reads a file. {words}")))
    (sentence,) = said["hidden-characters"]
    assert ("AB" in sentence) is ("\U000e0041" in words)


def test_sec_04_many_marks_on_one_letter_hang_nothing() -> None:
    """SEC-04: combining marks are legal."""
    assert found(Talk(N).tools(tool(description="Reads x" + "\u0301" * 5000))).keys() <= {"tokens"}


def test_sch_26_references_that_lead_outside() -> None:
    """SCH-26: told, never fetched."""
    properties = {
        "x": {"$ref": "http://127.0.0.1:9/leak.json"},
        "y": {"$ref": "file:///etc/passwd"},
        "d": {"$dynamicRef": "http://127.0.0.1:9/dyn.json"},
    }
    said = found(Talk(N).tools(tool(inputSchema={"type": "object", "properties": properties})))
    assert len(said["reference"]) == 3


def test_sch_34_many_tools_and_odd_names() -> None:
    """SCH-34: doubles, the empty name, long names, and names that differ by case."""
    names = ["", "x" * 1000, "Add", "add", "add"]
    said = found(Talk(N).tools(*(tool(name) for name in names), *(tool(f"t{number}") for number in range(500))))
    assert len(said["tool-name"]) == 2
    assert len(said["listed-twice"]) == 1
    assert len(said["names-alike"]) >= 1


def test_res_04_blobs() -> None:
    """RES-04: every wrong one has its finding."""
    contents = [
        {"uri": "x://1", "blob": "not base64!"},
        {"uri": "x://1", "blob": "YQ"},
        {"uri": "x://1", "blob": "_-8="},
        {"uri": "x://1", "text": "a", "blob": "Yg=="},
        {"uri": "x://1"},
        {"uri": "x://1", "mimeType": "application/x-unknown", "blob": "AAECAw=="},
    ]
    said = found(Talk(N).ask("resources/read", {"uri": "x://1"}).ok({"contents": contents}))
    assert [sentence.split(" is not")[0] for sentence in said["blob"]] == [f"The blob of item {n}" for n in (0, 1, 2)]
    assert len(said["contents-both"]) == 1
    assert len(said["contents"]) == 1


def test_prm_02_messages_of_a_prompt() -> None:
    """PRM-02: an unknown role and a list as content are told; an embedded resource is good."""
    messages = [
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "x://1", "blob": "AA=="}}},
        {"role": "system", "content": {"type": "text", "text": "s"}},
        {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
    ]
    said = found(Talk(N).ask("prompts/get", {"name": "p"}).ok({"messages": messages}))
    assert [sentence.split(" has")[0] for sentence in said["prompt-messages"]] == ["Message 1", "Message 2"]


def test_pag_01_a_cursor_that_does_not_advance() -> None:
    """PAG-01: the pages go round."""
    talk = Talk(N)
    for cursor in (None, "c1", "c1"):
        talk.ask("tools/list", {"cursor": cursor} if cursor else {}).ok({"tools": [tool()], "nextCursor": "c1"})
    said = found(talk)
    assert len(said["cursor-again"]) == 2
    assert "listed-twice" in said


@pytest.mark.parametrize("name", ["", "a b", "X\r\nEvil: 1", 5])
def test_mod_07_annotations_for_headers(name: Any) -> None:
    """MOD-07: an invalid one is told with its reason, a valid one is not."""
    zone = {"type": "string", "description": "Where.", "x-mcp-header": "Zone"}
    schema = {"type": "object", "properties": {"zone": zone}}
    assert found(Talk(X).tools(tool(inputSchema=schema))) == {}
    schema = {"type": "object", "properties": {"zone": {**zone, "x-mcp-header": name}}}
    assert "header-annotation" in found(Talk(X).tools(tool(inputSchema=schema)))


def test_tsk_03_a_task_that_was_not_declared() -> None:
    """TSK-03: as the result of a tool, and of another method."""
    task = {"resultType": "task", "taskId": "t1", "status": "working", "pollIntervalMs": 10, "ttlMs": 1000}
    assert len(found(Talk(X).call(task))["task-undeclared"]) == 2
    said = found(Talk(X).ask("tools/list").ok(task))["task-undeclared"]
    assert any("only tools/call" in sentence for sentence in said)
    assert "task-undeclared" not in found(Talk(X).call(text()))
