"""Probes of one server: what is asked on purpose, what came back, what it means. Not modal, and can be cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.checks.sections import section
from mcp_inspector.session.probing.probe import Done, Probe, Verdict, as_markdown
from mcp_inspector.session.probing.run import PROBES, run
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk

_SIGNS = {
    Verdict.GOOD: ("circle-check", "ok"),
    Verdict.WRONG: ("circle-x", "error"),
    Verdict.ODD: ("triangle-alert", "warn"),
    Verdict.TOLD: ("info", "accent"),
    Verdict.LEFT_OUT: ("circle-dashed", "muted"),
    Verdict.FAILED: ("circle-slash", "warn"),
}
_DONE = Qt.ItemDataRole.UserRole
_WAITING, _RUNNING = "waiting", "running…"


class ProbeDialog(QDialog):
    """Runs the probes when it is told to; a double click leads to their records."""

    def __init__(self, desk: Desk, server: Server, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Probe {server.name[:60]}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._desk, self._server = desk, server
        self._job: Job | None = None
        self._closed = False
        self.done_probes: list[Done] = []
        words = (
            f"Probes ask {plain.line(server.name, 40)} wrong things on purpose, on connections of their own; the one "
            "that is open is left alone. Those that may change something wait for your agreement."
        )
        self._words = QLabel(words)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        risky = [probe for probe in PROBES if probe.changes]
        self.agreed = QCheckBox(f"Run these {len(risky)}, too: they may call tools or show your token")
        self.agreed.setToolTip(tooltip("\n".join(f"{probe.expected} {probe.changes}" for probe in risky)))
        self.start = QPushButton(icons.icon("play", "on_accent"), "Run the probes")
        theme.mark(self.start, kind="primary")
        self.cancel = QPushButton(icons.icon("square"), "Cancel")
        self.copy = QPushButton(icons.icon("clipboard-copy"), "Copy report")
        self.copy.setToolTip("Copy the report as Markdown")
        self.show_button = QPushButton(icons.icon("arrow-left-right"), "Show in Traffic")
        self.bar = QProgressBar()
        self.bar.setRange(0, len(PROBES))
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.state = ElidedLabel(tone="muted", size="small")
        self.table = QTableWidget(len(PROBES), 3)
        self.facts = KeyValueRows()
        self._fill()
        self._lay_out()
        self.start.clicked.connect(self.begin)
        self.cancel.clicked.connect(self.stop)
        self.copy.clicked.connect(self._copy)
        self.show_button.clicked.connect(self.reveal)
        self.table.itemActivated.connect(lambda _: self.reveal())
        self.table.itemSelectionChanged.connect(self._explain)
        self.table.selectRow(0)
        self._tell()
        self.resize(980, 640)

    def _fill(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(["Expected", "Verdict", "What came"])
        table.setAccessibleName("Probes")
        table.setIconSize(QSize(14, 14))
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.resizeSection(0, 330)
        header.resizeSection(1, 150)
        for row, probe in enumerate(PROBES):
            table.setItem(row, 0, QTableWidgetItem(probe.expected))
            table.setItem(row, 1, QTableWidgetItem(""))
            table.setItem(row, 2, QTableWidgetItem(""))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.start)
        head.addWidget(self.cancel)
        head.addWidget(self.state, 1)
        head.addWidget(self.copy)
        below = QWidget()
        theme.mark(below, surface="base")
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 6)
        column.addWidget(self.facts)
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 0, 10, 0)
        foot.addWidget(self.show_button)
        foot.addStretch(1)
        column.addLayout(foot)
        column.addStretch(1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.table)
        splitter.addWidget(below)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        for widget in (self._words, self.agreed):
            layout.addWidget(widget)
        layout.addLayout(head)
        layout.addWidget(self.bar)
        layout.addWidget(splitter, 1)

    # --- running ---

    @property
    def running(self) -> bool:
        """Whether probes are under way."""
        return self._job is not None and self._job.running

    def begin(self) -> None:
        """Run them all, from the first."""
        if self.running:
            return
        self.done_probes = []
        for row in range(self.table.rowCount()):
            self._show(row, _WAITING, "", "")
        work = run(self._server, agreed=self.agreed.isChecked(), begun=self._begun, told=self._told)
        what = f"probing {self._server.name}"
        self._job = bridge.spawn(work, what=what, on_error=self._failed, finally_=self._ended)
        self._tell()

    def stop(self) -> None:
        """Cancel what is under way; what has come stays."""
        if self._job is not None:
            self._job.cancel()

    def _begun(self, probe: Probe) -> None:
        if self._closed:
            return
        self._show(PROBES.index(probe), _RUNNING, "", "loader")

    def _told(self, done: Done) -> None:
        if self._closed:
            return
        self.done_probes.append(done)
        row = PROBES.index(done.probe)
        icon, ink = _SIGNS[done.came.verdict]
        self._show(row, done.came.verdict.value, done.came.sentence, icon, ink)
        item = self.table.item(row, 0)
        if item is not None:
            item.setData(_DONE, done)
        self._tell()
        if row == self.table.currentRow():
            self._explain()

    def _failed(self, error: Exception) -> None:
        sentence = getattr(error, "sentence", "")  # of a fault of the connection
        if not sentence:
            raise error
        if not self._closed:
            self.state.setText(plain.line(sentence))

    def _ended(self) -> None:
        if self._closed:
            return  # the connections of the probes end after the window
        for row in range(len(self.done_probes), self.table.rowCount()):
            self._show(row, "", "", "")
        self._tell()

    def _show(self, row: int, verdict: str, words: str, icon: str, ink: str = "muted") -> None:
        word, said = self.table.item(row, 1), self.table.item(row, 2)
        if word is None or said is None:
            return
        word.setText(verdict)
        word.setIcon(icons.icon(icon, ink) if icon else icons.icon("circle-dashed", "base"))
        said.setText(plain.line(words, 300))

    def _tell(self) -> None:
        done = self.done_probes
        running = self.running
        self.bar.setValue(len(done))
        self.bar.setVisible(running)
        self.start.setEnabled(not running and self._server.status.up)
        self.start.setToolTip("" if self._server.status.up else "Connect the server first")
        self.cancel.setEnabled(running)
        self.agreed.setEnabled(not running)
        self.copy.setEnabled(bool(done) and not running)
        bad = sum(one.bad for one in done)
        ran = sum(one.came.verdict is not Verdict.LEFT_OUT for one in done)
        if done:
            words = f"{len(done)} of {len(PROBES)}" if running else f"{plain.count(ran, 'probe')} run"
            self.state.setText(f"{words}, {bad} not as they should be")
        elif running:
            self.state.setText("Connecting…")

    # --- looking ---

    def _chosen(self) -> Done | None:
        item = self.table.item(self.table.currentRow(), 0)
        found = item.data(_DONE) if item is not None else None
        return found if isinstance(found, Done) else None

    def _explain(self) -> None:
        row = self.table.currentRow()
        if not 0 <= row < len(PROBES):
            return
        probe, done = PROBES[row], self._chosen()
        version = self._server.identity.version if self._server.identity is not None else "2026-07-28"
        where, address = section(probe.topic, version)
        facts = [
            Fact("expected", probe.expected),
            Fact("came", visible(done.came.sentence) if done is not None else ""),
            Fact("verdict", done.came.verdict.value if done is not None else ""),
            Fact("records", ", ".join(f"#{seq}" for seq in done.came.seqs) if done is not None else "", mono=True),
            Fact("may change", probe.changes),
            Fact("specification", where),
            Fact("address", address, mono=True),
        ]
        self.facts.set_facts(facts)
        self.show_button.setEnabled(done is not None and bool(done.came.seqs))

    def reveal(self) -> None:
        """Show the last record of the chosen probe in Traffic."""
        done = self._chosen()
        if done is not None and done.came.seqs:
            self._desk.record_requested.emit(done.came.seqs[-1])

    def _copy(self) -> None:
        version = self._server.identity.version if self._server.identity is not None else ""
        QGuiApplication.clipboard().setText(as_markdown(self._server.name, version, self.done_probes))
        self.state.setText("The report was copied as Markdown.")

    def done(self, result: int) -> None:
        """Closing it cancels what is under way."""
        self._closed = True
        self.stop()
        super().done(result)
