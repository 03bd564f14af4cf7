"""Each peer starts, answers, and is found again; a missing one is a skip with a reason."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.peers.launch import NotReady, running

if TYPE_CHECKING:
    from pathlib import Path

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("name", ["demo_stdio_command", "sdk2_command", "sdk1_command", "everything_stdio"])
def test_stdio_peers_answer(name: str, request: pytest.FixtureRequest) -> None:
    argv = request.getfixturevalue(name)
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        reply = json.loads(process.stdout.readline())
        process.stdin.close()
    assert reply["result"]["protocolVersion"] == "2025-06-18"


@pytest.mark.parametrize("name", ["demo_http", "sdk2_http", "sdk1_http", "everything_http"])
def test_http_peers_answer(name: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue(name)
    headers = {"accept": "application/json, text/event-stream"}
    with httpx.stream("POST", url, json=INITIALIZE, headers=headers, timeout=20, trust_env=False) as reply:
        assert reply.status_code == 200
        assert any('"2025-06-18"' in line for line in reply.iter_lines())


@pytest.mark.parametrize("name", ["demo_sse", "sdk2_sse", "sdk1_sse", "everything_sse"])
def test_sse_peers_answer(name: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue(name)
    with httpx.stream("GET", url, timeout=20, trust_env=False) as reply:
        assert next(reply.iter_lines()) == "event: endpoint"


def test_a_peer_that_ends_says_why(kept_processes: set[int], tmp_path: Path) -> None:
    import sys

    script = tmp_path / "broken.py"
    script.write_text("raise SystemExit('no licence')")
    with pytest.raises(NotReady, match="no licence"), running((sys.executable, str(script)), "ready", kept_processes):
        pass
