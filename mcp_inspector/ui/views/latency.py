"""How long requests took, for each method and tool: percentiles in a table, the spread of the chosen one as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QToolTip, QTreeView, QVBoxLayout, QWidget

from mcp_inspector.store.latency import Timing, histogram, percentile
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

_Index = QModelIndex | QPersistentModelIndex
HEADS: Final = ("Method", "Count", "Failed", "p50", "p95", "p99", "Max")
_PARTS: Final = (0.5, 0.95, 0.99, 1.0)
_MOST: Final = 2_000


class LatencyModel(QAbstractTableModel):
    """One row a method, and below it one for each tool."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[tuple[str, Timing]] = []
        self._texts: dict[int, tuple[str, ...]] = {}

    def set_rows(self, rows: Sequence[tuple[str, Timing]]) -> None:
        """Other figures."""
        self.beginResetModel()
        self.rows, self._texts = list(rows[:_MOST]), {}
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many there are."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:
        """The columns of `HEADS`."""
        return 0 if parent is not None and parent.isValid() else len(HEADS)

    def headerData(self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The names of the columns."""
        if side == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell shows."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.texts(index.row())[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            name, timing = self.rows[index.row()]
            waiting = f"\n{timing.pending:,} without an answer" if timing.pending else ""
            return tooltip(plain.line(name) + waiting)
        return None

    def texts(self, row: int) -> tuple[str, ...]:
        """The words of a row; sorted when it is looked at."""
        found = self._texts.get(row)
        if found is None:
            name, timing = self.rows[row]
            method, _, target = name.partition(" ")
            shown = f"    {plain.line(target, 120)}" if target and name != "(no method)" else plain.line(method, 120)
            times = timing.sorted_ns
            parts = [plain.elapsed(percentile(times, part)) if times else "–" for part in _PARTS]
            failed = f"{timing.failed:,}" if timing.failed else ""
            found = self._texts[row] = (shown, f"{timing.count:,}", failed, *parts)
        return found

    @staticmethod
    def _alignment(column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class LatencyView(QWidget):
    """The table over the bars of what is chosen in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = LatencyModel(self)
        self.table = QTreeView()
        self.table.setAccessibleName("Latency by method and tool")
        self.table.setRootIsDecorated(False)
        self.table.setUniformRowHeights(True)
        self.table.setAlternatingRowColors(True)
        self.table.setAllColumnsShowFocus(True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setModel(self.model)
        header = self.table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.title = ElidedLabel(tone="muted", size="small")
        self.bars = HistogramView()
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._chosen())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.title)
        layout.addWidget(self.bars)
        self._name = ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The names get what the figures leave, and never less than can be read."""
        super().resizeEvent(event)
        digits = self.fontMetrics().horizontalAdvance("0")
        header, taken = self.table.header(), 0
        for column in range(1, len(HEADS)):
            wide = digits * (6 if column <= 2 else 7) + 8
            header.resizeSection(column, wide)
            taken += wide
        header.resizeSection(0, max(self.width() - taken - 14, digits * 13))

    def set_rows(self, rows: Sequence[tuple[str, Timing]]) -> None:
        """Other figures; the same method stays chosen."""
        self.model.set_rows(rows)
        names = [name for name, _ in self.model.rows]
        place = names.index(self._name) if self._name in names else 0
        if names:
            self.table.setCurrentIndex(self.model.index(place, 0))
        else:
            self._chosen()

    def as_csv(self) -> str:
        """The whole table as comma-separated values, times in milliseconds."""
        lines = ["method,count,failed,p50_ms,p95_ms,p99_ms,max_ms"]
        for name, timing in self.model.rows:
            times = timing.sorted_ns
            parts = [f"{percentile(times, part) / 1e6:.6f}" if times else "" for part in _PARTS]
            quoted = '"' + name.replace('"', '""') + '"'
            lines.append(",".join((quoted, str(timing.count), str(timing.failed), *parts)))
        return "\r\n".join(lines) + "\r\n"

    def copy(self) -> None:
        """The table to the clipboard."""
        QGuiApplication.clipboard().setText(self.as_csv())

    def _chosen(self) -> None:
        row = self.table.currentIndex().row()
        if not 0 <= row < len(self.model.rows):
            self.title.setText("")
            self.bars.set_times(())
            return
        name, timing = self.model.rows[row]
        self._name = name
        self.title.setText(f"  {plain.line(name, 100)}, {plain.count(len(timing.elapsed_ns), 'answer')}")
        self.bars.set_times(timing.sorted_ns)


class HistogramView(QWidget):
    """Bars by time on a logarithmic axis."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(74)
        self.setAccessibleName("How the times are spread")
        self.bars: list[tuple[int, int, int]] = []
        self._times: Sequence[int] = ()

    def set_times(self, ordered: Sequence[int]) -> None:
        """Times in nanoseconds, ascending."""
        self._times, self.bars = ordered, histogram(ordered)
        self.update()

    def sizeHint(self) -> QSize:
        """A few lines high."""
        return QSize(200, 74)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The bars, the ends of the axis, and where the median and the 95th percentile lie."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("base"))
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("muted"))
        if not self.bars:
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "No answers in this time")
            return
        most = max(count for _, _, count in self.bars)
        width, floor = self.width() - 16, self.height() - 18
        middle = percentile(self._times, 0.5)
        for place, (begin, end, count) in enumerate(self.bars):
            left = 8 + width * place // len(self.bars)
            right = 8 + width * (place + 1) // len(self.bars)
            high = round((floor - 6) * count / most) if count else 0
            ink = "accent" if begin <= middle < end or (place == len(self.bars) - 1 and middle >= end) else "edge"
            wide = max(min(right - left - 1, 40), 1)
            high = max(high, 1)
            painter.fillRect(left + (right - left - wide) // 2, floor - high, wide, high, theme.colour(ink))
        text = plain.elapsed(self._times[0]), plain.elapsed(self._times[-1])
        area = self.rect().adjusted(8, floor + 1, -8, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, text[0])
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, text[1])
        painter.setPen(theme.colour("accent"))
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        painter.drawText(area, centre, f"median {plain.elapsed(middle)}")

    def event(self, event: QEvent) -> bool:
        """One bar in words."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.bars:
            place = (event.pos().x() - 8) * len(self.bars) // max(self.width() - 16, 1)
            if 0 <= place < len(self.bars):
                begin, end, count = self.bars[place]
                tip = f"{plain.elapsed(begin)} to {plain.elapsed(end)}: {plain.count(count, 'answer')}"
                QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)
