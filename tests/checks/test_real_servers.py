"""Real servers are asked for everything they have, and nothing is found that is not so."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.checks.judge import Judge
from mcp_inspector.checks.rule import Severity
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.log import Log

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

_LEAVE_OUT = re.compile(
    r"long|slow|sleep|crash|exit|hang|flood|wait|big|huge|break|disconnect|log|sampl|elicit|root|image|gzip"
)
_MOST = 12
_VALUES = {"string": "a", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}

# What these servers really do: each was looked at, and is as the rule says.
# The demo has a tool with a wrong header on purpose, and one that says in words what it structures.
DEMO = {"structured-text", "header-annotation"}
KNOWN: dict[str, set[str]] = {
    "demo_stdio_command": DEMO,
    "demo_http": DEMO,
    "demo_sse": DEMO | {"transport-deprecated"},
    "sdk2_http": {"newer-members"},  # it lists outputSchema under 2025-03-26, too
    # It logs without declaring so, and asks what was not declared; it sends what older versions do not have.
    "sdk1_command": {"log-undeclared", "client-capability", "newer-members", "method-unknown-here"},
    "sdk1_http": {"log-undeclared", "client-capability"},
    "everything_stdio": {"slow-exit"},  # it ends on SIGTERM only
}


def entry_of(fixture: str, value: Any, protocol: str) -> ServerEntry:
    if isinstance(value, str):
        transport = "sse" if fixture.endswith("sse") else "http"
        return ServerEntry("peer", transport, url=value, protocol=protocol, reconnect=0)
    return ServerEntry("peer", command=value[0], args=tuple(value[1:]), protocol=protocol, reconnect=0)


async def ask_everything(server: Server) -> None:
    """Call tools with the least they take, read resources, get prompts, complete; whatever comes of it."""
    tools = [item for item in server.catalogue[What.TOOLS].items if not _LEAVE_OUT.search(item.key.lower())]
    for item in tools[:_MOST]:
        schema = item.value.get("inputSchema", {})
        required = schema.get("required", ())
        properties = schema.get("properties", {})
        arguments = {
            name: (
                properties.get(name, {}).get("enum") or [_VALUES.get(str(properties.get(name, {}).get("type")), "a")]
            )[0]
            for name in required
        }
        await server.call_tool(item.key, arguments, timeout=5)
    for item in server.catalogue[What.RESOURCES].items[:_MOST]:
        await server.read_resource(item.key, timeout=5)
    for item in server.catalogue[What.PROMPTS].items[:_MOST]:
        names = [one["name"] for one in item.value.get("arguments", ())]
        await server.get_prompt(item.key, dict.fromkeys(names, "a"), timeout=5)
        if names:
            await server.complete({"type": "ref/prompt", "name": item.key}, names[0], "")
    await server.ping()


@pytest.mark.parametrize(
    ("fixture", "protocol"),
    [
        ("demo_stdio_command", "modern"),
        ("demo_stdio_command", "legacy"),
        ("demo_http", "modern"),
        ("demo_http", "legacy"),
        ("demo_sse", "auto"),
        ("sdk2_command", "auto"),
        ("sdk2_http", "auto"),
        ("sdk2_http", "2025-03-26"),
        ("sdk1_command", "auto"),
        ("sdk1_http", "auto"),
        ("sdk1_command", "2024-11-05"),
        ("everything_stdio", "auto"),
        ("everything_http", "auto"),
    ],
)
async def test_nothing_is_found_that_is_not_so(fixture: str, protocol: str, request: pytest.FixtureRequest) -> None:
    value = request.getfixturevalue(fixture)
    log = Log()
    ways = Ways(Dialer(), Client(capabilities={}), patience=Patience(probe=10, handshake=20, request=10))
    inspector = Inspector(log, ways, [entry_of(fixture, value, protocol)])
    server = inspector.servers[0]
    try:
        server.connect()
        assert (await server.settled()).up
        await server.loaded()
        await asyncio.wait_for(ask_everything(server), 40)
    finally:
        await inspector.close()
    judge = Judge(log)
    judge.update()
    found = [
        (finding.rule.id, finding.tool, finding.sentence, finding.seqs)
        for finding in judge.findings()
        if finding.severity > Severity.INFO and finding.rule.id not in KNOWN.get(fixture, ())
    ]
    assert found == []
    assert len(log) > 10


@pytest.mark.parametrize("fixture", ["demo_stdio_command", "demo_http"])
@pytest.mark.parametrize("protocol", ["modern", "legacy"])
async def test_a_real_change_is_timed_and_not_doubted(
    fixture: str, protocol: str, request: pytest.FixtureRequest
) -> None:
    """A tool is added, told of, and read: how long that took is said, and nothing else."""
    value = request.getfixturevalue(fixture)
    log = Log()
    ways = Ways(Dialer(), Client(capabilities={}), patience=Patience(probe=10, handshake=20, request=10))
    inspector = Inspector(log, ways, [entry_of(fixture, value, protocol)])
    server = inspector.servers[0]
    name = f"newcomer-{fixture.replace('_', '-')}-{protocol}"
    listed = asyncio.Event()

    def look(_: object) -> None:
        if any(item.key == name for item in server.catalogue[What.TOOLS].items):
            listed.set()

    try:
        server.connect()
        assert (await server.settled()).up
        await server.loaded()
        server.catalogue.changed.connect(look)
        await server.call_tool("add_item", {"kind": "tool", "name": name})
        await asyncio.wait_for(listed.wait(), 20)
    finally:
        await inspector.close()
    judge = Judge(log)
    judge.update()
    found = {finding.rule.id: finding for finding in judge.findings()}
    assert found["refetch-time"].ours
    assert not {"nothing-changed", "change-never-told", "listen-quiet", "extension-undeclared"} & set(found)
