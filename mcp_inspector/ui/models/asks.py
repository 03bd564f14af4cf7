"""A server's question in words, and what an answer to it should look like. No widget in here."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.inbox import ELICITATION, MOST_ROUNDS, ROOTS, SAMPLING, Ask, AskState
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.store.log import Log

TITLES = {ELICITATION: "Elicitation", SAMPLING: "Sampling", ROOTS: "Roots"}
ICONS = {ELICITATION: "text", SAMPLING: "bot", ROOTS: "folder-open"}
TONES = {
    AskState.WAITING: "accent",
    AskState.ANSWERED: "ok",
    AskState.REFUSED: "warn",
    AskState.WITHDRAWN: "muted",
}
_FORMATS = ("email", "uri", "date", "date-time")
_MEMBERS = {
    "string": {"minLength", "maxLength", "format", "pattern", "enum", "enumNames", "oneOf"},
    "number": {"minimum", "maximum"},
    "integer": {"minimum", "maximum"},
    "boolean": set[str](),
    "array": {"minItems", "maxItems", "items"},
}
_COMMON = {"type", "title", "description", "default"}


def is_url(ask: Ask) -> bool:
    """Whether it asks to open a page."""
    return ask.method == ELICITATION and ask.value.get("mode") == "url"


def kind(ask: Ask) -> str:
    """What is asked for, in a word or two."""
    if is_url(ask):
        return "Open a page"
    return TITLES.get(ask.method, ask.method)


def icon(ask: Ask) -> str:
    """The icon of its kind."""
    return "globe" if is_url(ask) else ICONS.get(ask.method, "inbox")


def title(ask: Ask) -> str:
    """What it says, on one line; the server's words, made safe."""
    value = ask.value
    if ask.method == ELICITATION:
        message = value.get("message")
        return plain.line(message) if isinstance(message, str) and message.strip() else "(no message)"
    if ask.method == SAMPLING:
        return plain.line(_last_text(value)) or "(no text)"
    return "Which folders may the server know of?" if ask.method == ROOTS else plain.line(ask.method)


def _last_text(value: Mapping[str, Any]) -> str:
    messages = value.get("messages")
    for message in reversed(messages if isinstance(messages, list) else []):
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict) and isinstance(block.get("text"), str):
                return str(block["text"])
    return ""


def operation(ask: Ask, log: Log | None) -> str:
    """Which of our operations it belongs to: ``tools/call ask_name``; empty when none is known."""
    if log is None or not 0 < ask.call <= len(log):
        return ""
    columns, index = log.columns, ask.call - 1
    method, target = columns.methods.texts[columns.method[index]], columns.targets.texts[columns.target[index]]
    return plain.line(f"{method} {target}".strip())


def travels(ask: Ask, most: int = MOST_ROUNDS) -> str:
    """How the answer gets to the server, in words; `most` rounds are answered."""
    return {
        "request": "answered by a response",
        "retry": f"round {ask.round} of {most}: the request is sent again with the answer",
        "task": "answered by tasks/update",
        "consent": "no answer is sent: repeat the call when the page is done",
    }[ask.way]


def state_words(ask: Ask) -> str:
    """How it stands: ``waiting``, ``accepted``, ``declined``, ``answered``, ``refused (-1)``, ``withdrawn``."""
    words = str(ask.state)
    if ask.state is AskState.ANSWERED and ask.method == ELICITATION and ask.reply is not None:
        action = _action(ask.reply.result or b"")
        words = {"accept": "accepted", "decline": "declined", "cancel": "cancelled"}.get(action, words)
    elif ask.state is AskState.REFUSED and ask.reply is not None:
        words = f"refused ({ask.reply.code})" if ask.way == "request" else "given up"
    return f"{words} by preset" if ask.preset and ask.state is not AskState.WITHDRAWN else words


class _Action(msgspec.Struct):
    action: Any = None


