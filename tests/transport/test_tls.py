"""TLS and proxies by what an entry says: roots, client certificates, one pinned certificate, a proxy of its own."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.entry_writer import members
from mcp_inspector.config.route import Route, fingerprint
from mcp_inspector.config.variables import effective
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import FaultKind
from tests.auth.conftest import Journal
from tests.peers.certificates import Issued, issue
from tests.peers.small_http import Http, Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mcp_inspector.session.status import Status

pytestmark = pytest.mark.anyio


def answer(seen: Seen) -> tuple[int, Any, dict[str, str]]:
    """An MCP server that does nothing but begin."""
    import json

    message = json.loads(seen.body) if seen.body else {}
    if seen.method != "POST" or "id" not in message:
        return (202 if seen.method == "POST" else 405), "", {}
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "tls", "version": "1"}}
    return 200, {"jsonrpc": "2.0", "id": message["id"], "result": result}, {}


@pytest.fixture
def serve() -> Iterator[Callable[..., Http]]:
    """Start a server with a certificate; `clients` are the roots of the client certificates that it wants."""
    made: list[Http] = []

    def serve(issued: Issued, clients: Issued | None = None) -> Http:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(issued.cert_file, issued.key_file)
        if clients is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(clients.cert_file)
        made.append(Http(answer, tls=context))
        return made[-1]

    yield serve
    for each in made:
        each.close()


async def connect(http: Http, route: Route) -> Status:
    """How a connection ends."""
    entry = ServerEntry("s", "http", url=f"{http.url}/mcp", protocol="2025-11-25", route=route, reconnect=0)
    inspector = Inspector(Journal(), Ways(Dialer()), [entry])
    try:
        inspector.servers[0].connect()
        return await inspector.servers[0].settled()
    finally:
        await inspector.close()


async def test_roots_of_a_file_count_beside_the_systems(serve: Callable[..., Http], tmp_path: Path) -> None:
    roots = issue(tmp_path, "roots")
    http = serve(issue(tmp_path, "server", roots))
    refused = await connect(http, Route())
    assert refused.fault is not None
    assert refused.fault.kind is FaultKind.TLS
    assert (await connect(http, Route(ca=str(roots.cert_file)))).up
    missing = await connect(http, Route(ca=str(tmp_path / "none.pem")))
    assert missing.fault is not None
    assert missing.fault.kind is FaultKind.USAGE


async def test_one_pinned_certificate_is_taken_whatever_is_wrong_with_it(
    serve: Callable[..., Http], tmp_path: Path
) -> None:
    """Expired, for another host, by nobody: it is the one. Another one is refused before anything is sent."""
    roots = issue(tmp_path, "roots")
    bad = issue(tmp_path, "server", roots, days=-5, host="elsewhere.example")
    http = serve(bad)
    assert not (await connect(http, Route(ca=str(roots.cert_file)))).up
    assert (await connect(http, Route(pin=bad.fingerprint))).up
    untouched = serve(bad)
    other = await connect(untouched, Route(pin=roots.fingerprint))
    assert other.fault is not None
    assert other.fault.kind is FaultKind.TLS
    assert "not the pinned one" in other.fault.sentence
    assert untouched.seen == []


async def test_a_client_certificate(serve: Callable[..., Http], tmp_path: Path) -> None:
    roots = issue(tmp_path, "roots")
    http = serve(issue(tmp_path, "server", roots), roots)
    client = issue(tmp_path, "client", roots)
    assert not (await connect(http, Route(ca=str(roots.cert_file)))).up
    with_it = Route(ca=str(roots.cert_file), cert=str(client.cert_file), key=str(client.key_file))
    assert (await connect(http, with_it)).up
    broken = await connect(http, Route(ca=str(roots.cert_file), cert=str(client.cert_file)))
    assert broken.fault is not None
    assert "client certificate" in broken.fault.sentence


async def test_a_proxy_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own wins over that of the environment, for this machine too, and ``none`` is none."""
    proxy, server = Http(answer), Http(answer)
    try:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        assert (await connect(server, Route(proxy=proxy.url))).up
        assert proxy.seen[0].path == f"{server.url}/mcp"
        assert server.seen == []
        assert (await connect(server, Route(proxy="none"))).up
        assert server.seen
    finally:
        proxy.close()
        server.close()


def test_it_stands_in_the_servers_file() -> None:
    digits = "ab" * 32
    value = {
        "url": "https://h/mcp",
        "tls": {"ca": "~/roots.pem", "cert": "c.pem", "key": "k.pem", "keyPassword": "${secret:k}", "pin": digits},
        "proxy": "http://proxy.example:3128",
    }
    entry = read_entry("s", value)
    assert entry.problems == ()
    assert members(entry) == value
    odd = read_entry("s", {"url": "https://h/mcp", "tls": {"pin": "abc", "ca": 1}, "proxy": "socks5://h"})
    assert len(odd.problems) == 3
    assert odd.route == Route()
    assert fingerprint(":".join(["AB"] * 32)) == fingerprint(f"SHA256:{digits}") == digits


def test_what_would_be_done_tells_of_it() -> None:
    """SEC-13: and an approval is for exactly that."""
    plain = effective(ServerEntry("s", "http", url="https://h/mcp"))
    pinned = effective(ServerEntry("s", "http", url="https://h/mcp", route=Route(pin="ab" * 32)))
    proxied = effective(ServerEntry("s", "http", url="https://h/mcp", route=Route(proxy="http://p:1", ca="r.pem")))
    assert any("ONLY the certificate" in words for words in pinned.dangers)
    assert proxied.lines()[-2:] == ["by: roots of r.pem beside the system's", "by: proxy http://p:1"]
    assert len({plain.digest, pinned.digest, proxied.digest}) == 3
