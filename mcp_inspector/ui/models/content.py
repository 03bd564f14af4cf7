"""What a result holds, ready for viewers: blocks of text, images, links and bytes. Nothing here raises on odd input.

Text and base64 stay as they came until a viewer asks: a result of 50 MB costs one pass over its envelope.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec

from mcp_inspector.ui import plain

_LARGEST_ODD = 1_000_000
_ERRORS = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)


class Sort(StrEnum):
    """What a block is, as far as viewing it goes."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    LINK = "resource link"
    BINARY = "binary"
    OTHER = "other"


Raw = msgspec.Raw | bytes


@dataclass(frozen=True, eq=False)
class Block:
    """One part of a result. `flags` say what is wrong or odd about it.

    `said` and `coded` are the JSON strings of its text and base64, as they stand in the result and not copied; `words`
    is text that we made of it.
    """

    sort: Sort
    title: str
    said: Raw = b""
    words: str = ""
    mime: str = ""
    uri: str = ""
    coded: Raw = b""
    flags: tuple[str, ...] = ()

    @cached_property
    def text(self) -> str:
        """Its text, empty when it has none."""
        return self.words or _decoded(self.said)

    @cached_property
    def encoded(self) -> str:
        """Its base64, empty when it has none."""
        return _decoded(self.coded)

    @cached_property
    def data(self) -> bytes:
        """The bytes: of the base64 as leniently as possible, else of the text.

        Up to 200 ms for 50 MB, in short steps: may be asked for in a thread while the window goes on.
        """
        if not self.has_bytes:
            return self.text.encode(errors="surrogatepass")
        strict = _decoded_in_steps(self.coded)
        return decode_base64(self.encoded)[0] if strict is None else strict

    @property
    def is_decoded(self) -> bool:
        """Whether `data` costs nothing any more."""
        return "data" in self.__dict__

    @property
    def has_bytes(self) -> bool:
        """Whether it holds base64."""
        return len(memoryview(self.coded)) > 0

    @property
    def size(self) -> int:
        """About how many bytes it holds, without decoding them."""
        if self.has_bytes:
            return (len(memoryview(self.coded)) - 2) * 3 // 4
        return len(self.words) or max(0, len(memoryview(self.said)) - 2)

    @property
    def label(self) -> str:
        """One line for a chooser: ``text · 61 B``."""
        parts = [self.title, self.mime if self.mime and self.mime not in self.title else "", plain.size(self.size)]
        return " · ".join(plain.line(part, 60) for part in parts if part)


Member = msgspec.Raw | msgspec.UnsetType


class _Block(msgspec.Struct):
    type: Any = msgspec.UNSET
    text: Member = msgspec.UNSET
    data: Member = msgspec.UNSET
    blob: Member = msgspec.UNSET
    mimeType: Any = ""
    uri: Any = ""
    name: Any = ""
    resource: Member = msgspec.UNSET


class _Head(msgspec.Struct):
    isError: Any = False


_read_head = msgspec.json.Decoder(_Head).decode


def says_error(raw: bytes) -> bool:
    """Whether a result says `isError`, without decoding the rest of it."""
    try:
        return _read_head(raw).isError is True
    except _ERRORS:
        return False


class _Result(msgspec.Struct):
    content: Member = msgspec.UNSET
    contents: Member = msgspec.UNSET
    messages: Member = msgspec.UNSET
    structuredContent: Member = msgspec.UNSET
    description: Any = ""
    isError: Any = False


class _Message(msgspec.Struct):
    role: Any = ""
    content: Member = msgspec.UNSET


_read_result = msgspec.json.Decoder(_Result).decode
_read_block = msgspec.json.Decoder(_Block).decode
_read_message = msgspec.json.Decoder(_Message).decode
_read_list = msgspec.json.Decoder(list[msgspec.Raw]).decode


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
    if not isinstance(result.content, msgspec.UnsetType):
        blocks += [_block(part) for part in _parts(result.content, "content", flags)]
    if not isinstance(result.contents, msgspec.UnsetType):
        blocks += [_contents(part) for part in _parts(result.contents, "contents", flags)]
    messages: tuple[Message, ...] = ()
    if not isinstance(result.messages, msgspec.UnsetType):
        messages = tuple(_message(part, arrays=arrays) for part in _parts(result.messages, "messages", flags))
    structured = None
    if not isinstance(result.structuredContent, msgspec.UnsetType):
        structured = bytes(result.structuredContent)
    description = result.description if isinstance(result.description, str) else ""
    return Result(tuple(blocks), messages, structured, description, result.isError is True, tuple(flags))


def _parts(raw: Raw, member: str, flags: list[str]) -> list[Raw]:
    try:
        return list(_read_list(raw))
    except _ERRORS:
        flags.append(f'"{member}" is not an array')
        return [raw] if bytes(memoryview(raw)[:1]) == b"{" else []


