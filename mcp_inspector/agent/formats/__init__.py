"""Tools in the function-calling shapes of the providers, with what each of them loses or refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.agent.formats import anthropic, gemini, openai
from mcp_inspector.agent.formats.definition import Definition, Effect, Format, Loss
from mcp_inspector.agent.names import RULES, Provider

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.agent.tools import AgentTool

__all__ = ["PROVIDER", "Definition", "Effect", "Format", "Loss", "define", "document"]

PROVIDER = {
    Format.OPENAI: Provider.OPENAI,
    Format.OPENAI_RESPONSES: Provider.OPENAI,
    Format.ANTHROPIC: Provider.ANTHROPIC,
    Format.GEMINI: Provider.GEMINI,
}


def define(tool: AgentTool, format: Format, *, strict: bool = False) -> Definition:
    """One tool in one shape. `strict` counts for OpenAI only. A name that is refused is a loss, too."""
    if format is Format.MCP:
        return Definition(tool, {**_original(tool), "name": tool.name})
    if format is Format.OPENAI:
        made = openai.chat(tool, strict=strict)
    elif format is Format.OPENAI_RESPONSES:
        made = openai.responses(tool, strict=strict)
    elif format is Format.ANTHROPIC:
        made = anthropic.message_tool(tool)
    else:
        made = gemini.declaration(tool)
    wrong = RULES[PROVIDER[format]].wrong(tool.name)
    if not wrong:
        return made
    return Definition(tool, made.value, (Loss("", Effect.REJECTED, f"The name is refused: {wrong}."), *made.losses))


def document(definitions: Iterable[Definition], format: Format) -> bytes:
    """What goes under `tools` of a request, as compact JSON: an array (Gemini: of one object with all declarations)."""
    values = [definition.value for definition in definitions]
    return msgspec.json.encode([{"functionDeclarations": values}] if format is Format.GEMINI else values)


def _original(tool: AgentTool) -> dict[str, msgspec.Raw]:
    """The members as the server spelled them."""
    return msgspec.json.decode(tool.item.raw, type=dict[str, msgspec.Raw])
