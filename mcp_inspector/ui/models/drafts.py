"""What a person has typed as arguments, per server and thing: never lost by switching, refreshing or restarting."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.schema.values import Defaults

if TYPE_CHECKING:
    from mcp_inspector.ui.memory import Memory

_NAME, _DEFAULTS = "drafts", "arguments.defaults"
KEPT = 400
LONGEST_KEPT = 256 * 1024
"""Characters of one draft that survive a restart; longer ones live as long as the window."""

Key = tuple[str, str, str]
"""Server name, kind (`tool`, `prompt`, `template`), name."""


@dataclass(frozen=True)
class Draft:
    """The text as typed, valid or not, and a mark of the schema it was typed for.

    `kept` is what of it may stand on disk, where that is not all: secrets are left out; empty when nothing may.
    """

    text: str
    schema: str = ""
    kept: str | None = None


def mark_of(schema: bytes) -> str:
    """A short mark that changes when the schema's text does."""
    return hashlib.sha256(schema).hexdigest()[:12]


class Drafts:
    """Drafts by key; the newest 400 are kept in the window's memory file."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._drafts: dict[Key, Draft] = {}
        kept: list[Any] = memory.get(_NAME, [])
        for entry in kept:
            match entry:
                case [str(server), str(kind), str(name), str(text), str(schema)]:
                    self._drafts[server, kind, name] = Draft(text, schema)

    @property
    def defaults(self) -> Defaults:
        """Whose defaults a form begins with: the person's choice, kept between runs."""
        kept = self._memory.get(_DEFAULTS, "")
        return Defaults(kept) if kept in {one.value for one in Defaults} else Defaults.REQUIRED

    @defaults.setter
    def defaults(self, choice: Defaults) -> None:
        self._memory.put(_DEFAULTS, choice.value)

    def get(self, key: Key) -> Draft | None:
        """What was typed last, None when nothing ever was."""
        return self._drafts.get(key)

    def put(self, key: Key, draft: Draft) -> None:
        """Keep what is typed now."""
        if self._drafts.get(key) == draft:
            return
        self._drafts.pop(key, None)
        self._drafts[key] = draft
        self._keep()

    def drop(self, key: Key) -> None:
        """Back to how the form begins."""
        if self._drafts.pop(key, None) is not None:
            self._keep()

    def rename(self, old: str, new: str) -> None:
        """A server has another name now: its drafts go along."""
        self._drafts = {
            (new if server == old else server, kind, name): draft
            for (server, kind, name), draft in self._drafts.items()
        }
        self._keep()

    def _keep(self) -> None:
        newest = [(key, draft) for key, draft in self._drafts.items() if len(draft.text) <= LONGEST_KEPT][-KEPT:]
        rows = [
            [*key, draft.text if draft.kept is None else draft.kept, draft.schema]
            for key, draft in newest
            if draft.kept != ""
        ]
        self._memory.put(_NAME, rows)
