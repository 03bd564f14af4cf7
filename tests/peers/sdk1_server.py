"""A server on the official SDK 1.x, for an environment of its own: ``sdk1_server.py stdio | http PORT | sse PORT``."""

from __future__ import annotations

import base64
import sys

from mcp.server.fastmcp import Context, FastMCP, Image
from mcp.types import Completion, SamplingMessage, TextContent
from pydantic import BaseModel

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)

kind = sys.argv[1]
server = FastMCP("sdk1", instructions="An older server.", port=int(sys.argv[2]) if len(sys.argv) > 2 else 0)


class Name(BaseModel):
    """What the person is asked for."""

    name: str


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
def picture() -> Image:
    """A picture of one pixel."""
    return Image(data=PIXEL, format="png")


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("asked to fail")


@server.tool()
async def work(steps: int, ctx: Context) -> str:  # type: ignore[type-arg]
    """Report progress and log messages."""
    for step in range(steps):
        await ctx.report_progress(step + 1, steps, f"step {step + 1}")
        await ctx.info(f"step {step + 1}")
    return "done"


@server.tool()
async def ask(ctx: Context) -> str:  # type: ignore[type-arg]
    """Ask the person."""
    answer = await ctx.elicit("Your name?", Name)
    return f"{answer.action} {answer.data.name if answer.action == 'accept' else ''}".strip()


@server.tool()
async def sample(ctx: Context) -> str:  # type: ignore[type-arg]
    """Ask the client's model."""
    question = SamplingMessage(role="user", content=TextContent(type="text", text="Say something."))
    answer = await ctx.session.create_message([question], max_tokens=10)
    return str(getattr(answer.content, "text", answer.content))


@server.tool()
async def roots(ctx: Context) -> str:  # type: ignore[type-arg]
    """Ask for the client's roots."""
    return ", ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@server.resource("sdk1://text")
def text() -> str:
    """A text."""
    return "text of sdk1"


@server.resource("sdk1://items/{name}")
def item(name: str) -> str:
    """An item."""
    return f"item {name}"


@server.prompt()
def greet(who: str) -> str:
    """Greet somebody."""
    return f"Hello {who}"


@server.completion()
async def complete(ref: object, argument: object, context: object) -> Completion:
    """Names that begin with the typed text."""
    value = getattr(argument, "value", "")
    return Completion(values=[name for name in ("Ada", "Alan", "Grace") if name.startswith(value)])


server.run({"stdio": "stdio", "http": "streamable-http", "sse": "sse"}[kind])