def _message(raw: Raw, *, arrays: bool) -> Message:
    try:
        message = _read_message(raw)
    except _ERRORS:
        return Message("?", (_unknown(raw, "not an object"),), ("this message is not an object",))
    role = message.role if isinstance(message.role, str) else ""
    flags = [] if role in ("user", "assistant") else [f'the role is "{plain.line(role, 40)}", not user or assistant']
    if isinstance(message.content, msgspec.UnsetType):
        return Message(role, (), (*flags, 'it has no "content"'))
    content = message.content
    first = bytes(memoryview(content)[:1])
    if first == b"[":
        if not arrays:
            flags.append('"content" is an array; a prompt message holds one block')
        return Message(role, tuple(_block(part) for part in _parts(content, "content", flags)), tuple(flags))
    if first == b'"':
        flags.append('"content" is a bare string; a prompt message holds one block')
        return Message(role, (Block(Sort.TEXT, "text", said=content),), tuple(flags))
    return Message(role, (_block(content),), tuple(flags))


def _is_string(member: Member) -> bool:
    return not isinstance(member, msgspec.UnsetType) and bytes(memoryview(member)[:1]) == b'"'


def _block(raw: Raw) -> Block:
    """One content block, by its `type`."""
    try:
        block = _read_block(raw)
    except _ERRORS:
        return _unknown(raw, "not an object")
    kind, mime = block.type, _string(block.mimeType)
    if kind == "text":
        if _is_string(block.text):
            return Block(Sort.TEXT, "text", said=_raw(block.text), mime=mime)
        return _unknown(raw, 'a text block without a string "text"')
    if kind in ("image", "audio"):
        sort = Sort.IMAGE if kind == "image" else Sort.AUDIO
        if _is_string(block.data):
            return Block(sort, kind, mime=mime, coded=_raw(block.data), flags=_base64_flags(_raw(block.data)))
        return _unknown(raw, f'{kind} block without a string "data"')
    if kind == "resource":
        if isinstance(block.resource, msgspec.UnsetType):
            return _unknown(raw, 'a resource block without "resource"')
        return _contents(block.resource, "embedded resource")
    if kind == "resource_link":
        uri = _string(block.uri)
        flags = () if uri else ('a resource link without "uri"',)
        words = "\n".join(filter(None, (_string(block.name), uri)))
        return Block(Sort.LINK, "resource link", words=words, mime=mime, uri=uri, flags=flags)
    if kind in ("tool_use", "tool_result"):
        return Block(Sort.OTHER, str(kind), said=raw)
    name = kind if isinstance(kind, str) else "?"
    return _unknown(raw, f'a block of the unknown type "{plain.line(name, 40)}"')


def _contents(raw: Raw, title: str = "") -> Block:
    """One entry of `contents`, or the inside of an embedded resource."""
    try:
        block = _read_block(raw)
    except _ERRORS:
        return _unknown(raw, "not an object")
    mime, uri = _string(block.mimeType), _string(block.uri)
    title = title or plain.line(uri, 60) or "contents"
    flags = [] if uri else ['it has no "uri"']
    has_text, has_blob = _is_string(block.text), _is_string(block.blob)
    if has_text and has_blob:
        flags.append('it has both "text" and "blob"')
    if has_text:
        sort = Sort.IMAGE if mime.startswith("image/svg") else Sort.TEXT
        return Block(sort, title, said=_raw(block.text), mime=mime, uri=uri, flags=tuple(flags))
    if has_blob:
        flags += _base64_flags(_raw(block.blob))
        family = mime.partition("/")[0]
        sort = {"image": Sort.IMAGE, "audio": Sort.AUDIO}.get(family, Sort.BINARY)
        return Block(sort, title, mime=mime, uri=uri, coded=_raw(block.blob), flags=tuple(flags))
    return _unknown(raw, 'contents with neither "text" nor "blob"', uri)


def _unknown(raw: Raw, why: str, uri: str = "") -> Block:
    words = bytes(memoryview(raw)[:_LARGEST_ODD]).decode(errors="replace")
    return Block(Sort.OTHER, "not understood", words=words, uri=uri, flags=(why,))


def _raw(member: Member) -> Raw:
    return b"" if isinstance(member, msgspec.UnsetType) else member


def _decoded(raw: Raw) -> str:
    """The characters of a JSON string."""
    if not len(memoryview(raw)):
        return ""
    try:
        return str(msgspec.json.decode(raw))
    except _ERRORS:  # half a surrogate pair, which msgspec refuses
        return str(json.loads(bytes(raw), strict=False))


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


_STRICT = re.compile(rb"(?:[A-Za-z0-9+/]|\\/)*={0,2}")  # a JSON text may spell the slash \/


def _base64_flags(raw: Raw) -> tuple[str, ...]:
    inside = memoryview(raw)[1:-1]
    head = bytes(inside[:100_000])
    if not _STRICT.fullmatch(head if len(inside) <= 100_000 else head.rstrip(b"=")):
        return ("the base64 has characters that do not belong",)
    return () if len(inside) % 4 == 0 else ("the base64 is not padded",)


_STEP = 1 << 18


def _decoded_in_steps(raw: Raw) -> bytes | None:
    """What a JSON string of strict base64 holds, None where it is not strict.

    One call for all of it would hold the interpreter's lock, and with it the window, as long as it takes.
    """
    inside, out = memoryview(raw)[1:-1], bytearray()
    try:
        for at in range(0, len(inside), _STEP):
            part = binascii.a2b_base64(inside[at : at + _STEP], strict_mode=True)
            if len(part) * 4 != _STEP * 3 and at + _STEP < len(inside):
                return None  # padding in the middle
            out += part
    except (binascii.Error, ValueError):
        return None
    return bytes(out)


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
