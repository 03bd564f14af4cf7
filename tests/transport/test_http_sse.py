"""HTTP+SSE of 2024-11-05 against a server that sends exactly what it is told, on both loops."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.transport.base import Fault, FaultKind, NoteKind, Outgoing
from mcp_inspector.transport.http_sse import HttpSse
from mcp_inspector.transport.limits import Limits
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from tests.transport.conftest import Listener

pytestmark = pytest.mark.anyio
BOTH_LOOPS = {
    "test_a_conversation",
    "test_a_missing_endpoint_fails_in_time",
    "test_the_end_of_the_stream_is_the_end_of_the_connection",
}

INITIALIZED = Outgoing(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')


def request(ident: int) -> Outgoing:
    return Outgoing(json.dumps({"jsonrpc": "2.0", "id": ident, "method": "ping"}).encode(), ident)


class Old:
    """A server of the old kind: an endpoint, and each request answered on the stream before or after its POST is."""

    def __init__(
        self, start: bytes = b"event: endpoint\ndata: /messages?session_id=A%2FB\n\n", post: Any = None
    ) -> None:
        self.start, self.post = start, post
        self.stream: Reply | None = None

    async def __call__(self, request: Request, reply: Reply) -> None:
        if request.method == "GET":
            await reply.stream()
            for at in range(len(self.start)):
                await reply.chunk(self.start[at : at + 1])
            self.stream = reply
            await reply.gone.wait()
            return
        if self.post is not None:
            await self.post(request, reply)
        else:
            await reply.send("202 Accepted", b"Accepted", "Content-Type: text/plain")
        message = request.message
        if "id" in message and self.stream is not None:
            await self.stream.event({"jsonrpc": "2.0", "id": message["id"], "result": {}}, "event: message")


async def test_a_conversation(listener: Listener) -> None:
    """The endpoint byte for byte, POSTs accepted, answers on the one stream, own headers everywhere, nothing else."""
    async with RawHttp(Old()) as server:
        sse = HttpSse(server.url("/sse?x=1"), headers={"Authorization": "Bearer t"})
        await sse.open(listener)
        await sse.send(request(1))
        await listener.until(lambda: listener.messages)
        sse.agree("2024-11-05")
        await sse.send(INITIALIZED)
        await sse.listen()
        await sse.close()
        await sse.close()
    assert [(sent.method, sent.target) for sent in server.requests] == [
        ("GET", "/sse?x=1"),
        ("POST", "/messages?session_id=A%2FB"),
        ("POST", "/messages?session_id=A%2FB"),
    ]
    for sent in server.requests:
        assert sent.all("authorization") == ["Bearer t"]
        assert sent.get("mcp-protocol-version") is None
    assert server.of("POST")[0].all("content-type") == ["application/json"]
    assert (listener.messages[0].stream, listener.messages[0].answers) == ("sse", None)
    assert listener.ends == [None]
    assert not listener.faults


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b": hello\n\n", b"id: 1\nretry: 5\ndata:\n\n"])
async def test_the_endpoint_is_found_behind_other_things(listener: Listener, mark: bytes) -> None:
    """SSE-10, SSE-06: a BOM, comments and priming events before it."""
    async with RawHttp(Old(mark + b"event: endpoint\r\ndata: m\r\n\r\n")) as server:
        sse = HttpSse(server.url("/a/sse"))
        await sse.open(listener)
        await sse.send(INITIALIZED)
        await sse.close()
    assert server.of("POST")[0].target == "/a/m"
    assert not listener.messages


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://evil.example/collect",
        "http://127.0.0.1:{other}/",
        "https://127.0.0.1:{port}/m",
        "//evil.example/m",
        "http://localhost:{port}/x",
    ],
)
async def test_an_endpoint_of_another_origin_gets_nothing(listener: Listener, endpoint: str) -> None:
    """SSE-02, SSE-03: refused at once, and no request, hence no token, goes there."""
    async with RawHttp(Old()) as other:
        old = Old()
        async with RawHttp(old) as server:
            old.start = f"event: endpoint\ndata: {endpoint.format(port=server.port, other=other.port)}\n\n".encode()
            sse = HttpSse(server.url("/sse"), headers={"Authorization": "Bearer t"})
            started = time.monotonic()
            with pytest.raises(Fault) as raised:
                await sse.open(listener)
            assert time.monotonic() - started < 5
            with pytest.raises(Fault):
                await sse.send(request(1))
            await sse.close()
        assert len(server.requests) == 1
        assert not other.requests
        assert other.opened == 0
    assert raised.value.kind is FaultKind.BAD_ENDPOINT
    assert "origin" in raised.value.sentence
    assert not listener.ends


@pytest.mark.parametrize("how", ["silent", "ends", "cut", "no headers"])
async def test_a_missing_endpoint_fails_in_time(listener: Listener, how: str) -> None:
    """SSE-03: no event, the end before it, or no response at all."""

    async def play(_: Request, reply: Reply) -> None:
        if how != "no headers":
            await reply.stream()
        if how == "ends":
            await reply.end()
        elif how == "cut":
            reply.reset()
        else:
            await reply.gone.wait()

    async with RawHttp(play) as server:
        sse = HttpSse(server.url("/sse"), limits=Limits(connect=0.5))
        started = time.monotonic()
        with pytest.raises(Fault) as raised:
            await sse.open(listener)
        assert time.monotonic() - started < 5
        await sse.close()
    assert raised.value.kind is FaultKind.BAD_ENDPOINT
    assert not listener.ends


@pytest.mark.parametrize(
    ("status", "kind", "fault"),
    [
        ("405 Method Not Allowed", "text/plain", FaultKind.HTTP_STATUS),
        ("404 Not Found", "text/html", FaultKind.HTTP_STATUS),
        ("401 Unauthorized", "text/plain", FaultKind.UNAUTHORIZED),
        ("200 OK", "text/html", FaultKind.BAD_CONTENT),
        ("200 OK", "application/json", FaultKind.BAD_CONTENT),
    ],
)
async def test_no_stream_at_all(listener: Listener, status: str, kind: str, fault: FaultKind) -> None:
    """HTTP-30: the status and body of the GET are in the fault."""
    async with RawHttp(lambda _, reply: reply.send(status, b"<h1>no</h1>", f"Content-Type: {kind}")) as server:
        with pytest.raises(Fault) as raised:
            await HttpSse(server.url("/sse")).open(listener)
    assert (raised.value.kind, raised.value.facts["body"]) == (fault, b"<h1>no</h1>")
    assert raised.value.facts["http_status"] == int(status[:3])


@pytest.mark.parametrize(
    ("status", "body"),
    [("204 No Content", b""), ("200 OK", b"Accepted"), ("202 Accepted", b"Accepted"), ("201 Created", b"{}")],
)
async def test_any_2xx_accepts(listener: Listener, status: str, body: bytes) -> None:
    """SSE-15: the answer comes on the stream all the same."""

    async def post(_: Request, reply: Reply) -> None:
        length = b"" if status.startswith("204") else b"Content-Length: %d\r\n" % len(body)
        await reply.raw(b"HTTP/1.1 %b\r\n%b\r\n%b" % (status.encode(), length, body))
        reply.keep = True

    async with RawHttp(Old(post=post)) as server:
        sse = HttpSse(server.url("/sse"))
        await sse.open(listener)
        await sse.send(request(1))
        await listener.until(lambda: listener.messages)
        await sse.close()
    assert not listener.faults


async def test_a_refused_post_fails_exactly_its_request(listener: Listener) -> None:
    """SSE-15: status and text are told; other requests and the stream go on."""

    async def post(sent: Request, reply: Reply) -> None:
        if sent.message.get("id") == 2:
            await reply.send("202 Accepted")
        else:
            await reply.json({"error": "Invalid session"}, status="400 Bad Request")

    async with RawHttp(Old(post=post)) as server:
        sse = HttpSse(server.url("/sse"))
        await sse.open(listener)
        await sse.send(request(1))
        await listener.until(lambda: listener.faults)
        await sse.send(request(2))
        await listener.until(lambda: any(json.loads(raw)["id"] == 2 for raw in listener.raws()))
        with pytest.raises(Fault) as raised:
            await sse.send(INITIALIZED)
        await sse.close()
    ((key, fault),) = listener.faults
    assert (key, fault.kind, fault.facts["http_status"]) == (1, FaultKind.HTTP_STATUS, 400)
    assert "Invalid session" in fault.sentence
    assert "Invalid session" in raised.value.sentence
    assert listener.ends == [None]


@pytest.mark.parametrize(
    ("how", "kind"), [("end", FaultKind.CLOSED), ("reset", FaultKind.RESET), ("cut", FaultKind.RESET)]
)
async def test_the_end_of_the_stream_is_the_end_of_the_connection(
    listener: Listener, how: str, kind: FaultKind
) -> None:
    """Losing the GET stream closes the connection, once, with a reconnectable fault."""
    old = Old()
    async with RawHttp(old) as server:
        sse = HttpSse(server.url("/sse"))
        await sse.open(listener)
        assert old.stream is not None
        if how == "end":
            await old.stream.end()
        elif how == "reset":
            old.stream.reset()
        else:
            old.stream.writer.close()
        await listener.until(lambda: listener.ends)
        fault = listener.ends[0]
        assert fault is not None
        assert fault.kind is kind
        assert fault.reconnectable
        with pytest.raises(Fault):
            await sse.send(request(1))
        await sse.close()
    assert listener.ends == [fault]


async def test_an_endpoint_and_the_end_in_one_breath(listener: Listener) -> None:
    """The stream ends right behind the endpoint: a dead connection is never taken for a live one."""

    async def play(_: Request, reply: Reply) -> None:
        await reply.stream()
        data = b"event: endpoint\ndata: /m\n\n"
        await reply.raw(b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data))
        reply.keep = True

    async with RawHttp(play) as server:
        sse = HttpSse(server.url("/sse"))
        with contextlib.suppress(Fault):  # or the end comes a moment later
            await sse.open(listener)
            await listener.until(lambda: listener.ends)
            raise listener.ends[0] or AssertionError("no reason was given")
        with pytest.raises(Fault) as raised:
            await sse.send(request(1))
        assert raised.value.kind is FaultKind.CLOSED
        await sse.close()


async def test_foreign_events_are_noted_and_keep_alives_too(listener: Listener) -> None:
    """SSE-07: neither is a message."""
    old = Old()
    async with RawHttp(old) as server:
        sse = HttpSse(server.url("/sse"))
        await sse.open(listener)
        assert old.stream is not None
        await old.stream.chunk(b": ping - 1\n\nevent: ping\ndata: 2026\n\nevent: heartbeat\ndata: {}\n\ndata: {}\n\n")
        await listener.until(lambda: listener.messages)
        await sse.close()
    assert listener.raws() == [b"{}"]
    told = [(note.facts["event"], note.facts.get("name")) for note in listener.noted_as(NoteKind.STREAM)]
    assert told == [("ignored event", "ping"), ("ignored event", "heartbeat"), ("keep-alive", None)]


async def test_a_post_that_hangs_ends_with_its_request(listener: Listener) -> None:
    """The answer is there while the POST still waits: it is given its time, then dropped; abandoning drops it too."""
    dropped = asyncio.Event()
    old = Old()

    async def post(sent: Request, reply: Reply) -> None:
        if sent.message["id"] == 1 and old.stream is not None:
            await old.stream.event({"jsonrpc": "2.0", "id": 1, "result": {}})
        await reply.gone.wait()
        dropped.set()

    old.post = post
    async with RawHttp(old) as server:
        sse = HttpSse(server.url("/sse"), limits=Limits(drain=0.2))
        await sse.open(listener)
        listener.on_message = lambda item: sse.settled(json.loads(item.raw)["id"])
        await sse.send(request(1))
        await asyncio.wait_for(dropped.wait(), 10)
        dropped.clear()
        await sse.send(request(2))
        await server.until(lambda: len(server.of("POST")) == 2)
        sse.abandon(2)
        await asyncio.wait_for(dropped.wait(), 10)
        await sse.close()
    assert not listener.faults
