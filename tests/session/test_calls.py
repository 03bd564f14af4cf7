"""Requests and their outcomes: matched, late, odd, timed out, cancelled, too large."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.status import State
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.transport.base import FaultKind

pytestmark = pytest.mark.anyio


async def test_arguments_go_out_as_they_are_spelled(rude: Any, supervised: Any, journal: Any) -> None:
    """Numbers, order, duplicates and escapes are the person's; only white space between tokens goes."""
    text = b'{ "n": 9007199254740993,\n "f": 1.0, "e": 1e400, "z": -0, "n": 1, "s": "\\u00e9\\/" }'
    async with supervised(rude().argv) as server:
        assert isinstance(await server.call_tool("echo", text), Complete)
    sent = journal.of("request", "tools/call")[0].data
    assert b'"arguments":{"n":9007199254740993,"f":1.0,"e":1e400,"z":-0,"n":1,"s":"\\u00e9\\/"}' in sent
    assert b"\n" not in sent


async def test_arguments_that_are_no_json_are_not_sent(rude: Any, supervised: Any) -> None:
    peer = rude()
    async with supervised(peer.argv) as server:
        outcome = await server.call_tool("echo", b'{"a":')
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.USAGE
    assert peer.heard("tools/call") == []


async def test_fifty_calls_answered_in_any_order_find_their_own(rude: Any, supervised: Any) -> None:
    """LIFE-14."""
    peer = rude(on={"tools/call": [{"collect": 50, "seed": 3, "do": [{"result": {"content": [], "n": "$args"}}]}]})
    async with supervised(peer.argv) as server:
        outcomes = await asyncio.gather(*(server.call_tool("echo", {"n": n}) for n in range(50)))
    assert [outcome.value["n"] for outcome in outcomes] == [f'{{"n":{n}}}' for n in range(50)]


@pytest.mark.parametrize("spelling", ["as-string", "as-float"])
async def test_an_id_of_another_type_is_matched_with_a_warning(rude: Any, supervised: Any, spelling: str) -> None:
    """LIFE-04."""
    peer = rude(on={"tools/call": [{"result": {"content": []}, "id": spelling}]})
    async with supervised(peer.argv) as server:
        outcome = await server.call_tool("echo", {})
        assert isinstance(outcome, Complete)
        assert outcome.faults


async def test_second_strange_and_late_answers_keep_the_connection(rude: Any, supervised: Any, journal: Any) -> None:
    """LIFE-06."""
    twice = [{"answer": True}, {"answer": True}, {"out": {"jsonrpc": "2.0", "id": 9999, "result": {}}}]
    async with supervised(rude(on={"tools/call#1": twice}).argv) as server:
        first = await server.call_tool("echo", {"n": 1})
        assert isinstance(first, Complete)
        assert isinstance(await server.call_tool("echo", {"n": 2}), Complete)
        assert server.status.state is State.CONNECTED
    replies = [entry for entry in journal.of("response", "tools/call") if entry.call == first.call]
    assert [entry.facts.get("verdict") for entry in replies] == [None, "duplicate"]
    assert any(entry.id == "9999" and entry.faults for entry in journal.entries)


ODD_ANSWERS = [
    {"id": "$id", "error": "boom"},
    {"jsonrpc": "2.0", "id": "$id", "error": {"code": "E42", "message": None}},
    {"jsonrpc": "2.0", "id": "$id", "error": {"code": -32000.0, "message": "x", "data": [1]}},
    {"jsonrpc": "2.0", "id": "$id", "result": {}, "error": {"code": 1, "message": "x"}},
    {"jsonrpc": "2.0", "id": "$id"},
    {"jsonrpc": "2.0", "id": "$id", "result": [1]},
    {"jsonrpc": "2.0", "id": "$id", "result": None},
]


@pytest.mark.parametrize("answer", ODD_ANSWERS, ids=repr)
async def test_odd_answers_fail_their_own_request_only(rude: Any, supervised: Any, answer: Any) -> None:
    """LIFE-07, QT-05."""
    async with supervised(rude(on={"tools/call#1": [{"out": answer}]}).argv) as server:
        outcome = await asyncio.wait_for(server.call_tool("echo", {}), 5)
        assert isinstance(outcome, RpcError | LocalError)
        assert outcome.reply
        assert isinstance(await server.call_tool("echo", {}), Complete)


async def test_result_with_a_null_error_is_a_result(rude: Any, supervised: Any) -> None:
    """LIFE-07."""
    answer = {"jsonrpc": "2.0", "id": "$id", "result": {"content": []}, "error": None}
    async with supervised(rude(on={"tools/call": [{"out": answer}]}).argv) as server:
        assert isinstance(await server.call_tool("echo", {}), Complete)


