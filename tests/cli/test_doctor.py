"""``mcp-inspector doctor`` as a process of its own, at servers that are well and at ones that are not."""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.cli.exits import Exit
from tests.cli.test_signing import Shell
from tests.peers.certificates import issue
from tests.peers.launch import free_port
from tests.peers.small_http import Http
from tests.transport.test_tls import answer

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

pytestmark = [pytest.mark.peer, pytest.mark.timeout(60)]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A shell with a home of its own, and no proxy to this machine."""
    return Shell(tmp_path, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")


def test_a_server_over_http_that_is_well(shell: Shell, demo_http: str) -> None:
    code, out, err = shell.run("doctor", demo_http, "--json")
    assert (code, err) == (Exit.OK, "")
    told: dict[str, Any] = json.loads(out)
    assert not told["failed"]
    names = [check["name"] for check in told["checks"]]
    assert names[:4] == ["Entry", "Proxy", "Name", "TCP"]
    assert names[-1] == "Lists"
    assert {check["result"] for check in told["checks"]} <= {"ok", "skipped"}
    assert any(check["seconds"] for check in told["checks"])


def test_a_port_where_nobody_listens(shell: Shell) -> None:
    port = free_port()
    code, out, _ = shell.run("doctor", f"http://127.0.0.1:{port}/mcp")
    assert code == Exit.CONNECTION
    lines = out.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("✗ TCP: "))
    assert f"Nothing listens at 127.0.0.1 port {port}" in lines[at]
    assert lines[at + 1] == "    → Start the server, or check host and port."
    assert not any("TLS" in line for line in lines)  # what cannot be is not looked at


def test_a_certificate_that_nobody_trusts_as_markdown(shell: Shell, tmp_path: Path) -> None:
    issued = issue(tmp_path, "nobody", issue(tmp_path, "roots"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(issued.cert_file, issued.key_file)
    http = Http(answer, tls=context)
    try:
        code, out, _ = shell.run("doctor", f"{http.url}/mcp", "--markdown")
    finally:
        http.close()
    assert code == Exit.CONNECTION
    assert out.startswith("#")
    assert "Nobody that this system trusts has signed the certificate" in out
    assert "CN=roots" in out
    assert issued.fingerprint in out
    assert "tls.ca" in out
    assert http.seen == []  # nothing of MCP was sent
