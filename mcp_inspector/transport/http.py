"""The one HTTP client. With `http_pool` the only module that knows httpx.

Everything goes through httpx's transport interface (`handle_async_request`), below `httpx.AsyncClient`: redirects,
proxies, cookies and decoding are decided here, where they are recorded and bounded. The pool behind that interface is
chosen in `_pool` and can be swapped in one line. It is aiohttp's, by measurement: echo calls per second, sequential and
64 at once, on one machine of two cores against the same small server,

    client                          asyncio          qasync
    httpx                       1 130 /   410     940 /   360
    httpx2                      1 690 / 1 460   1 140 / 1 120
    aiohttp under AsyncClient   2 070 / 3 650   1 940 / 2 570
    aiohttp below it            3 400 / 8 360   2 150 / 4 790
    (the official SDK's client  1 080 /   880     630 /   420)

The package httpx-aiohttp is not used: it normalises the
URL, so that a server would see another path than the person typed, and reports a refused connection as a timeout.

Importing this takes a third of a second, so the transports import it late, beside the loop.
"""

from __future__ import annotations

import asyncio
import functools
import time
import zlib
from typing import TYPE_CHECKING, Any, cast

import httpx

from mcp_inspector.transport import http_faults as faults
from mcp_inspector.transport.base import Fault, FaultKind, HttpHead, Note, NoteKind, now
from mcp_inspector.transport.credentials import TRIES
from mcp_inspector.transport.http_pool import AiohttpPool
from mcp_inspector.transport.inflate import ACCEPTED, Inflate, supported
from mcp_inspector.transport.limits import BODY_KEPT, SLICE_NS, Limits
from mcp_inspector.transport.proxies import proxy_for

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Sequence

    from mcp_inspector.transport.base import Key
    from mcp_inspector.transport.credentials import Credentials
    from mcp_inspector.transport.urls import Target

Headers = list[tuple[str, str]]

_REDIRECTS = 5
_MASK = "•••"
_PIECE = 64 * 1024


def _pool(target: Target, trust: ssl.SSLContext | None, limits: Limits, proxy: str) -> httpx.AsyncBaseTransport:
    return AiohttpPool(trust, proxy_for(target, proxy), limits.connect)


class Reply:
    """A response whose body is still to be read. Close it in any case; what was not read then closes the connection.

    `head` is the status line and headers, `target` where they came from, `seconds` how long they took. `shown` is the
    beginning of a body that is no message, already read: that of a refusal, or of the answer to a notification.
    """

    def __init__(self, response: httpx.Response, head: HttpHead, target: Target, method: str, started: float) -> None:
        self.head = head
        self.target = target
        self.method = method
        self.seconds = time.perf_counter() - started
        timing = response.extensions.get("timing", {})
        self.connect: float | None = timing.get("connect")
        """Seconds until the connection stood, None when there was one already."""
        self.shown = b""
        self._stream = cast("httpx.AsyncByteStream", response.stream)
        self._chunks = aiter(self._stream)
        self._rest: memoryview | bytes = b""
        self._size = 0
        self._slice_end = time.perf_counter_ns() + SLICE_NS
        encoding = (head.get("content-encoding") or "identity").strip().lower()
        self._inflate = Inflate(encoding) if supported(encoding) else None
        self._unknown = "" if self._inflate or encoding in ("identity", "") else encoding

    async def read(self) -> bytes:
        """The next piece, decompressed, at most 64 KiB; empty at the end. Raises `Fault` when the body is cut off."""
        if self._unknown:
            raise self._fault(FaultKind.BAD_CONTENT, f"is encoded as {self._unknown[:80]}, which we did not accept")
        if time.perf_counter_ns() > self._slice_end:
            await asyncio.sleep(0)
            self._slice_end = time.perf_counter_ns() + SLICE_NS
        while True:
            if self._rest:
                piece, self._rest = bytes(self._rest[:_PIECE]), self._rest[_PIECE:]
                return piece
            if self._inflate is not None and (piece := self._undo(self._inflate)):
                return piece
            try:
                chunk = await anext(self._chunks)
            except StopAsyncIteration:
                return b""
            except httpx.HTTPError as error:
                raise self._fault(FaultKind.NO_REPLY, f"was cut off after {self._size} bytes") from error
            self._size += len(chunk)
            self._slice_end = time.perf_counter_ns() + SLICE_NS
            if self._inflate is not None:
                self._inflate.feed(chunk)
            elif len(chunk) <= _PIECE:
                return chunk
            else:
                self._rest = memoryview(chunk)

    async def body(self, most: int) -> tuple[bytes, bool]:
        """The body up to `most` bytes, and whether there is more, which is then not read. Raises `Fault`."""
        parts, size = [], 0
        while size <= most and (piece := await self.read()):
            parts.append(piece)
            size += len(piece)
        whole = parts[0] if len(parts) == 1 else b"".join(parts)
        return (whole, False) if size <= most else (whole[:most], True)

    async def start(self) -> bytes:
        """The beginning of a body that is only shown, as far as it can be had. Never raises `Fault`."""
        parts: list[bytes] = []
        try:
            while sum(map(len, parts)) < BODY_KEPT and (piece := await self.read()):
                parts.append(piece)
        except Fault:
            pass  # what came is still worth showing
        return b"".join(parts)[:BODY_KEPT]

    async def close(self) -> None:
        """Give the connection back, or close it."""
        await self._stream.aclose()

    def _undo(self, inflate: Inflate) -> bytes:
        try:
            return inflate.take(_PIECE)
        except zlib.error as error:
            raise self._fault(FaultKind.BAD_CONTENT, "is not compressed as its header says") from error

    def _fault(self, kind: FaultKind, what: str) -> Fault:
        sentence = f"The response of {self.target.authority} to {self.method} {what}."
        return Fault(kind, sentence, facts=faults.facts_of(self.target, self.method, self.head))


