"""What a server asks of us: elicitation, sampling, roots, in both eras. Numbers 122 to 134 of the checklist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp_inspector.checks.on_lifecycle import input_requests
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN, _25N = "2026-07-28", "2025-11-25"
_METHODS = ("elicitation/create", "sampling/createMessage", "roots/list")
_ASKED = tuple(f"request {method}" for method in _METHODS)
_FORMATS = ("email", "uri", "date", "date-time")
_SECRET = re.compile(
    r"pass(word|wd|phrase)|secret|\btoken\b|api.?key|credential|credit.?card|\bcvv\b|\bpin\b", re.IGNORECASE
)
_MOST_ROUNDS = 10
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


class _Rounds:
    """What each operation was last asked, by method and target: state, keys, params, record, number of rounds."""

    def __init__(self) -> None:
        self.last: Bounded[tuple[Any, frozenset[str], dict[str, Any], int, int]] = Bounded()
        self.states: Bounded[int] = Bounded()
        self.elicitations: Bounded[int] = Bounded()


def questions(view: View) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What a message asks of us: key (empty for a request), method, params."""
    if view.kind == "request":
        yield "", view.entry.method, view.params
        return
    for key, inner in input_requests(view.result):
        params = inner.get("params")
        yield key, str(inner.get("method")), params if isinstance(params, dict) else {}


def _about(key: str) -> str:
    return f"Question {shown(key, 40)}: " if key else ""


@rule("input-required", 122, ERROR, "What asks for input says what for.", "mrtr", "result", since=_MODERN)
def input_required(view: View) -> Iterator[str]:
    result = view.result
    if result.get("resultType") != "input_required":
        return
    if "inputRequests" not in result and "requestState" not in result:
        yield "The result asks for input, and has neither inputRequests nor requestState."
    if "requestState" in result and not isinstance(result["requestState"], str):
        yield f"requestState is {shown(result['requestState'], 40)}, not a text."
    asked = result.get("inputRequests", {})
    if not isinstance(asked, dict):
        yield f"inputRequests is {shown(asked, 40)}, not an object of questions by key."
    elif not all(isinstance(one, dict) for one in asked.values()):
        yield "A question of inputRequests is no object."


@rule("input-method", 123, ERROR, "Input is elicited, sampled, or roots.", "mrtr", "result", since=_MODERN)
def input_method(view: View) -> Iterator[str]:
    for key, method, _ in questions(view):
        if method not in _METHODS:
            yield f"{_about(key)}its method is {shown(method)}."


@rule("input-envelope", 124, INFO, "A question is no message of its own.", "mrtr", "result", since=_MODERN)
def input_envelope(view: View) -> Iterator[str]:
    for key, inner in input_requests(view.result):
        extra = [name for name in ("jsonrpc", "id") if name in inner]
        if extra:
            yield f"{_about(key)}it has {' and '.join(extra)}."


@rule("own-retry", 125, ERROR, "We answer as we were asked.", "mrtr", "sent request", since=_MODERN, ours=True)
def own_retry(view: View) -> Iterator[str | Hit]:
    params = view.params
    if "inputResponses" not in params and "requestState" not in params:
        return
    if view.entry.method == "tasks/update":
        return
    known = view.talk.of(_Rounds)
    last = known.last.get(_operation(view.entry.method, params))
    state = params.get("requestState")
    if last is None:
        if state is not None:
            yield f"The requestState {shown(state, 30)} was never given for this request."
        return
    wanted, keys, before, seq, _ = last
    if wanted != state:
        yield Hit(f"The requestState {shown(state, 30)} is not the one that was given, {shown(wanted, 30)}.", (seq,))
    answers = params.get("inputResponses")
    missing = sorted(keys - set(answers if isinstance(answers, dict) else {}))
    if missing:
        yield Hit(f"The answer to {', '.join(missing)} is missing.", (seq,))
    if _plain(params) != before:
        yield Hit("The params are others than those of the request that was asked back.", (seq,))


@rule("rounds", 128, INFO, "Questions come to an end.", "mrtr", "result", since=_MODERN)
def rounds(view: View) -> Iterator[str]:
    asked, result = view.asked, view.result
    if asked is None or result.get("resultType") != "input_required":
        return
    known = view.talk.of(_Rounds).last
    key = _operation(asked.method, asked.params)
    again = "inputResponses" in asked.params or "requestState" in asked.params
    number = known[key][4] + 1 if again and key in known else 1
    requests = result.get("inputRequests")
    keys = frozenset(requests) if isinstance(requests, dict) else frozenset[str]()
    known[key] = (result.get("requestState"), keys, _plain(asked.params), view.seq, number)
    if number > _MOST_ROUNDS:
        yield f"This is round {number} of {asked.method}."


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
            yield f"{_about(key)}requestedSchema is no object schema with properties."
            continue
        for name, part in schema["properties"].items():
            why = form_fault(part, view.version)
            if why:
                yield f"{_about(key)}property {shown(name, 40)} {why}."
        required = schema.get("required")
        unknown = (
            [one for one in required if str(one) not in schema["properties"]] if isinstance(required, list) else []
        )
        if unknown:
            yield f"{_about(key)}required names {shown(unknown[0])}, which is no property."


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
                yield f"{_about(key)}it asks for {shown(name)}; sensitive things are not asked for in a form."


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
            yield f"{_about(key)}its url is {shown(params.get('url'))}, no web address."


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
            yield f"{_about(key)}{shown(url)} is not encrypted."
        if "xn--" in host or not host.isascii():
            yield f"{_about(key)}the host {shown(host)} has letters that look like others."
        if parts.username or parts.password:
            yield f"{_about(key)}the address holds credentials, which can pass for a host."


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
            view.talk.of(_Rounds).elicitations[ident] = view.seq


