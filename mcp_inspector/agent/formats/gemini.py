"""Gemini: a function declaration, whose `parameters` are a part of OpenAPI 3.0's schema and no JSON Schema.

Source: the type Schema of the Gemini API. References are written out, alternatives become anyOf, types are in capitals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent.formats.definition import Definition, Effect, Loss, child, schema_of
from mcp_inspector.agent.formats.references import Inliner, merged

if TYPE_CHECKING:
    from mcp_inspector.agent.tools import AgentTool

_SAME = frozenset(
    {
        "title",
        "description",
        "default",
        "example",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "minimum",
        "maximum",
        "nullable",
        "propertyOrdering",
    }
)
_TEXTS = frozenset({"minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength"})
_FORMATS = {"STRING": {"enum", "date-time"}, "NUMBER": {"float", "double"}, "INTEGER": {"int32", "int64"}}
_SILENT = frozenset({"$schema", "$id", "$comment", "$anchor", "$dynamicAnchor", "deprecated", "readOnly", "writeOnly"})
_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object"})


def declaration(tool: AgentTool) -> Definition:
    """One entry of `functionDeclarations`."""
    schema, losses = schema_of(tool)
    inliner = Inliner(schema)
    written = _Writer(losses)
    parameters = written.write(inliner.inline(), "", 0)
    losses.extend(inliner.losses)
    value: dict[str, Any] = {"name": tool.name, "description": tool.description}
    if parameters.get("properties"):
        value["parameters"] = {"type": "OBJECT", **parameters}
    elif parameters.get("anyOf"):
        losses.append(
            Loss("", Effect.REJECTED, "Alternatives at the top cannot be said: the model is told no arguments.")
        )
    return Definition(tool, value, tuple(losses))


class _Writer:
    def __init__(self, losses: list[Loss]) -> None:
        self._losses = losses

    def write(self, original: Any, pointer: str, depth: int) -> dict[str, Any]:
        """The schema in the provider's way."""
        if not isinstance(original, dict) or depth > 60:
            self._lose(pointer, Effect.CHANGED, "A schema that allows anything is said to be a text.")
            return {"type": "STRING"}
        schema = merged(original, pointer, self._losses)
        out: dict[str, Any] = {}
        self._type(out, schema, pointer)
        for name, value in schema.items():
            self._keyword(out, name, value, pointer, depth)
        if out.get("type") == "ARRAY" and "items" not in out:
            self._lose(pointer, Effect.CHANGED, "An array must say what it holds: texts are said.")
            out["items"] = {"type": "STRING"}
        if "type" not in out and "anyOf" not in out:
            out["type"] = "OBJECT" if "properties" in out else "STRING"
            if out["type"] == "STRING" and "enum" not in out:
                self._lose(pointer, Effect.CHANGED, "It has no type, which is required: a text is said.")
        return out

    def _type(self, out: dict[str, Any], schema: dict[str, Any], pointer: str) -> None:
        said = schema.get("type")
        kinds = (
            [said]
            if isinstance(said, str)
            else [each for each in said if isinstance(each, str)]
            if isinstance(said, list)
            else []
        )
        if "null" in kinds:
            out["nullable"] = True
        known = [kind for kind in kinds if kind in _TYPES]
        if len(known) == 1:
            out["type"] = known[0].upper()
        elif known:
            self._lose(child(pointer, "type"), Effect.CHANGED, "Several types become alternatives.")
            out["anyOf"] = [
                {"type": "ARRAY", "items": {"type": "STRING"}} if k == "array" else {"type": k.upper()} for k in known
            ]

    def _keyword(self, out: dict[str, Any], name: str, value: Any, pointer: str, depth: int) -> None:
        here = child(pointer, name)
        if name == "type":
            return
        if name == "properties" and isinstance(value, dict):
            out[name] = {key: self.write(part, child(here, key), depth + 1) for key, part in value.items()}
        elif name == "items":
            out[name] = self.write(value, here, depth + 1)
        elif name in ("anyOf", "oneOf") and isinstance(value, list):
            self._alternatives(out, name, value, here, depth)
        elif name == "required" and isinstance(value, list):
            known = out.get("properties") or {}
            out[name] = [each for each in value if isinstance(each, str)]
            if set(out[name]) - set(known) and known:
                self._lose(here, Effect.REJECTED, "It requires members that properties do not name, which is refused.")
        elif name in ("enum", "const"):
            self._values(out, [value] if name == "const" else value, here)
        elif name == "format":
            if value in _FORMATS.get(str(out.get("type")), ()):
                out[name] = value
            else:
                self._lose(here, Effect.DROPPED, f"The format {value} is not known there.")
        elif name == "examples" and isinstance(value, list) and value:
            out["example"] = value[0]
        elif name in _SAME:
            # The API's JSON has 64-bit integers as texts.
            out[name] = str(value) if name in _TEXTS and isinstance(value, int) else value
        elif name not in _SILENT:
            self._lose(here, Effect.DROPPED, f"{name} cannot be said there: the model is not held to it.")

    def _alternatives(self, out: dict[str, Any], name: str, value: list[Any], here: str, depth: int) -> None:
        if name == "oneOf":
            self._lose(here, Effect.CHANGED, "oneOf becomes anyOf: that exactly one holds is not said any more.")
        parts = [(at, each) for at, each in enumerate(value) if each != {"type": "null"}]
        if len(parts) < len(value):
            out["nullable"] = True
        written = [self.write(each, child(here, at), depth + 1) for at, each in parts]
        if len(written) == 1:
            out.update({key: each for key, each in written[0].items() if key not in out})
        elif written:
            out["anyOf"] = [*out.get("anyOf", []), *written]

    def _values(self, out: dict[str, Any], value: Any, here: str) -> None:
        values = value if isinstance(value, list) else []
        if None in values:
            out["nullable"] = True
            values = [each for each in values if each is not None]
        if all(isinstance(each, str) for each in values) and out.get("type", "STRING") == "STRING":
            out["type"] = "STRING"
            out["enum"] = values
            return
        shown = ", ".join(msgspec.json.encode(each).decode() for each in values[:20])
        out["description"] = " ".join(filter(None, (str(out.get("description", "")), f"One of: {shown}.")))
        why = "Only texts can be enumerated there: the values are told in the description."
        self._lose(here, Effect.CHANGED, why)

    def _lose(self, pointer: str, effect: Effect, sentence: str) -> None:
        self._losses.append(Loss(pointer, effect, sentence))