class HttpClient:
    """Requests to one server, each told to `note` with the headers of both ways. Raises `Fault` and nothing else.

    `headers` are the person's own, for every request; credentials of the URL become an Authorization header, and only
    without one are `credentials` asked. Cookies
    are kept for the lifetime of the client. Only same-origin 307 and 308 are followed. `trust` is the TLS context for
    https.
    """

    def __init__(
        self,
        target: Target,
        headers: Headers,
        limits: Limits,
        note: Callable[[Note], None],
        trust: ssl.SSLContext | None = None,
        credentials: Credentials | None = None,
        proxy: str = "",
    ) -> None:
        self._own = _checked(headers)
        if target.authorization and not any(name.lower() == "authorization" for name, _ in self._own):
            self._own.append(("Authorization", target.authorization))
        self._own_names = {name.lower() for name, _ in self._own}
        # What the person wrote into the entry wins, always: then nobody signs in.
        self._credentials = None if "authorization" in self._own_names else credentials
        self._limits = limits
        self._note = note
        self._cookies: httpx.Cookies | None = None
        self._pool = _pool(target, trust, limits, proxy)

    async def request(
        self, method: str, target: Target, headers: Headers, body: bytes = b"", *, stream: str, key: Key | None = None
    ) -> Reply:
        """Send a request and return its response as soon as the headers are there. No limit of time but to connect."""
        for _ in range(_REDIRECTS):
            reply = await self._authorized(method, target, headers, body, stream, key)
            if reply.head.status not in (301, 302, 303, 307, 308):
                return reply
            await reply.close()
            location = reply.head.get("location")
            refused = faults.redirected(target, method, reply.head)
            if not location or reply.head.status not in (307, 308):
                raise refused
            try:
                following = target.join(location)
            except Fault:
                raise refused from None
            if following.origin != target.origin:
                raise refused
            target = following
        sentence = f"{target.authority} redirects round and round."
        raise Fault(FaultKind.REDIRECT, sentence, facts=faults.facts_of(target, method))

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.aclose()

    async def _authorized(
        self, method: str, target: Target, headers: Headers, body: bytes, stream: str, key: Key | None
    ) -> Reply:
        """Send it with the credentials, if there are any, and again as long as they say that it is worth it."""
        credentials, tried = self._credentials, 0
        if credentials is None:
            return await self._once(method, target, headers, body, stream, key)
        while True:
            proof = await credentials.headers(method, target)
            reply = await self._once(method, target, headers, body, stream, key, proof)
            try:
                credentials.answered(target, reply.head, proof)
                refused = reply.head.status in (401, 403) and tried + 1 < TRIES
                if not refused or not await credentials.refused(method, target, reply.head, proof, tried):
                    return reply
            except BaseException:
                await reply.close()
                raise
            await reply.close()
            tried += 1

    async def _once(
        self,
        method: str,
        target: Target,
        headers: Headers,
        body: bytes,
        stream: str,
        key: Key | None,
        proof: Sequence[tuple[str, str]] = (),
    ) -> Reply:
        facts: dict[str, Any] = {"method": method, "url": target.text, "stream": stream, "key": key}
        try:
            request = self._request(method, target, [*headers, *proof], body)
        except (ValueError, httpx.InvalidURL) as error:
            raise Fault(FaultKind.USAGE, f"The request cannot be sent: {error}.", facts=facts) from error
        sent = [_line(name.decode(), value.decode("utf-8", "replace"), proof) for name, value in request.headers.raw]
        self._tell(NoteKind.HTTP_REQUEST, facts | {"headers": sent})
        started = time.perf_counter()
        try:
            response = await self._pool.handle_async_request(request)
        except httpx.RemoteProtocolError as error:
            sentence = f"{target.authority} answered with something that is no HTTP/1.1: {str(error)[:300]}"
            raise Fault(FaultKind.BAD_CONTENT, sentence, facts=faults.facts_of(target, method)) from error
        except httpx.ProxyError as error:
            sentence = f"The proxy did not let us through to {target.authority}: {error}."
            raise Fault(FaultKind.HTTP_STATUS, sentence, facts=faults.facts_of(target, method)) from error
        except httpx.HTTPError as error:
            raise faults.failed(target, method, error, self._limits.connect) from error
        except (ValueError, httpx.InvalidURL) as error:
            raise Fault(FaultKind.USAGE, f"The request cannot be sent: {error}.", facts=facts) from error
        self._keep_cookies(request, response)
        reply = Reply(response, _head(response), target, method, started)
        await self._tell_response(reply, facts)
        return reply

    def _request(self, method: str, target: Target, headers: Headers, body: bytes) -> httpx.Request:
        own = self._own_names
        lines = [("Host", target.authority)] if "host" not in own else []
        lines += [(name, value) for name, value in headers if name.lower() not in own]
        if "accept" not in own and not any(name == "Accept" for name, _ in headers):
            lines.append(("Accept", "*/*"))  # said here, as the pool would add it unrecorded
        if "accept-encoding" not in own:
            lines.append(("Accept-Encoding", ACCEPTED))
        if "user-agent" not in own:
            lines.append(("User-Agent", "mcp-inspector"))
        lines += self._own
        if body or method != "GET":
            lines.append(("Content-Length", str(len(body))))
        raw = [(name.encode(), value.encode()) for name, value in lines]
        extensions = {"target": target.target.encode(), "url": target.text}
        request = httpx.Request(method, _url(target.text), headers=raw, content=body, extensions=extensions)
        if self._cookies is not None:
            self._cookies.set_cookie_header(request)
        return request

    def _keep_cookies(self, request: httpx.Request, response: httpx.Response) -> None:
        if "set-cookie" in response.headers:
            response.request = request
            self._cookies = self._cookies if self._cookies is not None else httpx.Cookies()
            self._cookies.extract_cookies(response)

    async def _tell_response(self, reply: Reply, facts: dict[str, Any]) -> None:
        head = reply.head
        streams = faults.media_type(head) == "text/event-stream"
        if not 200 <= head.status < 300 or (facts["key"] is None and not streams):
            try:
                async with asyncio.timeout(self._limits.accept):
                    reply.shown = await reply.start()
            except TimeoutError:
                pass  # a status whose body never ends is still a status
            except BaseException:
                await reply.close()
                raise
        answered = {"status": head.status, "reason": head.reason, "seconds": round(reply.seconds, 6)}
        if reply.connect is not None:
            answered["connect"] = round(reply.connect, 6)
        headers = [list(pair) for pair in head.headers]
        self._tell(NoteKind.HTTP_RESPONSE, facts | answered | {"headers": headers}, reply.shown)

    def _tell(self, kind: NoteKind, facts: dict[str, Any], data: bytes = b"") -> None:
        wall_ns, mono_ns = now()
        self._note(Note(kind, wall_ns, mono_ns, data, facts))


