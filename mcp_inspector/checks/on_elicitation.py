"""Forms and addresses that a server asks a person with. Numbers 129 to 131 of the checklist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp_inspector.checks.on_asking import about, questions
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN, _25N = "2026-07-28", "2025-11-25"
_FORMATS = ("email", "uri", "date", "date-time")
_SECRET = re.compile(
    r"pass(word|wd|phrase)|secret|\btoken\b|api.?key|credential|credit.?card|\bcvv\b|\bpin\b", re.IGNORECASE
)
_MEMBERS = {
    "string": {
        "type",
        "title",
        "description",
        "default",
        "minLength",
        "maxLength",
        "format",
        "enum",
        "enumNames",
        "oneOf",
        "pattern",
    },
    "number": {"type", "title", "description", "default", "minimum", "maximum"},
    "integer": {"type", "title", "description", "default", "minimum", "maximum"},
    "boolean": {"type", "title", "description", "default"},
    "array": {"type", "title", "description", "default", "minItems", "maxItems", "items"},
}


class _Begun:
    """The elicitations by URL that a server has begun, by id."""

    def __init__(self) -> None:
        self.elicitations: Bounded[int] = Bounded()


@rule(
    "elicitation-schema",
    129,
    ERROR,
    "A form asks for plain values.",
    "elicitation",
    "request elicitation/create",
    "result",
)
def elicitation_schema(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method != "elicitation/create" or params.get("mode") == "url":
            continue
        schema = params.get("requestedSchema")
        if (
            not isinstance(schema, dict)
            or schema.get("type") != "object"
            or not isinstance(schema.get("properties"), dict)
        ):
            yield f"{about(key)}requestedSchema is no object schema with properties."
            continue
        for name, part in schema["properties"].items():
            why = form_fault(part, view.version)
            if why:
                yield f"{about(key)}property {shown(name, 40)} {why}."
        required = schema.get("required")
        unknown = (
            [one for one in required if str(one) not in schema["properties"]] if isinstance(required, list) else []
        )
        if unknown:
            yield f"{about(key)}required names {shown(unknown[0])}, which is no property."


@rule(
    "elicitation-secret",
    130,
    WARNING,
    "A form asks for no secrets.",
    "elicitation",
    "request elicitation/create",
    "result",
)
def elicitation_secret(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        schema = params.get("requestedSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, part in properties.items() if isinstance(properties, dict) and method == "elicitation/create" else ():
            words = f"{name} {part.get('title', '') if isinstance(part, dict) else ''}"
            if _SECRET.search(words):
                yield f"{about(key)}it asks for {shown(name)}; sensitive things are not asked for in a form."


@rule(
    "elicitation-url",
    130,
    ERROR,
    "The address to be opened is one.",
    "elicitation",
    "request elicitation/create",
    "result",
    since=_25N,
)
def elicitation_url(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method == "elicitation/create" and params.get("mode") == "url" and not _web(params.get("url")):
            yield f"{about(key)}its url is {shown(params.get('url'))}, no web address."


@rule(
    "elicitation-url-safe",
    130,
    WARNING,
    "The address to be opened is safe.",
    "elicitation",
    "request elicitation/create",
    "result",
    since=_25N,
)
def elicitation_url_safe(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        url = params.get("url")
        if method != "elicitation/create" or params.get("mode") != "url" or not _web(url):
            continue
        parts = urlsplit(str(url))
        host = parts.hostname or ""
        if parts.scheme == "http" and host not in ("localhost", "127.0.0.1", "::1"):
            yield f"{about(key)}{shown(url)} is not encrypted."
        if "xn--" in host or not host.isascii():
            yield f"{about(key)}the host {shown(host)} has letters that look like others."
        if parts.username or parts.password:
            yield f"{about(key)}the address holds credentials, which can pass for a host."


@rule(
    "elicitation-id",
    131,
    ERROR,
    "An elicitation by URL has an id.",
    "elicitation",
    "request elicitation/create",
    since=_25N,
    until=_25N,
)
def elicitation_id(view: View) -> Iterator[str]:
    if view.params.get("mode") == "url":
        ident = view.params.get("elicitationId")
        if not isinstance(ident, str):
            yield "The elicitation has no text elicitationId."
        else:
            view.talk.of(_Begun).elicitations[ident] = view.seq


@rule("elicitation-id-old", 131, WARNING, "elicitationId is gone.", "elicitation", "result", since=_MODERN)
def elicitation_id_old(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method == "elicitation/create" and "elicitationId" in params:
            yield f"{about(key)}it has an elicitationId, which this version has removed."


@rule(
    "elicitation-complete",
    131,
    INFO,
    "What is complete had begun.",
    "elicitation",
    "notification notifications/elicitation/complete",
    since=_25N,
    until=_25N,
)
def elicitation_complete(view: View) -> Iterator[str]:
    ident = view.params.get("elicitationId")
    known = view.talk.of(_Begun).elicitations
    if ident not in known:
        yield f"The elicitation {shown(ident)} is said to be complete; it is not known."


@rule(
    "elicitation-error",
    131,
    ERROR,
    "The error that wants elicitations lists them.",
    "elicitation",
    "error",
    since=_25N,
    until=_25N,
)
def elicitation_error(view: View) -> Iterator[str]:
    if view.code != -32042:
        return
    data = view.error.get("data")
    found = data.get("elicitations") if isinstance(data, dict) else None
    if not isinstance(found, list) or not found:
        yield "Error -32042 has no data.elicitations."
        return
    known = view.talk.of(_Begun).elicitations
    for one in found:
        if not isinstance(one, dict) or one.get("mode") != "url" or not _web(one.get("url")):
            yield f"{shown(one, 60)} is no elicitation by URL."
        elif isinstance(one.get("elicitationId"), str):
            known[one["elicitationId"]] = view.seq


@rule(
    "elicitation-message",
    129,
    ERROR,
    "An elicitation says what for.",
    "elicitation",
    "request elicitation/create",
    "result",
)
def elicitation_message(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method == "elicitation/create" and not isinstance(params.get("message"), str):
            yield f"{about(key)}it has no text message."


def form_fault(part: Any, version: str) -> str:
    """Why a property of an elicitation's form is outside the subset of its version; empty when it is within."""
    if not isinstance(part, dict):
        return "is no schema"
    kind = part.get("type")
    known = _MEMBERS.get(kind) if isinstance(kind, str) else None
    if known is None or (kind == "array" and version < _25N):
        return f"is of type {shown(kind, 40)}, which a form cannot ask for"
    odd = [name for name in part if name not in known]
    if odd:
        return f"has {shown(odd[0])}, which a form's schema does not have"
    if "format" in part and part["format"] not in _FORMATS:
        return f"has the format {shown(part['format'])}; a form has {', '.join(_FORMATS)}"
    if "enum" in part and not (
        isinstance(part["enum"], list) and part["enum"] and all(isinstance(one, str) for one in part["enum"])
    ):
        return "has an enum without texts"
    if kind == "array" and not _choices(part.get("items")):
        return "is a list of something other than choices"
    if "default" in part and not _fits(part["default"], part):
        return f"has the default {shown(part['default'])}, which does not fit it"
    return ""


def _choices(items: Any) -> bool:
    if not isinstance(items, dict):
        return False
    options = items.get("enum", items.get("anyOf", items.get("oneOf")))
    return isinstance(options, list) and bool(options)


def _fits(value: Any, part: dict[str, Any]) -> bool:
    kind = part["type"]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {
        "string": isinstance(value, str),
        "number": number,
        "integer": number and float(value).is_integer() if number else False,
        "boolean": isinstance(value, bool),
        "array": isinstance(value, list),
    }[kind]
    if fits and isinstance(part.get("enum"), list):
        return value in part["enum"]
    if fits and kind == "string" and isinstance(part.get("oneOf"), list):
        return any(isinstance(one, dict) and one.get("const") == value for one in part["oneOf"])
    return fits


def _web(url: Any) -> bool:
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


RULES = rules_in(globals())
