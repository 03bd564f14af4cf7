"""Sampling: the conversation that a model is to go on with, and the editor in which a person acts as that model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.samples import minimal
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models import content
from mcp_inspector.ui.views.ask_body import AskBody
from mcp_inspector.ui.views.conversation import Conversation
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.inbox import Ask
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.model_book import ModelBook

REASONS = ("endTurn", "stopSequence", "maxTokens", "toolUse")
CANNED = "This is a canned reply from MCP Inspector."
_MEMORY = "sampling.reply"
_MODEL = "person"
_LOW, _WIDE = 110, 480


class ReplyBody(AskBody):
    """Conversation on the left, reply on the right. A reply that is more than text is edited as JSON."""

    setup_wanted = Signal()
    """The person wants to say where a model is."""

    title = "Reply"
    verb = "Send reply"
    short = "Reply"

    def __init__(self, ask: Ask, desk: Desk, models: ModelBook, parent: QWidget | None = None) -> None:
        super().__init__(ask, parent)
        self._desk, self._models = desk, models
        self._job: Job | None = None
        kept = {
            name: text for name, text in desk.memory.get(_MEMORY, dict[str, str]()).items() if isinstance(text, str)
        }
        self.role = QComboBox()
        self.role.addItems(["assistant", "user"])
        self.role.setCurrentText(kept.get("role", "assistant"))
        self.role.setAccessibleName("Role")
        self.role.setToolTip("Who says it: the role of the reply")
        self.model = LongLineEdit(kept.get("model", _MODEL), mono=True)
        self.model.setAccessibleName("Model")
        self.model.setToolTip("The name of the model that the server is told")
        self.reason = QComboBox()
        self.reason.setEditable(True)
        self.reason.addItems([*REASONS])
        self.reason.setCurrentText(kept.get("reason", "endTurn"))
        self.reason.setAccessibleName("Why it stopped")
        self.reason.setToolTip("Why the model stopped: stopReason; empty to leave it out")
        self.text = QPlainTextEdit()
        self.text.setPlainText(kept.get("text", CANNED))
        self.text.setAccessibleName("Reply")
        self.text.setTabChangesFocus(True)
        self.text.installEventFilter(self)
        self.strip = Strip()
        self.strip.activated.connect(lambda _: self.setup_wanted.emit())
        self.ask_model = QPushButton()
        self.ask_model.clicked.connect(self._ask_model)
        self.tools = QPushButton(icons.icon("wrench"), "Call a tool")
        self._offer_tools()
        self.conversation = Conversation()
        self.facts = KeyValueRows(facts(ask))
        self.conversation.show_result(content.read(ask.params, arrays=True), self.facts)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.conversation)
        splitter.addWidget(self._right())
        desk.memory.splitter("inbox.reply", splitter, [500, 420])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        models.changed.connect(self._name_model)
        self._name_model()
        for signal in (self.role.currentTextChanged, self.model.textChanged, self.reason.currentTextChanged):
            signal.connect(lambda _: self.changed.emit())
        self.text.textChanged.connect(self.changed)

    def _right(self) -> QWidget:
        side = QWidget()
        theme.mark(side, surface="window")
        self._head, self._foot = QWidget(), QWidget()
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(6)
        self._label = QLabel("Model")
        theme.mark(self._label, role="small")
        head.addWidget(self.role)
        head.addWidget(self._label)
        head.addWidget(self.model, 1)
        head.addWidget(self.reason)
        for box in (self.role, self.reason):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(8)
            box.setMaximumWidth(110)
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(6)
        foot.addWidget(self.ask_model)
        foot.addWidget(self.tools)
        foot.addStretch(1)
        layout = QVBoxLayout(side)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.setSpacing(6)
        layout.addWidget(self._head)
        layout.addWidget(self.strip)
        layout.addWidget(self.text, 1)
        layout.addWidget(self._foot)
        return side

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The text is what is written: all else gives way to it."""
        super().resizeEvent(event)
        for part in (self._head, self._foot):
            part.setVisible(self.height() >= _LOW)
        wide = self.width() >= _WIDE
        self._label.setVisible(wide)
        self.role.setVisible(wide)  # another role than the assistant's can be given in the raw answer
        self._name_model()

    # --- the answer ---

    def result(self) -> bytes | None:
        """What is typed, as a text block."""
        result = {
            "role": self.role.currentText(),
            "content": {"type": "text", "text": self.text.toPlainText()},
            "model": self.model.text(),
        }
        if self.reason.currentText().strip():
            result["stopReason"] = self.reason.currentText().strip()
        return msgspec.json.encode(result)

    def problems(self) -> list[str]:
        """What the specification minds."""
        return [] if self.model.text().strip() else ["The model has no name"]

    def prepare(self) -> bool:
        """Remember the reply for the next question."""
        kept = {"role": self.role.currentText(), "model": self.model.text(), "reason": self.reason.currentText()}
        self._desk.memory.put(_MEMORY, {**kept, "text": self.text.toPlainText()[:20_000]})
        return True

    def focus_first(self) -> None:
        """Into the text, all of it chosen: what is typed takes the canned reply's place."""
        self.text.setFocus()
        self.text.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Enter in the text sends."""
        if watched is self.text and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.send_wanted.emit()
                return True
        return False

    # --- a tool call as the reply ---

    def _offer_tools(self) -> None:
        offered = [tool for tool in _list(self.ask.value.get("tools")) if isinstance(tool, dict)]
        self.tools.setVisible(bool(offered))
        menu = QMenu(self.tools)
        for tool in offered[:50]:
            name = str(tool.get("name", ""))
            action = menu.addAction(plain.escape_mnemonic(plain.line(name, 60)))
            action.triggered.connect(lambda _=False, tool=tool: self._use(tool))
        self.tools.setMenu(menu)
        self.tools.setToolTip("Reply with a call of a tool that the server offers, to be edited as JSON")

    def _use(self, tool: dict[str, Any]) -> None:
        schema = tool.get("inputSchema")
        form = Form(msgspec.json.encode(schema if isinstance(schema, dict) else {"type": "object"}))
        given = minimal(form).json_text
        block = {"type": "tool_use", "id": "call-1", "name": tool.get("name"), "input": msgspec.Raw(given.encode())}
        blocks: list[Any] = [block]
        if self.text.toPlainText().strip() and self.text.toPlainText() != CANNED:
            blocks.insert(0, {"type": "text", "text": self.text.toPlainText()})
        result = {"role": "assistant", "content": blocks, "model": self.model.text(), "stopReason": "toolUse"}
        self.raw_wanted.emit(msgspec.json.encode(result))

    # --- a model behind an endpoint ---

    def _name_model(self) -> None:
        endpoint = self._models.endpoint
        name = plain.escape_mnemonic(plain.line(endpoint.model, 40))
        words = f"Ask {name}" if endpoint.usable else "Set up a model…"
        self.ask_model.setText(words if self.width() >= _WIDE else "")
        self.ask_model.setAccessibleName(words)
        self.ask_model.setIcon(icons.icon("bot"))
        self.ask_model.setToolTip(
            f"Send this request to {plain.line(endpoint.base_url, 120)}; the answer comes here first"
            if endpoint.usable
            else "Say where an OpenAI-compatible endpoint is that can write replies"
        )

    def _ask_model(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        if not self._models.endpoint.usable:
            self.setup_wanted.emit()
            return
        self.strip.hide()
        self.ask_model.setText("Stop")
        self._job = self._models.ask(self.ask.params, self._written, self._failed, self._settled)

    def _written(self, result: bytes) -> None:
        value = msgspec.json.decode(result)
        written = value["content"]
        self.role.setCurrentText(value["role"])
        self.model.setText(value["model"])
        self.reason.setCurrentText(value["stopReason"])
        if isinstance(written, dict) and written.get("type") == "text":
            self.text.setPlainText(written["text"])
            self.strip.say("Written by the model. Read it before you send it.", "", "accent")
        else:
            self.raw_wanted.emit(result)

    def _failed(self, error: Exception) -> None:
        hint = getattr(error, "hint", "")
        self.strip.say(plain.line(str(error)), plain.lines(f"{error} {hint}"), "error", "setup", "Set up")

    def _settled(self) -> None:
        self._job = None
        self._name_model()

    def stop(self) -> None:
        """The question is over: ask no model any more."""
        if self._job is not None:
            self._job.cancel()


def facts(ask: Ask) -> list[Fact]:
    """The parameters of a sampling request."""
    value = ask.value
    preferences = value.get("modelPreferences")
    preferences = preferences if isinstance(preferences, dict) else {}
    hints = [str(hint.get("name")) for hint in _list(preferences.get("hints")) if isinstance(hint, dict)]
    wants = [
        f"{name.removesuffix('Priority')} {preferences[name]}" for name in preferences if name.endswith("Priority")
    ]
    tools = [str(tool.get("name")) for tool in _list(value.get("tools")) if isinstance(tool, dict)]
    numbers = [
        f"{words} {_short(value[name])}"
        for name, words in (("maxTokens", "at most"), ("temperature", "temperature"), ("includeContext", "context"))
        if value.get(name) is not None
    ]
    if value.get("maxTokens") is not None:
        numbers[0] += " tokens"
    known = {"messages", "maxTokens", "temperature", "includeContext", "systemPrompt", "modelPreferences", "tools"}
    rest = {name: part for name, part in value.items() if name not in known and name != "_meta"}
    return [
        Fact("System prompt", plain.lines(str(value["systemPrompt"])[:4_000]) if "systemPrompt" in value else ""),
        Fact("Wants", plain.line(", ".join((*hints, *wants)))),
        Fact("Limits", plain.line(", ".join(numbers))),
        Fact("Tools", plain.line(", ".join(tools))),
        Fact("More", plain.line(_short(rest)) if rest else "", mono=True),
    ]


def _short(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
