"""What the Traffic dock holds: the live session or, in its place, an earlier one under a bar that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.store.log import Log
from mcp_inspector.store.opening import SessionFileError
from mcp_inspector.ui import plain
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.views.traffic import TrafficView

if TYPE_CHECKING:
    from pathlib import Path


class TrafficPlace(QWidget):
    """The live traffic goes on being recorded while an earlier session is shown. One earlier session at a time."""

    call_wanted = Signal(str, str, str)
    """Server, method and target of a call in the earlier session."""
    opened = Signal(QWidget)
    """The traffic of an earlier session is shown."""
    changed = Signal()
    """Another session is shown."""

    def __init__(self, live: TrafficView) -> None:
        super().__init__()
        self.live = live
        self.past: TrafficView | None = None
        self.bar = Strip()
        self.bar.activated.connect(lambda _: self.back())
        self._stack = QStackedWidget()
        self._stack.addWidget(live)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self._stack, 1)

    @property
    def shown(self) -> TrafficView:
        """The traffic that is looked at."""
        return self.past or self.live

    @property
    def path(self) -> Path | None:
        """The file of the earlier session that is shown, None when the live one is."""
        return self.past.model.log.path if self.past is not None else None

    def open(self, path: Path) -> str:
        """Show an earlier session; returns why not."""
        live = self.live.model.log.path
        if live is not None and path.absolute() == live:
            self.back()
            return ""
        try:
            log = Log.open(path)
        except SessionFileError as error:
            return str(error)
        self.show_log(log, str(path), path.name)
        return ""

    def show_log(self, log: Log, tip: str, name: str) -> None:
        """Show a session that was opened or read from a file; it is closed when it is let go of."""
        self._drop()
        self.past = TrafficView(log)
        self.past.set_read_only()
        self.past.restore_state({**self.live.save_state(), "filter": ""})
        self.past.set_low(self.live.low)
        self.past.call_activated.connect(self._call_activated)
        self.past.said.connect(self.live.said)
        self.opened.emit(self.past)
        self._stack.addWidget(self.past)
        self._stack.setCurrentWidget(self.past)
        info = log.info()
        began = plain.moment(info.started_wall_ns) if info is not None else plain.line(name, 80)
        words = f"Session of {began}, {plain.count(len(log), 'record')}, read-only"
        self.bar.say(
            f"{words}. {log.problem}" if log.problem else words,
            tip,
            "warn" if log.problem else "accent",
            "back",
            "Back to live",
        )
        self.changed.emit()

    def back(self) -> None:
        """Show the live session."""
        if self.past is not None:
            self._drop()
            self.changed.emit()

    def focus(self) -> None:
        """Put the keyboard into the rows."""
        self.shown.table.setFocus()

    def _drop(self) -> None:
        past, self.past = self.past, None
        if past is None:
            return
        log = past.model.log
        self.bar.hide()
        self._stack.setCurrentWidget(self.live)
        self._stack.removeWidget(past)
        past.hide()
        past.setParent(None)
        past.deleteLater()
        log.close()

    def _call_activated(self, seq: int) -> None:
        if self.past is not None:
            entry = self.past.model.log.record(seq, body=False).entry
            self.call_wanted.emit(entry.server, entry.method, entry.target)
