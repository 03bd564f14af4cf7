"""One tool call from the person's JSON to its last outcome: headers that mirror arguments, tasks, one honest retry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.outcome import LocalError, Outcome, RpcError, TaskStarted
from mcp_inspector.session.task_runs import CoreTasks, ExtensionTasks, TaskState
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.wire import headers
from mcp_inspector.wire.handshake import HEADER_MISMATCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.server import Server
    from mcp_inspector.session.status import Identity


class ToolCall:
    """A call of one tool of a server. `arguments` as JSON text keep the spelling of every token."""

    def __init__(
        self, server: Server, name: str, arguments: bytes | Mapping[str, Any] | None, as_task: bool | None
    ) -> None:
        self._server = server
        self._name = name
        self._as_task = as_task
        self._arguments = arguments

    async def run(self, timeout: float | None, **more: Any) -> Outcome:
        """Send it, and follow it to its end if it becomes a task. `more` is as of `Server.request`."""
        server = self._server
        try:
            given = _one_line(self._arguments) if isinstance(self._arguments, bytes) else self._arguments
        except (msgspec.MsgspecError, RecursionError) as error:
            fault = Fault(FaultKind.USAGE, f"The arguments of {self._name} are not JSON: {error}.", "Nothing was sent.")
            return LocalError("tools/call", 0, fault=fault)
        params: dict[str, Any] = {"name": self._name} if given is None else {"name": self._name, "arguments": given}
        identity = server.identity
        if identity is not None and identity.era == "legacy":
            as_task = self._has_to_be_task(identity) if self._as_task is None else self._as_task
            params |= {"task": {}} if as_task else {}

        async def send() -> Outcome:
            mirrored = await self._mirrored(given)
            return await server.request("tools/call", params, timeout=timeout, headers=mirrored, **more)

        outcome = await send()
        if isinstance(outcome, RpcError) and outcome.code == HEADER_MISMATCH and self._mirrors():
            await server.refresh(What.TOOLS)  # refused before it ran: the headers follow the list, which was old
            outcome = await send()
        return await self._follow(outcome) if isinstance(outcome, TaskStarted) else outcome

    def _has_to_be_task(self, identity: Identity) -> bool:
        """Whether the tool says that it only runs as a task (2025-11-25), and its server takes tasks."""
        if identity.version != "2025-11-25" or not identity.has("tasks.requests.tools.call"):
            return False
        item = self._server.catalogue[What.TOOLS].by_key.get(self._name)
        execution = item.value.get("execution") if item is not None else None
        return isinstance(execution, dict) and execution.get("taskSupport") == "required"

    def _mirrors(self) -> bool:
        """Whether arguments may have to be mirrored into headers: the modern era over HTTP."""
        identity = self._server.identity
        return identity is not None and identity.era == "modern" and identity.transport != "stdio"

    async def _mirrored(self, given: Any) -> tuple[tuple[str, str], ...]:
        if not self._mirrors():
            return ()
        if self._server.catalogue[What.TOOLS].freshness is Freshness.UNKNOWN:
            await self._server.refresh(What.TOOLS)
        item = self._server.catalogue[What.TOOLS].by_key.get(self._name)
        schema = item.value.get("inputSchema") if item is not None else None
        if not headers.wants_arguments(schema):
            return ()
        arguments = msgspec.json.decode(given) if isinstance(given, msgspec.Raw) else given
        return headers.for_arguments(schema, arguments)

    async def _follow(self, outcome: TaskStarted) -> Outcome:
        identity = self._server.identity
        codec = CoreTasks() if identity is not None and identity.era == "legacy" else ExtensionTasks()
        state: TaskState | None = codec.state(outcome.result)
        if state is None:
            sentence = f"{self._server.name} began a task for {self._name} without an id or a status."
            return LocalError(outcome.method, outcome.call, outcome.reply, fault=Fault(FaultKind.BAD_CONTENT, sentence))
        return await self._server.follow_task(outcome, self._name, codec, state)


def _one_line(text: bytes) -> msgspec.Raw:
    """JSON text without its insignificant white space, each token as it was spelled."""
    return msgspec.Raw(msgspec.json.format(text, indent=-1))
