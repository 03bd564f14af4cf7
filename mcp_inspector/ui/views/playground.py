"""The playground: talk to the configured model, and see which tools it gets, which it calls and what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSpinBox, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.agent.loop import Happening
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.forms.inputs import AreaEdit
from mcp_inspector.ui.models.playground import PlaygroundModel
from mcp_inspector.ui.views.approval import ApprovalBar
from mcp_inspector.ui.views.model_dialog import ModelDialog
from mcp_inspector.ui.views.transcript import Transcript
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState

if TYPE_CHECKING:
    from mcp_inspector.agent.loop import Step
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.agent import AgentModel

_SETUP = (
    "No model is set up",
    "The playground is off until you name an endpoint: an OpenAI-compatible one, which may run on this computer, or "
    "Anthropic's. The model then gets the tools on the left under these names, and what it calls goes through your "
    "policy.",
    "Set up a model…",
)
_TOPS = ((5, "Best 5 tools"), (10, "Best 10 tools"), (20, "Best 20 tools"), (0, "All tools"))


class PlaygroundView(QWidget):
    """Conversation above, what to say below."""

    def __init__(self, desk: Desk, agent: AgentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.model = PlaygroundModel(desk, agent, self)
        self.who = ElidedLabel(tone="muted", size="small")
        self.set_up = QPushButton(icons.icon("settings"), "Model…")
        self.set_up.setToolTip("Address, model and key")
        self.set_up.clicked.connect(self.open_dialog)
        self.top = QComboBox()
        self.top.setAccessibleName("How many tools are offered")
        self.top.setToolTip("The tools that fit best what you say, found as on the left; or all of them")
        for count, title in _TOPS:
            self.top.addItem(title, count)
        self.top.setCurrentIndex(max(self.top.findData(self.model.top), 0))
        self.top.activated.connect(lambda at: self.model.put("top", self.top.itemData(at)))
        self.rounds = QSpinBox()
        self.rounds.setRange(1, 50)
        self.rounds.setValue(self.model.rounds)
        self.rounds.setSuffix(" rounds")
        self.rounds.lineEdit().setTextMargins(5, 0, 0, 0)  # the style sheet's padding does not reach it
        self.rounds.setAccessibleName("Limit of rounds")
        self.rounds.setToolTip("How often the model is asked, at most, for one thing that you say")
        self.rounds.valueChanged.connect(lambda value: self.model.put("rounds", value))
        self.transcript = Transcript()
        self.transcript.record_wanted.connect(desk.record_requested)
        self.nothing = EmptyState("bot", *_SETUP)
        self.nothing.activated.connect(self.open_dialog)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(self.transcript)
        self.approval = ApprovalBar()
        self.approval.closed.connect(self._answered)
        self.edit = AreaEdit()
        self.edit.least = 2
        self.edit.setPlaceholderText("Say what you want the model to do")
        self.edit.setAccessibleName("What you say to the model")
        self.edit.submitted.connect(self.send)
        self.said = ElidedLabel(tone="muted", size="small")
        self.send_button = QPushButton(icons.icon("send-horizontal", "on_accent"), "Send")
        theme.mark(self.send_button, kind="primary")
        self.send_button.setToolTip("Ask the model (Ctrl+Enter)")
        self.send_button.clicked.connect(self.send)
        self.stop_button = QPushButton(icons.icon("square"), "Stop")
        self.stop_button.setToolTip("Stop this turn: what has not come back is not part of the conversation")
        self.stop_button.clicked.connect(self.model.stop)
        self.new_button = QPushButton(icons.icon("plus"), "New")
        self.new_button.setToolTip("Begin a new conversation; the old one stays in Traffic")
        self.new_button.clicked.connect(self.begin_anew)
        self._lay_out()
        self._empty = True
        self.model.book.changed.connect(self._configured)
        self.model.stepped.connect(self._stepped)
        self.model.ended.connect(self._ended)
        self._show()

    def _lay_out(self) -> None:
        self.head = QWidget()
        head, foot = QHBoxLayout(self.head), QHBoxLayout()
        for line in (head, foot):
            line.setContentsMargins(8, 4, 8, 4)
            line.setSpacing(6)
        head.addWidget(self.who, 1)
        for box in (self.top, self.rounds, self.set_up):
            head.addWidget(box)
        foot.addWidget(self.said, 1)
        for button in (self.new_button, self.stop_button, self.send_button):
            button.setIconSize(QSize(14, 14))
            foot.addWidget(button)
        theme.mark(self, surface="window")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.approval)
        layout.addWidget(self.edit)
        layout.addLayout(foot)

    def open_dialog(self) -> ModelDialog:
        """Set up the model."""
        dialog = ModelDialog(self.model.book, self.window())
        dialog.show()
        return dialog

    def send(self) -> None:
        """Say what is typed."""
        text = self.edit.text().strip()
        if not text or not self.model.say(text, self._ask, self._failed):
            return
        self._empty = False
        self.edit.setText("")
        self.transcript.add_user(text)
        self.said.setText(f"Asking {plain.line(self.model.endpoint.model, 60)}…")
        self._show()

    def _ask(self, *question: Any) -> None:
        """The question has the room of what cannot be done meanwhile."""
        self.approval.ask(*question)
        self.edit.hide()
        self.head.hide()

    def _answered(self) -> None:
        self.edit.show()
        self.head.show()

    def begin_anew(self) -> None:
        """Forget what was said."""
        self.model.forget()
        self.approval.withdraw()
        self.transcript.clear()
        self.said.setText("")
        self._empty = True
        self._show()

    def _configured(self) -> None:
        if not self._empty:
            self.said.setText("Another model: what you say next begins a new conversation")
        self._show()

    def _show(self) -> None:
        endpoint, running = self.model.endpoint, self.model.running
        usable = endpoint.usable
        where = endpoint.base_url.partition("://")[2].partition("/")[0].rpartition("@")[2]
        self.who.setText(plain.line(f"{endpoint.model} at {where}", 120) if usable else "No model")
        if not usable:
            self.nothing.set(*_SETUP)
        else:
            words = "It gets the tools that fit what you say; each request, call and answer is shown in Traffic."
            self.nothing.set(f"{plain.line(endpoint.model, 60)} is ready", words)
        self.stack.setCurrentIndex(0 if self._empty else 1)
        self.edit.setEnabled(usable)
        self.send_button.setEnabled(usable and not running)
        self.stop_button.setEnabled(running)
        self.new_button.setEnabled(not self._empty)

    def _stepped(self, step: Step) -> None:
        if self._empty:
            return  # of a turn that was stopped to begin anew
        self.transcript.add_step(step)
        if step.seq and step.happening is Happening.CALLING:
            self._desk.record_sent.emit(step.seq)
        if step.happening is Happening.ENDED:
            self.said.setText("")
        elif step.round:
            self.said.setText(f"Round {step.round} of {self.model.rounds}")

    def _failed(self, error: Exception) -> None:
        self.said.setText(plain.line(f"It could not be asked: {error}"))

    def _ended(self) -> Any:
        self.approval.withdraw()
        self._show()
