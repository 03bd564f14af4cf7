"""The redirect listener: on this machine only, for one answer, for a limited time.

The one listening socket of the program. It takes exactly one GET of its exact path with the exact state; whatever else
comes (a favicon, a prefetch, a second copy, another path, another Host, a wrong state) gets a refusal and changes
nothing. The page that the browser shows waits for how the sign-in ended, and says that.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import html
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from mcp_inspector.auth.steps import Callback
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEAD_MOST = 64 * 1024
_READ_S = 10.0
_VERDICT_S = 40.0
_CONNECTIONS = 32
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class _Asked:
    method: str
    target: str
    headers: dict[str, str]


class Loopback:
    """Listens at a redirect URI; `open` it, `expect` and `wait` for the one answer, `tell` how it ended, `close` it."""

    def __init__(self, uri: str) -> None:
        """`uri` as it is to be; without a port a free one is taken. Raises `Fault` when it is no loopback URI."""
        parts = urlsplit(uri)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme != "http" or parts.hostname not in _LOOPBACK or port == -1 or parts.query or parts.fragment:
            sentence = f"The redirect URI {uri[:200]} is no http address of this machine."
            raise Fault(FaultKind.USAGE, sentence, "Write one like http://127.0.0.1:3118/callback.")
        self._host = parts.hostname or ""
        self._path = parts.path or "/"
        self._port = port or 0
        self._servers: list[asyncio.Server] = []
        self._state = b""
        self._answer: asyncio.Future[Callback] | None = None
        self._verdict: asyncio.Future[tuple[bool, str]] | None = None
        self._open = 0

    @property
    def uri(self) -> str:
        """The redirect URI, with the port that is listened on."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}{self._path}"

    async def open(self) -> None:
        """Begin to listen. Raises `Fault` when the port is taken."""
        main = "::1" if self._host == "::1" else "127.0.0.1"
        try:
            server = await asyncio.start_server(self._serve, main, self._port, limit=_HEAD_MOST)
        except OSError as error:
            sentence = f"Port {self._port} of this machine, for the redirect, is taken by another program."
            raise Fault(FaultKind.USAGE, sentence, "End that program, or set another redirect URI.") from error
        self._servers.append(server)
        self._port = server.sockets[0].getsockname()[1]
        if self._host == "localhost":  # a browser may try the other family first
            with contextlib.suppress(OSError):
                self._servers.append(await asyncio.start_server(self._serve, "::1", self._port, limit=_HEAD_MOST))

    def expect(self, state: str) -> None:
        """From now on the answer with this state is taken, once."""
        loop = asyncio.get_running_loop()
        self._state = state.encode()
        self._answer, self._verdict = loop.create_future(), loop.create_future()

    async def wait(self, limit: float) -> Callback:
        """Wait for the expected answer. Raises `Fault` of kind TIMEOUT after `limit` seconds."""
        assert self._answer is not None, "nothing is expected"
        try:
            async with asyncio.timeout(limit):
                return await self._answer
        except TimeoutError:
            sentence = f"Nobody came back from the browser within {limit:g} s."
            raise Fault(FaultKind.TIMEOUT, sentence, "Sign in again, and finish it in the browser.") from None

    def tell(self, ok: bool, sentence: str) -> None:
        """How it ended, for the page."""
        if self._verdict is not None and not self._verdict.done():
            self._verdict.set_result((ok, sentence))

    async def close(self) -> None:
        """Stop listening. The page that is being written gets a moment."""
        servers, self._servers = self._servers, []
        for server in servers:
            server.close()
        self.tell(False, "The sign-in was ended.")
        if self._answer is not None:
            self._answer.cancel()
        for _ in range(100):
            if not self._open:
                break
            await asyncio.sleep(0.01)
        for server in servers:
            for_clients = getattr(server, "abort_clients", None)  # Python 3.13
            if self._open and for_clients is not None:
                for_clients()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            if self._open > _CONNECTIONS:
                return
            async with asyncio.timeout(_READ_S):
                asked = _read(await reader.readuntil(b"\r\n\r\n"))
            writer.write(await self._reply(asked))
            await writer.drain()
        except (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever it was, it was no browser that comes back
        finally:
            self._open -= 1
            writer.close()

    async def _reply(self, asked: _Asked) -> bytes:
        path, _, query = asked.target.partition("?")
        port = f":{self._port}"
        if asked.headers.get("host", "") not in [f"{host}{port}" for host in ("127.0.0.1", "localhost", "[::1]")]:
            return _page("421 Misdirected Request", "Not here", ["This address belongs to a sign-in of MCP Inspector."])
        if path != self._path:
            return _page("404 Not Found", "Nothing here", ["This address belongs to a sign-in of MCP Inspector."])
        if asked.method != "GET":
            return _page("405 Method Not Allowed", "Not so", ["Only a browser that comes back is expected here."])
        ahead = f"{asked.headers.get('sec-purpose', '')} {asked.headers.get('purpose', '')}".lower()
        if "prefetch" in ahead or "prerender" in ahead:
            return _page("503 Service Unavailable", "Not ahead of time", ["Open the address when it is wanted."])
        params = tuple(parse_qsl(query, keep_blank_values=True, max_num_fields=100))
        states = [value for name, value in params if name == "state"]
        answer, verdict = self._answer, self._verdict
        if answer is None or verdict is None:
            return _page("400 Bad Request", "Too early", ["No sign-in is waited for."])
        if len(states) != 1 or not hmac.compare_digest(states[0].encode(), self._state):
            lines = ["This answer does not belong to the sign-in that is under way. It was not used."]
            return _page("400 Bad Request", "Not used", lines)
        if answer.done():
            return _page("410 Gone", "Already used", ["The answer was taken before. This copy was not used."])
        answer.set_result(Callback(params))
        try:
            async with asyncio.timeout(_VERDICT_S):
                ok, sentence = await asyncio.shield(verdict)
        except TimeoutError:
            return _page("200 OK", "Received", ["The answer was taken. MCP Inspector shows how it goes on."])
        if ok:
            return _page("200 OK", "Signed in", [sentence, "You can close this page and go back to MCP Inspector."])
        return _page("200 OK", "Not signed in", [sentence, "MCP Inspector shows what happened and what to do."])


def _read(head: bytes) -> _Asked:
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, version = first.split(" ")
    if not version.startswith("HTTP/1.") or not target.startswith("/"):
        raise ValueError("no HTTP/1 request")
    headers: dict[str, str] = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return _Asked(method, target, headers)


def _page(status: str, title: str, sentences: Sequence[str]) -> bytes:
    """A page of plain text, everything escaped, that fetches nothing and runs nothing."""
    paragraphs = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences)
    body = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)} – MCP Inspector</title>'
        '<meta name="viewport" content="width=device-width">'
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:15vh auto;padding:0 1em}"
        "@media(prefers-color-scheme:dark){body{background:#1e1f22;color:#dfe1e5}}</style>"
        f"<h1>{html.escape(title)}</h1>{paragraphs}</html>"
    ).encode()
    head = [
        f"HTTP/1.1 {status}",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    ]
    return "\r\n".join((*head, "", "")).encode() + body
