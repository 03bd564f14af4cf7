"""Resources, prompts, completions and the blocks they are made of. Numbers 104 to 109 of the checklist."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.on_lists import annotation_faults
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_MEMBERS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource": ("resource",),
    "resource_link": ("uri", "name"),
    "tool_use": ("id", "name", "input"),
    "tool_result": ("toolUseId", "content"),
}
_SINCE = {"audio": "2025-03-26", "resource_link": "2025-06-18", "tool_use": "2025-11-25", "tool_result": "2025-11-25"}
_MOST_VALUES = 100
_MAGIC = (
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"OggS", "audio/ogg"),
)
_FAMILIES = {"application/zip": ("application/", "model/"), "audio/ogg": ("audio/", "video/", "application/")}


def _contents(view: View) -> list[Any]:
    found = view.result.get("contents")
    return found if isinstance(found, list) else []


def blocks(view: View) -> Iterator[tuple[str, Any]]:
    """The content blocks of a tool's or prompt's result, each with where it is."""
    content = view.result.get("content")
    for place, block in enumerate(content if isinstance(content, list) else ()):
        yield f"Block {place}", block
    messages = view.result.get("messages")
    for place, message in enumerate(messages if isinstance(messages, list) else ()):
        if isinstance(message, dict) and isinstance(message.get("content"), dict):
            yield f"The block of message {place}", message["content"]


@rule("contents", 104, ERROR, "What was read is there, with its URI.", "resources", "result resources/read")
def contents(view: View) -> Iterator[str]:
    if not view.complete or not isinstance(view.message.get("result"), dict):
        return
    if not isinstance(view.result.get("contents"), list):
        yield "The result has no list contents."
    for place, item in enumerate(_contents(view)):
        if not isinstance(item, dict):
            yield f"Item {place} of contents is {shown(item, 40)}, not an object."
            continue
        if not isinstance(item.get("uri"), str):
            yield f"Item {place} of contents has no uri."
        if not isinstance(item.get("text"), str) and not isinstance(item.get("blob"), str):
            yield f"Item {place} of contents has neither a text nor a blob."


@rule("contents-both", 104, WARNING, "Contents are text or bytes.", "resources", "result resources/read")
def contents_both(view: View) -> Iterator[str]:
    for place, item in enumerate(_contents(view)):
        if isinstance(item, dict) and "text" in item and "blob" in item:
            yield f"Item {place} of contents has both text and blob."


@rule("blob", 104, ERROR, "A blob is Base64.", "resources", "result resources/read")
def blob(view: View) -> Iterator[str]:
    for place, item in enumerate(_contents(view)):
        value = item.get("blob") if isinstance(item, dict) else None
        if isinstance(value, str) and (why := not_base64(value)):
            yield f"The blob of item {place} is not Base64: {why}."


@rule("contents-uri", 104, WARNING, "What was read is what was asked for.", "resources", "result resources/read")
def contents_uri(view: View) -> Iterator[str]:
    asked = view.asked.target if view.asked is not None else ""
    uris = [str(item["uri"]) for item in _contents(view) if isinstance(item, dict) and isinstance(item.get("uri"), str)]
    base = asked.rstrip("/").casefold()
    if (
        asked
        and uris
        and not any(uri.casefold().startswith(base) or base.startswith(uri.rstrip("/").casefold()) for uri in uris)
    ):
        yield f"{shown(asked)} was asked for; the contents are of {shown(uris[0])}."


@rule(
    "contents-empty",
    105,
    ERROR,
    "A resource that is not there is an error.",
    "resources",
    "result resources/read",
    since="2026-07-28",
)
def contents_empty(view: View) -> Iterator[str]:
    if view.complete and view.result.get("contents") == []:
        yield "The result has no contents; a missing resource is answered with error -32602."


@rule(
    "not-found-code",
    105,
    INFO,
    "A missing resource has its code.",
    "resources",
    "error resources/read",
    until="2025-11-25",
)
def not_found_code(view: View) -> Iterator[str]:
    message = str(view.error.get("message", "")).lower()
    if view.code != -32002 and "not found" in message:
        yield f"The resource was not found; the code is {view.code}, where -32002 is usual."


@rule(
    "mime-type",
    106,
    WARNING,
    "The bytes are what the mimeType says.",
    "resources",
    "result resources/read",
    "result tools/call",
    "result prompts/get",
)
def mime_type(view: View) -> Iterator[str]:
    found: list[tuple[str, Any, Any]] = []
    for place, item in enumerate(_contents(view)):
        if isinstance(item, dict):
            found.append((f"Item {place}", item.get("blob"), item.get("mimeType")))
    for where, block in blocks(view):
        if isinstance(block, dict) and block.get("type") in ("image", "audio"):
            found.append((where, block.get("data"), block.get("mimeType")))
    for where, data, stated in found:
        if not isinstance(data, str) or not isinstance(stated, str):
            continue
        real = _sniffed(data)
        usual = _FAMILIES.get(real, (real,))
        if real and not stated.lower().startswith(usual) and stated.lower() != "application/octet-stream":
            yield f"{where} says {shown(stated, 60)}; its bytes begin like {real}."


@rule("mime-missing", 106, INFO, "Contents say what they are.", "resources", "result resources/read")
def mime_missing(view: View) -> Iterator[str]:
    for place, item in enumerate(_contents(view)):
        if isinstance(item, dict) and "blob" in item and not isinstance(item.get("mimeType"), str):
            yield f"Item {place} of contents is bytes without a mimeType."


@rule(
    "prompt-messages",
    107,
    ERROR,
    "A prompt is messages of user and assistant, each of one block.",
    "prompts",
    "result prompts/get",
)
def prompt_messages(view: View) -> Iterator[str]:
    messages = view.result.get("messages")
    if not view.complete or not isinstance(view.message.get("result"), dict):
        return
    if not isinstance(messages, list):
        yield "The result has no list messages."
        return
    for place, message in enumerate(messages):
        if not isinstance(message, dict):
            yield f"Message {place} is {shown(message, 40)}, not an object."
            continue
        if message.get("role") not in ("user", "assistant"):
            yield f"Message {place} has the role {shown(message.get('role'))}."
        if isinstance(message.get("content"), list):
            yield f"Message {place} has a list as its content; a prompt's message has one block."
        elif not isinstance(message.get("content"), dict):
            yield f"Message {place} has no content block."


@rule("completion", 108, ERROR, "A completion is at most 100 texts.", "completion", "result completion/complete")
def completion(view: View) -> Iterator[str]:
    found = view.result.get("completion")
    values = found.get("values") if isinstance(found, dict) else None
    if not isinstance(values, list):
        yield "The result has no completion with a list values."
    elif len(values) > _MOST_VALUES:
        yield f"The completion has {len(values)} values."
    elif not all(isinstance(value, str) for value in values):
        yield "A value of the completion is no text."


@rule("completion-total", 108, WARNING, "total counts all values.", "completion", "result completion/complete")
def completion_total(view: View) -> Iterator[str | Hit]:
    found = view.result.get("completion")
    found = found if isinstance(found, dict) else {}
    total, values = found.get("total"), found.get("values")
    if isinstance(total, int) and isinstance(values, list) and total < len(values):
        yield f"total is {total}, and {len(values)} values are there."
    if found.get("hasMore") is True and total is None:
        yield Hit("There are more values, and no total says how many.", severity=INFO)


@rule(
    "block",
    109,
    ERROR,
    "A content block has its type and members.",
    "schema",
    "result tools/call",
    "result prompts/get",
)
def block(view: View) -> Iterator[str]:
    for where, one in blocks(view):
        if not isinstance(one, dict):
            yield f"{where} is {shown(one, 40)}, not an object."
            continue
        kind = one.get("type")
        needed = _MEMBERS.get(kind) if isinstance(kind, str) else None
        if needed is None or kind in ("tool_use", "tool_result"):
            yield f"{where} has the type {shown(kind)}, which does not belong here."
            continue
        since = _SINCE.get(str(kind), "")
        if view.version < since:
            yield f"{where} is of type {kind}, which came with {since}."
        missing = [name for name in needed if name not in one]
        if missing:
            yield f"{where} ({kind}) has no {' and no '.join(missing)}."
        inner = one.get("resource")
        if (
            kind == "resource"
            and isinstance(inner, dict)
            and not ("uri" in inner and ("text" in inner or "blob" in inner))
        ):
            yield f"{where} embeds a resource without uri and text or blob."


@rule("block-data", 109, ERROR, "The data of a block is Base64.", "schema", "result tools/call", "result prompts/get")
def block_data(view: View) -> Iterator[str]:
    for where, one in blocks(view):
        if isinstance(one, dict) and one.get("type") in ("image", "audio") and isinstance(one.get("data"), str):
            why = not_base64(one["data"])
            if why:
                yield f"The data of {where[:1].lower()}{where[1:]} is not Base64: {why}."


@rule(
    "block-annotations",
    89,
    WARNING,
    "Annotations of content have their values.",
    "schema",
    "result tools/call",
    "result prompts/get",
)
def block_annotations(view: View) -> Iterator[str]:
    for where, one in blocks(view):
        for why in annotation_faults(one.get("annotations") if isinstance(one, dict) else None):
            yield f"{where}: {why}."


def not_base64(text: str) -> str:
    """Why a text is not Base64 as RFC 4648 has it, with padding; empty when it is."""
    if len(text) % 4:
        return f"its length {len(text):,} is no multiple of 4"
    if _BASE64.fullmatch(text) is None:
        odd = next((letter for letter in text if not (letter.isascii() and (letter.isalnum() or letter in "+/="))), "=")
        return f"it holds {odd!r}"
    return ""


def _sniffed(data: str) -> str:
    """What the first bytes say, empty when they are of no known kind."""
    try:
        start = base64.b64decode(data[:64])
    except ValueError:
        return ""
    return next((kind for magic, kind in _MAGIC if start.startswith(magic)), "")


RULES = rules_in(globals())
