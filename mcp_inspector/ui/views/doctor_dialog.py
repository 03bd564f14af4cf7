"""The connection doctor in the window: each check as it is done, with what to do; to be copied as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from mcp_inspector.session.doctor.report import Result, took
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.widgets.labels import ElidedLabel, IconLabel, Pill
from mcp_inspector.ui.widgets.rows import ValueLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent

    from mcp_inspector.session.doctor.doctor import Doctor
    from mcp_inspector.session.doctor.report import Check
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk

_LOOK = {
    Result.OK: ("circle-check", "ok"),
    Result.ODD: ("triangle-alert", "warn"),
    Result.FAILED: ("circle-x", "error"),
    Result.SKIPPED: ("circle-slash", "muted"),
}


class DoctorDialog(QDialog):
    """Not modal. It makes connections of its own; the one that is open is left alone."""

    def __init__(self, desk: Desk, server: Server, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Connection doctor: {server.name[:60]}")
        self.setModal(False)
        self._desk, self._server = desk, server
        self._doctor: Doctor | None = None
        self._job: Job | None = None
        self._pull = Pull(self._tell, self)
        self._told = 0
        self.pill = Pill()
        self.state = ElidedLabel(tone="muted")
        self.again = QPushButton(icons.icon("rotate-cw"), "Examine again")
        self.again.clicked.connect(self.examine)
        self.copy = QPushButton(icons.icon("clipboard-copy"), "Copy as Markdown")
        self.copy.clicked.connect(self._copy)
        body = QWidget()
        theme.mark(body, surface="base")
        self.rows = QVBoxLayout(body)
        self.rows.setContentsMargins(16, 12, 16, 12)
        self.rows.setSpacing(12)
        self.rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.pill)
        head.addWidget(self.state, 1)
        head.addWidget(self.again)
        head.addWidget(self.copy)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(area, 1)
        self.resize(760, 560)
        self.examine()

    @property
    def running(self) -> bool:
        """Whether it is still looking."""
        return self._job is not None and self._job.running

    def examine(self) -> None:
        """Look at everything anew."""
        inspector = self._desk.inspector
        if self.running or inspector is None:
            return
        while self.rows.count() > 1:
            item = self.rows.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._told = 0
        self._doctor = doctor = inspector.doctor(self._server)
        doctor.report.changed.connect(self._pull.soon)
        what = f"examining {self._server.name}"
        self._job = bridge.spawn(doctor.examine(), what=what, finally_=self._pull.soon)
        self._tell()

    def _tell(self) -> None:
        report = self._doctor.report if self._doctor is not None else None
        if report is None:
            return
        for check in report.checks[self._told :]:
            self.rows.insertWidget(self.rows.count() - 1, _row(check))
        self._told = len(report.checks)
        running = self.running
        self.again.setEnabled(not running)
        self.copy.setEnabled(bool(report.checks) and not running)
        if running:
            self.pill.set("looking", "accent")
            self.state.setText(f"Looking at: {report.doing}" if report.doing else "Looking …")
            return
        wrong = [check for check in report.checks if check.result is Result.FAILED]
        self.pill.set("failed" if wrong else "all is well", "error" if wrong else "ok")
        self.state.setText(plain.line(f"{wrong[0].name}: {wrong[0].sentence}", 300) if wrong else "Nothing failed.")

    def _copy(self) -> None:
        if self._doctor is not None:
            QGuiApplication.clipboard().setText(self._doctor.report.markdown())

    def closeEvent(self, event: QCloseEvent) -> None:
        """What is under way ends."""
        if self._job is not None:
            self._job.cancel()
        super().closeEvent(event)


def _row(check: Check) -> QWidget:
    """One check: sign, name and time; below, what was found, what to do, and the details."""
    row = QWidget()
    icon, ink = _LOOK[check.result]
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(10)
    layout.addWidget(IconLabel(icon, 18, ink), 0, Qt.AlignmentFlag.AlignTop)
    column = QVBoxLayout()
    column.setSpacing(3)
    head = QHBoxLayout()
    name = QLabel(check.name)
    name.setTextFormat(Qt.TextFormat.PlainText)
    theme.mark(name, role="head")
    time = QLabel(took(check.seconds))
    theme.mark(time, role="small")
    head.addWidget(name)
    head.addStretch(1)
    head.addWidget(time)
    column.addLayout(head)
    column.addWidget(_value(check.sentence))
    if check.remedy:
        column.addWidget(_value(check.remedy, tone="muted"))
    if check.details:
        frame = QWidget()
        theme.mark(frame, surface="window")
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(10, 6, 10, 6)
        inner.addWidget(_value("\n".join(check.details)[:8_000], mono=True))
        column.addWidget(frame)
    layout.addLayout(column, 1)
    row.setAccessibleName(f"{check.name}: {check.result}")
    return row


def _value(text: str, *, mono: bool = False, tone: str = "text") -> ValueLabel:
    label = ValueLabel(mono=mono, tone=tone)
    label.setText(plain.lines(text))
    return label
