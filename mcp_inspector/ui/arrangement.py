"""Where the panels of the window stand: their first places, their sizes, what hides them and brings them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMainWindow, QTabBar, QTabWidget

from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.dock_sizes import DockSizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.views.docks import Dock

_EDGE = "qt_qmainwindow_extended_splitter"
"""What Qt calls the widget that it lays over a thin edge."""


_NARROW = 1_000
_CLOSE = "QTabBar::tab { padding-left: 5px; padding-right: 5px; }"


class Arrangement(QObject):
    """Places the docks of one window: `left` one above the other, `bottom` as tabs, the first of them in front."""

    def __init__(self, window: QMainWindow, memory: Memory, left: Sequence[Dock], bottom: Sequence[Dock]) -> None:
        super().__init__(window)
        self._window, self._left, self._bottom = window, left, bottom
        window.setDockNestingEnabled(True)
        window.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks
            | QMainWindow.DockOption.AllowNestedDocks
            | QMainWindow.DockOption.GroupedDragging
            | QMainWindow.DockOption.AnimatedDocks
        )
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        for dock in bottom[1:]:
            dock.widget().setMinimumHeight(80)  # the highest of these tabs decides how low all of them can be
        self.sizes = DockSizes(window, memory, left, bottom)
        self._again = Pull(self.sizes.apply, self)  # again, once what has given way has told so
        self._dragging = False
        self.place()
        for dock in bottom:
            dock.visibilityChanged.connect(self._fronted)

    @property
    def docks(self) -> tuple[Dock, ...]:
        """All of them."""
        return (*self._left, *self._bottom)

    def place(self) -> None:
        """Every dock into its first place, and shown."""
        window = self._window
        for dock in self.docks:
            window.removeDockWidget(dock)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, self._left[0])
        window.splitDockWidget(self._left[0], self._left[1], Qt.Orientation.Vertical)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self._bottom[0])
        for dock in self._bottom[1:]:
            window.tabifyDockWidget(self._bottom[0], dock)
        self._bottom[0].raise_()
        for dock in self.docks:
            dock.setFloating(False)
            dock.show()

    def size(self) -> None:
        """The first sizes; they can only be set once the window has its own."""
        high = self._window.height()
        parts = [high * 55 // 100, high * 35 // 100]
        self._window.resizeDocks([*self._left], parts, Qt.Orientation.Vertical)
        self._space_tabs()
        self.sizes.apply()

    def fit(self) -> None:
        """The window has another size: the panels get back what a smaller one took from them."""
        self._space_tabs()
        self.sizes.apply()
        self._again.soon()

    def _space_tabs(self) -> None:
        """In a narrow window the words of the tabs come closer together, rather than being cut."""
        style = _CLOSE if self._window.width() < _NARROW else ""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for bar in self._window.findChildren(QTabBar, options=direct):
            if bar.styleSheet() != style:
                bar.setStyleSheet(style)

    def soon(self) -> None:
        """Something in the panels is new: fit them once it has its place."""
        self._again.soon()

    def toggle_left(self) -> None:
        """Hide the left panels, or show them."""
        shown = any(dock.isVisible() for dock in self._left)
        for dock in self._left:
            dock.setVisible(not shown)

    def toggle_bottom(self) -> None:
        """Hide the bottom panels, or show them."""
        shown = any(not dock.isHidden() for dock in self._bottom)
        for dock in reversed(self._bottom):
            dock.setVisible(not shown)
        if not shown:
            self._bottom[0].raise_()

    def reset(self) -> None:
        """All panels back to their first places and sizes."""
        self.place()
        self.sizes.forget()
        QTimer.singleShot(0, self, self.size)

    def mouse(self, event: QEvent) -> None:
        """A press that no child is under is one on an edge between the panels: when it ends, their sizes are kept."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            child = self._window.childAt(event.position().toPoint())
            self._dragging = child is None or child.objectName() == _EDGE
        elif kind == QEvent.Type.MouseButtonRelease and self._dragging:
            self._dragging = False
            self.sizes.keep()

    def _fronted(self, shown: bool) -> None:
        """Another tab is in front: it may need more room than the one before, or less."""
        if shown and self._window.isVisible() and not self._dragging:
            self._again.soon()
