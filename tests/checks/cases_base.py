"""For each rule about messages, lifecycle, transports and results: what it finds, and what it lets pass."""

from __future__ import annotations

import json
from typing import Any

from tests.checks.script import EVERYTHING, HEADERS, PREFIX, STREAM, SUB, V24, J, M, N, Talk, X, text, tool

INIT = {"protocolVersion": N, "capabilities": EVERYTHING, "serverInfo": {"name": "s", "version": "1"}}
HTML = (("Content-Type", "text/html; charset=utf-8"),)
FRESH: dict[str, Any] = {"greet": False}
HTTP: dict[str, Any] = {"over": "http"}


def _session(value: str, *, more: tuple[tuple[str, str], ...] = ()) -> Any:
    return lambda t: t.hello().http(headers=(*HEADERS, ("Mcp-Session-Id", value), *more)).ok(INIT)


def _pages(*cursors: str | None) -> Any:
    def play(t: Talk) -> Talk:
        before: str | None = None
        for cursor in cursors:
            t.ask("tools/list", {"cursor": before} if before else {})
            t.ok({"tools": [tool(f"t{len(t.entries)}")], **({"nextCursor": cursor} if cursor else {})})
            before = cursor
        return t

    return play


def _notified(method: str = "notifications/tools/list_changed") -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method}).encode()


