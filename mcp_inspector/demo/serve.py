"""Runs the demo server on stdio, or on loopback over Streamable HTTP or HTTP+SSE."""

from __future__ import annotations

import os
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

import anyio

from .server import VERSION, build

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

LOOPBACK = "127.0.0.1"
LARGEST_REQUEST = 256 << 20
"""Bytes; large, for echo to be tried with anything."""


def say(line: str) -> None:
    """A line on stderr; stdout may be the wire."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


async def stdio() -> None:
    """Serve one client on stdin and stdout until stdin is closed."""
    from mcp.server.stdio import stdio_server

    server = build()
    say(f"demo server {VERSION} on stdio")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def over_http(kind: str, port: int, with_parent: bool) -> None:
    """Serve any number of clients on loopback. `port` 0 takes a free one; the URL is told on stderr once it answers."""
    import uvicorn

    class Announcing(uvicorn.Server):
        """Tells its address when it has begun to listen."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            say(f"listening on http://{LOOPBACK}:{bound.getsockname()[1]}/{'mcp' if kind == 'http' else 'sse'}")

    # Named as TCP, since asyncio sets TCP_NODELAY for no other: without it answers wait 40 ms for acknowledgements.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((LOOPBACK, port))
    app = streamable_http_app() if kind == "http" else sse_app()
    config = uvicorn.Config(
        app, log_level="warning", http="h11", loop="asyncio", ws="none", timeout_graceful_shutdown=1
    )
    server = Announcing(config)

    def watch() -> None:
        while os.read(0, 4096):  # not by sys.stdin, whose lock this thread would hold when the interpreter ends
            pass
        server.should_exit = True

    if with_parent:
        # Whoever started us holds our stdin; when he is gone, however he ended, we end.
        threading.Thread(target=watch, daemon=True).start()
    with bound:
        await server.serve([bound])


def streamable_http_app() -> Starlette:
    """Both eras at /mcp."""
    return build().streamable_http_app(host=LOOPBACK, max_request_body_size=LARGEST_REQUEST)


def sse_app() -> Starlette:
    """The transport of 2024-11-05 at /sse."""
    from mcp.server.sse import SseServerTransport
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Mount, Route

    server = build()
    hosts = [f"{LOOPBACK}:*", "localhost:*"]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
    )
    transport = SseServerTransport("/messages/", security_settings=security, max_request_body_size=LARGEST_REQUEST)

    class Stream:
        """The endpoint of the GET stream; a class, since a function would be taken for a request handler."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            async with transport.connect_sse(scope, receive, send) as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())

    endpoint: Any = Stream()
    return Starlette(
        routes=[Route("/sse", endpoint, methods=["GET"]), Mount("/messages/", app=transport.handle_post_message)]
    )


def run(kind: str, port: int = 0, with_parent: bool = False) -> None:
    """Serve on ``stdio``, ``http`` or ``sse`` until it is ended."""
    if kind == "stdio":
        anyio.run(stdio)
    else:
        anyio.run(over_http, kind, port, with_parent)
