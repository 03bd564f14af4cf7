"""The runtime lab: play a kind of host against the chosen server, and read what works and what breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.agent.lab.profiles import PROFILES, profile_named
from mcp_inspector.agent.lab.runner import Attempt, Lab, Probe, Report
from mcp_inspector.agent.lab.sabotage import Trouble
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.widgets.backoff import BackoffCurve
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk

_SEQ = Qt.ItemDataRole.UserRole
_TONES = {True: ("ok", "works"), False: ("error", "breaks"), None: ("muted", "not seen")}
_TROUBLES = {
    "": "Nothing goes wrong",
    Trouble.KILL: "Kill the process",
    Trouble.DROP: "Drop the connection",
    Trouble.EXPIRE: "Expire the session",
    Trouble.DELAY: "Delay answers",
    Trouble.REFUSE: "Refuse connections",
    Trouble.UNAVAILABLE: "Answer 503",
}


class LabView(QWidget):
    """One run at a time, on a connection of its own; its traffic is in Traffic, under the server's name."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._job: Job | None = None
        self._probe: AgentTool | None = None
        self.profile = QComboBox()
        self.profile.setAccessibleName("Kind of host")
        self.profile.addItems([profile.name for profile in PROFILES])
        self.profile.currentTextChanged.connect(self._show_profile)
        self.trouble = QComboBox()
        self.trouble.setAccessibleName("What goes wrong")
        for value, title in _TROUBLES.items():
            self.trouble.addItem(title, value)
        self.amount = QDoubleSpinBox()
        self.amount.setRange(1, 60)
        self.amount.setDecimals(0)
        self.amount.setAccessibleName("How much")
        self.amount.setToolTip("Seconds of delay, or how many times")
        self.run_button = QPushButton(icons.icon("play", "on_accent"), "Run")
        theme.mark(self.run_button, kind="primary")
        self.run_button.setToolTip("Play this host against the chosen server, on a connection of its own")
        self.run_button.clicked.connect(self.run)
        self.about = QLabel()
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setWordWrap(True)
        self.calls = ElidedLabel(tone="muted", size="small")
        self.curve = BackoffCurve()
        self.found = QListWidget()
        self.found.setAccessibleName("What works and what breaks")
        self.found.setWordWrap(True)
        self.found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.found.itemActivated.connect(self._show_record)
        self.found.setToolTip("Double-click shows the evidence in Traffic")
        self._lay_out()
        self._show_profile(self.profile.currentText())
        desk.server_chosen.connect(self._enable)
        self._enable()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        for box, least in ((self.profile, 10), (self.trouble, 12)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(least)
            head.addWidget(box, 1)
        head.addWidget(self.amount)
        head.addWidget(self.run_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.about)
        layout.addWidget(self.calls)
        layout.addWidget(self.curve)
        layout.addWidget(self.found, 1)

    def show_tool(self, tool: AgentTool | None) -> None:
        """The tool that a run may call: only one that says that it reads only, and needs no arguments."""
        self._probe = tool if tool is not None and _harmless(tool) else None
        words = "No tool is called: choose one that says it is read-only and needs no arguments"
        if self._probe is not None:
            words = f"{self._probe.tool} is called, without arguments"
        self.calls.setText(plain.line(words))

    def _show_profile(self, name: str) -> None:
        profile = profile_named(name)
        if profile is None:
            return
        waits = ", ".join(f"{wait:g} s" for wait in profile.waits())
        habits = ", ".join(sorted(profile.naive))
        words = [
            profile.about,
            f"Connects {profile.connecting}, within {profile.connect_timeout:g} s; lists by {profile.refreshing}; "
            f"waits {profile.call_timeout:g} s for a call; "
            + (f"reconnects after {waits}." if waits else "does not reconnect."),
        ]
        if habits:
            words.append(f"Short cuts: {habits}.")
        self.about.setText("\n".join(words))
        self.curve.plan(profile.waits())

    def _enable(self) -> None:
        running = self._job is not None and self._job.running
        self.run_button.setText("Stop" if running else "Run")
        self.run_button.setEnabled(self._desk.server is not None and self._desk.inspector is not None)

    def run(self) -> None:
        """Play it, or stop."""
        if self._job is not None and self._job.running:
            self._job.cancel()
            return
        server, log, inspector = self._desk.server, self._desk.log, self._desk.inspector
        profile = profile_named(self.profile.currentText())
        if server is None or log is None or inspector is None or profile is None:
            return
        self.found.clear()
        self.curve.plan(profile.waits())
        self._say(f"{profile.name} against {server.name}…", "muted")
        lab = Lab(log, inspector.ways.dial)
        stop = lab.attempted.connect(self._attempted)
        trouble = self.trouble.currentData()
        work = lab.run(
            profile,
            server.entry,
            probe=Probe(self._probe.tool) if self._probe is not None and self._probe.server == server.name else None,
            trouble=Trouble(trouble) if trouble else None,
            amount=self.amount.value(),
        )

        def ended() -> None:
            stop()
            self._enable()

        self._job = bridge.spawn(work, what="the lab", on_done=self._done, finally_=ended)
        self._enable()

    def _attempted(self, attempt: Attempt) -> None:
        state = "is up" if attempt.up else "is still down"
        words = f"attempt {attempt.number}, {attempt.wait:g} s later: {state}. {attempt.sentence}"
        self._say(words, "ok" if attempt.up else "warn")
        if len(self.curve.ended) < attempt.number:
            self.curve.attempted(attempt.up)

    def _done(self, report: Report) -> None:
        self.found.clear()
        for judgement in report.judgements:
            tone, word = _TONES[judgement.works]
            seq = judgement.seqs[0] if judgement.seqs else 0
            self._say(f"{word}: {judgement.what}. {judgement.sentence}", tone, seq)
        for attempt in report.attempts:
            self._attempted(attempt)

    def _say(self, words: str, tone: str, seq: int = 0) -> None:
        item = QListWidgetItem(plain.line(words, 500))
        item.setForeground(theme.colour(tone))
        item.setData(_SEQ, seq)
        self.found.addItem(item)

    def _show_record(self, item: QListWidgetItem) -> None:
        if seq := item.data(_SEQ):
            self._desk.record_requested.emit(seq)


def _harmless(tool: AgentTool) -> bool:
    annotations, schema = tool.item.value.get("annotations"), tool.item.value.get("inputSchema")
    reads = isinstance(annotations, dict) and annotations.get("readOnlyHint") is True
    return reads and not (isinstance(schema, dict) and schema.get("required"))
