"""How a task can end wrongly, and what is kept of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

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
    monkeypatch.setattr("mcp_inspector.session.server._TASKS_KEPT", 2)
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
