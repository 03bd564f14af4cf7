"""The command line on a terminal: laid out, without colours, and not to be steered by a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers.fixtures import Rude

pytestmark = [pytest.mark.peer, pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")]


def on_terminal(*words: str, columns: int = 60) -> str:
    """What a command shows on a terminal of this width."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    environ = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    argv = [sys.executable, "-m", "mcp_inspector", *words]
    child = subprocess.Popen(argv, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL, env=environ)
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 65536):
            shown += data
    except OSError:  # Linux says so when the child has closed its side
        pass
    finally:
        os.close(ours)
        assert child.wait(30) == 0
    return shown.decode().replace("\r\n", "\n")


def test_json_is_laid_out_and_cannot_steer(rude: Callable[..., Rude]) -> None:
    """SEC-04: raw C1 controls and direction marks are legal in JSON texts; on a terminal they become escapes."""
    body = '{"content":[],"a":"\u009b2J\u202e\U000e0041","n":1.0}'
    server = rude(on={"tools/call": [{"text": '{"jsonrpc":"2.0","id":3,"result":' + body + "}\n"}]})
    shown = on_terminal("call", "echo", "--json", "--", *server.argv)
    assert shown == '{\n  "content": [],\n  "a": "\\u009b2J\\u202e\\udb40\\udc41",\n  "n": 1.0\n}\n'
    assert json.loads(shown) == json.loads(body)


def test_lines_of_a_list_fit_and_have_no_colours(rude: Callable[..., Rude]) -> None:
    tool = {"name": "t", "description": "word " * 50, "inputSchema": {"type": "object"}}
    shown = on_terminal("list", "--", *rude(tools=[tool]).argv)
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) == 60
    assert shown.endswith("…\n")
