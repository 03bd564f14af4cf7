"""Answers that a server should be able to take or refuse, sound and spoiled ones, ready to be sent: to test it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.inbox import ROOTS, SAMPLING, defaults
from mcp_inspector.ui.models import asks

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask

Offered = tuple[str, str, bytes]
"""A word for a button, a sentence, a result as JSON text."""

_TEXT = {"type": "text", "text": "This is a canned reply."}
_SOUND = {"role": "assistant", "content": _TEXT, "model": "test", "stopReason": "endTurn"}


def offered(ask: Ask) -> list[Offered]:
    """What fits the question, the sound one first."""
    if ask.method == SAMPLING:
        own = _sampling()
    elif ask.method == ROOTS:
        own = _roots()
    else:
        own = _elicitation(ask)
    return [
        *own,
        ("Empty", "An object without any member", b"{}"),
        ("No object", "A list in place of an object", b"[]"),
        ("null", "null in place of an object", b"null"),
    ]


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _elicitation(ask: Ask) -> list[Offered]:
    if asks.is_url(ask):
        return [
            ("Accepted", "Consent", _json({"action": "accept"})),
            ("With content", "Consent with a content, which URL mode does not have",
             _json({"action": "accept", "content": {"token": "secret"}})),
            ("Unknown action", "An action that does not exist", _json({"action": "maybe"})),
        ]  # fmt: skip
    schema = ask.value.get("requestedSchema")
    good = defaults(schema)
    wrong = {name: _wrong(part) for name, part in _properties(schema).items()}
    return [
        ("Defaults", "Accepted with the defaults of the form", _json({"action": "accept", "content": good})),
        ("No content", "Accepted without the content that a form gives", _json({"action": "accept"})),
        ("Members missing", "Accepted, every member left out, required ones too",
         _json({"action": "accept", "content": {}})),
        ("Wrong types", "Accepted, every member with a value of another type",
         _json({"action": "accept", "content": wrong or {"unknown": 1}})),
        ("Unknown member", "Accepted with a member that was not asked for",
         _json({"action": "accept", "content": {**good, "unknown": "member"}})),
        ("Unknown action", "An action that does not exist", _json({"action": "maybe", "content": good})),
        ("Declined with content", "Declined, though with a content",
         _json({"action": "decline", "content": good})),
    ]  # fmt: skip


def _properties(schema: Any) -> dict[str, Any]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}


def _wrong(part: Any) -> Any:
    """A value of a type that the schema does not allow; for choices, one that is none of them."""
    sort = part.get("type") if isinstance(part, dict) else None
    if sort == "string":
        return "none of them" if any(name in part for name in ("enum", "oneOf")) else 12345
    return "not a list" if sort == "array" else "not of this type"


def _sampling() -> list[Offered]:
    return [
        ("Text", "A sound reply", _json(_SOUND)),
        ("No model", "The name of the model left out",
         _json({name: value for name, value in _SOUND.items() if name != "model"})),
        ("Wrong role", "A role that does not exist", _json({**_SOUND, "role": "nobody"})),
        ("Bare text", "A text where a block belongs", _json({**_SOUND, "content": "text"})),
        ("Unknown block", "A block of a type that does not exist", _json({**_SOUND, "content": {"type": "hologram"}})),
        ("Tool unasked", "The call of a tool that was not offered",
         _json({**_SOUND, "content": {"type": "tool_use", "id": "1", "name": "no_such_tool", "input": {}},
                "stopReason": "toolUse"})),
    ]  # fmt: skip


def _roots() -> list[Offered]:
    return [
        ("One folder", "A sound list", _json({"roots": [{"uri": "file:///tmp", "name": "tmp"}]})),
        ("None", "A sound list without a folder", _json({"roots": []})),
        ("No file", "A root that is no file: URI", _json({"roots": [{"uri": "https://example.com/"}]})),
        ("No URI", "A root without its URI", _json({"roots": [{"name": "nameless"}]})),
        ("No list", "roots is null", _json({"roots": None})),
    ]


def altered(state: bytes) -> bytes:
    """A `requestState` with its last character changed, as somebody would who tampers with it."""
    if len(state) > 2 and state.endswith(b'"') and state[-2:-1].isalnum():
        return state[:-2] + (b"A" if state[-2:-1] != b"A" else b"B") + b'"'
    return b'"altered"'
