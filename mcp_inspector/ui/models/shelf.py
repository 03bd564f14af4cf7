"""The collections that are open: read from their files, read again when these change, edited in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from mcp_inspector.config.safe_write import EditRefused

if TYPE_CHECKING:
    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.ui.memory import Memory

_OPEN = "collections.open"
_LOOK_MS = 2_000
_MOST = 50
OWN = "my-actions.mcp.json"
"""The collection that single saved actions go to, in the user's own folder."""


class Shelf(QObject):
    """Collections in the user's folder, and those opened from elsewhere. `changed` tells that any of them did.

    Nothing is read before `start`. Files are looked at by their stat every two seconds: watchers lose a file that is
    replaced.
    """

    changed = Signal()

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self.folder: Path | None = None
        self.collections: list[Collection] = []
        self._signatures: dict[Path, tuple[int, ...]] = {}
        self._ended = False
        self._clock = QTimer(self)
        self._clock.setInterval(_LOOK_MS)
        self._clock.timeout.connect(self.look)

    def start(self) -> None:
        """Begin to show what lies in `folder`, the user's own, which need not exist, and what was open before."""
        if self._ended:
            return
        self._clock.start()
        self.look()

    def stop(self) -> None:
        """The window closes."""
        self._ended = True
        self._clock.stop()

    @property
    def paths(self) -> list[Path]:
        """All files, the user's own first."""
        own: list[Path] = []
        if self.folder is not None and self.folder.is_dir():
            own = sorted(path for path in self.folder.glob("*.json") if path.is_file())
        kept: list[Any] = self._memory.get(_OPEN, list[Any]())
        more = [Path(text) for text in kept if isinstance(text, str)]
        return [*own, *(path for path in more if path not in own)][:_MOST]

    def look(self) -> None:
        """Read what has changed."""
        from mcp_inspector.actions.reading import read_file

        before = {one.path: one for one in self.collections}
        found: list[Collection] = []
        moved = False
        for path in self.paths:
            try:
                stat = path.stat()
                signature: tuple[int, ...] = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            except OSError:
                signature = ()
            kept = before.pop(path, None)
            if kept is None or self._signatures.get(path) != signature:
                kept, moved = read_file(path), True
            self._signatures[path] = signature
            found.append(kept)
        if moved or before:
            self.collections = found
            self.changed.emit()

    def get(self, path: Path | None) -> Collection | None:
        """A collection as it is now."""
        return next((one for one in self.collections if one.path == path), None)

    def actions(self) -> list[tuple[Collection, Action]]:
        """All actions of all collections that can be run."""
        return [(one, action) for one in self.collections for action in one.actions if one.usable]

    def open(self, path: Path) -> None:
        """Open a file, for this and the next runs of the program."""
        kept: list[Any] = self._memory.get(_OPEN, list[Any]())
        if path not in self.paths:
            self._memory.put(_OPEN, [*kept, str(path)])
        self.look()

    def close(self, path: Path) -> None:
        """Show a file no more; it stays where it is. One in the user's folder is always shown."""
        kept: list[Any] = self._memory.get(_OPEN, list[Any]())
        self._memory.put(_OPEN, [text for text in kept if text != str(path)])
        self.look()

    def write(self, path: Path, text: str, before: str | None) -> None:
        """Write a collection, new when `before` is None. Raises `EditRefused`."""
        from mcp_inspector.actions import editing

        editing.save(path, text, before)
        self._signatures.pop(path, None)
        if path not in self.paths:
            self.open(path)
        self.look()

    def add(self, action: str, path: Path | None = None) -> Path:
        """Add an action (JSON text) to a collection, that of single saved actions by default. Raises `EditRefused`."""
        from mcp_inspector.actions import editing

        if path is None:
            if self.folder is None:
                raise EditRefused("There is no folder for saved actions.")
            path = self.folder / OWN
        self.look()
        known = self.get(path)
        text = known.text if known is not None else editing.new("My actions")
        self.write(path, editing.add_action(text, action), known.text if known is not None else None)
        return path
