"""Echo round trips per second of our transports beside the official SDK's client, on the same small server.

    python tests/benchmarks/transport_rates.py [--loop asyncio|qasync] [--rounds N]

Each figure is the median of interleaved rounds, in processes of their own: sequential, and 64 at once. Ours decodes
each envelope and resolves a future by its id; recording is not part of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_inspector.transport.base import Fault, Key, Note, Received, Transport

SERVER = str(ROOT / "tests" / "peers" / "fast_echo.py")
PLAN = ((2000, 1), (6000, 64))


async def measure(call: Callable[[], Awaitable[object]]) -> list[float]:
    rates = []
    for count, width in PLAN:
        await asyncio.gather(*[call() for _ in range(width)])
        left = iter(range(count))

        async def worker(left: Any = left) -> None:
            for _ in left:
                await call()

        start = time.perf_counter()
        await asyncio.gather(*[worker() for _ in range(width)])
        rates.append(count / (time.perf_counter() - start))
    return rates


class Ours:
    """The least that a session does: an id, a future, an envelope."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.waiting: dict[Key, asyncio.Future[bytes]] = {}
        self.last = 0

    def received(self, item: Received) -> None:
        from mcp_inspector.wire import frame

        message = frame.read(item.raw)
        if message.id is not None and (future := self.waiting.pop(message.id, None)) is not None:
            if item.answers is not None:
                self.transport.settled(item.answers)
            future.set_result(item.raw)

    def noted(self, note: Note) -> None:
        pass

    def lost(self, key: Key, fault: Fault) -> None:
        self.waiting.pop(key).set_exception(fault)

    def closed(self, fault: Fault | None) -> None:
        pass

    async def call(self) -> bytes:
        from mcp_inspector.transport.base import Outgoing

        self.last += 1
        body = {"jsonrpc": "2.0", "id": self.last, "method": "tools/call"}
        raw = json.dumps(body | {"params": {"name": "echo", "arguments": {"text": "hello"}}}).encode()
        future = self.waiting[self.last] = asyncio.get_running_loop().create_future()
        await self.transport.send(Outgoing(raw, self.last))
        return await future


async def ours(transport: Transport) -> list[float]:
    client = Ours(transport)
    await transport.open(client)
    try:
        return await measure(client.call)
    finally:
        await transport.close()


async def sdk(streams: Any) -> list[float]:
    from mcp import ClientSession

    async with streams as pair, ClientSession(pair[0], pair[1]) as session:
        await session.initialize()
        return await measure(lambda: session.call_tool("echo", {"text": "hello"}))


async def one(what: str, port: int) -> list[float]:
    url = f"http://127.0.0.1:{port}/mcp"
    if what == "stdio ours":
        from mcp_inspector.transport.stdio import Stdio

        return await ours(Stdio([sys.executable, SERVER]))
    if what == "http ours":
        from mcp_inspector.transport.streamable_http import StreamableHttp

        return await ours(StreamableHttp(url))
    if what == "stdio sdk":
        from mcp.client.stdio import StdioServerParameters, stdio_client

        return await sdk(stdio_client(StdioServerParameters(command=sys.executable, args=[SERVER])))
    from mcp.client.streamable_http import streamable_http_client

    return await sdk(streamable_http_client(url))


def run(work: Any, loop: str) -> Any:
    if loop == "asyncio":
        return asyncio.run(work)
    import qasync
    from PySide6.QtCore import QCoreApplication

    application = QCoreApplication([])
    with qasync.QEventLoop(application) as running:
        return running.run_until_complete(work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loop", choices=["asyncio", "qasync"], action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=3)
    options = parser.parse_args()
    if options.one:
        what, loop, port = options.one
        print(json.dumps(run(one(what, int(port)), loop)))
        return
    server = subprocess.Popen([sys.executable, SERVER, "--http"], stdout=subprocess.PIPE)
    assert server.stdout is not None
    port = server.stdout.readline().decode().strip()
    try:
        for loop in options.loop or ["asyncio", "qasync"]:
            rates: dict[str, list[list[float]]] = {}
            for _ in range(options.rounds):
                for what in ("stdio ours", "stdio sdk", "http ours", "http sdk"):
                    command = [sys.executable, __file__, "--one", what, loop, port]
                    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
                    rates.setdefault(what, []).append(json.loads(done.stdout))
            middle = {
                what: [statistics.median(column) for column in zip(*rows, strict=True)] for what, rows in rates.items()
            }
            for kind in ("stdio", "http"):
                mine, theirs = middle[f"{kind} ours"], middle[f"{kind} sdk"]
                for place, name in enumerate(("sequential", "64 at once")):
                    ratio = mine[place] / theirs[place]
                    both = f"ours {mine[place]:8.0f}/s  sdk {theirs[place]:8.0f}/s  {ratio:5.1f} x"
                    print(f"{loop:8} {kind:6} {name:11} {both}", flush=True)
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
