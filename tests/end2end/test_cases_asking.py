"""What servers ask, in ways no decent server does: cases of server-to-client and tasks, over stdio and HTTP."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, AskState
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.status import State

pytestmark = pytest.mark.anyio

FORM = {"message": "Name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}


def ask_of_server(ident: Any, method: str, params: Any) -> dict[str, Any]:
    return {"out": {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}}


@pytest.fixture(params=["stdio", "http", "sse"])
def rude_target(request: pytest.FixtureRequest, rude: Any, rude_http: Any) -> Any:
    """``rude_target(**script)`` gives a scripted server of each transport, and what `reach` wants to get to it."""

    def make(**script: Any) -> tuple[Any, Any, dict[str, Any]]:
        if request.param == "stdio":
            peer = rude(**script)
            return peer, peer.argv, {}
        peer = rude_http(request.param, **script)
        return peer, peer.url, {"transport": request.param}

    return make


async def waiting(reached: Any) -> Any:
    await reached.until(lambda: reached.inbox.waiting)
    return reached.inbox.waiting[0]


async def until_heard(peer: Any, method: str, count: int = 1) -> list[dict[str, Any]]:
    """What a peer has heard of a method, when it is so many; the journal is another process's file."""
    async with asyncio.timeout(10):
        while len(found := peer.heard(method)) < count:
            await asyncio.sleep(0.01)
    return list(found)


@pytest.mark.parametrize("method", [SAMPLING, ELICITATION, ROOTS])
async def test_nothing_is_answered_before_the_person_does(rude_target: Any, reach: Any, method: str) -> None:
    """S2C-03, S2C-06: it waits, however long, and the call that it belongs to waits with it."""
    steps = [ask_of_server("q", method, FORM), {"later": [{"wait": "response"}, {"answer": True}]}]
    peer, target, entry = rude_target(on={"tools/call": steps})
    async with reach(target, protocol="legacy", **entry) as reached:
        calling = asyncio.create_task(reached.server.call_tool("echo", {}, timeout=0.3))
        ask = await waiting(reached)
        done, _ = await asyncio.wait([calling], timeout=0.8)
        assert not done
        assert ask.state is AskState.WAITING
        assert peer.heard("response") == []
        ask.answer(b'{"x":1}')
        assert isinstance(await calling, Complete)
        assert peer.heard("response") == [{"jsonrpc": "2.0", "id": "q", "result": {"x": 1}}]


async def test_a_rejected_sampling_is_an_error_under_its_id(rude_target: Any, reach: Any) -> None:
    """S2C-03."""
    steps = [ask_of_server(0, SAMPLING, {}), {"later": [{"wait": "response"}, {"answer": True}]}]
    peer, target, entry = rude_target(on={"tools/call": steps})
    async with reach(target, protocol="legacy", **entry) as reached:
        calling = asyncio.create_task(reached.server.call_tool("echo", {}))
        (await waiting(reached)).refuse()
        assert isinstance(await calling, Complete)
        answer = peer.heard("response")[0]
        assert answer["id"] == 0
        assert answer["error"]["code"] == -1


@pytest.mark.parametrize("capabilities", [{}, {"roots": {}}, {"sampling": {}, "elicitation": {"form": {}}}])
async def test_what_is_declared_is_answered_and_the_rest_is_refused(
    rude_target: Any, reach: Any, capabilities: dict[str, Any]
) -> None:
    """S2C-09, S2C-03: the declared set and the answered set are the same."""
    asked = {"sampling": SAMPLING, "elicitation": ELICITATION, "roots": ROOTS}
    steps = [
        *(ask_of_server(name, method, FORM) for name, method in asked.items()),
        {"later": [{"wait": "response"}, {"answer": True}]},
    ]
    peer, target, entry = rude_target(on={"tools/call": steps})
    async with reach(target, protocol="2025-11-25", capabilities=capabilities, **entry) as reached:
        declared = peer.heard("initialize")[0]["params"]["capabilities"]
        calling = asyncio.create_task(reached.server.call_tool("echo", {}))
        await reached.until(lambda: len(reached.inbox.asks) == len(declared), 2)
        for ask in reached.inbox.waiting:
            ask.answer(b"{}")
        await asyncio.wait_for(calling, 2)
        answers = {answer["id"]: answer for answer in await until_heard(peer, "response", 3)}
    assert set(declared) == set(capabilities)
    assert {name for name, answer in answers.items() if "result" in answer} == set(capabilities)
    assert {answer["error"]["code"] for answer in answers.values() if "error" in answer} <= {-32601, -32602}


