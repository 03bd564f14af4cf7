"""Traffic as a busy minute brings it: what the tests and the gallery show."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from mcp_inspector.store.record import Channel, Direction, Entry

if TYPE_CHECKING:
    from mcp_inspector.store.log import Log

START_NS = 1_796_047_331_402_000_000
SENT, RECEIVED, LOCAL = Direction.SENT, Direction.RECEIVED, Direction.LOCAL
WEATHER = (
    b'{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\\"temperature\\": 36, \\"humidity\\": 82}"}'
    b',{"type":"image","mimeType":"image/png","data":"' + base64.b64encode(bytes(range(256)) * 40) + b'"}],'
    b'"structuredContent":{"temperature":36,"conditions":"Light rain / drizzle","humidity":82.0,'
    b'"station":9007199254740993,"temperature":37},"isError":false}}'
)


class Story:
    """Appends what servers and people did, with a clock of its own."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.now = 0

    def put(
        self,
        server: str,
        channel: Channel,
        direction: Direction,
        data: bytes = b"",
        *,
        after: float = 3.1,
        **more: object,
    ) -> int:
        """One record, `after` ms since the one before."""
        self.now += int(after * 1e6)
        more.setdefault("status", None)
        return self.log.append(
            Entry(server, 1, channel, direction, START_NS + self.now, 5_000_000 + self.now, data, **more)  # type: ignore[arg-type]  # a story's words are an entry's
        )

    def call(
        self, server: str, method: str, target: str, params: dict, answer: dict | None, ms: float = 12.4, **more: object
    ) -> int:
        """A request of ours and its answer."""
        ident = len(self.log) + 1
        body = json.dumps({"jsonrpc": "2.0", "id": ident, "method": method, "params": params}).encode()
        seq = self.put(server, Channel.MESSAGE, SENT, body, kind="request", method=method, target=target, id=str(ident))
        if answer is not None:
            kind = "error" if "error" in answer else "response"
            data = json.dumps({"jsonrpc": "2.0", "id": ident, **answer}).encode()
            if more.pop("weather", False):
                data = WEATHER
            status = answer.get("error", {}).get("code")
            self.put(
                server,
                Channel.MESSAGE,
                RECEIVED,
                data,
                after=ms,
                kind=kind,
                method=method,
                target=target,
                id=str(ident),
                call=seq,
                status=status,
                **more,
            )
        return seq

    def line(self, server: str, text: str) -> int:
        """A line of stderr."""
        return self.put(server, Channel.STDERR, RECEIVED, text.encode(), kind="line")

    def event(self, server: str, kind: str, **facts: object) -> int:
        """Something that happened to a server."""
        return self.put(server, Channel.LIFECYCLE, LOCAL, kind=kind, facts=facts, status=facts.get("exit_code"))


