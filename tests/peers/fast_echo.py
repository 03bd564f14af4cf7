"""The least MCP server with one tool `echo`, so that a benchmark measures the client: stdio, or `--http` on loopback.

With `--http` it prints the port it listens on.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "e", "version": "1"},
}
TOOLS = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}


def answer(raw: bytes) -> bytes | None:
    message = json.loads(raw)
    if "id" not in message:
        return None
    method = message.get("method")
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        reply["result"] = INITIALIZE
    elif method == "tools/list":
        reply["result"] = TOOLS
    elif method == "tools/call":
        reply["result"] = {"content": [{"type": "text", "text": message["params"]["arguments"].get("text", "")}]}
    else:
        reply["error"] = {"code": -32601, "message": "no such method"}
    return json.dumps(reply).encode()


def stdio() -> None:
    rest = b""
    while chunk := os.read(0, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        replies = [reply for line in lines if line.strip() and (reply := answer(line)) is not None]
        if replies:
            out = memoryview(b"\n".join(replies) + b"\n")
            while out:
                out = out[os.write(1, out) :]


class Http(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            _, found, length = head.partition(b"content-length:")
            size = int(length.split(b"\r\n", 1)[0]) if found else 0
            body = self.buffer[end + 4 : end + 4 + size]
            if len(body) < size:
                return
            self.buffer = self.buffer[end + 4 + size :]
            self.reply(head.startswith(b"post"), body)

    def reply(self, post: bool, body: bytes) -> None:
        if not post:
            self.transport.write(b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
        elif (out := answer(body)) is None:
            self.transport.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        else:
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(out)
            self.transport.write(head + out)


async def http() -> None:
    server = await asyncio.get_running_loop().create_server(Http, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["--http"]:
        asyncio.run(http())
    else:
        stdio()
