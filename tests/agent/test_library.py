"""The core as scripts use it: three lines to a call, in asyncio and without."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.agent.library import connect, connected
from mcp_inspector.transport.base import Fault

if TYPE_CHECKING:
    from mcp_inspector.agent.library import Result

pytestmark = [pytest.mark.anyio, pytest.mark.peer]


@pytest.fixture
def file(tmp_path: Path, demo_stdio_command: tuple[str, ...]) -> Path:
    """A servers file of an agent: the demo, one that is broken, one that is off."""
    command, *args = demo_stdio_command
    servers = {
        "demo": {"command": command, "args": args},
        "gone": {"command": "no-such-program"},
        "off": {"command": command, "args": args, "disabled": True},
    }
    path = tmp_path / ".evo_agent" / "mcp.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


async def test_connect_list_call(file: Path) -> None:
    async with connect(file) as servers:
        assert "mcp__demo__echo" in [tool.name for tool in servers.tools()]
        assert list(servers.problems) == ["gone"]
        result = await servers.call("mcp__demo__add", a=1, b=2)
        assert (result.failed, result.value["sum"]) == (False, 3)
        assert 0 < result.seconds < 30
        assert await servers.call_text("mcp__demo__echo", {"text": "hi"}) == "hi"
        assert await servers.call_text("mcp__demo__echo", b'{"text": "h\\u0069"}') == "hi"
        assert (await servers.call_text("mcp__demo__fail")).startswith("[ERROR] ")
        unknown = await servers.call_text("mcp__demo__ech")
        assert unknown.startswith("[ERROR] ")
        assert "mcp__demo__echo" in unknown
        got: list[Result] = []
        first = servers.call_nowait("mcp__demo__echo", {"text": "later"}, got.append)
        assert (await first).text == "later"
        assert [each.text for each in got] == ["later"]
        assert len(servers.log) > 0


def test_without_asyncio(file: Path) -> None:
    came = threading.Event()
    got: list[Result] = []

    def callback(result: Result) -> None:
        got.append(result)
        came.set()

    with connected(file, ["demo"]) as servers:
        assert not servers.problems
        assert servers.call("mcp__demo__add", a=1, b=2).value["sum"] == 3
        servers.call_nowait("mcp__demo__echo", callback, text="hi")
        assert came.wait(30)
        assert got[0].text == "hi"
        assert servers.call_text("nix").startswith("[ERROR] There is no tool nix.")
    assert not [thread for thread in threading.enumerate() if thread.name == "mcp servers"]


async def test_files_that_have_nothing_are_said(tmp_path: Path, file: Path) -> None:
    with pytest.raises(FileNotFoundError):
        async with connect(tmp_path / "nix.json"):
            pass
    with pytest.raises(Fault, match=r"has no server other\. There is: demo, gone, off"):
        async with connect(file, ["other"]):
            pass


def test_the_readmes_example_runs(file: Path) -> None:
    """The example of the README, with its file's name replaced."""
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    blocks = [block for block in re.findall(r"```python\n(.*?)```", readme, re.S) if "connect" in block]
    assert blocks
    for block in blocks:
        code = textwrap.dedent(block).replace("mcp.json", str(file))
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stderr
        assert "hi" in ran.stdout