def tell(log: Log, rounds: int = 1) -> int:
    """The story of a busy minute; the number of the request worth looking at."""
    story = Story(log)
    best = 0
    argv = ["npx", "-y", "@modelcontextprotocol/server-everything", "--root=/home/ada/projects/weather station"]
    for _ in range(rounds):
        story.event("everything", "started", argv=argv, cwd="/home/ada/projects", pid=41207)
        story.line("everything", "Starting default (STDIO) server...")
        caps = {"capabilities": {"tools": {"listChanged": True}}, "serverInfo": {"name": "everything"}}
        story.call("everything", "initialize", "2025-11-25", {"protocolVersion": "2025-11-25"}, {"result": caps}, 412)
        story.put(
            "everything",
            Channel.MESSAGE,
            SENT,
            b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
            kind="notification",
            method="notifications/initialized",
        )
        story.event("everything", "connected", sentence="Connected in 431 ms as 2025-11-25 over stdio.")
        tools = {"tools": [{"name": f"tool-{n}", "inputSchema": {"type": "object"}} for n in range(19)]}
        story.call("everything", "tools/list", "page 1", {}, {"result": tools}, 2.2)
        for _ in range(2):
            story.call(
                "demo",
                "resources/read",
                "demo://weather/chicago/today",
                {"uri": "demo://x"},
                {"result": {"contents": [{"uri": "demo://x", "text": "x" * 48_000}]}},
                3.0,
            )
            story.call("demo", "prompts/get", "code_review", {"name": "code_review"}, {"result": {"messages": []}}, 4.1)
        best = story.call(
            "everything",
            "tools/call",
            "get-structured-content",
            {"name": "get-structured-content", "arguments": {"location": "Chicago"}},
            {"result": {}},
            12.4,
            weather=True,
            faults=('member "temperature" stands there twice',),
        )
        key = json.dumps(best)
        story.put(
            "github",
            Channel.HTTP,
            SENT,
            kind="request",
            method="POST",
            target="https://api.github.example/mcp",
            facts={
                "method": "POST",
                "url": "https://api.github.example/mcp?access_token=abc",
                "headers": [["Authorization", "Bearer ghp_0123456789abcdefghij"], ["Accept", "application/json"]],
                "key": key,
            },
        )
        story.put(
            "github",
            Channel.HTTP,
            RECEIVED,
            b'{"error":"invalid_token"}',
            after=31,
            kind="response",
            method="POST",
            target="https://api.github.example/mcp",
            status=401,
            facts={
                "status": 401,
                "reason": "Unauthorized",
                "seconds": 0.031,
                "headers": [
                    [
                        "WWW-Authenticate",
                        'Bearer realm="mcp", resource_metadata="https://api.github.example/.well-known"',
                    ],
                    ["Set-Cookie", "sid=abcdef0123456789"],
                    ["Content-Type", "application/json"],
                ],
            },
        )
        story.call(
            "demo",
            "tools/call",
            "fail_sometimes",
            {"name": "fail_sometimes"},
            {"result": {"isError": True, "content": [{"type": "text", "text": "The disk is full."}]}},
            8.2,
            facts={"tool_error": True},
        )
        story.call(
            "demo",
            "tools/call",
            "trigger-long-running-operation-with-a-very-long-name",
            {"name": "x"},
            {"error": {"code": -32602, "message": "Invalid arguments: location is required"}},
            1.9,
        )
        story.call("sqlite", "tools/call", "query", {"sql": "select 1"}, {"result": {}}, 6120)
        story.put(
            "sqlite",
            Channel.STDOUT,
            RECEIVED,
            b"DEBUG connection opened",
            kind="stray",
            faults=("is not JSON: expected value (byte 0)",),
        )
        story.line("sqlite", 'Traceback (most recent call last): File "/opt/sqlite/server.py", line 214, in <module>')
        story.line(
            "sqlite", "ModuleNotFoundError: No module named 'sqlite_vec' \x1b[31m(while loading extensions)\x1b[0m"
        )
        story.event("sqlite", "exited", exit_code=1, pid=41377, seconds=12.402)
        story.event("sqlite", "failed", sentence="The server's process ended with exit code 1.")
        story.put(
            "everything",
            Channel.MESSAGE,
            RECEIVED,
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"ready"}}',
            kind="notification",
            method="notifications/message",
            target="info",
        )
        story.call("github", "tools/list", "", {}, {"result": {"tools": []}}, 1340)
        dead = story.call("github", "tools/call", "search_issues", {"name": "search_issues"}, None)
        story.put(
            "github",
            Channel.LIFECYCLE,
            LOCAL,
            after=30_000,
            kind="timeout",
            call=dead,
            method="tools/call",
            facts={"sentence": "No answer within 30 s."},
        )
        gone = story.call("demo", "tools/call", "slow", {"name": "slow"}, None)
        story.put(
            "demo",
            Channel.LIFECYCLE,
            LOCAL,
            after=900,
            kind="cancelled",
            call=gone,
            method="tools/call",
            facts={"sentence": "Cancelled by you."},
        )
    slow = story.call("demo", "tools/call", "slow", {"name": "slow", "arguments": {"seconds": 20}}, None)
    for step in range(3):
        story.put(
            "demo",
            Channel.MESSAGE,
            RECEIVED,
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/progress",
                    "params": {"progressToken": 1, "progress": step, "total": 20},
                }
            ).encode(),
            kind="notification",
            method="notifications/progress",
            call=slow,
        )
    story.put(
        "everything",
        Channel.MESSAGE,
        RECEIVED,
        b'{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage"}',
        kind="request",
        method="sampling/createMessage",
        id="0",
        target="claude, 100 tokens",
    )
    return best
