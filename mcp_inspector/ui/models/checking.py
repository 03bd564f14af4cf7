"""Checks arguments against their schema: small ones at once, large ones in a process of their own with a time limit."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from mcp_inspector.schema.problems import Problem, Severity
from mcp_inspector.schema.validate import INLINE_LIMIT
from mcp_inspector.ui import check_child
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.ui.models.arguments import Arguments

SECONDS = 10
_PAUSE_MS = 700
"""How long a large text must rest before it is checked: reading it takes a quarter of a second."""


class Checking(QObject):
    """Checks one `Arguments` at a time. `changed` tells that an answer about a large text has come."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._arguments: Arguments | None = None
        self._checked = ""
        self._found: list[Problem] = []
        self._process: QProcess | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._start)
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(1000 * SECONDS)
        self._limit.timeout.connect(self._too_long)

    @property
    def running(self) -> bool:
        """Whether an answer is due."""
        return self._process is not None or self._pause.isActive()

    def watch(self, arguments: Arguments | None) -> None:
        """Check other arguments from now on."""
        self.stop()
        self._arguments, self._checked, self._found = arguments, "", []

    def stop(self) -> None:
        """End what runs; its answer is not wanted any more."""
        self._pause.stop()
        self._end()

    def problems(self) -> list[Problem]:
        """What is known to be wrong now, worst first; empty while the text is no JSON."""
        arguments = self._arguments
        if arguments is None or not arguments.document.valid:
            self.stop()
            return []
        text = arguments.document.text
        if len(text) <= INLINE_LIMIT:
            self.stop()
            root = arguments.document.root
            return arguments.checker.check(root) if root is not None else []
        if text == self._checked:
            return self._found
        self._end()
        self._pause.start()
        return [Problem((), "is being checked: it is large", "", Severity.WARNING)]

    def _start(self) -> None:
        arguments = self._arguments
        if arguments is None or not arguments.document.valid:
            return
        text = arguments.document.text
        process = self._process = QProcess(self)
        started = [check_child.WORD] if getattr(sys, "frozen", False) else ["-m", "mcp_inspector", check_child.WORD]
        process.finished.connect(lambda: self._finished(process, text))
        process.errorOccurred.connect(lambda _: self._finished(process, text))
        process.start(sys.executable, started)
        process.write(check_child.request(arguments.form.schema_text.encode(), jsontext.encode(text)))
        process.closeWriteChannel()
        self._limit.start()

    def _finished(self, process: QProcess, text: str) -> None:
        if process is not self._process:
            return
        answer = check_child.read(bytes(process.readAllStandardOutput().data()))
        self._tell(text, answer if answer is not None else [_unchecked("the process that checks has failed")])

    def _too_long(self) -> None:
        arguments = self._arguments
        if arguments is not None:
            self._tell(arguments.document.text, [_unchecked(f"it takes longer than {SECONDS} s")])

    def _tell(self, text: str, found: list[Problem]) -> None:
        self._checked, self._found = text, found
        self._end()
        self.changed.emit()

    def _end(self) -> None:
        self._limit.stop()
        process, self._process = self._process, None
        if process is not None:
            if process.state() is not QProcess.ProcessState.NotRunning:
                process.kill()
                process.waitForFinished(1000)
            process.deleteLater()


def _unchecked(why: str) -> Problem:
    return Problem((), f"is not checked: {why}", "", Severity.WARNING)
