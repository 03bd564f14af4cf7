"""Puts the demo's parts together into a server of the official SDK."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError
from mcp_types import EmptyResult, Icon, SetLevelRequestParams
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from . import apps, asking, basics, contents, corners, live, prompts, resources, tasks
from .arguments import problems, with_defaults
from .call import INVALID_PARAMS, Call, NeedsInput, declares
from .core_tasks import CoreTasks
from .parts import Json, Prompt, Resource, Tool, icons, tool_error
from .state import State

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from mcp.server.context import ServerRequestContext
    from mcp.server.models import InitializationOptions
    from mcp_types import (
        CallToolRequestParams,
        CompleteRequestParams,
        GetPromptRequestParams,
        PaginatedRequestParams,
        ReadResourceRequestParams,
        SubscribeRequestParams,
        UnsubscribeRequestParams,
    )

    Context = ServerRequestContext[Any, Any]

VERSION = "1.0.0"
RESOURCE_NOT_FOUND = -32002
CLOCK_TTL_MS = 30_000
PAGE = 6
"""Resources on one page: few, so that paging can be seen."""

INSTRUCTIONS = """\
This is the demo server of MCP Inspector. Everything here is made up, nothing reaches the network.
Start with echo and get_weather; slow shows progress and cancelling; ask_name asks back.
Read demo://docs/guide.md for a walk through all of it."""


class Demo:
    """The handlers, around the state of this process."""

    def __init__(self) -> None:
        self.state = State()
        counter = Resource(
            resources.COUNTER,
            "counter",
            "A counter",
            "Subscribe to it, then call count_up.",
            "text/plain",
            lambda: [{"text": str(self.state.counter)}],
        )
        clock = Resource(
            resources.CLOCK,
            "clock",
            "A clock",
            "May be used again for 30 s (2026-07-28): read it twice, then fresh.",
            "text/plain",
            lambda: [{"text": time.strftime("%H:%M:%S")}],
        )
        groups = (basics.TOOLS, contents.TOOLS, apps.TOOLS, live.TOOLS, asking.TOOLS, tasks.TOOLS, corners.TOOLS)
        self._tools = {tool.name: tool for group in groups for tool in group}
        self._resources = {each.uri: each for each in (*resources.RESOURCES, counter, clock, apps.RESOURCE)}
        self._prompts = {prompt.name: prompt for prompt in prompts.PROMPTS}

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Tools by name, with those that were added."""
        return {**self._tools, **self.state.tools}

    @property
    def resources(self) -> Mapping[str, Resource]:
        """Resources by URI, with those that were added."""
        return {**self._resources, **{each.uri: each for each in self.state.resources.values()}}

    @property
    def prompts(self) -> Mapping[str, Prompt]:
        """Prompts by name, with those that were added."""
        return {**self._prompts, **self.state.prompts}

    async def list_tools(self, context: Context, params: PaginatedRequestParams | None) -> Json:
        """tools/list, in one page."""
        self.state.meet(context)
        declared = context.session.client_capabilities
        return {"tools": [tool.listed() for tool in self.tools.values() if declares(declared, *tool.needs)]}

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> Json:
        """tools/call: wrong arguments are the tool's error, an unknown tool is the protocol's."""
        self.state.meet(context)
        tool = self.tools.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        schema = tool.input_schema
        arguments = with_defaults(schema, params.arguments or {})
        if wrong := problems(schema, arguments):
            return tool_error("These arguments do not fit: " + "; ".join(wrong) + ".")
        try:
            return await tool.run(Call(context, arguments, self.state, context.params or {}, schema))
        except NeedsInput as ask:
            return {"resultType": "input_required", "inputRequests": ask.requests, "requestState": ask.state}
        except LookupError as error:
            return tool_error(str(error))

    async def list_resources(self, context: Context, params: PaginatedRequestParams | None) -> Json:
        """resources/list, in pages."""
        self.state.meet(context)
        listed = [each.listed() for each in self.resources.values()]
        cursor = params.cursor if params else None
        if cursor is not None and not (cursor.startswith("after-") and cursor[6:].isdecimal()):
            raise MCPError(INVALID_PARAMS, f"This cursor is not from here: {cursor}")
        start = int(cursor[6:]) if cursor else 0
        end = start + PAGE
        return {"resources": listed[start:end]} | ({"nextCursor": f"after-{end}"} if end < len(listed) else {})

    async def list_templates(self, context: Context, params: PaginatedRequestParams | None) -> Json:
        """resources/templates/list."""
        return {"resourceTemplates": [template.listed() for template in resources.TEMPLATES]}

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> Json:
        """resources/read, of a resource or of a template."""
        uri = str(params.uri)
        if found := self.resources.get(uri):
            hint = {"ttlMs": CLOCK_TTL_MS, "cacheScope": "private"} if uri == resources.CLOCK else {}
            modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
            return self._contents(uri, found.mime, found.read()) | (hint if modern else {})
        for template in resources.TEMPLATES:
            items = template.match(uri)
            if items is not None:
                return self._contents(uri, template.mime, items)
        code = INVALID_PARAMS if context.protocol_version in MODERN_PROTOCOL_VERSIONS else RESOURCE_NOT_FOUND
        raise MCPError(code, f"Resource not found: {uri}", {"uri": uri})

    @staticmethod
    def _contents(uri: str, mime: str, items: Sequence[Json]) -> Json:
        return {"contents": [{"uri": uri, "mimeType": mime, **item} for item in items]}

    async def subscribe(self, context: Context, params: SubscribeRequestParams) -> EmptyResult:
        """resources/subscribe of the legacy versions."""
        self.state.subscribe(context, str(params.uri))
        return EmptyResult()

    async def unsubscribe(self, context: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """resources/unsubscribe of the legacy versions."""
        self.state.unsubscribe(context, str(params.uri))
        return EmptyResult()

    async def list_prompts(self, context: Context, params: PaginatedRequestParams | None) -> Json:
        """prompts/list."""
        self.state.meet(context)
        return {"prompts": [prompt.listed() for prompt in self.prompts.values()]}

    async def get_prompt(self, context: Context, params: GetPromptRequestParams) -> Json:
        """prompts/get."""
        prompt = self.prompts.get(params.name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name}")
        given = params.arguments or {}
        missing = [each.name for each in prompt.arguments if each.required and not given.get(each.name)]
        if missing:
            raise MCPError(INVALID_PARAMS, f"The prompt {prompt.name} needs: {', '.join(missing)}")
        return {"description": prompt.description, "messages": list(prompt.get(given))}

    async def complete(self, context: Context, params: CompleteRequestParams) -> Json:
        """completion/complete: what begins with the typed text first, then what holds it."""
        chosen = (params.context.arguments or {}) if params.context else {}
        name, typed = params.argument.name, params.argument.value.casefold()
        values = self._candidates(params.ref, name)
        found = [value for value in (values(chosen) if values else ()) if typed in value.casefold()]
        found.sort(key=lambda value: not value.casefold().startswith(typed))
        return {"completion": {"values": found[:100], "total": len(found), "hasMore": len(found) > 100}}

    def _candidates(self, ref: Any, name: str) -> Any:
        if ref.type == "ref/prompt":
            prompt = self.prompts.get(ref.name)
            return next((each.values for each in (prompt.arguments if prompt else ()) if each.name == name), None)
        return next((each.completions.get(name) for each in resources.TEMPLATES if each.uri == ref.uri), None)

    async def set_level(self, context: Context, params: SetLevelRequestParams) -> EmptyResult:
        """logging/setLevel of the legacy versions."""
        self.state.set_level(context, params.level)
        return EmptyResult()

    def tool_schema(self, name: str) -> Json | None:
        """The input schema of a tool, for the SDK's check of the headers that repeat arguments."""
        tool = self.tools.get(name)
        return tool.input_schema if tool else None


