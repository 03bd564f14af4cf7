"""The demo server in this process, spoken to in plain JSON-RPC of either era."""

from __future__ import annotations

import warnings
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from tests.demo.plain_client import EVERYTHING, Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


@pytest.fixture
def connect() -> Callable[..., Any]:
    """``async with connect("legacy" | "modern", capabilities) as client``: a fresh demo server and its client."""

    @asynccontextmanager
    async def run(era: str, capabilities: dict[str, Any] | None = None) -> AsyncIterator[Client]:
        from mcp_inspector.demo.server import build

        client = Client(era, EVERYTHING if capabilities is None else capabilities)
        server = build()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r".* deprecated as of 2026-07-28")
            async with anyio.create_task_group() as group, client.to_server, client.from_server:
                group.start_soon(
                    server.run, client.from_client, client.to_client, server.create_initialization_options()
                )
                group.start_soon(client.read)
                if era == "legacy":
                    hello = {"protocolVersion": "2025-11-25", "capabilities": client.capabilities}
                    await client.request("initialize", {**hello, "clientInfo": {"name": "t", "version": "1"}})
                    await client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
                yield client
                group.cancel_scope.cancel()

    return run


@pytest.fixture(params=["legacy", "modern"])
def era(request: pytest.FixtureRequest) -> str:
    """Both eras."""
    return str(request.param)