def _line(name: str, value: str, proof: Sequence[tuple[str, str]]) -> list[str]:
    """A header as it is recorded: a token that the program got by itself is in no record."""
    if (name, value) not in proof:
        return [name, value]
    scheme, blank, _ = value.partition(" ")
    return [name, f"{scheme} {_MASK}" if blank else _MASK]


@functools.lru_cache(64)
def _url(text: str) -> httpx.URL:
    return httpx.URL(text)


def _head(response: httpx.Response) -> HttpHead:
    headers = tuple((_text(name), _text(value)) for name, value in response.headers.raw)
    return HttpHead(response.status_code, _text(response.extensions.get("reason_phrase", b"")), headers)


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _checked(headers: Headers) -> Headers:
    """The person's own headers, less those that would break the framing. Raises `Fault` for what HTTP cannot carry."""
    for name, value in headers:
        bad_name = not name or any(char in ' \t\r\n:\0"(),/;<=>?@[\\]{}' or not " " < char < "\x7f" for char in name)
        if bad_name or any(char in "\r\n\0" for char in value):
            sentence = f"The header {name[:80]!r} of this server cannot be sent: it holds characters that HTTP forbids."
            raise Fault(FaultKind.USAGE, sentence, "Correct the headers of this server.")
    framing = ("content-length", "transfer-encoding", "connection")
    return [(name, value.strip()) for name, value in headers if name.lower() not in framing]
