"""The HTTP headers that mirror a modern request, as the Streamable HTTP page of 2026-07-28 says."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any

_NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
_PLAIN = re.compile(r"[\x20-\x7e]*")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_MIRRORED_TYPES = ("string", "integer", "boolean")
_SAFE_INTEGER = 2**53 - 1


def encode(value: str) -> str:
    """A header value as the specification encodes it: as it is, or in the Base64 sentinel where that is needed."""
    sentinel = value.startswith("=?base64?") and value.endswith("?=")
    if _PLAIN.fullmatch(value) and value == value.strip(" ") and not sentinel:
        return value
    return f"=?base64?{base64.b64encode(value.encode(errors='surrogatepass')).decode()}?="


def for_request(method: str, version: str, params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Version, method and, for methods that have one, the name of a modern request."""
    headers = [("MCP-Protocol-Version", version), ("Mcp-Method", encode(method))]
    name = params.get(_NAMED_BY.get(method, ""))
    if isinstance(name, str):
        headers.append(("Mcp-Name", encode(name)))
    return tuple(headers)


def wants_arguments(schema: Any) -> bool:
    """Whether a tool's input schema mirrors any argument."""
    return next(_annotated(schema), None) is not None


def for_arguments(schema: Any, arguments: Any) -> tuple[tuple[str, str], ...]:
    """The `Mcp-Param-…` headers that a tool's input schema asks for; absent and null arguments have none."""
    headers = []
    for path, name in _annotated(schema):
        value = arguments
        for step in path:
            value = value.get(step) if isinstance(value, Mapping) else None
        text = _header_text(value)
        if text is not None and isinstance(name, str) and _TOKEN.fullmatch(name):
            headers.append((f"Mcp-Param-{name}", encode(text)))
    return tuple(headers)


def refusal(schema: Any) -> str:
    """Why a tool's `x-mcp-header` annotations make it unusable over Streamable HTTP; empty when they do not."""
    seen: set[str] = set()
    reachable = 0
    for path, name in _annotated(schema):
        reachable += 1
        where = ".".join(path)
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            return f'x-mcp-header of "{where}" is not a header name: {name!r}'
        if name.lower() in seen:
            return f'x-mcp-header "{name}" is used twice'
        seen.add(name.lower())
        if _at(schema, path).get("type") not in _MIRRORED_TYPES:
            return f'x-mcp-header of "{where}" is on a type that cannot be a header'
    if _count(schema) != reachable:
        return "x-mcp-header stands where it is not reached through properties alone"
    return ""


def _annotated(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or len(path) > 32:
        return
    for key, part in properties.items():
        if isinstance(part, Mapping):
            if "x-mcp-header" in part:
                yield (*path, key), part["x-mcp-header"]
            yield from _annotated(part, (*path, key))


def _at(schema: Any, path: tuple[str, ...]) -> Mapping[str, Any]:
    for step in path:
        schema = schema["properties"][step]
    return schema if isinstance(schema, Mapping) else {}


def _count(schema: Any) -> int:
    """How often the keyword stands anywhere in the schema, by walking without recursion."""
    found, todo = 0, [(schema, False)]
    while todo:
        part, names = todo.pop()
        if isinstance(part, Mapping):
            for key, value in part.items():
                if key == "x-mcp-header" and not names:
                    found += 1
                elif key not in ("enum", "const", "default", "examples"):
                    todo.append(
                        (value, key in ("properties", "$defs", "definitions", "patternProperties") and not names)
                    )
        elif isinstance(part, list):
            todo.extend((value, False) for value in part)
    return found


def _header_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        if isinstance(value, float) and value.is_integer() and abs(value) <= _SAFE_INTEGER:
            value = int(value)
        return str(value)
    return None
