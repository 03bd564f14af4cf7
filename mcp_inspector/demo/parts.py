"""What the demo is made of: a tool, a resource, a template, a prompt, and the small dictionaries they answer with.

Dictionaries here have the shape of the wire; the SDK validates them for the protocol version that is spoken.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from .call import Call

Json = dict[str, Any]

READ_ONLY: Json = {"readOnlyHint": True, "openWorldHint": False}
"""Annotations of a tool that only looks."""


@dataclass(frozen=True)
class Tool:
    """One tool: `run` gets the call and returns a CallToolResult; `properties` and `required` make its input schema.

    `needs` is the path of a client capability without which it is not listed.
    """

    name: str
    title: str
    description: str
    run: Callable[[Call], Awaitable[Json]]
    properties: Json = field(default_factory=dict)
    required: Sequence[str] = ()
    output: Json | None = None
    annotations: Json = field(default_factory=lambda: dict(READ_ONLY))
    icon: str = ""
    meta: Json | None = None
    execution: Json | None = None
    needs: Sequence[str] = ()

    @property
    def input_schema(self) -> Json:
        """The JSON Schema of its arguments; `additionalProperties` is closed, so that a typing error is told."""
        schema: Json = {"type": "object", "properties": dict(self.properties), "additionalProperties": False}
        return {**schema, "required": list(self.required)} if self.required else schema

    def listed(self) -> Json:
        """The tool as tools/list shows it."""
        listed: Json = {"name": self.name, "title": self.title, "description": self.description}
        listed |= {"inputSchema": self.input_schema, "annotations": {"title": self.title, **self.annotations}}
        optional = {
            "outputSchema": self.output,
            "icons": icons(self.icon),
            "_meta": self.meta,
            "execution": self.execution,
        }
        return listed | {key: value for key, value in optional.items() if value}


@dataclass(frozen=True)
class Resource:
    """One resource: `read` returns its contents, each without the URI, which is filled in."""

    uri: str
    name: str
    title: str
    description: str
    mime: str
    read: Callable[[], Sequence[Json]]
    extra: Json = field(default_factory=dict)

    def listed(self) -> Json:
        """The resource as resources/list shows it."""
        listed = {"uri": self.uri, "name": self.name, "title": self.title, "description": self.description}
        return {**listed, "mimeType": self.mime, **self.extra}


@dataclass(frozen=True)
class Template:
    """A family of resources: `match` returns the contents of a URI, or None when it is not one of the family.

    `completions` gives the candidates of a variable from the values chosen so far.
    """

    uri: str
    name: str
    title: str
    description: str
    mime: str
    match: Callable[[str], Sequence[Json] | None]
    completions: Mapping[str, Callable[[Mapping[str, str]], Sequence[str]]] = field(default_factory=dict)

    def listed(self) -> Json:
        """The template as resources/templates/list shows it."""
        listed = {"uriTemplate": self.uri, "name": self.name, "title": self.title, "description": self.description}
        return {**listed, "mimeType": self.mime}


@dataclass(frozen=True)
class Argument:
    """One argument of a prompt; `values` gives completion candidates from the values chosen so far."""

    name: str
    description: str
    required: bool = False
    values: Callable[[Mapping[str, str]], Sequence[str]] | None = None


@dataclass(frozen=True)
class Prompt:
    """One prompt: `get` turns its arguments into messages."""

    name: str
    title: str
    description: str
    get: Callable[[Mapping[str, str]], Sequence[Json]]
    arguments: Sequence[Argument] = ()
    icon: str = ""

    def listed(self) -> Json:
        """The prompt as prompts/list shows it."""
        arguments = [
            {"name": each.name, "description": each.description, "required": each.required} for each in self.arguments
        ]
        listed: Json = {"name": self.name, "title": self.title, "description": self.description}
        listed |= {"arguments": arguments} if arguments else {}
        return {**listed, "icons": icons(self.icon)} if self.icon else listed


def text(value: str, **annotations: Any) -> Json:
    """A text block."""
    block: Json = {"type": "text", "text": value}
    return {**block, "annotations": annotations} if annotations else block


def image(data: bytes, mime: str = "image/png") -> Json:
    """An image block."""
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": mime}


def audio(data: bytes, mime: str = "audio/wav") -> Json:
    """An audio block."""
    return {"type": "audio", "data": base64.b64encode(data).decode(), "mimeType": mime}


def link(resource: Resource) -> Json:
    """A link to a resource."""
    return {"type": "resource_link", **resource.listed()}


def result(*blocks: Json) -> Json:
    """A result made of content blocks."""
    return {"content": list(blocks)}


def structured(value: Json) -> Json:
    """A structured result, with its JSON as text beside it for clients that do not know structured content."""
    return {"content": [text(json.dumps(value, ensure_ascii=False, indent=2))], "structuredContent": value}


def tool_error(sentence: str) -> Json:
    """A result that says the tool failed."""
    return {"content": [text(sentence)], "isError": True}


def string(description: str, **more: Any) -> Json:
    """The schema of a string."""
    return {"type": "string", "description": description, **more}


def whole(description: str, least: int, most: int, **more: Any) -> Json:
    """The schema of an integer between two bounds."""
    return {"type": "integer", "description": description, "minimum": least, "maximum": most, **more}


def number(description: str, **more: Any) -> Json:
    """The schema of a number."""
    return {"type": "number", "description": description, **more}


def switch(description: str, default: bool) -> Json:
    """The schema of a boolean."""
    return {"type": "boolean", "description": description, "default": default}


SHAPES = {
    "logo": "<circle cx='12' cy='12' r='9'/><circle cx='12' cy='12' r='3'/><path d='M12 3v6M12 15v6'/>",
    "basics": "<path d='M12 5v14M5 12h14'/>",
    "contents": "<rect x='4' y='5' width='16' height='14' rx='2'/><path d='M4 16l5-5 4 4 3-3 4 4'/>",
    "live": "<path d='M3 12h4l3-7 4 14 3-7h4'/>",
    "asking": "<path d='M4 5h16v11h-9l-5 4v-4H4z'/>",
    "prompts": "<path d='M5 6h14M5 12h9M5 18h12'/>",
}


def icons(shape: str) -> list[Json] | None:
    """The icon of one group as a data: URI, so that no client has to fetch anything."""
    if shape not in SHAPES:
        return None
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24' viewBox='0 0 24 24' fill='none' "
        f"stroke='#4467c4' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'>{SHAPES[shape]}</svg>"
    )
    source = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    return [{"src": source, "mimeType": "image/svg+xml", "sizes": ["any"]}]