@rule("elicitation-id-old", 131, WARNING, "elicitationId is gone.", "elicitation", "result", since=_MODERN)
def elicitation_id_old(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method == "elicitation/create" and "elicitationId" in params:
            yield f"{_about(key)}it has an elicitationId, which this version has removed."


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
    known = view.talk.of(_Rounds).elicitations
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
    known = view.talk.of(_Rounds).elicitations
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
            yield f"{_about(key)}it has no text message."


@rule(
    "sampling-request",
    132,
    ERROR,
    "A sampling request has messages and a limit.",
    "sampling",
    "request sampling/createMessage",
    "result",
)
def sampling_request(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method != "sampling/createMessage":
            continue
        if not isinstance(params.get("messages"), list):
            yield f"{_about(key)}it has no list messages."
        limit = params.get("maxTokens")
        if not isinstance(limit, int) or isinstance(limit, bool):
            yield f"{_about(key)}its maxTokens is {shown(limit)}."


@rule(
    "sampling-tools",
    132,
    ERROR,
    "Each tool use is answered by the next message.",
    "sampling",
    "request sampling/createMessage",
    "result",
    since=_25N,
)
def sampling_tools(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        messages = params.get("messages")
        if method == "sampling/createMessage" and isinstance(messages, list):
            yield from (f"{_about(key)}{why}." for why in _unbalanced(messages))


@rule(
    "sampling-context",
    132,
    WARNING,
    "includeContext is on its way out.",
    "sampling",
    "request sampling/createMessage",
    "result",
    since=_25N,
)
def sampling_context(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method == "sampling/createMessage" and params.get("includeContext") in ("thisServer", "allServers"):
            yield f"{_about(key)}includeContext is {shown(params['includeContext'])}, which is deprecated."


@rule("own-roots", 133, ERROR, "Our roots are files.", "roots", "sent result roots/list", ours=True)
def own_roots(view: View) -> Iterator[str]:
    roots = view.result.get("roots")
    for root in roots if isinstance(roots, list) else ():
        uri = root.get("uri") if isinstance(root, dict) else None
        if not (isinstance(uri, str) and uri.startswith("file://")):
            yield f"The root {shown(uri)} is no file:// URI."


@rule(
    "deprecated-asking", 133, WARNING, "Roots and sampling are on their way out.", "deprecated", "result", since=_MODERN
)
def deprecated_asking(view: View) -> Iterator[str]:
    for key, method, _ in questions(view):
        if method in ("roots/list", "sampling/createMessage"):
            yield f"{_about(key)}{method} is deprecated in {view.version}."


@rule("asked-idle", 134, INFO, "A server asks while we ask it.", "lifecycle", *_ASKED, until=_25N)
def asked_idle(view: View) -> Iterator[str]:
    if not view.talk.waiting and view.talk.version:
        yield f"{view.entry.method} came while no request of ours was open."


@rule(
    "own-unanswered",
    134,
    ERROR,
    "We answer what we are asked.",
    "lifecycle",
    "event shutdown",
    "event exited",
    until=_25N,
    ours=True,
)
def own_unanswered(view: View) -> Iterator[str | Hit]:
    for asked in view.talk.theirs.values():
        if asked.state == "open":
            asked.state = "lost"
            yield Hit(f"{asked.method} of the server was not answered before the end.", (asked.seq,))


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


def _unbalanced(messages: list[Any]) -> Iterator[str]:
    """What is wrong with the order of tool uses and their results."""
    open_uses: set[str] = set()
    for place, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        found = [one for one in (content if isinstance(content, list) else [content]) if isinstance(one, dict)]
        kinds = {one.get("type") for one in found}
        results = {str(one.get("toolUseId")) for one in found if one.get("type") == "tool_result"}
        if "tool_result" in kinds and kinds != {"tool_result"}:
            yield f"message {place} mixes tool results with other content"
        if open_uses - results:
            yield f"message {place} does not answer the tool use {sorted(open_uses - results)[0]}"
        if results - open_uses:
            yield f"message {place} answers the tool use {sorted(results - open_uses)[0]}, which is not there"
        open_uses = {str(one.get("id")) for one in found if one.get("type") == "tool_use"}
    if open_uses:
        yield f"the tool use {sorted(open_uses)[0]} is never answered"


def _operation(method: str, params: dict[str, Any]) -> tuple[str, str]:
    return method, str(params.get("name", params.get("uri")))


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in ("_meta", "inputResponses", "requestState")}


RULES = rules_in(globals())
