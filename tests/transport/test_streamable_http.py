"""Streamable HTTP against a server that sends exactly what it is told, on both loops."""

from __future__ import annotations

import asyncio
import gzip
import json
import ssl
import subprocess
import time
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.transport.base import Fault, FaultKind, NoteKind, Outgoing
from mcp_inspector.transport.limits import Limits
from mcp_inspector.transport.streamable_http import StreamableHttp
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from pathlib import Path

    from tests.transport.conftest import Listener

pytestmark = pytest.mark.anyio
BOTH_LOOPS = {
    "test_a_legacy_session_from_start_to_end",
    "test_a_transient_failure_costs_one_request",
    "test_a_stream_that_ends_without_a_response_loses_its_request",
    "test_polling_resumes_with_the_last_event_id",
    "test_a_stream_that_stays_open_holds_nothing_up",
    "test_abandoning_closes_the_stream",
    "test_sixty_four_streams_at_once",
    "test_closing_ends_what_is_in_flight",
    "test_events_come_as_the_compressor_is_flushed",
    "test_a_large_body_goes_both_ways",
    "test_network_failures_are_named",
    "test_tls_failures_are_named",
}

INITIALIZED = Outgoing(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')


def request(ident: int, method: str = "tools/call", **more: Any) -> Outgoing:
    body = {"jsonrpc": "2.0", "id": ident, "method": method, "params": {}}
    return Outgoing(json.dumps(body).encode(), ident, **more)


def answer(ident: object, result: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "result": result or {}}


async def begin(http: StreamableHttp, listener: Listener, version: str = "2025-11-25") -> None:
    """Open and initialize a legacy session."""
    await http.open(listener)
    await http.send(request(0, "initialize", opens_session=True))
    await listener.until(lambda: listener.messages or listener.faults)
    assert not listener.faults
    listener.messages.clear()
    http.agree(version)


class Legacy:
    """Answers initialize with a session id, notifications 202, DELETE 200, GET 405 or by `get`; the rest by `then`."""

    def __init__(self, then: Any = None, get: Any = None, session: str = "Mcp-Session-Id: s1") -> None:
        self.then, self.get, self.session = then, get, session

    async def __call__(self, request: Request, reply: Reply) -> None:
        if request.method == "DELETE":
            await reply.send("200 OK")
        elif request.method == "GET":
            if self.get is None:
                await reply.send("405 Method Not Allowed", b"", "Allow: POST")
            else:
                await self.get(request, reply)
        elif request.message.get("method") == "initialize":
            await reply.result(request, {"protocolVersion": "2025-11-25"}, *([self.session] if self.session else []))
        elif "id" not in request.message:
            await reply.send("202 Accepted")
        elif self.then is None:
            await reply.result(request, request.message.get("params"))
        else:
            await self.then(request, reply)


async def test_a_legacy_session_from_start_to_end(listener: Listener) -> None:
    """HTTP-03, -12, -17, -18, -26: headers of each kind of request; the session id only from initialize; DELETE."""
    async with RawHttp(Legacy(lambda request, reply: reply.result(request, {}, "Mcp-Session-Id: other"))) as server:
        http = StreamableHttp(server.url("/Api/MCP/?key=a%2Fb&x="), headers={"X-Own": "1", "Authorization": "Bearer t"})
        await begin(http, listener)
        await http.send(INITIALIZED)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.listen()
        await listener.until(lambda: [note for note in listener.notes if note.facts.get("event") == "none offered"])
        await http.close()
        await http.close()
    first, second, third = server.of("POST")
    assert first.get("mcp-session-id") is None
    assert first.get("mcp-protocol-version") is None
    for posted in (first, second, third):
        assert posted.all("content-type") == ["application/json"]
        assert posted.all("accept") == ["application/json, text/event-stream"]
    later = [second, third, *server.of("GET"), *server.of("DELETE")]
    assert len(later) == 4
    for sent in later:
        assert sent.all("mcp-session-id") == ["s1"]
        assert sent.all("mcp-protocol-version") == ["2025-11-25"]
    for sent in server.requests:
        assert (sent.all("x-own"), sent.all("authorization")) == (["1"], ["Bearer t"])
        assert sent.target == "/Api/MCP/?key=a%2Fb&x="
        assert len(sent.all("host")) == 1
    assert server.of("GET")[0].all("accept") == ["text/event-stream"]
    assert listener.ends == [None]
    assert listener.messages[0].answers == 1
    assert listener.messages[0].http is not None
    assert listener.messages[0].http.status == 200


async def test_what_is_noted_is_what_went_over_the_wire(listener: Listener) -> None:
    """Every request and response is noted with its headers, spelled and ordered as sent; bodies of refusals too."""
    async with RawHttp(
        Legacy(lambda _, reply: reply.send("418 I'm a Teapot", b"short", "X-Odd-Spelling: yes"))
    ) as server:
        http = StreamableHttp(server.url(), headers={"x-API-key": "k"})
        await begin(http, listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    sent, answered = listener.noted_as(NoteKind.HTTP_REQUEST), listener.noted_as(NoteKind.HTTP_RESPONSE)
    assert [note.facts["headers"] for note in sent] == [[list(pair) for pair in one.headers] for one in server.requests]
    assert [note.facts["status"] for note in answered] == [200, 418, 200]
    assert answered[1].facts["reason"] == "I'm a Teapot"
    assert ["X-Odd-Spelling", "yes"] in answered[1].facts["headers"]
    assert (answered[1].data, answered[1].facts["key"], answered[1].facts["url"]) == (b"short", 1, server.url())
    assert json.dumps([dict(note.facts) for note in listener.notes])


async def test_an_own_accept_wins_only_when_given(listener: Listener) -> None:
    """HTTP-03: the person's headers never wipe ours by accident, and replace them when they name them."""
    async with RawHttp(Legacy()) as server:
        http = StreamableHttp(
            server.url(), headers={"accept": "text/plain", "Content-Length": "7", "host": "h.example"}
        )
        await begin(http, listener)
        await http.close()
    sent = server.requests[0]
    assert (sent.all("accept"), sent.all("host")) == (["text/plain"], ["h.example"])
    assert sent.all("content-length") == [str(len(sent.body))]


@pytest.mark.parametrize("header", [{"X": "a\r\nEvil: 1"}, {"a b": "1"}, {"": "1"}, {"X:": "1"}])
async def test_headers_that_http_forbids_are_refused(listener: Listener, header: dict[str, str]) -> None:
    """No header injection."""
    with pytest.raises(Fault) as raised:
        await StreamableHttp("http://127.0.0.1:9/", headers=header).open(listener)
    assert raised.value.kind is FaultKind.USAGE


@pytest.mark.parametrize(("version", "header"), [("2025-03-26", []), ("2025-06-18", ["2025-06-18"])])
async def test_the_version_header_by_version(listener: Listener, version: str, header: list[str]) -> None:
    """HTTP-18: sent from 2025-06-18 on."""
    async with RawHttp(Legacy()) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener, version)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert server.requests[1].all("mcp-protocol-version") == header


async def test_modern_is_stateless(listener: Listener) -> None:
    """MOD-15, HTTP-14: the era's headers as given, no session, no GET, no DELETE, no resuming."""
    era = (("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "=?base64?ZcOk?="))

    async def play(sent: Request, reply: Reply) -> None:
        if sent.message["id"] == 1:
            await reply.result(sent, {}, "Mcp-Session-Id: s9")
        else:
            await reply.stream()
            await reply.chunk(b"id: e1\nretry: 10\ndata:\n\n")
            await reply.end()

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1, headers=era))
        await listener.until(lambda: listener.messages)
        http.agree("2026-07-28")
        await http.listen()
        await http.send(request(2, headers=era))
        await listener.until(lambda: listener.faults)
        await http.close()
    assert [sent.method for sent in server.requests] == ["POST", "POST"]
    for sent in server.requests:
        assert [sent.get(name) for name, _ in era] == [value for _, value in era]
        assert len(sent.all("mcp-protocol-version")) == 1
        assert sent.get("mcp-session-id") is None
    assert listener.faults[0][1].kind is FaultKind.NO_REPLY


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        ("202 Accepted", b"", ()),
        ("200 OK", b"", ()),
        ("202 Accepted", b"Accepted", ("Content-Type: text/plain; charset=UTF-8",)),
        ("202 Accepted", b"null", ("Content-Type: application/json",)),
        ("204 No Content", b"", ()),
        ("200 OK", b"<html>ok", ("Content-Type: text/html",)),
    ],
)
async def test_any_2xx_accepts_a_notification(
    listener: Listener, status: str, body: bytes, headers: tuple[str, ...]
) -> None:
    """HTTP-01: the body is ignored, yet noted."""

    async def play(_: Request, reply: Reply) -> None:
        if status.startswith("204"):
            await reply.raw(b"HTTP/1.1 204 No Content\r\n\r\n")
            reply.keep = True
        else:
            await reply.send(status, body, *headers)

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(INITIALIZED)
        await http.send(INITIALIZED)
        await http.close()
    assert not listener.messages
    assert [note.data for note in listener.noted_as(NoteKind.HTTP_RESPONSE)] == [body, body]
    assert server.opened == 1


