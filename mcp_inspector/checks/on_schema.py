"""The official wire types: each message against the JSON Schema of the version that it was sent under.

The rules of the other modules say more about most mistakes, so a message that one of them has faulted is not told of
twice. Schemas are compiled when the first message of their kind comes.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from mcp_inspector import resources
from mcp_inspector.checks import methods
from mcp_inspector.checks.rule import ALL, ERROR, INFO, MODERN, rule, rules_in
from mcp_inspector.checks.view import shown
from mcp_inspector.schema.problems import problems_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "resources/list": "ListResourcesResult",
    "resources/read": "ReadResourceResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "completion/complete": "CompleteResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "tasks/get": "GetTaskResult",
    "tasks/cancel": "CancelTaskResult",
    "tasks/list": "ListTasksResult",
}
_NOTIFICATIONS = {
    "notifications/cancelled": "CancelledNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/elicitation/complete": "ElicitationCompleteNotification",
    "notifications/tasks/status": "TaskStatusNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
    "notifications/initialized": "InitializedNotification",
    "notifications/roots/list_changed": "RootsListChangedNotification",
}
_REQUESTS = {
    "initialize": "InitializeRequest",
    "ping": "PingRequest",
    "server/discover": "DiscoverRequest",
    "tools/list": "ListToolsRequest",
    "tools/call": "CallToolRequest",
    "prompts/list": "ListPromptsRequest",
    "prompts/get": "GetPromptRequest",
    "resources/list": "ListResourcesRequest",
    "resources/read": "ReadResourceRequest",
    "resources/templates/list": "ListResourceTemplatesRequest",
    "resources/subscribe": "SubscribeRequest",
    "resources/unsubscribe": "UnsubscribeRequest",
    "completion/complete": "CompleteRequest",
    "logging/setLevel": "SetLevelRequest",
    "subscriptions/listen": "SubscriptionsListenRequest",
    "sampling/createMessage": "CreateMessageRequest",
    "elicitation/create": "ElicitRequest",
    "roots/list": "ListRootsRequest",
}
_ANSWERS = {
    "sampling/createMessage": "CreateMessageResult",
    "elicitation/create": "ElicitResult",
    "roots/list": "ListRootsResult",
}
_LARGEST = 4 << 20
_TOLD = 3


class _Types:
    """The types of one version: validators and the members that a type has, each made when it is first wanted."""

    def __init__(self, version: str) -> None:
        document = json.loads(resources.path(f"protocol/{version}.json").read_text("utf-8"))
        self.container = "$defs" if "$defs" in document else "definitions"
        self.types: dict[str, Any] = document[self.container]
        self._patch()
        self._dialect = document.get("$schema")
        self._validators: dict[str, jsonschema_rs.Validator | None] = {}

    def _patch(self) -> None:
        """Mistakes in the published files, by the text of the specification: what JSON is, and what a form holds."""
        for name, meant in (("JSONValue", {}), ("JSONArray", {"type": "array"}), ("JSONObject", {"type": "object"})):
            if name in self.types:
                self.types[name] = meant
        content = self.types.get("ElicitResult", {}).get("properties", {}).get("content", {})
        for option in content.get("additionalProperties", {}).get("anyOf", ()):
            if isinstance(option.get("type"), list) and "integer" in option["type"]:
                option["type"] = [*option["type"], "number"]

    def validator(self, name: str) -> jsonschema_rs.Validator | None:
        """The validator of a type; None when this version has none of that name."""
        if name not in self._validators:
            made: jsonschema_rs.Validator | None = None
            if name in self.types:
                reachable = self._reachable(name)
                schema = {"$ref": f"#/{self.container}/{name}", self.container: reachable}
                if self.container == "definitions":
                    made = jsonschema_rs.Draft7Validator(schema, offline=True)
                else:
                    made = jsonschema_rs.Draft202012Validator(schema, offline=True)
            self._validators[name] = made
        return self._validators[name]

    def members(self, name: str) -> frozenset[str]:
        """The members that an object type names."""
        properties = self.types.get(name, {}).get("properties", {})
        return frozenset(properties)

    def _reachable(self, name: str) -> dict[str, Any]:
        """A type and all that it refers to: a tenth of the whole, and so is the time to compile it."""
        found: dict[str, Any] = {}
        todo = [name]
        while todo:
            one = todo.pop()
            if one in found or one not in self.types:
                continue
            found[one] = self.types[one]
            parts: list[Any] = [self.types[one]]
            while parts:
                part = parts.pop()
                if isinstance(part, dict):
                    target = part.get("$ref")
                    if isinstance(target, str):
                        todo.append(target.rpartition("/")[2])
                    parts.extend(part.values())
                elif isinstance(part, list):
                    parts.extend(part)
        return found


@functools.cache
def types(version: str) -> _Types:
    """The types of a version; those of the newest for one that is not known."""
    return _Types(version if version in ALL else MODERN)


def _type_of(view: View) -> tuple[str, Any]:
    """The name of the type that a message or its result must have, and the value; empty when there is none."""
    kind, method = view.kind, view.method
    if kind == "response":
        result = view.message.get("result")
        if view.ours:
            return _ANSWERS.get(method, ""), result
        resulting = view.result.get("resultType", "complete")
        if view.modern and resulting != "complete":
            return "InputRequiredResult" if resulting == "input_required" else "", result
        if view.version == "2025-11-25" and isinstance(view.result.get("task"), dict):
            return "CreateTaskResult", result
        return _RESULTS.get(method, "Result"), result
    if kind == "error":
        return ("JSONRPCError" if view.version < "2025-11-25" else "JSONRPCErrorResponse"), view.message
    if kind == "notification":
        return _NOTIFICATIONS.get(method, ""), view.message
    if kind == "request":
        return _REQUESTS.get(method, ""), view.message
    return "", None


def _misfits(view: View) -> Iterator[str]:
    name, value = _type_of(view)
    if not name or not view.message or view.faulted or len(view.entry.data) > _LARGEST:
        return
    if view.kind == "error" and view.message.get("id") is None:
        return
    validator = types(view.version).validator(name)
    if validator is None:
        return
    try:
        if validator.is_valid(value):
            return
        problems = problems_of(validator.iter_errors(value), _TOLD)
    except ValueError:
        return
    for problem in problems[:_TOLD]:
        yield f"{name}: {problem.text}."


@rule("schema-misfit", 85, ERROR, "A message has the type of its version.", "schema", "message")
def schema_misfit(view: View) -> Iterator[str]:
    return _misfits(view)


@rule("own-schema-misfit", 85, ERROR, "What we send has the type of its version.", "schema", "sent message", ours=True)
def own_schema_misfit(view: View) -> Iterator[str]:
    return _misfits(view)


@rule(
    "unknown-members",
    16,
    INFO,
    "What else a result holds is legal, and unknown.",
    "schema",
    *(f"result {name}" for name in _RESULTS),
)
def unknown_members(view: View) -> Iterator[str]:
    name = _RESULTS[view.method]
    known = types(view.version).members(name)
    if not known or (view.modern and view.result.get("resultType") == "task"):
        return
    # What later versions have is told by rules that name those versions.
    allowed = known | {"_meta", "resultType", "task", "structuredContent"} | ({"serverInfo"} if view.modern else set())
    more = [member for member in view.result if member not in allowed]
    if more and view.method in (*methods.CLIENT_REQUESTS,):
        yield f"The result has {', '.join(shown(member, 40) for member in more[:8])}, which {name} does not name."


RULES = rules_in(globals())
