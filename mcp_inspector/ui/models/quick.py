"""What the quick actions are: prompts of all servers and saved actions of all collections, in the person's order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.catalogue import Item, What
from mcp_inspector.ui.models.items import read_rows

if TYPE_CHECKING:
    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_PINS, _ORDER, _GROUPS, _KEYS, _WAY = "quick.pins", "quick.order", "quick.groups", "quick.keys", "quick.by_server"
_MOST = 400
PINNED = "Pinned"


@dataclass(frozen=True)
class Quick:
    """One button. `wants` are the names it asks for, `needed` those it cannot do without.

    `online`: all its servers can be asked now. `item` is the prompt as it was listed, `action` what was saved.
    """

    key: str
    words: str
    server: str
    target: str
    group: str
    about: str = ""
    wants: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    online: bool = True
    pinned: bool = False
    shortcut: str = ""
    icon: str = "message-square-text"
    item: Item | None = None
    collection: Collection | None = None
    action: Action | None = None

    @property
    def asks(self) -> bool:
        """Whether a click asks first."""
        return bool(self.wants)


class QuickList:
    """Builds the list, and keeps what the person chose for it: pins, order, groups, shortcuts."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def items(self, wanted: str = "") -> list[Quick]:
        """All that has the wanted text, pinned ones first, then group by group, in the person's order."""
        found = [*self._prompts(), *self._actions()]
        low = wanted.casefold()
        if low:
            found = [one for one in found if low in f"{one.words} {one.target} {one.group} {one.server}".casefold()]
        order: list[Any] = self._desk.memory.get(_ORDER, list[Any]())
        places = {key: at for at, key in enumerate(order)}
        groups: dict[str, int] = {}
        for one in found:
            groups.setdefault(one.group, len(groups))
        found.sort(key=lambda one: (not one.pinned, groups[one.group], places.get(one.key, len(places))))
        return found[:_MOST]

    @property
    def by_server(self) -> bool:
        """Whether the groups are the servers; otherwise saved actions stand under their own groups."""
        return self._desk.memory.get(_WAY, True)

    def set_by_server(self, on: bool) -> None:
        """Choose what the groups are."""
        self._desk.memory.put(_WAY, on)

    def pin(self, one: Quick) -> None:
        """Pin it, or take the pin off."""
        pins: list[Any] = self._desk.memory.get(_PINS, list[Any]())
        if one.pinned:
            self._desk.memory.put(_PINS, [key for key in pins if key != one.key])
        else:
            self._desk.memory.put(_PINS, [*pins, one.key])

    def move(self, one: Quick, by: int) -> None:
        """Move it up or down among those of its group."""
        keys = [each.key for each in self.items()]
        mine = [each.key for each in self.items() if each.group == one.group and each.pinned == one.pinned]
        at = mine.index(one.key) if one.key in mine else -1
        if at < 0 or not 0 <= at + by < len(mine):
            return
        other = mine[at + by]
        here, there = keys.index(one.key), keys.index(other)
        keys[here], keys[there] = keys[there], keys[here]
        self._desk.memory.put(_ORDER, keys[:_MOST])

    def set_group(self, one: Quick, group: str) -> None:
        """Put it into a group of the person's; an empty name puts it back."""
        self._choose(_GROUPS, one.key, group)

    def set_shortcut(self, one: Quick, keys: str) -> None:
        """Give it a shortcut, in Qt's portable spelling; an empty one takes it away."""
        self._choose(_KEYS, one.key, keys)

    def _choose(self, name: str, key: str, value: str) -> None:
        chosen: dict[str, str] = {
            old: kept for old, kept in self._desk.memory.get(name, dict[str, str]()).items() if old != key
        }
        self._desk.memory.put(name, {**chosen, key: value} if value else chosen)

    def _chosen(self, name: str, key: str) -> str:
        value: Any = self._desk.memory.get(name, dict[str, str]()).get(key, "")
        return value if isinstance(value, str) else ""

    def _pinned(self, key: str) -> bool:
        pins: list[Any] = self._desk.memory.get(_PINS, list[Any]())
        return key in pins

    def _prompts(self) -> list[Quick]:
        found = []
        for server in self._desk.servers.servers:
            for row in read_rows(_listed(server)[:_MOST]):
                arguments = row.item.value.get("arguments")
                given = [one for one in arguments if isinstance(one, dict)] if isinstance(arguments, list) else []
                names = [
                    (name, one.get("required") is True) for one in given if isinstance(name := one.get("name"), str)
                ]
                key = f"prompt\n{server.name}\n{row.key}"
                found.append(
                    Quick(
                        key,
                        row.title or row.shown,
                        server.name,
                        row.key,
                        self._chosen(_GROUPS, key) or server.name,
                        row.item.description,
                        tuple(name for name, _ in names),
                        tuple(name for name, needed in names if needed),
                        server.status.up,
                        self._pinned(key),
                        self._chosen(_KEYS, key),
                        item=row.item,
                    )
                )
        return found

    def _actions(self) -> list[Quick]:
        pairs = self._desk.shelf.actions()
        if not pairs:
            return []
        from mcp_inspector.ui.models.quick_actions import ICONS, missing_names

        servers: dict[str, Server] = {server.name: server for server in self._desk.servers.servers}
        found = []
        for collection, action in pairs:
            key = f"action\n{collection.path}\n{action.name}"
            pinned = action.pinned or self._pinned(key)
            if action.assertions and not pinned:
                continue  # what asserts something is a test; it is a button when it is pinned
            names = missing_names(collection, action)
            online = all(name in servers and servers[name].status.up for name in action.servers)
            group = self._chosen(_GROUPS, key) or (
                ", ".join(action.servers) if self.by_server else action.group or collection.name
            )
            found.append(
                Quick(
                    key,
                    action.name,
                    ", ".join(action.servers),
                    action.target,
                    group,
                    action.description,
                    names,
                    names,
                    online,
                    pinned,
                    self._chosen(_KEYS, key) or action.key,
                    ICONS[action.kind.value],
                    collection=collection,
                    action=action,
                )
            )
        return found


def _listed(server: Server) -> tuple[Item, ...]:
    """The prompts it lists; of one that is not connected, those that it listed last, in an earlier run, too."""
    items = server.catalogue[What.PROMPTS].items
    if items or server.status.up or not server.remembered:
        return items
    kept = server.remembered[-1].lists.get(What.PROMPTS, {})
    return tuple(Item(What.PROMPTS, texts[0]) for texts in kept.values() if texts)
