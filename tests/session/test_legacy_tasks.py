"""Tasks of 2025-11-25 in both roles: tools that are run as tasks, and questions that the server makes tasks of."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from mcp_inspector.session.connecting import Client
from mcp_inspector.session.inbox import ELICITATION, SAMPLING, Ask, AskState, Preset, Reply
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.received_tasks import ReceivedTasks
from mcp_inspector.wire import frame

pytestmark = pytest.mark.anyio

EXTENDED = {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
CANNED = b'{"role":"assistant","content":{"type":"text","text":"Four."},"model":"none","stopReason":"endTurn"}'


CALLS = [
    ("trigger-sampling-request-async", {"prompt": "two and two"}, "Four."),
    ("trigger-elicitation-request-async", {}, "User provided the requested information"),
    ("simulate-research-query", {"topic": "tea", "ambiguous": True}, "Research Report: tea (technical)"),
]


@pytest.mark.node
async def test_a_real_server_of_others_uses_both_roles(everything_stdio: tuple[str, ...], supervised: Any) -> None:
    """It lists these tools only to a client that declares tasks; the last one has to be run as a task, and asks."""
    async with supervised(everything_stdio, name="everything") as server:
        server._inbox.set_preset("*", ELICITATION, Preset("accept"))
        server._inbox.set_preset("*", SAMPLING, Preset("result", CANNED))
        outcomes = await asyncio.gather(*(server.call_tool(tool, arguments) for tool, arguments, _ in CALLS))
        for outcome, (_, _, says) in zip(outcomes, CALLS, strict=True):
            assert isinstance(outcome, Complete), outcome
            assert says in json.dumps(outcome.value)
        assert [run.target for run in server.task_runs] == ["simulate-research-query"]


QUESTION = {
    "jsonrpc": "2.0",
    "id": "q",
    "method": "elicitation/create",
    "params": {"task": {"ttl": 60_000}, "message": "?", "requestedSchema": {"type": "object", "properties": {}}},
}


def of_task(method: str, ident: str, name: str) -> dict[str, Any]:
    return {"out": {"jsonrpc": "2.0", "id": ident, "method": method, "params": {"taskId": name}}}


async def replies(peer: Any, count: int) -> dict[str, Any]:
    """The client's answers by id, once there are so many."""
    async with asyncio.timeout(10):
        while len(peer.heard("response")) < count:
            await asyncio.sleep(0.01)
    return {message["id"]: message for message in peer.heard("response")}


async def ask(server: Any) -> Any:
    """Have the server ask, and give the question once it waits."""
    waiting = asyncio.Event()
    inbox = server._inbox
    stop = inbox.changed.connect(lambda: waiting.set() if inbox.waiting else None)
    await server.call_tool("echo", {})
    await asyncio.wait_for(waiting.wait(), 10)
    stop()
    return inbox.waiting[0]


async def test_a_question_as_a_task_is_answered_at_once_and_its_result_when_the_person_has_answered(
    rude: Any, supervised: Any
) -> None:
    lists = {"jsonrpc": "2.0", "id": "l", "method": "tasks/list"}
    get = {"jsonrpc": "2.0", "id": "get", "method": "tasks/get", "params": {"taskId": "nobody"}}
    on = {
        "tools/call:echo": [{"out": QUESTION}, {"answer": True}],
        "tools/call:list": [{"out": lists}, {"out": get}, {"answer": True}],
    }
    peer = rude(on=on)
    async with supervised(peer.argv) as server:
        question = await ask(server)
        made = (await replies(peer, 1))["q"]["result"]["task"]
        assert (made["status"], made["ttl"]) == ("working", 60_000)
        await server.call_tool("list", {})
        answers = await replies(peer, 3)
        assert answers["l"]["result"]["tasks"][0]["taskId"] == made["taskId"]
        assert answers["get"]["error"]["code"] == -32602
        question.answer(b'{"action":"accept","content":{}}')


async def test_a_received_task_from_its_beginning_to_each_end() -> None:
    tasks = ReceivedTasks()

    async def ask_for(method: str, name: object) -> dict[str, Any]:
        return json.loads(await tasks.reply(frame.read(frame.write(f"tasks/{method}", {"taskId": name}, 7))))

    def begun(params: bytes = b"{}") -> tuple[Ask, dict[str, Any]]:
        question = Ask("s", ELICITATION, params)
        return question, tasks.begin(question)[0]["task"]

    _, answered = begun(b'{"task":{"ttl":1e99}}')
    assert answered["ttl"] == 24 * 3600 * 1000
    result = asyncio.create_task(ask_for("result", answered["taskId"]))
    assert (await ask_for("get", answered["taskId"]))["result"]["status"] == "working"
    assert not result.done()
    tasks.end(answered["taskId"], Reply(b'{"action":"accept","_meta":{"a":1}}'))
    related = {"io.modelcontextprotocol/related-task": {"taskId": answered["taskId"]}}
    assert (await result)["result"] == {"action": "accept", "_meta": {"a": 1, **related}}
    assert (await ask_for("cancel", answered["taskId"]))["error"]["code"] == -32602  # it has ended

    _, refused = begun()
    tasks.end(refused["taskId"], Reply(None, -1, "no"))
    assert (await ask_for("get", refused["taskId"]))["result"]["status"] == "failed"
    assert (await ask_for("result", refused["taskId"]))["error"] == {"code": -1, "message": "no"}

    question, cancelled = begun()
    assert (await ask_for("cancel", cancelled["taskId"]))["result"]["status"] == "cancelled"
    assert question.state is AskState.WITHDRAWN
    assert "error" in await ask_for("result", cancelled["taskId"])

    _, wrong = begun()
    tasks.end(wrong["taskId"], Reply(b"[1]"))
    assert (await ask_for("result", wrong["taskId"]))["result"] == [1]  # made wrong on purpose: as it is
    assert "error" in await ask_for("get", 5)


