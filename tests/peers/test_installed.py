"""The peers that the bootstrap installs are what their names say, and answer."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.peers import installed

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
}
SERVER = "from mcp.server.fastmcp import FastMCP; FastMCP('one').run()"


def first_answer(command: list[str]) -> dict[str, object]:
    """What a stdio server answers to `initialize`; its input ends after it."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        line = server.stdout.readline()
        server.stdin.close()
        try:
            server.wait(10)
        finally:
            server.kill()
    return json.loads(line)["result"]


@pytest.mark.peer
def test_the_sdk_1_is_a_1_and_serves() -> None:
    result = first_answer([installed.sdk1(), "-c", SERVER])
    assert result["protocolVersion"] == "2025-06-18"
    info = result["serverInfo"]
    assert isinstance(info, dict)
    assert info["version"].startswith("1.")


@pytest.mark.peer
@pytest.mark.node
def test_server_everything_serves() -> None:
    result = first_answer(installed.everything("stdio"))
    assert result["protocolVersion"] == "2025-06-18"
    assert "everything" in json.dumps(result["serverInfo"])
