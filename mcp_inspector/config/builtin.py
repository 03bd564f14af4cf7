"""The servers that this program brings along."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from mcp_inspector.config.entry import ServerEntry

DEMO = "demo"


def demo_entry(*, lazy: bool = False) -> ServerEntry:
    """The built-in demo server over stdio; `lazy` waits for the person to connect it."""
    ours = str(Path(__file__).resolve().parents[2])  # this very copy of the package, installed or not
    return ServerEntry(
        DEMO,
        command=sys.executable,
        args=("-P", "-m", "mcp_inspector.demo"),  # -P: not what lies in the current folder, a `mcp` for example
        env={"PYTHONPATH": os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH"))))},
        description="The built-in demo server: something to try for each part of the protocol.",
        connect="lazy" if lazy else "start",
        origin="built in",
    )
