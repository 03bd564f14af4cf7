"""Removing recorded sessions, with a way back until the program ends."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from mcp_inspector.store import keeping
from mcp_inspector.store.session_file import SessionFileError
from mcp_inspector.ui import plain
from mcp_inspector.ui.notices import Action, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from mcp_inspector.store.session_file import SessionInfo
    from mcp_inspector.ui.notices import Notices

_KEY = "sessions-removed"


class SessionShelf:
    """Puts sessions aside and says so; `changed` is called when the folder is another."""

    def __init__(self, notices: Notices, changed: Callable[[], object]) -> None:
        self._notices, self._changed = notices, changed
        self._aside: list[Path] = []

    def remove(self, infos: Sequence[SessionInfo]) -> None:
        """Take sessions away; a notice brings them back."""
        self.finish()
        freed = 0
        for info in infos:
            try:
                self._aside.append(keeping.put_aside(info.path))
                freed += info.size
            except SessionFileError as error:
                self._notices.say(str(error), level=Level.WARNING, key=f"session:{info.path}")
        if self._aside:
            what = plain.count(len(self._aside), "session")
            verb = "was" if len(self._aside) == 1 else "were"
            self._notices.say(
                f"{what} ({plain.size(freed)}) {verb} removed, and will be deleted for good when the program ends.",
                Action("Undo", self.undo),
                Action("Delete now", self.finish),
                key=_KEY,
            )
        self._changed()

    def undo(self) -> None:
        """Bring back what was removed last."""
        aside, self._aside = self._aside, []
        self._notices.settle(_KEY)
        for path in aside:
            try:
                keeping.bring_back(path)
            except SessionFileError as error:
                self._notices.say(str(error), level=Level.ERROR)
        self._changed()

    def finish(self) -> None:
        """Delete for good what was removed."""
        aside, self._aside = self._aside, []
        for path in aside:
            with suppress(OSError):
                path.unlink()
        for folder in {path.parent for path in aside}:
            with suppress(OSError):
                folder.rmdir()
        self._notices.settle(_KEY)
