"""A recording proxy for a server at a URL, on this machine only: every request goes on as it came, every answer back.

Only requests that name this machine in `Host`, and pages of this machine in `Origin`, are taken: no page of the web can
reach the server behind it. Bodies pass unchanged; the server is asked for no compression, so that they can be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import aiohttp
import yarl
from aiohttp import web

from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.tls import trust
from mcp_inspector.wire.eventstream import EventStream

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 256 << 20
_LOCAL = frozenset(["127.0.0.1", "localhost", "::1", "[::1]"])
_HOP = frozenset(
    ["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
     "upgrade", "host", "content-length", "accept-encoding"]
)  # fmt: skip
_SHOWN = 64 * 1024
_GRACE = 1.0


class Watcher(Protocol):
    """Who looks at what passes. Must not raise."""

    def head(self, facts: Mapping[str, Any], data: bytes) -> None:
        """The head of a request or, with `status`, of an answer; `data` is the body of a refusal."""

    def message(self, data: bytes, facts: Mapping[str, Any], *, sent: bool) -> None:
        """A message that passed."""

    def refused(self, sentence: str) -> None:
        """A request that was not let through."""


class RecordingProxy:
    """`upstream` is the server's URL; `headers` are added to each request that does not have them."""

    def __init__(self, upstream: str, headers: Mapping[str, str], watcher: Watcher) -> None:
        self._target = urls.parse(upstream)
        self._headers = dict(headers)
        self._watcher = watcher
        self._runner: web.ServerRunner | None = None
        self._client: aiohttp.ClientSession | None = None
        self._port = 0
        self._count = 0

    async def open(self, port: int = 0) -> str:
        """Begin to listen; returns the URL for the client. Raises `Fault` when the port is taken."""
        runner = self._runner = web.ServerRunner(web.Server(self._handle), shutdown_timeout=_GRACE)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        try:
            await site.start()
        except OSError as error:
            await runner.cleanup()
            sentence = f"Port {port} of this machine cannot be used: {error.strerror or error}."
            raise Fault(FaultKind.USAGE, sentence, "Name another one with --port.") from error
        self._port = runner.addresses[0][1]
        timeout = aiohttp.ClientTimeout(total=None, connect=30)
        secure = trust() if self._target.scheme == "https" else True
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ssl=secure, resolver=aiohttp.ThreadedResolver()),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=timeout,
            auto_decompress=False,
        )
        return f"http://127.0.0.1:{self._port}{self._target.target}"

    async def close(self) -> None:
        """Listen no more, and end what is under way."""
        if self._client is not None:
            await self._client.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        problem = self._problem(request)
        if problem:
            self._watcher.refused(problem)
            return web.Response(status=403, text=problem)
        self._count += 1
        url = f"{self._target.scheme}://{self._target.authority}{request.raw_path}"
        facts: dict[str, Any] = {"method": request.method, "url": url, "stream": "post", "key": self._count}
        headers = [(name, value) for name, value in request.headers.items() if name.lower() not in _HOP]
        given = {name.lower() for name, _ in headers}
        headers += [(name, value) for name, value in self._headers.items() if name.lower() not in given]
        if self._target.authorization and "authorization" not in given:
            headers.append(("Authorization", self._target.authorization))
        body = await request.read()
        if body and request.method == "POST":
            self._watcher.message(body, {}, sent=True)
        told = [*headers, *([("Content-Length", str(len(body)))] if body else [])]
        self._watcher.head({**facts, "headers": told}, b"")
        return await self._pass_on(request, url, headers, body, facts)

    async def _pass_on(
        self, request: web.BaseRequest, url: str, headers: list[tuple[str, str]], body: bytes, facts: dict[str, Any]
    ) -> web.StreamResponse:
        assert self._client is not None
        try:
            answer = await self._client.request(
                request.method,
                yarl.URL(url, encoded=True),
                headers=[*headers, ("Accept-Encoding", "identity")],
                data=body or None,
                allow_redirects=False,
                skip_auto_headers=("User-Agent", "Content-Type", "Accept"),
            )
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            sentence = f"{self._target.authority} was not reached: {error}"
            self._watcher.refused(sentence)
            return web.Response(status=502, text=sentence)
        async with answer:
            pairs = [(name, value) for name, value in answer.headers.items() if name.lower() not in _HOP]
            reply = web.StreamResponse(status=answer.status, reason=answer.reason)
            for name, value in pairs:
                reply.headers.add(name, value)
            length = answer.headers.get("Content-Length")
            if length is not None and length.isdigit():
                reply.content_length = int(length)
            await reply.prepare(request)
            told = {
                **facts,
                "status": answer.status,
                "reason": answer.reason or "",
                "headers": list(answer.headers.items()),
            }
            kind = answer.headers.get("Content-Type", "").lower()
            try:
                if kind.startswith("text/event-stream"):
                    self._watcher.head(told, b"")
                    await self._stream(answer, reply)
                else:
                    await self._whole(answer, reply, told)
                await reply.write_eof()
            except (aiohttp.ClientError, ConnectionError, TimeoutError):
                # The client has gone, or the server broke off: then the client has to see that, and no proper end.
                if request.transport is not None:
                    request.transport.abort()
            return reply

    async def _stream(self, answer: aiohttp.ClientResponse, reply: web.StreamResponse) -> None:
        decoder = EventStream(_LARGEST)
        async for chunk in answer.content.iter_any():
            await reply.write(chunk)
            for event in decoder.feed(chunk):
                if event.data and event.event == "message":
                    facts = {"stream": "post", **({"event_id": event.id} if event.id else {})}
                    self._watcher.message(event.data, facts, sent=False)

    async def _whole(self, answer: aiohttp.ClientResponse, reply: web.StreamResponse, told: dict[str, Any]) -> None:
        parts: list[bytes] = []
        size = 0
        async for chunk in answer.content.iter_any():
            await reply.write(chunk)
            if size < _LARGEST:
                parts.append(chunk)
                size += len(chunk)
        body = b"".join(parts)
        json_body = answer.headers.get("Content-Type", "").lower().startswith("application/json")
        spoken = json_body and b'"jsonrpc"' in body
        self._watcher.head(told, b"" if spoken else body[:_SHOWN])
        if spoken:
            self._watcher.message(body, {"stream": "post"}, sent=False)

    def _problem(self, request: web.BaseRequest) -> str:
        """Why a request is not let through; empty when it is."""
        try:
            host = urlsplit(f"//{request.headers.get('Host', '')}")
            named, port = host.hostname or "", host.port
        except ValueError:
            named, port = "", None
        if named not in _LOCAL or port != self._port:
            return (
                f"A request for the host {request.headers.get('Host', '')[:100]!r} was refused: it is not this proxy."
            )
        origin = request.headers.get("Origin")
        if origin is not None:
            try:
                there = urlsplit(origin).hostname
            except ValueError:
                there = None
            if there not in _LOCAL:
                return f"A request from a page of {origin[:100]!r} was refused."
        return ""
