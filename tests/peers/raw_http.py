"""An HTTP/1.1 server that sends exactly the bytes it is told, for what real servers never do.

    async def play(request, reply): await reply.json({"id": 1})

    async with RawHttp(play) as server: … server.url("/mcp"), server.requests

`play` is called for each request, in a task of its own; when it returns, the connection is kept if the reply was whole.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable


@dataclass
class Request:
    """One request as it came: header names keep their spelling, `raw` is the head as bytes."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes
    raw: bytes

    def get(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    @property
    def message(self) -> Any:
        return json.loads(self.body)


class Reply:
    """The connection, in the hands of the script."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.keep = False
        self.gone = asyncio.Event()
        """Set when the client has closed the connection."""

    async def raw(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def send(self, status: str, body: bytes = b"", *headers: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
        await self.raw("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        self.keep = True

    async def json(self, value: Any, *headers: str, status: str = "200 OK") -> None:
        await self.send(
            status, json.dumps(value, ensure_ascii=False).encode(), "Content-Type: application/json", *headers
        )

    async def result(self, request: Request, result: Any, *headers: str) -> None:
        await self.json({"jsonrpc": "2.0", "id": request.message["id"], "result": result}, *headers)

    async def stream(self, *headers: str, status: str = "200 OK", kind: str = "text/event-stream") -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Transfer-Encoding: chunked", *headers]
        await self.raw("\r\n".join(lines).encode() + b"\r\n\r\n")

    async def chunk(self, data: bytes) -> None:
        await self.raw(b"%x\r\n%b\r\n" % (len(data), data))

    async def event(self, value: Any, *fields: str) -> None:
        data = value if isinstance(value, str) else json.dumps(value)
        await self.chunk("\n".join([*fields, f"data: {data}"]).encode() + b"\n\n")

    async def end(self) -> None:
        await self.raw(b"0\r\n\r\n")
        self.keep = True

    def reset(self) -> None:
        """RST instead of FIN."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()


class RawHttp:
    """Serves a script on loopback. `opened` counts connections."""

    def __init__(self, play: Callable[[Request, Reply], Awaitable[object]], tls: ssl.SSLContext | None = None) -> None:
        self._play = play
        self._tls = tls
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.requests: list[Request] = []
        self.opened = 0

    async def __aenter__(self) -> RawHttp:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls, limit=1 << 26)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def url(self, path: str = "/mcp") -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}{path}"

    def of(self, method: str) -> list[Request]:
        return [request for request in self.requests if request.method == method]

    async def until(self, ready: Callable[[], Any], seconds: float = 20) -> None:
        async with asyncio.timeout(seconds):
            while not ready():
                self._news.clear()
                await self._news.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.opened += 1
        ahead = bytearray()
        try:
            while await self._one(reader, writer, ahead):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ahead: bytearray) -> bool:
        ahead += b"" if ahead else await reader.readexactly(1)
        if not ahead.isalpha():  # TLS, as it seems
            writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            await writer.drain()
            return False
        raw = bytes(ahead) + await reader.readuntil(b"\r\n\r\n")
        ahead.clear()
        first, *lines = raw.decode("latin-1").split("\r\n")[:-2]
        method, target, _ = first.split(" ")
        headers = [(name, value.strip(" ")) for name, _, value in (line.partition(":") for line in lines)]
        request = Request(method, target, headers, b"", raw)
        length = request.get("content-length")
        if length is not None:
            request.body = await reader.readexactly(int(length))
        self.requests.append(request)
        self._news.set()
        reply = Reply(writer)
        play = asyncio.ensure_future(self._play(request, reply))
        watch = asyncio.ensure_future(reader.read(1))  # its end shows that the client has gone
        try:
            await asyncio.wait({play, watch}, return_when=asyncio.FIRST_COMPLETED)
            if not play.done() and (watch.exception() or not watch.result()):
                reply.gone.set()
                self._news.set()
            await play
        finally:
            play.cancel()
            watch.cancel()
            await asyncio.wait({watch})
            if not watch.cancelled() and watch.exception() is None:
                ahead += watch.result()
        return reply.keep
