"""What the demo server asks, watches, logs and goes on with, in both eras and on every transport."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, Ask, AskState, Preset
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.ways import Ways

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp_inspector.session.server import Server

pytestmark = pytest.mark.anyio

SAMPLE = b'{"role":"assistant","content":{"type":"text","text":"Short."},"model":"me","stopReason":"endTurn"}'


@pytest.fixture(params=["stdio-modern", "stdio-legacy", "http-modern", "http-legacy", "sse-legacy"])
def demo(request: pytest.FixtureRequest, journal: Any) -> Callable[..., Any]:
    """The demo server under supervision: ``async with demo() as (inspector, server)``."""
    way, era = request.param.split("-")
    if way == "stdio":
        argv = request.getfixturevalue("demo_stdio_command")
        entry = ServerEntry("demo", command=argv[0], args=argv[1:], protocol=era)
    else:
        url = request.getfixturevalue(f"demo_{way}")
        entry = ServerEntry("demo", transport=way, url=url, protocol=era)

    @asynccontextmanager
    async def run() -> AsyncIterator[tuple[Inspector, Server]]:
        inspector = Inspector(journal, Ways(Dialer(), reconnect_base=0.05), [entry])
        server = inspector.servers[0]
        try:
            server.connect()
            assert (await server.settled()).up, server.status
            await server.loaded()
            yield inspector, server
        finally:
            await inspector.close()

    return run


async def asked(inspector: Inspector) -> Ask:
    """The next question that waits, bounded."""
    come = asyncio.Event()
    stop = inspector.inbox.changed.connect(lambda: come.set() if inspector.inbox.waiting else None)
    try:
        if not inspector.inbox.waiting:
            await asyncio.wait_for(come.wait(), 10)
        return inspector.inbox.waiting[0]
    finally:
        stop()


def spawn(work: Any) -> asyncio.Task[Any]:
    return asyncio.get_running_loop().create_task(work)


async def test_an_elicitation_is_answered_by_the_person(demo: Any) -> None:
    async with demo() as (inspector, server):
        task = spawn(server.call_tool("ask_name", b"{}"))
        ask = await asked(inspector)
        assert (ask.server, ask.method) == ("demo", ELICITATION)
        assert ask.value["requestedSchema"]["properties"]
        assert ask.call == server_call(inspector, "ask_name")
        ask.answer(b'{"action":"accept","content":{"name":"Ada"}}')
        outcome = await asyncio.wait_for(task, 10)
        assert isinstance(outcome, Complete)
        assert "Ada" in outcome.result.decode()
        assert outcome.call == ask.call


def server_call(inspector: Inspector, target: str) -> int:
    """The record number of the first request to a tool."""
    entries = inspector._journal.entries  # the tests' journal keeps them
    return next(
        n
        for n, entry in enumerate(entries, 1)
        if entry.kind == "request" and entry.method == "tools/call" and entry.target == target
    )


async def test_a_declined_elicitation_reaches_the_tool(demo: Any) -> None:
    async with demo() as (inspector, server):
        task = spawn(server.call_tool("ask_name", b"{}"))
        (await asked(inspector)).answer(b'{"action":"decline"}')
        assert isinstance(await asyncio.wait_for(task, 10), Complete)


async def test_sampling_and_roots_are_answered_by_hand(demo: Any) -> None:
    async with demo() as (inspector, server):
        task = spawn(server.call_tool("summarise", b'{"text":"a long story"}'))
        ask = await asked(inspector)
        assert ask.method == SAMPLING
        ask.answer(SAMPLE)
        assert "Short." in (await asyncio.wait_for(task, 10)).result.decode()
        task = spawn(server.call_tool("list_roots", b"{}"))
        ask = await asked(inspector)
        assert ask.method == ROOTS
        ask.answer(b'{"roots":[{"uri":"file:///somewhere","name":"here"}]}')
        assert "file:///somewhere" in (await asyncio.wait_for(task, 10)).result.decode()


async def test_a_preset_answers_and_nothing_else_does(demo: Any) -> None:
    async with demo() as (inspector, server):
        inspector.inbox.set_preset("demo", SAMPLING, Preset("result", SAMPLE))
        outcome = await asyncio.wait_for(server.call_tool("summarise", b'{"text":"a story"}'), 10)
        assert "Short." in outcome.result.decode()
        assert inspector.inbox.asks[-1].preset == "result"
        inspector.inbox.set_preset("demo", SAMPLING, None)
        task = spawn(server.call_tool("summarise", b'{"text":"a story"}'))
        ask = await asked(inspector)
        assert ask.state is AskState.WAITING
        ask.refuse()
        assert isinstance(await asyncio.wait_for(task, 10), Complete | LocalError | RpcError)


async def test_a_cancelled_call_takes_its_question_back(demo: Any) -> None:
    async with demo() as (inspector, server):
        task = spawn(server.call_tool("ask_name", b"{}"))
        ask = await asked(inspector)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        ended = asyncio.Event()
        inspector.inbox.changed.connect(lambda: ended.set() if ask.state is not AskState.WAITING else None)
        if ask.state is AskState.WAITING:
            if ask.way == "request":  # the server decides; this one may not take it back, closing does
                await server.disconnect()
            await asyncio.wait_for(ended.wait(), 5)
        assert ask.state is AskState.WITHDRAWN


async def test_a_question_stops_the_clock(demo: Any) -> None:
    async with demo() as (inspector, server):
        task = spawn(server.call_tool("ask_name", b"{}", timeout=0.5))
        ask = await asked(inspector)
        await asyncio.sleep(1.0)
        assert ask.state is AskState.WAITING
        ask.answer(b'{"action":"accept","content":{"name":"Ada"}}')
        assert isinstance(await asyncio.wait_for(task, 10), Complete)


async def test_a_watched_resource_tells_of_changes(demo: Any) -> None:
    async with demo() as (_, server):
        uri = "demo://counter"
        updated: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        server.subscriptions.updated.connect(lambda what: updated.done() or updated.set_result(what))
        ready = asyncio.Event()
        server.subscriptions.changed.connect(
            lambda: (
                ready.set()
                if uri in str(server.subscriptions.honoured)
                or any(each.what == "opened" and each.detail == uri for each in server.subscriptions.history)
                else None
            )
        )
        await server.subscriptions.watch(uri)
        await asyncio.wait_for(ready.wait(), 10)
        await server.call_tool("count_up", b"{}")
        assert await asyncio.wait_for(updated, 10) == uri
        assert any(each.what == "updated" for each in server.subscriptions.history)


async def test_log_messages_come_at_the_chosen_level(demo: Any, journal: Any) -> None:
    async with demo() as (_, server):
        await server.set_log_level("debug")
        assert isinstance(await server.call_tool("log_lines", b"{}"), Complete)
        assert journal.of("notification", "notifications/message")


async def test_progress_is_told_on_the_call(demo: Any) -> None:
    async with demo() as (_, server):
        seen: list[Any] = []
        outcome = await server.call_tool("slow", b'{"steps":3,"seconds":0.3}', on_progress=seen.append)
        assert isinstance(outcome, Complete)
        assert [progress.progress for progress in seen][-1] == 3
        assert seen[0].total == 3


async def test_a_task_is_followed_to_its_end_and_asked_on_the_way(demo: Any) -> None:
    async with demo() as (inspector, server):
        if server.identity.era == "legacy":
            outcome = await server.call_tool("brew_tea", b'{"seconds":1}')
            assert "cold tea" in outcome.result.decode()
            return
        task = spawn(server.call_tool("brew_tea", b'{"seconds":0.2,"ask":true}'))
        ask = await asked(inspector)
        assert ask.way == "task"
        ask.answer(b'{"action":"accept","content":{"sugar":"much"}}')
        outcome = await asyncio.wait_for(task, 10)
        assert isinstance(outcome, Complete)
        assert "much sugar" in outcome.result.decode()
        (run,) = server.task_runs
        assert [status for _, status, _ in run.history][-1] == "completed"
        assert outcome.call == run.call


async def test_a_task_can_be_cancelled(demo: Any) -> None:
    async with demo() as (_, server):
        if server.identity.era == "legacy":
            return
        task = spawn(server.call_tool("brew_tea", b'{"seconds":100}'))
        begun = asyncio.Event()
        server.changed.connect(lambda: begun.set() if server.task_runs else None)
        await asyncio.wait_for(begun.wait(), 10)
        await server.task_runs[0].cancel()
        outcome = await asyncio.wait_for(task, 10)
        assert isinstance(outcome, LocalError)
        assert "cancelled" in outcome.sentence


async def test_any_bytes_can_be_sent_and_the_answer_is_matched(demo: Any, journal: Any) -> None:
    async with demo() as (_, server):
        params: dict[str, Any] = {}
        if server.identity.era == "modern":
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": server.identity.version,
                "io.modelcontextprotocol/clientCapabilities": {},
            }
        raw = json.dumps({"jsonrpc": "2.0", "id": "mine", "method": "tools/list", "params": params}).encode()
        answered = asyncio.Event()
        server.changed.connect(
            lambda: None if any(call.ident == "mine" for call in server.in_flight) else answered.set()
        )
        assert await server.send_raw(raw) is None
        await asyncio.wait_for(answered.wait(), 10)
        (request,) = [entry for entry in journal.entries if entry.id == '"mine"' and entry.kind == "request"]
        (reply,) = [entry for entry in journal.entries if entry.id == '"mine"' and entry.kind == "response"]
        assert request.data == raw
        assert reply.call == journal.entries.index(request) + 1
