"""OpenAI: function tools of chat completions and of the Responses API, as they are and in strict mode.

Source of the limits: OpenAI's guides "Function calling" and "Structured outputs", and the errors of its API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.agent.formats.definition import Definition, Effect, Loss, child, schema_of
from mcp_inspector.agent.formats.strict import Strict

if TYPE_CHECKING:
    from mcp_inspector.agent.tools import AgentTool

LONGEST_DESCRIPTION = 1024
_NOT_AT_ROOT = ("oneOf", "anyOf", "allOf", "enum", "not")


def chat(tool: AgentTool, *, strict: bool = False) -> Definition:
    """One entry of `tools` of a chat completion."""
    function, losses = _function(tool, strict)
    return Definition(tool, {"type": "function", "function": function}, tuple(losses))


def responses(tool: AgentTool, *, strict: bool = False) -> Definition:
    """One entry of `tools` of a response. `strict` is always said: there it is on when it is left out."""
    function, losses = _function(tool, strict)
    return Definition(tool, {"type": "function", **function, "strict": strict}, tuple(losses))


def _function(tool: AgentTool, strict: bool) -> tuple[dict[str, Any], list[Loss]]:
    schema, losses = schema_of(tool)
    function: dict[str, Any] = {"name": tool.name}
    if tool.description:
        function["description"] = tool.description
    if len(tool.description) > LONGEST_DESCRIPTION:
        why = f"The description has {len(tool.description):,} characters; over {LONGEST_DESCRIPTION:,} are refused."
        losses.append(Loss("", Effect.REJECTED, why))
    if strict:
        written = Strict(schema)
        function["parameters"] = written.schema
        function["strict"] = True
        return function, [*losses, *written.losses]
    if schema.get("type") != "object":
        losses.append(_typed(schema))
        schema = {"type": "object", **{name: value for name, value in schema.items() if name != "type"}}
    for name in _NOT_AT_ROOT:
        if name in schema:
            why = f"{name} at the top of the parameters is refused; inside of a property it is taken."
            losses.append(Loss(child("", name), Effect.REJECTED, why))
    _check(schema, "", losses, 0)
    function["parameters"] = schema
    return function, losses


def _typed(schema: dict[str, Any]) -> Loss:
    said = schema.get("type", "no type")
    return Loss("/type", Effect.CHANGED, f'The schema says {said}; "object" is said instead, which is required.')


def _check(schema: Any, pointer: str, losses: list[Loss], depth: int) -> None:
    """What is refused even without strict mode."""
    if not isinstance(schema, dict) or depth > 60:
        return
    if schema.get("type") == "array" and "items" not in schema:
        why = "An array without items is refused: say what it holds."
        losses.append(Loss(pointer, Effect.REJECTED, why))
    for name in ("properties", "$defs", "definitions"):
        parts = schema.get(name)
        for key, part in parts.items() if isinstance(parts, dict) else ():
            _check(part, child(pointer, name, key), losses, depth + 1)
    for name in ("anyOf", "oneOf", "allOf", "prefixItems"):
        parts = schema.get(name)
        for at, part in enumerate(parts if isinstance(parts, list) else ()):
            _check(part, child(pointer, name, at), losses, depth + 1)
    for name in ("items", "additionalProperties"):
        _check(schema.get(name), child(pointer, name), losses, depth + 1)
