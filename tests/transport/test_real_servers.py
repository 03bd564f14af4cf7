"""The transports with servers on the official SDK: both eras over HTTP, and the two others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.transport.base import NoteKind, Outgoing
from mcp_inspector.transport.http_sse import HttpSse
from mcp_inspector.transport.stdio import Stdio
from mcp_inspector.transport.streamable_http import StreamableHttp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.transport.base import Transport
    from tests.transport.conftest import Listener

pytest.importorskip("mcp", reason="the official SDK is not installed")
pytestmark = [pytest.mark.anyio, pytest.mark.peer]
BOTH_LOOPS = True

PEER = str(Path(__file__).parents[1] / "peers" / "sdk_server.py")
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@contextlib.contextmanager
def serving(kind: str) -> Iterator[str]:
    """A real HTTP server in a process of its own; gives its base URL."""
    server = subprocess.Popen([sys.executable, PEER, kind], stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}"
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


class Asker:
    """Sends requests over a transport and waits for the answer with their id."""

    def __init__(self, transport: Transport, listener: Listener) -> None:
        self.transport, self.listener, self.last = transport, listener, 0
        listener.on_message = self._settle

    def _settle(self, item: Any) -> None:
        if item.answers is not None and "id" in json.loads(item.raw):
            self.transport.settled(item.answers)

    async def ask(self, method: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
        self.last += 1
        ident = self.last
        body = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
        await self.transport.send(Outgoing(json.dumps(body).encode(), ident, **more))
        found: dict[str, Any] = {}

        def there() -> bool:
            assert not self.listener.faults, self.listener.faults
            for raw in self.listener.raws():
                message = json.loads(raw)
                if message.get("id") == ident and "method" not in message:
                    found.update(message)
            return bool(found)

        await self.listener.until(there)
        return found

    async def legacy(self) -> None:
        """A whole legacy conversation: handshake, sixteen calls at once, progress."""
        result = (await self.ask("initialize", INITIALIZE, opens_session=True))["result"]
        assert result["protocolVersion"] == "2025-11-25"
        self.transport.agree(result["protocolVersion"])
        await self.transport.send(Outgoing(b'{"jsonrpc":"2.0","method":"notifications/initialized"}'))
        await self.transport.listen()
        calls = [self.ask("tools/call", {"name": "echo", "arguments": {"text": f"ü{n}\u2028"}}) for n in range(16)]
        texts = [answer["result"]["content"][0]["text"] for answer in await asyncio.gather(*calls)]
        assert texts == [f"ü{n}\u2028" for n in range(16)]
        params = {"name": "count", "arguments": {"to": 3}, "_meta": {"progressToken": "p"}}
        assert (await self.ask("tools/call", params))["result"]["structuredContent"] == {"result": 3}
        progress = [json.loads(raw) for raw in self.listener.raws() if b"notifications/progress" in raw]
        assert [message["params"]["progress"] for message in progress] == [1, 2, 3]


async def test_stdio(listener: Listener) -> None:
    """Legacy over stdio."""
    stdio = Stdio([sys.executable, PEER, "stdio"])
    await stdio.open(listener)
    await Asker(stdio, listener).legacy()
    await stdio.close()
    assert listener.ends == [None]
    assert not listener.noted_as(NoteKind.SHUTDOWN)


async def test_streamable_http_legacy(listener: Listener) -> None:
    """A session with a GET stream, ended by DELETE."""
    with serving("http") as url:
        http = StreamableHttp(f"{url}/mcp")
        await http.open(listener)
        await Asker(http, listener).legacy()
        assert http.session_id
        await listener.until(lambda: [note for note in listener.notes if note.facts.get("event") == "opened"])
        await http.close()
    farewell = [note for note in listener.noted_as(NoteKind.HTTP_RESPONSE) if note.facts["method"] == "DELETE"]
    assert [note.facts["status"] for note in farewell] == [200]


async def test_streamable_http_modern(listener: Listener) -> None:
    """Stateless calls of 2026-07-28."""
    with serving("http") as url:
        http = StreamableHttp(f"{url}/mcp")
        await http.open(listener)
        asker = Asker(http, listener)

        def head(method: str, name: str = "") -> tuple[tuple[str, str], ...]:
            own = (("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method))
            return (*own, ("Mcp-Name", name)) if name else own

        found = await asker.ask("server/discover", {"_meta": META}, headers=head("server/discover"))
        assert "2026-07-28" in found["result"]["supportedVersions"]
        http.agree("2026-07-28")
        params = {"name": "echo", "arguments": {"text": "hi"}, "_meta": META}
        called = await asker.ask("tools/call", params, headers=head("tools/call", "echo"))
        assert called["result"]["content"][0]["text"] == "hi"
        assert called["result"]["resultType"] == "complete"
        await http.close()
    assert {note.facts["method"] for note in listener.noted_as(NoteKind.HTTP_REQUEST)} == {"POST"}


async def test_http_sse(listener: Listener) -> None:
    """The old transport."""
    with serving("sse") as url:
        sse = HttpSse(f"{url}/sse")
        await sse.open(listener)
        await Asker(sse, listener).legacy()
        await sse.close()
    assert listener.ends == [None]
