"""What a server asks of the person, ready to be answered: words, a schema for the answer, and the answer's JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, AskState
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask

_SAMPLING: dict[str, Any] = {
    "type": "object",
    "properties": {
        "role": {"const": "assistant"},
        "content": {
            "type": "object",
            "properties": {"type": {"const": "text"}, "text": {"type": "string", "contentMediaType": "text/plain"}},
            "required": ["type", "text"],
        },
        "model": {"type": "string", "default": "a person"},
        "stopReason": {"type": "string", "enum": ["endTurn", "stopSequence", "maxTokens"], "default": "endTurn"},
    },
    "required": ["role", "content", "model", "stopReason"],
}
_ROOTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "roots": {
            "type": "array",
            "description": "Folders that the server may know of, as file:// URIs.",
            "items": {
                "type": "object",
                "properties": {"uri": {"type": "string", "pattern": "^file://"}, "name": {"type": "string"}},
                "required": ["uri"],
            },
            "default": [],
        }
    },
    "required": ["roots"],
}
_NOUNS = {ELICITATION: "input", SAMPLING: "a model's answer", ROOTS: "the folders it may use"}


def title(ask: Ask) -> str:
    """Who asks for what."""
    return f"{plain.line(ask.server, 60)} asks for {_NOUNS.get(ask.method, plain.line(ask.method, 60))}"


def state_words(ask: Ask) -> str:
    """How it stands."""
    if ask.state is AskState.WAITING:
        return "waiting"
    preset = f" by the preset {ask.preset}" if ask.preset else ""
    return f"{ask.state}{preset}" + (f": {plain.line(ask.why, 100)}" if ask.why else "")


def by_url(ask: Ask) -> str:
    """The address that the server wants visited, empty when it asks for something else."""
    value = ask.value
    url = value.get("url")
    return url if ask.method == ELICITATION and value.get("mode") == "url" and isinstance(url, str) else ""


def message(ask: Ask) -> str:
    """What the server says, as plain text."""
    value = ask.value
    if ask.method == SAMPLING:
        return _conversation(value)
    text = value.get("message")
    return text if isinstance(text, str) else ""


def _conversation(value: Any) -> str:
    parts = []
    system = value.get("systemPrompt")
    if isinstance(system, str) and system:
        parts.append(f"system:\n{system}")
    messages = value.get("messages")
    for one in messages if isinstance(messages, list) else ():
        if isinstance(one, dict):
            content = one.get("content")
            blocks = content if isinstance(content, list) else [content]
            said = "\n".join(_said(block) for block in blocks)
            parts.append(f"{one.get('role')}:\n{said}")
    most = value.get("maxTokens")
    if most is not None:
        parts.append(f"(at most {most} tokens)")
    return "\n\n".join(parts)


def _said(block: Any) -> str:
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return str(block["text"])
    return f"[{block.get('type', '?')}]" if isinstance(block, dict) else str(block)


def schema(ask: Ask) -> bytes | None:
    """The schema of what is filled in; None when there is nothing to fill in."""
    if ask.method == SAMPLING:
        return msgspec.json.encode(_SAMPLING)
    if ask.method == ROOTS:
        return msgspec.json.encode(_ROOTS)
    if ask.method == ELICITATION and not by_url(ask):
        wanted = ask.value.get("requestedSchema")
        return msgspec.json.encode(wanted if isinstance(wanted, dict) else {"type": "object"})
    return None


def accept(ask: Ask, filled: bytes) -> None:
    """Answer with what was filled in."""
    if ask.method == ELICITATION:
        answer: dict[str, Any] = {"action": "accept"}
        if not by_url(ask):
            answer["content"] = msgspec.Raw(filled)
        ask.answer(msgspec.json.encode(answer))
    else:
        ask.answer(filled)


def decline(ask: Ask) -> None:
    """Say no."""
    if ask.method == ELICITATION:
        ask.answer(b'{"action":"decline"}')
    else:
        ask.refuse(-1, "The person declined the request.")


def cancel(ask: Ask) -> None:
    """Say that the person went away without deciding; only an elicitation knows that."""
    if ask.method == ELICITATION:
        ask.answer(b'{"action":"cancel"}')
    else:
        ask.refuse(-1, "The person dismissed the request.")
