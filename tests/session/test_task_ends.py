"""How a task can end wrongly, and what is kept of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcp_inspector.session.connecting import Client
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.transport.base import FaultKind

pytestmark = pytest.mark.anyio

STAMP = "2026-01-01T00:00:00Z"
EXTENSION = {"extensions": {"io.modelcontextprotocol/tasks": {}}, "tools": {}}


def task(status: str, **more: Any) -> dict[str, Any]:
    times = {"createdAt": STAMP, "lastUpdatedAt": STAMP, "ttlMs": None, "pollIntervalMs": 50}
    return {"resultType": "complete", "taskId": "t1", "status": status, **times, **more}


def peer_of(rude: Any, *states: dict[str, Any]) -> Any:
    """A modern server whose tools make tasks; `tasks/get` gives these states in turn, the last one for ever."""
    on = {"tools/call": [{"result": task("working") | {"resultType": "task"}}], "tasks/get": [{"result": states[-1]}]}
    on |= {f"tasks/get#{n}": [{"result": state}] for n, state in enumerate(states, 1)}
    return rude(discover="modern", capabilities=EXTENSION, on=on)


@pytest.mark.parametrize("more", [{}, {"result": 5}, {"result": []}, {"result": None}], ids=repr)
async def test_a_completed_task_without_a_result_is_an_error_of_ours(rude: Any, supervised: Any, more: Any) -> None:
    async with supervised(peer_of(rude, task("completed", **more)).argv) as server:
        outcome = await server.call_tool("echo", {})
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.BAD_CONTENT
        assert server.task_runs[0].outcome == outcome


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32000, "message": "broke"}, -32000, "broke"),
        ({"code": True, "message": None}, None, ""),
        ("boom", None, "boom"),
    ],
    ids=repr,
)
async def test_a_failed_task_is_the_error_in_it(
    rude: Any, supervised: Any, error: Any, code: int | None, message: str
) -> None:
    async with supervised(peer_of(rude, task("working"), task("failed", error=error)).argv) as server:
        outcome = await server.call_tool("echo", {})
        assert isinstance(outcome, RpcError)
        assert (outcome.code, outcome.message) == (code, message)


async def test_a_task_that_nobody_waits_for_has_an_outcome_and_is_forgotten_in_time(
    rude: Any, supervised: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("mcp_inspector.session.operations._TASKS_KEPT", 2)
    peer = peer_of(rude, task("working"))
    async with supervised(peer.argv) as server:
        for _ in range(5):
            begun = asyncio.Event()
            known = list(server.task_runs)
            stop = server.changed.connect(
                lambda begun=begun, known=known: begun.set() if server.task_runs != known else None
            )
            call = asyncio.create_task(server.call_tool("echo", {}))
            await asyncio.wait_for(begun.wait(), 10)
            stop()
            call.cancel()
            await asyncio.wait([call])
            assert isinstance(server.task_runs[-1].outcome, LocalError)
        assert len(server.task_runs) == 3
        assert isinstance(await server.ping(), Complete)


ASKED = {"inputRequests": {"k": {"method": "roots/list", "params": {}}}}


@pytest.mark.parametrize("ask", [ASKED, {"inputRequests": {"k": {"method": "vendor/thing"}}}], ids=["roots", "unknown"])
async def test_a_task_that_asks_for_what_was_not_declared_is_cancelled(
    rude: Any, journal: Any, supervised: Any, ask: Any
) -> None:
    """Nobody may be there to answer, as on the command line: it must not wait for ever."""
    peer = peer_of(rude, task("input_required", **ask), task("cancelled", statusMessage="gave up"))
    async with supervised(peer.argv, client=Client(capabilities={"extensions": EXTENSION["extensions"]})) as server:
        outcome = await asyncio.wait_for(server.call_tool("echo", {}), 10)
        assert isinstance(outcome, LocalError)
        assert "gave up" in outcome.sentence
    assert len(peer.heard("tasks/cancel")) == 1


async def test_a_result_that_asks_for_what_was_not_declared_ends_the_call(rude: Any, supervised: Any) -> None:
    """MOD: only what was declared on that request may be asked."""
    asking = {"resultType": "input_required", "requestState": "s", **ASKED}
    peer = rude(discover="modern", on={"tools/call": [{"result": asking}]})
    async with supervised(peer.argv, client=Client(capabilities={})) as server:
        outcome = await asyncio.wait_for(server.call_tool("echo", {}), 10)
        assert isinstance(outcome, LocalError)
        assert "k was not answered" in outcome.sentence
    assert len(peer.heard("tools/call")) == 1


async def test_a_question_whose_connection_is_gone_is_withdrawn(rude: Any, supervised: Any) -> None:
    asking = {"resultType": "input_required", "requestState": "s", **ASKED}
    peer = rude(discover="modern", on={"tools/call": [{"result": asking}]})
    async with supervised(peer.argv) as server:
        waiting = asyncio.Event()
        inbox = server._inbox
        stop = inbox.changed.connect(lambda: waiting.set() if inbox.waiting else None)
        call = asyncio.create_task(server.call_tool("echo", {}))
        await asyncio.wait_for(waiting.wait(), 10)
        stop()
        await server.disconnect()
        outcome = await asyncio.wait_for(call, 10)
        assert isinstance(outcome, LocalError)
        assert inbox.waiting == ()


async def test_a_task_ends_with_its_time_to_live(rude: Any, supervised: Any) -> None:
    """TSK-02: a server that says `working` for ever is not polled for ever."""
    async with supervised(peer_of(rude, task("working", ttlMs=100)).argv) as server:
        outcome = await asyncio.wait_for(server.call_tool("echo", {}), 10)
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.TIMEOUT
        assert "0.1 s" in outcome.sentence