async def test_a_task_that_was_not_declared_is_a_question_as_any_other(rude: Any, supervised: Any) -> None:
    peer = rude(on={"tools/call:echo": [{"out": QUESTION}, {"answer": True}]})
    client = Client(capabilities={"elicitation": {"form": {}}})
    async with supervised(peer.argv, client=client) as server:
        question = await ask(server)
        assert peer.heard("response") == []
        question.answer(b'{"action":"decline"}')
        assert (await replies(peer, 1))["q"]["result"] == {"action": "decline"}


async def test_the_task_is_only_declared_where_it_is_known(rude: Any, supervised: Any) -> None:
    for version, known in (("2025-06-18", False), ("2025-11-25", True)):
        peer = rude()
        async with supervised(peer.argv, protocol=version):
            declared = peer.heard("initialize")[0]["params"]["capabilities"]
            assert ("tasks" in declared) == known
    peer = rude(discover="modern")
    async with supervised(peer.argv):
        meta = peer.heard("server/discover")[0]["params"]["_meta"]
        assert "tasks" not in meta["io.modelcontextprotocol/clientCapabilities"]


async def test_what_a_task_asked_is_withdrawn_when_it_has_ended(rude: Any, supervised: Any) -> None:
    """In the extension the task is polled on while a person is asked, so its end is seen."""
    stamp = "2026-01-01T00:00:00Z"
    times = {"createdAt": stamp, "lastUpdatedAt": stamp, "ttlMs": None, "pollIntervalMs": 50}
    base = {"resultType": "complete", "taskId": "t1", **times}
    params = {"message": "?", "requestedSchema": {"type": "object"}}
    asked = {key: {"method": "elicitation/create", "params": params} for key in ("one", "two")}
    wants = {"status": "input_required", "inputRequests": asked}
    less = {"status": "input_required", "inputRequests": {"two": asked["two"]}}
    done = {"status": "completed", "result": {"content": []}}
    on = {
        "tools/call": [{"result": {**base, "status": "working", "resultType": "task"}}],
        "tasks/get": [{"result": {**base, **wants}}],
        "tasks/get#3": [{"result": {**base, **less}}],
        "tasks/get#4": [{"result": {**base, **done}}],
    }
    peer = rude(
        discover="modern", capabilities={"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}, on=on
    )
    async with supervised(peer.argv) as server:
        assert isinstance(await asyncio.wait_for(server.call_tool("echo", {}), 10), Complete)
        one, two = server._inbox.asks
        assert [each.state for each in (one, two)] == [AskState.WITHDRAWN] * 2
        assert "does not ask" in one.why
        assert server.task_runs[0].asks == []
    assert peer.heard("tasks/update") == []


async def test_each_answer_goes_out_when_it_is_given(rude: Any, supervised: Any) -> None:
    stamp = "2026-01-01T00:00:00Z"
    times = {"createdAt": stamp, "lastUpdatedAt": stamp, "ttlMs": None, "pollIntervalMs": 50}
    base = {"resultType": "complete", "taskId": "t1", **times}
    params = {"message": "?", "requestedSchema": {"type": "object"}}
    asked = {key: {"method": "elicitation/create", "params": params} for key in ("one", "two")}
    on = {
        "tools/call": [{"result": {**base, "status": "working", "resultType": "task"}}],
        "tasks/get": [{"result": {**base, "status": "input_required", "inputRequests": asked}}],
        "tasks/update": [{"result": {"resultType": "complete"}}],
        "tasks/cancel": [{"result": {"resultType": "complete"}}],
    }
    peer = rude(
        discover="modern", capabilities={"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}, on=on
    )
    async with supervised(peer.argv) as server:
        both = asyncio.Event()
        inbox = server._inbox
        stop = inbox.changed.connect(lambda: both.set() if len(inbox.waiting) == 2 else None)
        call = asyncio.create_task(server.call_tool("echo", {}))
        await asyncio.wait_for(both.wait(), 10)
        stop()
        one, two = inbox.waiting
        one.answer(b'{"action":"decline"}')
        async with asyncio.timeout(10):
            while not peer.heard("tasks/update"):
                await asyncio.sleep(0.01)
        (update,) = peer.heard("tasks/update")
        assert update["params"]["inputResponses"] == {"one": {"action": "decline"}}
        assert two.state is AskState.WAITING
        call.cancel()
        await asyncio.wait([call])
        assert two.state is AskState.WITHDRAWN
