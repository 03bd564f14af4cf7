"""Paste what a model returned: where each call goes is shown at once; Run sends them and shows what goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.agent.dispatch import answers, reading
from mcp_inspector.agent.dispatch.approving import Approver
from mcp_inspector.agent.dispatch.dispatcher import Dispatcher
from mcp_inspector.schema.document import Document
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.views.approval import ApprovalBar
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.agent.dispatch.answers import Answer
    from mcp_inspector.agent.dispatch.dispatcher import Plan
    from mcp_inspector.session.call import Call
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.agent import AgentModel

_TEXT = "agent.pasted"
_SEQ = Qt.ItemDataRole.UserRole
_READ_MS = 150


class DispatchView(QWidget):
    """The answer of a model on the left; its calls and their results on the right."""

    def __init__(self, desk: Desk, agent: AgentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._agent = desk, agent
        self._plans: list[Plan] = []
        self._seqs: dict[int, int] = {}
        self._job: Job | None = None
        self._pull = Pull(self.read, self, _READ_MS)
        self.document = Document(desk.memory.get(_TEXT, ""))
        self.edit = JsonEdit()
        self.edit.setAccessibleName("What the model returned")
        self.edit.setPlaceholderText(
            "Paste what a model returned: OpenAI tool calls, an Anthropic tool_use block, a Gemini function call, "
            "or mcp__server__tool {…}"
        )
        self.edit.set_document(self.document)
        self.edit.submitted.connect(self.run)
        self._stop_listening = self.document.changed.connect(self._pull.soon)
        self.destroyed.connect(lambda: self._stop_listening())
        self.said = ElidedLabel(tone="muted", size="small")
        self.unchecked = QCheckBox("Send anyway")
        self.unchecked.setToolTip("Send arguments that do not fit the tool's schema, too")
        self.unchecked.toggled.connect(self._pull.soon)
        self.run_button = QPushButton(icons.icon("play", "on_accent"), "Run")
        theme.mark(self.run_button, kind="primary")
        self.run_button.setToolTip("Send all calls at once (Ctrl+Enter)")
        self.run_button.clicked.connect(self.run)
        self.calls = QListWidget()
        self.calls.setAccessibleName("Calls")
        self.calls.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.calls.itemActivated.connect(self._show_record)
        self.calls.setToolTip("Double-click shows the call in Traffic")
        self.approval = ApprovalBar()
        self.answer = TextView()
        self.answer.setAccessibleName("What goes back to the model")
        self.answer.set_placeholder("What goes back to the model comes here")
        self.copy_button = QPushButton(icons.icon("copy"), "Copy")
        self.copy_button.setToolTip("Copy what goes back to the model")
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(lambda: QApplication.clipboard().setText(self.answer.data().decode()))
        self._lay_out()
        agent.changed.connect(self._pull.soon)
        self.read()

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 4, 8, 4)
        foot.setSpacing(6)
        foot.addWidget(self.said, 1)
        foot.addWidget(self.unchecked)
        foot.addWidget(self.run_button)
        left = QWidget()
        theme.mark(left, surface="window")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.edit, 1)
        column.addLayout(foot)
        back = QHBoxLayout()
        back.setContentsMargins(8, 4, 8, 4)
        back.addWidget(ElidedLabel("Back to the model", tone="muted", size="small"), 1)
        back.addWidget(self.copy_button)
        right = QWidget()
        theme.mark(right, surface="window")
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.approval)
        column.addWidget(self.calls, 1)
        column.addLayout(back)
        column.addWidget(self.answer, 2)
        left.setMinimumWidth(140)
        right.setMinimumWidth(140)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        self._desk.memory.splitter("agent.dispatch", splitter, [400, 400])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def _dispatcher(self) -> Dispatcher:
        inspector, gate = self._desk.inspector, self._desk.gate
        assert inspector is not None
        approve = Approver(gate, self.approval.ask) if gate is not None else None
        strict = not self.unchecked.isChecked()
        return Dispatcher(self._agent.box, inspector.find, approve=approve, strict=strict)

    def read(self) -> None:
        """Understand what is there, and show where each call goes."""
        text = self.document.text
        self._desk.memory.put(_TEXT, text[:100_000])
        if self._job is not None and self._job.running:
            return
        self._plans = []
        tone = "muted"
        if not text.strip():
            words = ""
        elif self._desk.inspector is None:
            words = "The servers are not there yet"
        else:
            try:
                dispatcher = self._dispatcher()
                self._plans = [dispatcher.plan(call) for call in reading.read(text)]
                bad = sum(bool(plan.wrong) for plan in self._plans)
                words = plain.count(len(self._plans), "call") + (f", {bad} of which cannot run" if bad else "")
                tone = "warn" if bad else "muted"
            except reading.Unreadable as error:
                words, tone = str(error), "error"
        self.said.setText(plain.line(words, 400))
        self.said.set_tone(tone)
        self.run_button.setEnabled(bool(self._plans))
        self._list([])

    def run(self) -> None:
        """Send all calls."""
        if not self._plans or (self._job is not None and self._job.running):
            return
        self.run_button.setEnabled(False)
        self.answer.set_text("")
        self.copy_button.setEnabled(False)
        self._seqs.clear()
        calls = [plan.invocation for plan in self._plans]

        def begun(at: int, call: Call) -> None:
            self._seqs[at] = call.seq
            self._desk.record_sent.emit(call.seq)

        def done(found: tuple[Answer, ...]) -> None:
            self._list(found)
            self.answer.set_text(jsontext.pretty(answers.document(found).decode()), "json")
            self.copy_button.setEnabled(True)

        work = self._dispatcher().run(calls, begun)
        self._job = bridge.spawn(
            work, what="running a model's calls", on_done=done, finally_=lambda: self.run_button.setEnabled(True)
        )

    def _list(self, found: tuple[Answer, ...] | list[Answer]) -> None:
        self.calls.clear()
        for at, plan in enumerate(self._plans):
            where = f"{plan.route.tool} on {plan.route.server}" if plan.route is not None else plan.invocation.name
            words, tone = plan.wrong or "; ".join(plan.problems) or "ready", "warn" if plan.wrong else "muted"
            if at < len(found):
                answer = found[at]
                words, tone = answer.text or "(no content)", "error" if answer.failed else "ok"
            item = QListWidgetItem(f"{plain.line(where, 120)}  {plain.line(words, 300)}")
            item.setForeground(theme.colour(tone))
            item.setData(_SEQ, self._seqs.get(at, 0))
            self.calls.addItem(item)

    def _show_record(self, item: QListWidgetItem) -> None:
        if seq := item.data(_SEQ):
            self._desk.record_requested.emit(seq)
