"""The official Python SDK's client on a given server, run by the SDK's own environment; prints one JSON object.

sdk_client.py list TARGET…                        TARGET is a URL, or a command with its arguments
sdk_client.py calls SEQUENTIAL TOGETHER TARGET…   echo calls one after another, then as many at 64 at once
sdk_client.py big BYTES TARGET…
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

AT_ONCE = 64


async def listing(client: Any) -> dict[str, float]:
    count, cursor = 0, None
    started = time.perf_counter()
    while True:
        page = await client.list_tools(cursor=cursor)
        count += len(page.tools)
        cursor = page.next_cursor
        if cursor is None:
            return {"tools": count, "seconds": time.perf_counter() - started}


async def calls(client: Any, sequential: int, together: int) -> dict[str, float]:
    import anyio

    for _ in range(50):
        await client.call_tool("echo", {"text": "warm"})
    started = time.perf_counter()
    for _ in range(sequential):
        await client.call_tool("echo", {"text": "hello"})
    alone = time.perf_counter() - started
    left = iter(range(together))

    async def caller() -> None:
        for _ in left:
            await client.call_tool("echo", {"text": "hello"})

    started = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(AT_ONCE):
            group.start_soon(caller)
    return {"sequential": sequential / alone, "together": together / (time.perf_counter() - started)}


async def big(client: Any, size: int) -> dict[str, float]:
    started = time.perf_counter()
    result = await client.call_tool("big", {"bytes": size})
    return {"seconds": time.perf_counter() - started, "bytes": len(result.content[0].text)}


async def main() -> None:
    from mcp import Client, StdioServerParameters
    from mcp.client.stdio import stdio_client

    what, *arguments = sys.argv[1:]
    numbers = [int(arguments.pop(0)) for _ in range({"list": 0, "calls": 2, "big": 1}[what])]
    target: Any = arguments[0]
    if "://" not in target:
        target = stdio_client(StdioServerParameters(command=arguments[0], args=arguments[1:]))
    async with Client(target, mode="legacy", cache=None) as client:
        work = {"list": listing, "calls": calls, "big": big}[what]
        print(json.dumps(await work(client, *numbers)))


if __name__ == "__main__":
    import anyio

    anyio.run(main)
