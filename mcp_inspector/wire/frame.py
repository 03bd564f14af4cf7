"""What one message is, from its bytes: never raises, keeps the bytes, decodes the envelope only.

`params`, `result` and `error` stay JSON text: a body is decoded when somebody needs it, so 100 MB cost one pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.wire import jsonscan
from mcp_inspector.wire.jsonfault import JsonError

if TYPE_CHECKING:
    from collections.abc import Mapping

Id = int | str
"""A legal JSON-RPC id. Compared by type and value: ``1`` is not ``"1"``; ``1.0`` is read as ``1`` with a fault."""

_BOM = b"\xef\xbb\xbf"
_SHOWN = 80


class Kind(StrEnum):
    """What a message is in JSON-RPC."""

    REQUEST = "request"
    NOTIFICATION = "notification"
    RESPONSE = "response"
    ERROR = "error"
    BATCH = "batch"
    INVALID = "invalid"


class _Envelope(msgspec.Struct):
    jsonrpc: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    method: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    params: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_envelope = msgspec.json.Decoder(_Envelope)
_batch = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True, slots=True)
class Frame:
    """One message. `raw` is exactly what came or goes. `faults` are sentences about the envelope, worst first.

    `id` is the id to pair by, None when absent or not legal; `id_text` its JSON text as spelled, empty when absent.
    `params`, `result`, `error` are JSON text, None when the member is absent. `items` holds the frames of a batch.
    `is_object` tells an invalid JSON object (a message gone wrong) from bytes that were never meant as one.
    """

    raw: bytes
    kind: Kind
    id: Id | None = None
    id_text: str = ""
    method: str = ""
    params: bytes | None = None
    result: bytes | None = None
    error: bytes | None = None
    faults: tuple[str, ...] = ()
    items: tuple[Frame, ...] = ()
    is_object: bool = False


def read(raw: bytes) -> Frame:
    """Classify one message. A message that is none comes back as `Kind.INVALID` with the reason in `faults`."""
    faults: list[str] = []
    text = raw
    if text.startswith(_BOM):
        faults.append("starts with a UTF-8 byte order mark, which JSON text must not")
        text = text[len(_BOM) :]
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError as error:
            fault = f"is not UTF-8: byte 0x{text[error.start]:02x} at offset {error.start}"
            return Frame(raw, Kind.INVALID, faults=(fault,))
    stripped = text.lstrip(b" \t\r\n")
    if stripped.startswith(b"["):
        return _read_batch(raw, text, faults)
    try:
        envelope = _envelope.decode(text)
    except RecursionError:
        deep = _deep_envelope(text)
        if deep is None:
            return Frame(raw, Kind.INVALID, faults=("is nested too deeply to be read", *faults))
        envelope = deep
    except msgspec.MsgspecError as error:
        return Frame(raw, Kind.INVALID, faults=(_why_not(stripped, error), *faults))
    return _classify(raw, envelope, faults)


def _deep_envelope(text: bytes) -> _Envelope | None:
    """The envelope around a value that is nested beyond what the decoder takes."""
    try:
        found = {each.name: msgspec.Raw(text[each.start : each.end]) for each in jsonscan.members(text)}
    except JsonError:
        return None
    return _Envelope(**{name: value for name, value in found.items() if name in _Envelope.__struct_fields__})


def _read_batch(raw: bytes, text: bytes, faults: list[str]) -> Frame:
    try:
        parts = _batch.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        return Frame(raw, Kind.INVALID, faults=(_why_not(text.lstrip(), error), *faults))
    items = tuple(_read_part(bytes(part)) for part in parts)
    if not items or all(item.kind is Kind.INVALID for item in items):
        return Frame(raw, Kind.INVALID, faults=("is a JSON array that holds no JSON-RPC message", *faults))
    return Frame(raw, Kind.BATCH, faults=tuple(faults), items=items)


def _read_part(raw: bytes) -> Frame:
    """One entry of a batch. Arrays in arrays are not followed: no batch holds batches, and they may be a trap."""
    if raw.startswith(b"["):
        return Frame(raw, Kind.INVALID, faults=("is an array inside a batch",))
    return read(raw)


def _classify(raw: bytes, envelope: _Envelope, faults: list[str]) -> Frame:
    version = _text(envelope.jsonrpc)
    if version is None:
        faults.append('has no member "jsonrpc"')
    elif version != '"2.0"':
        faults.append(f'"jsonrpc" is {version[:_SHOWN]} instead of "2.0"')
    id_text = _text(envelope.id)
    ident, id_fault = read_id(id_text)
    method = _method(envelope.method)
    result, error = _raw(envelope.result), _raw(envelope.error)
    if error == b"null" and result is not None:
        faults.append('has "result" and also "error": null')
        error = None
    if id_fault and (method is not None or error is None):
        faults.append(id_fault)

    if method is not None:
        if result is not None or error is not None:
            faults.append('has "method" together with "result" or "error"')
        kind = Kind.NOTIFICATION if id_text is None else Kind.REQUEST
        if kind is Kind.REQUEST and ident is None:
            kind = Kind.INVALID
    elif envelope.method is not msgspec.UNSET:
        kind = Kind.INVALID
        faults.insert(0, '"method" is not a string')
    elif error is not None:
        kind = Kind.ERROR
        if result is not None:
            faults.append('has both "result" and "error"')
        faults.extend(_error_faults(error))
    elif result is not None:
        kind = Kind.RESPONSE
        if id_text is None:
            faults.append('is a response without an "id"')
        if not result.startswith(b"{"):
            faults.append('"result" is not an object')
    else:
        kind = Kind.INVALID
        faults.insert(0, 'is an object without "method", "result" or "error"')
    return Frame(
        raw,
        kind,
        ident,
        id_text or "",
        method or "",
        _raw(envelope.params),
        result,
        error,
        tuple(faults),
        is_object=True,
    )


def read_id(text: str | None) -> tuple[Id | None, str]:
    """The id to pair by and a fault (empty when there is none) from the id's JSON text."""
    if text is None:
        return None, ""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None, f'"id" is {text[:_SHOWN]}, which is not readable'
    if isinstance(value, str):
        return value, ""
    if isinstance(value, bool) or value is None:
        return None, f'"id" is {text}, which is neither a string nor a number'
    if isinstance(value, int):
        return value, ""
    if isinstance(value, float) and value.is_integer():
        return int(value), f'"id" is {text[:_SHOWN]}, a number with a fraction or exponent'
    return None, f'"id" is {text[:_SHOWN]}, which is neither a string nor an integer'


