"""Results that break the schema stay readable, byte for byte: nothing is withheld and nothing raises."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State

pytestmark = pytest.mark.anyio

CONTENTS = [
    [
        {"uri": "x://1", "blob": "not base64!"},
        {"uri": "x://2", "blob": "YQ"},
        {"uri": "x://3", "blob": "_-8="},
        {"uri": "x://4", "text": "a", "blob": "Yg=="},
        {"uri": "x://5"},
        {"uri": "x://6", "mimeType": "application/x-unknown", "blob": "AAECAw=="},
    ],
    [],
    {"uri": "x://1", "text": "no list"},
    [None, 5, "x"],
]
MESSAGES = [
    [
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "x://1", "blob": "AA=="}}},
        {"role": "system", "content": {"type": "text", "text": "s"}},
        {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
    ],
    [],
    None,
]
CONTENT = [
    [{"type": "hologram"}, {"text": "no type"}, None, 5, {"type": "image", "data": "###", "mimeType": "image/png"}],
    [],
    "text",
    None,
]


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize(
    ("method", "member", "value"),
    [
        *(("resources/read", "contents", value) for value in CONTENTS),
        *(("prompts/get", "messages", value) for value in MESSAGES),
        *(("tools/call", "content", value) for value in CONTENT),
    ],
    ids=repr,
)
async def test_a_result_of_the_wrong_shape_is_kept_whole(
    rude: Any, reach: Any, era: str, method: str, member: str, value: Any
) -> None:
    """RES-04, PRM-02: the outcome is the server's result as it came."""
    result = {member: value, **({"resultType": "complete"} if era == "modern" else {})}
    peer = rude(discover=era if era == "modern" else "unknown", on={method: [{"result": result}]})
    async with reach(peer.argv, protocol=era) as reached:
        server = reached.server
        outcome = await {
            "resources/read": lambda: server.read_resource("x://1"),
            "prompts/get": lambda: server.get_prompt("greet", {"who": "x"}),
            "tools/call": lambda: server.call_tool("echo", {}),
        }[method]()
        assert isinstance(outcome, Complete)
        assert json.loads(outcome.result) == result
        assert not outcome.tool_error
        assert server.status.state is State.CONNECTED
        raw = reached.entries("response", method)[0].data
        assert outcome.result in raw


@pytest.mark.parametrize(
    "member", ['"n":9007199254740993', '"n":1.0', '"n":1e400', '"n":-0', '"n":1,"n":2', '"n":1E+2', '"n":"\\u00e9"']
)
async def test_spellings_survive_in_outcome_and_record(rude: Any, reach: Any, member: str) -> None:
    """Decoding and encoding again would change each of these."""
    body = '{"content":[],"structuredContent":{' + member + "}}"
    peer = rude(on={"tools/call": [{"line": '{"jsonrpc":"2.0","id":$id,"result":' + body + "}"}]})
    async with reach(peer.argv, protocol="legacy") as reached:
        outcome = await reached.server.call_tool("echo", {})
        assert isinstance(outcome, Complete)
        assert outcome.result == body.encode()
        assert body.encode() in reached.entries("response", "tools/call")[0].data
