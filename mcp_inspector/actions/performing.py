"""Does one action on one server: connects it when it is not, asks the gate, fills in the variables, sends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.actions.collection import METHODS, Action, Kind
from mcp_inspector.actions.values import MissingValue, Values
from mcp_inspector.config.policy import Rule
from mcp_inspector.session import approval
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.outcome import LocalError, Outcome
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.session.approval import Decision, Gate
    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.session.server import Server

Approve = Callable[["Server", str, bytes, "Decision"], Awaitable[bool]]
"""Asks the person whether a tool may be called with these arguments; given the decision that wants it asked."""


@dataclass(frozen=True)
class Performed:
    """What was sent and how it ended. `arguments` is the JSON text as it was sent."""

    server: str
    method: str
    target: str
    arguments: bytes
    outcome: Outcome
    output_schema: bytes | None = None


class Performer:
    """Does actions on the servers that `find` knows by name.

    `yes` approves what asks; without it and without `approve`, what asks is refused. One performer serves any number
    of actions at once: a server is connected and listed once.
    """

    def __init__(
        self,
        find: Callable[[str], Server | None],
        gate: Gate,
        *,
        yes: bool = False,
        approve: Approve | None = None,
    ) -> None:
        self._find, self._gate, self._yes, self._approve = find, gate, yes, approve
        self._turns: dict[str, asyncio.Lock] = {}
        self.unasked = 0
        """How many calls were refused because nobody was there to agree."""

    async def ready(self, name: str) -> Server | Fault:
        """The server, connected; or why it is not."""
        server = self._find(name)
        if server is None:
            sentence = f"No server is called {name!r}."
            return Fault(FaultKind.USAGE, sentence, "Configure it, or give it in the collection's servers.")
        async with self._turns.setdefault(name, asyncio.Lock()):
            status = await server.settled()  # one that has just crashed is still being cleared away
            if not status.up:
                server.connect()
                status = await server.settled()
                if not status.up:
                    why = status.fault.sentence if status.fault is not None else f"it is {status.words()}"
                    return Fault(FaultKind.NOT_STARTED, f"{name} is not connected: {why}")
        return server

    async def tool(self, server: Server, name: str) -> Item | None:
        """The tool as the server lists it now; its list is read when it never was."""
        await server.loaded()
        async with self._turns.setdefault(server.name, asyncio.Lock()):
            if server.catalogue[What.TOOLS].freshness in (Freshness.UNKNOWN, Freshness.STALE):
                await server.refresh(What.TOOLS, insist=True)
        return server.catalogue[What.TOOLS].by_key.get(name)

    async def perform(
        self, action: Action, values: Values, server_name: str = "", timeout: float | None = None, **hooks: Any
    ) -> Performed:
        """One action that is no chain. `server_name` stands for the action's own. Never raises but for a cancel."""
        name, method = server_name or action.server, METHODS[action.kind]
        try:
            target = values.fill_text(action.target)
            arguments = jsontext.encode(jsontext.compact(values.fill_json(action.arguments)))  # one line on the wire
        except MissingValue as missing:
            fault = Fault(FaultKind.USAGE, str(missing), "Nothing was sent.")
            return Performed(name, method, action.target, b"", LocalError(method, 0, fault=fault))
        found = await self.ready(name)
        if isinstance(found, Fault):
            return Performed(name, method, target, arguments, LocalError(method, 0, fault=found))
        limit = timeout if timeout is not None else action.timeout
        if action.kind is Kind.TOOL:
            return await self._call(found, action, target, arguments, limit, hooks)
        if action.kind is Kind.RESOURCE:
            outcome = await found.read_resource(target, timeout=limit, **hooks)
        else:
            params: dict[str, Any] = {"name": target}
            if arguments != b"{}":
                params["arguments"] = msgspec.Raw(arguments)
            outcome = await found.request(method, params, timeout=limit, **hooks)
        return Performed(name, method, target, arguments, outcome)

    async def _call(
        self,
        server: Server,
        action: Action,
        tool: str,
        arguments: bytes,
        limit: float | None,
        hooks: dict[str, Any],
    ) -> Performed:
        item = await self.tool(server, tool)
        decision = self._gate.decide(server.name, tool, item)
        refusal = await self._refusal(server, tool, arguments, decision)
        outcome: Outcome
        if refusal:
            outcome = approval.refuse(server, tool, refusal, arguments)
        else:
            outcome = await server.call_tool(tool, arguments, timeout=limit, **hooks)
        schema = item.part("outputSchema") or None if item is not None else None
        return Performed(server.name, METHODS[Kind.TOOL], tool, arguments, outcome, schema)

    async def _refusal(self, server: Server, tool: str, arguments: bytes, decision: Decision) -> str:
        """Why the call is not made; empty when it is."""
        if decision.rule is Rule.DENY:
            return f"{tool} of {server.name} was denied. {decision.why}"
        if decision.rule is Rule.ALLOW or self._yes:
            return ""
        if self._approve is None:
            self.unasked += 1
            return f"{tool} of {server.name} asks first, and nobody is there to agree. {decision.why}"
        if await self._approve(server, tool, arguments, decision):
            return ""
        return f"{tool} of {server.name} was not approved."
