"""The demo server as a process: its command line, its address, its end."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.peer

DEMO = (sys.executable, "-m", "mcp_inspector.demo")


def start(*words: str) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen((*DEMO, *words), **pipes, text=True, encoding="utf-8")


def ask(server: subprocess.Popen[str], *messages: dict[str, Any]) -> None:
    assert server.stdin
    for message in messages:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    server.stdin.flush()


HELLO = {
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def test_stdio_is_the_wire_and_nothing_else() -> None:
    with start() as server:
        ask(server, HELLO, {"method": "notifications/initialized"}, {"id": 2, "method": "tools/list"})
        assert server.stdout
        lines = [json.loads(server.stdout.readline()) for _ in range(2)]
        out, err = server.communicate(timeout=20)
    assert [line["id"] for line in lines] == [1, 2]
    assert lines[0]["result"]["capabilities"]["tools"] == {"listChanged": True}
    assert out == ""
    assert err == "demo server 1.0.0 on stdio\n"
    assert server.returncode == 0


def test_the_process_ends_in_mid_call_with_the_code_that_was_asked_for() -> None:
    with start("stdio") as server:
        ask(server, HELLO, {"method": "notifications/initialized"})
        ask(server, {"id": 2, "method": "tools/call", "params": {"name": "exit_process", "arguments": {"code": 7}}})
        assert server.stdout
        out = server.stdout.read()  # its input stays open: the call alone ends it
        server.wait(20)
    assert server.returncode == 7
    assert '"id":2' not in out


@pytest.mark.parametrize(("kind", "path"), [("http", "mcp"), ("sse", "sse")])
def test_the_address_is_told_and_the_end_follows_the_parent(kind: str, path: str) -> None:
    with start(kind, "--with-parent") as server:
        assert server.stderr
        found = re.fullmatch(rf"listening on http://127\.0\.0\.1:(\d+)/{path}\n", server.stderr.readline())
        assert found
        socket.create_connection(("127.0.0.1", int(found[1])), 5).close()
        server.communicate(timeout=20)
    assert server.returncode == 0


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start("http", "--port", str(port)) as server:
            _, err = server.communicate(timeout=20)
    assert server.returncode == 4
    assert err.startswith(f"The demo server cannot listen on port {port}: ")
    assert len(err.splitlines()) == 1


def test_the_whole_sdk_is_loaded_where_half_of_it_does_not_do() -> None:
    """A later SDK may need its outer packages: then the shortcut is taken back."""
    script = (
        "import sys, mcp_inspector.demo.trim as trim\n"
        "from mcp_inspector.demo.__main__ import load\n"
        "class Broken:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'mcp.server.caching' and 'mcp.client' not in sys.modules:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Broken())\n"
        "load()\n"
        "import mcp\n"
        "print(mcp.Client.__name__)\n"
    )
    done = subprocess.run((sys.executable, "-c", script), capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("Client\n", "")
