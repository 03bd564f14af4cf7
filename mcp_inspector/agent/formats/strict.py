"""The subset of JSON Schema that OpenAI's strict mode takes: every member required, nothing else allowed.

An optional member becomes one that may be null, which is what the guide "Structured outputs" advises; the tool must
then take null, or whoever calls it leaves nulls out.
"""

from __future__ import annotations

from typing import Any

from mcp_inspector.agent.formats.definition import Effect, Loss, child
from mcp_inspector.agent.formats.references import merged

_KEPT = frozenset(
    {
        "type",
        "title",
        "description",
        "enum",
        "const",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "$ref",
        "$defs",
        "definitions",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    }
)
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_REFUSED = frozenset(
    {
        "not",
        "if",
        "then",
        "else",
        "dependentRequired",
        "dependentSchemas",
        "patternProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "contains",
        "minContains",
        "maxContains",
        "uniqueItems",
        "prefixItems",
    }
)
_SILENT = frozenset(
    {"$schema", "$id", "$comment", "$anchor", "$dynamicAnchor", "examples", "deprecated", "readOnly", "writeOnly"}
)
MOST_MEMBERS, MOST_ENUM, MOST_CHARACTERS, MOST_LEVELS = 5_000, 1_000, 120_000, 10


class Strict:
    """A schema written for strict mode: `schema`, with `losses` against the original."""

    def __init__(self, original: dict[str, Any]) -> None:
        self.losses: list[Loss] = []
        self._members = self._enums = self._characters = self._levels = 0
        root = dict(original)
        if "anyOf" in root or "oneOf" in root:
            self._lose("", Effect.REJECTED, "Alternatives at the top of the parameters are refused in strict mode.")
        if root.get("type") != "object":
            root["type"] = "object"
            self._lose("/type", Effect.CHANGED, 'The top must have the type "object", which is said now.')
        self.schema = self._written(root, "", 0)
        self._limits()

    def _written(self, original: Any, pointer: str, level: int) -> Any:
        if not isinstance(original, dict):
            self._lose(pointer, Effect.REJECTED, "A schema that allows anything is refused: strict mode wants a type.")
            return {"type": "string"} if original is not False else {"type": "null"}
        if level > 60:
            self._lose(pointer, Effect.DROPPED, "It is nested too deeply: the rest is left out.")
            return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
        self._levels = max(self._levels, level)
        schema = merged(original, pointer, self.losses)
        out: dict[str, Any] = {}
        for name, value in schema.items():
            self._keyword(out, name, value, pointer, level)
        if "type" not in out and not {"anyOf", "$ref", "enum", "const"} & out.keys():
            self._lose(pointer, Effect.REJECTED, "It has no type, which strict mode wants.")
        if "object" in _types(out) or "properties" in out:
            self._close(out, schema, pointer, level)
        if "array" in _types(out) and "items" not in out:
            self._lose(pointer, Effect.REJECTED, "An array without items is refused: say what it holds.")
        return out

    def _keyword(self, out: dict[str, Any], name: str, value: Any, pointer: str, level: int) -> None:
        here = child(pointer, name)
        if name in ("properties", "required", "additionalProperties"):
            return  # with the object as a whole
        if name in ("anyOf", "oneOf") and isinstance(value, list):
            if name == "oneOf":
                self._lose(here, Effect.CHANGED, "oneOf becomes anyOf: that exactly one holds is not said any more.")
            parts = [self._written(each, child(here, at), level) for at, each in enumerate(value)]
            out["anyOf"] = [*out.get("anyOf", []), *parts]
        elif name in ("$defs", "definitions") and isinstance(value, dict):
            out[name] = {key: self._written(each, child(here, key), level) for key, each in value.items()}
        elif name == "items":
            out[name] = self._written(value, here, level + 1)
        elif name == "format" and value not in _FORMATS:
            self._lose(here, Effect.DROPPED, f"The format {value} is not known there.")
        elif name in _REFUSED:
            self._lose(here, Effect.DROPPED, f"{name} is not taken in strict mode: the model is not held to it.")
        elif name == "default":
            self._lose(here, Effect.DROPPED, "default is not taken in strict mode: the model always says a value.")
        elif name in _KEPT:
            out[name] = value
            if name == "enum" and isinstance(value, list):
                self._enums += len(value)
                self._characters += sum(len(each) for each in value if isinstance(each, str))
        elif name not in _SILENT:
            self._lose(here, Effect.DROPPED, f"{name} is not taken in strict mode.")

    def _close(self, out: dict[str, Any], schema: dict[str, Any], pointer: str, level: int) -> None:
        members = schema.get("properties")
        members = members if isinstance(members, dict) else {}
        more = schema.get("additionalProperties")
        if isinstance(more, dict) or (more is True and not members):
            why = "A map with free member names cannot be said in strict mode: the model can give no member of it."
            self._lose(child(pointer, "additionalProperties"), Effect.REJECTED, why)
        elif more is not False and pointer:
            self._lose(pointer, Effect.CHANGED, "Members that the schema does not name are forbidden now.")
        required = schema.get("required")
        wanted = set(map(str, required)) if isinstance(required, list) else set()
        out["properties"] = {}
        for name, part in members.items():
            here = child(pointer, "properties", name)
            written = self._written(part, here, level + 1)
            if name not in wanted:
                written = self._nullable(written, here)
            out["properties"][name] = written
            self._members += 1
            self._characters += len(name)
        out["required"] = list(members)
        out["additionalProperties"] = False

    def _nullable(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        why = "It is optional; in strict mode it is required and may be null instead."
        kinds = _types(schema)
        if "null" in kinds:
            return schema
        self._lose(pointer, Effect.CHANGED, why)
        if kinds and "anyOf" not in schema and "const" not in schema:
            out = {**schema, "type": [*kinds, "null"]}
            if isinstance(out.get("enum"), list):
                out["enum"] = [*out["enum"], None]
            return out
        told: dict[str, Any] = {name: schema[name] for name in ("title", "description") if name in schema}
        inner = {name: value for name, value in schema.items() if name not in told}
        if list(inner) == ["anyOf"]:
            return {**told, "anyOf": [*inner["anyOf"], {"type": "null"}]}
        return {**told, "anyOf": [inner, {"type": "null"}]}

    def _limits(self) -> None:
        for count, most, what in (
            (self._members, MOST_MEMBERS, "members in all"),
            (self._enums, MOST_ENUM, "values of enums in all"),
            (self._characters, MOST_CHARACTERS, "characters in names and enum values"),
            (self._levels, MOST_LEVELS, "levels of nesting"),
        ):
            if count > most:
                self._lose("", Effect.REJECTED, f"It has {count:,} {what}; strict mode takes {most:,}.")

    def _lose(self, pointer: str, effect: Effect, sentence: str) -> None:
        self.losses.append(Loss(pointer, effect, sentence))


def _types(schema: dict[str, Any]) -> list[str]:
    said = schema.get("type")
    return (
        [said]
        if isinstance(said, str)
        else [each for each in said if isinstance(each, str)]
        if isinstance(said, list)
        else []
    )
