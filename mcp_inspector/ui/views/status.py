"""The status bar: how the servers stand, how much comes in, and the session it is kept in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton, QStatusBar, QWidget

from mcp_inspector.session.status import State
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from mcp_inspector.ui.desk import Desk

_FAILED = (State.FAILED, State.EXITED, State.SESSION_EXPIRED)


class Status(QStatusBar):
    """Quiet words that are true each second."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._rows, self._when = 0, time.monotonic()
        self.connected = ElidedLabel(tone="muted", size="small")
        self.failed = ElidedLabel(tone="error", size="small")
        self.rate = ElidedLabel(tone="muted", size="small")
        self.session = ElidedLabel(tone="muted", size="small")
        self.inbox = QPushButton()
        theme.mark(self.inbox, kind="quiet")
        self.inbox.setStyleSheet("padding: 0 6px; min-height: 0;")
        self.inbox.hide()
        self.findings = QPushButton()
        theme.mark(self.findings, kind="quiet")
        self.findings.setStyleSheet("padding: 0 6px; min-height: 0;")
        self.findings.hide()
        self.addWidget(QWidget())
        self.addWidget(self.inbox)
        for label in (self.connected, self.failed, self.rate):
            self.addWidget(label)
        self.addWidget(self.findings)
        self.addPermanentWidget(self.session)
        desk.servers.refreshed.connect(self.count)
        self._clock = QTimer(self)
        self._clock.setInterval(1_000)
        self._clock.timeout.connect(self.tick)
        self.count()

    def start(self) -> None:
        """The log is there: tell of it each second."""
        self._clock.start()
        self.tick()

    def stop(self) -> None:
        """The window closes."""
        self._clock.stop()

    def show_questions(self, waiting: int) -> None:
        """How many questions of servers wait for the person."""
        self.inbox.setVisible(waiting > 0)
        self.inbox.setText(f"{plain.count(waiting, 'question')} waiting")
        self.inbox.setIcon(icons.icon("inbox", "accent"))
        self.inbox.setToolTip("Answer in the Inbox (Ctrl+I)")

    def show_findings(self, findings: int, errors: int) -> None:
        """How much has been found wrong with the servers."""
        self.findings.setVisible(findings > 0)
        self.findings.setText(plain.count(findings, "finding"))
        tone = "error" if errors else "warn"
        self.findings.setIcon(icons.icon("triangle-alert", tone))
        words = f"{plain.count(errors, 'error')} among them" if errors else "No error among them"
        self.findings.setToolTip(f"{words}. Click to see them (Ctrl+Shift+F)")

    def count(self) -> None:
        """Count the servers."""
        servers = self._desk.servers.servers
        up = sum(server.status.up for server in servers)
        failed = sum(server.status.state in _FAILED for server in servers)
        waiting = sum(server.status.state is State.NEEDS_SIGN_IN for server in servers)
        self.connected.setText(f"{up} connected" if servers else "no servers")
        words = [f"{failed} failed"] if failed else []
        words += [f"{waiting} to sign in"] if waiting else []
        self.failed.setText(" · ".join(words))

    def tick(self) -> None:
        """Say the rate and the size."""
        log = self._desk.log
        if log is None:
            return
        now, rows = time.monotonic(), len(log)
        rate = (rows - self._rows) / max(now - self._when, 0.001)
        self._rows, self._when = rows, now
        self.rate.setText(f"{rate:,.0f} msg/s")
        size = ""
        if log.path is not None:
            try:
                journal = log.path.with_name(f"{log.path.name}-wal")  # where the newest is, until it is moved over
                size = plain.size(log.path.stat().st_size + (journal.stat().st_size if journal.exists() else 0))
            except OSError:
                size = ""
        began = log.columns.wall_ns[0] / 1e9 if rows else time.time()
        started = time.strftime("%Y-%m-%d %H:%M", time.localtime(began))
        where = "" if log.path is not None else "in memory only"
        words = [f"session {started}", plain.count(rows, "row"), size, where]
        self.session.setText(" · ".join(word for word in words if word))
        self.session.setToolTip(str(log.path) if log.path is not None else log.problem)