def write(method: str, params: Mapping[str, Any] | None = None, ident: Id | None = None) -> bytes:
    """A request (with an id) or a notification (without), as one line of JSON without a line end.

    Values of `params` may be `msgspec.Raw`: they go out byte for byte, which keeps a number's spelling and
    the order and duplicates of members.
    """
    message: dict[str, Any] = {"jsonrpc": "2.0"}
    if ident is not None:
        message["id"] = ident
    message["method"] = method
    if params is not None:
        message["params"] = params
    return msgspec.json.encode(message)


def write_result(id_text: str, result: Any) -> bytes:
    """A response under the id as the peer spelled it."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": msgspec.Raw(id_text.encode()), "result": result})


def write_error(id_text: str, code: int, message: str) -> bytes:
    """An error response under the id as the peer spelled it."""
    error = {"code": code, "message": message}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": msgspec.Raw(id_text.encode()), "error": error})


def _raw(value: msgspec.Raw | msgspec.UnsetType) -> bytes | None:
    return None if value is msgspec.UNSET else bytes(value)


def _text(value: msgspec.Raw | msgspec.UnsetType) -> str | None:
    return None if value is msgspec.UNSET else bytes(value).decode(errors="replace")


def _method(value: msgspec.Raw | msgspec.UnsetType) -> str | None:
    if value is msgspec.UNSET:
        return None
    try:
        return msgspec.json.decode(value, type=str)
    except msgspec.MsgspecError:
        return None


def _error_faults(error: bytes) -> list[str]:
    try:
        value = msgspec.json.decode(error)
    except (msgspec.MsgspecError, RecursionError):
        return ['"error" is not readable']
    if not isinstance(value, dict):
        return ['"error" is not an object']
    faults = []
    if not isinstance(value.get("code"), int) or isinstance(value.get("code"), bool):
        faults.append('"error.code" is not an integer')
    if not isinstance(value.get("message"), str):
        faults.append('"error.message" is not a string')
    return faults


def _why_not(text: bytes, error: Exception) -> str:
    """The sentence for bytes that are no JSON object, with the likely reason where one is known."""
    if not text:
        return "is empty"
    head = text[:_SHOWN].decode(errors="replace")
    if text[:15].lower() == b"content-length:":
        return "is not JSON: this looks like LSP framing (Content-Length headers), but MCP is one JSON text a line"
    if text.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in text[:4]:
        return "is not UTF-8: this looks like UTF-16"
    if text[:1] == b"<":
        return "is not JSON: this looks like HTML or XML"
    if isinstance(error, RecursionError):
        return "is nested too deeply to be read"
    if isinstance(error, msgspec.ValidationError):
        return f"is JSON, but not an object: {head!r}"
    if text[:1] != b"{" and b'{"jsonrpc"' in text:
        return f"is not JSON: other text stands before a message on the same line: {head!r}"
    if b"NaN" in text or b"Infinity" in text:
        return f"is not JSON (NaN and Infinity are not JSON numbers): {error}"
    return f"is not JSON: {error}"
