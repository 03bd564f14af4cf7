"""The real window over the real inspector, with real servers; what a person does is done to its widgets."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mcp_inspector.app import demo_entry
from mcp_inspector.config import paths, sources
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.policy import Rule
from mcp_inspector.config.settings import Settings
from mcp_inspector.session.approval import Gate
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.store.log import Log
from mcp_inspector.ui import bridge, theme
from mcp_inspector.ui.collector import Collector
from mcp_inspector.ui.main_window import MainWindow
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.book import Book
from mcp_inspector.ui.models.setting_list import Places, SettingList

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.config.vault import Vault
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.views.caller import CallerPage

SETTINGS = replace(Settings(), reconnect_base=0.1, request_timeout=10.0, probe_timeout=5.0)


async def until(true: Callable[[], Any], seconds: float = 15.0, what: str = "") -> Any:
    """Wait until something holds, giving the loop back each time; fails with what was waited for."""
    end = time.monotonic() + seconds
    while not (value := true()):
        if time.monotonic() > end:
            pytest.fail(f"waited {seconds:g} s in vain{f': {what}' if what else ''}")
        await asyncio.sleep(0.01)
    return value


def press(widget: QWidget) -> None:
    """Click a widget as a person does."""
    assert widget.isVisible(), f"{widget} is not to be seen"
    assert widget.isEnabled(), f"{widget} is disabled"
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def write(widget: QWidget, text: str) -> None:
    """Type into a widget, any characters: QTest's own knows only those of ASCII."""
    widget.setFocus()
    for character in text:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, character))


@dataclass
class Bench:
    """A window under test. `servers_file` is where added servers are written."""

    window: MainWindow
    inspector: Inspector
    log: Log
    servers_file: Path
    book: Book

    def server(self, name: str = "demo") -> Server:
        """A server by name."""
        found = self.inspector.find(name)
        assert found is not None
        return found

    async def connect(self, name: str = "demo") -> Server:
        """Connect a server and wait until its lists are on screen."""
        server = self.server(name)
        server.connect()
        status = await server.settled()
        assert status.up, status
        await server.loaded()
        self.window.desk.choose(name)
        await self.still()
        return server

    async def still(self) -> None:
        """Wait until every look that is due has been taken."""
        await until(lambda: not bridge.pulling(), what="the views to have looked")

    async def tool(self, name: str) -> CallerPage:
        """Show a tool and give its page."""
        page = self.window.area.tools
        self.window.area.open("tools", name)
        await self.still()
        assert page.row is not None
        assert page.row.key == name
        return page

    async def call(self, name: str, arguments: dict[str, Any] | None = None) -> CallerPage:
        """Call a tool from its page and wait for the end."""
        page = await self.tool(name)
        if arguments is not None:
            assert page.arguments.arguments is not None
            page.arguments.arguments.document.set_text(json.dumps(arguments))
            await self.still()
        press(page.arguments.call)
        await until(lambda: page.run is not None and not page.run.running, what=f"{name} to end")
        await self.still()
        return page


@contextlib.asynccontextmanager
async def opened(
    *entries: ServerEntry,
    size: QSize | None = None,
    memory: Path | None = None,
    gate: Gate | None = None,
    vault: Vault | None = None,
) -> AsyncIterator[Bench]:
    """A window on these servers, closed in order afterwards. Without a `gate` every tool may be called.

    It is opened inside the test's own coroutine and not by a fixture: between fixture and test the loop stands still
    while Qt's timers go on, and what they call would find no running loop.
    """
    gc.collect()  # loops of earlier tests hold Qt's timers, which no thread of this one may come to end
    folders = paths.folders()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    look = theme.install(application, "light")
    log = Log.create(folders.data / "sessions", "test", asyncio.get_running_loop().call_soon_threadsafe)
    servers = sources.load(None, entries, folders.servers)
    inspector = Inspector(log, ways(SETTINGS, vault=vault), servers.entries)
    window = MainWindow(Memory(memory), look, "light")
    window.desk.gate = gate or Gate()
    window.desk.shelf.folder = folders.config / "collections"
    if gate is None:
        window.desk.gate.put("*", "*", Rule.ALLOW)
    window.restore(size or QSize(1440, 900))
    window.show()
    book = Book(servers, inspector, window.desk.notices, window)
    window.places.places = Places(SettingList(folders.settings, parent=window), folders)
    window.attach(inspector, log, book)
    bench = Bench(window, inspector, log, folders.servers, book)
    collector = Collector()
    try:
        yield bench
    finally:
        await close(bench)
        collector.stop()
        collector.deleteLater()


@contextlib.asynccontextmanager
async def demo_opened(**more: Any) -> AsyncIterator[Bench]:
    """A window with the demo server in it, connected and listed."""
    async with opened(demo_entry(lazy=True), **more) as bench:
        await bench.connect()
        yield bench


async def close(bench: Bench) -> None:
    """End a window as the program does."""
    bench.window.remember()
    bench.window.desk.memory.save()
    bench.window.detach()
    bench.window.hide()
    await bench.inspector.close()
    await bridge.close()
    bench.log.close()
    bench.window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def rude_entry(rude: Any, name: str = "rude", **more: Any) -> ServerEntry:
    """An entry for a scripted server, without reconnects."""
    return ServerEntry(name, command=rude.command, args=rude.args, reconnect=0, **more)