async def test_a_refused_notification_raises(listener: Listener) -> None:
    """A 4xx to what is no request fails that send, with status and text."""
    async with RawHttp(lambda _, reply: reply.json({"error": "Invalid session"}, status="400 Bad Request")) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        with pytest.raises(Fault) as raised:
            await http.send(INITIALIZED)
        await http.close()
    assert raised.value.kind is FaultKind.HTTP_STATUS
    assert "400 Bad Request" in raised.value.sentence
    assert "Invalid session" in raised.value.sentence
    assert raised.value.facts["http_status"] == 400


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"']
)
async def test_json_by_any_spelling(listener: Listener, kind: str) -> None:
    """HTTP-02: media types compare without case and parameters."""
    async with RawHttp(lambda _, reply: reply.send("200 OK", b'{"a":1}', f"Content-Type: {kind}")) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert listener.raws() == [b'{"a":1}']


@pytest.mark.parametrize("kind", ["text/event-stream", "text/event-stream;charset=utf-8", "TEXT/EVENT-STREAM"])
async def test_event_streams_by_any_spelling(listener: Listener, kind: str) -> None:
    """HTTP-02, SSE-06, -07: events as they come, priming and foreign ones aside, all with their request's key."""

    async def play(_: Request, reply: Reply) -> None:
        await reply.stream(kind=kind)
        await reply.chunk(b"id: p-1\nretry: 3000\ndata:\n\n: keep\n\nevent: ping\ndata: 2026\n\n")
        await reply.event({"jsonrpc": "2.0", "method": "notifications/progress"}, "id: p-2")
        await reply.event(answer(1))
        await reply.end()

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        listener.on_message = lambda item: http.settled(1) if b"result" in item.raw else None
        await http.send(request(1))
        await listener.until(lambda: len(listener.messages) == 2)
        await http.close()
    assert [item.answers for item in listener.messages] == [1, 1]
    assert [item.event_id for item in listener.messages] == ["p-2", "p-2"]
    notes = listener.noted_as(NoteKind.STREAM)
    assert [note.facts["event"] for note in notes] == ["event without data", "ignored event", "keep-alive"]
    assert (notes[0].facts["event_id"], notes[0].facts["retry_ms"], notes[0].facts["key"]) == ("p-1", 3000, 1)
    assert listener.noted_as(NoteKind.HTTP_RESPONSE)[0].facts["connect"] >= 0
    assert not listener.faults