async def test_the_servers_cancel_is_for_its_own_request(rude_target: Any, reach: Any) -> None:
    """S2C-07: ids of the two directions are apart: our call of the same id lives, the question goes, unanswered."""
    cancel = {"out": {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "$id"}}}
    steps = [ask_of_server("$id", ELICITATION, FORM), {"sleep": 0.3}, cancel, {"sleep": 0.3}, {"answer": True}]
    peer, target, entry = rude_target(on={"tools/call": [{"later": steps}]})
    async with reach(target, protocol="legacy", **entry) as reached:
        calling = asyncio.create_task(reached.server.call_tool("echo", {"n": 1}))
        ask = await waiting(reached)
        await reached.until(lambda: ask.state is AskState.WITHDRAWN)
        assert isinstance(await calling, Complete)
        ask.answer(b"{}")
        assert isinstance(await reached.server.ping(), Complete)
        assert peer.heard("response") == []
        assert reached.server.status.state is State.CONNECTED


ODD_ELICITATIONS = [
    {"elicitations": [{"mode": "url", "elicitationId": "e1", "url": "https://h.example/c?e=e1", "message": "m"}]},
    {"elicitations": []},
    {"elicitations": [{"mode": "url", "elicitationId": "e1", "url": "javascript:1", "message": "m"}]},
    {"elicitations": [{"mode": "form", "message": "m"}]},
    {"elicitations": "none"},
    None,
]


@pytest.mark.parametrize("data", ODD_ELICITATIONS, ids=json.dumps)
async def test_a_call_that_wants_a_page_first_is_an_error_with_its_data(rude: Any, reach: Any, data: Any) -> None:
    """S2C-08: nothing is opened by itself, the data stays readable, the call can be made again."""
    error = {"code": -32042, "message": "m", **({"data": data} if data is not None else {})}
    complete = {"jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": {"elicitationId": "e9"}}
    peer = rude(on={"tools/call#1": [{"error": error}, {"out": complete}]})
    async with reach(peer.argv, protocol="2025-11-25") as reached:
        outcome = await reached.server.call_tool("echo", {"n": 1})
        assert isinstance(outcome, RpcError)
        assert outcome.code == -32042
        assert json.loads(outcome.error).get("data") == data
        assert isinstance(await reached.server.call_tool("echo", {"n": 1}), Complete)
        assert len(peer.heard("tools/call")) == 2


def task(**more: Any) -> dict[str, Any]:
    stamp = "2026-01-01T00:00:00Z"
    return {"taskId": "t1", "status": "working", "createdAt": stamp, "lastUpdatedAt": stamp, "ttl": None, **more}


@pytest.mark.parametrize(
    "interval",
    [
        0,
        -1,
        "5",
        9e15,
        None,
    ],
)
async def test_silly_poll_intervals_do_not_hammer_nor_stall(rude: Any, reach: Any, interval: Any) -> None:
    """TSK-02: at least a second apart when the interval is silly; cancelling the call ends the polling."""
    working = task(pollInterval=interval)
    peer = rude(
        capabilities={"tools": {}, "tasks": {"requests": {"tools": {"call": {}}}}},
        on={"tools/call": [{"result": {"task": working}}], "tasks/get": [{"result": working}]},
    )
    async with reach(peer.argv, protocol="2025-11-25") as reached:
        calling = asyncio.create_task(reached.server.call_tool("echo", {}, as_task=True))
        await reached.until(lambda: reached.server.task_runs)
        began = time.monotonic()
        await asyncio.wait([calling], timeout=1.6)
        assert not calling.done()
        polls = len(peer.heard("tasks/get"))
        assert polls <= time.monotonic() - began  # the first one comes a second after the task was made
        assert reached.server.task_runs[0].state.task_id == "t1"
        calling.cancel()
        await asyncio.wait([calling])


