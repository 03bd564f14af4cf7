"""Each real server, over each of its transports, in each era it speaks: connect, list, call, read, prompt, complete."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.outcome import Complete, RpcError
from mcp_inspector.session.status import State
from mcp_inspector.store.record import Channel

pytestmark = [pytest.mark.anyio, pytest.mark.peer]


@dataclass(frozen=True)
class Peer:
    """What is true of a server whatever way it is reached: names in its lists, and what they answer."""

    tool: tuple[str, dict[str, Any], str]
    failing: tuple[str, dict[str, Any]]
    resource: tuple[str, str]
    template: str
    prompt: tuple[str, dict[str, str], str]
    completion: tuple[dict[str, str], str, str, str] | None


PEERS = {
    "demo": Peer(
        ("echo", {"text": "grüße"}, "grüße"),
        ("fail", {}),
        ("demo://welcome", "Welcome to the demo server."),
        "demo://books/{id}",
        ("code_review", {"code": "x = 1"}, "x = 1"),
        ({"type": "ref/prompt", "name": "code_review"}, "language", "py", "python"),
    ),
    "sdk2": Peer(
        ("echo", {"text": "grüße"}, "grüße"),
        ("fail", {}),
        ("sdk2://text", "text of sdk2"),
        "sdk2://items/{name}",
        ("greet", {"who": "Ada"}, "Hello Ada"),
        None,
    ),
    "sdk1": Peer(
        ("echo", {"text": "grüße"}, "grüße"),
        ("fail", {}),
        ("sdk1://text", "text of sdk1"),
        "sdk1://items/{name}",
        ("greet", {"who": "Ada"}, "Hello Ada"),
        ({"type": "ref/prompt", "name": "greet"}, "who", "A", "Ada"),
    ),
    "everything": Peer(
        ("echo", {"message": "grüße"}, "grüße"),
        ("get-sum", {"a": "x"}),
        ("demo://resource/static/document/architecture.md", "#"),
        "demo://resource/dynamic/text/{resourceId}",
        ("args-prompt", {"city": "Oslo", "state": "x"}, "Oslo"),
        ({"type": "ref/prompt", "name": "completable-prompt"}, "department", "E", "Engineering"),
    ),
}

LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"

# Fixture of the peer, transport of the entry, protocol of the entry, version that must come of it.
ROUTES = [
    *(("demo_stdio_command", "stdio", version, version) for version in (*LEGACY, MODERN)),
    ("demo_stdio_command", "stdio", "auto", MODERN),
    ("demo_stdio_command", "stdio", "legacy", "2025-11-25"),
    *(("demo_http", "http", version, version) for version in (*LEGACY[1:], MODERN)),
    ("demo_http", "auto", "auto", MODERN),
    ("demo_http", "http", "legacy", "2025-11-25"),
    ("demo_sse", "sse", "auto", "2025-11-25"),
    ("demo_sse", "sse", "2024-11-05", "2024-11-05"),
    ("demo_sse", "auto", "auto", "2025-11-25"),
    ("sdk2_command", "stdio", "auto", MODERN),
    ("sdk2_command", "stdio", "legacy", "2025-11-25"),
    ("sdk2_http", "http", "auto", MODERN),
    ("sdk2_http", "http", "2025-06-18", "2025-06-18"),
    ("sdk2_sse", "sse", "auto", "2025-11-25"),
    ("sdk1_command", "stdio", "auto", "2025-11-25"),
    ("sdk1_command", "stdio", "2024-11-05", "2024-11-05"),
    ("sdk1_http", "auto", "auto", "2025-11-25"),
    ("sdk1_http", "http", "2025-03-26", "2025-03-26"),
    ("sdk1_sse", "auto", "auto", "2025-11-25"),
    ("sdk1_sse", "sse", "2024-11-05", "2024-11-05"),
    *(
        pytest.param(*route, marks=pytest.mark.node)
        for route in (
            ("everything_stdio", "stdio", "auto", "2025-11-25"),
            ("everything_stdio", "stdio", "2024-11-05", "2024-11-05"),
            ("everything_http", "auto", "auto", "2025-11-25"),
            ("everything_http", "http", "2025-06-18", "2025-06-18"),
            ("everything_sse", "auto", "auto", "2025-11-25"),
            ("everything_sse", "sse", "legacy", "2025-11-25"),
        )
    ),
]


def text_of(outcome: Any) -> str:
    """The first text of a tool's result, a resource or a prompt."""
    assert isinstance(outcome, Complete), outcome
    value = outcome.value
    if "contents" in value:
        return str(value["contents"][0]["text"])
    first = value["messages"][0]["content"] if "messages" in value else value["content"][0]
    return str(first["text"])


