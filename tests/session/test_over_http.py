"""Sessions over HTTP against servers that send exactly the bytes they are told."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import FaultKind
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from mcp_inspector.session.server import Server

pytestmark = pytest.mark.anyio

MODERN = {
    "resultType": "complete",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}, "resources": {}},
    "ttlMs": 0,
    "cacheScope": "public",
}
INITIALIZED = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "raw"}}
NO_METHOD = {"code": -32601, "message": "Method not found"}
TOOLS = [{"name": "echo", "inputSchema": {"type": "object"}}]


class Peer:
    """A server of one endpoint. ``on[method]`` answers; the rest is what a sound server of that era would say."""

    def __init__(self, era: str = "legacy", **on: Callable[[Request, Reply], Awaitable[object]]) -> None:
        self.modern = era == "modern"
        self.on = {name.replace("__", "/"): answer for name, answer in on.items()}
        self.session = "s1"

    async def __call__(self, request: Request, reply: Reply) -> None:
        if request.method != "POST":
            answer = self.on.get(request.method)
            await (answer(request, reply) if answer else reply.send("405 Method Not Allowed", b"", "Allow: POST"))
            return
        message = request.message
        method = message.get("method")
        if method in self.on:
            await self.on[method](request, reply)
        elif "id" not in message:
            await reply.send("202 Accepted")
        elif self.modern:
            await self._modern(method, request, reply)
        elif method == "initialize":
            await reply.result(request, INITIALIZED, f"Mcp-Session-Id: {self.session}")
        elif method == "tools/list":
            await reply.result(request, {"tools": TOOLS})
        elif method == "server/discover":
            await reply.json({"jsonrpc": "2.0", "id": message["id"], "error": NO_METHOD}, status="400 Bad Request")
        else:
            await reply.result(request, {"content": []})

    async def _modern(self, method: str, request: Request, reply: Reply) -> None:
        if method == "server/discover":
            await reply.result(request, MODERN)
        elif method == "tools/list":
            hints = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
            await reply.result(request, {"tools": TOOLS, **hints})
        else:
            await reply.result(request, {"resultType": "complete", "content": []})


@pytest.fixture
def over_http(journal: Any) -> Callable[..., Any]:
    """``async with over_http(peer) as (server, raw)``: connected and its lists read, whatever came of it."""

    @asynccontextmanager
    async def run(play: Any, **entry: Any) -> AsyncIterator[tuple[Server, RawHttp]]:
        async with RawHttp(play) as raw:
            given = {"transport": "http", "url": raw.url("/mcp"), **entry}
            ways = Ways(Dialer(), patience=Patience(probe=2, handshake=3), reconnect_base=0.05)
            inspector = Inspector(journal, ways, [ServerEntry("raw", **given)])
            server = inspector.servers[0]
            try:
                server.connect()
                await server.settled()
                await server.loaded()
                yield server, raw
            finally:
                await inspector.close()

    return run


def methods(raw: RawHttp) -> list[str]:
    return [request.message.get("method") for request in raw.of("POST")]


async def test_a_modern_server_gets_pure_modern_requests(over_http: Any) -> None:
    """MOD-15, MOD-06: one POST each, headers that equal the body, no session, no GET, no DELETE."""
    async with over_http(Peer("modern")) as (server, raw):
        assert server.identity.era == "modern"
        assert isinstance(await server.call_tool("größe ", b"{}"), Complete)
    assert {request.method for request in raw.requests} == {"POST"}
    for request in raw.requests:
        meta = request.message["params"]["_meta"]
        assert request.get("mcp-protocol-version") == meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        assert request.get("mcp-method") == request.message["method"]
        assert request.get("mcp-session-id") is None
    call = next(request for request in raw.requests if request.message["method"] == "tools/call")
    assert call.get("mcp-name") == "=?base64?Z3LDtsOfZSA=?="


async def test_a_rejected_probe_leads_to_a_pure_legacy_session(over_http: Any) -> None:
    """MOD-15, HTTP-18."""
    async with over_http(Peer()) as (server, raw):
        assert server.identity.version == "2025-11-25"
        assert isinstance(await server.call_tool("echo", b"{}"), Complete)
    probe, first, *later = raw.of("POST")
    assert probe.message["method"] == "server/discover"
    assert first.message["method"] == "initialize"
    for name in ("mcp-protocol-version", "mcp-session-id", "mcp-method"):
        assert first.get(name) is None
    for request in later:
        assert request.get("mcp-method") is None
        assert request.get("mcp-session-id") == "s1"
        assert "io.modelcontextprotocol/protocolVersion" not in request.message.get("params", {}).get("_meta", {})
    assert len(raw.of("DELETE")) == 1


async def refuse_python(request: Request, reply: Reply) -> None:
    body = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "no session"}}
    await reply.json(body, "Mcp-Session-Id: wrong", status="400 Bad Request")


async def refuse_version(request: Request, reply: Reply) -> None:
    body = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32602, "message": "2026-07-28 unknown"}}
    await reply.json(body, status="400 Bad Request")


async def empty_stream(request: Request, reply: Reply) -> None:
    await reply.stream()
    await reply.end()


async def empty_406(request: Request, reply: Reply) -> None:
    await reply.send("406 Not Acceptable")


async def html_404(request: Request, reply: Reply) -> None:
    await reply.send("404 Not Found", b"<h1>no</h1>", "Content-Type: text/html")


@pytest.mark.parametrize("refusal", [refuse_python, refuse_version, empty_stream, empty_406, html_404])
async def test_every_way_of_refusing_the_probe_is_fallen_back_from(over_http: Any, refusal: Any) -> None:
    """MOD-16: also under a foreign id, and the session id of a rejection is never taken."""
    async with over_http(Peer(**{"server/discover": refusal})) as (server, raw):
        assert server.status.state is State.CONNECTED
        assert server.identity.era == "legacy"
    assert all(request.get("mcp-session-id") != "wrong" for request in raw.requests)


@pytest.mark.parametrize("status", ["500 Oops", "503 Busy", "429 Slow", "403 Forbidden"])
async def test_statuses_that_say_nothing_of_the_era_end_the_attempt(over_http: Any, status: str) -> None:
    async def refuse(request: Request, reply: Reply) -> None:
        await reply.send(status, b"try later", "Content-Type: text/plain")

    async with over_http(Peer(**{"server/discover": refuse})) as (server, raw):
        assert server.status.state is State.FAILED
        assert server.status.fault.facts["http_status"] == int(status[:3])
        assert "raw" in server.status.fault.sentence
    assert methods(raw) == ["server/discover"]


async def test_401_is_needs_sign_in(over_http: Any) -> None:
    async def challenge(request: Request, reply: Reply) -> None:
        await reply.send("401 Unauthorized", b"", 'WWW-Authenticate: Bearer resource_metadata="https://h/prm"')

    async with over_http(Peer(**{"server/discover": challenge})) as (server, _):
        assert server.status.state is State.NEEDS_SIGN_IN
        assert "resource_metadata" in server.status.fault.facts["www_authenticate"][0]


async def test_both_attempts_are_told_the_first_one_first(over_http: Any) -> None:
    """HTTP-30."""

    async def unknown(request: Request, reply: Reply) -> None:
        error = {"code": -32000, "message": "version 2025-11-25 unknown"}
        await reply.json({"jsonrpc": "2.0", "id": None, "error": error}, status="400 Bad Request")

    async with over_http(Peer(**{"initialize": unknown}), transport="auto") as (server, raw):
        assert server.status.state is State.FAILED
        sentence = server.status.fault.sentence
        assert sentence.index("version 2025-11-25 unknown") < sentence.index("405")
    assert len(raw.of("GET")) == 1


async def test_html_for_json_is_named_with_its_beginning(over_http: Any) -> None:
    async def page(request: Request, reply: Reply) -> None:
        await reply.send("200 OK", b"<html>Welcome</html>", "Content-Type: text/html")

    async with over_http(Peer(**{"tools/call": page})) as (server, _):
        outcome = await server.call_tool("echo", b"{}")
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.BAD_CONTENT
        assert b"Welcome" in outcome.fault.facts["body"]
        assert server.status.state is State.CONNECTED


async def test_what_happened_twice_alike_is_said_once(over_http: Any) -> None:
    async def page(request: Request, reply: Reply) -> None:
        await reply.send("200 OK", b"<html>Welcome</html>", "Content-Type: text/html")

    async with over_http(Peer(**{"server/discover": page, "initialize": page})) as (server, raw):
        sentence = server.status.fault.sentence
        assert sentence.count("HTML page") == 1
        assert sentence.count(f"{server.name}: ") == 1
        assert not sentence.endswith("..")
        assert len(server.status.fault.facts["attempts"]) == len(raw.of("POST")) == 2


async def test_an_error_that_is_no_json_rpc_leaves_its_status_and_body_with_the_fault(over_http: Any) -> None:
    async def broken(request: Request, reply: Reply) -> None:
        await reply.json({"error": "database is down"}, status="500 Internal Server Error")

    async with over_http(Peer(**{"server/discover": broken})) as (server, _):
        assert "error None" not in server.status.fault.sentence
        assert server.status.fault.facts["http_status"] == 500
        assert b"database is down" in server.status.fault.facts["body"]


@pytest.mark.parametrize(
    "body", [b"", b'{"jsonrpc":"2.0",', b'{"jsonrpc":"2.0","id":5,"result":{"x":NaN}}', '{"id":1}'.encode("utf-16-le")]
)
async def test_a_lying_body_fails_its_request_at_once(over_http: Any, body: bytes) -> None:
    """HTTP-23."""

    async def lie(request: Request, reply: Reply) -> None:
        await reply.send("200 OK", body, "Content-Type: application/json")

    async with over_http(Peer(**{"tools/call": lie})) as (server, _):
        outcome = await asyncio.wait_for(server.call_tool("echo", b"{}"), 3)
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind in (FaultKind.BAD_CONTENT, FaultKind.NO_REPLY)


async def test_an_rpc_error_looks_the_same_in_every_dress(over_http: Any) -> None:
    """HTTP-29."""
    error = {"code": -32602, "message": "no such tool"}

    async def answer(request: Request, reply: Reply) -> None:
        message = {"jsonrpc": "2.0", "id": request.message["id"], "error": error}
        way = request.message["params"]["name"]
        if way == "stream":
            await reply.stream()
            await reply.event(message)
            await reply.end()
        else:
            await reply.json(message, status="200 OK" if way == "body" else "400 Bad Request")

    async with over_http(Peer(**{"tools/call": answer})) as (server, _):
        for way in ("body", "stream", "refusal"):
            outcome = await server.call_tool(way, b"{}")
            assert isinstance(outcome, RpcError)
            assert (outcome.code, outcome.message) == (-32602, "no such tool")


async def test_an_error_without_id_in_a_body_fails_that_request(over_http: Any) -> None:
    """HTTP-06."""

    async def gone(request: Request, reply: Reply) -> None:
        error = {"code": -32000, "message": "unknown session"}
        await reply.json({"jsonrpc": "2.0", "id": None, "error": error}, status="400 Bad Request")

    async with over_http(Peer(**{"tools/call": gone})) as (server, _):
        outcome = await server.call_tool("echo", b"{}")
        assert isinstance(outcome, RpcError)
        assert outcome.message == "unknown session"
        assert outcome.faults


async def test_a_session_that_is_gone_is_begun_again_once(over_http: Any) -> None:
    """HTTP-04: new initialize without the old id, lists anew, and the tool call is not sent again by itself."""

    class Forgetful(Peer):
        async def __call__(self, request: Request, reply: Reply) -> None:
            if request.method == "POST" and request.get("mcp-session-id") == "s1" and "tools/call" in str(request.body):
                self.session = "s2"
                error = {"code": -32001, "message": "session gone"}
                await reply.json({"jsonrpc": "2.0", "id": None, "error": error}, status="404 Not Found")
            else:
                await super().__call__(request, reply)

    async with over_http(Forgetful()) as (server, raw):
        outcome = await server.call_tool("echo", b"{}")
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.SESSION_GONE
        assert (await server.settled()).state is State.CONNECTED
        await server.loaded()
        assert isinstance(await server.call_tool("echo", b"{}"), Complete)
    again = [request for request in raw.of("POST") if request.message["method"] == "initialize"][1]
    assert again.get("mcp-session-id") is None
    assert methods(raw).count("tools/call") == 2
    assert raw.of("POST")[-1].get("mcp-session-id") == "s2"


async def test_a_session_that_is_always_gone_is_not_begun_for_ever(over_http: Any) -> None:
    """HTTP-05."""

    class Amnesiac(Peer):
        def __init__(self) -> None:
            super().__init__()
            self.sick = False

        async def __call__(self, request: Request, reply: Reply) -> None:
            asked = request.message.get("method") if request.method == "POST" else ""
            if self.sick and asked not in ("", "initialize", "server/discover"):
                await reply.send("404 Not Found", b"", "Content-Type: text/plain")
            else:
                await super().__call__(request, reply)

    peer = Amnesiac()
    async with over_http(peer) as (server, raw):
        peer.sick = True
        before = len(raw.requests)
        await server.call_tool("echo", b"{}")
        await server.settled()
        assert server.status.state is State.SESSION_EXPIRED
        assert len([request for request in raw.requests[before:] if request.method == "POST"]) <= 4


async def test_a_server_that_nobody_runs_any_more_is_not_called_connected(over_http: Any) -> None:
    """Refused is connection-class: it is tried again as often as the entry says, and found when it is back."""
    async with over_http(Peer(), reconnect=2) as (server, raw):
        await raw.__aexit__()
        outcome = await server.call_tool("echo", b"{}")
        assert isinstance(outcome, LocalError)
        assert outcome.fault.kind is FaultKind.REFUSED
        assert (await server.settled()).state is State.FAILED
        assert server.status.fault.kind is FaultKind.REFUSED
        raw._server = await asyncio.start_server(raw._serve, "127.0.0.1", raw.port)
        server.connect()
        assert (await server.settled()).state is State.CONNECTED
        assert isinstance(await server.call_tool("echo", b"{}"), Complete)


async def test_a_passing_502_fails_only_its_request(over_http: Any) -> None:
    """HTTP-28: the session is kept, and the call is not repeated by itself."""
    calls = 0

    async def shaky(request: Request, reply: Reply) -> None:
        nonlocal calls
        calls += 1
        if calls == 1:
            await reply.send("502 Bad Gateway", b"<h1>upstream</h1>", "Content-Type: text/html")
        elif calls == 2:
            reply.reset()
        else:
            await reply.result(request, {"content": []})

    async with over_http(Peer(**{"tools/call": shaky})) as (server, raw):
        first = await server.call_tool("echo", b"{}")
        assert isinstance(first, LocalError)
        assert first.fault.facts["http_status"] == 502
        assert isinstance(await server.call_tool("echo", b"{}"), LocalError)
        assert isinstance(await server.call_tool("echo", b"{}"), Complete)
        assert server.status.state is State.CONNECTED
    assert methods(raw).count("initialize") == 1
    assert calls == 3


async def test_a_modern_cancel_closes_the_stream_and_posts_nothing(over_http: Any) -> None:
    """MOD-11."""
    closed = asyncio.Event()

    async def hold(request: Request, reply: Reply) -> None:
        await reply.stream()
        await asyncio.wait_for(reply.gone.wait(), 10)
        closed.set()

    async with over_http(Peer("modern", **{"tools/call": hold})) as (server, raw):
        started: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        task = asyncio.get_running_loop().create_task(server.call_tool("echo", b"{}", on_call=started.set_result))
        call = await started
        await raw.until(lambda: "tools/call" in methods(raw))
        assert server.cancel(call.seq)
        outcome = await asyncio.wait_for(task, 2)
        assert isinstance(outcome, LocalError)
        await asyncio.wait_for(closed.wait(), 5)
    assert "notifications/cancelled" not in methods(raw)


@pytest.mark.parametrize("kind", [{"resultType": "partial"}, {"resultType": 5}], ids=str)
async def test_an_unknown_result_type_is_an_invalid_result(over_http: Any, kind: Any) -> None:
    """MOD-09."""
    peer = Peer("modern", **{"tools/call": lambda request, reply: reply.result(request, {**kind, "content": []})})
    async with over_http(peer) as (server, _):
        outcome = await server.call_tool("echo", b"{}")
        assert isinstance(outcome, LocalError)
        assert "resultType" in outcome.sentence
        assert outcome.fault.facts["body"]


async def test_an_absent_result_type_is_complete(over_http: Any) -> None:
    """MOD-09."""
    peer = Peer("modern", **{"tools/call": lambda request, reply: reply.result(request, {"content": []})})
    async with over_http(peer) as (server, _):
        assert isinstance(await server.call_tool("echo", b"{}"), Complete)


async def test_rounds_send_the_state_back_byte_for_byte_and_are_bounded(over_http: Any) -> None:
    """MOD-08: new ids, the same request, requestState untouched, absent where none came, at most ten rounds."""
    state = '"op\\u0061que=="'

    async def endless(request: Request, reply: Reply) -> None:
        ident = request.message["id"]
        body = f'{{"jsonrpc":"2.0","id":{ident},"result":{{"resultType":"input_required","requestState":{state}}}}}'
        await reply.send("200 OK", body.encode(), "Content-Type: application/json")

    async with over_http(Peer("modern", **{"tools/call": endless})) as (server, raw):
        outcome = await asyncio.wait_for(server.call_tool("echo", b'{"a":1}'), 20)
        assert isinstance(outcome, LocalError)
        assert "10 rounds" in outcome.sentence
    sent = [request for request in raw.of("POST") if request.message["method"] == "tools/call"]
    assert len(sent) == 11
    assert len({request.message["id"] for request in sent}) == 11
    assert b"requestState" not in sent[0].body
    assert all(b'"requestState":' + state.encode() in request.body for request in sent[1:])
    assert all(request.message["params"]["arguments"] == {"a": 1} for request in sent)


async def test_a_header_mismatch_reads_the_tools_again_and_retries_once(over_http: Any) -> None:
    """Protocol §3.5."""
    tool = {"name": "echo", "inputSchema": {"type": "object", "properties": {"zone": {"type": "string"}}}}
    new = {
        "name": "echo",
        "inputSchema": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
    }
    lists = 0

    async def tools(request: Request, reply: Reply) -> None:
        nonlocal lists
        lists += 1
        await reply.result(request, {"resultType": "complete", "tools": [tool if lists == 1 else new]})

    async def call(request: Request, reply: Reply) -> None:
        if request.get("mcp-param-zone") == "z-7":
            await reply.result(request, {"resultType": "complete", "content": []})
        else:
            error = {"code": -32020, "message": "header mismatch"}
            await reply.json({"jsonrpc": "2.0", "id": request.message["id"], "error": error}, status="400 Bad Request")

    peer = Peer("modern", **{"tools/list": tools, "tools/call": call})
    async with over_http(peer) as (server, raw):
        assert isinstance(await server.call_tool("echo", b'{"zone":"z-7"}'), Complete)
    assert methods(raw).count("tools/call") == 2


async def test_a_tool_with_a_broken_header_annotation_is_excluded_with_the_reason(over_http: Any) -> None:
    """MOD-07."""
    bad = {
        "name": "bad",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "a b"}}},
    }

    async def tools(request: Request, reply: Reply) -> None:
        await reply.result(request, {"resultType": "complete", "tools": [bad, *TOOLS]})

    async with over_http(Peer("modern", **{"tools/list": tools})) as (server, _):
        items = server.catalogue[What.TOOLS].by_key
        assert "x-mcp-header" in items["bad"].problem
        assert items["echo"].problem == ""


async def listen_bare(request: Request, reply: Reply) -> None:
    await reply.result(request, {"resultType": "complete"})


async def listen_unknown(request: Request, reply: Reply) -> None:
    await reply.json({"jsonrpc": "2.0", "id": request.message["id"], "error": NO_METHOD}, status="404 Not Found")


@pytest.mark.parametrize("answer", [listen_bare, listen_unknown])
async def test_a_listen_that_is_not_acknowledged_is_tried_once_and_explained(over_http: Any, answer: Any) -> None:
    """MOD-14."""
    discovered = {**MODERN, "capabilities": {"tools": {"listChanged": True}}}
    peer = Peer(
        "modern",
        **{
            "server/discover": lambda request, reply: reply.result(request, discovered),
            "subscriptions/listen": answer,
        },
    )
    async with over_http(peer) as (server, raw):
        ended = asyncio.Event()

        def look() -> None:
            if server.subscriptions.history and server.subscriptions.history[-1].what == "ended":
                ended.set()

        server.subscriptions.changed.connect(look)
        look()
        await asyncio.wait_for(ended.wait(), 10)
        assert methods(raw).count("subscriptions/listen") == 1
        assert server.subscriptions.history[-1].detail
        assert server.status.state is State.CONNECTED


async def test_a_listen_that_breaks_after_its_acknowledgement_is_opened_again(over_http: Any) -> None:
    """MOD-14."""
    discovered = {**MODERN, "capabilities": {"tools": {"listChanged": True}}}
    opened = 0

    async def listen(request: Request, reply: Reply) -> None:
        nonlocal opened
        opened += 1
        await reply.stream()
        meta = {"io.modelcontextprotocol/subscriptionId": request.message["id"]}
        params = {"_meta": meta, "notifications": {"toolsListChanged": True}}
        await reply.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params})
        if opened == 1:
            await reply.end()
        else:
            await asyncio.wait_for(reply.gone.wait(), 20)

    peer = Peer(
        "modern",
        **{
            "server/discover": lambda request, reply: reply.result(request, discovered),
            "subscriptions/listen": listen,
        },
    )
    async with over_http(peer) as (server, raw):
        await raw.until(lambda: opened == 2)
        ids = [request.message["id"] for request in raw.of("POST") if "listen" in str(request.message["method"])]
        assert len(set(ids)) == 2
        assert server.status.state is State.CONNECTED


async def test_a_batch_of_2025_03_26_is_taken_apart(over_http: Any, journal: Any) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}

    async def batch(request: Request, reply: Reply) -> None:
        ping = {"jsonrpc": "2.0", "id": "p", "method": "ping"}
        await reply.json([note, {"jsonrpc": "2.0", "id": request.message["id"], "result": {"content": []}}, ping])

    initialized = {**INITIALIZED, "protocolVersion": "2025-03-26"}
    peer = Peer(**{"tools/call": batch, "initialize": lambda request, reply: reply.result(request, initialized)})
    async with over_http(peer, protocol="2025-03-26") as (server, raw):
        assert isinstance(await server.call_tool("echo", b"{}"), Complete)
        await raw.until(lambda: any(request.message.get("id") == "p" for request in raw.of("POST")))
    assert [request.message["result"] for request in raw.of("POST") if request.message.get("id") == "p"] == [{}]
    assert len(journal.of("batch")) == 1
    assert len(journal.of("notification", "notifications/message")) == 1
