"""A server on the official SDK 2.x, dual-era, by its high-level interface: ``stdio | http PORT | sse PORT``."""

from __future__ import annotations

import sys

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

kind = sys.argv[1]
server = MCPServer("sdk2", instructions="A dual-era server.")


class Sum(BaseModel):
    """A structured result."""

    sum: float


@server.tool()
def echo(text: str) -> str:
    """Give the text back."""
    return text


@server.tool()
def add(a: float, b: float) -> Sum:
    """Add two numbers."""
    return Sum(sum=a + b)


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("asked to fail")


@server.tool()
async def work(steps: int, ctx: Context) -> str:  # type: ignore[type-arg]
    """Report progress."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
    return "done"


@server.resource("sdk2://text")
def text() -> str:
    """A text."""
    return "text of sdk2"


@server.resource("sdk2://items/{name}")
def item(name: str) -> str:
    """An item."""
    return f"item {name}"


@server.prompt()
def greet(who: str) -> str:
    """Greet somebody."""
    return f"Hello {who}"


if kind == "stdio":
    server.run("stdio")
else:
    server.run({"http": "streamable-http", "sse": "sse"}[kind], port=int(sys.argv[2]))
