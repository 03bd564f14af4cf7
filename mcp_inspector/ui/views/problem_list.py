"""All that is wrong with the arguments, one line each; a click goes to the field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy, QWidget

from mcp_inspector.ui import icons
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROWS = 6
_LONGEST = 300

Line = tuple[str, str, object]
"""Tone (`error` or `warn`), words, and what `chosen` is to give."""


class ProblemList(QListWidget):
    """`chosen` gives what stands behind a line."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("problems")
        self.setAccessibleName("Problems of the arguments")
        self.setUniformItemSizes(True)
        self.setIconSize(QSize(14, 14))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._lines: list[Line] = []
        self.itemClicked.connect(self._take)
        self.itemActivated.connect(self._take)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show these; the chosen line stays chosen when it is still there."""
        if [*lines] == self._lines:
            return
        at = self.currentRow()
        self._lines = [*lines]
        self.clear()
        for tone, words, _ in lines:
            icon = icons.icon("circle-x" if tone == "error" else "triangle-alert", tone)
            item = QListWidgetItem(icon, visible(words[:_LONGEST]))
            item.setToolTip(tooltip(words))
            self.addItem(item)
        if lines:
            self.setCurrentRow(min(max(at, 0), len(lines) - 1))
        self.updateGeometry()

    def lines(self) -> list[str]:
        """The words that are shown."""
        return [words for _, words, _ in self._lines]

    def sizeHint(self) -> QSize:
        """As high as its lines, within reason."""
        row = self.sizeHintForRow(0) if self.count() else 20
        return QSize(200, min(max(self.count(), 1), _ROWS) * row + 6)

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(60, 24)

    def _take(self, item: QListWidgetItem) -> None:
        row = self.row(item)
        if 0 <= row < len(self._lines):
            self.chosen.emit(self._lines[row][2])
