"""Checks arguments against their schema: what is surely quick at once, all else at a pause, in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from mcp_inspector.schema.problems import Problem, Severity
from mcp_inspector.schema.validate import INLINE_LIMIT
from mcp_inspector.ui.models.check_process import CheckProcess
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.ui.models.arguments import Arguments

_PAUSE_MS, _SHORT_PAUSE_MS = 700, 150
"""How long a large text must rest before it is checked, and a small one."""


class Checking(QObject):
    """Checks one `Arguments` at a time. `changed` tells that an answer has come that took its time."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._arguments: Arguments | None = None
        self._checked = self._asked = ""
        self._found: list[Problem] = []
        self._process = CheckProcess(self)
        self._process.done.connect(self._told)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._start)

    @property
    def running(self) -> bool:
        """Whether an answer is due."""
        return self._process.running or self._pause.isActive()

    def watch(self, arguments: Arguments | None) -> None:
        """Check other arguments from now on."""
        self.stop()
        self._arguments, self._checked, self._found = arguments, "", []

    def stop(self) -> None:
        """End what runs; its answer is not wanted any more."""
        self._pause.stop()
        self._process.stop()

    def problems(self) -> list[Problem]:
        """What is known to be wrong now, worst first; empty while the text is no JSON."""
        arguments = self._arguments
        if arguments is None or not arguments.document.valid:
            self.stop()
            return []
        text = arguments.document.text
        large = len(text) > INLINE_LIMIT
        if not large:
            root = arguments.document.root
            if root is None or arguments.checker.quick(root):
                self.stop()
                return arguments.checker.check(root) if root is not None else []
        if text == self._checked:
            return self._found
        if not (self._process.running and text == self._asked):
            self._process.stop()
            self._pause.start(_PAUSE_MS if large else _SHORT_PAUSE_MS)
        why = "it is large" if large else "the schema asks for much work"
        return [Problem((), f"is being checked: {why}", "", Severity.WARNING)]

    def _start(self) -> None:
        arguments = self._arguments
        if arguments is not None and arguments.document.valid:
            self._asked = arguments.document.text
            self._process.start(arguments.form.schema_text.encode(), jsontext.encode(self._asked))

    def _told(self, found: list[Problem]) -> None:
        self._checked, self._found = self._asked, found
        self.changed.emit()
