"""Arguments from ``key=value`` words: typed by the tool's schema, and sent as they are spelled."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.cli.exits import UsageError
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.schema.fields import Field

_ARTICLES = {"array": "an array", "integer": "an integer", "object": "an object", "null": "null"}


def pairs(words: Sequence[str]) -> list[tuple[str, str, bool]]:
    """Key, value and whether the value is JSON (``key:=…``) of each word. Raises `UsageError`."""
    found: list[tuple[str, str, bool]] = []
    for word in words:
        key, sign, value = word.partition("=")
        as_json = key.endswith(":")
        key = key.removesuffix(":")
        if not sign or not key:
            raise UsageError(f"{visible(word)!r} is no argument. Write KEY=VALUE, or KEY:=JSON.")
        if any(key == other for other, _, _ in found):
            raise UsageError(f"The argument {visible(key)!r} is given twice. Write a list as {visible(key)}:='[…]'.")
        if as_json:
            _check(f"{visible(key)}:=", value.encode(errors="surrogatepass"))
        found.append((key, value, as_json))
    return found


def texts(words: Sequence[str]) -> dict[str, str]:
    """The arguments of a prompt, whose values are texts. Raises `UsageError`."""
    found = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise UsageError(f"{visible(word)!r} is no argument. Write KEY=VALUE.")
        found[key] = value
    return found


def given_json(text: str | None) -> bytes | None:
    """The JSON of ``--args``: itself, a file (``@FILE``) or standard input (``-``). Raises `UsageError`."""
    return _given(text, "--args")


def given_object(text: str, option: str) -> dict[str, msgspec.Raw]:
    """The members of a JSON object that an option gives like ``--args``, each as it is spelled. Raises `UsageError`."""
    try:
        return msgspec.json.decode(_given(text, option) or b"", type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        raise UsageError(f"{option} is no JSON object.") from None


def _given(text: str | None, option: str) -> bytes | None:
    if text is None:
        return None
    try:
        if text == "-":
            raw = sys.stdin.buffer.read()
        else:
            raw = Path(text[1:]).read_bytes() if text.startswith("@") else text.encode()
    except (OSError, UnicodeEncodeError) as error:
        raise UsageError(f"{option} cannot be read: {error}.") from None
    return _check(option, raw)


def given_bytes(text: str) -> bytes:
    """The bytes of a message: the text itself, a file (``@FILE``) or standard input (``-``). Raises `UsageError`."""
    try:
        if text == "-":
            return sys.stdin.buffer.read().rstrip(b"\r\n")
        return Path(text[1:]).read_bytes().rstrip(b"\r\n") if text.startswith("@") else text.encode()
    except (OSError, UnicodeEncodeError) as error:
        raise UsageError(f"The message cannot be read: {error}.") from None


def merged(base: bytes | None, values: dict[str, bytes]) -> bytes | None:
    """The arguments as JSON text: those of ``--args``, with the others over them. None when there are none at all."""
    if not values:
        return base
    members: dict[str, msgspec.Raw] = {}
    if base is not None:
        try:
            members = msgspec.json.decode(base, type=dict[str, msgspec.Raw])
        except msgspec.MsgspecError:
            raise UsageError("--args is no object, so KEY=VALUE cannot be added to it.") from None
    members.update({key: msgspec.Raw(value) for key, value in values.items()})
    return msgspec.json.encode(members)


def typed(found: Sequence[tuple[str, str, bool]], schema: bytes | None) -> dict[str, bytes]:
    """The JSON text of each value: read by the tool's input schema, or as it is for ``key:=…``. Raises `UsageError`."""
    values: dict[str, bytes] = {}
    root: Field | None = None
    for key, value, as_json in found:
        if as_json:
            values[key] = value.encode()
            continue
        if root is None:
            from mcp_inspector.schema.fields import Form

            root = Form(schema or b"{}").root
        values[key] = _by_field(key, value, root.member(key)).encode()
    return values


def _check(what: str, raw: bytes) -> bytes:
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
        raw.decode()
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"{what} is not JSON: {error}.") from None
    return raw


def _by_field(key: str, value: str, field: Field) -> str:
    """The JSON text of one value. What the schema leaves open is a text: JSON is for ``key:=…``."""
    from mcp_inspector.schema.kinds import FieldKind
    from mcp_inspector.wire import jsontext

    kind = field.kind
    if kind is FieldKind.UNION:
        return _by_branch(key, value, [field.branch(index) for index in range(len(field.branches))])
    if kind is FieldKind.ENUM:
        quoted = jsontext.quote(value)
        choices = [choice.json_text for choice in field.choices]
        if quoted in choices or value in choices:
            return quoted if quoted in choices else value
        decoded = {_decoded(choice): choice for choice in choices}
        if value in decoded:
            return decoded[value]
        if field.nullable and value == "null":
            return value
        raise UsageError(_wrong(key, value, f"one of {visible(', '.join(choices))}"))
    if kind in (FieldKind.STRING, FieldKind.ANY):
        return jsontext.quote(value)
    if kind is FieldKind.RAW:
        return value if _kind_of(value) else jsontext.quote(value)
    if field.nullable and value.strip() == "null":
        return "null"
    entry = field.read(value)
    wanted = {FieldKind.MAP: "object", FieldKind.TUPLE: "array"}.get(kind, kind.value)
    if entry.json_text is None or not _fits(entry.json_text, wanted):
        raise UsageError(_wrong(key, value, _ARTICLES.get(wanted, f"a {wanted}")))
    return entry.json_text


def _by_branch(key: str, value: str, branches: list[Field]) -> str:
    """The first alternative that takes the value, those of texts last, because a text takes everything."""
    from mcp_inspector.schema.kinds import FieldKind

    branches.sort(key=lambda branch: branch.kind in (FieldKind.STRING, FieldKind.ANY))
    problem = UsageError(_wrong(key, value, "something else"))
    for branch in branches:
        try:
            return _by_field(key, value, branch)
        except UsageError as error:
            problem = error
    raise problem


def _decoded(json_text: str) -> str:
    try:
        value = msgspec.json.decode(json_text)
    except msgspec.MsgspecError:
        return json_text
    return value if isinstance(value, str) else json_text


def _kind_of(text: str) -> str:
    """What a JSON text is, empty when it is none."""
    try:
        msgspec.json.decode(text.encode(), type=msgspec.Raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return ""
    first = text.lstrip(" \t\r\n")[:1]
    kinds = {"{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null"}
    return kinds.get(first, "number")


def _fits(text: str, wanted: str) -> bool:
    return _kind_of(text) == ("number" if wanted == "integer" else wanted)


def _wrong(key: str, value: str, wanted: str) -> str:
    shown = re.sub(r"\s+", " ", visible(value))[:60]
    return f"{visible(key)} should be {wanted}, and {shown!r} is not. To send it all the same: {visible(key)}:=JSON."
