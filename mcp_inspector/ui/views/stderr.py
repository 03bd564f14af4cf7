"""What the chosen server writes to stderr, as it comes; bytes that are no text stay visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from mcp_inspector.store.record import Channel
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from mcp_inspector.ui.desk import Desk

_LOOKED_BACK = 50_000
_LINES_BACK = 2_000
_KEPT_BYTES = 8_000_000
_AT_ONCE = 5_000


class StderrView(QWidget):
    """A text that grows. It reads from the log what it has not seen, at most every 30 ms."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._name = ""
        self._seen = 0
        self.text = TextView(numbers=False)
        self.text.set_follow(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        self._pull = Pull(self.refresh, self)
        desk.server_chosen.connect(self._chosen)
        self._chosen()

    def attach(self) -> None:
        """The log is there."""
        if self._desk.log is not None:
            self._desk.log.changed.connect(self._pull.soon)
        self._chosen()

    def _chosen(self) -> None:
        server = self._desk.server
        self._name = server.name if server is not None else ""
        remote = server is not None and server.entry.remote
        if remote:
            words = f"{plain.line(self._name, 60)} is reached over HTTP: it has no stderr here."
        else:
            words = f"{plain.line(self._name, 60)} has written nothing to stderr." if self._name else ""
        self.text.set_placeholder(words)
        self.text.set_bytes(b"")
        log = self._desk.log
        if log is None:
            return
        self._seen = max(0, len(log) - _LOOKED_BACK)
        self.refresh(_LINES_BACK)

    def refresh(self, last: int = 0) -> None:
        """Show the lines that have come; `last` limits them to the newest so many."""
        log = self._desk.log
        if log is None or not self._name:
            return
        columns, stop = log.columns, min(len(log), self._seen + _AT_ONCE) if not last else len(log)
        stderr = int(Channel.STDERR)
        found = [
            index + 1
            for index in range(self._seen, stop)
            if columns.channel[index] == stderr and columns.servers.texts[columns.server[index]] == self._name
        ]
        self._seen = stop
        lines = [log.body(seq) + b"\n" for seq in (found[-last:] if last else found)]
        if lines:
            if len(self.text.index.data) > _KEPT_BYTES:
                self.text.set_bytes(b"(older lines stand in Traffic)\n")
            self.text.append(b"".join(lines))
        if self._seen < len(log):
            self._pull.soon()
