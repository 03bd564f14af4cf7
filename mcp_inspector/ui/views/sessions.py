"""The Sessions dock: everything that was recorded, to be opened, exported, shown in its folder, or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QStackedWidget,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.store import keeping
from mcp_inspector.store.opening import SessionFileError
from mcp_inspector.ui import icons, plain, reveal, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.session_list import Column, SessionModel, SessionSieve
from mcp_inspector.ui.models.session_shelf import SessionShelf
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent

    from mcp_inspector.store.log import Log
    from mcp_inspector.store.session_file import SessionInfo
    from mcp_inspector.ui.desk import Desk

_LIVE_MS: Final = 1_000
_WIDTHS: Final = {Column.STARTED: 0, Column.NAME: 150, Column.ENDED: 0, Column.ROWS: 90, Column.SIZE: 90}


class SessionsView(QWidget):
    """A list of files. Return opens one in Traffic, F2 names it, Del removes it."""

    open_wanted = Signal(object)
    """The path of a session to show in Traffic."""
    export_wanted = Signal(object)
    """The path of a session to export."""
    compare_wanted = Signal(object, object)
    """The paths of two sessions, the earlier one first."""
    removing = Signal(object)
    """The path of a session that is about to go: whoever shows it lets go of it."""

    def __init__(self, desk: Desk, folder: Path, live: Log, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._live = desk, live
        self.model = SessionModel(folder, live, self)
        self.sieve = SessionSieve(self.model)
        self.shelf = SessionShelf(desk.notices, self.model.refresh)
        self.search = SearchEdit("Filter sessions")
        self.search.setToolTip("Filter by date, server or file name")
        self.count = ElidedLabel(tone="muted", size="small")
        self.table = _Table(self)
        self.table.setModel(self.sieve)
        self.empty = EmptyState("history", "")
        self._stack = QStackedWidget()
        self._buttons: dict[str, QToolButton] = {}
        self._pull = Pull(self._live_moved, self, _LIVE_MS)
        self._stop = live.changed.connect(self._pull.soon)
        self.destroyed.connect(lambda: self._stop())
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        band = QWidget()
        theme.mark(band, surface="band")
        row = QHBoxLayout(band)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(self.search, 1)
        row.addWidget(self.count)
        for name, icon, words, tip in (
            ("open", "eye", "Open", "Show it in Traffic, read-only (Return)"),
            ("export", "download", "Export…", "Save it as JSON lines, with secrets masked"),
            ("compare", "arrow-left-right", "Compare", "Compare two selected sessions: what they list and answer"),
            ("rename", "pencil", "", "Give it a name (F2)"),
            ("reveal", "folder-open", "", "Open its folder"),
            ("remove", "trash-2", "", "Remove it (Del); it can be brought back until the program ends"),
        ):
            button = QToolButton()
            button.setIcon(icons.icon(icon))
            button.setToolTip(tip)
            button.setAccessibleName(words or tip)
            if words:
                button.setText(words)
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(lambda _=False, name=name: self.run(name))
            row.addWidget(button)
            self._buttons[name] = button
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(band)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._filter)
        self.search.submitted.connect(self.table.setFocus)
        self.search.left.connect(self.table.setFocus)
        self.empty.activated.connect(self.search.clear)
        self.model.read.connect(self._was_read)
        self.model.rename_wanted.connect(self._rename)
        self.table.activated.connect(lambda _: self.run("open"))
        self.table.run_wanted.connect(self.run)
        self.table.menu_wanted.connect(self._menu)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        header = self.table.header()
        header.sectionResized.connect(lambda *_: self._keep_widths())
        self._widths()

    # --- what is chosen ---

    def infos(self) -> list[SessionInfo]:
        """The selected sessions, from the top."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.info(self.sieve.mapToSource(self.sieve.index(row, 0)).row()) for row in rows]

    def select(self, path: Path) -> None:
        """Choose a session."""
        for row in range(self.sieve.rowCount()):
            index = self.sieve.index(row, 0)
            if self.model.info(self.sieve.mapToSource(index).row()).path == path:
                self.table.setCurrentIndex(index)

    def button(self, name: str) -> QToolButton:
        """The button of a command."""
        return self._buttons[name]

    def run(self, name: str) -> None:
        """Do a command to what is selected: ``open``, ``export``, ``compare``, ``rename``, ``reveal``, ``remove``."""
        infos = self.infos()
        if not infos or not self._buttons[name].isEnabled():
            return
        if name == "open":
            self.open_wanted.emit(infos[0].path)
        elif name == "export":
            self.export_wanted.emit(infos[0].path)
        elif name == "compare":
            self.compare_wanted.emit(infos[-1].path, infos[0].path)
        elif name == "rename":
            index = self.table.currentIndex()
            self.table.edit(index.siblingAtColumn(Column.NAME))
        elif name == "reveal":
            reveal.open_folder(infos[0].path, self._desk.notices)
        elif name == "remove":
            going = [info for info in infos if not self.model.is_live(info)]
            for info in going:
                self.removing.emit(info.path)
            self.shelf.remove(going)

    def _rename(self, path: Path, name: str) -> None:
        self.removing.emit(path)  # whoever shows it lets go of the file first
        try:
            renamed = keeping.rename(path, name)
        except SessionFileError as error:
            self._desk.notices.say(str(error), level=Level.WARNING, key=f"session:{path}")
            return
        self.model.renamed(path, renamed)

    def _enable(self) -> None:
        infos = self.infos()
        one, good = len(infos) == 1, bool(infos) and not infos[0].problem
        self._buttons["open"].setEnabled(one and good)
        self._buttons["export"].setEnabled(one and good)
        self._buttons["reveal"].setEnabled(one)
        self._buttons["compare"].setEnabled(
            len(infos) == 2 and not any(info.problem or self.model.is_live(info) for info in infos)
        )
        self._buttons["rename"].setEnabled(one and good and not self.model.is_live(infos[0]))
        removable = any(not self.model.is_live(info) for info in infos)
        self._buttons["remove"].setEnabled(removable)
        only_live = bool(infos) and not removable
        tip = "The live session cannot be removed" if only_live else "Remove it (Del); a notice brings it back"
        self._buttons["remove"].setToolTip(tip)

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, text in (
            ("open", "Open in Traffic\tReturn"),
            ("export", "Export…"),
            ("compare", "Compare the two"),
            ("rename", "Rename\tF2"),
            ("reveal", "Open its folder"),
            ("remove", "Remove\tDel"),
        ):
            action = QAction(self._buttons[name].icon(), text, menu)
            action.setEnabled(self._buttons[name].isEnabled())
            action.triggered.connect(lambda _=False, name=name: self.run(name))
            menu.addAction(action)
        menu.popup(place)

    # --- following ---

    def showEvent(self, event: QShowEvent) -> None:
        """What happened in the folder meanwhile."""
        super().showEvent(event)
        self.model.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing is read."""
        super().hideEvent(event)
        self.model.stop()

    def _live_moved(self) -> None:
        if self.isVisible() and self.table.state() != QAbstractItemView.State.EditingState:
            self.model.refresh()

    def _filter(self, text: str) -> None:
        self.sieve.set_words(text)
        self._say()

    def _was_read(self) -> None:
        if not self.table.currentIndex().isValid() and self.sieve.rowCount():
            self.table.setCurrentIndex(self.sieve.index(0, 0))
        self._say()
        self._enable()

    def _say(self) -> None:
        shown, total = self.sieve.rowCount(), self.model.rowCount()
        size = sum(self.model.info(row).size for row in range(total))
        words = f"{shown:,} of {total:,}" if shown < total else plain.count(total, "session")
        self.count.setText(f"{words}, {plain.size(size)}")
        if total:
            self.empty.set("No session holds these words", f"{total:,} are hidden.", "Clear the filter")
        else:
            self.empty.set("No session is kept", "Traffic is in memory only now.")
        self._stack.setCurrentIndex(0 if shown else 1)

    def _widths(self) -> None:
        kept = self._desk.memory.get("sessions_widths", list[int]())
        header = self.table.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        digits = self.fontMetrics().horizontalAdvance("2026-11-30 14:02:05")
        for column, width in {**_WIDTHS, Column.STARTED: digits + 44, Column.ENDED: digits + 18}.items():
            known = kept[column] if column < len(kept) and isinstance(kept[column], int) else 0
            header.resizeSection(column, known if 20 <= known <= 2_000 else width)

    def _keep_widths(self) -> None:
        header = self.table.header()
        self._desk.memory.put("sessions_widths", [header.sectionSize(column) for column in _WIDTHS])


class _Table(QTreeView):
    run_wanted = Signal(str)
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName("Sessions")
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setIconSize(QSize(14, 14))
        self.setAlternatingRowColors(True)
        self.setAllColumnsShowFocus(True)
        self.setSortingEnabled(True)
        self.sortByColumn(Column.STARTED, Qt.SortOrder.DescendingOrder)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda place: self.menu_wanted.emit(self.viewport().mapToGlobal(place)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens, Del removes."""
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)  # Return ends a name that is typed, and opens nothing
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.run_wanted.emit("open")
        elif event.key() == Qt.Key.Key_F2:
            self.run_wanted.emit("rename")
        elif event.key() == Qt.Key.Key_Delete:
            self.run_wanted.emit("remove")
        else:
            super().keyPressEvent(event)
