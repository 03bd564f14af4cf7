"""What goes into the `_meta` of a request: of one request, of every request of a server, and trace contexts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from mcp_inspector.session.inbox import ELICITATION, Preset
from mcp_inspector.session.outcome import Complete

pytestmark = pytest.mark.anyio

TRACE = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-01")


def meta_of(peer: Any, method: str) -> list[dict[str, Any]]:
    return [message["params"]["_meta"] for message in peer.heard(method)]


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_one_request_has_members_and_a_trace_of_its_own(rude: Any, supervised: Any, era: str) -> None:
    peer = rude(discover="modern" if era == "modern" else "unknown")
    async with supervised(peer.argv, meta={"com.example/a": 1, "com.example/b": 1}) as server:
        given = {"com.example/b": 2, "tracestate": "x=1"}
        assert isinstance(await server.call_tool("echo", {}, meta=given, trace=True), Complete)
        assert isinstance(await server.read_resource("rude://text", meta=given), Complete)
        assert isinstance(await server.get_prompt("greet", {"who": "x"}, trace=True), Complete)
        ref = {"type": "ref/prompt", "name": "greet"}
        assert isinstance(await server.complete(ref, "who", "x", meta=given), Complete)
        assert isinstance(
            await server.request("ping", meta=given) if era == "legacy" else await server.ping(), Complete
        )
    (call,) = meta_of(peer, "tools/call")
    assert (call["com.example/a"], call["com.example/b"], call["tracestate"]) == (1, 2, "x=1")
    assert TRACE.fullmatch(call["traceparent"])
    assert "progressToken" in call
    (read,) = meta_of(peer, "resources/read")
    assert read["com.example/b"] == 2
    assert "traceparent" not in read
    (prompt,) = meta_of(peer, "prompts/get")
    assert TRACE.fullmatch(prompt["traceparent"])
    assert prompt["traceparent"] != call["traceparent"]
    assert meta_of(peer, "completion/complete")[0]["com.example/b"] == 2


async def test_all_rounds_of_an_operation_are_one_trace(rude: Any, supervised: Any) -> None:
    question = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"type": "object"}}}
    asks = {"resultType": "input_required", "inputRequests": {"q": question}}
    peer = rude(discover="modern", on={"tools/call#1": [{"result": asks}], "tools/call": [{"answer": True}]})
    async with supervised(peer.argv) as server:
        server._inbox.set_preset("*", ELICITATION, Preset("accept"))
        assert isinstance(await server.call_tool("echo", {}, meta={"a": 1}, trace=True), Complete)
    first, second = meta_of(peer, "tools/call")
    assert first["a"] == second["a"] == 1
    assert TRACE.fullmatch(first["traceparent"])[1] == TRACE.fullmatch(second["traceparent"])[1]


async def test_the_choices_of_an_entry_count_from_the_next_request_on(rude: Any, supervised: Any) -> None:
    peer = rude()
    async with supervised(peer.argv, log_level="warning") as server:
        await server.call_tool("echo", {})
        server.edit(replace(server.entry, meta={"a": [1, None]}, trace=True, log_level="debug"))
        await server.call_tool("echo", {})
        await server.call_tool("echo", {})
        assert server.log_level == "debug"
    before, first, second = meta_of(peer, "tools/call")
    assert set(before) == {"progressToken"}
    assert first["a"] == [1, None]
    assert first["traceparent"] != second["traceparent"]
    assert [each["params"]["level"] for each in peer.heard("logging/setLevel")] == ["warning", "debug"]
