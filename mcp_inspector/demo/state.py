"""What changes while the demo runs: a counter, what was added, who listens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError

from .call import new_key

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    from .parts import Prompt, Resource, Tool
    from .tasks import Brew


EVENTS: dict[str, ServerEvent] = {
    "tool": ToolsListChanged(),
    "resource": ResourcesListChanged(),
    "prompt": PromptsListChanged(),
}


class State:
    """One per process, shared by all its clients; `bus` feeds the modern era's subscriptions."""

    def __init__(self) -> None:
        self.counter = 0
        self.key = new_key()
        self.bus = InMemorySubscriptionBus()
        self.tools: dict[str, Tool] = {}
        self.resources: dict[str, Resource] = {}
        self.prompts: dict[str, Prompt] = {}
        self.tasks: dict[str, Brew] = {}
        self.visitors: set[str] = set()
        self._levels: dict[str, str] = {}
        self._sessions: dict[str, ServerSession] = {}
        self._subscribers: dict[str, set[str]] = {}

    def add_task(self, brew: Brew) -> str:
        """Keep a task and give it a name."""
        name = f"tea-{len(self.tasks) + 1}"
        self.tasks[name] = brew
        return name

    def meet(self, context: ServerRequestContext[Any, Any]) -> None:
        """Remember a legacy client, for the notifications that are not part of a request."""
        self._sessions[client_key(context)] = context.session

    def level_of(self, context: ServerRequestContext[Any, Any]) -> str:
        """The least log level that a legacy client wants."""
        return self._levels.get(client_key(context), "info")

    def set_level(self, context: ServerRequestContext[Any, Any], level: str) -> None:
        """What a legacy client said with logging/setLevel."""
        self._levels[client_key(context)] = level

    def subscribe(self, context: ServerRequestContext[Any, Any], uri: str) -> None:
        """A legacy client wants to hear of a resource."""
        self.meet(context)
        self._subscribers.setdefault(uri, set()).add(client_key(context))

    def unsubscribe(self, context: ServerRequestContext[Any, Any], uri: str) -> None:
        """A legacy client does not want to hear of a resource any more."""
        self._subscribers.get(uri, set()).discard(client_key(context))

    async def updated(self, uri: str) -> None:
        """Tell everybody who subscribed to a resource, in the way of his era."""
        await self.bus.publish(ResourceUpdated(uri))
        for key in tuple(self._subscribers.get(uri, ())):
            if session := self._sessions.get(key):
                await self._tell(key, lambda session=session: session.send_resource_updated(uri))  # type: ignore[misc]

    async def list_changed(self, kind: str) -> None:
        """Tell everybody that a list has changed: ``tool``, ``resource`` or ``prompt``."""
        await self.bus.publish(EVENTS[kind])
        for key, session in tuple(self._sessions.items()):
            await self._tell(key, getattr(session, f"send_{kind}_list_changed"))

    async def _tell(self, key: str, send: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await send()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, MCPError):
            self._sessions.pop(key, None)


def client_key(context: ServerRequestContext[Any, Any]) -> str:
    """What tells one legacy connection from another: the session of its transport."""
    request = context.request
    if request is None:
        return "stdio"
    return str(request.headers.get("mcp-session-id") or request.query_params.get("session_id") or "")
