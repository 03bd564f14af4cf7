"""Proxies and TLS below the transports."""

from __future__ import annotations

import ssl
import subprocess
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.transport.base import Fault, FaultKind, Outgoing
from mcp_inspector.transport.proxies import proxy_for
from mcp_inspector.transport.streamable_http import StreamableHttp
from mcp_inspector.transport.tls import trust
from mcp_inspector.transport.urls import parse
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from pathlib import Path

    from tests.transport.conftest import Listener

pytestmark = pytest.mark.anyio
BOTH_LOOPS = {"test_tls_by_a_trusted_certificate"}

PING = Outgoing(b'{"jsonrpc":"2.0","id":1,"method":"ping"}', 1)


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_which_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """By scheme, with NO_PROXY honoured, and never for this machine itself."""
    monkeypatch.setenv("http_proxy", "proxy.example:3128")
    monkeypatch.setenv("https_proxy", "http://me:pw@secure.example:8080")
    monkeypatch.setenv("no_proxy", "inside.example")
    assert proxy_for(parse("http://h.example/")) == "http://proxy.example:3128"
    assert proxy_for(parse("https://h.example/")) == "http://me:pw@secure.example:8080"
    for local in ("http://localhost:1/", "http://127.0.0.2/", "http://[::1]/", "http://a.inside.example/"):
        assert proxy_for(parse(local)) is None
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:9050")
    with pytest.raises(Fault) as raised:
        proxy_for(parse("http://h.example/"))
    assert raised.value.kind is FaultKind.USAGE
    assert "socks5" in raised.value.sentence


async def test_a_request_through_a_proxy(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy gets the whole URL, as typed."""
    async with RawHttp(lambda sent, reply: reply.result(sent, {})) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url(""))
        http = StreamableHttp("http://mcp.invalid/A%2fb/?x=")
        await http.open(listener)
        await http.send(PING)
        await listener.until(lambda: listener.messages or listener.faults)
        await http.close()
    assert not listener.faults
    assert proxy.requests[0].target == "http://mcp.invalid/A%2fb/?x="
    assert proxy.requests[0].get("host") == "mcp.invalid"


async def test_a_proxy_that_refuses(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    """CONNECT answered 407: said, with the host that was meant."""
    async with RawHttp(lambda _, reply: reply.send("407 Proxy Authentication Required")) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url(""))
        http = StreamableHttp("https://mcp.invalid/")
        await http.open(listener)
        await http.send(PING)
        await listener.until(lambda: listener.messages or listener.faults)
        await http.close()
    assert proxy.requests[0].method == "CONNECT"
    assert listener.faults[0][1].kind is FaultKind.HTTP_STATUS
    assert "407" in listener.faults[0][1].sentence


async def test_tls_by_a_trusted_certificate(
    listener: Listener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server whose certificate the system trusts: twenty calls at once, a stream, a clean end."""
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    try:
        own = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
        subprocess.run([*make, *own], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    trust.cache_clear()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def play(sent: Request, reply: Reply) -> None:
        if sent.message["id"] % 2:
            await reply.result(sent, {})
        else:
            await reply.stream()
            await reply.event({"jsonrpc": "2.0", "id": sent.message["id"], "result": {}})
            await reply.end()

    async with RawHttp(play, tls=context) as server:
        http = StreamableHttp(server.url())
        await http.open(listener)
        listener.on_message = lambda item: http.settled(item.answers or 0)
        for ident in range(1, 21):
            await http.send(Outgoing(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % ident, ident))
        await listener.until(lambda: len(listener.messages) + len(listener.faults) == 20)
        await http.close()
    assert not listener.faults
    trust.cache_clear()
