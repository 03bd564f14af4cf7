"""HTTP+SSE of 2024-11-05: everything from the server on one GET stream, everything to it by POST to its endpoint."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mcp_inspector.transport import http_faults as faults
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.http_streams import Cursor, EventReader, Exchange, Exchanges, start
from mcp_inspector.transport.limits import Limits
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.config.route import Route
    from mcp_inspector.transport.base import Key, Outgoing, Sink
    from mcp_inspector.transport.credentials import Credentials
    from mcp_inspector.transport.http import HttpClient, Reply
    from mcp_inspector.transport.urls import Target
    from mcp_inspector.wire.eventstream import Event

_JSON = [("Content-Type", "application/json"), ("Accept", "application/json")]
_STREAM = [("Accept", "text/event-stream"), ("Cache-Control", "no-cache")]


class HttpSse:
    """The HTTP+SSE transport. `headers` are the person's own and go with every request.

    `open` waits for the endpoint that the server names and raises BAD_ENDPOINT when it names none in time or one of
    another origin, to which nothing is ever sent. The end of the stream closes the connection: CLOSED, or RESET.
    """

    name = "sse"

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
        self._tasks = Tasks()
        self._exchanges = Exchanges(self._limits.drain)
        self._client: HttpClient | None = None
        self._finishing: asyncio.Task[None] | None = None
        self._fault: Fault | None = None  # why the stream is gone

    async def open(self, sink: Sink) -> None:
        """Open the stream and wait for the endpoint. Raises `Fault`; nothing is left open then."""
        self._target = urls.parse(self._url)
        self._sink = sink
        self._endpoint: asyncio.Future[Target] = asyncio.get_running_loop().create_future()
        client = await start(self._target, self._own, self._limits, sink, self.credentials, self._route)
        try:
            async with asyncio.timeout(self._limits.connect):
                reply = await self._connect(client)
                stream = self._tasks.spawn(self._read(client, reply), "event stream")
                stream.add_done_callback(lambda _: self._endpoint.cancel())
                await self._endpoint
            if self._fault is not None:
                raise self._fault
        except BaseException as error:
            await self._tasks.close()
            await client.close()
            if isinstance(error, TimeoutError):
                sentence = f"{self._target.authority} named no endpoint within {self._limits.connect:g} s."
                hint = "The server may speak Streamable HTTP instead."
                facts = faults.facts_of(self._target, "GET")
                raise Fault(FaultKind.BAD_ENDPOINT, sentence, hint, facts) from None
            raise
        self._client = client

    async def send(self, out: Outgoing) -> None:
        """Begin a request's POST, or wait until anything else was accepted. Raises `Fault`."""
        client = self._client
        if client is None or self._finishing is not None:
            raise self._fault or Fault(FaultKind.CLOSED, "The connection is not open.")
        if out.key is None:
            try:
                async with asyncio.timeout(self._limits.accept):
                    await self._post(client, out)
            except TimeoutError:
                sentence = f"{self._target.authority} did not accept the message within {self._limits.accept:g} s."
                raise Fault(FaultKind.TIMEOUT, sentence, facts=faults.facts_of(self._target, "POST")) from None
            return
        exchange = Exchange(out.key)
        self._exchanges.add(exchange)
        exchange.task = self._tasks.spawn(self._exchange(client, out, exchange), f"POST for {out.key}")

    def agree(self, version: str) -> None:
        """This transport knows no version header."""

    async def listen(self) -> None:
        """Everything comes on the one stream."""

    def settled(self, key: Key) -> None:
        """Its POST may have no response yet: it gets `Limits.drain` seconds more."""
        self._exchanges.settled(key)

    def abandon(self, key: Key) -> None:
        """Stop waiting for the response to its POST."""
        self._exchanges.abandon(key)

    async def close(self) -> None:
        """Drop the stream and all else."""
        if self._client is not None:
            await asyncio.shield(self._begin_finish(self._client))

    async def _connect(self, client: HttpClient) -> Reply:
        reply = await client.request("GET", self._target, _STREAM, stream="sse")
        if 200 <= reply.head.status < 300 and faults.media_type(reply.head) == "text/event-stream":
            return reply
        await reply.close()
        if not 200 <= reply.head.status < 300:
            raise faults.refused(reply.target, "GET", reply.head, reply.shown)
        raise faults.wrong_content(reply.target, "GET", reply.head, reply.shown)

    async def _read(self, client: HttpClient, reply: Reply) -> None:
        reader = EventReader(self._sink, self._limits, lambda event: self._named(event, reply.target))
        fault: Fault | None = None
        try:
            fault = await reader.read(reply, Cursor(), "sse")
        except Fault as unreadable:
            fault = unreadable
        finally:
            await reply.close()
        facts = faults.facts_of(reply.target, "GET", reply.head)
        if not self._endpoint.done():
            sentence = f"{reply.target.authority} ended its event stream before it named an endpoint."
            early = Fault(FaultKind.BAD_ENDPOINT, sentence, facts=facts)
            self._endpoint.set_exception(fault if fault and fault.kind is FaultKind.BAD_CONTENT else early)
        else:
            kind, what = (FaultKind.RESET, "was cut off") if fault else (FaultKind.CLOSED, "was ended by the server")
            sentence = f"The event stream of {reply.target.authority} {what}: the connection is gone."
            self._fault = Fault(kind, sentence, facts=facts)
            if self._client is not None:
                self._begin_finish(client)

    def _named(self, event: Event, base: Target) -> bool:
        if event.event != "endpoint" or self._endpoint.done():
            return False
        text = event.data.decode("utf-8", "replace").strip()
        try:
            endpoint = base.join(text)
        except Fault as fault:
            self._endpoint.set_exception(Fault(FaultKind.BAD_ENDPOINT, f"The endpoint is no URL: {fault.sentence}"))
            return True
        if endpoint.origin != base.origin:
            sentence = (
                f"{base.authority} names an endpoint of another origin, {endpoint.scheme}://{endpoint.authority}."
            )
            hint = "Nothing was sent there. If it is right, enter the URL with that host."
            facts = faults.facts_of(base, "GET") | {"location": text}
            self._endpoint.set_exception(Fault(FaultKind.BAD_ENDPOINT, sentence, hint, facts))
        else:
            self._endpoint.set_result(endpoint)
        return True

    async def _exchange(self, client: HttpClient, out: Outgoing, exchange: Exchange) -> None:
        try:
            await self._post(client, out)
        except Fault as fault:
            if exchange.settled is None:
                self._sink.lost(exchange.key, fault)
        except Exception as error:  # a mistake of ours must not leave the request waiting for ever
            self._sink.lost(exchange.key, Fault(FaultKind.NO_REPLY, f"The exchange failed here: {error!r}."))
            raise
        finally:
            self._exchanges.remove(exchange)

    async def _post(self, client: HttpClient, out: Outgoing) -> None:
        endpoint = self._endpoint.result()
        reply = await client.request("POST", endpoint, [*_JSON, *out.headers], out.raw, stream="post", key=out.key)
        await reply.close()
        if not 200 <= reply.head.status < 300:
            raise faults.refused(reply.target, "POST", reply.head, reply.shown)

    def _begin_finish(self, client: HttpClient) -> asyncio.Task[None]:
        if self._finishing is None:
            self._finishing = self._tasks.spawn(self._finish(client), "end of the connection")
        return self._finishing

    async def _finish(self, client: HttpClient) -> None:
        if self._fault is not None:
            self._sink.closed(self._fault)
        await self._tasks.close()
        self._exchanges.close()
        await client.close()
        if self._fault is None:
            self._sink.closed(None)
