"""Checks the arguments of a call against the small part of JSON Schema that the demo's tools use.

A full validator would cost more start-up time than the whole server; the sentences here are made for people.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def with_defaults(schema: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the defaults of absent members filled in, in nested objects too."""
    filled = dict(value)
    for name, member in schema.get("properties", {}).items():
        if name not in filled and "default" in member:
            filled[name] = member["default"]
        elif isinstance(filled.get(name), dict):
            filled[name] = with_defaults(member, filled[name])
    return filled


def problems(schema: dict[str, Any], value: Any, where: str = "") -> list[str]:
    """What is wrong with a value, a sentence each; empty when it fits."""
    name = where or "the arguments"
    if "anyOf" in schema:
        if any(not problems(choice, value, where) for choice in schema["anyOf"]):
            return []
        return [f"{name} fits none of the allowed forms"]
    if "const" in schema:
        return [] if value == schema["const"] else [f"{name} must be {schema['const']!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{name} must be one of {', '.join(map(repr, schema['enum']))}, not {value!r}"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return [f"{name} must be {' or '.join(kinds)}, not {value!r}"]
    found = _bounds(schema, value, name) or _forms(schema, value, name)
    if isinstance(value, dict):
        found += _members(schema, value, where)
    elif isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            found += problems(schema["items"], item, f"{where}[{number}]")
    return found


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return math.isfinite(value) and value.is_integer()
    return isinstance(value, KINDS[kind])


def _bounds(schema: dict[str, Any], value: Any, name: str) -> list[str]:
    size: float
    if isinstance(value, str | list):
        size, least, most = (
            len(value),
            *(("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")),
        )
        unit = "characters" if isinstance(value, str) else "items"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        size, least, most, unit = value, "minimum", "maximum", ""
    else:
        return []
    if least in schema and size < schema[least]:
        return [f"{name} must be at least {schema[least]} {unit}".rstrip()]
    if most in schema and size > schema[most]:
        return [f"{name} must be at most {schema[most]} {unit}".rstrip()]
    return []


def _forms(schema: dict[str, Any], value: Any, name: str) -> list[str]:
    """A pattern of a text, an open end of a number, items of a list that must differ."""
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return [f"{name} must match {schema['pattern']}"]
    if isinstance(value, int | float) and not isinstance(value, bool):
        if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
            return [f"{name} must be less than {schema['exclusiveMaximum']}"]
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            return [f"{name} must be more than {schema['exclusiveMinimum']}"]
    if isinstance(value, list) and schema.get("uniqueItems") is True:
        texts = [json.dumps(item, sort_keys=True) for item in value]
        if len(set(texts)) < len(texts):
            return [f"{name} must not have the same item twice"]
    return []


def _members(schema: dict[str, Any], value: dict[str, Any], where: str) -> list[str]:
    prefix = f"{where}." if where else ""
    members = schema.get("properties", {})
    found = [f"{prefix}{name} is missing" for name in schema.get("required", ()) if name not in value]
    if schema.get("additionalProperties") is False:
        found += [f"{prefix}{name} is not known here" for name in value if name not in members]
    for name, member in members.items():
        if name in value:
            found += problems(member, value[name], f"{prefix}{name}")
    return found
