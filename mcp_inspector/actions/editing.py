"""Edits of a collection's text that change one place and leave all else as it is: layout, unknown members, spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.actions.collection import SCHEMA_ID
from mcp_inspector.config import safe_write
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.schema import textedit
from mcp_inspector.schema.textedit import PlaceError
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.wire.jsontext import Path as Place

# fmt: off
_ORDER = (
    "name", "kind", "server", "target", "arguments", "steps", "capture", "assert", "variables", "timeout",
    "description", "group", "shortcut", "pinned",
)
# fmt: on


def new(name: str) -> str:
    """The text of a collection without actions."""
    schema, quoted = jsontext.quote(SCHEMA_ID), jsontext.quote(name)
    return f'{{\n  "$schema": {schema},\n  "name": {quoted},\n  "actions": []\n}}\n'


def add_action(text: str, action: str, at: int | None = None) -> str:
    """Put an action (JSON text) at the end, or before the one at an index; a name that is taken gets a number.

    Raises `EditRefused`.
    """
    root = _root(text)
    actions = root.get("actions")
    if actions is None:
        text = textedit.set_value(root, ("actions",), "[]").apply(text)
        root = jsontext.parse(text)
        actions = root.get("actions")
    if actions is None or actions.kind is not Kind.ARRAY:
        raise EditRefused('"actions" of this collection is no array. Mend the file first.')
    added = _root(action)
    taken = {jsontext.unquote(name.raw) for item in actions.items if (name := _string(item.get("name"))) is not None}
    name = _string(added.get("name"))
    wanted = jsontext.unquote(name.raw) if name is not None else "Action"
    free = free_name(wanted, taken)
    if name is None or free != wanted:
        action = textedit.set_value(added, ("name",), jsontext.quote(free), _ORDER).apply(action)
    index = len(actions.items) if at is None else max(0, min(at, len(actions.items)))
    shown = _indented(jsontext.pretty(action.strip()), 4)
    return textedit.insert_item(root, ("actions",), index, shown).apply(text)


def action_text(text: str, place: Place) -> str:
    """An action of the collection, for the clipboard."""
    node = jsontext.find(_root(text), place)
    if node is None:
        raise EditRefused("The action is not there any more.")
    return jsontext.pretty(node.raw)


def replace_at(text: str, place: Place, json_text: str) -> str:
    """Put another value in a place. Raises `EditRefused`."""
    root = _root(text)
    _root(json_text, "The new text")
    try:
        shown = _indented(jsontext.pretty(json_text.strip()), 2 * len(place))
        return textedit.set_value(root, place, shown, _ORDER).apply(text)
    except PlaceError as error:
        raise EditRefused(f"{error} The collection is as it was.") from None


def remove_at(text: str, place: Place) -> str:
    """Take something out; nothing happens when it is not there."""
    root = _root(text)
    if jsontext.find(root, place) is None:
        return text
    return textedit.remove(root, place).apply(text)


def move_action(text: str, source: int, target: int) -> str:
    """Move an action to another index."""
    try:
        return textedit.move_item(_root(text), ("actions",), source, target).apply(text)
    except PlaceError as error:
        raise EditRefused(str(error)) from None


def add_assertion(text: str, place: Place, assertion: str) -> str:
    """Add an assertion (JSON text) to the action at a place."""
    root = _root(text)
    try:
        node = jsontext.find(root, (*place, "assert"))
        if node is None:
            return replace_at(text, (*place, "assert"), f"[{assertion}]")
        compact = jsontext.compact(assertion)
        return textedit.insert_item(root, (*place, "assert"), len(node.items), compact).apply(text)
    except PlaceError as error:
        raise EditRefused(str(error)) from None


def save(path: Path, text: str, before: str | None) -> None:
    """Write a collection. `before` is the text it was made from, None for a new file.

    Raises `EditRefused` when the file holds something else now: nothing of another writer is ever lost.
    """
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        with safe_write.lock(path):
            now = path.read_bytes() if path.exists() else None
            if now is not None and (before is None or now != jsontext.encode(before)):
                raise EditRefused(f"{path} was changed by somebody else meanwhile. Open it anew; nothing was written.")
            safe_write.replace(path, jsontext.encode(text))
    except OSError as error:
        raise EditRefused(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.") from error


def free_name(wanted: str, taken: set[str]) -> str:
    """The name, with a number behind it when it is taken."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def _root(text: str, what: str = "The collection") -> Node:
    try:
        root = jsontext.parse(text)
    except JsonError as error:
        raise EditRefused(f"{what} is not JSON: {error}") from None
    return root


def _string(node: Node | None) -> Node | None:
    return node if node is not None and node.kind is Kind.STRING else None


def _indented(text: str, spaces: int) -> str:
    return text.replace("\n", "\n" + " " * spaces)
