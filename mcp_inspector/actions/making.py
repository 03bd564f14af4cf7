"""From an exchange that happened: a saved action, and assertions made from its result."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.actions.collection import METHODS, Kind
from mcp_inspector.schema.jsonpath import to_path
from mcp_inspector.store.redact import is_secret_name
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Node
from mcp_inspector.wire.jsontext import Kind as JsonKind

if TYPE_CHECKING:
    from mcp_inspector.wire.jsontext import Path

KINDS = {method: kind for kind, method in METHODS.items()}
"""What kind of action a request is."""

_LONGEST_EQUAL = 2_000
"""Characters up to which a value is compared as a whole."""
_LEAVES = 6


@dataclass(frozen=True)
class Happened:
    """One request of ours and its answer. `arguments` is JSON text as it was sent; `result` or `error` is empty."""

    server: str
    kind: Kind
    target: str
    arguments: str
    result: bytes = b""
    error: bytes = b""

    @property
    def code(self) -> int | None:
        """The code of the JSON-RPC error, None when there is none."""
        try:
            code = msgspec.json.decode(self.error).get("code") if self.error else None
        except (msgspec.MsgspecError, RecursionError, AttributeError):
            return None
        return code if isinstance(code, int) and not isinstance(code, bool) else None

    @property
    def tool_error(self) -> bool:
        """Whether the tool said that it failed."""
        try:
            return bool(self.result) and msgspec.json.decode(self.result).get("isError") is True
        except (msgspec.MsgspecError, RecursionError, AttributeError):
            return False


def happened(server: str, request: bytes, answer: bytes = b"") -> Happened | None:
    """What the two messages say; None when the request is none that can be saved."""
    asked = wire.read(request)
    kind = KINDS.get(asked.method)
    if kind is None:
        return None
    try:
        params = jsontext.parse(asked.params or b"{}")
    except JsonError:
        return None
    named = params.get("uri" if kind is Kind.RESOURCE else "name")
    if named is None or named.kind is not JsonKind.STRING:
        return None
    given = params.get("arguments")
    came = wire.read(answer) if answer else None
    return Happened(
        server,
        kind,
        jsontext.unquote(named.raw),
        given.raw if given is not None and given.kind is JsonKind.OBJECT else "{}",
        bytes(came.result) if came is not None and came.result is not None else b"",
        bytes(came.error) if came is not None and came.error is not None else b"",
    )


@dataclass(frozen=True)
class Made:
    """An action as JSON text, and the secrets that were taken out of its arguments, for the keyring."""

    text: str
    secrets: tuple[tuple[str, str], ...] = ()


def action_of(one: Happened, name: str = "", *, assertions: bool = False, output_schema: bool = False) -> Made:
    """The action that makes this request again. A secret in its arguments becomes a reference to the keyring."""
    arguments, secrets = without_secrets(one.arguments)
    parts = [
        f'"name": {jsontext.quote(name or one.target)}',
        f'"kind": {jsontext.quote(one.kind.value)}',
        f'"server": {jsontext.quote(one.server)}',
        f'"target": {jsontext.quote(_escaped(one.target))}',
    ]
    if one.kind is not Kind.RESOURCE and arguments != "{}":
        parts.append(f'"arguments": {arguments}')
    if assertions:
        parts.append(f'"assert": [{", ".join(assertions_of(one, output_schema=output_schema))}]')
    return Made(jsontext.pretty("{" + ", ".join(parts) + "}"), secrets)


def assertions_of(one: Happened, *, output_schema: bool = False) -> list[str]:
    """Assertions, as JSON texts, that this answer passes and one that says something else does not."""
    if one.error:
        return [f'{{"error": {one.code}}}' if one.code is not None else '{"error": true}']
    if one.tool_error:
        return ['{"error": "tool"}']
    try:
        root = jsontext.parse(one.result)
    except JsonError:
        return ['{"error": false}']
    found: list[str] = []
    structured = root.get("structuredContent")
    if structured is not None:
        if output_schema:
            found.append('{"outputSchema": true}')
        found += _about(structured, ("structuredContent",))
    elif one.kind is Kind.PROMPT:
        found += _of_list(root, "messages", "role")
        found += _first_text(root, ("messages", 0, "content", "text"))
    elif one.kind is Kind.RESOURCE:
        found += _of_list(root, "contents", "mimeType")
        found += _first_text(root, ("contents", 0, "text"))
    else:
        found += _of_list(root, "content", "type")
        found += _first_text(root, ("content", 0, "text"))
    return found or ['{"error": false}']


def _about(node: Node, path: Path) -> list[str]:
    """The whole when it is small, else its scalar members and the length of its lists."""
    if node.end - node.start <= _LONGEST_EQUAL:
        return [_equal(path, node)]
    found = []
    pairs: list[tuple[Any, Node]] = [*zip(node.names, node.items, strict=True)] or [*enumerate(node.items)]
    for key, item in pairs[:_LEAVES]:
        if item.kind is JsonKind.ARRAY:
            found.append(_check((*path, key), f'"count": {len(item.items)}'))
        elif item.is_container:
            found.append(_check((*path, key), '"exists": true'))
        elif item.end - item.start <= _LONGEST_EQUAL:
            found.append(_equal((*path, key), item))
    return found


def _of_list(root: Node, member: str, word: str) -> list[str]:
    items = root.get(member)
    if items is None or items.kind is not JsonKind.ARRAY:
        return []
    found = [_check((member,), f'"count": {len(items.items)}')]
    first = items.get(0)
    said = first.get(word) if first is not None else None
    if said is not None and said.kind is JsonKind.STRING:
        found.append(_equal((member, 0, word), said))
    return found


def _first_text(root: Node, path: Path) -> list[str]:
    node = jsontext.find(root, path)
    if node is None or node.kind is not JsonKind.STRING:
        return []
    text = jsontext.unquote(node.raw)
    if len(text) <= _LONGEST_EQUAL:
        return [_equal(path, node)]
    first = text.lstrip().partition("\n")[0][:200]
    return [_check(path, f'"contains": {jsontext.quote(first)}')]


def _equal(path: Path, node: Node) -> str:
    return _check(path, f'"equals": {node.raw}')


def _check(path: Path, rest: str) -> str:
    return f'{{"path": {jsontext.quote(to_path(path))}, {rest}}}'


def without_secrets(arguments: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Arguments with references in the place of secrets, and these; texts that look like variables are escaped."""
    root = jsontext.parse(arguments)
    pieces: list[str] = []
    secrets: dict[str, str] = {}
    at = 0
    todo: list[tuple[str, Node]] = [("", root)]
    strings: list[tuple[str, Node]] = []
    while todo:
        name, node = todo.pop()
        if node.kind is JsonKind.STRING:
            strings.append((name, node))
        names = node.names or [name] * len(node.items)
        todo.extend(zip(names, node.items, strict=True))
    for name, node in sorted(strings, key=lambda pair: pair[1].start):
        text = jsontext.unquote(node.raw)
        if text and is_secret_name(name) and not (text.startswith("${") and text.endswith("}")):
            word = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "_-") else "_" for sign in name)
            secrets[word] = text
            new = jsontext.quote(f"${{secret:{word}}}")
        elif "${" in text:
            new = jsontext.quote(_escaped(text))
        else:
            continue
        pieces += (arguments[at : node.start], new)
        at = node.end
    return "".join((*pieces, arguments[at:])), tuple(secrets.items())


def _escaped(text: str) -> str:
    return text.replace("${", "$${")


def plain(text: str | bytes) -> Any:
    """Plain values of a JSON text, for Python code."""
    return json.loads(text)
