"""What the demo server offers, used through our core: over stdio, Streamable HTTP and HTTP+SSE, in both eras."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import psutil
import pytest

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, AskState, Preset
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.status import State
from mcp_inspector.store.record import Channel
from mcp_inspector.transport.base import FaultKind
from tests.end2end.test_every_peer import text_of

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

WAYS = {
    "stdio legacy": ("demo_stdio_command", "stdio", "legacy"),
    "stdio modern": ("demo_stdio_command", "stdio", "modern"),
    "http legacy": ("demo_http", "http", "legacy"),
    "http modern": ("demo_http", "http", "modern"),
    "sse": ("demo_sse", "sse", "auto"),
}
OWN_PROCESS = {name: way for name, way in WAYS.items() if name.startswith("stdio")}


@pytest.fixture(params=WAYS)
def demo(request: pytest.FixtureRequest, reach: Any) -> Any:
    """``async with demo() as reached``, each way to the demo in turn."""
    fixture, transport, protocol = WAYS[request.param]
    target = request.getfixturevalue(fixture)
    return lambda **more: reach(target, name="demo", transport=transport, protocol=protocol, **more)


@pytest.fixture(params=OWN_PROCESS)
def own_demo(request: pytest.FixtureRequest, reach: Any) -> Any:
    """As `demo`, but only where the server is a process of ours, which may end."""
    fixture, transport, protocol = WAYS[request.param]
    target = request.getfixturevalue(fixture)
    return lambda **more: reach(target, name="demo", transport=transport, protocol=protocol, **more)


async def asked(reached: Any, count: int = 1) -> Any:
    """The question that waits in the inbox, when there are so many in all."""
    await reached.until(lambda: len(reached.inbox.asks) >= count and reached.inbox.waiting)
    return reached.inbox.waiting[0]


async def test_progress_is_heard_step_by_step(demo: Any) -> None:
    heard: list[Any] = []
    async with demo() as reached:
        outcome = await reached.server.call_tool("slow", {"seconds": 0.2, "steps": 4}, on_progress=heard.append)
        assert "4 steps" in text_of(outcome)
        assert [note.progress for note in heard] == [0, 1, 2, 3, 4]
        assert {note.total for note in heard} == {4}
        assert heard[1].message == "Step 2 of 4"
        notes = reached.entries("notification", "notifications/progress")
        assert len(notes) == 5
        assert {note.call for note in notes} == {outcome.call}


async def test_a_call_is_cancelled_at_once_and_the_server_goes_on(demo: Any) -> None:
    """TMO-05, MOD-11."""
    async with demo() as reached:
        begun: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        stepped = asyncio.Event()
        calling = asyncio.create_task(
            reached.server.call_tool(
                "slow",
                {"seconds": 600, "steps": 6000},
                on_call=lambda call: begun.set_result(call.seq),
                on_progress=lambda note: stepped.set(),
            )
        )
        seq = await begun
        await asyncio.wait_for(stepped.wait(), 10)
        assert reached.server.cancel(seq)
        outcome = await asyncio.wait_for(calling, 1)
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.CANCELLED
        assert "x" in text_of(await reached.server.call_tool("echo", {"text": "x"}))
        identity = reached.server.identity
        told = reached.entries("notification", "notifications/cancelled")
        # In the modern era over HTTP closing the call's own stream says it; a notification would be refused.
        assert len(told) == (0 if (identity.era, identity.transport) == ("modern", "streamable-http") else 1)
        progress = len(reached.entries("notification", "notifications/progress"))
        for _ in range(3):
            await reached.server.ping()
        assert len(reached.entries("notification", "notifications/progress")) <= progress + 1


async def test_progress_keeps_a_slow_call_alive_and_silence_ends_it(demo: Any) -> None:
    """TMO-01, TMO-02, TMO-04."""
    async with demo() as reached:
        kept = await reached.server.call_tool("slow", {"seconds": 1.5, "steps": 15}, timeout=0.8)
        assert isinstance(kept, Complete)
        silent = await reached.server.call_tool("slow", {"seconds": 600, "steps": 1}, timeout=0.5)
        assert isinstance(silent, LocalError)
        assert silent.fault.kind is FaultKind.TIMEOUT
        assert "x" in text_of(await reached.server.call_tool("echo", {"text": "x"}))


async def test_a_form_is_answered_by_hand(demo: Any) -> None:
    async with demo() as reached:
        calling = asyncio.create_task(reached.server.call_tool("ask_name"))
        ask = await asked(reached)
        assert (ask.server, ask.method) == ("demo", ELICITATION)
        assert ask.value["requestedSchema"]["required"] == ["name"]
        assert ask.call
        ask.answer(b'{"action":"accept","content":{"name":"Ada"}}')
        outcome = await calling
        assert text_of(outcome) == "Nice to meet you, Ada!"
        assert outcome.call == ask.call
        assert ask.state is AskState.ANSWERED


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_a_form_is_declined_or_cancelled(demo: Any, action: str) -> None:
    async with demo() as reached:
        reached.inbox.set_preset("demo", ELICITATION, Preset(action))  # type: ignore[arg-type]
        assert text_of(await reached.server.call_tool("ask_name")) == f"You chose: {action}. Nothing was done."


async def test_a_preset_accepts_with_the_defaults_of_every_kind_of_field(demo: Any) -> None:
    async with demo() as reached:
        reached.inbox.set_preset("*", ELICITATION, Preset("accept"))
        outcome = await reached.server.call_tool("ask_everything")
        given = outcome.value["structuredContent"]["answer"]
        assert given["name"] == "Ada"
        assert (given["guests"], given["budget"], given["window"]) == (2, 99.5, True)
        assert (given["meal"], given["drink"], given["extras"]) == ("dinner", "tea", ["music"])


async def test_two_questions_follow_each_other(demo: Any) -> None:
    """MOD-08."""
    async with demo() as reached:
        calling = asyncio.create_task(reached.server.call_tool("plan_trip", {"days": 2}))
        first = await asked(reached)
        first.answer(b'{"action":"accept","content":{"kind":"mountains"}}')
        second = await asked(reached, 2)
        assert second.value["requestedSchema"]["properties"]["town"]["enum"] == ["Innsbruck", "Cusco"]
        second.answer(b'{"action":"accept","content":{"town":"Cusco","days":5}}')
        outcome = await calling
        assert outcome.value["structuredContent"] == {"kind": "mountains", "town": "Cusco", "days": 5}
        if reached.server.identity.era == "modern":
            sent = reached.entries("request", "tools/call")
            bodies = [json.loads(entry.data) for entry in sent]
            assert len({body["id"] for body in bodies}) == 3
            assert {entry.call for entry in sent[1:]} == {outcome.call}
            replies = [json.loads(entry.data) for entry in reached.entries("response", "tools/call")]
            for body, before in zip(bodies[1:], replies, strict=False):
                assert body["params"]["requestState"] == before["result"]["requestState"]
                assert body["params"]["arguments"] == bodies[0]["params"]["arguments"]
            assert (first.round, second.round) == (1, 2)


async def test_a_page_is_only_opened_with_consent(demo: Any) -> None:
    async with demo() as reached:
        calling = asyncio.create_task(reached.server.call_tool("open_page"))
        ask = await asked(reached)
        assert ask.value["mode"] == "url"
        assert ask.value["url"].startswith("https://example.com/")
        ask.answer(b'{"action":"accept"}')
        assert "agreed" in text_of(await calling)


async def test_the_model_is_played_by_hand_with_and_without_tools(demo: Any) -> None:
    async with demo() as reached:
        for number, offered in enumerate((False, True), 1):
            calling = asyncio.create_task(
                reached.server.call_tool("summarise", {"text": "Long.", "offer_tool": offered})
            )
            ask = await asked(reached, number)
            assert ask.method == SAMPLING
            assert ("tools" in ask.value) is offered
            ask.answer(
                b'{"role":"assistant","content":{"type":"text","text":"Short."},"model":"me","stopReason":"endTurn"}'
            )
            assert text_of(await calling) == "Short."


async def test_a_refused_sampling_is_told(demo: Any) -> None:
    async with demo() as reached:
        calling = asyncio.create_task(reached.server.call_tool("summarise"))
        (await asked(reached)).refuse()
        outcome = await calling
        if reached.server.identity.era == "modern":
            assert isinstance(outcome, LocalError)
        else:
            assert isinstance(outcome, RpcError) or outcome.tool_error


async def test_roots_are_given(demo: Any) -> None:
    async with demo() as reached:
        reached.inbox.set_preset("demo", ROOTS, Preset("result", b'{"roots":[{"uri":"file:///srv","name":"srv"}]}'))
        outcome = await reached.server.call_tool("list_roots")
        assert outcome.value["structuredContent"] == {"roots": [{"uri": "file:///srv", "name": "srv"}]}


async def test_a_capability_that_was_not_declared_is_named(demo: Any) -> None:
    """MOD-13."""
    async with demo(capabilities={}) as reached:
        outcome = await reached.server.call_tool("ask_name")
        if reached.server.identity.era == "modern":
            assert isinstance(outcome, RpcError)
            assert outcome.code == -32021
            assert b'"elicitation"' in outcome.error
        else:
            assert outcome.tool_error


async def test_log_messages_come_at_the_level_that_is_set(demo: Any) -> None:
    async with demo() as reached:
        await reached.server.set_log_level("error")
        await reached.server.call_tool("log_lines", {"count": 8})
        await reached.server.ping()
        lines = [json.loads(entry.data) for entry in reached.entries("notification", "notifications/message")]
        assert [line["params"]["level"] for line in lines] == ["error", "critical", "alert", "emergency"]


@pytest.mark.parametrize(
    ("kind", "what"), [("tool", What.TOOLS), ("resource", What.RESOURCES), ("prompt", What.PROMPTS)]
)
async def test_a_changed_list_is_read_again_by_itself(demo: Any, kind: str, what: What) -> None:
    name = f"new-{kind}"
    key = f"demo://added/{name}" if kind == "resource" else name
    async with demo() as reached:
        server = reached.server
        if server.identity.era == "modern":
            await reached.until(lambda: server.subscriptions.honoured)
        assert key not in server.catalogue[what].by_key
        await server.call_tool("add_item", {"kind": kind, "name": name})
        await reached.until(lambda: key in server.catalogue[what].by_key)
        await server.call_tool("remove_item", {"kind": kind, "name": name})
        await reached.until(lambda: key not in server.catalogue[what].by_key)


async def test_a_watched_resource_tells_of_its_changes(demo: Any) -> None:
    changed: list[str] = []
    async with demo() as reached:
        server = reached.server
        drop = server.subscriptions.updated.connect(lambda uri: changed.append(uri))
        await server.subscriptions.watch("demo://counter")
        if server.identity.era == "modern":
            await reached.until(
                lambda: "demo://counter" in server.subscriptions.honoured.get("resourceSubscriptions", ())
            )
        await server.call_tool("count_up", {"times": 3, "every": 0.02})
        await reached.until(lambda: len(changed) == 3)
        assert set(changed) == {"demo://counter"}
        drop()


async def test_numbers_and_text_arrive_as_they_were_spelled(demo: Any) -> None:
    async with demo() as reached:
        outcome = await reached.server.call_tool("big_numbers")
        assert b'"beyond 2^53":9007199254740993' in outcome.result.replace(b'": ', b'":')
        assert b'"an integer with a point":1.0' in outcome.result.replace(b'": ', b'":')
        arguments = b'{"text": "\\u202e\\u0000\\ud83d\\ude00 \xe2\x80\xa8"}'
        back = await reached.server.call_tool("echo", arguments)
        assert text_of(back) == json.loads(arguments)["text"]


async def test_ten_megabytes_in_one_line(demo: Any) -> None:
    async with demo() as reached:
        outcome = await reached.server.call_tool("big_text", {"kilobytes": 10_240, "shape": "one line"})
        assert len(text_of(outcome)) == 10 << 20


async def test_a_task_is_followed_to_its_end(demo: Any) -> None:
    async with demo() as reached:
        calling = asyncio.create_task(reached.server.call_tool("brew_tea", {"seconds": 0.2, "ask": True}))
        if reached.server.identity.era == "legacy":
            assert "cold tea" in text_of(await calling)
            return
        ask = await asked(reached)
        assert ask.way == "task"
        ask.answer(b'{"action":"accept","content":{"sugar":"much"}}')
        assert "much sugar" in text_of(await calling)
        assert reached.server.task_runs[0].state.status == "completed"


async def test_arguments_that_route_are_repeated_in_headers(demo: Any) -> None:
    """MOD-06, MOD-07: the server checks them, and refuses a call whose headers differ."""
    async with demo() as reached:
        outcome = await reached.server.call_tool("query_region", {"region": "süd", "urgent": True})
        assert text_of(outcome) == "Region süd answers, at once."
        if (reached.server.identity.era, reached.server.identity.transport) == ("modern", "streamable-http"):
            http = [entry for entry in reached.entries() if entry.channel is Channel.HTTP]
            headers = {name.lower(): value for entry in http for name, value in entry.facts.get("headers", ())}
            assert headers["mcp-param-region"] == "=?base64?c8O8ZA==?="
            assert headers["mcp-param-urgent"] == "true"


async def test_odd_names_of_tools_travel_in_headers(demo: Any) -> None:
    """MOD-06."""
    async with demo() as reached:
        for name in ("größe", " x ", "=?base64?eA==?=", "a\r\nEvil: 1"):
            outcome = await reached.server.call_tool(name, {})
            assert isinstance(outcome, RpcError), name
            assert (outcome.code, outcome.message) == (-32602, f"Unknown tool: {name}")


async def test_each_failure_is_told_as_what_it_is(demo: Any) -> None:
    async with demo() as reached:
        failed = await reached.server.call_tool("fail")
        assert isinstance(failed, Complete)
        assert failed.tool_error
        refused = await reached.server.call_tool("fail", {"how": "protocol error"})
        assert isinstance(refused, RpcError)
        assert (refused.code, json.loads(refused.error)["data"]) == (-32000, {"asked": True})
        crashed = await reached.server.call_tool("fail", {"how": "crash in the tool"})
        assert isinstance(crashed, RpcError)
        missing = await reached.server.read_resource("demo://nowhere")
        assert isinstance(missing, RpcError)
        assert missing.code == (-32602 if reached.server.identity.era == "modern" else -32002)


async def test_fifty_calls_at_once_find_their_own_answers(demo: Any) -> None:
    """LIFE-14."""
    async with demo() as reached:
        calls = [reached.server.call_tool("echo", {"text": str(n)}) for n in range(50)]
        assert [text_of(outcome) for outcome in await asyncio.gather(*calls)] == [str(n) for n in range(50)]


async def test_the_end_in_mid_call_is_told_and_the_server_comes_back(own_demo: Any) -> None:
    """LIFE-13."""
    async with own_demo() as reached:
        server = reached.server
        begun = asyncio.Event()
        arguments = {"seconds": 600, "steps": 6}
        other = asyncio.create_task(server.call_tool("slow", arguments, on_progress=lambda note: begun.set()))
        await asyncio.wait_for(begun.wait(), 10)
        ended = await server.call_tool("exit_process", {"code": 7})
        assert isinstance(ended, LocalError)
        assert ended.fault.kind is FaultKind.EXITED
        assert "7" in ended.sentence
        assert isinstance(await other, LocalError)
        await reached.until(lambda: server.connection == 2 and server.status.state is State.CONNECTED)
        await server.loaded()
        assert "x" in text_of(await server.call_tool("echo", {"text": "x"}))
        assert len(reached.entries("request", "tools/call")) == 3


async def test_nothing_is_left_of_a_server_that_was_disconnected(own_demo: Any, kept_processes: set[int]) -> None:
    async with own_demo() as reached:
        children = [child for child in psutil.Process().children() if child.pid not in kept_processes]
        assert len(children) == 1
        await reached.server.disconnect()
        assert not children[0].is_running()
        assert reached.server.status.state is State.IDLE
        refused = await reached.server.call_tool("echo", {"text": "x"})
        assert isinstance(refused, LocalError)
        ends = [entry for entry in reached.entries() if entry.kind == "exited"]
        assert [entry.status for entry in ends] == [0]


async def test_servers_side_by_side_do_not_disturb_each_other(
    reach: Any, demo_stdio_command: Any, demo_http: str
) -> None:
    from mcp_inspector.config.entry import ServerEntry

    async with reach(demo_stdio_command, name="one", protocol="legacy") as reached:
        two = reached.inspector.add(ServerEntry("two", transport="http", url=demo_http))
        bad = reached.inspector.add(ServerEntry("bad", command="no-such-command-anywhere"))
        two.connect()
        bad.connect()
        await two.settled()
        await bad.settled()
        assert bad.status.state is State.FAILED
        assert bad.status.fault.kind is FaultKind.NOT_FOUND
        assert (reached.server.identity.era, two.identity.era) == ("legacy", "modern")
        ended = reached.server.call_tool("exit_process")
        answers = [two.call_tool("echo", {"text": str(n)}) for n in range(5)]
        first, *rest = await asyncio.gather(ended, *answers)
        assert isinstance(first, LocalError)
        assert [text_of(outcome) for outcome in rest] == list("01234")
        assert two.status.state is State.CONNECTED


@pytest.mark.qt_loop
@pytest.mark.parametrize("way", ["stdio legacy", "http modern", "sse"])
async def test_the_loop_of_the_window_carries_a_crowd(request: pytest.FixtureRequest, reach: Any, way: str) -> None:
    """Many calls, questions, progress and a cancel at once, on qasync."""
    fixture, transport, protocol = WAYS[way]
    target = request.getfixturevalue(fixture)
    async with reach(target, name="demo", transport=transport, protocol=protocol) as reached:
        server = reached.server
        reached.inbox.set_preset("demo", ELICITATION, Preset("accept", b'{"name":"Ada"}'))
        seqs: list[int] = []
        endless = asyncio.create_task(
            server.call_tool("slow", {"seconds": 600, "steps": 6000}, on_call=lambda call: seqs.append(call.seq))
        )
        echoes = [server.call_tool("echo", {"text": str(n)}) for n in range(40)]
        asks = [server.call_tool("ask_name") for _ in range(5)]
        outcomes = await asyncio.gather(*echoes, *asks)
        assert [text_of(outcome) for outcome in outcomes] == [*map(str, range(40)), *["Nice to meet you, Ada!"] * 5]
        assert server.cancel(seqs[0])
        assert isinstance(await endless, LocalError)
