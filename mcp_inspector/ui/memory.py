"""What the window remembers between runs: places, splitters, searches, selections, drafts. One small JSON file.

It holds what a person typed, so only its owner may read it. A file that cannot be read or written costs the memory,
never the start: the window then says so once and goes on without.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QSplitter

T = TypeVar("T", str, int, bool, float, list[Any], list[int], dict[str, Any], dict[str, str])

_SAVE_MS = 1_500
_LARGEST = 16 * 1024 * 1024


class Memory(QObject):
    """Values by name. `get` gives the default for a value of another type, so an old file never hurts."""

    def __init__(self, path: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self.problem = ""
        """Why nothing is remembered, as a sentence; empty when all is well."""
        self._values: dict[str, Any] = self._read()
        self._dirty = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SAVE_MS)
        self._timer.timeout.connect(self.save)

    def get(self, name: str, default: T) -> T:
        """What was kept under this name, if it is of the default's type."""
        value = self._values.get(name)
        return value if type(value) is type(default) else default

    def put(self, name: str, value: Any) -> None:
        """Keep a value that JSON can hold; it is written a moment later."""
        if name in self._values and self._values[name] == value:
            return
        self._values[name] = value
        self._touch()

    def forget(self, name: str) -> None:
        """Drop a value."""
        if self._values.pop(name, None) is not None:
            self._touch()

    def get_bytes(self, name: str) -> bytes:
        """Bytes that were kept, or none."""
        try:
            return base64.b64decode(self.get(name, ""), validate=True)
        except ValueError:
            return b""

    def put_bytes(self, name: str, value: bytes) -> None:
        """Keep bytes."""
        self.put(name, base64.b64encode(value).decode())

    def splitter(self, name: str, splitter: QSplitter, sizes: list[int]) -> None:
        """Put a splitter where it was left, or to these first sizes (proportions), and keep where it goes."""
        kept = self.get(name, list[int]())
        usable = len(kept) == splitter.count() and all(isinstance(one, int) and one >= 0 for one in kept) and any(kept)
        splitter.setSizes(kept if usable else sizes)
        splitter.splitterMoved.connect(lambda *_: self.put(name, splitter.sizes()))

    def save(self) -> None:
        """Write now, in one step: a crash leaves the old file or the new one."""
        self._timer.stop()
        if not self._dirty or self.path is None:
            return
        self._dirty = False
        text = json.dumps(self._values, ensure_ascii=False, separators=(",", ":"))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name, suffix=".tmp")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                    file.write(text)
                os.replace(temporary, self.path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError as error:
            self.problem = f"The window's layout and drafts cannot be saved to {self.path}: {error.strerror or error}."

    def _touch(self) -> None:
        self._dirty = True
        if not self._timer.isActive():
            self._timer.start()

    def _read(self) -> dict[str, Any]:
        if self.path is None:
            return {}
        try:
            if self.path.stat().st_size > _LARGEST:
                raise ValueError("it is too large")
            value = json.loads(self.path.read_text(encoding="utf-8", errors="surrogatepass"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            self.problem = f"The window's layout could not be read from {self.path}: {error}."
            return {}
        return value if isinstance(value, dict) else {}
