"""Where the peers of others are: the official SDK 1.x, and npm's everything server; or a skip with the reason.

``packaging/bootstrap.py test`` installs them by lock into the person's cache and writes down where, or why not. A run
of pytest alone does the same on its first need, before the first test. `tests.peers.fixtures` starts them.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LIST = ROOT / ".cache" / "peers.json"
PEERS = ("sdk1", "everything", "conformance")
"""Each is wanted by the fixtures whose names begin with it and a line: ``sdk1_http``."""


def sdk1() -> str:
    """The interpreter of an environment with ``mcp`` 1.x and uvicorn, and nothing of ours. Skips without it."""
    return str(_peer("sdk1")["python"])


def everything(transport: str = "stdio") -> list[str]:
    """The command of npm's server, for ``stdio``, ``sse`` or ``streamableHttp`` (on the port in PORT). May skip."""
    return [*_peer("everything")["command"], transport]


def conformance() -> list[str]:
    """The command of the official conformance suite. Skips without it."""
    return list(_peer("conformance")["command"])


def prepare(fixtures: set[str]) -> None:
    """Install what these fixtures need and is not there; what cannot be installed is written down as missing."""
    wanted = {name.partition("_")[0] for name in fixtures}
    names = tuple(peer for peer in PEERS if peer in wanted and not _known(peer))
    if not names:
        return
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        from boot import peers
    finally:
        sys.path.pop(0)
    peers.prepare(names)


def _known(name: str) -> dict[str, Any]:
    """What is written down about a peer: ``python`` or ``command``, or ``missing`` with the reason; else empty."""
    try:
        entry: dict[str, Any] = json.loads(LIST.read_text("utf-8"))[name]
    except (OSError, ValueError, KeyError):
        return {}
    there = entry.get("python") or (entry.get("command") or [""])[-1]
    return entry if entry.get("missing") or (there and os.path.exists(there)) else {}


def _peer(name: str) -> dict[str, Any]:
    found = _known(name)
    if not found or "missing" in found:
        why = found.get("missing", "run `python3 packaging/bootstrap.py test` once")
        pytest.skip(f"the peer {name} is not installed: {why}")
    return found
