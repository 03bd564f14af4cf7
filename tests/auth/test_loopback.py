"""The redirect listener: one answer, the right one, once."""

from __future__ import annotations

import asyncio
import socket

import pytest

from mcp_inspector.auth.loopback import Loopback
from mcp_inspector.transport.base import Fault, FaultKind

pytestmark = pytest.mark.anyio


async def ask(listener: Loopback, line: str, *headers: str, host: str = "") -> str:
    """Send one raw request, and read all that comes."""
    port = int(listener.uri.split(":")[2].split("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join((line, f"Host: {host or f'127.0.0.1:{port}'}", *headers, "", "")).encode())
    await writer.drain()
    told = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return told.decode()


async def test_only_the_exact_answer_is_taken_and_once() -> None:
    """OAU-11, SEC-01: favicon, prefetch, HEAD, wrong path, host and state change nothing."""
    listener = Loopback("http://127.0.0.1/callback")
    await listener.open()
    try:
        assert "400" in (await ask(listener, "GET /callback?code=x&state=s HTTP/1.1")).split("\r\n")[0]
        listener.expect("right")
        waiting = asyncio.ensure_future(listener.wait(20))
        refusals = [
            ("GET /favicon.ico HTTP/1.1", (), "404"),
            ("GET /?transportType=stdio&command=touch HTTP/1.1", (), "404"),
            ("GET /callback?code=x HTTP/1.1", (), "400"),
            ("GET /callback?code=x&state=wrong HTTP/1.1", (), "400"),
            ("GET /callback?code=x&state=right&state=right HTTP/1.1", (), "400"),
            ("HEAD /callback?code=x&state=right HTTP/1.1", (), "405"),
            ("POST /callback?code=x&state=right HTTP/1.1", (), "405"),
            ("GET /callback?code=x&state=right HTTP/1.1", ("Sec-Purpose: prefetch;prerender",), "503"),
            ("GET /callback/?code=x&state=right HTTP/1.1", (), "404"),
        ]
        for line, headers, status in refusals:
            assert status in (await ask(listener, line, *headers)).split("\r\n")[0], line
        evil = await ask(listener, "GET /callback?code=x&state=right HTTP/1.1", host="evil.example")
        assert "421" in evil.split("\r\n")[0]
        assert not waiting.done()
        page = asyncio.ensure_future(ask(listener, "GET /callback?code=x&state=right HTTP/1.1"))
        callback = await waiting
        assert dict(callback.params) == {"code": "x", "state": "right"}
        assert "410" in (await ask(listener, "GET /callback?code=x&state=right HTTP/1.1")).split("\r\n")[0]
        listener.tell(False, "It said <b>no</b>.")
        told = await page
        assert "Not signed in" in told
        assert "&lt;b&gt;no&lt;/b&gt;" in told
        assert "default-src 'none'" in told
    finally:
        await listener.close()
    with pytest.raises(ConnectionRefusedError):
        await ask(listener, "GET /callback HTTP/1.1")


async def test_it_waits_for_a_limited_time() -> None:
    listener = Loopback("http://localhost/cb")
    await listener.open()
    try:
        listener.expect("s")
        with pytest.raises(Fault) as caught:
            await listener.wait(0.01)
        assert caught.value.kind is FaultKind.TIMEOUT
    finally:
        await listener.close()


async def test_a_taken_port_is_said() -> None:
    """OAU-10."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Fault, match=f"Port {port}"):
            await Loopback(f"http://127.0.0.1:{port}/callback").open()


@pytest.mark.parametrize("uri", ["https://example.com/cb", "http://0.0.0.0:1/cb", "http://127.0.0.1:x/", "myapp:/cb"])
def test_it_listens_on_this_machine_only(uri: str) -> None:
    """SEC-01."""
    with pytest.raises(Fault):
        Loopback(uri)
