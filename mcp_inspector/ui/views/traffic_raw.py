"""The exact bytes of a row's records: text and hex side by side, with what is odd about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSplitter, QVBoxLayout, QWidget

from mcp_inspector.store.record import Direction
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.byte_warnings import byte_warnings
from mcp_inspector.ui.models.traffic_row import clock
from mcp_inspector.ui.widgets.hex_view import HexView
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log

_MOST: Final = 500
_TEXT_LIMIT: Final = 4 << 20
_ARROWS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}


class RawPane(QWidget):
    """All records of a row to choose from, and the bytes of the chosen one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log: Log | None = None
        self._seqs: list[int] = []
        self._shown: tuple[int, int] | None = None
        self.records = QComboBox()
        self.records.setAccessibleName("Record")
        self.records.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.records.setMinimumContentsLength(12)
        self.warnings = QLabel()
        self.warnings.setTextFormat(Qt.TextFormat.PlainText)
        self.warnings.setWordWrap(True)
        self.warnings.setContentsMargins(8, 0, 8, 4)
        theme.mark(self.warnings, role="warn")
        self.text = TextView(numbers=False)
        self.hex = HexView()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.text)
        self.splitter.addWidget(self.hex)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        top = QVBoxLayout()
        top.setContentsMargins(8, 5, 8, 5)
        top.addWidget(self.records)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.warnings)
        layout.addWidget(self.splitter, 1)
        self.records.currentIndexChanged.connect(self._show_chosen)
        self.text.selection_changed.connect(lambda: self.hex.select(*self.text.selection()))
        self.hex.selection_changed.connect(self._hex_chosen)

    def show_row(self, exchanges: Exchanges, row: int) -> None:
        """Offer the records of a row; the one that was chosen stays chosen."""
        log = exchanges.log
        seqs = []
        for seq in exchanges.records(row):
            seqs.append(seq)
            if len(seqs) >= _MOST:
                break
        if log is self._log and seqs == self._seqs:
            return
        kept = self.records.currentData() if log is self._log else None
        self._log, self._seqs = log, seqs
        self.records.blockSignals(True)
        self.records.clear()
        for seq in seqs:
            self.records.addItem(_title(log, seq), seq)
        self.records.setCurrentIndex(max(0, seqs.index(kept) if kept in seqs else 0))
        self.records.blockSignals(False)
        self._show_chosen()

    def choose(self, seq: int) -> None:
        """Show the bytes of one of the records."""
        if seq in self._seqs:
            self.records.setCurrentIndex(self._seqs.index(seq))

    def _show_chosen(self) -> None:
        log, seq = self._log, self.records.currentData()
        if log is None or not isinstance(seq, int) or (id(log), seq) == self._shown:
            return
        self._shown = (id(log), seq)
        size = log.body_size(seq)
        data = log.body_part(seq, 0, _TEXT_LIMIT)
        self.text.set_bytes(data)
        self.hex.set_reader(size, lambda offset, count: log.body_part(seq, offset, count))
        warnings = list(log.faults(seq)) + byte_warnings(data)
        skipped = log.facts(seq).get("skipped")
        if isinstance(skipped, int):
            warnings.append(f"{skipped:,} more bytes came and were dropped: the message passed the size limit.")
        if size > len(data):
            shown, whole = plain.size(len(data)), plain.size(size)
            warnings.append(f"The text shows the first {shown} of {whole}; the bytes show all.")
        self.warnings.setText("\n".join(f"⚠ {plain.line(one)}" for one in warnings))
        self.warnings.setVisible(bool(warnings))

    def _hex_chosen(self, first: int, last: int) -> None:
        if self.text.selection() != (first, last) and last <= len(self.text.index.data):
            self.text.select(first, last)

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = self.width() >= 760
        self.splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)


def _title(log: Log, seq: int) -> str:
    columns, index = log.columns, seq - 1
    kind = columns.kinds.texts[columns.kind[index]]
    method = columns.methods.texts[columns.method[index]]
    what = f"{kind} {method}" if kind == "notification" else kind
    arrow = _ARROWS[Direction(columns.direction[index])]
    return (
        f"{arrow} {plain.line(what, 60)} · {plain.size(columns.size[index])} · {clock(columns.wall_ns[index])} · #{seq}"
    )