class DemoServer(Server[Any]):
    """The SDK's server, which announces to legacy clients that the lists change."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **more: Any
    ) -> InitializationOptions:
        """What the handshake announces. Transports of the SDK ask for it themselves, without arguments."""
        all_change = NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True)
        return super().create_initialization_options(notification_options or all_change, *args, **more)


def build() -> DemoServer:
    """The demo server, ready to be run on any transport."""
    demo = Demo()
    fixed, live = CacheHint(ttl_ms=60_000, scope="public"), CacheHint()
    server = DemoServer(
        "mcp-inspector-demo",
        version=VERSION,
        title="Demo server",
        description="One thing to try for each part of the protocol.",
        instructions=INSTRUCTIONS,
        icons=[Icon.model_validate(icon) for icon in icons("logo") or ()],
        cache_hints={
            "server/discover": fixed,
            "resources/templates/list": fixed,
            "tools/list": live,
            "resources/list": live,
            "resources/read": live,
            "prompts/list": live,
        },
        get_tool_input_schema=demo.tool_schema,
        on_subscribe_resource=demo.subscribe,
        on_unsubscribe_resource=demo.unsubscribe,
        on_subscriptions_listen=ListenHandler(demo.state.bus),
    )
    _add_handlers(server, demo)
    tasks.serve_tasks(server, demo.state.tasks)
    server.middleware.append(CoreTasks(demo.state))
    server.extensions[apps.EXTENSION] = {}
    server.extensions[corners.EXTRA] = {"adds": ["extra_tool"]}
    return server


def _tagged(handler: Callable[[Context, Any], Awaitable[Any]]) -> Callable[[Context, Any], Awaitable[Any]]:
    """Say what kind of result it is, as the modern era demands."""

    async def tagged(context: Context, params: Any) -> Any:
        answer = await handler(context, params)
        if isinstance(answer, dict) and context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return {"resultType": "complete", **answer}
        return answer

    return tagged


def _add_handlers(server: Server[Any], demo: Demo) -> None:
    """Handlers that answer with dictionaries, which the constructor's types do not foresee but the SDK serves."""
    import mcp_types as types

    for method, params, handler in (
        ("tools/list", types.PaginatedRequestParams, demo.list_tools),
        ("tools/call", types.CallToolRequestParams, demo.call_tool),
        ("resources/list", types.PaginatedRequestParams, demo.list_resources),
        ("resources/templates/list", types.PaginatedRequestParams, demo.list_templates),
        ("resources/read", types.ReadResourceRequestParams, demo.read_resource),
        ("prompts/list", types.PaginatedRequestParams, demo.list_prompts),
        ("prompts/get", types.GetPromptRequestParams, demo.get_prompt),
        ("completion/complete", types.CompleteRequestParams, demo.complete),
        ("logging/setLevel", types.SetLevelRequestParams, demo.set_level),
    ):
        server.add_request_handler(method, params, _tagged(handler))
