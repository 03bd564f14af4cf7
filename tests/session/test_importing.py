"""Traffic read back from files: our own formats, and HAR of browsers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.session.collector import send_spans, traces_url
from mcp_inspector.session.har_import import import_har
from mcp_inspector.session.importing import opened, take_in
from mcp_inspector.session.observer import Observer
from mcp_inspector.store.exchanges import Exchanges, RowKind
from mcp_inspector.store.export import ExportFormatError
from mcp_inspector.store.formats import pieces
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.session_file import SessionFileError
from mcp_inspector.store.telling import Teller
from mcp_inspector.transport.base import Fault
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from pathlib import Path

SENT, RECEIVED = Direction.SENT, Direction.RECEIVED


def said(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def conversation(log: Log) -> Observer:
    """A call with progress, a question of the server, a cancelled call, over one connection."""
    seen = Observer(log, "everything")
    params = {"name": "slow", "_meta": {"progressToken": "p"}}
    steps = [
        (SENT, said(id=1, method="tools/call", params=params)),
        (RECEIVED, said(method="notifications/progress", params={"progressToken": "p", "progress": 1})),
        (RECEIVED, said(id=1, method="roots/list")),
        (SENT, said(id=1, result={"roots": []})),
        (RECEIVED, said(id=1, result={"content": [], "isError": True})),
        (SENT, said(id=2, method="tools/call", params={"name": "slow"})),
        (SENT, said(method="notifications/cancelled", params={"requestId": 2})),
        (RECEIVED, said(id=3, error={"code": -32603, "message": "no"})),
    ]
    for place, (direction, data) in enumerate(steps):
        seen.message(direction, data, (1_764_511_325_000_000_000 + place * 1_000_000, place * 1_000_000))
    return seen


def rows(log: Log) -> list[tuple[Any, ...]]:
    exchanges = Exchanges(log)
    exchanges.update()
    found = (exchanges[row] for row in range(len(exchanges)))
    return [
        (row.kind.name, row.direction.name, row.state.word, row.method, row.target, row.size, row.elapsed_ns)
        for row in found
        if row.channel is Channel.MESSAGE
    ]


def test_an_observed_conversation_has_the_rows_of_an_own_one() -> None:
    log = Log()
    conversation(log)
    assert [(row[0], row[1], row[2], row[4]) for row in rows(log)] == [
        ("REQUEST", "SENT", "tool error", "slow"),
        ("REQUEST", "RECEIVED", "ok", ""),
        ("REQUEST", "SENT", "cancelled", "slow"),
        ("RESPONSE", "RECEIVED", "late", ""),
    ]
    exchanges = Exchanges(log)
    exchanges.update()
    assert exchanges.progress[0] == 1


def test_a_stray_line_and_stderr_are_no_messages() -> None:
    log = Log()
    seen = Observer(log, "x")
    seen.message(RECEIVED, b"hello", (1, 1))
    seen.line(b"oops", (2, 2))
    seen.event("exited", (3, 3), exit_code=1)
    assert [each.entry.channel for each in log.slice(1, 9)] == [Channel.STDOUT, Channel.STDERR, Channel.LIFECYCLE]
    assert log.record(3).entry.status == 1


@pytest.mark.parametrize("word", ["jsonl", "har"])
def test_what_was_exported_is_read_back_the_same_without_any_server(word: str, tmp_path: Path) -> None:
    log = Log()
    conversation(log)
    path = tmp_path / "traffic"
    path.write_bytes(b"".join(piece.data for piece in pieces(word, log)))
    assert rows(opened(path)) == rows(log)


def test_a_session_file_opens_as_it_lies_there(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    conversation(log)
    log.close()
    assert log.path is not None
    again = opened(log.path)
    assert rows(again) == rows(log)
    again.close()


def web(request: Any, response: Any, mime: str = "application/json") -> dict[str, Any]:
    """An entry as browsers write it."""
    return {
        "startedDateTime": "2026-11-30T14:02:05.123Z",
        "time": 12.5,
        "request": {
            "method": "POST",
            "url": "https://example.com/mcp",
            "headers": [{"name": "Mcp-Session-Id", "value": "s"}],
            "postData": {"mimeType": "application/json", "text": request},
        },
        "response": {"status": 200, "statusText": "OK", "headers": [], "content": {"mimeType": mime, "text": response}},
    }


def har(*entries: Any) -> bytes:
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


def test_a_har_of_a_browser_gives_its_messages_also_from_event_streams() -> None:
    call = said(id=1, method="tools/list").decode()
    told, answer = said(method="notifications/message").decode(), said(id=1, result={}).decode()
    stream = f": ping\n\nid: 5\ndata: {told}\n\ndata: {answer}\n\n"
    log = Log()
    found = import_har(
        har(web(call, stream, "text/event-stream"), web("a=1", "<html>"), {"request": 5}, web("", '{"jsonrpc": 1')), log
    )
    assert (found.taken, found.passed_over) == (1, 3)
    assert found.records == len(log) == 5
    assert [(row[0], row[2], row[6]) for row in rows(log)] == [
        ("REQUEST", "ok", 12_500_000),
        ("NOTIFICATION", "info", None),
    ]
    exchanges = Exchanges(log)
    exchanges.update()
    assert [exchanges[row].kind for row in range(len(exchanges))].count(RowKind.HTTP) == 2
    assert log.record(1).entry.server == "example.com"
    assert Teller(log).one(0).web is None  # its length is not known, so nothing is guessed


@pytest.mark.parametrize("data", [b"{}", b'{"log":5}', b"[", b'{"log":{"entries":' + b"[" * 5_000])
def test_what_is_no_har_is_refused(data: bytes) -> None:
    with pytest.raises(ExportFormatError, match="no HAR file"):
        import_har(data, Log())


def test_what_is_nothing_of_all_that_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for data, words in ((b"hello", "no session, no export"), (har(web("a", "b")), "no MCP traffic")):
        path.write_bytes(data)
        with pytest.raises(ExportFormatError, match=words):
            take_in(path, Log())
    with pytest.raises(SessionFileError, match="cannot be read"):
        take_in(tmp_path / "absent", Log())


@pytest.mark.anyio
async def test_spans_reach_a_collector_in_batches_and_its_refusal_is_a_sentence() -> None:
    log = Log()
    conversation(log)

    async def play(request: Request, reply: Reply) -> None:
        if request.target.startswith("/no"):
            await reply.send("503 Busy", b"come back later")
        else:
            await reply.json({"partialSuccess": {}})

    steps: list[int] = []
    async with RawHttp(play) as server:
        sent = await send_spans(Teller(log), server.url("/"), headers={"x-key": "k"}, step=steps.append)
        assert sent == steps[-1] == 4
        [request] = server.requests
        assert (request.method, request.target, request.get("content-type")) == (
            "POST",
            "/v1/traces",
            "application/json",
        )
        assert request.get("x-key") == "k"
        assert len(json.loads(request.body)["resourceSpans"][0]["scopeSpans"][0]["spans"]) == 4
        with pytest.raises(Fault, match=r"HTTP 503\. come back later"):
            await send_spans(Teller(log), server.url("/no"))


def test_the_place_for_spans_is_below_the_base_unless_it_is_named() -> None:
    assert traces_url("http://h:4318") == traces_url("http://h:4318/v1/traces/") == "http://h:4318/v1/traces"
    assert traces_url(" https://h/base/?a=b ") == "https://h/base/v1/traces?a=b"
