"""The corners of the protocol as the demo offers them, used through our core over each transport, in both eras."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.inbox import ELICITATION, AskState, Preset
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.remembered import compare
from tests.end2end.test_every_peer import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

WAYS = {
    "stdio legacy": ("demo_stdio_command", "stdio", "legacy"),
    "stdio modern": ("demo_stdio_command", "stdio", "modern"),
    "http legacy": ("demo_http", "http", "legacy"),
    "http modern": ("demo_http", "http", "modern"),
}
EXTRA = "com.example/extra-tools"


@pytest.fixture(params=WAYS)
def demo(request: pytest.FixtureRequest, reach: Any) -> Callable[..., Any]:
    """``async with demo() as reached``, each way to the demo in turn."""
    fixture, transport, protocol = WAYS[request.param]
    target = request.getfixturevalue(fixture)
    return lambda **more: reach(target, name="demo", transport=transport, protocol=protocol, **more)


async def test_tea_is_a_task_in_either_era(demo: Any) -> None:
    async with demo() as reached:
        server = reached.server
        reached.inbox.set_preset("*", ELICITATION, Preset("accept", b'{"sugar":"some"}'))
        if server.identity.era == "legacy":
            assert server.identity.has("tasks.requests.tools.call")
            item = server.catalogue[What.TOOLS].by_key["brew_tea"]
            assert item.value["execution"] == {"taskSupport": "optional"}
            plain = await server.call_tool("brew_tea", {"seconds": 0})  # not asked for as a task
            assert "cold tea" in text_of(plain)
        outcome = await server.call_tool("brew_tea", {"seconds": 0.2, "ask": True}, as_task=True)
        assert "with some sugar" in text_of(outcome)
        statuses = [status for _, status, _ in server.task_runs[-1].history]
        assert (statuses[0], statuses[-1]) == ("working", "completed")


async def test_a_task_is_cancelled_and_what_it_asked_with_it(demo: Any) -> None:
    async with demo() as reached:
        server = reached.server
        call = asyncio.create_task(server.call_tool("brew_tea", {"seconds": 0, "ask": True}, as_task=True))
        await reached.until(lambda: bool(reached.inbox.waiting))
        (question,) = reached.inbox.waiting
        assert isinstance(await server.task_runs[-1].cancel(), Complete)
        outcome = await asyncio.wait_for(call, 10)
        assert isinstance(outcome, LocalError)
        assert "cancelled" in outcome.sentence
        assert question.state is AskState.WITHDRAWN


async def test_an_unknown_task_is_an_error_of_the_server(demo: Any) -> None:
    async with demo() as reached:
        outcome = await reached.server.request("tasks/get", {"taskId": "nobody"})
        assert isinstance(outcome, RpcError)
        assert outcome.code == -32602


async def test_a_page_has_to_be_visited_first(demo: Any) -> None:
    async with demo() as reached:
        server = reached.server
        reached.inbox.set_preset("*", ELICITATION, Preset("accept"))
        outcome = await server.call_tool("visit_first")
        if server.identity.era == "legacy":
            assert isinstance(outcome, RpcError)
            assert outcome.code == -32042
            await reached.until(lambda: bool(reached.inbox.asks) and reached.inbox.asks[0].state is AskState.ANSWERED)
            assert reached.inbox.asks[0].value["url"] == "https://example.com/terms"
            outcome = await server.call_tool("visit_first")  # by hand, once the page was visited
            await reached.until(lambda: reached.inbox.asks[0].completed)
        assert "what you came for" in text_of(outcome)


async def test_the_envelope_of_a_request_comes_back(demo: Any) -> None:
    async with demo() as reached:
        outcome = await reached.server.call_tool("show_request", meta={"com.example/n": 1}, trace=True)
        said = outcome.value["structuredContent"]
        assert said["meta"]["com.example/n"] == 1
        assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", said["meta"]["traceparent"])
        assert said["protocolVersion"] == reached.server.identity.version
        assert "elicitation" in said["clientCapabilities"]


async def test_a_clock_may_be_used_again_for_a_while(demo: Any) -> None:
    async with demo() as reached:
        server = reached.server
        first, again = [await server.read_resource("demo://clock") for _ in range(2)]
        fresh = await server.read_resource("demo://clock", fresh=True)
        if server.identity.era == "legacy":
            assert again.cached is None
            return
        assert again.result == first.result
        assert again.cached.scope == "private"
        assert fresh.cached is None
        counter = [await server.read_resource("demo://counter") for _ in range(2)]
        assert counter[1].cached is None


async def test_another_extension_lists_another_tool(demo: Any) -> None:
    async with demo() as reached:
        server = reached.server
        assert "extra_tool" not in server.catalogue[What.TOOLS].by_key
        chosen = {**server.usual_client.capabilities, "extensions": {EXTRA: {}}}
        server.edit(replace(server.entry, capabilities=chosen))
        await server.restart()
        await server.settled()
        await server.loaded()
        found = compare(server.remembered[0], server.remembered[-1])
        assert [(each.what, each.key, each.kind) for each in found] == [(What.TOOLS, "extra_tool", "added")]
        assert EXTRA in text_of(await server.call_tool("extra_tool"))


async def test_odd_progress_and_odd_headers_break_nothing(demo: Any) -> None:
    heard: list[Any] = []
    async with demo() as reached:
        server = reached.server
        assert "seven" in text_of(await server.call_tool("odd_progress", on_progress=heard.append))
        assert [note.progress for note in heard] == [0, 3, 2, 2, -1, 1e300, pytest.approx(0.3)]
        item = server.catalogue[What.TOOLS].by_key["odd_header"]
        over_http = server.identity.era == "modern" and server.identity.transport != "stdio"
        assert ("excluded over HTTP" in item.problem) == over_http


@pytest.mark.node
async def test_a_real_server_of_others_wants_a_page_visited_first(reach: Any, everything_stdio: Any) -> None:
    """-32042: the page that it names waits in the inbox, and the call is made again by hand."""
    arguments = {"url": "https://example.com/connect", "message": "Connect first.", "errorPath": True}
    async with reach(everything_stdio, name="everything", transport="stdio", protocol="auto") as reached:
        reached.inbox.set_preset("*", ELICITATION, Preset("accept"))
        outcome = await reached.server.call_tool("trigger-url-elicitation", arguments)
        assert isinstance(outcome, RpcError)
        assert outcome.code == -32042
        await reached.until(lambda: bool(reached.inbox.asks) and reached.inbox.asks[0].state is AskState.ANSWERED)
        assert reached.inbox.asks[0].way == "consent"
        assert reached.inbox.asks[0].value["url"].startswith("https://modelcontextprotocol.io")
        again = await reached.server.call_tool("trigger-url-elicitation", arguments)
        assert isinstance(again, Complete)
