"""A tool as a provider's API takes it, and what was lost on the way there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent.tools import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.agent.tools import AgentTool


class Format(StrEnum):
    """The shapes; the values are the words of the command line."""

    MCP = "mcp"
    OPENAI = "openai"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


class Effect(StrEnum):
    """What becomes of something that the provider does not know."""

    DROPPED = "dropped"  # the model is not told
    CHANGED = "changed"  # said in another way, which may allow more or less
    REJECTED = "rejected"  # the provider refuses the request, or says it does


@dataclass(frozen=True)
class Loss:
    """One difference. `pointer` is the place in the original input schema; the sentence needs no more."""

    pointer: str
    effect: Effect
    sentence: str


@dataclass(frozen=True)
class Definition:
    """A tool in one shape. `value` holds what encodes to JSON; numbers keep their spelling."""

    tool: AgentTool
    value: Mapping[str, Any]
    losses: tuple[Loss, ...] = ()

    @cached_property
    def raw(self) -> bytes:
        """As compact JSON."""
        return msgspec.json.encode(self.value)

    @property
    def tokens(self) -> int:
        """About what it costs of the context."""
        return tokens(len(self.raw))


def schema_of(tool: AgentTool) -> tuple[dict[str, Any], list[Loss]]:
    """The input schema with numbers as they are spelled; an empty object schema, and a loss, where there is none."""
    raw = tool.item.part("inputSchema")
    if not raw:
        why = "The tool has no inputSchema: the model is told that it takes no arguments."
        return {"type": "object", "properties": {}}, [Loss("", Effect.CHANGED, why)]
    try:
        value = json.loads(raw, parse_float=_spelled, parse_int=_integer, parse_constant=str)
    except (ValueError, RecursionError):
        why = "The input schema is nested too deeply or cannot be read: the model is told that it takes any object."
        return {"type": "object"}, [Loss("", Effect.CHANGED, why)]
    if not isinstance(value, dict):
        why = "The input schema is no object: the model is told that the tool takes any object."
        return {"type": "object"}, [Loss("", Effect.CHANGED, why)]
    return value, []


def child(pointer: str, *names: str | int) -> str:
    """The JSON Pointer of something inside (RFC 6901)."""
    return pointer + "".join("/" + str(name).replace("~", "~0").replace("/", "~1") for name in names)


def number(value: Any) -> float | None:
    """A number of a schema for comparison, None for anything else."""
    if isinstance(value, msgspec.Raw):
        return float(bytes(value))
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _spelled(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


def _integer(text: str) -> Any:
    return _spelled(text) if text == "-0" or len(text) > 100 else int(text)
