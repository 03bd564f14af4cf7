"""A local server that speaks as much of an OpenAI-compatible interface as is needed."""

from __future__ import annotations

import asyncio
import contextlib
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class FakeModel:
    """A local server that speaks as much of the interface as is needed."""

    def __init__(self) -> None:
        self.url = ""
        self.heads: list[str] = []
        self.bodies: list[dict[str, Any]] = []
        self.status = "200 OK"
        self.answer: Any = {
            "model": "tiny-1",
            "choices": [{"message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}],
        }
        self.hold: asyncio.Event | None = None
        self.asked = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")
        )
        self.heads.append(head)
        self.bodies.append(json.loads(await reader.readexactly(length)))
        self.asked.set()
        if self.hold is not None:
            await self.hold.wait()
        answer = self.answer(self.bodies[-1]) if callable(self.answer) else self.answer
        body = json.dumps(answer).encode()
        writer.write(f"HTTP/1.1 {self.status}\r\nContent-Type: application/json\r\n".encode())
        writer.write(f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        with contextlib.suppress(ConnectionError):  # whoever asked may have stopped waiting
            await writer.drain()
            writer.close()
            await writer.wait_closed()


@asynccontextmanager
async def fake_model() -> AsyncIterator[FakeModel]:
    model = FakeModel()
    server = await asyncio.start_server(model.serve, "127.0.0.1", 0)
    model.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield model
    finally:
        if model.hold is not None:
            model.hold.set()
        server.close()
        await server.wait_closed()