@pytest.mark.parametrize(
    ("body", "headers", "kind"),
    [
        (b"<html><h1>Sign in</h1>", ("Content-Type: text/html",), FaultKind.BAD_CONTENT),
        (b'{"jsonrpc":"2.0"}', ("Content-Type: text/plain",), FaultKind.BAD_CONTENT),
        (b'{"jsonrpc":"2.0"}', (), FaultKind.BAD_CONTENT),
        (b"", ("Content-Type: application/json",), FaultKind.BAD_CONTENT),
        (b"", (), FaultKind.BAD_CONTENT),
        (b"{}", ("Content-Type: application/json", "Content-Encoding: gzip"), FaultKind.BAD_CONTENT),
        (b"{}", ("Content-Type: application/json", "Content-Encoding: br"), FaultKind.BAD_CONTENT),
        (b"{}", ("Content-Type: application/json", "Content-Encoding: gzip, gzip"), FaultKind.BAD_CONTENT),
    ],
)
async def test_a_body_that_lies_fails_its_request(
    listener: Listener, body: bytes, headers: tuple[str, ...], kind: FaultKind
) -> None:
    """HTTP-02, HTTP-23: a clear sentence, the start of the body, and only this request."""
    async with RawHttp(lambda _, reply: reply.send("200 OK", body, *headers)) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(5))
        await listener.until(lambda: listener.faults)
        await http.close()
    ((key, fault),) = listener.faults
    assert (key, fault.kind) == (5, kind)
    assert fault.facts["http_status"] == 200
    if not any("Encoding" in header for header in headers):
        assert fault.facts.get("body", b"") == body


@pytest.mark.parametrize(
    "body", [b'{"jsonrpc":"2.0",', b'\xef\xbb\xbf{"a":1}', b'{"a":NaN}', '{"a":1}'.encode("utf-16-le")]
)
async def test_odd_json_is_handed_over_as_it_is(listener: Listener, body: bytes) -> None:
    """HTTP-23: what a body means is not decided here."""
    async with RawHttp(lambda _, reply: reply.send("200 OK", body, "Content-Type: application/json")) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert (listener.raws(), listener.messages[0].answers) == ([body], 1)


@pytest.mark.parametrize("status", ["202 Accepted", "204 No Content"])
async def test_202_to_a_request_loses_it(listener: Listener, status: str) -> None:
    """No answer will come."""

    async def play(_: Request, reply: Reply) -> None:
        await reply.raw(
            f"HTTP/1.1 {status}\r\n".encode() + (b"" if "204" in status else b"Content-Length: 0\r\n") + b"\r\n"
        )
        reply.keep = True

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    assert listener.faults[0][1].kind is FaultKind.NO_REPLY
    assert status in listener.faults[0][1].sentence


@pytest.mark.parametrize("status", ["400 Bad Request", "404 Not Found", "500 Internal Server Error"])
async def test_a_json_body_of_a_refusal_is_the_answer(listener: Listener, status: str) -> None:
    """HTTP-06, -29, MOD-16: the body answers that POST whatever its id; the session decides what it means."""
    body = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "no session"}}
    async with RawHttp(lambda _, reply: reply.json(body, status=status)) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert json.loads(listener.raws()[0]) == body
    assert listener.messages[0].answers == 1
    assert listener.messages[0].http is not None
    assert listener.messages[0].http.status == int(status[:3])
    assert not listener.faults


