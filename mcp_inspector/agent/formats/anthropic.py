"""Anthropic: tools of the Messages API. Its input schema is JSON Schema 2020-12, with a few refusals at the top."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.agent.formats.definition import Definition, Effect, Loss, child, schema_of

if TYPE_CHECKING:
    from mcp_inspector.agent.tools import AgentTool

_MEMBER = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""What a member may be called; the API refuses others with this pattern."""


def message_tool(tool: AgentTool) -> Definition:
    """One entry of `tools` of a message."""
    schema, losses = schema_of(tool)
    if schema.get("type") != "object":
        said = schema.get("type", "no type")
        losses.append(Loss("/type", Effect.CHANGED, f'The schema says {said}; "object" is required and said instead.'))
        schema = {"type": "object", **{name: value for name, value in schema.items() if name != "type"}}
    for name in ("oneOf", "allOf", "anyOf"):
        if name in schema:
            why = f"{name} at the top of the input schema is refused; inside of a property it is taken."
            losses.append(Loss(child("", name), Effect.REJECTED, why))
    _members(schema, "", losses, 0)
    value: dict[str, Any] = {"name": tool.name}
    if tool.description:
        value["description"] = tool.description
    return Definition(tool, {**value, "input_schema": schema}, tuple(losses))


def _members(schema: Any, pointer: str, losses: list[Loss], depth: int) -> None:
    if not isinstance(schema, dict) or depth > 60:
        return
    parts = schema.get("properties")
    for name, part in parts.items() if isinstance(parts, dict) else ():
        here = child(pointer, "properties", name)
        if not _MEMBER.fullmatch(name):
            why = f"The member name {name!r} is refused: 1 to 64 of A-Z a-z 0-9 _ . - are taken."
            losses.append(Loss(here, Effect.REJECTED, why))
        _members(part, here, losses, depth + 1)
    _members(schema.get("items"), child(pointer, "items"), losses, depth + 1)