async def test_a_tool_error_is_told_from_an_rpc_error(rude: Any, supervised: Any, journal: Any) -> None:
    answers = {
        "tools/call:a": [{"result": {"content": [], "isError": True}}],
        "tools/call:b": [{"error": {"code": -32602, "message": "no such tool"}}],
    }
    async with supervised(rude(on=answers).argv) as server:
        failed = await server.call_tool("a", {})
        assert isinstance(failed, Complete)
        assert failed.tool_error
        unknown = await server.call_tool("b", {})
        assert isinstance(unknown, RpcError)
        assert (unknown.code, unknown.message) == (-32602, "no such tool")
    assert [entry.status for entry in journal.of("error", "tools/call")] == [-32602]


@pytest.mark.parametrize(
    "params",
    [{}, {"uri": 5}, None, "text", []],
    ids=repr,
)
@pytest.mark.parametrize(
    "method",
    ["message", "resources/updated", "progress", "cancelled", "tools/list_changed", "subscriptions/acknowledged"],
)
async def test_malformed_notifications_are_kept_and_harmless(
    rude: Any, supervised: Any, journal: Any, method: str, params: Any
) -> None:
    """LIFE-20."""
    note = {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}
    async with supervised(rude(on={"tools/call": [{"out": note}, {"answer": True}]}).argv) as server:
        assert isinstance(await server.call_tool("echo", {}), Complete)
        assert server.status.state is State.CONNECTED
    assert len(journal.of("notification", f"notifications/{method}")) == 1


async def test_a_silent_call_ends_at_its_own_limit_and_the_server_is_told(
    rude: Any, supervised: Any, journal: Any
) -> None:
    """TMO-01 (a), TMO-04."""
    peer = rude(on={"tools/call#1": []})
    async with supervised(peer.argv) as server:
        outcome = await server.call_tool("echo", {}, timeout=0.3)
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.TIMEOUT
        assert "0.3 s" in outcome.sentence
        assert isinstance(await server.call_tool("echo", {}), Complete)
    request = peer.heard("tools/call")[0]
    assert peer.heard("notifications/cancelled")[0]["params"]["requestId"] == request["id"]
    assert journal.of("timeout")[0].call == outcome.call


async def test_progress_resets_the_limit_up_to_the_ceiling(rude: Any, supervised: Any) -> None:
    """TMO-01 (b), TMO-02: a token is always sent, and endless progress does not live for ever."""
    progress = {
        "out": {
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {"progressToken": "$token", "progress": "$n"},
        }
    }
    peer = rude(on={"tools/call": [{"later": [{"repeat": None, "do": [progress, {"sleep": 0.1}]}]}]})
    seen: list[float | None] = []
    patience = Patience(request=0.4, ceiling=1.2)
    async with supervised(peer.argv, patience=patience) as server:
        outcome = await server.call_tool("echo", {}, on_progress=lambda progress: seen.append(progress.progress))
        assert isinstance(outcome, LocalError)
        assert "total limit of 1.2 s" in outcome.sentence
    assert len(seen) > 5


async def test_odd_progress_values_never_break_a_call(rude: Any, supervised: Any) -> None:
    """LIFE-20: also huge, negative, text and missing values, and integers that no float holds."""
    odd = [
        {"out": {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "$token", **values}}}
        for values in (
            {"progress": "50%"},
            {"progress": 1e300, "total": -5},
            {"progress": None},
            {"message": 5},
            {},
            {"progress": 10**400},
        )
    ]
    async with supervised(rude(on={"tools/call": [*odd, {"answer": True}]}).argv) as server:
        seen: list[Any] = []
        assert isinstance(await server.call_tool("echo", {}, on_progress=seen.append), Complete)
        assert [progress.progress for progress in seen] == [None, 1e300, None, None, None, None]


async def test_a_late_reply_goes_to_nobody_else(rude: Any, supervised: Any, journal: Any) -> None:
    """LIFE-18: A times out, is answered later, while B waits for its own."""
    later = {
        "tools/call:a": [{"later": [{"sleep": 0.6}, {"result": {"content": [], "is": "A"}}]}],
        "tools/call:b": [{"later": [{"sleep": 1.0}, {"result": {"content": [], "is": "B"}}]}],
    }
    async with supervised(rude(on=later).argv) as server:
        first = await server.call_tool("a", {}, timeout=0.3)
        assert isinstance(first, LocalError)
        second = await server.call_tool("b", {})
        assert second.value["is"] == "B"
    late = [entry for entry in journal.entries if entry.facts.get("verdict") == "late"]
    assert [entry.call for entry in late] == [first.call]


async def test_a_cancel_ends_the_call_at_once_though_the_server_says_nothing(rude: Any, supervised: Any) -> None:
    """TMO-05, TMO-06: twice, and after the end, it does nothing."""
    peer = rude(on={"tools/call#1": []})
    async with supervised(peer.argv) as server:
        started: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        task = asyncio.get_running_loop().create_task(server.call_tool("echo", {}, on_call=started.set_result))
        call = await started
        assert server.cancel(call.seq)
        outcome = await asyncio.wait_for(task, 2)
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.CANCELLED
        assert not server.cancel(call.seq)
        assert isinstance(await server.call_tool("echo", {}), Complete)
    assert len(peer.heard("notifications/cancelled")) == 1


