"""The recorded sessions as a table: read file by file, a few milliseconds at a time, and only what has changed."""

from __future__ import annotations

import time
from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)

from mcp_inspector.store.keeping import name_of, size_of
from mcp_inspector.store.opening import SUFFIX
from mcp_inspector.store.session_file import SessionInfo, info_of
from mcp_inspector.ui import icons, plain
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QIcon

    from mcp_inspector.store.log import Log

_SLICE_S: Final = 0.008
_Index = QModelIndex | QPersistentModelIndex
LIVE = "recording now"
CUT = "not closed"


class Column(IntEnum):
    """The columns, from the left."""

    STARTED = 0
    NAME = 1
    ENDED = 2
    ROWS = 3
    SIZE = 4
    SERVERS = 5


_HEADS: Final = {
    Column.STARTED: "Started",
    Column.NAME: "Name",
    Column.ENDED: "Ended",
    Column.ROWS: "Rows",
    Column.SIZE: "Size",
    Column.SERVERS: "Servers",
}
_NUMBERS: Final = (Column.ROWS, Column.SIZE)


class SessionModel(QAbstractTableModel):
    """One row a session file of a folder. `read` tells when all of them have been looked at."""

    read = Signal()
    rename_wanted = Signal(object, str)
    """A path and the name that was typed for it."""

    def __init__(self, folder: Path, live: Log | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder, self._live = folder, live
        self._infos: list[SessionInfo] = []
        self._known: dict[Path, tuple[tuple[int, int], SessionInfo]] = {}
        self._waiting: list[Path] = []
        self._found: list[SessionInfo] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    # --- reading ---

    def refresh(self) -> None:
        """Look at the folder again."""
        self._found = []
        self._waiting = sorted(self.folder.glob(f"*{SUFFIX}"), reverse=True)
        self._timer.start()

    def renamed(self, old: Path, new: Path) -> None:
        """A session has another path: its row stays where it is."""
        for row, info in enumerate(self._infos):
            if info.path == old:
                self._infos[row] = replace(info, path=new)
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))
        self.refresh()

    @property
    def reading(self) -> bool:
        """Whether files are still to be looked at."""
        return self._timer.isActive()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def _go_on(self) -> None:
        end = time.perf_counter() + _SLICE_S
        while self._waiting and time.perf_counter() < end:
            info = self._look(self._waiting.pop(0))
            if info is not None:
                self._found.append(info)
        if self._waiting:
            self._timer.start()
            return
        found = sorted(self._found, key=lambda info: (info.started_wall_ns, info.path.name), reverse=True)
        if found != self._infos:
            self.beginResetModel()
            self._infos = found
            self.endResetModel()
        self.read.emit()

    def _look(self, path: Path) -> SessionInfo | None:
        live = self._live
        if live is not None and path == live.path:
            info = live.info()
            return info and SessionInfo(path, info.started_wall_ns, 0, len(live), size_of(path), self._servers(live))
        try:
            stat = path.stat()
        except OSError:
            return None
        # The companion's size tells of what another program adds.
        key = (stat.st_mtime_ns, size_of(path))
        known = self._known.get(path)
        if known is None or known[0] != key:
            known = self._known[path] = (key, info_of(path))
        return known[1]

    @staticmethod
    def _servers(log: Log) -> tuple[str, ...]:
        return tuple(log.columns.servers.texts[1:])

    # --- the table ---

    def info(self, row: int) -> SessionInfo:
        """The session of a row."""
        return self._infos[row]

    def is_live(self, info: SessionInfo) -> bool:
        """Whether it is the one that is recorded now, here."""
        return self._live is not None and info.path == self._live.path

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many sessions there are."""
        return 0 if parent is not None and parent.isValid() else len(self._infos)

    def columnCount(self, parent: _Index | None = None) -> int:
        """How many columns there are."""
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The names of the columns."""
        if side == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADS[Column(section)]
        if side == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(Column(section))
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows; `UserRole` gives what it is sorted by."""
        if not index.isValid():
            return None
        info, column = self._infos[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(info, column)
        if role == Qt.ItemDataRole.EditRole and column is Column.NAME:
            return name_of(info.path)
        if role == Qt.ItemDataRole.UserRole:
            return self._sorted_by(info, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(self._tip(info))
        if role == Qt.ItemDataRole.DecorationRole and column is Column.STARTED:
            return self._sign(info)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Names can be typed, but for that of the session that is written now."""
        found = super().flags(index)
        if index.isValid() and index.column() == Column.NAME and not self.is_live(self._infos[index.row()]):
            found |= Qt.ItemFlag.ItemIsEditable
        return found

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another name; whoever does it looks at the folder again."""
        if role != Qt.ItemDataRole.EditRole or index.column() != Column.NAME:
            return False
        info = self._infos[index.row()]
        if str(value).strip() != name_of(info.path):
            # Not from within the editor: the list changes under it.
            QTimer.singleShot(0, self, lambda: self.rename_wanted.emit(info.path, str(value)))
        return True

    def _text(self, info: SessionInfo, column: Column) -> str:
        if column is Column.STARTED:
            return plain.moment(info.started_wall_ns) if info.started_wall_ns else plain.line(info.path.name)
        if column is Column.SIZE:
            return plain.size(info.size)
        if column is Column.NAME:
            return plain.line(name_of(info.path))
        if info.problem:
            return plain.line(info.problem) if column is Column.SERVERS else ""
        if column is Column.ENDED:
            return self.ended(info)
        if column is Column.ROWS:
            return f"{info.rows:,}"
        return plain.line(", ".join(info.servers)) if info.servers else "–"

    def ended(self, info: SessionInfo) -> str:
        """When it ended; for one that has not, what that means."""
        if self.is_live(info):
            return LIVE
        if not info.ended_wall_ns:
            return CUT
        began, ended = plain.moment(info.started_wall_ns), plain.moment(info.ended_wall_ns)
        return ended[11:] if ended[:10] == began[:10] else ended

    @staticmethod
    def _sorted_by(info: SessionInfo, column: Column) -> Any:
        if column is Column.STARTED:
            return str(info.started_wall_ns).zfill(20)
        if column is Column.ENDED:
            return str(info.ended_wall_ns or 2**63).zfill(20)
        if column is Column.NAME:
            return name_of(info.path).casefold()
        if column is Column.SERVERS:
            return ", ".join(info.servers).casefold()
        return str(info.rows if column is Column.ROWS else info.size).zfill(20)  # no wire number through Qt's int

    def _tip(self, info: SessionInfo) -> str:
        words = [str(info.path)]
        if info.problem:
            words.append(info.problem)
        elif self.is_live(info):
            words.append("The live session: everything that happens now is kept in it.")
        elif not info.ended_wall_ns:
            words.append("It was cut off, or another window records it now. What is in it can be read.")
        return "\n".join(words)

    def _sign(self, info: SessionInfo) -> QIcon:
        """A sign beside the word of the second column: a style sheet lets no cell choose its ink."""
        if info.problem:
            return icons.icon("circle-x", "error")
        if self.is_live(info):
            return icons.icon("circle-dot", "error")
        return icons.icon("history", "muted") if info.ended_wall_ns else icons.icon("triangle-alert", "warn")


class SessionSieve(QSortFilterProxyModel):
    """The sessions whose date, servers or file name hold every word that was typed; sorted by any column."""

    def __init__(self, model: SessionModel) -> None:
        super().__init__(model)
        self._model = model
        self._words: list[str] = []
        self.setSourceModel(model)
        self.setSortRole(Qt.ItemDataRole.UserRole)
        self.sort(Column.STARTED, Qt.SortOrder.DescendingOrder)

    def set_words(self, text: str) -> None:
        """Show only what holds these words."""
        self._words = text.casefold().split()
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: _Index) -> bool:
        """Whether a session is shown."""
        info = self._model.info(row)
        text = " ".join((plain.moment(info.started_wall_ns), info.path.name, *info.servers)).casefold()
        return all(word in text for word in self._words)


def _alignment(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
