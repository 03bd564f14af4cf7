"""What the Timeline of a million messages costs: taking it in, the first drawing, panning, zooming, the strip.

    python tests/benchmarks/timeline_rates.py [--rows N] [--size WxH]

Draws off-screen. Prints a table on stderr and, as the last line of stdout, one JSON object with all figures in ms.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).parent))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--size", default="1200x400")
    given = options.parse_args()
    width, height = map(int, given.size.split("x"))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication
    from store_rates import entries, resident

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.latency import Latencies
    from mcp_inspector.store.log import Log
    from mcp_inspector.store.timeline import Timeline
    from mcp_inspector.ui import theme
    from mcp_inspector.ui.models.traffic import TrafficModel
    from mcp_inspector.ui.views.traffic_strip import TrafficStrip
    from mcp_inspector.ui.widgets.timeline_canvas import TimelineCanvas

    app = QApplication([])
    theme.install(app, "light")
    log = Log()
    for entry in entries(given.rows, 20):
        log.append(entry)
    exchanges = Exchanges(log)
    exchanges.update()
    figures: dict[str, float] = {}

    def timed(name: str, work: object, times: int = 1) -> None:
        found = []
        for _ in range(times):
            start = time.perf_counter()
            work()  # type: ignore[operator]
            found.append((time.perf_counter() - start) * 1e3)
        figures[name] = round(sorted(found)[len(found) // 2], 2)
        figures[f"{name}, worst"] = round(max(found), 2)

    before = resident()
    timeline = Timeline(exchanges)
    steps = []
    while timeline.behind:
        start = time.perf_counter()
        timeline.take(2_000)
        steps.append((time.perf_counter() - start) * 1e3)
    figures["taking all in"] = round(sum(steps), 1)
    figures["longest step"] = round(max(steps), 2)
    figures["memory, MB"] = round(resident() - before, 1)
    canvas = TimelineCanvas()
    canvas.resize(width, height)
    canvas.set_timeline(timeline)
    canvas.show()
    timed("first drawing", canvas.grab)
    near = canvas.view.zoomed(0.25, canvas.view.length // 2)

    def pan() -> None:
        canvas.show_window(canvas.view.moved(canvas.view.width // 50))
        canvas.grab()

    timed("drawing all", canvas.grab, 20)
    for part, name in ((1, "pan at a quarter"), (1_000, "pan at a thousandth"), (10**6, "pan at a millionth")):
        canvas.show_window(near.between(near.start, near.start + max(near.width // part, 1)))
        timed(name, pan, 40)
    strip = TrafficStrip(TrafficModel(log, exchanges))
    strip.resize(width, 14)

    def draw_strip() -> None:
        strip._key = (-1, -1)
        strip.grab()

    timed("strip", draw_strip, 20)
    timed("percentiles of all", lambda: Latencies.of(exchanges).by_method(), 3)
    for name, value in figures.items():
        print(f"{name:<28} {value:>10}", file=sys.stderr)
    print(json.dumps({"rows": given.rows, **figures}))


if __name__ == "__main__":
    main()
