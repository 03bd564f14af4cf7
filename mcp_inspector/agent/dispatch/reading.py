"""Reading what a model returned: tool calls of OpenAI, Anthropic and Gemini in any wrapping, or a name with JSON.

Arguments stay the JSON text that the model wrote: numbers keep their spelling, duplicate members stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node

LARGEST = 16 * 1024 * 1024
_MOST = 1_000
_NAME = re.compile(r"\s*([^\s({]+)\s*(\(?)")


class Shape(StrEnum):
    """Whose tool call it is, so whose result shape answers it."""

    OPENAI = "openai"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    PLAIN = "plain"


class Unreadable(ValueError):
    """Nothing in the text is a tool call; the message is a sentence with what can be pasted."""


@dataclass(frozen=True)
class Invocation:
    """One call as the model meant it. `arguments` is JSON text, `wrong` says why it cannot be sent as it is.

    `id` is the provider's, to answer by; empty where the provider has none.
    """

    shape: Shape
    name: str
    arguments: str
    id: str = ""
    wrong: str = ""


def read(text: str | bytes) -> tuple[Invocation, ...]:
    """All calls in the order in which the model made them. Raises `Unreadable`."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = text.removeprefix("\ufeff").strip()
    if len(text) > LARGEST:
        raise Unreadable("This is over 16 MiB: no answer of a model.")
    if not text:
        raise Unreadable(f"There is nothing here. {_WHAT}")
    try:
        root = jsontext.parse(_unfenced(text))
    except JsonError as error:
        return (_named(text, error),)
    found: list[Invocation] = []
    _walk(root, found, 0)
    if not found:
        raise Unreadable(f"No tool call is in this JSON. {_WHAT}")
    return tuple(found)


_WHAT = (
    "Paste an answer of a model, or its tool_calls, tool_use blocks, function_call items or functionCall parts, "
    "or a name followed by JSON: mcp__server__tool {…}."
)


def _unfenced(text: str) -> str:
    """JSON without the Markdown fence that it is often copied with."""
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text[text.index("\n") + 1 : -3].strip()
    return text


def _walk(node: Node, found: list[Invocation], depth: int) -> None:
    """Look for calls from the outside in, by the wrappings that the providers have."""
    if depth > 8 or len(found) >= _MOST:
        return
    if node.kind is Kind.ARRAY:
        for item in node.items:
            _walk(item, found, depth + 1)
        return
    if node.kind is not Kind.OBJECT:
        return
    call = _call(node)
    if call is not None:
        found.append(call)
        return
    for wrapping in ("choices", "message", "tool_calls", "output", "content", "candidates", "parts", "function_call"):
        inner = node.get(wrapping)
        if inner is not None and inner.is_container:
            _walk(inner, found, depth + 1)


def _call(node: Node) -> Invocation | None:
    kind = _text(node.get("type"))
    function = node.get("function")
    if function is not None and function.kind is Kind.OBJECT and function.get("name") is not None:
        return _spelled(Shape.OPENAI, function, "arguments", _text(node.get("id")))
    if kind == "function_call":
        return _spelled(Shape.OPENAI_RESPONSES, node, "arguments", _text(node.get("call_id")) or _text(node.get("id")))
    if kind == "tool_use":
        return _spelled(Shape.ANTHROPIC, node, "input", _text(node.get("id")))
    call = node.get("functionCall") or node.get("function_call")
    if call is not None and call.kind is Kind.OBJECT and call.get("args") is not None:
        return _spelled(Shape.GEMINI, call, "args", _text(call.get("id")))
    if node.get("functionCall") is not None and call is not None and call.get("name") is not None:
        return _spelled(Shape.GEMINI, call, "args", _text(call.get("id")))
    if node.get("name") is None or kind in ("text", "thinking"):
        return None
    for member, shape in (("args", Shape.GEMINI), ("input", Shape.ANTHROPIC), ("arguments", Shape.PLAIN)):
        if node.get(member) is not None:
            return _spelled(shape, node, member, _text(node.get("id")))
    return None


def _spelled(shape: Shape, node: Node, member: str, id: str) -> Invocation:
    """The call whose arguments are in this member, as an object or as its JSON text in a string."""
    name = _text(node.get("name"))
    part = node.get(member)
    wrong = "" if name else "It has no name."
    if part is None:
        return Invocation(shape, name, "{}", id, wrong)
    if part.kind is not Kind.STRING:
        return Invocation(shape, name, part.raw, id, wrong or _no_object(part))
    text = jsontext.unquote(part.raw)
    if not text.strip():
        return Invocation(shape, name, "{}", id, wrong)  # some models write nothing for no arguments
    try:
        return Invocation(shape, name, text, id, wrong or _no_object(jsontext.parse(text)))
    except JsonError as error:
        return Invocation(shape, name, text, id, wrong or f"The model's arguments are not JSON: {error}.")


def _named(text: str, error: JsonError) -> Invocation:
    """A name with JSON behind it, ``name {…}`` or ``name({…})``. Raises `Unreadable`."""
    head = _NAME.match(text)
    if head is None or text.startswith(("{", "[", '"')):
        raise Unreadable(f"This is not JSON: {error}. {_WHAT}")
    rest = text[head.end() :].strip()
    if head[2] and rest.endswith(")"):
        rest = rest[:-1].strip()
    try:
        node = jsontext.parse(rest) if rest else None
    except JsonError as inner:
        raise Unreadable(f"After {head[1]} comes no JSON: {inner}. {_WHAT}") from None
    return Invocation(Shape.PLAIN, head[1], rest or "{}", "", _no_object(node) if node is not None else "")


def _no_object(node: Node) -> str:
    return "" if node.kind is Kind.OBJECT else f"Arguments are an object, not {node.kind.value}."


def _text(node: Node | None) -> str:
    return jsontext.unquote(node.raw) if node is not None and node.kind is Kind.STRING else ""
