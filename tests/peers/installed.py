"""The real peers that `bootstrap.py test` installs into a cache: where they are, or a skip with the reason.

python = installed.sdk1()                     an interpreter that has the official Python SDK 1.x
command = installed.everything("stdio")       npm's server-everything; also "sse" and "streamableHttp"
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

LIST = Path(__file__).resolve().parents[2] / ".cache" / "peers.json"


def _peer(name: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(LIST.read_text("utf-8"))[name]
    except (OSError, KeyError):
        pytest.skip(f"the peer {name} is not installed: run `python3 packaging/bootstrap.py test` once")
    if "missing" in found:
        pytest.skip(f"the peer {name} is not installed: {found['missing']}")
    return found


def sdk1() -> str:
    """The interpreter of an environment with ``mcp`` 1.x and uvicorn, and nothing of ours. Skips without it."""
    return str(_peer("sdk1")["python"])


def everything(transport: str = "stdio") -> list[str]:
    """The command of server-everything; over HTTP it listens on the port in PORT. Skips without node or npm."""
    return [*_peer("everything")["command"], transport]
