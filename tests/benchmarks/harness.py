"""How things are measured: children that print one JSON object, turn by turn with their peers, medians and ratios."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ECHO = str(HERE / "echo_server.py")
LIMIT = 300.0
"""Seconds that one child may take."""


class Unmeasured(Exception):
    """This cannot be measured here; says why."""


@dataclass(frozen=True)
class Row:
    """One line of the table. `wanted` is a limit or a least ratio in words; `met` is None where nothing is promised."""

    what: str
    ours: str
    peer: str = ""
    ratio: str = ""
    wanted: str = ""
    met: bool | None = None


@dataclass
class Bench:
    """What a scenario is given: how often to repeat, and where the peers are."""

    rounds: int = 3
    peers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def here(cls, rounds: int) -> Bench:
        """With the peers that the bootstrap has installed."""
        listed = ROOT / ".cache" / "peers.json"
        return cls(rounds, json.loads(listed.read_text()) if listed.exists() else {})

    def sdk(self, name: str = "sdk2") -> str | None:
        """The interpreter of an official SDK's own environment, None where it is not installed."""
        found = self.peers.get(name, {}).get("python")
        return str(found) if found else None


def child(command: Sequence[str | Path], **environ: str) -> dict[str, Any]:
    """Run a command to its end; returns the JSON object on its last line of stdout, with `wall`, its seconds in all."""
    started = time.perf_counter()
    ended = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        env={**os.environ, **environ},
        cwd=ROOT,
    )
    wall = time.perf_counter() - started
    lines = ended.stdout.decode(errors="replace").strip().splitlines()
    if ended.returncode or not lines:
        last = ended.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it printed nothing"]
        raise Unmeasured(f"{Path(str(command[-1])).name} ended with code {ended.returncode}: {last[0][:200]}")
    try:
        figures = json.loads(lines[-1])
    except ValueError:
        figures = {}
    return {**(figures if isinstance(figures, dict) else {}), "wall": wall}


def ours(*arguments: str, loop: str = "asyncio") -> list[str]:
    """Our own side as a child: `our_client.py` on plain asyncio, or on the loop of the window (`qt`)."""
    return [sys.executable, "-P", str(HERE / "our_client.py"), "--loop", loop, *arguments]


def window(what: str, *arguments: str) -> dict[str, Any]:
    """The real window, off-screen, with folders of its own, in one scenario of `window_client.py`."""
    script = str(HERE / "window_client.py")
    number, rest = (arguments[:1], arguments[1:]) if what != "start" else ((), arguments)
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-P", script, what, repr(time.monotonic()), *number, *rest]
        return child(command, MCP_INSPECTOR_HOME=home, QT_QPA_PLATFORM="offscreen")


def first_answer() -> dict[str, float]:
    """How long the demo server takes from its start to its first answer, asked without any client."""
    command = [sys.executable, "-P", "-m", "mcp_inspector.demo", "stdio"]
    message = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}
    question = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": message})
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(f"{question}\n")
        server.stdin.flush()
        answered = bool(server.stdout.readline())
        taken = time.perf_counter() - started
        server.stdin.close()
        try:
            server.wait(5)
        finally:
            server.kill()
    if not answered:
        raise Unmeasured("the demo server gave no answer")
    return {"seconds": taken}


def sdks(python: str, *arguments: str) -> list[str]:
    """The SDK's side as a child."""
    return [python, str(HERE / "sdk_client.py"), *arguments]


def echo_command(*options: str) -> list[str]:
    """The command of the echo server on stdio."""
    return [sys.executable, ECHO, "stdio", *options]


@contextmanager
def echo_url(*options: str) -> Iterator[str]:
    """The URL of an echo server over HTTP that lives as long as the block."""
    server = subprocess.Popen(
        [sys.executable, ECHO, "http", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        server.stdout.close()
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def interleaved(rounds: int, **sides: Callable[[], dict[str, Any]] | None) -> dict[str, dict[str, float]]:
    """Run each side in turn, so that a slow minute of the machine hits all; returns the medians of their figures."""
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name, side in sides.items() if side is not None}
    for _ in range(rounds):
        for name, side in sides.items():
            if side is not None:
                taken[name].append(side())
    return {
        name: {
            key: median(figures[key] for figures in runs)
            for key, value in runs[0].items()
            if isinstance(value, int | float)
        }
        for name, runs in taken.items()
    }


def seconds(value: float) -> str:
    """A time for people."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def rate(value: float) -> str:
    """Calls per second for people."""
    return f"{value:,.0f}/s".replace(",", " ")


def megabytes(value: float) -> str:
    """Bytes for people."""
    return f"{value / 1e6:.0f} MB"


def limited(what: str, value: float, limit: float, show: Callable[[float], str], peer: float | None = None) -> Row:
    """A row where less is better and there is a limit."""
    against = ("", "") if peer is None else (show(peer), f"{peer / value:.1f} ×")
    return Row(what, show(value), *against, f"< {show(limit)}", value <= limit)


def faster(what: str, value: float, peer: float | None, least: float) -> Row:
    """A row of rates, where at least so many times the peer's is wanted."""
    if peer is None:
        return Row(what, rate(value), wanted=f"≥ {least:g} ×")
    return Row(what, rate(value), rate(peer), f"{value / peer:.1f} ×", f"≥ {least:g} ×", value >= least * peer)


def pss(pid: int) -> int:
    """The memory of a process in bytes, what is shared divided among those that share it. Linux only."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError as error:
        raise Unmeasured(f"the memory of a process is read from /proc: {error.strerror}") from error
    return 1024 * next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    marks = {True: "yes", False: "NO", None: ""}
    cells = [("", "ours", "peer", "ratio", "wanted", "met")]
    cells += [(row.what, row.ours, row.peer, row.ratio, row.wanted, marks[row.met]) for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    lines = [
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in cells
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
