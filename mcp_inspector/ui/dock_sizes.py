"""How wide the left panels and how high the bottom panels are: as the person chose, and as far as there is room.

Qt takes from the docks what a smaller window lacks, and never gives it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QDockWidget, QMainWindow

    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.views.docks import Dock

_NAME = "dock_sizes"
_PAGE = 400
"""The height (px) below which the page loses fields of a form: the bottom panels leave it so much, if they can."""
_LEAST = 88
_NEAR = 2


class DockSizes:
    """Follows one window. `keep` is told of a person's drag, `apply` of every new size of the window."""

    def __init__(
        self, window: QMainWindow, memory: Memory, left: Sequence[QDockWidget], bottom: Sequence[Dock]
    ) -> None:
        self._window, self._memory = window, memory
        self._left, self._bottom = left, bottom
        kept = memory.get(_NAME, list[int]())
        good = len(kept) == 2 and all(isinstance(one, int) and 0 <= one < 10_000 for one in kept)
        self.chosen = (kept[0], kept[1]) if good else (0, 0)
        """Width of the left, height of the bottom panels in pixels; 0 for what nobody has chosen."""

    def wanted(self, size: QSize) -> tuple[int, int]:
        """Width of the left and height of the bottom panels in a window of this size."""
        wide, high = size.width(), size.height()
        left = self.chosen[0] or min(max(140, wide * 16 // 100), 300)
        bottom = self.chosen[1] or max(min(high * 38 // 100, high - _PAGE), self._needed())
        return min(left, max(140, wide * 40 // 100)), max(_LEAST, min(bottom, high * 60 // 100))

    def _needed(self) -> int:
        """What the bottom panel in front cannot do without."""
        for dock in self._bottom:
            if not dock.isFloating() and not dock.visibleRegion().isEmpty():
                return dock.need
        return 0

    def apply(self) -> None:
        """Give the panels what they should have."""
        left, bottom = self.wanted(self._window.size())
        first = self._shown(self._left, Qt.DockWidgetArea.LeftDockWidgetArea)
        if first is not None and abs(first.width() - left) > _NEAR:
            self._window.resizeDocks([first], [left], Qt.Orientation.Horizontal)
        first = self._shown(self._bottom, Qt.DockWidgetArea.BottomDockWidgetArea)
        if first is not None and abs(first.height() - bottom) > _NEAR:
            self._window.resizeDocks([first], [bottom], Qt.Orientation.Vertical)

    def keep(self) -> None:
        """The person has dragged an edge: what differs now from what was wanted is what is wanted from now on."""
        wanted = self.wanted(self._window.size())
        left = self._shown(self._left, Qt.DockWidgetArea.LeftDockWidgetArea)
        bottom = self._shown(self._bottom, Qt.DockWidgetArea.BottomDockWidgetArea)
        wide, high = self.chosen
        if left is not None and abs(left.width() - wanted[0]) > _NEAR:
            wide = left.width()
        if bottom is not None and abs(bottom.height() - wanted[1]) > _NEAR:
            high = bottom.height()
        self._choose((wide, high))

    def forget(self) -> None:
        """Back to the first sizes."""
        self._choose((0, 0))

    def _choose(self, chosen: tuple[int, int]) -> None:
        self.chosen = chosen
        self._memory.put(_NAME, list(chosen))

    def _shown(self, docks: Sequence[QDockWidget], area: Qt.DockWidgetArea) -> QDockWidget | None:
        """A dock that stands there now. Qt keeps the ones behind another tab visible, but left of the window."""
        for dock in docks:
            in_place = not dock.isFloating() and self._window.dockWidgetArea(dock) == area
            if in_place and dock.isVisible() and dock.geometry().right() > 0:
                return dock
        return None
