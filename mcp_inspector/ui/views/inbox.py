"""The Inbox dock: what servers ask of the person, in one queue, and the ways to answer. Nothing here is modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QSplitter,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, AskState
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models import asks, roots
from mcp_inspector.ui.models.inbox import ASK, InboxModel
from mcp_inspector.ui.models.model_book import ModelBook
from mcp_inspector.ui.models.presets import Presets
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.views.ask_form import FormBody
from mcp_inspector.ui.views.ask_history import AskHistory
from mcp_inspector.ui.views.ask_page import PageBody
from mcp_inspector.ui.views.ask_panel import AskPanel
from mcp_inspector.ui.views.ask_reply import ReplyBody
from mcp_inspector.ui.views.ask_roots import RootsBody
from mcp_inspector.ui.views.model_dialog import ModelDialog
from mcp_inspector.ui.views.presets import PresetsView
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.config.entry import Root
    from mcp_inspector.session.inbox import Ask, Inbox
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.ask_body import AskBody

_KEPT_PANELS = 30
_TICK_MS = 1_000
_WORDS = 300
"""Pixels of the list from which on its buttons have words."""


def _tool(icon: str, text: str, tip: str, run: Callable[[], object]) -> QToolButton:
    button = QToolButton()
    button.setIcon(icons.icon(icon, "muted"))
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(text)
    button.clicked.connect(lambda: run())
    return button


class AskRow(QStyledItemDelegate):
    """Two lines: what it says, with its age or end; below, the server, the kind and the operation."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk = desk

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Two lines and a little air."""
        return QSize(120, rows.line_height(option.widget, theme.font(bold=True), theme.font("small")) + 8)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a question."""
        ask: Ask = index.data(ASK)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 4, -rows.PAD, -4)
        waiting = ask.state is AskState.WAITING
        tone = asks.TONES[ask.state]
        side = QFontMetrics(theme.font(bold=waiting)).height()
        drawn = icons.pixmap(asks.icon(ask), 14, tone, painter.device().devicePixelRatioF())
        painter.drawPixmap(area.left(), area.top() + (side - 14) // 2, drawn)
        word = (asks.age(ask), "muted") if waiting else (asks.state_words(ask), tone)
        parts = [plain.line(ask.server, 60), asks.kind(ask).lower(), asks.operation(ask, self._desk.log)]
        if ask.round > 1:
            parts.append(f"round {ask.round}")
        title = (asks.title(ask), "text" if waiting else "muted")
        below = " · ".join(part for part in parts if part)
        rows.two_lines(painter, area.adjusted(20, 0, 0, 0), title, word, below, bold=waiting)


class InboxView(QWidget):
    """List on the left, the chosen question on the right. `counted` tells how many wait."""

    counted = Signal(int)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._inbox: Inbox | None = None
        self._chosen: Ask | None = None
        self._panels: dict[int, AskPanel | AskHistory] = {}
        self._waiting = 0
        self._was_waiting = False
        self._by_itself = self._editing = False
        self.model = InboxModel(self)
        self.presets = Presets(desk.memory, self)
        self.models = ModelBook(desk.memory, self, vault=lambda: desk.vault)
        self.list = QListView()
        self.list.setObjectName("inbox")
        self.list.setAccessibleName("Questions of servers")
        self.list.setModel(self.model)
        self.list.setItemDelegate(AskRow(desk, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.selectionModel().currentChanged.connect(self._current_changed)
        self.list.clicked.connect(lambda _: self._show_chosen())
        self.list.activated.connect(lambda _: self.focus_answer())
        self.strip = Strip()
        self.strip.activated.connect(lambda _: self.edit_presets())
        self.count = ElidedLabel(tone="muted", size="small")
        self.presets_button = _tool("zap", "Presets…", "What is answered by itself", self.edit_presets)
        self.model_button = _tool("bot", "Model…", "The model that may write replies to sampling", self.set_up_model)
        tip = "Forget the questions that are over; Traffic keeps them"
        self.clear_button = _tool("eraser", "Clear", tip, self._forget)
        self.preset_editor = PresetsView(desk, self.presets)
        self.preset_editor.closed.connect(self._show_chosen)
        self._empty = EmptyState("inbox", "No question")
        self._detail = QStackedWidget()
        self._detail.addWidget(self._empty)
        self._detail.addWidget(self.preset_editor)
        self._lay_out()
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self.model.refreshed.connect(self._refreshed)
        self.presets.changed.connect(self._tell_presets)
        self._refreshed()
        self._tell_presets()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(10, 4, 4, 4)
        head.setSpacing(2)
        head.addWidget(self.count, 1)
        for button in (self.presets_button, self.model_button, self.clear_button):
            head.addWidget(button)
        left = QWidget()
        theme.mark(left, surface="window")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.strip)
        column.addWidget(self.list, 1)
        left.setMinimumWidth(150)
        self._detail.setMinimumWidth(200)
        self._left = left
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.splitterMoved.connect(lambda *_: self._fit())
        splitter.addWidget(left)
        splitter.addWidget(self._detail)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 3)
        self._desk.memory.splitter("inbox.splitter", splitter, [330, 800])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words of the buttons go when there is no room for them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        words = self._left.width() >= _WORDS
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if words else Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in (self.presets_button, self.model_button, self.clear_button):
            button.setToolButtonStyle(style)

    def attach(self, inbox: Inbox) -> None:
        """The core is there."""
        self._inbox = inbox
        self.presets.attach(inbox)
        self.model.attach(inbox)
        self._tell_presets()

    def detach(self) -> None:
        """The window closes."""
        self.model.detach()
        self._clock.stop()

    # --- what is shown ---

    @property
    def ask(self) -> Ask | None:
        """The question that is shown."""
        return self._chosen

    @property
    def panel(self) -> AskPanel | AskHistory | None:
        """The panel that is shown; None while there is none, or the presets are edited."""
        shown = self._detail.currentWidget()
        return shown if isinstance(shown, AskPanel | AskHistory) else None

    def show_ask(self, ask: Ask) -> None:
        """Choose a question."""
        index = self.model.find(ask)
        if index.isValid():
            self.list.setCurrentIndex(index)

    def show_waiting(self) -> None:
        """Choose the oldest question that waits, and put the keyboard into its answer."""
        if self._waiting:
            self.list.setCurrentIndex(self.model.index(0))
            self._show_chosen()
            self.focus_answer()
        else:
            self.list.setFocus()

    def focus_answer(self) -> None:
        """Put the keyboard into the answer."""
        panel = self.panel
        if isinstance(panel, AskPanel):
            panel.focus_first()

    def send(self) -> None:
        """Send the answer that is edited."""
        panel = self.panel
        if isinstance(panel, AskPanel):
            panel.send()

    def edit_presets(self) -> None:
        """Show the editor of presets."""
        if self._chosen is not None:
            self.preset_editor.show_server(self._chosen.server)
        self._editing = True
        self._detail.setCurrentWidget(self.preset_editor)

    def set_up_model(self) -> None:
        """Open the dialog for the model."""
        ModelDialog(self.models, self.window()).show()

    def _refreshed(self) -> None:
        before, self._waiting = self._waiting, self.model.waiting
        total = self.model.rowCount()
        self.count.setText(f"{self._waiting} waiting")
        self.clear_button.setEnabled(total > self._waiting)
        if bool(self._waiting) != self._clock.isActive():
            if self._waiting:
                self._clock.start()
            else:
                self._clock.stop()
        self._drop_ended()
        index = self.model.find(self._chosen)
        over = self._chosen is None or self._chosen.state is not AskState.WAITING
        # What was just answered makes room for the next one; so does one that is over for the first that comes.
        if not index.isValid() or (over and self._waiting and (self._was_waiting or not before)):
            index = self.model.index(0) if total else QModelIndex()
        self._by_itself = True
        if index != self.list.currentIndex():
            self.list.setCurrentIndex(index)
        self._take(self.model.ask(index))
        self._by_itself = False
        self.counted.emit(self._waiting)

    def _current_changed(self, current: QModelIndex, _: QModelIndex) -> None:
        ask = self.model.ask(current)
        if ask is not None and not self._by_itself:
            self._take(ask)

    def _take(self, ask: Ask | None) -> None:
        self._chosen = ask
        self._was_waiting = ask is not None and ask.state is AskState.WAITING
        if not (self._by_itself and self._editing):
            self._show_chosen()

    def _show_chosen(self) -> None:
        self._editing = False
        ask = self._chosen
        if ask is None:
            self._empty.set(
                "No server has asked for anything",
                "Elicitation, sampling and roots come here, and wait until you answer.",
                icon="inbox",
            )
            self._detail.setCurrentWidget(self._empty)
            return
        panel = self._panels.get(ask.number)
        if panel is None:
            panel = self._panels[ask.number] = self._make(ask)
            self._detail.addWidget(panel)
            self._trim(ask)
        panel.refresh()
        self._detail.setCurrentWidget(panel)

    def _make(self, ask: Ask) -> AskPanel | AskHistory:
        if ask.state is not AskState.WAITING:
            return AskHistory(self._desk, ask)
        return AskPanel(self._desk, ask, self._body(ask))

    def _body(self, ask: Ask) -> AskBody:
        if asks.is_url(ask):
            page = PageBody(ask)
            page.failed.connect(lambda sentence: self._desk.notices.say(sentence, level=Level.ERROR, key="browser"))
            return page
        if ask.method == SAMPLING:
            reply = ReplyBody(ask, self._desk, self.models)
            reply.setup_wanted.connect(self.set_up_model)
            return reply
        if ask.method == ROOTS:
            return RootsBody(ask, roots.roots_of(self._desk, ask.server), lambda kept: self._keep_roots(ask, kept))
        assert ask.method == ELICITATION
        return FormBody(ask)

    def _keep_roots(self, ask: Ask, kept: tuple[Root, ...]) -> None:
        refused = roots.keep(self._desk, ask.server, kept)
        if refused:
            self._desk.notices.say(plain.line(refused), level=Level.WARNING, key=f"roots:{ask.server}")

    def _drop_ended(self) -> None:
        """A question that is over has another panel; what was typed for it goes."""
        for number, panel in list(self._panels.items()):
            if isinstance(panel, AskPanel) and panel.ask.state is not AskState.WAITING:
                self._drop(number)
        shown = self.panel
        if shown is not None:
            shown.refresh()

    def _trim(self, keep: Ask) -> None:
        spare = [
            number for number, panel in self._panels.items() if isinstance(panel, AskHistory) and number != keep.number
        ]
        while len(self._panels) > _KEPT_PANELS and spare:
            self._drop(spare.pop(0))

    def _drop(self, number: int) -> None:
        panel = self._panels.pop(number)
        if isinstance(panel, AskPanel) and isinstance(panel.body, ReplyBody):
            panel.body.stop()
        self._detail.removeWidget(panel)
        if self._editing:
            self._detail.setCurrentWidget(self.preset_editor)
        panel.hide()
        panel.deleteLater()

    def _tick(self) -> None:
        self.model.tick()
        if self.panel is not None:
            self.panel.refresh()

    def _forget(self) -> None:
        if self._inbox is not None:
            self._inbox.forget_ended()
            for number, panel in list(self._panels.items()):
                if isinstance(panel, AskHistory):
                    self._drop(number)

    def _tell_presets(self) -> None:
        active = self.presets.active()
        self.presets_button.setText(f"Presets ({len(active)})…" if active else "Presets…")
        if active:
            self.strip.say(
                f"By preset: {plain.line('; '.join(active))}", "\n".join(active), "warn", "presets", "Change"
            )
        else:
            self.strip.hide()
