"""Below a list: when it was read, how long the server calls it fresh and for whom; whether it came from the cache."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.models import freshness
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mcp_inspector.session.catalogue import Listing

_TICK_MS = 1_000


class ListAge(QWidget):
    """One line, hidden while nothing has been read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self._listing: Listing | None = None
        self.label = ElidedLabel(tone="muted", size="small")
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 8, 3)
        row.addWidget(self.label)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tell)
        self.hide()

    def show_listing(self, listing: Listing) -> None:
        """Speak of another one."""
        self._listing = listing
        self.setVisible(bool(listing.fetched_wall_ns))
        self._tell()

    def _tell(self) -> None:
        if self._listing is not None:
            self.label.setText(freshness.listing_words(self._listing, time.time_ns()))
            self.label.setToolTip(freshness.listing_tip(self._listing))

    def showEvent(self, event: QShowEvent) -> None:
        """It grows older while it is seen."""
        super().showEvent(event)
        self._tell()
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
        super().hideEvent(event)
        self._clock.stop()
