"""JSON-RPC itself: the envelope of every message, whatever it says. Numbers 1 to 16 of the checklist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import id_key
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_NO_JSON = ("is not JSON", "is not UTF-8", "is nested too deeply", "starts with a UTF-8", "is empty", "is larger")
_NO_KIND = (
    'has "method" together',
    "has both",
    "is an object without",
    '"method" is not',
    "is JSON, but",
    'has "result" and',
)
_LONG_MESSAGE = 300
_SPEC_CODES = frozenset({-32020, -32021, -32022})
_DRAFT_CODES = {-32001: -32020, -32003: -32021, -32004: -32022}
_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_META_KEY = re.compile(rf"(?:({_LABEL}(?:\.{_LABEL})*)/)?([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")
_OWN_META = frozenset(
    {"protocolVersion", "clientInfo", "clientCapabilities", "logLevel", "serverInfo", "subscriptionId", "related-task"}
    | {"model-immediate-response", "ui", "tasks", "skills"}
)
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_TRACESTATE = re.compile(r"[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}")
_BAGGAGE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\s{0,9}=[^,\x00-\x1f]*")
_LONGEST_TRACE = 8_192


def _faults(view: View, *beginnings: str) -> Iterator[str]:
    for fault in view.entry.faults:
        if fault.startswith(beginnings):
            yield f"The message {fault}."


@rule("not-json", 1, ERROR, "Every message is JSON in UTF-8.", "messages", "message", "sent message", any=True)
def not_json(view: View) -> Iterator[str]:
    return _faults(view, *_NO_JSON)


@rule("jsonrpc-2.0", 2, ERROR, 'Every message has "jsonrpc": "2.0".', "messages", "message", "sent message", any=True)
def jsonrpc(view: View) -> Iterator[str]:
    return _faults(view, 'has no member "jsonrpc"', '"jsonrpc" is')


@rule(
    "no-kind",
    3,
    ERROR,
    "A message is a request, a notification, or a response with either result or error.",
    "responses",
    "message",
    "sent message",
    any=True,
)
def no_kind(view: View) -> Iterator[str]:
    return _faults(view, *_NO_KIND)


@rule("bad-id", 4, ERROR, "An id is a string or an integer.", "requests", "message", "sent message", any=True)
def bad_id(view: View) -> Iterator[str]:
    if view.kind == "error" and view.message.get("id") is None:
        return iter(())
    return _faults(view, '"id" is')


@rule("other-id", 5, ERROR, "A response has the id of its request, in value and JSON type.", "responses", "answer")
def other_id(view: View) -> Iterator[str]:
    asked = view.asked
    if view.message.get("id") is None or asked is None:
        return
    if "late" in (verdict := str(view.facts.get("verdict", ""))) or verdict == "duplicate":
        return
    ident = view.message["id"]
    if ident != asked.id or isinstance(ident, str) is not isinstance(asked.id, str) or isinstance(ident, float):
        yield f"The response has id {shown(ident)}, its request has {shown(asked.id)}."


@rule("unknown-answer", 6, ERROR, "A response answers a request that is open.", "responses", "answer")
def unknown_answer(view: View) -> Iterator[str | Hit]:
    ident = view.message.get("id")
    verdict = view.facts.get("verdict")
    if verdict == "late":
        how = view.asked.state if view.asked is not None else "given up"
        yield Hit(f"The response with id {shown(ident)} came late: the request had been {how}.", severity=INFO)
    elif verdict == "duplicate":
        yield f"The request with id {shown(ident)} had been answered before."
    elif view.asked is None and not (view.kind == "error" and ident is None):
        yield f"No request of ours has the id {shown(ident)}."


@rule("id-reused", 7, ERROR, "The id of a request is not used again.", "requests", "request")
def id_reused(view: View) -> Iterator[str | Hit]:
    before = view.talk.theirs.get(id_key(view.message.get("id")))
    if before is not None:
        how = "is not answered yet" if before.state == "open" else "was answered"
        yield Hit(f"The server's request {before.method} had the same id {view.entry.id}, and {how}.", (before.seq,))


@rule(
    "own-id-reused", 7, ERROR, "We do not use the id of an open request again.", "requests", "sent request", ours=True
)
def own_id_reused(view: View) -> Iterator[str | Hit]:
    before = view.talk.open.get(id_key(view.message.get("id")))
    if before is not None:
        yield Hit(f"Our request {before.method} is still open under the same id {view.entry.id}.", (before.seq,))


@rule("result-no-object", 8, ERROR, "A result is an object.", "responses", "result", "sent result", any=True)
def result_no_object(view: View) -> Iterator[str]:
    return _faults(view, '"result" is not')


@rule(
    "error-shape", 9, ERROR, "An error has an integer code and a message.", "responses", "error", "sent error", any=True
)
def error_shape(view: View) -> Iterator[str]:
    return _faults(view, '"error')


@rule("error-long", 9, WARNING, "An error's message is one concise sentence.", "schema", "error")
def error_long(view: View) -> Iterator[str]:
    message = view.error.get("message")
    if isinstance(message, str) and (len(message) > _LONG_MESSAGE or "\n" in message.strip()):
        lines = message.strip().count("\n") + 1
        yield f"The error's message has {len(message):,} characters in {lines} lines; details belong into its data."


@rule("error-without-id", 10, WARNING, "An error names the request that it answers.", "responses", "error")
def error_without_id(view: View) -> Iterator[str | Hit]:
    if view.message.get("id") is None and view.asked is not None:
        required = view.version < "2025-11-25"
        sentence = f"The error has no id, although the request with id {view.asked.id_text} could be read."
        yield Hit(sentence, severity=ERROR if required else None)


@rule(
    "notification-with-id", 11, ERROR, "A notification has no id.", "notifications", "request", "sent request", any=True
)
def notification_with_id(view: View) -> Iterator[str]:
    if view.entry.method.startswith("notifications/"):
        yield f"{view.entry.method} is a notification, and has the id {view.entry.id}."


@rule("batch", 12, ERROR, "Only 2025-03-26 has batches.", "batching", "batch", "sent batch", since="2025-06-18")
def batch(view: View) -> Iterator[str]:
    yield f"An array of messages was sent; {view.version} has no batches."


@rule("batch-undefined", 12, INFO, "2024-11-05 says nothing of batches.", "batching", "batch", until="2024-11-05")
def batch_undefined(view: View) -> Iterator[str]:
    yield "An array of messages was sent, which this version neither allows nor forbids."


@rule(
    "batch-initialize",
    12,
    ERROR,
    "initialize is never part of a batch.",
    "lifecycle",
    "sent batch",
    any=True,
    ours=True,
)
def batch_initialize(view: View) -> Iterator[str]:
    if b'"initialize"' in view.entry.data:
        yield "The array that was sent holds initialize."


@rule(
    "code-reserved",
    13,
    WARNING,
    "Codes -32000 to -32019 have no meaning any more.",
    "codes",
    "error",
    since="2026-07-28",
)
def code_reserved(view: View) -> Iterator[str]:
    if _integer(view.code, -32019, -32000) and view.code not in (-32002, *_DRAFT_CODES):
        yield f"The error has code {view.code}, to which no meaning may be given."


@rule("code-draft", 13, INFO, "Numbers of drafts have been replaced.", "codes", "error", since="2026-07-28")
def code_draft(view: View) -> Iterator[str]:
    final = _DRAFT_CODES.get(view.code) if isinstance(view.code, int) else None
    if final is not None:
        yield f"The error has code {view.code}, which was a draft's number for {final}."


@rule(
    "code-undefined",
    13,
    ERROR,
    "Codes -32020 to -32099 belong to the specification.",
    "codes",
    "error",
    since="2026-07-28",
)
def code_undefined(view: View) -> Iterator[str]:
    if _integer(view.code, -32099, -32020) and view.code not in _SPEC_CODES and view.code != -32042:
        yield f"The error has code {view.code}, which the specification does not define."


@rule("code-removed", 13, ERROR, "Codes -32002 and -32042 are not used any more.", "codes", "error", since="2026-07-28")
def code_removed(view: View) -> Iterator[str]:
    if view.code in (-32002, -32042):
        yield f"The error has code {view.code}, which a server of this version must not send."


def _metas(view: View) -> Iterator[tuple[str, dict[str, Any]]]:
    """The `_meta` objects of a message and of the items that it lists, each with where it is."""
    if view.meta:
        yield "", view.meta
    for name in ("tools", "prompts", "resources", "resourceTemplates", "contents", "content"):
        items = view.result.get(name)
        for item in items if isinstance(items, list) else ():
            meta = item.get("_meta") if isinstance(item, dict) else None
            if isinstance(meta, dict):
                yield f" of {shown(item.get('name') or item.get('uri') or name, 60)}", meta


@rule("meta-key", 14, ERROR, "Keys of _meta follow its grammar.", "meta", "message", "sent message", since="2025-06-18")
def meta_key(view: View) -> Iterator[str]:
    for where, meta in _metas(view):
        for key in meta:
            if _META_KEY.fullmatch(key) is None:
                yield f"The _meta{where} has the key {shown(key)}, which is not [prefix/]name."


@rule(
    "meta-reserved",
    14,
    WARNING,
    "Some prefixes of _meta belong to the specification.",
    "meta",
    "message",
    since="2025-06-18",
)
def meta_reserved(view: View) -> Iterator[str]:
    for where, meta in _metas(view):
        for key in meta:
            prefix, slash, name = key.rpartition("/")
            if slash and _reserved(prefix, view.version) and name not in _OWN_META:
                yield f"The _meta{where} has the key {shown(key)}, whose prefix is reserved for the protocol."


@rule(
    "trace-context",
    15,
    ERROR,
    "Trace context has the form of W3C.",
    "trace",
    "message",
    "sent message",
    since="2026-07-28",
)
def trace_context(view: View) -> Iterator[str]:
    for name, one, many in (
        ("traceparent", _TRACEPARENT, ""),
        ("tracestate", _TRACESTATE, ","),
        ("baggage", _BAGGAGE, ","),
    ):
        value = view.meta.get(name)
        if value is None:
            continue
        text = value if isinstance(value, str) and len(value) <= _LONGEST_TRACE else "\0"
        parts = [part.strip() for part in text.split(many)] if many else [text]
        if not all(one.fullmatch(part) for part in parts if part or not many):
            yield f"The _meta member {name} is {shown(value)}, which is not of its form."


def _reserved(prefix: str, version: str) -> bool:
    """2025-06-18 reserves ``…mcp.tld``, later versions ``tld.mcp…``."""
    labels = prefix.split(".")
    if version < "2025-11-25":
        return len(labels) > 1 and labels[-2] in ("mcp", "modelcontextprotocol")
    return len(labels) > 1 and labels[1] in ("mcp", "modelcontextprotocol")


def _integer(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


@rule("not-judged", 0, INFO, "A message can be judged.", "advice", "undecoded", any=True)
def not_judged(view: View) -> Iterator[str]:
    yield "The message is too large or too deep to be judged here; `mcp-inspector check` takes up to 64 MiB."


RULES = rules_in(globals())
