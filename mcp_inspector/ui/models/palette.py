"""Everything that can be found from one field: servers, tools, resources, prompts, commands; ranked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.items import read_rows
from mcp_inspector.ui.models.servers import subtitle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.session.server import Server

SHOWN = 60
_IN_ORDER = 8

_KINDS = {
    What.TOOLS: ("tool", "wrench", "tools"),
    What.RESOURCES: ("resource", "file-text", "resources"),
    What.TEMPLATES: ("template", "braces", "resources"),
    What.PROMPTS: ("prompt", "message-square-text", "prompts"),
}


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One thing to go to or do."""

    text: str
    detail: str
    kind: str
    icon: str
    hay: str
    run: Callable[[], object]
    keys: str = ""


class Finder:
    """Builds entries and keeps those of a listing until the server lists anew."""

    def __init__(self, open_item: Callable[[str, str, str], object]) -> None:
        self._open = open_item
        self._kept: dict[tuple[str, What], tuple[tuple[Item, ...], list[Entry]]] = {}

    def servers(self, servers: Iterable[Server]) -> list[Entry]:
        """Entries for servers and all that they list."""
        found: list[Entry] = []
        for server in servers:
            name = server.name
            found.append(
                Entry(
                    plain.line(name), subtitle(server), "server", "server", name.casefold(), self._opening(name, "", "")
                )
            )
            for what in What:
                found += self._items(server, what)
        return found

    def _items(self, server: Server, what: What) -> list[Entry]:
        items = server.catalogue[what].items
        kept = self._kept.get((server.name, what))
        if kept is not None and kept[0] is items:
            return kept[1]
        kind, icon, page = _KINDS[what]
        entries = [
            Entry(
                row.shown,
                f"{plain.line(server.name, 40)} · {row.note or row.title}",
                kind,
                icon,
                row.hay,
                self._opening(server.name, page, row.key),
            )
            for row in read_rows(items)
        ]
        self._kept[server.name, what] = (items, entries)
        return entries

    def _opening(self, server: str, page: str, key: str) -> Callable[[], object]:
        return lambda: self._open(server, page, key)


def ranked(entries: Sequence[Entry], text: str) -> list[Entry]:
    """The best 60 for what was typed: names that begin with it, then words, then anywhere, then letters in order."""
    words = text.casefold().split()
    if not words:
        return list(entries[:SHOWN])
    found: list[tuple[int, int, Entry]] = []
    for number, entry in enumerate(entries):
        rank = _rank(entry, words)
        if rank is not None:
            found.append((rank, number, entry))
    found.sort(key=lambda one: one[:2])
    return [entry for _, _, entry in found[:SHOWN]]


def is_sure(entry: Entry, text: str) -> bool:
    """Whether Return may take this entry unasked: its name has what was typed, or all of it stands in its description.

    A command does something at once, so its own name has to have every word; letters in order only offer an entry.
    """
    words = text.casefold().split()
    if not words:
        return True
    name = entry.text.casefold()
    rank = _rank(entry, words)
    if entry.kind == "command":
        return rank is not None and all(word in name for word in words)
    return rank is not None and rank < _IN_ORDER


def _rank(entry: Entry, words: list[str]) -> int | None:
    name = entry.text.casefold()
    first = words[0]
    if all(word in entry.hay or word in entry.kind for word in words):
        if name == first:
            return 0
        if name.startswith(first):
            return 1
        at = name.find(first)
        if at > 0:
            return 2 if not name[at - 1].isalnum() else 3
        return 5
    if len(words) == 1 and len(first) > 1 and _in_order(first, name):
        return _IN_ORDER
    return None


def _in_order(letters: str, text: str) -> bool:
    place = -1
    for letter in letters:
        place = text.find(letter, place + 1)
        if place < 0:
            return False
    return True
