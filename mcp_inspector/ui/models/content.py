"""What a result holds, ready for viewers: blocks of text, images, links and bytes. Nothing here raises on odd input.

Text and base64 stay as they came until a viewer asks: a result of 50 MB costs one pass over its envelope.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from mcp_inspector.ui import plain
from mcp_inspector.wire.jsontext import pretty

RAW_SHOWN = 2_000


class Sort(StrEnum):
    """What a block is, as far as viewing it goes."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    LINK = "resource link"
    BINARY = "binary"
    OTHER = "other"


@dataclass(frozen=True, eq=False)
class Block:
    """One part of a result. `raw` is its JSON text. `flags` say what is wrong or odd about it."""

    raw: bytes
    sort: Sort
    title: str
    text: str = ""
    mime: str = ""
    uri: str = ""
    encoded: str = ""
    flags: tuple[str, ...] = ()

    @cached_property
    def data(self) -> bytes:
        """The bytes: of the base64 as leniently as possible, else of the text. Up to 100 ms for 50 MB."""
        if not self.encoded:
            return self.text.encode(errors="surrogatepass")
        return decode_base64(self.encoded)[0]

    @property
    def size(self) -> int:
        """How many bytes it holds, without decoding them."""
        return len(self.encoded) * 3 // 4 if self.encoded else len(self.text)

    @property
    def label(self) -> str:
        """One line for a chooser: ``text · 61 B``."""
        parts = [self.title, self.mime if self.mime and self.mime not in self.title else "", plain.size(self.size)]
        return " · ".join(plain.line(part, 60) for part in parts if part)


class _Block(msgspec.Struct):
    type: Any = msgspec.UNSET
    text: Any = msgspec.UNSET
    data: Any = msgspec.UNSET
    blob: Any = msgspec.UNSET
    mimeType: Any = ""
    uri: Any = ""
    name: Any = ""
    resource: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Result(msgspec.Struct):
    content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    contents: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    messages: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    structuredContent: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    description: Any = ""
    isError: Any = False


class _Message(msgspec.Struct):
    role: Any = ""
    content: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_read_result = msgspec.json.Decoder(_Result).decode
_read_block = msgspec.json.Decoder(_Block).decode
_read_message = msgspec.json.Decoder(_Message).decode
_read_list = msgspec.json.Decoder(list[msgspec.Raw]).decode
_ERRORS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


@dataclass(frozen=True, eq=False)
class Message:
    """One message of a prompt. `role` is the server's word."""

    role: str
    blocks: tuple[Block, ...]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Result:
    """A result in parts. `structured` is the JSON text of `structuredContent`, None when absent (null is present)."""

    blocks: tuple[Block, ...] = ()
    messages: tuple[Message, ...] = ()
    structured: bytes | None = None
    description: str = ""
    is_error: bool = False
    flags: tuple[str, ...] = ()


def read(raw: bytes, *, arrays: bool = False) -> Result:
    """Take a result of tools/call, resources/read or prompts/get apart, or the params of sampling.

    `arrays`: a message's content may be an array without being odd, as in sampling.
    """
    try:
        result = _read_result(raw)
    except _ERRORS:
        return Result(flags=("the result is not an object",))
    flags: list[str] = []
    blocks: list[Block] = []
    if result.content is not msgspec.UNSET:
        blocks += [_block(part) for part in _parts(result.content, "content", flags)]
    if result.contents is not msgspec.UNSET:
        blocks += [_contents(part) for part in _parts(result.contents, "contents", flags)]
    messages: tuple[Message, ...] = ()
    if result.messages is not msgspec.UNSET:
        messages = tuple(_message(part, arrays=arrays) for part in _parts(result.messages, "messages", flags))
    structured = None if result.structuredContent is msgspec.UNSET else bytes(result.structuredContent)
    description = result.description if isinstance(result.description, str) else ""
    return Result(tuple(blocks), messages, structured, description, result.isError is True, tuple(flags))


def _parts(raw: bytes, member: str, flags: list[str]) -> list[bytes]:
    try:
        return [bytes(part) for part in _read_list(raw)]
    except _ERRORS:
        flags.append(f'"{member}" is not an array')
        return [bytes(raw)] if bytes(raw[:1]) == b"{" else []


def _message(raw: bytes, *, arrays: bool) -> Message:
    try:
        message = _read_message(raw)
    except _ERRORS:
        return Message("?", (_unknown(raw, "not an object"),), ("this message is not an object",))
    role = message.role if isinstance(message.role, str) else ""
    flags = [] if role in ("user", "assistant") else [f'the role is "{plain.line(role, 40)}", not user or assistant']
    if message.content is msgspec.UNSET:
        return Message(role, (), (*flags, 'it has no "content"'))
    content = bytes(message.content)
    if content[:1] == b"[":
        if not arrays:
            flags.append('"content" is an array; a prompt message holds one block')
        return Message(role, tuple(_block(part) for part in _parts(content, "content", flags)), tuple(flags))
    if content[:1] == b'"':
        flags.append('"content" is a bare string; a prompt message holds one block')
        text = msgspec.json.decode(content)
        return Message(role, (Block(content, Sort.TEXT, "text", text=text),), tuple(flags))
    return Message(role, (_block(content),), tuple(flags))


