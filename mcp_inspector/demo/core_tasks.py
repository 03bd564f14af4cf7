"""The tasks of 2025-11-25, which the SDK leaves out: asked for by the client, polled, their result waited for.

A middleware answers what belongs to them before the SDK, which knows no such methods in that version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import ElicitRequest, ElicitResult

from .arguments import problems, with_defaults
from .call import ANSWER_LIMIT_S, INVALID_PARAMS
from .tasks import QUESTION, TOOLS, Brew

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from .parts import Json
    from .state import State

    Context = ServerRequestContext[Any, Any]

VERSION = "2025-11-25"
CAPABILITY: Json = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
RELATED = "io.modelcontextprotocol/related-task"


class CoreTasks:
    """The middleware, around the state of this process."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._tool = TOOLS[0]
        self._methods = {
            "tasks/get": self._get,
            "tasks/list": self._list,
            "tasks/cancel": self._cancel,
            "tasks/result": self._result,
        }

    async def __call__(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Answer what is of tasks, hand on the rest."""
        context = ctx
        if context.method == "initialize":
            result = await call_next(context)
            if isinstance(result, dict) and result.get("protocolVersion") == VERSION:
                result["capabilities"] = {**result["capabilities"], "tasks": CAPABILITY}
            return result
        if context.protocol_version != VERSION:
            return await call_next(context)
        params: Mapping[str, Any] = context.params or {}
        if context.method == "tools/call" and "task" in params and params.get("name") == self._tool.name:
            return self._begin(params)
        method = self._methods.get(context.method)
        return await method(context, params) if method else await call_next(context)

    def _begin(self, params: Mapping[str, Any]) -> Json:
        arguments = with_defaults(self._tool.input_schema, params.get("arguments") or {})
        if wrong := problems(self._tool.input_schema, arguments):
            raise MCPError(INVALID_PARAMS, "These arguments do not fit: " + "; ".join(wrong) + ".")
        name = self._state.add_task(Brew(arguments["seconds"], arguments["ask"]))
        return {"task": self._state.tasks[name].core_json(name)}

    def _find(self, params: Mapping[str, Any]) -> tuple[str, Brew]:
        name = params.get("taskId")
        if name not in self._state.tasks:
            raise MCPError(INVALID_PARAMS, f"There is no task {name}.")
        return str(name), self._state.tasks[str(name)]

    async def _get(self, context: Context, params: Mapping[str, Any]) -> Json:
        name, brew = self._find(params)
        return brew.core_json(name)

    async def _list(self, context: Context, params: Mapping[str, Any]) -> Json:
        return {"tasks": [brew.core_json(name) for name, brew in self._state.tasks.items()]}

    async def _cancel(self, context: Context, params: Mapping[str, Any]) -> Json:
        name, brew = self._find(params)
        if brew.status in ("completed", "cancelled"):
            raise MCPError(INVALID_PARAMS, f"The task {name} is {brew.status} already.")
        brew.cancel()
        return brew.core_json(name)

    async def _result(self, context: Context, params: Mapping[str, Any]) -> Json:
        """Wait for the end; a task that wants input asks for it as a request of its own meanwhile."""
        name, brew = self._find(params)
        with anyio.move_on_after(brew.left):
            await brew.stopped.wait()
        related = {RELATED: {"taskId": name}}
        if brew.status == "input_required":
            await self._ask(context, brew, related)
        if brew.status == "cancelled":
            raise MCPError(INVALID_PARAMS, f"The task {name} was cancelled.")
        return {**brew.tea(), "_meta": related}

    @staticmethod
    async def _ask(context: Context, brew: Brew, related: Json) -> None:
        answer = await context.session.send_request(
            ElicitRequest.model_validate({"method": "elicitation/create", "params": {**QUESTION, "_meta": related}}),
            ElicitResult,
            request_read_timeout_seconds=ANSWER_LIMIT_S,
            metadata=ServerMessageMetadata(related_request_id=context.request_id),
        )
        brew.take(answer.model_dump(by_alias=True, mode="json", exclude_none=True))
