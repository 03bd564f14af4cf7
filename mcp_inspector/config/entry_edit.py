"""What an edit of a whole entry changes in its file: member by member, so that comments and layout around them stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.config.entry_schema import json_of
from mcp_inspector.config.entry_writer import GONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.config.entry_writer import Change
    from mcp_inspector.config.jsonc_edit import Path


def edited(before: Any, after: Any) -> list[Change]:
    """The changes that turn one value of an entry into another, both with numbers as `Spelled`.

    Members in which the two do not differ are not mentioned: what stands there in the file by now stays.
    """
    return [*_walk((), before, after)]


def _walk(path: Path, before: Any, after: Any) -> Iterator[Change]:
    if not (isinstance(before, dict) and isinstance(after, dict)):
        if json_of(before) != json_of(after):
            yield path, after
        return
    for name in before:
        if name not in after:
            yield (*path, name), GONE
    for name, value in after.items():
        if name in before:
            yield from _walk((*path, name), before[name], value)
        else:
            yield (*path, name), value