def _block(raw: bytes) -> Block:
    """One content block, by its `type`."""
    try:
        block = _read_block(raw)
    except _ERRORS:
        return _unknown(raw, "not an object")
    kind, mime = block.type, _string(block.mimeType)
    if kind == "text":
        if isinstance(block.text, str):
            return Block(raw, Sort.TEXT, "text", text=block.text, mime=mime)
        return _unknown(raw, 'a text block without a string "text"')
    if kind in ("image", "audio"):
        sort = Sort.IMAGE if kind == "image" else Sort.AUDIO
        if isinstance(block.data, str):
            return Block(raw, sort, kind, mime=mime, encoded=block.data, flags=_base64_flags(block.data))
        return _unknown(raw, f'{kind} block without a string "data"')
    if kind == "resource":
        if block.resource is msgspec.UNSET:
            return _unknown(raw, 'a resource block without "resource"')
        return _contents(bytes(block.resource), "embedded resource")
    if kind == "resource_link":
        uri = _string(block.uri)
        flags = () if uri else ('a resource link without "uri"',)
        text = "\n".join(filter(None, (_string(block.name), uri)))
        return Block(raw, Sort.LINK, "resource link", text=text, mime=mime, uri=uri, flags=flags)
    if kind in ("tool_use", "tool_result"):
        return Block(raw, Sort.OTHER, str(kind), text=pretty(raw.decode(errors="replace")))
    name = kind if isinstance(kind, str) else "?"
    return _unknown(raw, f'a block of the unknown type "{plain.line(name, 40)}"')


def _contents(raw: bytes, title: str = "") -> Block:
    """One entry of `contents`, or the inside of an embedded resource."""
    try:
        block = _read_block(raw)
    except _ERRORS:
        return _unknown(raw, "not an object")
    mime, uri = _string(block.mimeType), _string(block.uri)
    title = title or plain.line(uri, 60) or "contents"
    flags = [] if uri else ['it has no "uri"']
    has_text, has_blob = isinstance(block.text, str), isinstance(block.blob, str)
    if has_text and has_blob:
        flags.append('it has both "text" and "blob"')
    if has_text:
        sort = Sort.IMAGE if mime.startswith("image/svg") else Sort.TEXT
        return Block(raw, sort, title, text=block.text, mime=mime, uri=uri, flags=tuple(flags))
    if has_blob:
        flags += _base64_flags(block.blob)
        family = mime.partition("/")[0]
        sort = {"image": Sort.IMAGE, "audio": Sort.AUDIO}.get(family, Sort.BINARY)
        return Block(raw, sort, title, mime=mime, uri=uri, encoded=block.blob, flags=tuple(flags))
    return _unknown(raw, 'contents with neither "text" nor "blob"', uri)


def _unknown(raw: bytes, why: str, uri: str = "") -> Block:
    return Block(raw, Sort.OTHER, "not understood", text=raw.decode(errors="replace"), uri=uri, flags=(why,))


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


_STRICT = re.compile(r"[A-Za-z0-9+/]*={0,2}")


def _base64_flags(text: str) -> tuple[str, ...]:
    head = text if len(text) <= 100_000 else text[:100_000].rstrip("=")
    if not _STRICT.fullmatch(head):
        return ("the base64 has characters that do not belong",)
    return () if len(text) % 4 == 0 else ("the base64 is not padded",)


def decode_base64(text: str) -> tuple[bytes, str]:
    """As many bytes as the text gives, and what is wrong. URL-safe letters, spaces and lost padding are forgiven."""
    try:
        return base64.b64decode(text, validate=True), ""
    except (binascii.Error, ValueError):
        cleaned = re.sub(r"[^A-Za-z0-9+/]", "", text.replace("-", "+").replace("_", "/"))
        if len(cleaned) % 4 == 1:
            cleaned = cleaned[:-1]
        return base64.b64decode(cleaned + "=" * (-len(cleaned) % 4)), "not strict base64"


SUFFIX = {
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/xml": ".xml",
    "application/gzip": ".gz",
    "application/zip": ".zip",
    "audio/mpeg": ".mp3",
    "audio/wav": ".wav",
    "audio/x-wav": ".wav",
    "audio/ogg": ".ogg",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/svg+xml": ".svg",
    "image/webp": ".webp",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
    "text/plain": ".txt",
}
"""File name endings by media type. The system's own table may name program types: it is not asked."""

_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}


def file_name(block: Block) -> str:
    """A safe name to propose for saving: the last part of the URI, without anything that leaves the folder or hides."""
    from urllib.parse import unquote

    path = unquote(block.uri.partition("://")[2].partition("?")[0].partition("#")[0] or block.uri)
    base = re.split(r"[/\\]", path.rstrip("/\\"))[-1]
    base = re.sub(r'[\x00-\x1f<>:"|?*\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f]', "_", base).strip(" .")[:100]
    suffix = SUFFIX.get(block.mime.partition(";")[0].strip().lower(), "")
    if not base or base.partition(".")[0].lower() in _RESERVED:
        base = f"{block.sort.partition(' ')[0]}"
    if "." not in base:
        base += suffix or (".txt" if block.sort is Sort.TEXT else ".bin")
    return base
