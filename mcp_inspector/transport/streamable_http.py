"""Streamable HTTP: sessions of 2025-03-26, 2025-06-18 and 2025-11-25, and the stateless POST of 2026-07-28."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from mcp_inspector.transport import http_faults as faults
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind, NoteKind, Received, now
from mcp_inspector.transport.http_streams import Cursor, EventReader, Exchange, Exchanges, note, start
from mcp_inspector.transport.limits import LONG_WAIT, Limits
from mcp_inspector.transport.tasks import Tasks, wait_fully

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.config.route import Route
    from mcp_inspector.transport.base import Key, Outgoing, Sink
    from mcp_inspector.transport.credentials import Credentials
    from mcp_inspector.transport.http import HttpClient, Reply

_MODERN = "2026-07-28"
_VERSION_HEADER_SINCE = "2025-06-18"
_BOTH = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]
_RETRY_MS = 1000
_LONGEST_BACK_OFF = 30.0
_LIVED = 30.0
_TRY_AGAIN = frozenset({409, 429, 502, 503, 504})


class StreamableHttp:
    """The Streamable HTTP transport. `headers` are the person's own: they are on every request and win over ours.

    Each request is a POST in a task of its own. Its answer comes as a `Received` with `answers` set, whatever id it
    bears; a refusing status with a JSON body comes as such a message too, with the status in `http`. Without an answer
    `Sink.lost` says why: SESSION_GONE (404 to our session id), UNAUTHORIZED, FORBIDDEN, HTTP_STATUS, BAD_CONTENT,
    NO_REPLY (202, or the stream ended), TOO_LARGE, REDIRECT, or what the network said. `closed` only follows `close`.
    """

    name = "streamable-http"

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        credentials: Credentials | None = None,
        route: Route | None = None,
    ) -> None:
        self._url = url
        self._own = dict(headers or {})
        self._limits = limits or Limits()
        self.credentials = credentials
        self._route = route
        self._client: HttpClient | None = None
        self._tasks = Tasks()
        self._exchanges = Exchanges(self._limits.drain, self._note_left_open)
        self._listening = False
        self._finishing: asyncio.Task[None] | None = None
        self._version = ""
        self.session_id = ""

    async def open(self, sink: Sink) -> None:
        """Make ready; nothing is sent. Raises `Fault` of kind USAGE."""
        self._target = urls.parse(self._url)
        self._sink = sink
        self._reader = EventReader(sink, self._limits)
        self._client = await start(self._target, self._own, self._limits, sink, self.credentials, self._route)

    async def send(self, out: Outgoing) -> None:
        """Begin a request, or wait until anything else was accepted with a 2xx. Raises `Fault`."""
        client = self._client
        if client is None or self._finishing is not None:
            raise Fault(FaultKind.CLOSED, "The connection is not open.")
        if out.opens_session:
            self._version = self.session_id = ""
        if out.key is None:
            await self._hand_in(client, out)
            return
        exchange = Exchange(out.key)
        self._exchanges.add(exchange)
        exchange.task = self._tasks.spawn(self._exchange(client, out, exchange), f"POST for {out.key}")

    def agree(self, version: str) -> None:
        """From now on its header is sent, if the version is 2025-06-18 or later."""
        self._version = version
        if version >= _MODERN:
            self.session_id = ""

    async def listen(self) -> None:
        """Open the standalone stream of a legacy session and keep it open, in the background."""
        if self._client is not None and self._legacy and not self._listening and self._finishing is None:
            self._listening = True
            self._tasks.spawn(self._keep_listening(self._client), "GET stream")

    def settled(self, key: Key) -> None:
        """The rest of its stream is read for `Limits.drain` seconds at most."""
        self._exchanges.settled(key)

    def abandon(self, key: Key) -> None:
        """Close the response stream of this request; for 2026-07-28 that is how it is cancelled."""
        self._exchanges.abandon(key)

    async def close(self) -> None:
        """Close all streams and, in a legacy session, end it with DELETE."""
        if self._client is None:
            return
        if self._finishing is None:
            self._finishing = self._tasks.spawn(self._finish(self._client), "end of the connection")
        await asyncio.shield(self._finishing)

    def _note_left_open(self, key: Key, seconds: float) -> None:
        note(self._sink, NoteKind.STREAM, event="left open", stream="post", key=key, seconds=round(seconds, 3))

    @property
    def _legacy(self) -> bool:
        return "" < self._version < _MODERN

    def _headers(self, out: Outgoing | None = None) -> list[tuple[str, str]]:
        """Session and version for any request; of `out` also its own and those of every POST."""
        lines = [*_BOTH, *out.headers] if out is not None else []
        if out is not None and out.opens_session:
            return lines
        if self.session_id:
            lines.append(("Mcp-Session-Id", self.session_id))
        given = out is not None and any(name.lower() == "mcp-protocol-version" for name, _ in out.headers)
        if self._version >= _VERSION_HEADER_SINCE and not given:
            lines.append(("MCP-Protocol-Version", self._version))
        return lines

    async def _hand_in(self, client: HttpClient, out: Outgoing) -> None:
        session, method = self.session_id, "POST"
        try:
            async with asyncio.timeout(self._limits.accept):
                reply = await client.request(method, self._target, self._headers(out), out.raw, stream="post")
        except TimeoutError:
            sentence = f"{self._target.authority} did not answer within {self._limits.accept:g} s."
            raise Fault(FaultKind.TIMEOUT, sentence, facts=faults.facts_of(self._target, method)) from None
        await reply.close()
        if not 200 <= reply.head.status < 300:
            raise faults.refused(reply.target, method, reply.head, reply.shown, session=bool(session))

    async def _exchange(self, client: HttpClient, out: Outgoing, exchange: Exchange) -> None:
        session = "" if out.opens_session else self.session_id
        try:
            reply = await client.request(
                "POST", self._target, self._headers(out), out.raw, stream="post", key=exchange.key
            )
            try:
                await self._take(client, out, exchange, reply, session)
            finally:
                await reply.close()
        except Fault as fault:
            if exchange.settled is None:
                self._sink.lost(exchange.key, fault)
        except Exception as error:  # a mistake of ours must not leave the request waiting for ever
            self._sink.lost(exchange.key, Fault(FaultKind.NO_REPLY, f"The exchange failed here: {error!r}."))
            raise
        finally:
            self._exchanges.remove(exchange)

    async def _take(self, client: HttpClient, out: Outgoing, exchange: Exchange, reply: Reply, session: str) -> None:
        head, kind = reply.head, faults.media_type(reply.head)
        if not 200 <= head.status < 300:
            fault = faults.refused(reply.target, "POST", head, reply.shown, session=bool(session))
            if fault.kind is not FaultKind.HTTP_STATUS or kind != "application/json" or not reply.shown.strip():
                raise fault
            self._deliver(reply, reply.shown, exchange.key)
            return
        if out.opens_session:
            self._adopt(reply)
        if kind == "text/event-stream":
            await self._stream(client, out, exchange, reply)
            return
        if kind != "application/json":
            body = await reply.start()
            raise (
                self._no_answer(reply)
                if head.status in (202, 204)
                else faults.wrong_content(reply.target, "POST", head, body)
            )
        body, more = await reply.body(self._limits.message)
        if more:
            facts = faults.facts_of(reply.target, "POST", head, body[:65536]) | {"limit": self._limits.message}
            sentence = f"The response of {reply.target.authority} is larger than {self._limits.message} bytes."
            raise Fault(FaultKind.TOO_LARGE, sentence, "Raise the limit in the settings.", facts)
        if head.status in (202, 204) and body.strip() in (b"", b"null", b"{}"):
            raise self._no_answer(reply)
        if not body.strip():
            raise faults.wrong_content(reply.target, "POST", head, body)
        self._deliver(reply, body, exchange.key)

    def _deliver(self, reply: Reply, body: bytes, key: Key) -> None:
        wall_ns, mono_ns = now()
        self._sink.received(Received(body, wall_ns, mono_ns, "post", key, reply.head))

    def _no_answer(self, reply: Reply) -> Fault:
        status = f"{reply.head.status} {reply.head.reason}".strip()
        sentence = (
            f"{reply.target.authority} answered the request with {status}: it was accepted, but no answer will come."
        )
        return Fault(FaultKind.NO_REPLY, sentence, facts=faults.facts_of(reply.target, "POST", reply.head))

    def _adopt(self, reply: Reply) -> None:
        value = (reply.head.get("mcp-session-id") or "").strip(" \t")
        if any(not "!" <= char <= "~" for char in value):
            sentence = "The server's session id holds characters other than visible ASCII."
            note(self._sink, NoteKind.WARNING, value.encode(), sentence=sentence)
        if any(not " " <= char < "\x7f" for char in value):
            return  # it could not be sent back
        self.session_id = value

    async def _stream(self, client: HttpClient, out: Outgoing, exchange: Exchange, reply: Reply) -> None:
        cursor = Cursor()
        why = await self._reader.read(reply, cursor, "post", exchange.key)
        if exchange.settled is not None:
            return
        if not cursor.id or not (self._legacy or out.opens_session):
            raise why or self._ended(reply, "its stream ended without a response")
        await reply.close()
        await self._resume(client, exchange, reply, cursor)

    async def _resume(self, client: HttpClient, exchange: Exchange, first: Reply, cursor: Cursor) -> None:
        """Poll for the response of a stream that the server closed, by GET with the last event id (25M and later)."""
        fruitless, why = 0, ""
        while fruitless < self._limits.resume:
            await self._pause(_RETRY_MS if cursor.retry is None else cursor.retry, exchange.key)
            fruitless, before, why = fruitless + 1, (cursor.id, cursor.events), ""
            try:
                reply = await self._get(client, cursor, exchange.key)
            except Fault as fault:
                why = fault.sentence
                continue
            try:
                if 200 <= reply.head.status < 300 and faults.media_type(reply.head) == "text/event-stream":
                    await self._reader.read(reply, cursor, "get", exchange.key)
                    if exchange.settled is not None:
                        return
                elif reply.head.status in _TRY_AGAIN:
                    why = f"The server answered {reply.head.status} to the last attempt."
                else:
                    raise self._not_resumed(reply)
            finally:
                await reply.close()
            if (cursor.id, cursor.events) != before:
                fruitless = 0
        what = f"its stream ended without a response, and {fruitless} attempts to resume it brought nothing"
        raise self._ended(first, what, why)

    def _ended(self, reply: Reply, what: str, hint: str = "") -> Fault:
        sentence = f"{reply.target.authority} did not answer the request: {what}."
        return Fault(FaultKind.NO_REPLY, sentence, hint, faults.facts_of(reply.target, "POST", reply.head))

    def _not_resumed(self, reply: Reply) -> Fault:
        refused = faults.refused(reply.target, "GET", reply.head, reply.shown, session=bool(self.session_id))
        if refused.kind is FaultKind.SESSION_GONE:
            return refused
        status = f"{reply.head.status} {reply.head.reason}".strip()
        fault = self._ended(reply, f"its stream ended, and the attempt to resume it was answered with {status}")
        fault.facts |= refused.facts
        return fault

    async def _get(self, client: HttpClient, cursor: Cursor, key: Key | None = None) -> Reply:
        headers = [("Accept", "text/event-stream"), *self._headers()]
        if cursor.id and all(" " <= char < "\x7f" for char in cursor.id):
            headers.append(("Last-Event-ID", cursor.id))
        return await client.request("GET", self._target, headers, stream="get", key=key)

    async def _pause(self, wait_ms: float, key: Key | None = None) -> None:
        seconds = min(wait_ms / 1000, LONG_WAIT)
        note(self._sink, NoteKind.STREAM, event=f"reconnecting in {seconds:g} s", stream="get", key=key)
        await wait_fully(seconds)

    async def _keep_listening(self, client: HttpClient) -> None:
        cursor, fruitless = Cursor(), 0
        loop = asyncio.get_running_loop()
        while fruitless <= self._limits.listen:
            began, seen, wait_ms, status = loop.time(), cursor.events, 0.0, 0
            try:
                reply = await self._get(client, cursor)
            except Fault as fault:
                why = fault.sentence
            else:
                try:
                    status = reply.head.status
                    if 200 <= status < 300 and faults.media_type(reply.head) == "text/event-stream":
                        note(self._sink, NoteKind.STREAM, event="opened", stream="get")
                        broken = await self._reader.read(reply, cursor, "get")
                        why = broken.sentence if broken else "The server ended the stream."
                    elif status in _TRY_AGAIN:
                        refused = faults.refused(reply.target, "GET", reply.head, reply.shown)
                        why, wait_ms = refused.sentence, refused.facts.get("retry_after", 0) * 1000
                    else:
                        kind = faults.media_type(reply.head)
                        note(self._sink, NoteKind.STREAM, event="none offered", stream="get", status=status, type=kind)
                        return
                except Fault as fault:
                    why = fault.sentence
                finally:
                    await reply.close()
            if cursor.events > seen or (status == 200 and loop.time() - began >= _LIVED):
                fruitless = 0
            note(self._sink, NoteKind.STREAM, event="closed", stream="get", sentence=why)
            back_off = min(2.0**fruitless, _LONGEST_BACK_OFF) * 1000
            fruitless += 1
            if fruitless <= self._limits.listen:
                await self._pause(max(cursor.retry or 0, back_off, wait_ms))
        note(self._sink, NoteKind.STREAM, event="given up", stream="get", attempts=fruitless)

    async def _finish(self, client: HttpClient) -> None:
        await self._tasks.close()
        self._exchanges.close()
        if self.session_id:
            with contextlib.suppress(Fault, TimeoutError):
                async with asyncio.timeout(self._limits.farewell):
                    reply = await client.request("DELETE", self._target, self._headers(), stream="delete")
                    await reply.close()
        await client.close()
        self._sink.closed(None)
