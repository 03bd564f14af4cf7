"""A tool as the server defines it, beside what the provider takes of it, with what is lost between the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.agent import formats
from mcp_inspector.agent.formats import Effect, Format
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.agent import AgentModel

TITLES = {
    Format.OPENAI: "OpenAI, chat completions",
    Format.OPENAI_RESPONSES: "OpenAI, responses",
    Format.ANTHROPIC: "Anthropic, messages",
    Format.GEMINI: "Gemini, function declarations",
    Format.MCP: "MCP, as the server lists it",
}
_TONES = {Effect.REJECTED: "error", Effect.CHANGED: "warn", Effect.DROPPED: "muted"}


class ShapeView(QWidget):
    """Shows one tool; copies and saves that one or all of them."""

    def __init__(self, desk: Desk, agent: AgentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._agent = desk, agent
        self._tool: AgentTool | None = None
        self.format = QComboBox()
        self.format.setAccessibleName("Shape")
        for format, title in TITLES.items():
            self.format.addItem(title, format.value)
        self.format.setCurrentIndex(self.format.findData(agent.options["format"]))
        self.format.activated.connect(lambda at: agent.put("format", self.format.itemData(at)))
        self.strict = QCheckBox("Strict")
        self.strict.setToolTip("OpenAI's strict mode: the model is held to the schema, of which it takes less")
        self.strict.setChecked(agent.options["strict"])
        self.strict.toggled.connect(lambda on: agent.put("strict", on))
        self.copy_button = QPushButton(icons.icon("copy"), "Copy")
        self.copy_button.setToolTip("Copy this tool in this shape")
        self.copy_button.clicked.connect(self.copy)
        self.copy_all_button = QPushButton("Copy all")
        self.copy_all_button.setToolTip("Copy all offered tools, as they go under “tools” of a request")
        self.copy_all_button.clicked.connect(self.copy_all)
        self.original, self.shape = TextView(), TextView()
        self.original.setAccessibleName("The tool as the server lists it")
        self.shape.setAccessibleName("The tool in the provider's shape")
        self.losses = QListWidget()
        self.losses.setAccessibleName("What is lost")
        self.losses.setWordWrap(True)
        self.losses.setMaximumHeight(150)
        self.losses.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.note = ElidedLabel(tone="muted", size="small")
        self._lay_out()
        agent.changed.connect(self._refresh)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 8, 6)
        head.setSpacing(6)
        head.addWidget(self.format, 1)
        head.addWidget(self.strict)
        head.addStretch(0)
        head.addWidget(self.copy_button)
        head.addWidget(self.copy_all_button)
        self.format.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.format.setMinimumContentsLength(12)
        texts = QSplitter(Qt.Orientation.Horizontal)
        texts.setChildrenCollapsible(False)
        for title, view in (("As the server lists it", self.original), ("As the model gets it", self.shape)):
            side = QWidget()
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
            column.addLayout(_inset(ElidedLabel(title, tone="muted", size="small")))
            column.addWidget(view, 1)
            side.setMinimumWidth(90)
            texts.addWidget(side)
        self._desk.memory.splitter("agent.shape", texts, [400, 400])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(texts, 1)
        layout.addLayout(_inset(self.note))
        layout.addWidget(self.losses)

    def show_tool(self, tool: AgentTool | None) -> None:
        """Show another tool."""
        self._tool = tool
        self._refresh()

    def _refresh(self) -> None:
        tool = self._tool
        openai = self._agent.format in (Format.OPENAI, Format.OPENAI_RESPONSES)
        self.strict.setEnabled(openai)
        self.copy_button.setEnabled(tool is not None)
        self.losses.clear()
        if tool is None:
            self.original.set_text("")
            self.shape.set_text("")
            self.note.setText("Choose a tool")
            self.losses.hide()
            return
        made = self._agent.define(tool)
        self.original.set_text(jsontext.pretty(tool.item.raw.decode(errors="replace")), "json", keep=True)
        self.shape.set_text(jsontext.pretty(made.raw.decode()), "json", keep=True)
        for loss in made.losses:
            where = f"{loss.pointer}  " if loss.pointer else ""
            item = QListWidgetItem(f"{loss.effect.value}  {plain.line(where + loss.sentence, 400)}")
            item.setForeground(theme.colour(_TONES[loss.effect]))
            self.losses.addItem(item)
        self.losses.setVisible(bool(made.losses))
        refused = sum(loss.effect is Effect.REJECTED for loss in made.losses)
        lost = plain.count(len(made.losses), "difference") if made.losses else "nothing is lost"
        words = f"about {made.tokens:,} tokens · {lost}" + (f" · {refused} would be refused" if refused else "")
        self.note.setText(words)
        self.note.set_tone("error" if refused else "muted")

    def copy(self) -> None:
        """Put this tool on the clipboard."""
        if self._tool is not None:
            QApplication.clipboard().setText(jsontext.pretty(self._agent.define(self._tool).raw.decode()))

    def copy_all(self) -> None:
        """Put all offered tools on the clipboard."""
        definitions = self._agent.definitions()
        QApplication.clipboard().setText(jsontext.pretty(formats.document(definitions, self._agent.format).decode()))
        total = sum(definition.tokens for definition in definitions)
        self._desk.notices.say(
            f"{plain.count(len(definitions), 'tool')}, about {total:,} tokens, are on the clipboard."
        )


def _inset(label: ElidedLabel) -> QHBoxLayout:
    """A label with the margins of what stands above and below it."""
    line = QHBoxLayout()
    line.setContentsMargins(8, 2, 8, 2)
    line.addWidget(label)
    return line
