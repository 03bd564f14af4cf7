"""Arguments to come back to: what was sent, how often, and sets that a person gave a name. Kept between runs."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.models.drafts import Key

SENT_KEPT = 12
"""Different arguments of one thing that are kept."""
THINGS_KEPT = 300
LONGEST_KEPT = 64 * 1024
"""Characters of arguments that are kept; longer ones are only counted."""
SETS_KEPT = 100

_SENT, _SETS, _COUNTS = "sent-arguments", "argument-sets", "sent-counts"


@dataclass(frozen=True, slots=True)
class Sent:
    """Arguments that were sent: their text, a mark of the schema they were typed for, how often, and when last.

    `kept` is what of the text may stand on disk, where that is not all: secrets are left out; empty when nothing may.
    """

    text: str
    schema: str
    count: int
    when: float
    kept: str | None = None

    @property
    def shown(self) -> str:
        """The text without its secrets."""
        return self.text if self.kept is None else self.kept


@dataclass(frozen=True, slots=True)
class NamedSet:
    """Arguments under a name that a person gave them. `kept` is as in `Sent`."""

    name: str
    text: str
    schema: str = ""
    kept: str | None = None

    @property
    def shown(self) -> str:
        """The text without its secrets."""
        return self.text if self.kept is None else self.kept


class Recall:
    """What was sent and what was named, by server, kind and name of the thing."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._sent: dict[Key, list[Sent]] = {}
        self._sets: dict[Key, list[NamedSet]] = {}
        self._counts: dict[Key, int] = {}
        kept: list[Any] = memory.get(_SENT, [])
        for entry in kept:
            match entry:
                case [str(server), str(kind), str(name), str(text), str(schema), int(count), float() | int() as when]:
                    self._sent.setdefault((server, kind, name), []).append(Sent(text, schema, count, float(when)))
        kept = memory.get(_SETS, [])
        for entry in kept:
            match entry:
                case [str(server), str(kind), str(thing), str(name), str(text), str(schema)]:
                    self._sets.setdefault((server, kind, thing), []).append(NamedSet(name, text, schema))
        kept = memory.get(_COUNTS, [])
        for entry in kept:
            match entry:
                case [str(server), str(kind), str(name), int(count)]:
                    self._counts[server, kind, name] = count

    # --- what was sent ---

    def note_sent(self, key: Key, text: str, schema: str, kept: str | None = None) -> None:
        """Count a call; the same arguments again move to the front. `kept` is what of the text may stand on disk."""
        self._counts[key] = self._counts.pop(key, 0) + 1
        if len(text) <= LONGEST_KEPT:
            before = self._sent.pop(key, [])
            # What came back from disk has no secrets; with them typed anew it is the same once more.
            same = next((one for one in before if one.text == text or (kept and one.shown == kept)), None)
            count = same.count + 1 if same is not None else 1
            others = [one for one in before if one is not same]
            self._sent[key] = [Sent(text, schema, count, time.time(), kept), *others][:SENT_KEPT]
        self._keep_sent()

    def sent(self, key: Key) -> list[Sent]:
        """What was sent, the last first."""
        return list(self._sent.get(key, ()))

    def count(self, key: Key) -> int:
        """How often anything was sent, in all runs of the program."""
        return self._counts.get(key, 0)

    def forget_sent(self, key: Key) -> None:
        """Forget what was sent and how often."""
        self._sent.pop(key, None)
        self._counts.pop(key, None)
        self._keep_sent()

    # --- what has a name ---

    def sets(self, key: Key) -> list[NamedSet]:
        """The named sets, in the order in which they were made."""
        return list(self._sets.get(key, ()))

    def save(self, key: Key, name: str, text: str, schema: str, kept: str | None = None) -> None:
        """Keep arguments under a name; one that is taken gets the new arguments, in its place."""
        sets = self._sets.setdefault(key, [])
        made = NamedSet(name, text, schema, kept)
        at = next((at for at, one in enumerate(sets) if one.name == name), -1)
        if at >= 0:
            sets[at] = made
        else:
            sets.append(made)
            del sets[:-SETS_KEPT]
        self._keep_sets()

    def rename(self, key: Key, old: str, new: str) -> bool:
        """Give a set another name; False when that is taken or there is no such set."""
        sets = self._sets.get(key, [])
        at = next((at for at, one in enumerate(sets) if one.name == old), -1)
        if at < 0 or not new or any(one.name == new for one in sets):
            return False
        sets[at] = replace(sets[at], name=new)
        self._keep_sets()
        return True

    def delete(self, key: Key, name: str) -> NamedSet | None:
        """Take a set away; returns it, so that it can be put back."""
        sets = self._sets.get(key, [])
        found = next((one for one in sets if one.name == name), None)
        if found is not None:
            sets.remove(found)
            self._keep_sets()
        return found

    # --- keeping ---

    def rename_server(self, old: str, new: str) -> None:
        """A server has another name now: all goes along."""

        def moved(key: Key) -> Key:
            return (new, key[1], key[2]) if key[0] == old else key

        self._sent = {moved(key): one for key, one in self._sent.items()}
        self._sets = {moved(key): one for key, one in self._sets.items()}
        self._counts = {moved(key): one for key, one in self._counts.items()}
        self._keep_sent()
        self._keep_sets()

    def _keep_sent(self) -> None:
        newest = [*self._sent.items()][-THINGS_KEPT:]
        rows = [[*key, one.shown, one.schema, one.count, one.when] for key, some in newest for one in some if one.shown]
        self._memory.put(_SENT, rows)
        self._memory.put(_COUNTS, [[*key, count] for key, count in [*self._counts.items()][-4 * THINGS_KEPT :]])

    def _keep_sets(self) -> None:
        self._memory.put(
            _SETS, [[*key, one.name, one.shown, one.schema] for key, some in self._sets.items() for one in some]
        )
