"""Probes against real servers: a good one, one that swallows everything, over stdio and by HTTP; and their cancel."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.checks.judge import Judge
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.probing.probe import Done, Verdict, as_markdown
from mcp_inspector.session.probing.run import PROBES, run
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.log import Log
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp_inspector.session.server import Server

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

MODERN = "2026-07-28"
TOKEN = "Bearer the-right-one"


@contextlib.asynccontextmanager
async def connected(entry: ServerEntry) -> AsyncIterator[tuple[Server, Log]]:
    log = Log()
    ways = Ways(Dialer(), Client(capabilities={}), patience=Patience(probe=10, handshake=20, request=10))
    inspector = Inspector(log, ways, [entry])
    server = inspector.servers[0]
    try:
        server.connect()
        assert (await server.settled()).up
        await server.loaded()
        yield server, log
    finally:
        await inspector.close()


def chosen(*names: str) -> list[Any]:
    found = [probe for probe in PROBES if probe.id in names]
    assert len(found) == len(names)
    return found


def verdicts(done: list[Done]) -> dict[str, Verdict]:
    return {one.probe.id: one.came.verdict for one in done}


async def test_a_good_server_over_stdio(demo_stdio_command: tuple[str, ...]) -> None:
    command, *args = demo_stdio_command
    names = ("unknown-version", "stateless", "missing-meta", "unknown-method", "unknown-tool", "missing-resource")
    names = (*names, "unknown-prompt", "missing-argument", "foreign-origin", "param-header", "tampered-state")
    async with connected(ServerEntry("demo", command=command, args=tuple(args), protocol="modern")) as (server, log):
        before = server.connection
        done = await run(server, chosen(*names))
        assert server.connection == before
        assert server.status.up
        found = verdicts(done)
        assert found.pop("foreign-origin") is Verdict.LEFT_OUT
        assert found.pop("param-header") is Verdict.LEFT_OUT
        assert found.pop("tampered-state") is Verdict.LEFT_OUT
        assert set(found.values()) == {Verdict.GOOD}, done
        for one in done:
            for seq in one.came.seqs:
                assert log.record(seq).entry.server == "demo"
        report = as_markdown("demo", MODERN, done)
        assert "11 probes" not in report
        assert "8 probes, 0 not as they should be" in report
        judge = Judge(log)
        judge.update()
        assert not any(finding.ours for finding in judge.findings())  # what a probe sends is wrong on purpose


async def test_a_good_server_over_http_and_what_asks_back(demo_http: str) -> None:
    async with connected(ServerEntry("demo", "http", url=demo_http, protocol="modern")) as (server, _):
        left = {"same-lists", "ui-lists", "stateless"}  # seconds, and tried over stdio
        done = await run(server, [probe for probe in PROBES if probe.id not in left], agreed=True)
        found = verdicts(done)
        for name in ("foreign-origin", "version-mismatch", "header-missing", "method-mismatch", "name-mismatch"):
            assert found[name] is Verdict.GOOD, done
        for name in ("encoded-name", "param-header", "tampered-state", "missing-answer", "unknown-method-404"):
            assert found[name] is Verdict.GOOD, done
        assert Verdict.WRONG not in found.values()
        assert found["session-ended"] is Verdict.LEFT_OUT


async def test_sessions_of_a_legacy_server(demo_http: str) -> None:
    async with connected(ServerEntry("demo", "http", url=demo_http, protocol="legacy")) as (server, _):
        names = ("session-missing", "session-unknown", "session-ended", "bad-version", "foreign-origin", "log-level")
        assert set(verdicts(await run(server, chosen(*names))).values()) == {Verdict.GOOD}


async def test_a_server_that_swallows_everything() -> None:
    """It answers whatever comes with a result."""

    async def play(request: Request, reply: Reply) -> None:
        if request.method != "POST":
            await reply.send("200 OK")
            return
        message = request.message
        result: dict[str, Any] = {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"}
        if message["method"] == "server/discover":
            result |= {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}
        if message["method"] == "initialize":
            await reply.json({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "No."}})
            return
        await reply.json({"jsonrpc": "2.0", "id": message["id"], "result": result})

    async with (
        RawHttp(play) as http,
        connected(ServerEntry("bad", "http", url=http.url(), protocol="modern")) as (server, _),
    ):
        done = await run(server)
        found = verdicts(done)
        wrong = {name for name, verdict in found.items() if verdict is Verdict.WRONG}
        assert {"unknown-version", "missing-meta", "unknown-method", "foreign-origin", "version-mismatch"} <= wrong
        assert {"header-missing", "method-mismatch", "name-mismatch"} <= wrong
        assert {name for name, verdict in found.items() if verdict is Verdict.ODD} >= {"unknown-tool", "get-delete"}
        assert json.dumps(as_markdown("bad", MODERN, done))


class Guarded:
    """A modern server that wants a token; `careless` takes any that looks like one, and one in the URL."""

    def __init__(self, *, careless: bool = False) -> None:
        self.careless = careless
        self.left = asyncio.Event()
        self.calls = 0
        self.asked_by: list[str | None] = []

    async def __call__(self, request: Request, reply: Reply) -> None:
        token = request.get("authorization")
        self.asked_by.append(token)
        good = token == TOKEN or (self.careless and (token is not None or "access_token=" in request.target))
        if request.method != "POST" or not good:
            await reply.send("401 Unauthorized", b"", "WWW-Authenticate: Bearer")
            return
        message = request.message
        result: dict[str, Any] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        if message["method"] == "server/discover":
            result |= {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}
        elif message["method"] == "tools/list":
            schema, hints = {"type": "object"}, {"readOnlyHint": True}
            listed = [("slow", "Takes its time."), ("plain", "Answers.")]
            result["tools"] = [
                {"name": name, "description": words, "inputSchema": schema, "annotations": hints}
                for name, words in listed
            ]
        elif message["params"]["name"] == "slow":
            await reply.stream()
            params = {"progressToken": message["params"]["_meta"]["progressToken"], "progress": 1}
            await reply.event({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
            await reply.gone.wait()
            self.left.set()
            return
        else:
            self.calls += 1
            result = {"resultType": "complete", "content": []}
            if self.careless and self.calls > 1:
                result["isError"] = True  # it knows only who has called before
        await reply.json({"jsonrpc": "2.0", "id": message["id"], "result": result})


def guarded(url: str) -> ServerEntry:
    return ServerEntry("guarded", "http", url=url, protocol="modern", headers={"Authorization": TOKEN}, reconnect=0)


CALLING = ("foreign-token", "expired-token", "token-in-url", "stateless-call", "left-alone")


async def test_tokens_and_calls_of_a_good_server() -> None:
    peer = Guarded()
    async with RawHttp(peer) as http, connected(guarded(http.url())) as (server, _):
        found = verdicts(await run(server, chosen(*CALLING), agreed=True))
        assert found.pop("left-alone") is Verdict.TOLD
        assert set(found.values()) == {Verdict.GOOD}
        await asyncio.wait_for(peer.left.wait(), 10)
        expired = [token for token in peer.asked_by if token and token.count(".") == 2]
        assert TOKEN not in expired
        assert expired


async def test_tokens_and_calls_of_a_careless_server() -> None:
    async with RawHttp(Guarded(careless=True)) as http, connected(guarded(http.url())) as (server, _):
        found = verdicts(await run(server, chosen(*CALLING), agreed=True))
        assert {name for name, verdict in found.items() if verdict is Verdict.WRONG} == set(CALLING) - {"left-alone"}


async def test_what_calls_tools_or_shows_the_token_is_agreed_to() -> None:
    peer = Guarded()
    async with RawHttp(peer) as http, connected(guarded(http.url())) as (server, _):
        found = verdicts(await run(server, chosen("token-in-url", "stateless-call", "left-alone")))
        assert set(found.values()) == {Verdict.LEFT_OUT}
        assert peer.calls == 0


async def test_a_run_can_be_cancelled(demo_stdio_command: tuple[str, ...]) -> None:
    """What it opened is closed; the hunt for children after the test finds none."""
    command, *args = demo_stdio_command
    async with connected(ServerEntry("demo", command=command, args=tuple(args))) as (server, _):
        first: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        job = asyncio.create_task(run(server, told=lambda _: None if first.done() else first.set_result(None)))
        await first
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert server.status.up