def _action(result: bytes) -> str:
    try:
        found = msgspec.json.decode(result, type=_Action).action
    except (msgspec.MsgspecError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def age(ask: Ask, now_ns: int | None = None) -> str:
    """How long it has waited, or when it ended."""
    if ask.state is AskState.WAITING:
        return plain.ago(max(0, (now_ns or time.time_ns()) - ask.asked_ns) / 1e9)
    return time.strftime("%H:%M:%S", time.localtime(ask.ended_ns / 1e9))


class _Form(msgspec.Struct):
    requestedSchema: msgspec.Raw = msgspec.Raw(b"")


def requested_schema(ask: Ask) -> bytes:
    """The schema of a form as the server spelled it; empty when there is none that is an object."""
    try:
        raw = bytes(msgspec.json.decode(ask.params, type=_Form).requestedSchema)
    except (msgspec.MsgspecError, RecursionError):
        return b""
    return raw if raw.startswith(b"{") else b""


def outside_subset(schema: Any) -> list[str]:
    """Where a requested schema leaves what elicitation allows: a flat object of primitives. Sentences; empty if not."""
    if not isinstance(schema, dict):
        return ["There is no requestedSchema that is an object"]
    found = []
    if schema.get("type") != "object":
        found.append('The requestedSchema is not of type "object"')
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        why = _outside(part)
        if why:
            found.append(f'"{plain.line(str(name), 40)}" {why}')
    return found


def _outside(part: Any) -> str:
    if not isinstance(part, dict):
        return "has no schema that is an object"
    sort = part.get("type")
    if sort not in _MEMBERS:
        return f"is of type {plain.line(str(sort), 20)}, not a string, number, integer, boolean or list of choices"
    if sort == "array":
        items = part.get("items")
        if not isinstance(items, dict) or not ("enum" in items or "anyOf" in items):
            return "is a list of something else than choices"
    strange = [name for name in part if name not in _COMMON and name not in _MEMBERS[sort]]
    if strange:
        return f"has {plain.line(', '.join(strange), 60)}, which elicitation does not know"
    if part.get("format") not in (None, *_FORMATS):
        return f"has the format {plain.line(str(part['format']), 30)}, which elicitation does not know"
    return ""


def expected(ask: Ask) -> bytes:
    """The JSON Schema of the answer that the specification wants."""
    if ask.method == ROOTS:
        return _ROOTS_RESULT
    if ask.method == SAMPLING:
        return _SAMPLING_RESULT
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["action"],
        "properties": {"action": {"enum": ["accept", "decline", "cancel"]}},
    }
    accepted = {"properties": {"action": {"const": "accept"}}}
    if is_url(ask):
        schema["not"] = {"required": ["content"]}
    else:
        wanted = requested_schema(ask)
        properties: dict[str, Any] = {"content": msgspec.Raw(wanted) if wanted else {"type": "object"}}
        schema |= {"if": accepted, "then": {"required": ["content"], "properties": properties}}
        schema["else"] = {"not": {"required": ["content"]}}
    return msgspec.json.encode(schema)


_BLOCK = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"enum": ["text", "image", "audio", "tool_use", "tool_result"]}},
    "allOf": [
        {"if": {"properties": {"type": {"const": sort}}}, "then": {"required": members}}
        for sort, members in (
            ("text", ["text"]),
            ("image", ["data", "mimeType"]),
            ("audio", ["data", "mimeType"]),
            ("tool_use", ["id", "name", "input"]),
            ("tool_result", ["toolUseId", "content"]),
        )
    ],
}
_SAMPLING_RESULT = msgspec.json.encode(
    {
        "type": "object",
        "required": ["role", "content", "model"],
        "properties": {
            "role": {"enum": ["user", "assistant"]},
            "model": {"type": "string"},
            "stopReason": {"type": "string"},
            "content": {"anyOf": [_BLOCK, {"type": "array", "items": _BLOCK}]},
        },
    }
)
_ROOTS_RESULT = msgspec.json.encode(
    {
        "type": "object",
        "required": ["roots"],
        "properties": {
            "roots": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {
                        "uri": {"type": "string", "pattern": "^file://"},
                        "name": {"type": "string"},
                    },
                },
            }
        },
    }
)
