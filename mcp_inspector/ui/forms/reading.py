"""Reads the tree of a large text in a thread of its own, so that the window goes on while it is read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.schema.document import Document


def single_shot(parent: QObject, milliseconds: int, run: Callable[[], object]) -> QTimer:
    """A timer that runs something once after each start."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(run)
    return timer


class Reader(QObject):
    """One text at a time. `done` tells that the document has its tree, unless it has changed meanwhile.

    The reader is plain Python, so the thread takes turns with the window every few milliseconds: it takes twice as
    long as it would alone, and nobody has to wait for it.
    """

    done = Signal()
    _read = Signal(str, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._read.connect(self._take)

    def read(self, document: Document) -> None:
        """Read what the document holds now."""
        self._document = document
        text = document.text
        threading.Thread(target=self._work, args=(text,), name="reading arguments", daemon=True).start()

    def forget(self) -> None:
        """What is being read is not wanted any more."""
        self._document = None

    def _work(self, text: str) -> None:
        try:
            root: object = jsontext.parse(text)
        except JsonError:
            root = None
        if isValid(self):
            self._read.emit(text, root)

    def _take(self, text: str, root: object) -> None:
        document = self._document
        if document is not None and isinstance(root, jsontext.Node) and document.adopt(text, root):
            self.done.emit()
