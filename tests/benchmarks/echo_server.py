"""A server that costs next to nothing, so that what is measured is the client: no SDK, no framework.

    echo_server.py stdio [--tools N] [--page N]
    echo_server.py http  [--tools N] [--page N]      prints its URL as the first line

It speaks 2025-11-25 (and what a client of another revision asks for) and refuses `server/discover`. Tools: `echo`
returns its `text`, `big` a text of `bytes` bytes, `flood` sends `count` log notifications before it answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOTIFICATION = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"flood","data":"'
"""About 200 bytes with its number and its filling."""
FILLING = b"x" * 80


class _Request(msgspec.Struct):
    method: str = ""
    id: msgspec.Raw = msgspec.Raw()
    params: msgspec.Raw = msgspec.Raw(b"{}")


_request = msgspec.json.Decoder(_Request)
_params = msgspec.json.Decoder(dict[str, Any])


def _tool(number: int) -> dict[str, Any]:
    properties = {
        "path": {"type": "string", "description": "Where to look."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20},
        "deep": {"type": "boolean"},
    }
    return {
        "name": f"tool_{number:05d}",
        "description": f"Tool number {number}, which finds things of the kind {number % 97} and tells about them.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["path"]},
    }


def _text_tool(name: str, argument: str, kind: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {argument: {"type": kind}}, "required": [argument]}
    return {"name": name, "description": f"Benchmark tool {name}.", "inputSchema": schema}


class Answers:
    """Requests in, the bytes of each message out."""

    def __init__(self, tools: int, page: int) -> None:
        own = [_text_tool("echo", "text", "string"), _text_tool("big", "bytes", "integer")]
        own += [_text_tool("flood", "count", "integer")]
        listed = own + [_tool(number) for number in range(max(0, tools - len(own)))]
        size = page or len(listed)
        cuts = range(0, len(listed), size)
        self._pages = {
            start: json.dumps(
                {
                    "tools": listed[start : start + size],
                    **({"nextCursor": str(start + size)} if start != cuts[-1] else {}),
                }
            ).encode()
            for start in cuts
        }

    def to(self, line: bytes) -> Iterator[bytes]:
        """The messages that answer one message."""
        request = _request.decode(line)
        if not bytes(request.id):
            return
        head = b'{"jsonrpc":"2.0","id":' + bytes(request.id)
        method = request.method
        if method == "tools/call":
            yield from self._call(head, _params.decode(request.params))
        elif method == "tools/list":
            cursor = int(_params.decode(request.params).get("cursor") or 0)
            yield head + b',"result":' + self._pages[cursor] + b"}"
        elif method == "initialize":
            version = _params.decode(request.params).get("protocolVersion", "2025-11-25")
            info = {"name": "echo", "version": "1"}
            result = {"protocolVersion": version, "capabilities": {"tools": {}, "logging": {}}, "serverInfo": info}
            yield head + b',"result":' + json.dumps(result).encode() + b"}"
        elif method in ("ping", "logging/setLevel"):
            yield head + b',"result":{}}'
        else:
            yield head + b',"error":{"code":-32601,"message":"Method not found"}}'

    def _call(self, head: bytes, params: dict[str, Any]) -> Iterator[bytes]:
        arguments = params.get("arguments") or {}
        if params["name"] == "echo":
            text = msgspec.json.encode(arguments["text"])
        elif params["name"] == "big":
            line = "the quick brown fox jumps over the lazy dog 0123456789\\n"
            count = int(arguments["bytes"])
            text = ('"' + line * (count // (len(line) - 1)) + '"').encode()
        else:
            for number in range(int(arguments["count"])):
                yield NOTIFICATION + str(number).encode() + b" " + FILLING + b'"}}'
            text = b'"done"'
        yield head + b',"result":{"content":[{"type":"text","text":' + text + b"}]}}"


def serve_stdio(answers: Answers) -> None:
    """Line by line on pipes, blocking; what answers one line goes out in writes of up to 64 KiB."""
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        for message in answers.to(line):
            out.write(message)
            out.write(b"\n")
        out.flush()


class _Http(asyncio.Protocol):
    """Just enough HTTP/1.1 for a client of Streamable HTTP that keeps its connections."""

    def __init__(self, answer: Callable[[bytes], Iterator[bytes]]) -> None:
        self._answer = answer
        self._held = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        while (end := self._held.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._held[:end]).lower()
            _, found, after = head.partition(b"\r\ncontent-length:")
            length = int(after.partition(b"\r\n")[0]) if found else 0
            if len(self._held) < end + 4 + length:
                return
            body = bytes(self._held[end + 4 : end + 4 + length])
            del self._held[: end + 4 + length]
            self._transport.write(self._reply(head, body))

    def _reply(self, head: bytes, body: bytes) -> bytes:
        if not head.startswith(b"post"):
            return b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n"
        messages = list(self._answer(body))
        if not messages:
            return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
        # One message is a body, several are a stream: both are right for Streamable HTTP.
        kind, content = b"application/json", messages[0]
        if len(messages) > 1:
            kind, content = b"text/event-stream", b"".join(b"data: " + message + b"\n\n" for message in messages)
        return b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (kind, len(content), content)


async def serve_http(answers: Answers) -> None:
    """On a free port of the loopback, until stdin ends: nobody is left with a server that outlives its benchmark."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Http(answers.to), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp", flush=True)
    await loop.run_in_executor(None, sys.stdin.buffer.read)
    server.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("transport", choices=["stdio", "http"])
    parser.add_argument("--tools", type=int, default=3)
    parser.add_argument("--page", type=int, default=0, help="tools in a page; 0: all in one")
    options = parser.parse_args()
    answers = Answers(options.tools, options.page)
    if options.transport == "stdio":
        serve_stdio(answers)
    else:
        asyncio.run(serve_http(answers))


if __name__ == "__main__":
    main()
