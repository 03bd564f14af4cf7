"""A client of a few lines that speaks plain JSON-RPC of either era over the SDK's in-memory streams."""

from __future__ import annotations

import json
from typing import Any

import anyio

META = "io.modelcontextprotocol/"
EVERYTHING: dict[str, Any] = {
    "roots": {"listChanged": True},
    "sampling": {"tools": {}},
    "elicitation": {"form": {}, "url": {}},
    "extensions": {META + "tasks": {}},
}
"""What a client can declare that knows all."""


class Failed(Exception):
    """The server answered with an error; `code` and `data` are its."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.data = error.get("data")


class Client:
    """Speaks to one server. `notes` keeps its notifications, `answers` says how its questions are answered (legacy)."""

    def __init__(self, era: str, capabilities: dict[str, Any]) -> None:
        self.era = era
        self.capabilities = capabilities
        self.notes: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        self.meta: dict[str, Any] = {}
        self.to_server, self.from_client = anyio.create_memory_object_stream[Any](100)
        self.to_client, self.from_server = anyio.create_memory_object_stream[Any](1000)
        self._waiting: dict[Any, anyio.Event] = {}
        self._replies: dict[Any, dict[str, Any]] = {}
        self._news = anyio.Event()
        self._last = 0

    async def read(self) -> None:
        """Sort what comes in, until the server is gone."""
        async for item in self.from_server:
            message = json.loads(item.message.model_dump_json(by_alias=True, exclude_unset=True))
            if "method" in message and "id" in message:
                self.asked.append(message)
                answer = self.answers[message["method"]].pop(0)
                await self.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
            elif "method" in message:
                self.notes.append(message)
                self._news.set()
                self._news = anyio.Event()
            else:
                self._replies[message["id"]] = message
                self._waiting[message["id"]].set()

    async def send(self, message: dict[str, Any]) -> None:
        """One message to the server."""
        from mcp.shared.message import SessionMessage
        from mcp_types import jsonrpc_message_adapter

        await self.to_server.send(SessionMessage(jsonrpc_message_adapter.validate_json(json.dumps(message))))

    def begin(self, method: str, params: dict[str, Any] | None = None, ident: Any = None) -> Any:
        """The message of a request, and its id remembered."""
        self._last += 1
        ident = ident if ident is not None else self._last
        params = dict(params or {})
        if self.era == "modern":
            own = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": self.capabilities}
            params["_meta"] = {**own, **self.meta, **params.get("_meta", {})}
        self._waiting[ident] = anyio.Event()
        return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}

    async def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of a request. Raises `Failed`."""
        message = self.begin(method, params)
        await self.send(message)
        return await self.result(message["id"])

    async def result(self, ident: Any) -> dict[str, Any]:
        """Wait for the answer to a request that was sent."""
        await self._waiting[ident].wait()
        reply = self._replies.pop(ident)
        if "error" in reply:
            raise Failed(reply["error"])
        found: dict[str, Any] = reply["result"]
        return found

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Call a tool."""
        return await self.request("tools/call", {"name": tool, "arguments": arguments or {}, **more})

    async def noted(self, method: str, count: int = 1) -> list[dict[str, Any]]:
        """Wait until so many notifications of a method have come; returns their params."""
        while len(found := [note.get("params", {}) for note in self.notes if note["method"] == method]) < count:
            await self._news.wait()
        return found
