"""What an entry says that its server is told of this client: roots, capabilities, `_meta`, log level."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.entry import LOG_LEVELS, Root
from mcp_inspector.config.jsonc import Spelled
from mcp_inspector.config.shapes import is_text
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Note = Callable[[str, str], None]

# Each takes `note`, which is told what is odd, and a remedy.


def roots(value: Any, note: Note) -> tuple[Root, ...]:
    """The folders for `roots/list`. Any URI is taken: what is not ``file:`` is said, and sent all the same."""
    if value is None:
        return ()
    remedy = 'Write [{"uri": "file:///projects/one", "name": "project"}].'
    if not isinstance(value, list):
        note('"roots" is not a list and is not used', remedy)
        return ()
    found = []
    for index, item in enumerate(value):
        uri = item.get("uri") if isinstance(item, dict) else item
        name = item.get("name") if isinstance(item, dict) else None
        if not is_text(uri) or (name is not None and not is_text(name)):
            note(f"roots[{index}] has no uri that is a text, or a name that is none, and is left out", remedy)
            continue
        if not str(uri).lower().startswith("file:"):
            note(f'roots[{index}] is "{visible(str(uri))}", and a root has to begin with file:', remedy)
        found.append(Root(str(uri), str(name or "")))
    return tuple(found)


def members(entry: Mapping[str, Any], member: str, note: Note) -> dict[str, Any] | None:
    """A JSON object that is sent as it is, None when there is none."""
    value = entry.get(member)
    if value is None:
        return None
    plain = _numbers(value)
    if not isinstance(plain, dict):
        note(f'"{member}" is not an object of JSON values and is not used', 'Write {"name": value}.')
        return None
    return plain


def log_level(text: str, note: Note) -> str:
    """One of the levels, empty when there is none."""
    word = text.strip().lower()
    if word and word not in LOG_LEVELS:
        note(f'"logLevel" is "{visible(word)}" and is not used', f"Write one of {', '.join(LOG_LEVELS)}.")
        return ""
    return word


def _numbers(value: Any) -> Any:
    """The value with its numbers as numbers; a list and not an object where one is too large for any."""
    if isinstance(value, Spelled):
        number = json.loads(value)
        return number if math.isfinite(number) else []
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return {name: _numbers(item) for name, item in value.items()} if isinstance(value, dict) else value