async def test_cancel_and_reply_that_cross_end_the_call_once(rude: Any, supervised: Any) -> None:
    """TMO-06: the reply arrives about when the cancel goes out, many times."""
    async with supervised(rude().argv) as server:
        for number in range(60):
            started: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            task = asyncio.get_running_loop().create_task(server.call_tool("echo", {}, on_call=started.set_result))
            call = await started
            await asyncio.sleep(number % 6 / 2000)
            server.cancel(call.seq)
            assert isinstance(await asyncio.wait_for(task, 5), Complete | LocalError)
        assert isinstance(await server.call_tool("echo", {}), Complete)


async def test_a_waiter_that_is_cancelled_cancels_the_request(rude: Any, supervised: Any) -> None:
    """QT-13."""
    peer = rude(on={"tools/call#1": []})
    async with supervised(peer.argv) as server:
        task = asyncio.get_running_loop().create_task(server.call_tool("echo", {}))
        while not server.in_flight:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert server.in_flight == ()
        assert isinstance(await server.call_tool("echo", {}), Complete)
    assert len(peer.heard("notifications/cancelled")) == 1


async def test_disconnect_ends_open_calls_as_closed_here(rude: Any, supervised: Any) -> None:
    async with supervised(rude(on={"tools/call": []}).argv) as server:
        task = asyncio.get_running_loop().create_task(server.call_tool("echo", {}))
        while not server.in_flight:
            await asyncio.sleep(0)
        await server.disconnect()
        outcome = await asyncio.wait_for(task, 2)
        assert isinstance(outcome, LocalError)
        assert "closed here" in outcome.sentence


@pytest.mark.parametrize("size", [200_000, 8_000_000])
async def test_long_lines_are_read_whole(rude: Any, supervised: Any, size: int) -> None:
    """STDIO-09."""
    answer = {"result": {"content": [{"type": "text", "text": "x" * size}]}}
    async with supervised(rude(on={"tools/call#1": [answer]}).argv) as server:
        outcome = await server.call_tool("echo", {})
        assert len(outcome.value["content"][0]["text"]) == size
        assert isinstance(await server.call_tool("echo", {}), Complete)


async def test_every_byte_of_both_ways_is_recorded_in_order(rude: Any, supervised: Any, journal: Any) -> None:
    async with supervised(rude(on={"tools/call": [{"stderr": "working\n"}, {"answer": True}]}).argv) as server:
        outcome = await server.call_tool("echo", {"text": "naïve – 日本語 – 😀"})
    request, reply = journal.entries[outcome.call - 1], journal.entries[outcome.reply - 1]
    assert (request.direction, reply.direction) == (Direction.SENT, Direction.RECEIVED)
    assert "日本語".encode() in request.data
    assert reply.mono_ns - request.mono_ns == outcome.elapsed_ns
    assert (reply.call, reply.method, reply.target) == (outcome.call, "tools/call", "echo")
    assert [entry.data for entry in journal.entries if entry.channel is Channel.STDERR] == [b"working"]


async def test_a_server_that_does_not_read_cannot_hold_a_call(rude: Any, supervised: Any) -> None:
    """STDIO-29: the pipe is full; the limit fires, cancel and disconnect work."""
    peer = rude(on={"tools/call#1": [{"sleep": 600}]})
    async with supervised(peer.argv, patience=Patience(request=20)) as server:
        huge = b'{"text":"' + b"x" * 5_000_000 + b'"}'
        first = asyncio.get_running_loop().create_task(server.call_tool("echo", {}))
        timed_out = await asyncio.wait_for(server.call_tool("echo", huge, timeout=0.5), 5)
        assert isinstance(timed_out, LocalError)
        assert timed_out.fault.kind is FaultKind.TIMEOUT
        started: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        second = asyncio.get_running_loop().create_task(server.call_tool("echo", huge, on_call=started.set_result))
        assert server.cancel((await started).seq)
        cancelled = await asyncio.wait_for(second, 5)
        assert isinstance(cancelled, LocalError)
        assert cancelled.fault.kind is FaultKind.CANCELLED
        await asyncio.wait_for(server.disconnect(), 10)
        assert isinstance(await asyncio.wait_for(first, 5), LocalError)


async def test_a_waiter_that_is_cancelled_while_the_pipe_is_full_is_cancelled(rude: Any, supervised: Any) -> None:
    """QT-13, STDIO-29."""
    peer = rude(on={"tools/call#1": [{"sleep": 600}]})
    async with supervised(peer.argv) as server:
        first = asyncio.get_running_loop().create_task(server.call_tool("echo", {}))
        started: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        huge = b'{"text":"' + b"x" * 5_000_000 + b'"}'
        task = asyncio.get_running_loop().create_task(server.call_tool("echo", huge, on_call=started.set_result))
        await started
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.disconnect()
        await first