async def test_404_to_a_session_is_told_as_such(listener: Listener) -> None:
    """HTTP-04: session gone, with the JSON body in the facts; a new initialize carries no session header."""
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "session gone"}}
    async with RawHttp(Legacy(lambda _, reply: reply.json(body, status="404 Not Found"))) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        fault = listener.faults[0][1]
        assert fault.kind is FaultKind.SESSION_GONE
        assert fault.reconnectable
        assert json.loads(fault.facts["body"]) == body
        await http.send(request(2, "initialize", opens_session=True))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert server.of("POST")[2].get("mcp-session-id") is None


@pytest.mark.parametrize(
    ("status", "kind", "headers"),
    [
        (
            "401 Unauthorized",
            FaultKind.UNAUTHORIZED,
            ('WWW-Authenticate: Bearer resource_metadata="x"', "WWW-Authenticate: Basic"),
        ),
        ("403 Forbidden", FaultKind.FORBIDDEN, ("WWW-Authenticate: Bearer scope=a",)),
        ("500 Oops", FaultKind.HTTP_STATUS, ()),
        ("502 Bad Gateway", FaultKind.HTTP_STATUS, ("Content-Type: text/html",)),
        ("503 Service Unavailable", FaultKind.HTTP_STATUS, ("Retry-After: 7",)),
    ],
)
async def test_refusals_without_an_answer(
    listener: Listener, status: str, kind: FaultKind, headers: tuple[str, ...]
) -> None:
    """401, 403, 5xx: kind, challenge, retry time, and the body's first 64 KiB."""
    async with RawHttp(lambda _, reply: reply.send(status, b"no!" * 50_000, *headers)) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    fault = listener.faults[0][1]
    assert (fault.kind, fault.facts["http_status"], fault.facts["reason"]) == (kind, int(status[:3]), status[4:])
    assert fault.facts["body"] == (b"no!" * 50_000)[:65536]
    assert len(fault.sentence) < 500
    if "WWW" in "".join(headers):
        assert fault.facts["www_authenticate"] == [header.partition(": ")[2] for header in headers]
    if "Retry" in "".join(headers):
        assert fault.facts["retry_after"] == 7


async def test_a_transient_failure_costs_one_request(listener: Listener) -> None:
    """HTTP-28: 502, 503, RST, then an answer: each request is sent once, the session stays, nothing spins."""

    async def then(sent: Request, reply: Reply) -> None:
        ident = sent.message["id"]
        if ident == 1:
            await reply.send("502 Bad Gateway", b"<html>", "Content-Type: text/html")
        elif ident == 2:
            await reply.send("503 Service Unavailable", b"", "Retry-After: 1")
        elif ident == 3:
            reply.reset()
        else:
            await reply.result(sent, {})

    async with RawHttp(Legacy(then)) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        for ident in (1, 2, 3):
            await http.send(request(ident))
            await listener.until(lambda ident=ident: len(listener.faults) == ident)
        await http.send(request(4))
        await listener.until(lambda: listener.messages)
        before = time.process_time()
        await asyncio.sleep(0.5)
        assert time.process_time() - before < 0.25
        await http.close()
    kinds = [fault.kind for _, fault in listener.faults]
    assert kinds == [FaultKind.HTTP_STATUS, FaultKind.HTTP_STATUS, FaultKind.RESET]
    assert [sent.message["id"] for sent in server.of("POST")] == [0, 1, 2, 3, 4]
    assert server.of("POST")[-1].get("mcp-session-id") == "s1"


@pytest.mark.parametrize("end", ["clean", "reset", "cut"])
async def test_a_stream_that_ends_without_a_response_loses_its_request(listener: Listener, end: str) -> None:
    """HTTP-13: at once, with a sentence of its own; the session stays usable."""

    async def then(sent: Request, reply: Reply) -> None:
        if sent.message["id"] == 2:
            await reply.result(sent, {})
            return
        await reply.stream()
        await reply.event({"jsonrpc": "2.0", "method": "notifications/progress"})
        if end == "clean":
            await reply.end()
        elif end == "reset":
            reply.reset()

    async with RawHttp(Legacy(then)) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        assert listener.faults[0][1].kind is FaultKind.NO_REPLY
        assert len(listener.messages) == 1
        await http.send(request(2))
        await listener.until(lambda: len(listener.messages) == 2)
        await http.close()


