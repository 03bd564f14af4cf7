"""The rude HTTP server says what its script says, over both transports."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.peers.fixtures import RudeHttp


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(timeout=10, trust_env=False) as client:
        yield client


def request(method: str, ident: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}


def events(reply: httpx.Response) -> list[Any]:
    return [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: ")]


def test_a_script_without_rules_is_a_decent_server(rude_http: Callable[..., RudeHttp], http: httpx.Client) -> None:
    server = rude_http()
    hello = http.post(server.url, json=request("initialize", protocolVersion="2025-06-18"))
    assert hello.headers["mcp-session-id"] == "rude-session"
    assert hello.json()["result"]["protocolVersion"] == "2025-06-18"
    assert http.post(server.url, json={"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202
    listed = http.post(server.url, json=request("tools/list", 2), headers={"Mcp-Session-Id": "rude-session"})
    assert listed.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in listed.headers
    assert http.delete(server.url).status_code == 200
    assert [each.get("method") for each in server.heard()][1] == "notifications/initialized"
    heads = server.requests("POST")
    assert heads[2]["headers"]["mcp-session-id"] == "rude-session"


def test_messages_before_the_response_make_a_stream(rude_http: Callable[..., RudeHttp], http: httpx.Client) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/message"}
    server = rude_http(on={"a": [{"out": note}, {"result": {}}], "b": [{"stream": True}, {"result": {"n": 1}}]})
    first = http.post(server.url, json=request("a"))
    assert first.headers["content-type"] == "text/event-stream"
    assert events(first) == [note, {"jsonrpc": "2.0", "id": 1, "result": {}}]
    assert events(http.post(server.url, json=request("b")))[0]["result"] == {"n": 1}


def test_statuses_bodies_and_cut_connections(rude_http: Callable[..., RudeHttp], http: httpx.Client) -> None:
    server = rude_http(
        get=False,
        on={"x": [{"http": 404, "body": "<html>", "headers": {"Content-Type": "text/html"}}], "y": [{"drop": True}]},
    )
    lost = http.post(server.url, json=request("x"))
    assert (lost.status_code, lost.text, lost.headers["content-type"]) == (404, "<html>", "text/html")
    with pytest.raises(httpx.RemoteProtocolError):
        http.post(server.url, json=request("y"))
    assert http.get(server.url).status_code == 405


def test_the_get_stream_carries_what_a_post_asks_for(rude_http: Callable[..., RudeHttp], http: httpx.Client) -> None:
    note = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    server = rude_http(on={"tell": [{"get": note}, {"result": {}}]})
    with http.stream("GET", server.url) as stream:
        http.post(server.url, json=request("tell"))
        line = next(line for line in stream.iter_lines() if line.startswith("data: "))
    assert json.loads(line[6:]) == note


def test_http_sse_answers_on_its_stream(rude_http: Callable[..., RudeHttp], http: httpx.Client) -> None:
    server = rude_http("sse")
    with http.stream("GET", server.url) as stream:
        lines = stream.iter_lines()
        assert [next(lines), next(lines)] == ["event: endpoint", "data: /message"]
        accepted = http.post(server.url.replace("/sse", "/message"), json=request("ping", 7))
        assert (accepted.status_code, accepted.text) == (202, "Accepted")
        line = next(line for line in lines if line.startswith("data: "))
    assert json.loads(line[6:]) == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_silence_lasts_until_the_client_leaves(rude_http: Callable[..., RudeHttp]) -> None:
    server = rude_http(on={"ping": []})
    with httpx.Client(timeout=0.3, trust_env=False) as http, pytest.raises(httpx.ReadTimeout):
        http.post(server.url, json=request("ping"))


def test_requests_are_served_beside_each_other(rude_http: Callable[..., RudeHttp], http: httpx.Client) -> None:
    server = rude_http(on={"tools/call": [{"collect": 8, "do": [{"answer": True}]}]})
    found = []

    def call(n: int) -> None:
        found.append(http.post(server.url, json=request("tools/call", n)).json()["id"])

    threads = [threading.Thread(target=call, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert sorted(found) == list(range(8))
