"""Collects garbage on the window's thread, and on no other.

Python collects on whichever thread happens to allocate. A cycle that holds widgets or timers would then be freed by a
worker (the log's writer, an executor), and Qt objects that die on a foreign thread end the process.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

_TICK_MS = 200
_YOUNG_SECONDS, _FULL_SECONDS = 1.0, 10.0
_LONGEST_PAUSE = 0.05
"""Seconds. A whole collection that took longer makes the next one wait longer in proportion."""


class Collector(QObject):
    """Takes the collecting over from Python until `stop`: young garbage each second or sooner, all of it each ten."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        self.young_at = time.monotonic() + _YOUNG_SECONDS
        self.full_at = time.monotonic() + _FULL_SECONDS
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._timer.start()

    def tick(self) -> None:
        """Collect what is due. Python goes on counting allocations while its own collecting is off."""
        now = time.monotonic()
        if now >= self.full_at:
            gc.collect()
            took = time.monotonic() - now
            self.full_at = time.monotonic() + _FULL_SECONDS * max(1.0, took / _LONGEST_PAUSE)
        elif now >= self.young_at or gc.get_count()[0] > gc.get_threshold()[0]:
            gc.collect(1)
            self.young_at = time.monotonic() + _YOUNG_SECONDS

    def stop(self) -> None:
        """Give the collecting back."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
