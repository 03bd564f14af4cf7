"""A recorded session in the real traffic view, in a process of its own; prints one JSON object.

    traffic_client.py FILE

Opens the session, takes all its rows in, scrolls to places all over it, filters by columns and searches every body,
with a heart that beats every 5 ms: the longest gap of each part is the figure. Times are seconds of
the CPU unless they say otherwise, memory is bytes.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from store_rates import resident

from mcp_inspector.store.log import Log
from mcp_inspector.ui import theme
from mcp_inspector.ui.views.traffic import TrafficView

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 120.0
"""Seconds that one part may take."""
PLACES = 200
FILTERS = {
    "method": "method:tools/call",
    "target": "target:=tool_7",
    "status": "status:failed",
    "duration": "dur:>500",
    "size": "size:>1k",
}


class Heart:
    """Beats every 5 ms as long as the window is not stopped; `gap` is the longest pause in seconds."""

    def __init__(self) -> None:
        self.gap = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.setInterval(5)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gap = max(self.gap, now - self._last)
        self._last = now

    def lap(self) -> float:
        """The longest pause since the last lap."""
        self._beat()
        gap, self.gap = self.gap, 0.0
        return gap


def until(app: QApplication, true: Callable[[], bool]) -> None:
    """Let the window live until something holds."""
    end = time.perf_counter() + LIMIT
    while not true():
        if time.perf_counter() > end:
            raise TimeoutError("what was waited for did not come")
        app.processEvents()


def measured(path: Path) -> dict[str, float]:
    """All figures."""
    app = QApplication(sys.argv[:1])
    theme.install(app, "light")
    empty = TrafficView(Log())  # fonts, styles and code are there before anything is counted
    empty.resize(1440, 520)
    empty.show()
    app.processEvents()
    figures: dict[str, float] = {}
    before = resident()
    heart = Heart()
    began, spent = time.perf_counter(), time.process_time()
    log = Log.open(path)
    view = TrafficView(log)
    view.set_read_only()
    view.resize(1440, 520)
    view.show()
    until(app, lambda: len(view.model) > 0)
    view.table.viewport().repaint()
    figures["first rows"], figures["first rows wall"] = time.process_time() - spent, time.perf_counter() - began
    until(app, lambda: view.model.exchanges.seen == len(log))
    figures["all rows"] = time.process_time() - spent
    figures |= {"records": len(log), "rows": len(view.model), "open gap": heart.lap()}
    figures["memory"] = (resident() - before) * 1e6
    pick, bar, worst, total = random.Random(7), view.table.verticalScrollBar(), 0.0, 0.0
    for _ in range(PLACES):
        start = time.process_time()
        bar.setValue(pick.randrange(bar.maximum()))
        view.table.viewport().repaint()
        took = time.process_time() - start
        worst, total = max(worst, took), total + took
    app.processEvents()
    figures |= {"scroll": total / PLACES, "scroll worst": worst}
    heart.lap()
    for name, line in FILTERS.items():
        view.set_filter("")
        until(app, lambda: view.model.progress == 1)
        start = time.process_time()
        view.set_filter(line)
        until(app, lambda: view.model.progress == 1)
        view.table.viewport().repaint()
        figures[f"filter {name}"] = time.process_time() - start
    figures["filter gap"] = heart.lap()
    for name, line in (("text", "body:zebra"), ("expression", r"body:/fox \w+ovr/"), ("value", "$.n:77777")):
        start, began = time.process_time(), time.perf_counter()
        view.set_filter(line)
        until(app, lambda: view.model.progress == 1)
        figures[f"search {name}"] = time.process_time() - start
        figures[f"search {name} wall"] = time.perf_counter() - began
        figures[f"search {name} gap"] = heart.lap()
    figures["memory at the end"] = (resident() - before) * 1e6
    log.close()
    return figures


def main() -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(json.dumps(measured(Path(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
