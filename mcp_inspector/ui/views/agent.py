"""The Agent page: the chosen server, or all of them, as a model sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.agent.retrieval.retriever import Method
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.agent import AgentModel
from mcp_inspector.ui.views.agent_dispatch import DispatchView
from mcp_inspector.ui.views.agent_evaluation import EvaluationView
from mcp_inspector.ui.views.agent_lab import LabView
from mcp_inspector.ui.views.agent_list import TOOL, ToolRow, ToolRows
from mcp_inspector.ui.views.agent_shape import ShapeView
from mcp_inspector.ui.views.model_dialog import ModelDialog
from mcp_inspector.ui.views.playground import PlaygroundView
from mcp_inspector.ui.widgets.inputs import LongLineEdit, SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_TABS = ("Shape", "Dispatch", "Lab", "Playground", "Evaluation")
_TYPING_MS = 200
_METHODS = {Method.WORDS: "words", Method.MEANING: "meaning", Method.HYBRID: "both"}


class AgentPage(QWidget):
    """Names and search on the left; shapes, calls of a model, the lab and the playground on the right."""

    wanted = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("agent-page")
        self._desk = desk
        self.agent = AgentModel(desk, self)
        self.query = SearchEdit("What a model wants: create a file")
        self.query.setAccessibleName("Find tools as a model would")
        self.method = QComboBox()
        self.method.setAccessibleName("How tools are found")
        self.method.setToolTip(
            "By words (BM25), by meaning (a small model, extra “semantic”, or embeddings that you set up), or by both"
        )
        for method, title in _METHODS.items():
            self.method.addItem(title, method.value)
        self.method.setCurrentIndex(self.method.findData(self.agent.options["method"]))
        self.method.addItem("embeddings…", "")
        self.method.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.method.setMinimumContentsLength(5)
        self.method.view().setMinimumWidth(120)  # its last entry is longer than what is shown
        self.method.activated.connect(self._find_by)
        self.everywhere = QCheckBox("All servers")
        self.everywhere.setChecked(self.agent.options["everywhere"])
        self.everywhere.setToolTip("The tools of all connected servers together, as an agent gets them")
        self.everywhere.toggled.connect(lambda on: self.agent.put("everywhere", on))
        self.fit = QCheckBox("Fit names")
        self.fit.setChecked(self.agent.options["fit"])
        self.fit.setToolTip("Change names that a provider refuses, and those that collide")
        self.fit.toggled.connect(lambda on: self.agent.put("fit", on))
        self.prefix = self._line("prefix", "prefix", 40)
        self.separator = self._line("separator", "separator", 30)
        self.include = self._line("include", "only: @readOnly read_* git/*", 60)
        self.exclude = self._line("exclude", "without: @destructive write_*", 60)
        self.sum = ElidedLabel(tone="muted", size="small")
        self.rows = ToolRows(self.agent, self)
        self.list = QListView()
        self.list.setModel(self.rows)
        self.list.setItemDelegate(ToolRow(self.agent, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName("Tools as a model gets them")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self._empty = EmptyState("bot", "No tools")
        self._stack = QStackedWidget()
        self.tabs = SegmentedTabs(_TABS)
        self.shape, self.dispatch, self.lab = ShapeView(desk, self.agent), DispatchView(desk, self.agent), LabView(desk)
        self.playground, self.evaluation = PlaygroundView(desk, self.agent), EvaluationView(desk, self.agent)
        self._pages = QStackedWidget()
        for page in (self.shape, self.dispatch, self.lab, self.playground, self.evaluation):
            self._pages.addWidget(page)
        self.tabs.currentChanged.connect(self._turn)
        self._lay_out()
        self.tabs.setCurrentIndex(desk.memory.get("agent.tab", 0))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(lambda: self.agent.search(self.query.text()))
        self.query.textChanged.connect(lambda _: self._typing.start())
        self.agent.changed.connect(self._refresh)
        self.agent.ranked.connect(self._refresh)

    def _line(self, option: str, hint: str, least: int) -> LongLineEdit:
        edit = LongLineEdit(self.agent.options[option], mono=True)
        edit.setPlaceholderText(hint)
        edit.setAccessibleName(option)
        edit.setMinimumWidth(least)
        edit.setToolTip(
            {
                "prefix": "What names begin with",
                "separator": "What parts prefix, server and tool",
                "include": "Only tools that one of these matches: a name, a pattern, server/tool, "
                "@readOnly, @destructive, @idempotent, @openWorld, @!destructive …",
                "exclude": "Not the tools that one of these matches",
            }[option]
        )
        edit.editingFinished.connect(lambda: self.agent.put(option, edit.text().strip()))
        return edit

    def _lay_out(self) -> None:
        left = QWidget()
        theme.mark(left, surface="window")
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 6, 0, 0)
        column.setSpacing(5)
        first, second, third = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for line in (first, second, third):
            line.setContentsMargins(0, 0, 8, 0)
            line.setSpacing(6)
            column.addLayout(line)
        first.addWidget(self.query, 1)
        first.addWidget(self.method)
        second.addWidget(self.everywhere)
        second.addWidget(self.fit)
        second.addStretch(1)
        self.prefix.setMaximumWidth(70)
        self.separator.setMaximumWidth(46)
        second.addWidget(self.prefix)
        second.addWidget(self.separator)
        third.addWidget(self.include, 1)
        third.addWidget(self.exclude, 1)
        column.addWidget(self.sum)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        column.addWidget(self._stack, 1)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._pages, 1)
        left.setMinimumWidth(180)
        right.setMinimumWidth(280)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        self._desk.memory.splitter("agent.splitter", splitter, [380, 820])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def showEvent(self, event: QShowEvent) -> None:
        """Look from now on."""
        super().showEvent(event)
        self.agent.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self.agent.watch(False)

    def _find_by(self, at: int) -> None:
        if method := self.method.itemData(at):
            self.agent.put("method", method)
            return
        self.method.setCurrentIndex(self.method.findData(self.agent.options["method"]))
        ModelDialog(self.agent.embeddings, self.window()).show()

    def show_server(self, server: Server | None) -> None:
        """Another server is chosen: the model looks by itself."""

    def _turn(self, at: int) -> None:
        self._pages.setCurrentIndex(at)
        self._desk.memory.put("agent.tab", at)

    def _refresh(self) -> None:
        chosen = self._desk.memory.get("agent.tool", "")
        self.rows.refresh()
        box, ranking = self.agent.box, self.agent.ranking
        place = max(self.rows.place(chosen), 0)
        if self.rows.rowCount():
            self._stack.setCurrentIndex(0)
            self.list.setCurrentIndex(self.rows.index(place, 0))
        else:
            self._stack.setCurrentIndex(1)
            if box.left_out:
                self._empty.set("Every tool is filtered out", "Change what is included and excluded above.")
            elif self._desk.server is None:
                self._empty.set("There is no server", "Add one: its tools are shown here as a model gets them.")
            else:
                self._empty.set("No tools are listed", "Connect the server, or choose “All servers”.")
            self._choose(None)
        troubles = [one for one in box.routes.troubles() if one.kind == "collision"] if len(box.tools) < 2000 else []
        words = [plain.count(len(box.tools), "tool")]
        if box.left_out:
            words.append(f"{len(box.left_out):,} left out")
        if troubles:
            words.append(f"{len(troubles)} names collide")
        if ranking is not None:
            figures = self.agent.retriever.figures
            found = ranking.why if ranking.everything else plain.count(len(ranking.hits), "tool") + " found"
            words = [found, f"{ranking.elapsed * 1000:.1f} ms" + (", from the cache" if ranking.cached else "")]
            words.append(f"cache {figures.hits} of {figures.hits + figures.misses}")
        words += box.problems
        self.sum.setText(plain.line(" · ".join(words), 300))
        self.sum.set_tone("warn" if troubles or box.problems or (ranking and ranking.everything) else "muted")

    def _chosen(self, index: QModelIndex, _: Any = None) -> None:
        found = index.data(TOOL) if index.isValid() else None
        if found is not None:
            self._desk.memory.put("agent.tool", found[0].name)
            self._choose(found[0])

    def _choose(self, tool: Any) -> None:
        self.shape.show_tool(tool)
        self.lab.show_tool(tool)
