"""The rude stdio server says what its script says: the tests that lean on it can trust it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers.fixtures import Rude


def talk(server: Rude, *messages: Any) -> tuple[list[bytes], subprocess.CompletedProcess[bytes]]:
    """Send messages, close stdin, and return the lines that came and the ended process."""
    text = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    done = subprocess.run(server.argv, input=text, capture_output=True, timeout=20)
    return done.stdout.splitlines(keepends=True), done


def request(identity: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def test_a_script_without_rules_is_a_decent_server(rude: Callable[..., Rude]) -> None:
    server = rude(version="2025-06-18")
    lines, done = talk(
        server,
        request(1, "server/discover"),
        request(2, "initialize", protocolVersion="2025-11-25"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("three", "tools/list"),
        request(4, "tools/call", name="echo", arguments={"text": "hi"}),
    )
    replies = [json.loads(line) for line in lines]
    assert [reply["id"] for reply in replies] == [1, 2, "three", 4]
    assert replies[0]["error"]["code"] == -32601
    assert replies[1]["result"]["protocolVersion"] == "2025-06-18"
    assert replies[2]["result"]["tools"][0]["name"] == "echo"
    assert json.loads(replies[3]["result"]["content"][0]["text"]) == {"text": "hi"}
    assert done.returncode == 0
    assert [each["method"] for each in server.heard()][2] == "notifications/initialized"


def test_steps_reach_the_wire_as_they_stand(rude: Callable[..., Rude]) -> None:
    lines, done = talk(
        rude(
            before=[{"text": "banner\n"}, {"hex": "ff000a"}, {"stderr": "noise\n"}],
            on={
                "ping": [
                    {"out": {"method": "notifications/progress", "params": {"progressToken": "$token"}}},
                    {"result": {}, "id": "as-string"},
                    {"result": {}, "id": None},
                ],
                "x#2": [{"pad": 70000, "text": "ab"}, {"text": "\n"}, {"exit": 7}],
            },
        ),
        request(5, "ping", _meta={"progressToken": 0}),
        request(6, "x"),
        request(7, "x"),
    )
    assert lines[:2] == [b"banner\n", b"\xff\x00\n"]
    assert done.stderr == b"noise\n"
    assert json.loads(lines[2])["params"] == {"progressToken": 0}
    assert [json.loads(line)["id"] for line in lines[3:5]] == ["5", None]
    assert json.loads(lines[5])["error"]["code"] == -32601
    assert len(lines[6]) == 70001
    assert done.returncode == 7


def test_pages_come_by_cursor(rude: Callable[..., Rude]) -> None:
    pages = [{"cursor": None, "items": ["a"], "next": ""}, {"cursor": "", "items": ["b"], "next": None}]
    lines, _ = talk(rude(pages={"tools/list": pages}), request(1, "tools/list"), request(2, "tools/list", cursor=""))
    first, second = (json.loads(line)["result"] for line in lines)
    assert (first["tools"][0]["name"], first["nextCursor"]) == ("a", "")
    assert second["tools"][0]["name"] == "b"
    assert "nextCursor" not in second


def test_collected_requests_are_answered_in_another_order(rude: Callable[..., Rude]) -> None:
    server = rude(on={"tools/call": [{"collect": 9, "do": [{"answer": True}]}]})
    lines, _ = talk(server, *(request(n, "tools/call", arguments={"n": n}) for n in range(9)))
    ids = [json.loads(line)["id"] for line in lines]
    assert sorted(ids) == list(range(9)) != ids


@pytest.mark.parametrize(("first", "code"), [("modern", -32022), ("legacy", -32600)])
def test_the_era_is_locked_by_the_first_message(rude: Callable[..., Rude], first: str, code: int) -> None:
    envelope = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    both = {"modern": request(1, "server/discover", **envelope), "legacy": request(2, "initialize")}
    order = ["modern", "legacy"] if first == "modern" else ["legacy", "modern"]
    lines, _ = talk(rude(discover="modern", era_lock=True), *(both[era] for era in order))
    assert "result" in json.loads(lines[0])
    assert json.loads(lines[1])["error"]["code"] == code