async def test_a_failed_task_shows_the_error_underneath(rude: Any, reach: Any) -> None:
    """TSK-02."""
    peer = rude(
        on={
            "tools/call": [{"result": {"task": task(pollInterval=1000)}}],
            "tasks/get": [{"result": task(status="failed", statusMessage="broke")}],
            "tasks/result": [{"error": {"code": -32000, "message": "the kettle broke"}}],
        }
    )
    async with reach(peer.argv, protocol="2025-11-25") as reached:
        outcome = await reached.server.call_tool("echo", {}, as_task=True)
        assert isinstance(outcome, RpcError)
        assert (outcome.code, outcome.message) == (-32000, "the kettle broke")
        refused = await reached.server.task_runs[0].cancel()
        assert isinstance(refused, RpcError)
        assert reached.server.status.state is State.CONNECTED


@pytest.mark.parametrize("made", [{"status": "working"}, {"taskId": "t1"}, {"taskId": 5, "status": "working"}])
async def test_a_task_without_its_parts_is_a_failure_with_the_raw_result(rude: Any, reach: Any, made: Any) -> None:
    """TSK-02: never an empty success."""
    peer = rude(on={"tools/call": [{"result": {"task": made}}]})
    async with reach(peer.argv, protocol="2025-11-25") as reached:
        outcome = await reached.server.call_tool("echo", {}, as_task=True)
        assert isinstance(outcome, LocalError)
        assert outcome.reply
        assert peer.heard("tasks/get") == []


EXTENSION_TASK = {"resultType": "task", "taskId": "t1", "status": "working", "pollIntervalMs": 10, "ttlMs": 1000}


async def test_an_unasked_task_is_an_invalid_result(rude: Any, reach: Any) -> None:
    """TSK-03: without the declared extension, and on other methods with it."""
    peer = rude(discover="modern", on={"tools/call": [{"result": EXTENSION_TASK}], "x/y": [{"result": EXTENSION_TASK}]})
    async with reach(peer.argv, protocol="modern", capabilities={}) as reached:
        outcome = await reached.server.call_tool("echo", {})
        assert isinstance(outcome, LocalError)
        assert "task" in outcome.sentence
        assert b"t1" in outcome.fault.facts["body"]
    other = rude(discover="modern", on={"resources/read": [{"result": EXTENSION_TASK}]})
    async with reach(other.argv, protocol="modern") as reached:
        assert isinstance(await reached.server.read_resource("rude://text"), LocalError)
        assert other.heard("tasks/get") == []


async def test_a_question_of_a_task_is_put_once(rude: Any, reach: Any) -> None:
    """TSK-03: a server that repeats its question until the answer has arrived is asked about once for each key."""
    question = {"sugar": {"method": "elicitation/create", "params": FORM}}
    wanting = {**EXTENSION_TASK, "resultType": "complete", "status": "input_required", "inputRequests": question}
    peer = rude(
        discover="modern",
        on={
            "tools/call": [{"result": EXTENSION_TASK}],
            "tasks/get": [
                {
                    "result": {
                        **EXTENSION_TASK,
                        "resultType": "complete",
                        "status": "completed",
                        "result": {"content": []},
                    }
                }
            ],
            **{f"tasks/get#{n}": [{"result": wanting}] for n in range(1, 5)},
            "tasks/update": [{"result": {"resultType": "complete"}}],
        },
    )
    async with reach(peer.argv, protocol="modern") as reached:
        calling = asyncio.create_task(reached.server.call_tool("echo", {}))
        ask = await waiting(reached)
        ask.answer(b'{"action":"accept","content":{"name":"x"}}')
        assert isinstance(await calling, Complete)
        assert len(reached.inbox.asks) == 1
        assert len(peer.heard("tasks/update")) == 1
        assert peer.heard("tasks/update")[0]["params"]["inputResponses"]["sugar"]["action"] == "accept"
