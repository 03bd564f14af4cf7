"""The place of the Timeline at the bottom of the window: built when it is first looked at, in step with Traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from mcp_inspector.ui.panels import bring, fill
from mcp_inspector.ui.views.docks import Dock

if TYPE_CHECKING:
    from mcp_inspector.ui.views.timeline import TimelineView
    from mcp_inspector.ui.views.traffic_place import TrafficPlace


class TimelineDock(QObject):
    """Shows the session that Traffic shows, and filters it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.dock = Dock("timeline-dock", "Timeline", QWidget(), titled=False)
        self.view: TimelineView | None = None
        self._traffic: TrafficPlace | None = None
        self.dock.visibilityChanged.connect(lambda shown: self._fill() if shown else None)

    def attach(self, traffic: TrafficPlace) -> None:
        """The core is there."""
        self._traffic = traffic
        traffic.changed.connect(self._session_changed)
        # A dock behind another tab counts as visible for Qt; only its region tells.
        if not self.dock.visibleRegion().isEmpty():
            self._fill()

    def show(self) -> None:
        """Bring it to the front, with the keyboard in it."""
        bring(self.dock)
        self._fill()
        if self.view is not None:
            self.view.canvas.setFocus()

    def _fill(self) -> None:
        if self.view is not None or self._traffic is None:
            return
        from mcp_inspector.ui.views.timeline import TimelineView

        self.view = TimelineView()
        self.view.time_wanted.connect(self._filter)
        self.view.record_wanted.connect(lambda seq: self._traffic.shown.reveal(seq) if self._traffic else None)
        self._traffic.live.chosen.connect(self._row_chosen)
        self._session_changed()
        fill(self.dock.widget(), self.view)

    def _session_changed(self) -> None:
        if self.view is not None and self._traffic is not None:
            self.view.show_session(self._traffic.shown.model)
            if self._traffic.past is not None:
                self._traffic.past.chosen.connect(self._row_chosen)

    def _row_chosen(self, seq: int) -> None:
        """The row that is chosen in Traffic is marked here, too."""
        if self.view is not None and self._traffic is not None:
            self.view.canvas.choose(self._traffic.shown.model.row_of(seq) if seq else -1)

    def _filter(self, term: str, wanted: bool) -> None:
        if self._traffic is not None:
            line = self._traffic.shown.filter
            if wanted != line.has_term(term):
                line.put_term(term)
