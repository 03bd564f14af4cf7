"""Two parts side by side where there is room, one above the other where there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QLayout

_BESIDE, _BELOW = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom


class Across(QWidget):
    """The first part takes what room there is; the second one is as large as it has to be.

    `wide` is the width (px) from which on they stand side by side.
    """

    def __init__(self, first: QWidget, second: QLayout, wide: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wide = wide
        self.box = QBoxLayout(_BESIDE, self)
        self.box.addWidget(first, 1)
        self.box.addLayout(second)

    @property
    def beside(self) -> bool:
        """Whether they stand side by side."""
        return self.box.direction() == _BESIDE

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.box.setDirection(_BESIDE if self.width() >= self._wide else _BELOW)