@pytest.mark.parametrize("end", ["cut", "reset"])
async def test_a_body_that_is_cut_off_loses_its_request(listener: Listener, end: str) -> None:
    """A promised length that does not come."""

    async def play(_: Request, reply: Reply) -> None:
        await reply.raw(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"a":')
        if end == "reset":
            reply.reset()

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    assert listener.faults[0][1].kind is FaultKind.NO_REPLY
    assert "cut off" in listener.faults[0][1].sentence


async def test_polling_resumes_with_the_last_event_id(listener: Listener) -> None:
    """HTTP-14, HTTP-26: one GET after `retry`, with cursor, session, version, own headers; its answer has the key."""
    moments: list[float] = []

    async def then(_: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.chunk(b"id: e1\nretry: 300\ndata:\n\n")
        await reply.end()
        moments.append(time.monotonic())

    async def get(_: Request, reply: Reply) -> None:
        moments.append(time.monotonic())
        await reply.stream()
        await reply.event(answer(1), "id: e2")
        await reply.end()

    async with RawHttp(Legacy(then, get)) as server:
        http = StreamableHttp(server.url(), headers={"X-Own": "1"})
        await begin(http, listener)
        listener.on_message = lambda item: http.settled(item.answers or 0)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    (resumed,) = server.of("GET")
    names = ("last-event-id", "mcp-session-id", "mcp-protocol-version", "x-own", "accept")
    assert [resumed.get(name) for name in names] == ["e1", "s1", "2025-11-25", "1", "text/event-stream"]
    assert moments[1] - moments[0] >= 0.3
    assert (listener.messages[0].answers, listener.messages[0].stream) == (1, "get")
    assert not listener.faults


@pytest.mark.parametrize("how", ["405", "404", "empty"])
async def test_resuming_is_bounded(listener: Listener, how: str) -> None:
    """A refused resume or streams that bring nothing end the wait; 404 says that the session is gone."""

    async def then(_: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.chunk(b"id: e1\nretry: 5\ndata:\n\n")
        await reply.end()

    async def get(_: Request, reply: Reply) -> None:
        if how == "empty":
            await reply.stream()
            await reply.end()
        else:
            await reply.send(f"{how} No")

    async with RawHttp(Legacy(then, get)) as server:
        http = StreamableHttp(server.url(), limits=Limits(resume=3))
        await begin(http, listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    kind = FaultKind.SESSION_GONE if how == "404" else FaultKind.NO_REPLY
    assert listener.faults[0][1].kind is kind
    assert len(server.of("GET")) == (3 if how == "empty" else 1)


async def test_progress_resets_the_attempts_of_resuming(listener: Listener) -> None:
    """A server that answers only after many polls, each with a new event id, is waited for."""
    polls = 0

    async def then(_: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.chunk(b"id: 0\nretry: 1\ndata:\n\n")
        await reply.end()

    async def get(_: Request, reply: Reply) -> None:
        nonlocal polls
        polls += 1
        await reply.stream()
        if polls == 8:
            await reply.event(answer(1), "id: last")
        else:
            await reply.chunk(b"id: %d\ndata:\n\n" % polls)
        await reply.end()

    async with RawHttp(Legacy(then, get)) as server:
        http = StreamableHttp(server.url(), limits=Limits(resume=2))
        await begin(http, listener)
        listener.on_message = lambda item: http.settled(item.answers or 0)
        await http.send(request(1))
        await listener.until(lambda: listener.messages or listener.faults)
        await http.close()
    assert not listener.faults
    assert [sent.get("last-event-id") for sent in server.of("GET")] == [str(n) for n in range(8)]


async def test_a_stream_that_stays_open_holds_nothing_up(listener: Listener) -> None:
    """HTTP-15: the answer is there at once, the next request too; the old stream is closed after its time."""
    late = asyncio.Event()

    async def then(sent: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.event(answer(sent.message["id"]))
        await reply.event({"jsonrpc": "2.0", "method": "late"})
        await reply.gone.wait()
        late.set()

    async with RawHttp(Legacy(then)) as server:
        http = StreamableHttp(server.url(), limits=Limits(drain=0.2))
        await begin(http, listener)
        listener.on_message = lambda item: http.settled(item.answers or 0) if b"result" in item.raw else None
        started = time.monotonic()
        await http.send(request(1))
        await http.send(request(2))
        await listener.until(lambda: len(listener.messages) == 4)
        assert time.monotonic() - started < 5
        await asyncio.wait_for(late.wait(), 10)
        await http.close()
    assert not listener.faults
    left = [note.facts for note in listener.notes if note.facts.get("event") == "left open"]
    assert {facts["key"] for facts in left} <= {1, 2}
    assert left
    assert all(facts["seconds"] >= 0.2 for facts in left)


async def test_abandoning_closes_the_stream(listener: Listener) -> None:
    """MOD-11: the server sees the disconnect; nothing is posted, nothing is told as lost."""
    gone = asyncio.Event()

    async def play(_: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.event({"jsonrpc": "2.0", "method": "notifications/progress"})
        await reply.gone.wait()
        gone.set()

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        http.agree("2026-07-28")
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        http.abandon(1)
        http.abandon(1)
        await asyncio.wait_for(gone.wait(), 10)
        await http.close()
    assert len(server.requests) == 1
    assert not listener.faults


async def test_sixty_four_streams_at_once(listener: Listener) -> None:
    """One POST is one connection: many wait at the same time, answered in the reverse order."""
    waiting: list[tuple[Request, Reply]] = []

    async def play(sent: Request, reply: Reply) -> None:
        waiting.append((sent, reply))
        if len(waiting) == 64:
            for one, connection in reversed(waiting):
                await connection.result(one, {})
        while not reply.keep:
            await asyncio.sleep(0.005)

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        for ident in range(64):
            await http.send(request(ident))
        await listener.until(lambda: len(listener.messages) == 64)
        await http.close()
    assert {item.answers for item in listener.messages} == set(range(64))
    assert all(json.loads(item.raw)["id"] == item.answers for item in listener.messages)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("405 Method Not Allowed", ("Allow: POST",)),
        ("404 Not Found", ()),
        ("400 Bad Request", ()),
        ("401 Unauthorized", ()),
        ("501 Not Implemented", ()),
        ("200 OK", ("Content-Type: text/html",)),
        ("200 OK", ("Content-Type: application/json",)),
    ],
)
async def test_no_get_stream_is_one_quiet_note(listener: Listener, status: str, headers: tuple[str, ...]) -> None:
    """HTTP-07, HTTP-08: not an error, not repeated; POST goes on."""
    async with RawHttp(Legacy(get=lambda _, reply: reply.send(status, b"<h1>MCP</h1>", *headers))) as server:
        http = StreamableHttp(server.url(), limits=Limits(listen=3))
        await begin(http, listener)
        await http.listen()
        await http.listen()
        await listener.until(lambda: listener.noted_as(NoteKind.STREAM))
        await asyncio.sleep(0.1)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert len(server.of("GET")) == 1
    (told,) = listener.noted_as(NoteKind.STREAM)
    assert told.facts["event"] == "none offered"
    assert not listener.faults


async def test_empty_get_streams_are_given_up(listener: Listener) -> None:
    """HTTP-08: a stream that ends at once each time: growing pauses, bounded attempts."""

    async def get(_: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.end()

    async with RawHttp(Legacy(get=get)) as server:
        http = StreamableHttp(server.url(), limits=Limits(listen=1))
        await begin(http, listener)
        await http.listen()
        await listener.until(lambda: [note for note in listener.notes if note.facts.get("event") == "given up"])
        await http.close()
    assert len(server.of("GET")) == 2
    events = [note.facts["event"] for note in listener.noted_as(NoteKind.STREAM)]
    assert events == ["opened", "closed", "reconnecting in 1 s", "opened", "closed", "given up"]


async def test_a_dropped_get_stream_goes_on_where_it_was(listener: Listener) -> None:
    """HTTP-25: the old stream is closed before the next is opened, with the last event id; 409 backs off."""
    open_now = most = 0

    async def get(sent: Request, reply: Reply) -> None:
        nonlocal open_now, most
        if len(server.of("GET")) == 2:
            await reply.send("409 Conflict")
            return
        open_now += 1
        most = max(most, open_now)
        await reply.stream()
        await reply.event({"jsonrpc": "2.0", "method": "n"}, f"id: g{len(server.of('GET'))}", "retry: 1")
        open_now -= 1
        if len(server.of("GET")) == 1:
            reply.reset()
        else:
            await reply.gone.wait()

    async with RawHttp(Legacy(get=get)) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        await http.listen()
        await listener.until(lambda: len(listener.messages) == 2)
        assert all(item.answers is None and item.stream == "get" for item in listener.messages)
        await http.close()
    assert [sent.get("last-event-id") for sent in server.of("GET")] == [None, "g1", "g1"]
    assert most == 1


@pytest.mark.parametrize(
    ("header", "sent_back"),
    [
        ("Mcp-Session-Id:", None),
        ("", None),
        ("MCP-SESSION-ID:  s1 ", "s1"),
        ("Mcp-Session-Id: a b", "a b"),
        ("Mcp-Session-Id: " + "x" * 300_000, "x" * 300_000),
        ("Mcp-Session-Id: ü", None),
    ],
)
async def test_session_ids_of_every_kind(listener: Listener, header: str, sent_back: str | None) -> None:
    """HTTP-17: empty is none, odd ones are said, kept verbatim where they can be sent; DELETE only with a session."""
    async with RawHttp(Legacy(session=header)) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        await http.send(request(1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert server.of("POST")[1].get("mcp-session-id") == sent_back
    assert len(server.of("DELETE")) == (sent_back is not None)
    assert bool(listener.noted_as(NoteKind.WARNING)) == ("a b" in header or "ü" in header)


@pytest.mark.parametrize("how", ["405", "hang", "reset"])
async def test_the_farewell_never_holds_up_the_end(listener: Listener, how: str) -> None:
    """HTTP-17, QT-03: DELETE refused, unanswered or cut off is ignored, within its short time."""

    async def play(sent: Request, reply: Reply) -> None:
        if sent.method != "DELETE":
            await Legacy()(sent, reply)
        elif how == "hang":
            await reply.gone.wait()
        elif how == "reset":
            reply.reset()
        else:
            await reply.send("405 Method Not Allowed")

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url(), limits=Limits(farewell=0.3))
        await begin(http, listener)
        started = time.monotonic()
        await http.close()
        assert time.monotonic() - started < 5
    assert server.of("DELETE")
    assert listener.ends == [None]


async def test_closing_ends_what_is_in_flight(listener: Listener) -> None:
    """QT-03: requests and streams that wait are closed; nothing is told as lost, nothing comes after the end."""
    gone: list[str] = []

    async def hold(sent: Request, reply: Reply) -> None:
        await reply.stream()
        await reply.gone.wait()
        gone.append(sent.method)

    async with RawHttp(Legacy(hold, hold)) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        await http.listen()
        await http.send(request(1))
        await listener.until(lambda: len(listener.noted_as(NoteKind.HTTP_RESPONSE)) == 3)
        await http.close()
        await server.until(lambda: len(gone) == 2)
        with pytest.raises(Fault):
            await http.send(request(2))
    assert listener.order[-1] == "closed"
    assert not listener.faults


async def test_same_origin_redirects_keep_the_method(listener: Listener) -> None:
    """307 and 308 within the origin are followed with method, body and headers; both requests are noted."""

    async def play(sent: Request, reply: Reply) -> None:
        if sent.target == "/mcp":
            await reply.send("307 Temporary Redirect", b"", "Location: /there/?a=%2f")
        else:
            await Legacy()(sent, reply)

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url(), headers={"Authorization": "Bearer t"})
        await begin(http, listener)
        await http.close()
    first, second = server.of("POST")
    assert (second.target, second.body, second.get("authorization")) == ("/there/?a=%2f", first.body, "Bearer t")
    assert [note.facts["status"] for note in listener.noted_as(NoteKind.HTTP_RESPONSE)] == [307, 200, 307, 200]


@pytest.mark.parametrize(
    ("status", "where"),
    [
        ("307 Temporary Redirect", "http://localhost:{port}/mcp"),
        ("308 Permanent Redirect", "https://127.0.0.1:{port}/mcp"),
        ("302 Found", "/elsewhere"),
        ("301 Moved Permanently", "//evil.example/"),
        ("307 Temporary Redirect", "ftp://h/"),
        ("307 Temporary Redirect", "/mcp"),
    ],
)
async def test_other_redirects_are_refused(listener: Listener, status: str, where: str) -> None:
    """Another origin, a changed method, a loop: refused with the target shown, and no request goes there."""
    async with RawHttp(
        lambda _, reply: reply.send(status, b"", f"Location: {where.format(port=server.port)}")
    ) as server:
        http = StreamableHttp(server.url(), headers={"Authorization": "Bearer t"})
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    fault = listener.faults[0][1]
    assert fault.kind is FaultKind.REDIRECT
    if where != "/mcp":
        assert fault.facts["location"] == where.format(port=server.port)
        assert len(server.requests) == 1
    assert len(server.requests) <= 5


async def test_events_come_as_the_compressor_is_flushed(listener: Listener) -> None:
    """SSE-14: gzip with a flush after each event, cut inside a character; none waits for the end."""
    packer = zlib.compressobj(wbits=31)
    heard = asyncio.Event()
    listener.on_message = lambda _: heard.set()

    async def play(_: Request, reply: Reply) -> None:
        await reply.stream("Content-Encoding: gzip")
        for n in range(3):
            data = packer.compress(f'data: {{"n":{n},"t":"ü😀"}}\n\n'.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
            for at in range(0, len(data), 5):
                await reply.chunk(data[at : at + 5])
            await asyncio.wait_for(heard.wait(), 10)
            heard.clear()
        await reply.end()

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    assert [json.loads(raw)["n"] for raw in listener.raws()] == [0, 1, 2]
    assert json.loads(listener.raws()[2])["t"] == "ü😀"


async def test_a_bomb_is_too_large(listener: Listener) -> None:
    """SEC-08: a thousandfold body passes the limit of decoded bytes and is dropped there."""
    body = gzip.compress(bytes(20 << 20))
    headers = "Content-Type: application/json", "Content-Encoding: gzip"
    async with RawHttp(lambda _, reply: reply.send("200 OK", body, *headers)) as server:
        http = StreamableHttp(server.url(), limits=Limits(message=1 << 20))
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: listener.faults)
        await http.close()
    fault = listener.faults[0][1]
    assert (fault.kind, fault.facts["limit"]) == (FaultKind.TOO_LARGE, 1 << 20)


async def test_an_oversized_event_is_cut_and_said(listener: Listener) -> None:
    """SEC-08: a long event is delivered up to the limit with what was skipped; the next one is whole."""

    async def play(_: Request, reply: Reply) -> None:
        await reply.stream()
        for _ in range(64):
            await reply.chunk(b"data: " * (not _) + b"a" * 65536)
        await reply.chunk(b"\n\ndata: {}\n\n")
        await reply.end()

    async with RawHttp(play) as server:
        http = StreamableHttp(server.url(), limits=Limits(message=1 << 20))
        await http.open(listener)
        await http.send(request(1))
        await listener.until(lambda: len(listener.messages) == 2)
        await http.close()
    assert (len(listener.messages[0].raw), listener.messages[0].skipped) == (1 << 20, 3 << 20)
    assert listener.raws()[1] == b"{}"


async def test_a_large_body_goes_both_ways(listener: Listener) -> None:
    """Twenty megabytes out and back, whole."""
    async with RawHttp(lambda sent, reply: reply.send("200 OK", sent.body, "Content-Type: application/json")) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        raw = b'{"x":"' + b"y" * (20 << 20) + b'"}'
        await http.send(Outgoing(raw, 1))
        await listener.until(lambda: listener.messages)
        await http.close()
    assert listener.raws() == [raw]


async def test_cookies_are_kept_and_seen(listener: Listener) -> None:
    """A load balancer's cookie goes back with the next request, and is in the note."""
    async with RawHttp(Legacy(session="Set-Cookie: lb=node7; Path=/")) as server:
        http = StreamableHttp(server.url())
        await begin(http, listener)
        await http.send(INITIALIZED)
        await http.close()
    assert [sent.get("cookie") for sent in server.requests] == [None, "lb=node7"]
    assert ["Cookie", "lb=node7"] in listener.noted_as(NoteKind.HTTP_REQUEST)[1].facts["headers"]


async def test_credentials_of_the_url_become_a_header(listener: Listener) -> None:
    """And are in no URL that is noted."""
    async with RawHttp(Legacy()) as server:
        http = StreamableHttp(server.url().replace("://", "://me:secret@"))
        await begin(http, listener)
        await http.close()
    assert server.requests[0].get("authorization") == "Basic bWU6c2VjcmV0"
    assert all("secret" not in note.facts["url"] for note in listener.notes)


async def fault_of(url: str, listener: Listener, **limits: Any) -> Fault:
    http = StreamableHttp(url, limits=Limits(**limits))
    await http.open(listener)
    await http.send(request(1))
    await listener.until(lambda: listener.faults)
    await http.close()
    return listener.faults[0][1]


async def test_network_failures_are_named(listener: Listener) -> None:
    """Refused, unknown name, closed without a word, no HTTP at all."""
    async with RawHttp(Legacy()) as server:
        closed = server.url()
    refused = await fault_of(closed, listener)
    assert refused.kind is FaultKind.REFUSED
    assert f"127.0.0.1:{server.port}" in refused.sentence
    assert refused.facts["url"] == closed
    listener.faults.clear()
    assert (await fault_of("http://no-such-host.invalid/mcp", listener)).kind is FaultKind.DNS
    listener.faults.clear()

    async def hang_up(_: Request, reply: Reply) -> None:
        reply.writer.close()

    async with RawHttp(hang_up) as server:
        assert (await fault_of(server.url(), listener)).kind is FaultKind.CLOSED
    listener.faults.clear()
    async with RawHttp(lambda _, reply: reply.raw(b"SSH-2.0-OpenSSH_9.6\r\n")) as server:
        fault = await fault_of(server.url(), listener)
    assert fault.kind is FaultKind.BAD_CONTENT
    assert "HTTP" in fault.sentence


async def test_tls_failures_are_named(listener: Listener, tmp_path: Path) -> None:
    """A certificate that nobody trusts, and plain HTTP where TLS was expected."""
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    try:
        subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    async with RawHttp(Legacy(), tls=context) as server:
        fault = await fault_of(server.url(), listener)
    assert fault.kind is FaultKind.TLS
    assert "certificate" in fault.hint
    listener.faults.clear()
    async with RawHttp(Legacy()) as server:
        fault = await fault_of(server.url().replace("http://", "https://"), listener)
    assert fault.kind is FaultKind.TLS
    assert "plain HTTP" in fault.hint


async def test_a_server_that_never_answers_is_abandoned_in_peace(listener: Listener) -> None:
    """LIFE-12: the request waits without a limit of ours; abandoning it or closing works."""
    async with RawHttp(lambda _, reply: reply.gone.wait()) as server:
        http = StreamableHttp(server.url(), limits=Limits(accept=0.2))
        await http.open(listener)
        await http.send(request(1))
        with pytest.raises(Fault) as raised:
            await http.send(INITIALIZED)
        assert raised.value.kind is FaultKind.TIMEOUT
        http.abandon(1)
        await http.close()
    assert not listener.faults


async def test_an_unusable_url_is_said_at_open(listener: Listener) -> None:
    """Nothing is sent, nothing left open."""
    http = StreamableHttp("ftp://example/")
    with pytest.raises(Fault) as raised:
        await http.open(listener)
    assert raised.value.kind is FaultKind.USAGE
    await http.close()
    assert not listener.order
