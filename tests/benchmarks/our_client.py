"""Our core on a given server, recording on, in a process of its own; prints one JSON object.

    our_client.py [--loop asyncio|qt] list TARGET…
    our_client.py [--loop asyncio|qt] calls SEQUENTIAL TOGETHER TARGET…
    our_client.py [--loop asyncio|qt] big BYTES TARGET…
    our_client.py [--loop asyncio|qt] flood COUNT TARGET…

TARGET is a URL, or a command with its arguments. ``qt`` is the loop of the window, without a window.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, Outcome
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.log import Log

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_inspector.session.server import Server

AT_ONCE = 64
BEAT = 0.005
"""Seconds between two beats of the heart: what comes later than that is the loop's doing."""


class Heart:
    """Beats on the loop and keeps the longest gap, in seconds, beyond its own rhythm."""

    def __init__(self) -> None:
        self.worst = 0.0
        self._last = time.perf_counter()
        self._loop = asyncio.get_running_loop()
        self._handle = self._loop.call_later(BEAT, self._beat)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.worst = max(self.worst, now - self._last - BEAT)
        self._last = now
        self._handle = self._loop.call_later(BEAT, self._beat)

    def stop(self) -> float:
        """The longest gap so far, the running one included."""
        self._handle.cancel()
        return max(self.worst, time.perf_counter() - self._last - BEAT)


def done(outcome: Outcome) -> Complete:
    """The outcome, which must be a result."""
    if not isinstance(outcome, Complete) or outcome.tool_error:
        raise SystemExit(f"the call failed: {outcome}")
    return outcome


async def echo(server: Server, text: str) -> None:
    done(await server.call_tool("echo", {"text": text}))


async def listing(server: Server, log: Log) -> dict[str, float]:
    started = time.perf_counter()
    await server.refresh(What.TOOLS)
    return {"tools": len(server.catalogue[What.TOOLS].items), "seconds": time.perf_counter() - started}


async def calls(server: Server, log: Log, sequential: int, together: int) -> dict[str, float]:
    for _ in range(50):
        await echo(server, "warm")
    started = time.perf_counter()
    for _ in range(sequential):
        await echo(server, "hello")
    alone = time.perf_counter() - started
    left = iter(range(together))

    async def caller() -> None:
        for _ in left:
            await echo(server, "hello")

    started = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(caller())
    return {"sequential": sequential / alone, "together": together / (time.perf_counter() - started)}


async def big(server: Server, log: Log, size: int) -> dict[str, float]:
    heart = Heart()
    started = time.perf_counter()
    outcome = done(await server.call_tool("big", {"bytes": size}))
    taken = time.perf_counter() - started
    await asyncio.sleep(0.05)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": taken, "bytes": len(outcome.result), "gap": heart.stop(), "peak": peak}


async def flood(server: Server, log: Log, count: int) -> dict[str, float]:
    before = len(log)
    heart = Heart()
    started = time.perf_counter()
    done(await server.call_tool("flood", {"count": count}, timeout=250))
    taken = time.perf_counter() - started
    # The call and its answer are two records.
    return {"seconds": taken, "gap": heart.stop(), "kept": len(log) - before - 2, "sent": count}


def entry_of(target: list[str]) -> ServerEntry:
    """The server to connect to, as the command line would make it."""
    if "://" in target[0]:
        return ServerEntry("bench", transport="http", url=target[0], protocol="legacy", connect="lazy")
    return ServerEntry("bench", command=target[0], args=tuple(target[1:]), protocol="legacy", connect="lazy")


async def work(options: argparse.Namespace) -> dict[str, float]:
    numbers = [int(options.rest.pop(0)) for _ in range({"list": 0, "calls": 2, "big": 1, "flood": 1}[options.what])]
    todo: Callable[..., Awaitable[dict[str, Any]]]
    todo = {"list": listing, "calls": calls, "big": big, "flood": flood}[options.what]
    with tempfile.TemporaryDirectory() as folder:
        log = Log.create(Path(folder))
        inspector = Inspector(log, Ways(Dialer(), lists_at_connect=False), [entry_of(options.rest)])
        try:
            server = inspector.servers[0]
            server.connect()
            status = await server.settled()
            if not status.up:
                raise SystemExit(f"not connected: {status.words()}: {status.fault}")
            return await todo(server, log, *numbers)
        finally:
            await inspector.close()
            log.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--loop", choices=["asyncio", "qt"], default="asyncio")
    parser.add_argument("what", choices=["list", "calls", "big", "flood"])
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.loop == "asyncio":
        figures = asyncio.run(work(options))
    else:
        import qasync
        from PySide6.QtWidgets import QApplication

        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        application = QApplication([])
        with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(application)) as runner:
            figures = runner.run(work(options))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
