"""The Traffic dock: filter line, table, and the detail of the chosen row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSplitter, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.traffic import TrafficModel
from mcp_inspector.ui.models.traffic_copy import Masks, as_json, as_markdown
from mcp_inspector.ui.models.traffic_diff import Side
from mcp_inspector.ui.views.message_detail import MessageDetail
from mcp_inspector.ui.views.traffic_bar import Bar, menu_button, quiet, toggle, tool
from mcp_inspector.ui.views.traffic_deeds import Deeds
from mcp_inspector.ui.views.traffic_filter import FilterEdit, quick_menus
from mcp_inspector.ui.views.traffic_menu import add_value_actions, is_call, open_menu
from mcp_inspector.ui.views.traffic_prompt import PromptLine
from mcp_inspector.ui.views.traffic_saved import saved_menu
from mcp_inspector.ui.views.traffic_strip import TrafficStrip
from mcp_inspector.ui.views.traffic_table import TrafficTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log

_NARROW: Final = 820
_NARROWER: Final = 560


class TrafficView(QWidget):
    """What the Traffic dock holds. It shows one session, live or reopened, and never alters it."""

    call_activated = Signal(int)
    """The number of a request of ours: show its call. From Return, a double click, the menu, or the detail."""
    chosen = Signal(int)
    """The number of the first message of the row that is chosen now; 0 for none."""
    server_wanted = Signal(object)
    """The person switched between the chosen server (its name) and all (None)."""
    said = Signal(str)
    """A sentence about what was copied."""

    def __init__(self, log: Log, exchanges: Exchanges | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = TrafficModel(log, exchanges, self)
        self.make_lasting: Callable[[QMenu, int, int], object] | None = None
        """Adds entries for the records of a request and its answer to a menu; set by who knows how to save them."""
        self.table = TrafficTable(self.model)
        self.table.setMinimumHeight(48)  # header and a row: in a low window the form needs the rest
        self.detail = MessageDetail(self.model)
        self.filter = FilterEdit(log)
        self.deeds = Deeds(self)
        self.prompt = PromptLine()
        self.server_names: Callable[[], list[str]] = list
        """Who a message can be sent to again; set by whoever knows the servers."""
        self.saved: dict[str, str] = {}
        """Filter lines that the person keeps, by name."""
        self._server: str | None = None
        self._menus = quick_menus(self, self.filter, log)
        self._quick = [menu_button(menu) for menu in self._menus]
        everything = QMenu(self)
        for menu in self._menus:
            everything.addMenu(menu)
        self._quick_all = menu_button(everything)
        self._quick_all.setText("Quick")
        self._scope = toggle("server", "Only the chosen server, or all")
        self._hidden = quiet("", "Hidden by the filter. Click to clear it.")
        self._cleared = quiet("", "Cleared from view, still in the session. Click to show all.")
        self._why = QLabel()
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        self._why.setContentsMargins(10, 2, 10, 4)
        theme.mark(self._why, role="error")
        self._scope.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._pause = toggle("pause", "Pause: keep new rows back (P)")
        self._group = toggle("list-tree", "Retries, polls and questions below the call they belong to (G)")
        self._group.setChecked(True)
        self._follow = toggle("arrow-down-to-line", "Follow the newest row (End)")
        self._clear = tool("eraser", "Clear all but what is pinned; nothing is lost (Ctrl+L). More: right button")
        clearing = QMenu(self)
        clearing.addAction("Clear all but pinned rows\tCtrl+L", self.clear)
        clearing.addAction("Clear what the filter hides", self.clear_hidden)
        clearing.addAction("Show all again", self.model.show_all)
        clearing.addAction("Undo\tCtrl+Z", lambda: self.deeds.do("undo"))
        self._clear.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._clear.customContextMenuRequested.connect(lambda spot: clearing.popup(self._clear.mapToGlobal(spot)))
        self._side = toggle("panel-right", "Detail of the chosen row (Ctrl+D)")
        self._side.setChecked(True)
        self._low = False
        self._reopen = False  # the detail is closed for want of height only
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._connect()
        self.set_server(None)
        self._count()

    def _lay_out(self) -> None:
        bar = Bar()
        bar.resized.connect(self._fit_bar)
        theme.mark(bar, surface="band")
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 1, 8, 1)
        row.setSpacing(4)
        row.addWidget(self.filter, 1)
        for button in (*self._quick, self._quick_all, self._scope, self._hidden, self._cleared):
            row.addWidget(button)
        for button in (self._group, self._pause, self._follow, self._clear, self._side):
            row.addWidget(button)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        column.addWidget(self._why)
        column.addWidget(self.prompt)
        self.strip = TrafficStrip(self.model)
        self.strip.term_wanted.connect(self.filter.put_term)
        self.strip.row_wanted.connect(self._go_to)
        column.addWidget(self.strip)
        column.addWidget(self.table, 1)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.detail)
        self.splitter.setStretchFactor(0, 5)
        self.splitter.setStretchFactor(1, 3)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([640, 360])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)

    def _connect(self) -> None:
        self.filter.settled.connect(self.model.set_line)
        self.filter.submitted.connect(self.table.setFocus)
        self.filter.left.connect(self.table.setFocus)
        self.filter.saved_wanted.connect(lambda: saved_menu(self))
        self.model.counted.connect(self._count)
        self.table.chosen.connect(self._row_chosen)
        self.table.activated.connect(self._row_activated)
        self.table.part_wanted.connect(self.detail.show_part)
        self.table.frame_chosen.connect(self.detail.show_frame)
        self.table.menu_wanted.connect(lambda row, column, place: open_menu(self, row, column, place))
        self.table.done_wanted.connect(self.deeds.do)
        self.table.header.path_wanted.connect(self.deeds.ask_path)
        self.deeds.compare_wanted.connect(self.compare)
        self.prompt.closed.connect(self.table.setFocus)
        self.detail.other_wanted.connect(self.reveal)
        self.detail.value_menu.connect(lambda *what: add_value_actions(self, *what))
        self.table.copy_wanted.connect(self.copy)
        self.table.filter_wanted.connect(self.focus_filter)
        self.table.follow_changed.connect(self._follow.setChecked)
        self.table.empty.activated.connect(self._show_everything)
        self._follow.setChecked(True)
        self._follow.toggled.connect(self.table.set_follow)
        self._pause.toggled.connect(self._set_paused)
        self._clear.clicked.connect(self.clear)
        self._group.toggled.connect(self.model.set_grouped)
        self._side.toggled.connect(self.detail.setVisible)
        self._hidden.clicked.connect(self._show_everything)
        self._cleared.clicked.connect(self.model.show_all)
        self._scope.toggled.connect(self._set_scope)
        self.detail.call_activated.connect(self.call_activated)
        for keys, act in (("P", self._pause.click), ("Ctrl+L", self.clear), ("Ctrl+D", self._side.click)):
            # Only with the focus inside: elsewhere these keys belong to others.
            here = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(QKeySequence(keys), self, act, context=here)

    # --- for others ---

    def reveal(self, seq: int) -> bool:
        """Choose the row that a record belongs to, out of any filter that hides it; False when it is not there."""
        self.model.catch_up()
        row = self.model.row_of(seq)
        if row < 0:
            return False
        if self.model.place(self.model.exchanges.root(row)) < 0:
            self._pause.setChecked(False)
            self._show_everything()
            self.model.catch_up()
        place = self.model.place(row)
        if place < 0 and self.model.outline.grouped and (root := self.model.exchanges.root(row)) != row:
            self.model.set_open(root, True, all_below=True)
            place = self.model.place(row)
        if place < 0:
            return False
        self.table.set_follow(self.table.follow and place == len(self.model) - 1)
        self.table.select(row)
        return True

    def set_server(self, server: str | None, *, only: bool | None = None) -> None:
        """Say which server is chosen elsewhere. `only` shows its rows alone, or all; None keeps the switch as it is."""
        self._server = server
        self._scope.setVisible(server is not None)
        # The style sheet knows no distance between a tool button's icon and its text.
        self._scope.setText(f" Only {plain.line(server, 24)}" if server else "")
        if only is not None and only != self._scope.isChecked():
            self._scope.setChecked(only)
        else:
            self._set_scope(self._scope.isChecked())

    def set_filter(self, line: str) -> None:
        """Put another filter line in force."""
        self.filter.setText(line)
        self.model.set_line(line)

    def focus_filter(self) -> None:
        """Go to the filter line."""
        self.filter.setFocus()
        self.filter.selectAll()

    def clear(self) -> None:
        """Put all rows so far out of sight, but not the pinned ones; nothing is lost."""
        self.table.select(-1)
        self.deeds.clear()

    def clear_hidden(self) -> None:
        """Put out of sight for good what the filter hides now."""
        self.deeds.clear(hidden_only=True)

    def compare(self, older: int, newer: int) -> None:
        """Show what differs between two messages, or between the rows that they begin."""
        older, newer = sorted((older, newer))
        exchanges = self.model.exchanges
        self._side.setChecked(True)
        self.reveal(newer)
        self.detail.compare(Side.of(exchanges, older), Side.of(exchanges, newer))

    def show_all_servers(self) -> None:
        """Not only the chosen one."""
        self._scope.setChecked(False)

    def set_grouped(self, on: bool) -> None:
        """Show what belongs to an operation below it, or all in one list."""
        self._group.setChecked(on)
        self.model.set_grouped(on)

    def copy(self, how: str = "json", *, secrets: bool = False) -> None:
        """The selected rows to the clipboard, as ``json`` or ``markdown``; without secrets unless they are wanted."""
        rows = self.table.selected
        if not rows:
            return
        make = as_markdown if how == "markdown" else as_json
        masks = Masks(secrets=secrets)
        QGuiApplication.clipboard().setText(make(self.model.exchanges, rows, masks))
        if masks.count:
            values = "1 secret was" if masks.count == 1 else f"{masks.count:,} secrets were"
            self.said.emit(f"{values} masked in what was copied. “Copy with secrets” in the row's menu keeps them.")

    @property
    def low(self) -> bool:
        """Whether there is no height for the detail."""
        return self._low

    def set_low(self, low: bool) -> None:
        """In a low window the detail closes, so that rows and page have the height; it opens again where there is some.

        A person may open it nevertheless.
        """
        if low == self._low:
            return
        self._low = low
        if low:
            self._reopen = self._side.isChecked()
            self._side.setChecked(False)
        elif self._reopen:
            self._reopen = False
            self._side.setChecked(True)

    def set_read_only(self) -> None:
        """An earlier session: nothing comes any more, so there is nothing to hold back or to follow."""
        self._pause.hide()
        self._follow.hide()
        self.table.set_follow(False)

    def save_state(self) -> dict[str, Any]:
        """Columns, splitter, filter line and detail, to be kept over a restart; for JSON."""
        return {
            "columns": self.table.header.save(),
            "splitter": self.splitter.sizes() if self._side.isChecked() else [],
            "filter": self.filter.text(),
            "detail": self._side.isChecked() or self._reopen,
            "grouped": self._group.isChecked(),
            "saved": [list(one) for one in self.saved.items()],
        }

    def restore_state(self, state: dict[str, Any]) -> None:
        """What `save_state` gave; anything missing or unreadable is left as it is."""
        columns, sizes, line = state.get("columns"), state.get("splitter"), state.get("filter")
        if isinstance(columns, dict):
            self.table.header.restore(columns)
        if isinstance(sizes, list) and len(sizes) == 2 and all(isinstance(size, int) for size in sizes):
            self.splitter.setSizes(sizes)
        if isinstance(line, str):
            self.set_filter(line)
        self._side.setChecked(state.get("detail") is not False)
        saved = state.get("saved")
        if isinstance(saved, list):
            self.saved = {str(one[0]): str(one[1]) for one in saved if isinstance(one, list) and len(one) == 2}
        self._group.setChecked(state.get("grouped") is not False)

    # --- inside ---

    def _go_to(self, row: int) -> None:
        """Choose a row, or the shown one after it."""
        place = self.model.place_near(row)
        if place >= 0:
            self.table.set_follow(False)
            self.table.select(self.model.row(place))

    def _count(self) -> None:
        model = self.model
        self.filter.set_problem(model.problem, *model.problem_at)
        hidden = model.hidden
        filtering = model.progress < 1
        self._hidden.setText(f"searching {model.progress:.0%} · stop" if filtering else f"{hidden:,} hidden")
        self._hidden.setVisible(bool(hidden) or filtering)
        self._why.setText(model.problem)
        self._why.setVisible(bool(model.problem))
        self._cleared.setText(f"{model.cleared:,} cleared")
        self._cleared.setVisible(bool(model.cleared))
        waiting = model.waiting
        self._pause.setText(f"{waiting:,} waiting" if model.paused and waiting else "")
        with_text = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self._pause.setToolButtonStyle(with_text if self._pause.text() else Qt.ToolButtonStyle.ToolButtonIconOnly)
        if hidden and not len(model):
            self.table.empty.set("Nothing passes the filter", f"{hidden:,} rows are hidden.", "Clear the filter")
        elif model.cleared and not len(model):
            self.table.empty.set("Cleared", f"{model.cleared:,} rows are still in the session.", "Show all")
        else:
            self.table.empty.set("No traffic yet", "Every message, line and event of every server appears here.")

    def _show_everything(self) -> None:
        if self.model.hidden or self.model.problem or self.filter.text():
            self.filter.clear()
            self._scope.setChecked(False)
            self.model.set_line("")
        if not len(self.model) or self.sender() is self.table.empty:
            self.model.show_all()

    def _row_chosen(self, row: int) -> None:
        self.detail.show_row(row)
        self.chosen.emit(self.model.exchanges[row].first if row >= 0 else 0)

    def _row_activated(self, row: int) -> None:
        exchange = self.model.exchanges[row]
        if is_call(exchange):
            self.call_activated.emit(exchange.first)

    def _set_paused(self, on: bool) -> None:
        self._pause.setIcon(icons.icon("play" if on else "pause"))
        self.model.set_paused(on)

    def _set_scope(self, on: bool) -> None:
        wanted = self._server if on else None
        if wanted != self.model.server:
            self.model.set_server(wanted)
            self.server_wanted.emit(wanted)

    def _fit_bar(self, width: int) -> None:
        narrow = width < _NARROW
        for button in self._quick:
            button.setVisible(not narrow)
        self._quick_all.setVisible(narrow)
        style = Qt.ToolButtonStyle
        self._scope.setToolButtonStyle(
            style.ToolButtonIconOnly if width < _NARROWER else style.ToolButtonTextBesideIcon
        )