async def the_whole_way(
    reach: Any, peer: Peer, target: str | tuple[str, ...], transport: str, protocol: str, version: str
) -> None:
    """Connect and use one thing of each kind; all of it must be right, and recorded."""
    async with reach(target, transport=transport, protocol=protocol) as reached:
        server = reached.server
        assert server.status.state is State.CONNECTED, (server.status, server.status.fault)
        assert server.identity is not None
        assert server.identity.version == version
        assert server.identity.era == ("modern" if version == MODERN else "legacy")
        assert server.identity.server_info["name"]

        for what, name in (
            (What.TOOLS, peer.tool[0]),
            (What.RESOURCES, peer.resource[0]),
            (What.TEMPLATES, peer.template),
            (What.PROMPTS, peer.prompt[0]),
        ):
            listing = server.catalogue[what]
            assert listing.freshness is Freshness.FRESH, (what, listing.why)
            assert listing.warnings == ()
            assert name in listing.by_key
            # One tool of the demo is there to show what is left out over HTTP.
            assert {item.key for item in listing.items if item.problem} <= {"odd_header"}

        name, arguments, answer = peer.tool
        called = await server.call_tool(name, arguments)
        assert answer in text_of(called)
        assert called.faults == ()
        assert called.elapsed_ns > 0
        assert peer.resource[1] in text_of(await server.read_resource(peer.resource[0]))
        assert peer.prompt[2] in text_of(await server.get_prompt(*peer.prompt[:2]))
        if peer.completion:
            ref, argument, typed, first = peer.completion
            completed = await server.complete(ref, argument, typed)
            assert isinstance(completed, Complete), completed
            assert completed.value["completion"]["values"][0] == first
        assert isinstance(await server.ping(), Complete)

        failed = await server.call_tool(*peer.failing)
        assert isinstance(failed, Complete | RpcError)
        assert isinstance(failed, RpcError) or failed.tool_error
        unknown = await server.call_tool("no such tool", {})
        assert isinstance(unknown, RpcError) or (isinstance(unknown, Complete) and unknown.tool_error)
        assert server.status.state is State.CONNECTED

    # All of it is in the session file, every message whole and without a fault of its own.
    messages = [entry for entry in reached.entries() if entry.channel is Channel.MESSAGE]
    assert {"tools/list", "tools/call", "resources/read", "prompts/get"} <= {entry.method for entry in messages}
    assert [entry for entry in messages if entry.faults] == []
    assert [entry for entry in reached.entries() if entry.channel is Channel.STDOUT] == []


@pytest.mark.parametrize(("fixture", "transport", "protocol", "version"), ROUTES)
async def test_the_whole_way(
    reach: Any, request: pytest.FixtureRequest, fixture: str, transport: str, protocol: str, version: str
) -> None:
    target = request.getfixturevalue(fixture)
    await the_whole_way(reach, PEERS[fixture.partition("_")[0]], target, transport, protocol, version)


@pytest.mark.qt_loop
@pytest.mark.parametrize(
    ("fixture", "transport", "protocol", "version"),
    [
        ("demo_stdio_command", "stdio", "auto", MODERN),
        ("demo_stdio_command", "stdio", "legacy", "2025-11-25"),
        ("demo_http", "http", "auto", MODERN),
        ("demo_http", "http", "legacy", "2025-11-25"),
        ("demo_sse", "sse", "auto", "2025-11-25"),
    ],
)
async def test_the_whole_way_on_the_loop_of_the_window(
    reach: Any, request: pytest.FixtureRequest, fixture: str, transport: str, protocol: str, version: str
) -> None:
    """QT-02: processes and sockets on Qt's event loop."""
    target = request.getfixturevalue(fixture)
    await the_whole_way(reach, PEERS["demo"], target, transport, protocol, version)
