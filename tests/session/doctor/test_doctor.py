"""The connection doctor against servers that are well, and against each of what can be wrong."""

from __future__ import annotations

import socket
import ssl
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.route import Route
from mcp_inspector.config.vault import Vault
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.doctor.doctor import Doctor
from mcp_inspector.session.doctor.report import Report, Result
from mcp_inspector.session.ways import Ways
from tests.auth.conftest import Journal
from tests.peers.auth_server import AuthPeer, GuardedPeer, Knobs
from tests.peers.certificates import issue
from tests.peers.small_http import Http
from tests.transport.test_tls import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def examine(entry: ServerEntry) -> Report:
    """The doctor's report."""
    ways = Ways(Dialer(), vault=Vault(keyring=False), lists_at_connect=False)
    return await Doctor(entry, ways, Journal()).examine()


def results(report: Report) -> dict[str, str]:
    """Each check by its name."""
    return {check.name: check.result.value for check in report.checks}


@pytest.fixture
def guarded() -> Iterator[GuardedPeer]:
    auth = AuthPeer(Knobs())
    peer = GuardedPeer(auth)
    yield peer
    peer.close()
    auth.close()


async def test_a_server_that_is_well(rude: Callable[..., Any]) -> None:
    peer = rude(tools=[{"name": "one", "inputSchema": {"type": "object"}}])
    report = await examine(ServerEntry("well", command=peer.command, args=peer.args))
    assert results(report) == {"Entry": "ok", "Command": "ok", "Version": "ok", "Lists": "ok"}
    assert not report.failed
    assert "tools: 1" in report.checks[-1].details
    assert all(check.seconds for check in report.checks[2:])


async def test_a_command_that_is_not_there() -> None:
    entry = ServerEntry("gone", command="no-such-command-here", env={"PATH": "/usr/bin:/nowhere"})
    report = await examine(entry)
    assert results(report) == {"Entry": "ok", "Command": "failed"}
    assert report.checks[1].details == ("searched:", "/usr/bin", "/nowhere")
    assert "whole path" in report.checks[1].remedy


async def test_a_command_that_ends_at_once() -> None:
    entry = ServerEntry("dies", command=sys.executable, args=("-c", "import sys; sys.exit('no database')"))
    report = await examine(entry)
    assert results(report) == {"Entry": "ok", "Command": "ok", "Start": "failed"}
    assert "no database" in "\n".join(report.checks[2].details)


async def test_nobody_listens_and_a_name_that_is_unknown() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    report = await examine(ServerEntry("s", "http", url=f"http://127.0.0.1:{port}/mcp"))
    assert results(report) == {"Entry": "ok", "Proxy": "ok", "Name": "ok", "TCP": "failed"}
    report = await examine(ServerEntry("s", "http", url="http://no-such-host.invalid/mcp", route=Route(proxy="none")))
    assert results(report) == {"Entry": "ok", "Proxy": "ok", "Name": "failed"}


async def test_a_server_that_wants_a_sign_in(guarded: GuardedPeer) -> None:
    """Each URL of discovery is told; nobody is signed in, and nothing is registered."""
    guarded.knobs.resource_paths = ("/.well-known/oauth-protected-resource",)
    guarded.knobs.challenge = "Bearer"
    report = await examine(ServerEntry("notes", "http", url=guarded.url))
    assert results(report) == {
        "Entry": "ok",
        "Proxy": "ok",
        "Name": "ok",
        "TCP": "ok",
        "TLS": "ok",
        "HTTP": "ok",
        "Discovery": "ok",
        "Authorization": "failed",
    }
    urls = [line for line in report.checks[6].details if "well-known" in line]
    assert urls[0].startswith(f"not there: {guarded.http.url}/.well-known/oauth-protected-resource/mcp")
    assert urls[1].startswith(f"ok: {guarded.http.url}/.well-known/oauth-protected-resource")
    assert "mcp-inspector login notes" in report.checks[7].remedy
    assert [each.path for each in guarded.auth.seen] == ["/.well-known/oauth-authorization-server"]


@pytest.mark.parametrize(
    ("days", "host", "known", "words"),
    [
        (30, "127.0.0.1", False, "Nobody that this system trusts"),
        (-3, "127.0.0.1", True, "The certificate ended on"),
        (30, "other.example", True, "is not for 127.0.0.1, but for other.example"),
        (30, "127.0.0.1", True, ""),
        (5, "127.0.0.1", True, "It ends on"),
    ],
)
async def test_certificates(tmp_path: Path, days: int, host: str, known: bool, words: str) -> None:
    """Chain, dates, names: what is wrong, whose it is, and until when it is good."""
    roots = issue(tmp_path, "roots")
    issued = issue(tmp_path, "server", roots, days=days, host=host)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(issued.cert_file, issued.key_file)
    http = Http(answer, tls=context)
    try:
        route = Route(ca=str(roots.cert_file) if known else "")
        report = await examine(ServerEntry("s", "http", url=f"{http.url}/mcp", protocol="2025-11-25", route=route))
    finally:
        http.close()
    check = next(check for check in report.checks if check.name == "TLS")
    assert words in check.sentence
    assert any(line.startswith("valid: ") for line in check.details)
    assert f"SHA-256: {issued.fingerprint}" in check.details
    good = known and days > 0 and host == "127.0.0.1"
    assert report.failed != good
    assert (check.result is Result.ODD) == (days == 5)


async def test_plain_http_behind_an_https_url() -> None:
    http = Http(answer)
    try:
        report = await examine(ServerEntry("s", "http", url=http.url.replace("http:", "https:")))
    finally:
        http.close()
    assert "speaks plain HTTP" in report.checks[-1].sentence
    assert "http://" in report.checks[-1].remedy


async def test_a_server_that_is_no_mcp_server() -> None:
    http = Http(lambda seen: (200, b"<html>hello</html>", {"Content-Type": "text/html"}))
    try:
        report = await examine(ServerEntry("s", "http", url=f"{http.url}/mcp"))
    finally:
        http.close()
    assert results(report)["HTTP"] == "failed"
    assert "HTML" in report.checks[-1].sentence


def test_the_report_can_be_pasted() -> None:
    report = Report("a | <b> `c`")
    report.add("HTTP", Result.FAILED, "It said | no\n*really*: Bearer abcdefghijklmnop", "Try again.", 0.25, ("x: 1",))
    text = report.markdown()
    assert "# Connection doctor: a \\| ‹b> 'c'" in text
    assert "| 1 | HTTP | **failed**: It said \\| no ∗really∗: Bearer •••" in text
    assert "250 ms |" in text
    assert "abcdefghijklmnop" not in text
    assert "```\nx: 1\n```" in text