# rule, version, what it finds, what it lets pass, how the talk begins
CASES: list[tuple[str, str, Any, Any, dict[str, Any]]] = [
    ("not-json", N, lambda t: t.raw(b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"x"}'), lambda t: t.tell("x"), {}),
    ("jsonrpc-2.0", N, lambda t: t.raw({"method": "notifications/x"}), lambda t: t.tell("notifications/x"), {}),
    (
        "no-kind",
        N,
        lambda t: t.raw({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}),
        lambda t: t.ask("ping").ok({}),
        {},
    ),
    ("bad-id", N, lambda t: t.wants("ping", ident=1.5), lambda t: t.wants("ping", ident="a"), {}),
    ("other-id", N, lambda t: t.ask("ping").ok({}, str(t.last)), lambda t: t.ask("ping", ident="7").ok({}), {}),
    ("unknown-answer", N, lambda t: t.ok({}, 77), lambda t: t.ask("ping").ok({}), {}),
    ("id-reused", N, lambda t: t.wants("ping").wants("ping"), lambda t: t.wants("ping").wants("ping", ident=2), {}),
    (
        "own-id-reused",
        N,
        lambda t: t.ask("ping", ident=5).ask("ping", ident=5),
        lambda t: t.ask("ping").ask("ping"),
        {},
    ),
    ("result-no-object", N, lambda t: t.ask("ping").result([]), lambda t: t.ask("ping").ok({}), {}),
    ("error-shape", N, lambda t: t.ask("ping").err("1"), lambda t: t.ask("ping").err(1), {}),
    (
        "error-long",
        N,
        lambda t: t.ask("ping").err(1, "No.\nWhy: x"),
        lambda t: t.ask("ping").err(1, "No such thing."),
        {},
    ),
    (
        "error-without-id",
        J,
        lambda t: t.ask("ping").raw({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}}),
        lambda t: t.ask("ping").err(1),
        {},
    ),
    ("notification-with-id", N, lambda t: t.wants("notifications/x"), lambda t: t.tell("notifications/x"), {}),
    ("batch", J, lambda t: t.raw(b"[" + _notified() + b"]"), lambda t: t.raw(_notified()), {}),
    ("batch-undefined", V24, lambda t: t.raw(b"[" + _notified() + b"]"), lambda t: t.raw(_notified()), {}),
    (
        "batch-initialize",
        M,
        lambda t: t.send(b'[{"jsonrpc":"2.0","id":1,"method":"initialize"}]'),
        lambda t: t.send(b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]'),
        FRESH,
    ),
    ("code-reserved", X, lambda t: t.ask("tools/list").err(-32010), lambda t: t.ask("tools/list").err(-32602), {}),
    ("code-draft", X, lambda t: t.ask("tools/list").err(-32004), lambda t: t.ask("tools/list").err(-32603), {}),
    ("code-undefined", X, lambda t: t.ask("tools/list").err(-32050), lambda t: t.ask("tools/list").err(-32021), {}),
    (
        "code-removed",
        X,
        lambda t: t.ask("resources/read").err(-32002),
        lambda t: t.ask("resources/read").err(-32602),
        {},
    ),
    (
        "meta-key",
        N,
        lambda t: t.ask("ping").ok({"_meta": {"-a/b": 1}}),
        lambda t: t.ask("ping").ok({"_meta": {"com.example/b.c": 1, "plain": 2}}),
        {},
    ),
    (
        "meta-reserved",
        N,
        lambda t: t.ask("ping").ok({"_meta": {"dev.mcp/own": 1}}),
        lambda t: t.ask("ping").ok({"_meta": {"com.example.mcp/own": 1}}),
        {},
    ),
    (
        "trace-context",
        X,
        lambda t: t.ask("tools/list").ok({"tools": [], "_meta": {"traceparent": "00-0-0-01"}}),
        lambda t: t.ask("tools/list").ok(
            {
                "tools": [],
                "_meta": {"traceparent": f"00-{'a' * 32}-{'b' * 16}-01", "tracestate": "a=1,b=2", "baggage": "k = v;p"},
            }
        ),
        {},
    ),
    (
        "not-judged",
        N,
        lambda t: t.raw(b'{"jsonrpc":"2.0","method":"x","params":' + b"[" * 200_000 + b"]" * 200_000 + b"}"),
        lambda t: t.tell("x"),
        {},
    ),
    (
        "discover-missing",
        X,
        lambda t: t.ask("server/discover").err(-32601),
        lambda t: t.ask("server/discover").err(-1),
        {},
    ),
    (
        "discover-result",
        X,
        lambda t: t.ask("server/discover").ok({"supportedVersions": [X, 7], "capabilities": {}}),
        lambda t: t.ask("server/discover").ok({"supportedVersions": [X], "capabilities": {}}),
        {},
    ),
    (
        "server-info",
        X,
        lambda t: t.ask("server/discover").ok({"supportedVersions": [X], "capabilities": {}, "serverInfo": {}}),
        lambda t: t.greet(),
        {},
    ),
    (
        "version-error",
        X,
        lambda t: t.ask("tools/list").err(-32022, data={"supported": [X], "requested": X}),
        lambda t: t.ask("tools/list").err(-32022, data={"supported": ["2027-01-01"], "requested": X}),
        {},
    ),
    (
        "initialize-result",
        N,
        lambda t: t.hello().ok({**INIT, "serverInfo": {"name": "s"}}),
        lambda t: t.hello().ok(INIT),
        FRESH,
    ),
    (
        "version-unknown",
        N,
        lambda t: t.hello().ok({**INIT, "protocolVersion": "2025-01-01"}),
        lambda t: t.hello().ok(INIT),
        FRESH,
    ),
    (
        "too-early",
        N,
        lambda t: t.hello().wants("roots/list").ok(INIT),
        lambda t: t.hello().wants("ping").ok(INIT),
        FRESH,
    ),
    ("method-unknown-here", M, lambda t: t.wants("elicitation/create"), lambda t: t.wants("roots/list"), {}),
    ("removed-answered", X, lambda t: t.ask("ping").ok({}), lambda t: t.ask("ping").err(-32601), {}),
    ("own-method", X, lambda t: t.ask("logging/setLevel"), lambda t: t.ask("tools/list"), {}),
    ("server-request", X, lambda t: t.wants("roots/list"), lambda t: t.ask("tools/list").ok({"tools": []}), {}),
    (
        "capability-undeclared",
        N,
        lambda t: t.ask("prompts/list").ok({"prompts": []}),
        lambda t: t.ask("tools/list").ok({"tools": []}),
        {"caps": {"tools": {}}},
    ),
    ("capability-empty", N, lambda t: t.ask("tools/list").err(-32601), lambda t: t.ask("tools/list").err(-32603), {}),
    (
        "client-capability",
        N,
        lambda t: t.wants("elicitation/create", {"mode": "url"}),
        lambda t: t.wants("elicitation/create", {"message": "x"}),
        {"client": {"elicitation": {}}},
    ),
    (
        "client-capability-embedded",
        X,
        lambda t: t.call({"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}}}),
        lambda t: t.call({"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create"}}}),
        {"client": {"elicitation": {}}},
    ),
    (
        "capability-error",
        X,
        lambda t: t.ask("tools/call").err(-32021, data={"requiredCapabilities": {"sampling": {}}}),
        lambda t: t.ask("tools/call").err(-32021, data={"requiredCapabilities": {"extensions": {"a/b": {}}}}),
        {},
    ),
    (
        "extension-prefix",
        X,
        lambda t: t.greet(),
        lambda t: Talk(X, caps={"extensions": {"com.example/x": {}}}),
        {"caps": {"extensions": {"bare": {}}}},
    ),
    (
        "identity-changed",
        X,
        lambda t: t.ask("tools/list").ok({"tools": [], "_meta": {f"{PREFIX}serverInfo": {"name": "other"}}}),
        lambda t: t.greet(),
        {},
    ),
    ("stray-stdout", N, lambda t: t.raw(b"Listening on stdio"), lambda t: t.raw(b'  "id": 1,'), {}),
    ("message-lines", N, lambda t: t.raw(b'  "jsonrpc": "2.0",'), lambda t: t.raw(b"ready"), {}),
    ("slow-exit", N, lambda t: t.shutdown("SIGTERM"), lambda t: t.shutdown("stdin closed"), {}),
    ("killed-by-probe", N, lambda t: _killed(t).hello().ok(INIT), lambda t: _killed(t), FRESH),
    (
        "after-cancel",
        X,
        lambda t: t.ask("tools/call").cancel().wait(2000).ok(text()),
        lambda t: t.ask("tools/call").cancel().ok(text()),
        {},
    ),
    ("content-type", N, lambda t: t.ask("ping").http(headers=HTML), lambda t: t.ask("ping").http().ok({}), HTTP),
    (
        "body-no-answer",
        N,
        lambda t: t.ask("ping").http().tell("notifications/x", answers=t.last),
        lambda t: t.ask("ping").http(headers=STREAM).tell("notifications/x", answers=t.last),
        HTTP,
    ),
    ("accepted-request", N, lambda t: t.ask("ping").http(202), lambda t: t.ask("ping").http().ok({}), HTTP),
    (
        "notification-answered",
        N,
        lambda t: t.http(200, key=None, body=b"{}"),
        lambda t: t.http(202, key=None),
        HTTP,
    ),
    (
        "stream-buffered",
        X,
        lambda t: t.ask("ping").http(headers=STREAM[:1]),
        lambda t: t.ask("ping").http(headers=STREAM),
        HTTP,
    ),
    (
        "stream-cached",
        X,
        lambda t: t.ask("ping").http(headers=STREAM[:1]),
        lambda t: t.ask("ping").http(headers=STREAM),
        HTTP,
    ),
    (
        "stream-without-answer",
        N,
        lambda t: t.ask("ping").http(headers=STREAM).cancel("lost"),
        lambda t: t.ask("ping").http(202).cancel("lost"),
        HTTP,
    ),
    (
        "after-answer",
        N,
        lambda t: t.ask("ping").ok({}).tell("notifications/x", answers=t.last),
        lambda t: t.ask("ping").tell("notifications/x", answers=t.last).ok({}),
        HTTP,
    ),
    (
        "unrelated",
        X,
        lambda t: t.ask("tools/call", progressToken="a").tell(
            "notifications/progress", {"progressToken": "b"}, answers=t.last
        ),
        lambda t: t.ask("tools/call", progressToken="a").tell(
            "notifications/progress", {"progressToken": "a"}, answers=t.last
        ),
        HTTP,
    ),
    (
        "unrelated-legacy",
        N,
        lambda t: t.ask("tools/call", progressToken=1).tell(
            "notifications/progress", {"progressToken": 2}, answers=t.last
        ),
        lambda t: t.ask("tools/call", progressToken=1).tell("notifications/message", {"data": 1}, answers=t.last),
        HTTP,
    ),
    (
        "event-name",
        N,
        lambda t: t.stream(event="ignored event", name="ping"),
        lambda t: t.stream(event="keep-alive"),
        HTTP,
    ),
    ("oversized", N, lambda t: _skipped(t), lambda t: t.raw({"jsonrpc": "2.0"}), HTTP),
    ("redirect", N, lambda t: t.http(308, (("Location", "/x"),)), lambda t: t.http(200), HTTP),
    ("html-answer", N, lambda t: t.http(502, HTML), lambda t: t.http(502), HTTP),
    ("session-id", N, _session("a b"), _session("a" * 32), {**HTTP, **FRESH}),
    ("session-id-weak", N, _session("1234"), _session("f3a9c0d1e2b38475"), {**HTTP, **FRESH}),
    (
        "session-late",
        N,
        lambda t: t.ask("ping").http(headers=(("Mcp-Session-Id", "x" * 20),)),
        lambda t: t.ask("ping").http(),
        HTTP,
    ),
    (
        "session-changed",
        N,
        lambda t: _session("a" * 20)(t).ask("ping").http(headers=(("Mcp-Session-Id", "b" * 20),)),
        lambda t: _session("a" * 20)(t).ask("ping").http(headers=(("Mcp-Session-Id", "a" * 20),)),
        {**HTTP, **FRESH},
    ),
    (
        "session-end",
        N,
        lambda t: t.http(405, key=None, method="DELETE", stream="delete"),
        lambda t: t.http(204, key=None, method="DELETE", stream="delete"),
        HTTP,
    ),
    (
        "get-answer",
        N,
        lambda t: t.http(200, key=None, method="GET", stream="get"),
        lambda t: t.http(405, key=None, method="GET", stream="get"),
        HTTP,
    ),
    (
        "answer-on-get",
        N,
        lambda t: t.ask("ping").ok({}, stream="get"),
        lambda t: t.ask("ping").ok({}, stream="get", answers=t.last),
        HTTP,
    ),
    (
        "event-id-twice",
        N,
        lambda t: t.tell("notifications/x", event_id="1").tell("notifications/x", event_id="1"),
        lambda t: t.tell("notifications/x", event_id="1").tell("notifications/x", event_id="2"),
        HTTP,
    ),
    (
        "foreign-replay",
        N,
        lambda t: t.ask("ping", ident=8).ask("ping", ident=9).ok({}, 8, stream="get", answers=9),
        lambda t: t.ask("ping", ident=9).ok({}, 9, stream="get", answers=9),
        HTTP,
    ),
    (
        "no-priming",
        N,
        lambda t: t.ask("ping").ok({}, event_id="1"),
        lambda t: t.ask("ping").stream(event="event without data", event_id="0", key=t.last).ok({}, event_id="1"),
        HTTP,
    ),
    (
        "no-retry",
        N,
        lambda t: t.ask("ping").stream(event="reconnecting in 1 s", key=t.last),
        lambda t: (
            t.ask("ping")
            .stream(event="event without data", retry_ms=500, key=t.last)
            .stream(event="reconnecting in 1 s", key=t.last)
        ),
        HTTP,
    ),
    (
        "own-version-header",
        N,
        lambda t: t.http_request(),
        lambda t: t.http_request((("MCP-Protocol-Version", N),)),
        HTTP,
    ),
    ("initialized-refused", N, lambda t: t.http(400, key=None), lambda t: t.http(202, key=None), HTTP),
    (
        "endpoint",
        V24,
        lambda t: t.event("failed", fault="bad endpoint"),
        lambda t: t.event("failed", fault="refused"),
        FRESH,
    ),
    (
        "answer-in-body",
        V24,
        lambda t: t.stream(stream="sse").http(200, body=b'{"jsonrpc":"2.0"}'),
        lambda t: t.stream(stream="sse").http(202, body=b"Accepted"),
        {"over": "sse"},
    ),
    (
        "transport-deprecated",
        V24,
        lambda t: t.event("connected", transport="sse"),
        lambda t: t.event("connected", transport="stdio"),
        {},
    ),
    ("session-in-modern", X, lambda t: t.http(headers=(("Mcp-Session-Id", "x"),)), lambda t: t.http(), HTTP),
    (
        "event-id-in-modern",
        X,
        lambda t: t.tell("notifications/x", event_id="1"),
        lambda t: t.tell("notifications/x"),
        HTTP,
    ),
    (
        "header-refused",
        X,
        lambda t: t.tools(tool()).ask("tools/call", {"name": "t"}).http(400).err(-32020),
        lambda t: t.ask("tools/call", {"name": "t"}).http(400).err(-32602),
        HTTP,
    ),
    (
        "status-of-code",
        X,
        lambda t: t.ask("ping").http(200).err(-32022),
        lambda t: t.ask("ping").http(400).err(-32022),
        HTTP,
    ),
    (
        "header-annotation",
        X,
        lambda t: t.tools(tool(inputSchema=_mirrored("number"))),
        lambda t: t.tools(tool(inputSchema=_mirrored("string"))),
        {},
    ),
    (
        "header-sensitive",
        X,
        lambda t: t.tools(tool(inputSchema=_mirrored("string", "password"))),
        lambda t: t.tools(tool(inputSchema=_mirrored("string", "region"))),
        {},
    ),
    (
        "cancel-by-server",
        X,
        lambda t: t.ask("tools/call").tell("notifications/cancelled", {"requestId": t.last}),
        lambda t: t.listen().tell("notifications/cancelled", {"requestId": "l"}),
        {},
    ),
    ("own-batch", X, lambda t: t.send(b'[{"jsonrpc":"2.0","id":1,"method":"x"}]'), lambda t: t.ask("tools/list"), {}),
    ("own-answer", X, lambda t: t.reply(1, {}), lambda t: t.ask("tools/list"), {}),
    (
        "own-cancel",
        X,
        lambda t: t.say("notifications/cancelled", {"requestId": 1}),
        lambda t: t.ask("tools/call").cancel(),
        HTTP,
    ),
    ("own-session", X, lambda t: t.http_request((("Mcp-Session-Id", "x"),)), lambda t: t.http_request(HEADERS), HTTP),
    ("result-type", X, lambda t: t.ask("tools/call").result(text()), lambda t: t.ask("tools/call").ok(text()), {}),
    (
        "asks-elsewhere",
        X,
        lambda t: t.ask("tools/list").ok({"resultType": "input_required", "requestState": "x"}),
        lambda t: t.call({"resultType": "input_required", "requestState": "x"}),
        {},
    ),
    ("cache-hints", X, lambda t: t.tools(ttlMs=-1), lambda t: t.tools(ttlMs=0), {}),
    (
        "cache-hints-asking",
        X,
        lambda t: t.call({"resultType": "input_required", "requestState": "x", "ttlMs": 1}),
        lambda t: t.call({"resultType": "input_required", "requestState": "x"}),
        {},
    ),
    (
        "cache-scope-pages",
        X,
        lambda t: t.tools(nextCursor="2").ask("tools/list", {"cursor": "2"}).ok({"tools": [], "cacheScope": "public"}),
        lambda t: t.tools(nextCursor="2").ask("tools/list", {"cursor": "2"}).ok({"tools": []}),
        {},
    ),
    (
        "stale-early",
        X,
        lambda t: t.tools(ttlMs=60000).tools(tool(), ttlMs=60000),
        lambda t: t.tools(ttlMs=60000).tell("notifications/tools/list_changed", {"_meta": {SUB: 1}}).tools(tool()),
        {},
    ),
    ("ttl-huge", X, lambda t: t.tools(ttlMs=10**9), lambda t: t.tools(ttlMs=1000), {}),
    (
        "list-items",
        N,
        lambda t: t.ask("prompts/list").ok({"prompts": [{"title": "x"}]}),
        lambda t: t.ask("prompts/list").ok({"prompts": [{"name": "x"}]}),
        {},
    ),
    ("cursor-type", N, lambda t: t.tools(nextCursor=2), lambda t: t.tools(nextCursor=""), {}),
    ("cursor-again", N, _pages("a", "b", "a"), _pages("a", "b", None), {}),
    ("page-empty", N, lambda t: t.tools(nextCursor="x"), lambda t: t.tools(), {}),
    ("listed-twice", N, lambda t: t.tools(tool(), tool()), lambda t: t.tools(tool()).tools(tool()), {}),
    ("tool-name", N, lambda t: t.tools(tool("a b")), lambda t: t.tools(tool("a.b-c_1")), {}),
    (
        "order-changed",
        N,
        lambda t: t.tools(tool("a"), tool("b")).tools(tool("b"), tool("a")),
        lambda t: t.tools(tool("a"), tool("b")).tools(tool("a"), tool("c")),
        {},
    ),
    ("bad-uri", N, lambda t: _resource(t, uri="no uri"), lambda t: _resource(t, uri="file:///a%20b"), {}),
    ("bad-template", N, lambda t: _template(t, "a://{x"), lambda t: _template(t, "a://{+x}{?y*}"), {}),
    (
        "bad-annotations",
        N,
        lambda t: _resource(t, annotations={"priority": 2}),
        lambda t: _resource(
            t, size=3, annotations={"priority": 0.5, "audience": ["user"], "lastModified": "2025-01-12T15:00:58Z"}
        ),
        {},
    ),
    (
        "icons",
        N,
        lambda t: t.tools(tool(icons=[{"src": "javascript:x"}])),
        lambda t: t.tools(tool(icons=[{"src": "https://h/i.png"}, {"src": "data:image/png;base64,iVBORw0KGgo="}])),
        {},
    ),
    (
        "icon-sizes",
        N,
        lambda t: t.tools(tool(icons=[{"src": "https://h", "sizes": "48x48"}])),
        lambda t: t.tools(tool(icons=[{"src": "https://h", "sizes": ["48x48", "any"]}])),
        {},
    ),
    ("newer-members", M, lambda t: t.tools(tool(title="T")), lambda t: t.tools(tool(annotations={})), {}),
]


def _skipped(t: Talk) -> Talk:
    from mcp_inspector.session.recorder import Recorder
    from mcp_inspector.transport.base import Received
    from mcp_inspector.wire.frame import Frame, Kind

    frame = Frame(b'{"jsonrpc"', Kind.INVALID, faults=("is larger than it may be",), is_object=True)
    Recorder(t, "server", 1).received(Received(b'{"jsonrpc"', t.now, t.now, "post", skipped=7), frame)
    return t


def _killed(t: Talk) -> Talk:
    """The first process ends on the probe, and another is started."""
    t.version = X
    t.ask("server/discover").exited()
    t.version = N
    return t.started()


def _mirrored(kind: str, name: str = "zone") -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": kind, "x-mcp-header": "Zone"}}}


def _resource(t: Talk, **more: Any) -> Talk:
    return t.ask("resources/list").ok({"resources": [{"uri": "a:b", "name": "n", **more}]})


def _template(t: Talk, template: str) -> Talk:
    return t.ask("resources/templates/list").ok({"resourceTemplates": [{"uriTemplate": template, "name": "n"}]})
