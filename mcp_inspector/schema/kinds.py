"""The words of the field tree: kinds, choices, alternatives, rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.schema.source import Part


class FieldKind(StrEnum):
    """What a field edits."""

    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    NULL = "null"
    ENUM = "enum"  # one of `choices`; with a single one it is a constant
    OBJECT = "object"  # named members, perhaps more
    MAP = "map"  # members named by the person
    ARRAY = "array"
    TUPLE = "tuple"  # fixed positions, perhaps more
    UNION = "union"  # one of `branches`
    ANY = "any"  # any JSON value; `branches` are its types
    RAW = "raw"  # a JSON editor; `reason` says why


@dataclass(frozen=True, slots=True)
class Choice:
    """One allowed value: its JSON text as the schema spells it, and how to call it."""

    json_text: str
    label: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative of a union: a name for it and all that applies when it is chosen."""

    label: str
    parts: tuple[Part, ...]
    reason: str = ""
    scope: tuple[str, ...] = ()
    named: str = ""
    """The name of the definition that it refers to; empty when it refers to none."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Alternatives that only differ in what is required: the names of each, and a sentence."""

    sentence: str
    options: tuple[tuple[str, ...], ...]
    exclusive: bool


@dataclass(slots=True)
class Settled:
    """What one place comes to. `reason` is set for RAW and ANY. `suggestions` are JSON texts that may be picked."""

    kind: FieldKind
    parts: tuple[Part, ...]
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    branches: tuple[Branch, ...] = ()
    rules: tuple[Rule, ...] = ()
    reason: str = ""
    suggestions: list[str] = field(default_factory=list)
    alternatives: tuple[tuple[Part, ...], ...] = ()


TYPE_PARTS: dict[str, Part] = {
    name: {"type": jsontext.parse(f'"{name}"')}
    for name in ("string", "number", "integer", "boolean", "object", "array", "null")
}
TYPE_WORDS = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "object": "object",
    "array": "list",
    "null": "null",
}
