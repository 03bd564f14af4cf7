"""What a server listed at its connects, and what is different from one to another, definitions included."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from mcp_inspector.session.catalogue import Catalogue, What

if TYPE_CHECKING:
    from mcp_inspector.session.status import Identity

Definitions = Mapping[str, tuple[bytes, ...]]
"""The JSON texts under each name, as they came; more than one where a name stands more than once."""


@dataclass(frozen=True)
class Remembered:
    """The lists of one connection. `declared` is what the server had been told that we can do.

    `connection` is 0 or less for those of earlier runs of the program.
    """

    connection: int
    wall_ns: int
    version: str
    server: str
    declared: Mapping[str, Any]
    lists: Mapping[What, Definitions]


@dataclass(frozen=True)
class Difference:
    """One name that is listed anew, no more, or otherwise. `before` and `after` are JSON texts, empty for none."""

    what: What
    key: str
    kind: Literal["added", "removed", "changed"]
    before: bytes = b""
    after: bytes = b""


def remember(
    catalogue: Catalogue,
    connection: int,
    identity: Identity,
    declared: Mapping[str, Any],
    before: Remembered | None = None,
) -> Remembered:
    """What is listed now. What stands in `before` too is shared with it, so that many connects cost no memory."""
    known = {text: text for definitions in (before.lists if before else {}).values() for each in definitions.values()
             for text in each}  # fmt: skip
    lists: dict[What, Definitions] = {}
    for what in What:
        found: dict[str, tuple[bytes, ...]] = {}
        for item in catalogue[what].items:
            found[item.key] = (*found.get(item.key, ()), known.get(item.raw, item.raw))
        lists[what] = found
    name, release = identity.server_info.get("name"), identity.server_info.get("version")
    server = " ".join(str(part) for part in (name, release) if isinstance(part, str))
    return Remembered(connection, time.time_ns(), identity.version, server, declared, lists)


def compare(before: Remembered, after: Remembered) -> list[Difference]:
    """What is different, list by list and by name. Spelling alone, as the order of members, is no difference."""
    found = []
    for what in What:
        one, other = before.lists.get(what, {}), after.lists.get(what, {})
        for key in sorted({*one, *other}):
            old, new = one.get(key, ()), other.get(key, ())
            if old == new or list(map(_plain, old)) == list(map(_plain, new)):
                continue
            kind: Literal["added", "removed", "changed"] = "added" if not old else "changed" if new else "removed"
            found.append(Difference(what, key, kind, b"\n".join(old), b"\n".join(new)))
    return found


def _plain(text: bytes) -> bytes:
    """The same for texts that mean the same; a text that cannot be read stands for itself."""
    try:
        return msgspec.json.encode(msgspec.json.decode(text), order="sorted")
    except (msgspec.MsgspecError, RecursionError):
        return text
