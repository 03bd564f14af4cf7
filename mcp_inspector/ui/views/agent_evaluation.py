"""How well tools are found: a file of labelled queries, judged by every method, with what was missed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QListWidget,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.agent.retrieval.embeddings import PackagedModel
from mcp_inspector.agent.retrieval.evaluate import Label, Score, evaluate, read_labels, unknown
from mcp_inspector.agent.retrieval.retriever import Method, Wishes
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState

if TYPE_CHECKING:
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.agent import AgentModel

_LARGEST = 16 * 1024 * 1024
_FILE = "agent.labels"
_NAMES = {Method.WORDS: "words (BM25)", Method.MEANING: "meaning", Method.HYBRID: "both"}
_SHOWN = 500
_ROW = 24


class EvaluationView(QWidget):
    """A table of recall and rank for each method; below, the queries whose tool was not among the first ones."""

    def __init__(self, desk: Desk, agent: AgentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._agent = desk, agent
        self._job: Job | None = None
        self.scores: tuple[Score, ...] = ()
        self.file = ElidedLabel(tone="muted", size="small", mode=Qt.TextElideMode.ElideMiddle)
        self.choose_button = QPushButton(icons.icon("folder-open"), "Choose a CSV…")
        self.choose_button.setToolTip("A line is query,tool; several right tools are parted by |")
        self.choose_button.clicked.connect(self.choose)
        self.top = QSpinBox()
        self.top.setRange(1, 100)
        self.top.setValue(5)
        self.top.setPrefix("k = ")
        self.top.lineEdit().setTextMargins(5, 0, 0, 0)  # the style sheet's padding does not reach it
        self.top.setAccessibleName("How many tools are found, at most")
        self.top.setToolTip("How many tools are found, at most")
        self.run_button = QPushButton(icons.icon("play", "on_accent"), "Judge")
        theme.mark(self.run_button, kind="primary")
        self.run_button.setToolTip("Ask every query of the file, by every method")
        self.run_button.clicked.connect(self.run)
        self.said = ElidedLabel(tone="muted", size="small")
        self.table = QTableWidget(0, 4)
        self.table.setAccessibleName("How good each method is")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.setShowGrid(False)
        self.misses = QListWidget()
        self.misses.setAccessibleName("What was missed, and what is wrong with the file")
        self.misses.setWordWrap(True)
        self.misses.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        words = "A CSV of queries and the tool that is right for each, query,tool on a line, shows which way of finding"
        self.nothing = EmptyState(
            "search", "How well are your tools found?", f"{words} finds them, and what it misses.", "Choose a CSV…"
        )
        self.nothing.activated.connect(self.choose)
        self._stack = QStackedWidget()
        self._lay_out()
        self._show_file()

    def _lay_out(self) -> None:
        theme.mark(self, surface="window")
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 4)
        head.setSpacing(6)
        head.addWidget(self.file, 1)
        for widget in (self.choose_button, self.top, self.run_button):
            head.addWidget(widget)
        found = QWidget()
        column = QVBoxLayout(found)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(4)
        column.addWidget(self.said)
        column.addWidget(self.table)
        column.addWidget(ElidedLabel("Missed", size="small", bold=True))
        column.addWidget(self.misses, 1)
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(found)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    def choose(self) -> QFileDialog:
        """Ask for the file."""
        dialog = QFileDialog(self.window(), "Labelled queries")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(["CSV (*.csv)", "All files (*)"])
        dialog.fileSelected.connect(self.use)
        dialog.open()
        return dialog

    def use(self, file: str) -> None:
        """Judge by this file, now and later."""
        self._desk.memory.put(_FILE, file)
        self._show_file()
        self.run()

    def _show_file(self) -> None:
        file = self._desk.memory.get(_FILE, "")
        self.file.setText(file or "No file")
        self.run_button.setEnabled(bool(file))

    def run(self) -> None:
        """Ask all queries; the window goes on meanwhile."""
        file, top = self._desk.memory.get(_FILE, ""), self.top.value()
        if not file or (self._job is not None and self._job.running):
            return
        self.run_button.setEnabled(False)
        self._stack.setCurrentIndex(1)
        self.said.set_tone("muted")
        self.said.setText("Asking…")

        async def work() -> tuple[list[str], tuple[Label, ...], tuple[Score, ...]]:
            labels, problems = read_labels(await bridge.aside(lambda: _text_of(Path(file))))
            retriever = await self._agent.ready()
            strange = unknown(labels, retriever.tools)
            methods = [Method.WORDS]
            if retriever.embedder is not None or PackagedModel.installed():
                methods += [Method.MEANING, Method.HYBRID]
            scores = await evaluate(retriever, labels, methods, Wishes(top=top)) if labels else ()
            return [*problems, *strange], labels, scores

        self._job = bridge.spawn(
            work(),
            what="judging how tools are found",
            on_done=lambda found: self._show(*found, top),
            on_error=self._failed,
            finally_=self._show_file,
        )

    def _failed(self, error: Exception) -> None:
        self.said.set_tone("error")
        self.said.setText(plain.line(f"The file cannot be read: {error}"))

    def _show(self, problems: list[str], labels: tuple[Label, ...], scores: tuple[Score, ...], top: int) -> None:
        self.scores = scores
        words = [plain.count(len(labels), "query", "queries")]
        if len(scores) == 1:
            words.append("meaning needs the extra “semantic” or embeddings")
        words += [score.why for score in scores if score.why and not any(one.first for one in score.judged)]
        self.said.set_tone("warn" if problems or not labels else "muted")
        self.said.setText(plain.line(" · ".join(words), 400))
        self.table.setHorizontalHeaderLabels(["method", f"recall@{top}", "MRR", "ms a query"])
        self.table.setRowCount(len(scores))
        for row, score in enumerate(scores):
            cells = (
                _NAMES[score.method],
                f"{score.recall:.3f}",
                f"{score.mrr:.3f}",
                f"{score.milliseconds:.2f}",
            )
            for at, text in enumerate(cells):
                item = QTableWidgetItem(text)
                if at:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, at, item)
        self.table.setFixedHeight(self.table.horizontalHeader().height() + _ROW * len(scores) + 4)
        self.misses.clear()
        lines = [plain.line(problem, 300) for problem in problems]
        for score in scores:
            for judged in score.judged:
                if not judged.rank:
                    wanted, first = ", ".join(judged.label.right), judged.first or "nothing"
                    where = f"{_NAMES[score.method]}, line {judged.label.line}"
                    lines.append(plain.line(f"{where}: “{judged.label.query}” wants {wanted}; first is {first}", 400))
        if len(lines) > _SHOWN:
            lines[_SHOWN:] = [f"… and {len(lines) - _SHOWN:,} more"]
        self.misses.addItems(lines or ["Nothing: every right tool is among those that are found."] if labels else lines)


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_LARGEST).decode("utf-8", "replace")
