"""The collection over servers of others, with the command; a server that is not installed here is skipped.

npm's everything server comes with the test peers; ``python tests/end2end/real_servers.py NAME`` installs the others.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.cli.exits import Exit
from tests.end2end.real_list import SERVERS
from tests.end2end.real_servers import cache, scratch

pytestmark = pytest.mark.peer

COLLECTION = Path(__file__).with_name("real.mcp.json")


def started(name: str) -> list[str]:
    """What starts a server that is installed; skips where it is not."""
    real, place = SERVERS[name], cache() / name
    if not (place / "complete").exists():
        pytest.skip(f"{name} is not installed: run `python tests/end2end/real_servers.py {name}` once")
    if real.kind == "pip":
        return [str(place / ("Scripts" if sys.platform == "win32" else "bin") / real.program)]
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on the PATH")
    return [node, str(place / "node_modules" / real.program)]


def run(name: str, argv: list[str], data: Path, capfdbinary: pytest.CaptureFixture[bytes], count: int) -> None:
    """Run the actions of one server, and say what failed."""
    real = SERVERS.get(name)
    env = {key: value.replace("DATA", str(data)) for key, value in (real.env if real else {}).items()}
    servers = data / "servers.json"
    servers.write_text(json.dumps({"mcpServers": {name: {"command": argv[0], "args": argv[1:], "env": env}}}), "utf-8")
    words = ["run", str(COLLECTION), "--filter", f"{name}:*", "--config", str(servers), "--yes", "--json", "-q"]
    code = main(words)
    found = json.loads(capfdbinary.readouterr().out)
    assert [case["why"] for case in found["cases"] if case["why"]] == []
    assert (code, found["passed"]) == (Exit.OK, count)


def test_everything(
    everything_stdio: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("MCP_INSPECTOR_TEST_DATA", str(tmp_path))
    run("everything", list(everything_stdio), tmp_path, capfdbinary, 7)


@pytest.mark.parametrize(("name", "count"), [("memory", 1), ("time", 2), ("git", 1), ("sqlite", 1)])
def test_other_servers(
    name: str, count: int, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    command = started(name)
    data = scratch()
    try:
        monkeypatch.setenv("MCP_INSPECTOR_TEST_DATA", str(data))
        args = [word.replace("DATA", str(data)) for word in SERVERS[name].args]
        run(name, [*command, *args], data, capfdbinary, count)
    finally:
        shutil.rmtree(data, ignore_errors=True)
