"""The real window in a process of its own, started as `mcp-inspector` starts it; prints one JSON object.

    window_client.py start T0 [ARGS…]       first paint, tools listed, tools on screen, memory when idle
    window_client.py tools T0 COUNT ARGS…   a long list: on screen, filtered, cleared, one picked
    window_client.py big T0 BYTES ARGS…     a large result, from the click to the screen
    window_client.py flood T0 COUNT ARGS…   notifications while the window is open

T0 is the parent's `time.monotonic()` just before it started this process, ARGS are those of the program. Times are
seconds; those of ``start`` count from T0.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mcp_inspector import app

if TYPE_CHECKING:
    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.session.server import Server
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.main_window import MainWindow

LIMIT = 240.0
"""Seconds that a scenario may take."""
IDLE = 3.0
"""Seconds after the last thing that happened when memory is read."""


async def until(true: Any) -> float:
    """Wait until something holds, looked at on every turn of a 1 ms clock; returns when it did."""
    end = time.monotonic() + LIMIT
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("what was waited for did not come")
        await asyncio.sleep(0.001)
    return time.monotonic()


async def painted(window: MainWindow) -> float:
    """Draw what has changed, at once; returns when that was done.

    `processEvents` would do it too, but inside a coroutine it loses steps of other tasks.
    """
    await asyncio.sleep(0)  # a layout that was asked for is done first
    window.repaint()
    return time.monotonic()


class Measured:
    """One run of the program with a scenario inside. Figures are collected in `figures`."""

    def __init__(self, what: str, began: float, number: int) -> None:
        self.what, self.began, self.number = what, began, number
        self.figures: dict[str, float] = {}
        self.failed = ""

    def hook(self) -> None:
        """Put ourselves behind two steps of the program's start."""
        show, attach = app.Program._show_window, app.Program._attach

        def shown(program: app.Program) -> MainWindow:
            window = show(program)
            self.figures["painted"] = time.monotonic() - self.began
            return window

        def attached(program: app.Program, window: MainWindow, log: Log, inspector: Inspector, servers: Any) -> None:
            attach(program, window, log, inspector, servers)
            from mcp_inspector.ui import bridge

            bridge.spawn(
                self.work(window, inspector, log), what="measuring", on_error=self.on_error, finally_=program.leave
            )

        # The program believes that somebody looks: otherwise it would go on its own tour.
        app._find_display = lambda: True
        app.Program._show_window = shown  # type: ignore[method-assign]
        app.Program._attach = attached  # type: ignore[method-assign]

    def on_error(self, error: Exception) -> None:
        self.failed = f"{type(error).__name__}: {error}"

    async def work(self, window: MainWindow, inspector: Inspector, log: Log) -> None:
        from mcp_inspector.session.catalogue import Freshness, What

        server = inspector.servers[0]
        # A helper for scenarios that start themselves.
        listed = await until(lambda: server.catalogue[What.TOOLS].freshness is Freshness.FRESH)
        count = len(server.catalogue[What.TOOLS].items)
        await until(lambda: window.area.tools.list.model.rowCount() == count)
        on_screen = await painted(window)
        self.figures |= {"listed": listed - self.began, "shown": on_screen - self.began, "tools": count}
        await getattr(self, self.what)(window, server, log)

    async def start(self, window: MainWindow, server: Server, log: Log) -> None:
        import os

        from harness import pss

        await asyncio.sleep(IDLE)
        self.figures["memory"] = pss(os.getpid())

    async def tools(self, window: MainWindow, server: Server, log: Log) -> None:
        page = window.area.tools.list
        await asyncio.sleep(0.5)
        total = page.model.rowCount()
        for name, text in (("filter", "tool_0999"), ("clear", "")):
            began = time.monotonic()
            page.search.setText(text)
            await until(lambda text=text: (page.model.rowCount() < total) == bool(text))
            self.figures[name] = await painted(window) - began
        began = time.monotonic()
        window.area.tools.open("tool_05000")
        await until(lambda: (row := window.area.tools.row) is not None and row.key == "tool_05000")
        self.figures["pick"] = await painted(window) - began

    async def big(self, window: MainWindow, server: Server, log: Log) -> None:
        from our_client import Heart

        page = window.area.tools
        page.open("big")
        await until(lambda: page.row is not None and page.row.key == "big")
        await asyncio.sleep(0.3)
        heart = Heart()
        began = time.monotonic()
        run = window.desk.runs.start(
            server, "tools/call", "big", b'{"bytes":%d}' % self.number,
            lambda run: server.call_tool("big", b'{"bytes":%d}' % self.number, **window.desk.runs.hooks(run)),
        )  # fmt: skip
        await until(lambda: not run.running)
        self.figures["ended"] = time.monotonic() - began
        await until(lambda: page.run is run)
        self.figures["screen"] = await painted(window) - began
        await asyncio.sleep(0.5)
        self.figures["gap"] = heart.stop()

    async def flood(self, window: MainWindow, server: Server, log: Log) -> None:
        from our_client import Heart

        before = len(log)
        await asyncio.sleep(0.5)
        heart = Heart()
        began = time.monotonic()
        await server.call_tool("flood", {"count": self.number}, timeout=LIMIT)
        self.figures["seconds"] = time.monotonic() - began
        model = window.traffic.model
        await until(lambda: model.exchanges.seen == len(log) and not model.pending)
        self.figures["screen"] = await painted(window) - began
        self.figures["gap"] = heart.stop()
        self.figures |= {"kept": len(log) - before - 2, "sent": self.number, "rows": len(model)}


def main() -> int:
    what, began, *rest = sys.argv[1:]
    number = int(rest.pop(0)) if what != "start" else 0
    measured = Measured(what, float(began), number)
    measured.hook()
    code = app.main(rest)
    if measured.failed or code:
        sys.stderr.write(f"{measured.failed or f'the program ended with code {code}'}\n")
        return 1
    print(json.dumps(measured.figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
