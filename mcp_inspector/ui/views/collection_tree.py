"""The tree of collections and actions: its columns share the width so that names stay readable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_NARROW, _NARROWER = 280, 380


class CollectionTree(QTreeWidget):
    """The names have what room there is: when it gets narrow, first the times go, then the words of the outcomes."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out."""
        super().resizeEvent(event)
        metrics, wide = QFontMetrics(self.font()), self.viewport().width()
        outcome = metrics.horizontalAdvance("not run  12/12") + 30 if wide >= _NARROW else 28
        self.header().resizeSection(1, outcome)
        self.headerItem().setText(1, "Outcome" if wide >= _NARROW else "")
        self.header().resizeSection(2, metrics.horizontalAdvance("1,000.0 ms") + 16)
        self.setColumnHidden(2, wide < _NARROWER)


def children_of(top: QTreeWidgetItem | None) -> list[QTreeWidgetItem]:
    """The lines below one."""
    found = [top.child(at) for at in range(top.childCount())] if top is not None else []
    return [child for child in found if child is not None]
