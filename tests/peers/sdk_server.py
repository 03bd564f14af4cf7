"""A server on the official SDK: `sdk_server.py stdio`, or `http` / `sse`, which print their port."""

from __future__ import annotations

import socket
import sys

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("sdk peer")


@server.tool()
async def echo(text: str) -> str:
    """Say it back."""
    return text


@server.tool()
async def count(to: int, ctx: Context) -> int:
    """Report progress on the way."""
    for n in range(to):
        await ctx.report_progress(n + 1, to)
    return to


def main() -> None:
    kind = sys.argv[1]
    if kind == "stdio":
        server.run("stdio")
        return
    import uvicorn

    app = server.streamable_http_app() if kind == "http" else server.sse_app()
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="warning")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
