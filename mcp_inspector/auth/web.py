"""The requests of a sign-in, on the one HTTP client: bounded, without a token, redirects only within an origin."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_inspector.auth import places
from mcp_inspector.auth.steps import Answer, Request
from mcp_inspector.config.route import Route
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.http_streams import start
from mcp_inspector.transport.limits import BODY_KEPT, Limits
from mcp_inspector.transport.proxies import proxy_for

if TYPE_CHECKING:
    from mcp_inspector.transport.base import Key, Note, Received
    from mcp_inspector.transport.http import HttpClient
    from mcp_inspector.transport.urls import Target

LIMIT_S = 20.0
_REDIRECTS = 3
_LIMITS = Limits(message=BODY_KEPT, connect=10.0, accept=10.0)


class Web:
    """One sign-in's clients, one for each origin. Close it at the end.

    A request to a name that leads into the private network is refused when `server` (the MCP server's URL) is a public
    one, unless `private_network`.
    """

    def __init__(self, server: str, private_network: bool = False, route: Route | None = None) -> None:
        self._server = server
        self._private_allowed = private_network
        # An authorization server is another one: it is shown no client certificate, and no pin is for it.
        self._route = replace(route, cert="", key="", key_password="", pin="") if route is not None else Route()
        self._clients: dict[tuple[str, str, int], HttpClient] = {}

    async def send(self, request: Request) -> Answer:
        """Ask; what went wrong on the way is an answer, too."""
        try:
            async with asyncio.timeout(LIMIT_S):
                return await self._follow(request, urls.parse(request.url))
        except TimeoutError:
            sentence = f"There was no answer within {LIMIT_S:g} s."
            return Answer(problem=sentence, hint="Check the network and the server.")
        except Fault as fault:
            status = fault.facts.get("http_status")
            headers = tuple((str(name), str(value)) for name, value in fault.facts.get("headers", ()))
            known = status if isinstance(status, int) else 0
            return Answer(known, str(fault.facts.get("reason", "")), headers, problem=fault.sentence, hint=fault.hint)

    async def close(self) -> None:
        """Close all connections."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()

    async def _follow(self, request: Request, target: Target) -> Answer:
        for _ in range(_REDIRECTS):
            try:
                return await self._once(request, target)
            except Fault as fault:
                location = fault.facts.get("location")
                if fault.kind is not FaultKind.REDIRECT or not location or request.method != "GET":
                    raise
                following = target.join(str(location))
                if following.origin != target.origin:
                    raise
                target = following
        raise Fault(FaultKind.REDIRECT, f"{target.authority} redirects round and round.")

    async def _once(self, request: Request, target: Target) -> Answer:
        client = self._clients.get(target.origin)
        if client is None:
            await self._guard(target)
            client = self._clients[target.origin] = await start(target, {}, _LIMITS, _Nobody(), route=self._route)
        reply = await client.request(request.method, target, list(request.headers), request.body, stream="auth")
        try:
            body = reply.shown
            if len(body) >= BODY_KEPT:
                facts = {"http_status": reply.head.status, "reason": reply.head.reason}
                raise Fault(FaultKind.TOO_LARGE, f"The answer is larger than {BODY_KEPT} bytes.", facts=facts)
            return Answer(reply.head.status, reply.head.reason, reply.head.headers, body)
        finally:
            await reply.close()

    async def _guard(self, target: Target) -> None:
        """Where names lead, for what their text does not tell. A proxy looks names up by itself."""
        if self._private_allowed or proxy_for(target, self._route.proxy) is not None:
            return
        ours = urls.parse(self._server)
        if await _leads_inside(ours) or not await _leads_inside(target):
            return
        sentence = f"{target.host} leads into the private network, and {ours.host} is a public server: not asked."
        raise Fault(FaultKind.USAGE, sentence, "If this is right, allow the private network for this server.")


async def _leads_inside(target: Target) -> bool:
    if places.is_private(target.host):
        return True
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError:
        return False  # the connection will say so
    return any(places.is_private(str(address[4][0])) for address in found)


class _Nobody:
    """Nobody listens to the notes of these clients: the trail of the sign-in tells more."""

    def received(self, item: Received) -> None:
        """See `transport.base.Sink`."""

    def noted(self, note: Note) -> None:
        """See `transport.base.Sink`."""

    def lost(self, key: Key, fault: Fault) -> None:
        """See `transport.base.Sink`."""

    def closed(self, fault: Fault | None) -> None:
        """See `transport.base.Sink`."""
