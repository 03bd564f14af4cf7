"""Values at the edge of each keyword and just past it, to be put into the form one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.forms.marks import IconButton
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip, visible
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.schema.boundaries import Case

_VALUE = 60


class CaseList(QWidget):
    """The cases of one schema. `chosen` gives the one that is wanted in the form, `closed` tells that no more are."""

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cases")
        theme.mark(self, surface="window")
        self._cases: list[Case] = []
        self._title = ElidedLabel(size="small", tone="muted")
        close = IconButton(self, "x", "Close the list of cases", self.closed.emit)
        close.setFixedSize(22, 22)
        self.list = QListWidget()
        self.list.setAccessibleName("Boundary and invalid cases")
        self.list.setUniformItemSizes(True)
        self.list.setIconSize(QSize(14, 14))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(self._take)
        head = QHBoxLayout()
        head.setContentsMargins(14, 2, 8, 2)
        head.addWidget(self._title, 1)
        head.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.list, 1)
        self.setFixedHeight(190)
        self.hide()

    @property
    def cases(self) -> Sequence[Case]:
        """What is listed."""
        return self._cases

    def show_cases(self, cases: Sequence[Case]) -> None:
        """List these."""
        self._cases = [*cases]
        self.list.blockSignals(True)
        self.list.clear()
        for case in cases:
            where = jsontext.pointer(case.path) or "the whole"
            words = f"{visible(where)}: {case.name}"
            icon = icons.icon("circle-check", "ok") if case.valid else icons.icon("circle-x", "error")
            item = QListWidgetItem(icon, f"{words}{'' if case.valid else ' (not valid)'}")
            item.setToolTip(tooltip(plain.line(case.json_text, 400)))
            self.list.addItem(item)
        self.list.setCurrentRow(-1)
        self.list.blockSignals(False)
        wrong = sum(not case.valid for case in cases)
        self._title.setText(
            f"{plain.count(len(cases), 'case')}, {wrong} of them not valid. Choose one to have it in the form."
        )
        self.show()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self, row: int) -> None:
        if 0 <= row < len(self._cases):
            self.chosen.emit(self._cases[row])
