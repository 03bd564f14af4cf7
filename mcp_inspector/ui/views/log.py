"""The Log dock: what servers log, of all or of the chosen one, and how much they are asked to log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.outcome import LocalError, RpcError
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.log_rows import LEVELS, LINE, LogLine, LogModel
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server
    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.desk import Desk

_LEVELS = "log.levels"
_FILTER_MS = 200
_WORDS = 760


class LogRow(QStyledItemDelegate):
    """Time, level, server, logger and text on one line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.all_servers = True

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a message."""
        line = index.data(LINE)
        if not isinstance(line, LogLine):
            return
        rows.ground(painter, option)
        mono, small = theme.mono("small"), theme.font("small")
        metrics = QFontMetrics(mono)
        area = option.rect.adjusted(rows.PAD, 0, -rows.PAD, 0)
        left = area.left()

        def column(text: str, width: int, ink: str, font: object = small) -> None:
            nonlocal left
            place = QRect(left, area.top(), min(width, area.right() - left), area.height())
            rows.text(painter, place, text, font, theme.colour(ink))  # type: ignore[arg-type]  # one of the two fonts
            left += width + 8

        column(line.moment, metrics.horizontalAdvance("00:00:00.0000"), "muted", mono)
        column(line.level, QFontMetrics(small).horizontalAdvance("emergency"), line.tone)
        if self.all_servers:
            column(line.server, 90, "muted")
        column(line.logger, min(110, max(0, area.width() // 6)), "muted")
        column(line.text, max(0, area.right() - left), "text", mono)


class _Table(QTableView):
    """Rows that draw themselves; the last one stays in view while one stands at the end."""

    def __init__(self, model: LogModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setShowGrid(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        height = QFontMetrics(theme.mono("small")).height() + 4
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setAccessibleName("Log messages")
        self._at_end = True
        model.rowsAboutToBeInserted.connect(self._remember)
        model.rowsInserted.connect(self._stay)
        model.modelReset.connect(self.scrollToBottom)

    def _remember(self) -> None:
        bar = self.verticalScrollBar()
        self._at_end = bar.value() >= bar.maximum()

    def _stay(self) -> None:
        if self._at_end:
            self.scrollToBottom()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        line = self.currentIndex().data(LINE)
        if event.matches(QKeySequence.StandardKey.Copy) and isinstance(line, LogLine):
            QGuiApplication.clipboard().setText(line.params.decode(errors="replace"))
        else:
            super().keyPressEvent(event)


class LogView(QWidget):
    """Rows on the left, the chosen message as a tree on the right."""

    def __init__(self, desk: Desk, log: Log, exchanges: Exchanges | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.model = LogModel(log, exchanges, self)
        self.table = _Table(self.model)
        self._delegate = LogRow(self.table)
        self.table.setItemDelegate(self._delegate)
        self.tree = JsonTree()
        self.search = SearchEdit("Filter log messages")
        self.least = QComboBox()
        self.least.setAccessibleName("Least level that is shown")
        self.least.addItem("All levels", "")
        for level in LEVELS[1:]:
            self.least.addItem(f"{level} and worse" if level != LEVELS[-1] else level, level)
        self.wanted = QComboBox()
        self.wanted.setAccessibleName("Level that the server is asked for")
        self.wanted.addItem("not asked", "")
        for level in LEVELS:
            self.wanted.addItem(level, level)
        self.scope = _toggle("server", "This server", "Only the chosen server, or all")
        self.pause = _toggle("pause", "", "Pause: keep new messages back")
        self.clear = QToolButton()
        self.clear.setIcon(icons.icon("eraser"))
        self.clear.setToolTip("Clear the view; Traffic keeps everything")
        self.clear.setAccessibleName("Clear the view")
        self.clear.clicked.connect(self.model.source.clear)
        self._count = ElidedLabel(tone="muted", size="small")
        self._empty = EmptyState("scroll-text", "No log messages")
        self._stack = QStackedWidget()
        self._lay_out()
        self._late = Pull(self._filter, self, _FILTER_MS)
        self.search.textChanged.connect(self._late.soon)
        self.search.submitted.connect(self.table.setFocus)
        self.least.currentIndexChanged.connect(self._filter)
        self.wanted.activated.connect(self._ask_for)
        self.scope.toggled.connect(self._scope)
        self.pause.toggled.connect(self.model.source.set_paused)
        self.table.selectionModel().currentChanged.connect(self._chosen)
        self.model.source.counted.connect(self._tell)
        desk.server_chosen.connect(self._server_chosen)
        desk.servers.refreshed.connect(self._servers_moved)
        self.least.setCurrentIndex(max(self.least.findData(desk.memory.get("log.least", "")), 0))
        self.scope.setChecked(desk.memory.get("log.scope", default=False))
        self._filter()
        self._servers_moved()
        self._server_chosen()
        self._tell()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 6, 4)
        head.setSpacing(6)
        head.addWidget(self.search, 1)
        head.addWidget(self.least)
        head.addWidget(self.scope)
        head.addWidget(self._count)
        head.addWidget(self.pause)
        head.addWidget(self.clear)
        head.addSpacing(8)
        self._asks = ElidedLabel("Asked to log:", tone="muted", size="small")
        head.addWidget(self._asks)
        head.addWidget(self.wanted)
        self.search.setMinimumWidth(120)
        for box in (self.least, self.wanted):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(9)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.table)
        splitter.addWidget(self.tree)
        self.tree.setMinimumWidth(80)
        self._desk.memory.splitter("log.splitter", splitter, [760, 320])
        self._stack.addWidget(splitter)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(band)
        layout.addWidget(self._stack, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words go before the fields that they explain; their tooltips stay."""
        super().resizeEvent(event)
        self._asks.setVisible(self.width() >= _WORDS)
        self._count.setVisible(self.width() >= _WORDS)

    # --- what is shown ---

    def _filter(self) -> None:
        self._desk.memory.put("log.least", self.least.currentData())
        self.model.filter(self.least.currentData(), self.search.text())

    def _scope(self, only: bool) -> None:
        self._desk.memory.put("log.scope", only)
        self._delegate.all_servers = not only
        self._show_scope()

    def _show_scope(self) -> None:
        server = self._desk.server
        self.model.source.set_server(server.name if server is not None and self.scope.isChecked() else None)
        self.table.viewport().update()

    def _chosen(self, current: QModelIndex) -> None:
        line = current.data(LINE)
        self.tree.set_json(line.params if isinstance(line, LogLine) else b"")

    def _tell(self) -> None:
        source, count = self.model.source, len(self.model.source)
        words = [plain.count(count, "message")] if count else []
        if source.waiting:
            words.append(f"{source.waiting:,} rows wait")
        if source.progress < 1:
            words.append(f"{source.progress:.0%}")
        self._count.setText(" · ".join(words))
        if count:
            self._stack.setCurrentIndex(0)
            return
        filtered = bool(self.search.text()) or bool(self.least.currentData()) or self.scope.isChecked()
        detail = (
            "Nothing passes the filter."
            if filtered
            else "Servers say here what they do. Those of 2026-07-28 log only for requests that ask for it: choose a "
            "level at the right."
        )
        self._empty.set("No log messages", detail)
        self._stack.setCurrentIndex(1)

    # --- how much is logged ---

    def _kept(self) -> dict[str, str]:
        return self._desk.memory.get(_LEVELS, dict[str, str]())

    def _servers_moved(self) -> None:
        """The level that an older version kept for a server that appears goes into its entry."""
        kept = dict(self._kept())
        for server in self._desk.servers.servers:
            if server.name in kept and self._desk.book is not None:
                level = kept.pop(server.name)
                if level not in LEVELS or server.entry.log_level or not self._keep(server, level):
                    self._desk.memory.put(_LEVELS, kept)

    def _server_chosen(self) -> None:
        server = self._desk.server
        level = server.log_level if server is not None else None
        self.wanted.setCurrentIndex(max(self.wanted.findData(level or ""), 0))
        self.wanted.setEnabled(server is not None)
        name = plain.line(server.name, 30) if server is not None else "The server"
        self._asks.setText(f"{name} logs:")
        self.wanted.setToolTip(f"The least level that {name} is asked to log")
        self._show_scope()

    def _ask_for(self) -> None:
        server = self._desk.server
        if server is None:
            return
        level = self.wanted.currentData()

        def done(outcome: Outcome | None) -> None:
            if isinstance(outcome, RpcError | LocalError):
                why = outcome.message if isinstance(outcome, RpcError) else outcome.sentence
                sentence = f"{server.name} did not take the log level {level}: {plain.line(why)}"
                self._desk.notices.say(sentence, level=Level.WARNING, key=f"log level:{server.name}")

        bridge.spawn(server.set_log_level(level or None), what=f"setting the log level of {server.name}", on_done=done)
        self._keep(server, level or "")

    def _keep(self, server: Server, level: str) -> str:
        """Write the level into the server's entry; why it could not be is said, and returned."""
        refused = self._desk.book.choose(server.name, log_level=level) if self._desk.book is not None else ""
        if refused:
            self._desk.notices.say(refused, level=Level.WARNING, key=f"log level:{server.name}")
        return refused


def _toggle(icon: str, text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icons.icon(icon))
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(True)
    if text:
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button
