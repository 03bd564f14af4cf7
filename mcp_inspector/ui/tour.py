"""Shows a page with something real in it, and takes pictures of the settled window: for the README and for judging."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QDialog

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.status import State
from mcp_inspector.ui import bridge, theme

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.main_window import MainWindow
    from mcp_inspector.ui.models.runs import Run
    from mcp_inspector.ui.views.caller import CallerPage

SECONDS = 20.0
_QUIET = 0.25
_MANY_FIELDS = 8
_MOVING = (State.STARTING, State.STOPPING, State.RECONNECTING)


async def take(window: MainWindow, picture: Path, page: str, *, walk: bool) -> bool:
    """Show a page, wait until nothing moves, save a PNG. `walk` does the whole main job and prints what it did.

    Returns whether every step of the walk went well. Raises `OSError` when the picture cannot be written.
    """
    await settle(window)
    well = not walk or await _walk(window)
    await show(window, page)
    await settle(window)
    await asyncio.sleep(0.05)
    picture.parent.mkdir(parents=True, exist_ok=True)
    if not _photograph(window).save(str(picture)):
        raise OSError(f"{picture} could not be written")
    sys.stdout.write(f"Saved {picture}\n")
    return well


def _photograph(window: MainWindow) -> QPixmap:
    """The window with the dialogs that stand before it."""
    photo = window.grab()
    painter = QPainter(photo)
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            place = (window.rect().center() - dialog.rect().center()) if dialog.isWindow() else dialog.pos()
            painter.fillRect(QRect(place, dialog.size()).adjusted(-1, -1, 1, 1), theme.colour("edge"))
            painter.drawPixmap(place, dialog.grab())
    painter.end()
    return photo


async def settle(window: MainWindow) -> None:
    """Wait until servers stand, lists are read, calls have ended and nothing is due; 20 s at most."""
    end = time.monotonic() + SECONDS
    quiet = time.monotonic()
    rows = -1
    while time.monotonic() < end and time.monotonic() - quiet < _QUIET:
        await asyncio.sleep(0.02)
        log = window.desk.log
        now = len(log) if log is not None else 0
        if now != rows or _moving(window):
            rows, quiet = now, time.monotonic()


def _moving(window: MainWindow) -> bool:
    servers = window.desk.servers.servers
    waiting = any(server.status.state in _MOVING or _asked(server) for server in servers)
    return waiting or bridge.jobs() > 1 or bridge.pulling()


def _asked(server: Server) -> bool:
    """Whether an answer is due; a subscription stays open for ever."""
    return any(call.method != "subscriptions/listen" for call in server.in_flight)


async def show(window: MainWindow, page: str) -> None:
    """Show a page. Those that ask a server do so when it is the built-in demo, with arguments made from the schema.

    Nothing of a server of the person's own is called for a picture: that may do anything.
    """
    await _listed(window)
    area = window.area
    if page in ("tools", "resources", "prompts", "traffic") and not _is_demo(window):
        area.show_page("tools" if page == "traffic" else page)
    elif page in ("tools", "traffic"):
        run = await call_tool(window)
        if page == "traffic" and run is not None and run.seq:
            window.show_record(run.seq)
    elif page == "resources":
        area.show_page("resources")
        area.resources.send()
    elif page == "prompts":
        area.show_page("prompts")
        await _ask(area.prompts)
    elif page in ("overview", "tasks", "agent"):
        area.show_page(page)
    elif page == "add":
        dialog = window.server_actions.add()
        if dialog is not None:
            dialog.paste.setPlainText("npx -y @modelcontextprotocol/server-everything")
    elif page == "palette":
        window.open_palette()
    elif page == "settings":
        window.places.show_settings()
    elif page == "sessions":
        window.places.show_sessions()
    elif page == "shortcuts":
        window.show_shortcuts()
    else:
        raise ValueError(f"there is no page {page!r}")


def _is_demo(window: MainWindow) -> bool:
    server = window.desk.server
    return server is not None and server.entry.origin == "built in"


async def _listed(window: MainWindow) -> None:
    server = window.desk.server
    if server is not None and server.status.up:
        async with asyncio.timeout(SECONDS):
            await server.loaded()
    await asyncio.sleep(3 * bridge.PULL_MS / 1000)


async def call_tool(window: MainWindow) -> Run | None:
    """Choose a tool that shows much and call it."""
    server = window.desk.server
    window.area.show_page("tools")
    name = _good_tool(server) if server is not None else ""
    if not name:
        return None
    window.area.tools.open(name)
    return await _ask(window.area.tools)


async def _ask(page: CallerPage) -> Run | None:
    arguments = page.arguments.arguments
    if arguments is None:
        return None
    if page.arguments.errors():
        arguments.generate(everything=False)
        page.arguments.check()
    page.send()
    run = page.run
    if run is not None and run.running:
        ended = asyncio.Event()
        run.changed.connect(lambda: None if run.running else ended.set())
        async with asyncio.timeout(SECONDS):
            await ended.wait()
    return run


def _good_tool(server: Server) -> str:
    """One that only reads, promises a structure and has fields; else one that only reads; else the first."""
    items = server.catalogue[What.TOOLS].items

    def rank(place: int) -> tuple[int, int, int]:
        value = items[place].value
        hints = value.get("annotations")
        reads = isinstance(hints, dict) and hints.get("readOnlyHint") is True
        schema = value.get("inputSchema")
        fields = len(schema.get("properties") or ()) if isinstance(schema, dict) else 0
        promises = reads and "outputSchema" in value and 0 < fields < _MANY_FIELDS
        return (0 if promises else 1 if reads and fields else 2, -fields if promises else 0, place)

    return items[min(range(len(items)), key=rank)].key if items else ""


async def _walk(window: MainWindow) -> bool:
    """Connect, list, call, read, get: each with a line of what came of it. Returns whether all went well."""
    say = sys.stdout.write
    server = window.desk.server
    if server is not None and not server.status.up:
        server.connect()
        await settle(window)
    if server is None or not server.status.up:
        say(f"Not connected: {server.status.words() if server is not None else 'there is no server'}\n")
        return False
    identity = server.identity
    say(f"Connected to {server.name} over {identity.transport}, {identity.version}\n" if identity else "Connected\n")
    counts = ", ".join(f"{len(server.catalogue[what].items)} {what}" for what in What)
    say(f"Listed {counts}\n")
    await _listed(window)
    area = window.area
    well = [_tell("Called", await call_tool(window))]
    area.show_page("resources")
    area.resources.send()
    await settle(window)
    well.append(_tell("Read", area.resources.reader.run))
    area.show_page("prompts")
    well.append(_tell("Got", await _ask(area.prompts)))
    return all(well)


def _tell(verb: str, run: Run | None) -> bool:
    if run is None:
        sys.stdout.write(f"{verb} nothing: there is none\n")
        return False
    outcome = run.outcome
    how = "ok" if run.ok else type(outcome).__name__ if outcome is not None else "no answer"
    took = f" in {outcome.elapsed_ns / 1e6:.1f} ms" if outcome is not None else ""
    sys.stdout.write(f"{verb} {run.target}: {how}{took}\n")
    return run.ok
