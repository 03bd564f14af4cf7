"""Runs one check in a process of its own, within a time limit: reading and checking megabytes takes long."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from mcp_inspector.schema.problems import Problem, Severity
from mcp_inspector.ui import check_child

SECONDS = 10


class CheckProcess(QObject):
    """One check at a time; a new one ends the one before. `done` gives the problems that were found."""

    done = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(1000 * SECONDS)
        self._limit.timeout.connect(lambda: self._tell([unchecked(f"it takes longer than {SECONDS} s")]))

    @property
    def running(self) -> bool:
        """Whether an answer is due."""
        return self._process is not None

    def start(self, schema: bytes, value: bytes) -> None:
        """Check a JSON text."""
        self.stop()
        process = self._process = QProcess(self)
        words = [check_child.WORD]
        if not getattr(sys, "frozen", False):
            words = ["-P", "-m", "mcp_inspector", check_child.WORD]
            around = QProcessEnvironment.systemEnvironment()
            ours = str(Path(__file__).resolve().parents[3])  # this very copy of the package, installed or not
            around.insert("PYTHONPATH", os.pathsep.join(filter(None, (ours, around.value("PYTHONPATH")))))
            process.setProcessEnvironment(around)
        process.finished.connect(lambda: self._finished(process))
        process.errorOccurred.connect(lambda _: self._finished(process))
        process.start(sys.executable, words)
        process.write(check_child.request(schema, value))
        process.closeWriteChannel()
        self._limit.start()

    def stop(self) -> None:
        """End what runs; its answer is not wanted any more."""
        self._limit.stop()
        process, self._process = self._process, None
        if process is not None:
            if process.state() is not QProcess.ProcessState.NotRunning:
                process.kill()
                process.waitForFinished(1000)
            process.deleteLater()

    def _finished(self, process: QProcess) -> None:
        if process is self._process:
            answer = check_child.read(bytes(process.readAllStandardOutput().data()))
            self._tell(answer if answer is not None else [unchecked("the process that checks has failed")])

    def _tell(self, found: list[Problem]) -> None:
        self.stop()
        self.done.emit(found)


def unchecked(why: str) -> Problem:
    """That something was not checked, as a warning."""
    return Problem((), f"is not checked: {why}", "", Severity.WARNING)
