"""The window as a program: builds everything once, shows it before anything slow, and ends it in order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from mcp_inspector import __version__
from mcp_inspector.config import paths, settings
from mcp_inspector.config.builtin import demo_entry as demo_entry
from mcp_inspector.ui.options import Options, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.config.sources import ServerList
    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.main_window import MainWindow

END_SECONDS = 4.0
"""How long ending may take in all, counted from the wish to leave."""
_ORDERLY_SECONDS = 2.2
"""How long the servers' processes get to end by themselves; those that still run then are killed."""
_JOBS_SECONDS = 0.3
_LOG_SECONDS = 0.8
"""What is kept of the time for writing the last records."""

_log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the window until the person leaves it; returns the exit code."""
    options = parse(sys.argv[1:] if argv is None else argv)
    seen = _find_display()
    if options.scale:
        os.environ["QT_SCALE_FACTOR"] = f"{options.scale:g}"
    folders = paths.folders()
    loaded = settings.load(folders.settings, overrides=options.overrides)
    _keep_log(folders)
    if not seen:
        qInstallMessageHandler(_say_less)
    app = QApplication.instance() or QApplication(["mcp-inspector"])
    assert isinstance(app, QApplication)
    return Program(app, options, folders, loaded.settings, [*folders.problems, *loaded.problems], seen).run()


def _find_display() -> bool:
    """Whether there is a screen; without one Qt is told to draw off-screen instead of ending the process."""
    if os.environ.get("QT_QPA_PLATFORM", "") in ("offscreen", "minimal"):
        return False
    unix = sys.platform not in ("win32", "darwin")
    if unix and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        sys.stderr.write("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set): running off-screen.\n")
        return False
    return True


def _say_less(_kind: QtMsgType, _context: object, text: str) -> None:
    """Qt's messages, without the one that the off-screen platform has for every window."""
    if not text.startswith("This plugin does not support propagateSizeHints"):
        sys.stderr.write(f"{text}\n")


def _keep_log(folders: Folders) -> None:
    """What nobody expected goes to a file that can be reported, and to stderr."""
    from logging.handlers import RotatingFileHandler

    handlers: list[logging.Handler] = [logging.StreamHandler()]
    with contextlib.suppress(OSError):
        handlers.append(RotatingFileHandler(folders.state / "mcp-inspector.log", maxBytes=1_000_000, backupCount=1))
    logging.basicConfig(
        level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s", handlers=handlers, force=True
    )


class Program:
    """One run of the window."""

    def __init__(
        self,
        app: QApplication,
        options: Options,
        folders: Folders,
        values: Settings,
        problems: Sequence[str],
        has_display: bool,
    ) -> None:
        self.app, self.options, self.folders, self.values = app, options, folders, values
        self.has_display = has_display
        self.code = 0
        self._problems = list(problems)
        self._stop: asyncio.Event | None = None
        self._left_at = 0.0
        self._quit = _QuitFilter(self.leave)

    def run(self) -> int:
        """Show the window, then run its loop to the end."""
        import qasync

        from mcp_inspector.ui.collector import Collector

        self.app.setApplicationName("MCP Inspector")
        self.app.setDesktopFileName("mcp-inspector")
        self.app.setQuitOnLastWindowClosed(False)
        self.app.installEventFilter(self._quit)
        if self.values.text_scale != 1:
            from mcp_inspector.ui import text_scale

            text_scale.begin(self.app, self.values.text_scale)
        window = self._show_window()
        collector = Collector()
        loop = qasync.QEventLoop(self.app)
        hook = sys.excepthook
        try:
            with loop:
                loop.set_exception_handler(_loop_failed)
                sys.excepthook = _slot_failed
                loop.run_until_complete(self._main(window))
        finally:
            sys.excepthook = hook
            collector.stop()
            self.app.removeEventFilter(self._quit)
            window.deleteLater()
            self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return self.code

    @property
    def _on_tour(self) -> bool:
        """Whether nobody will use this window: it is shown for a picture or a walk, and then ends."""
        return self.options.screenshot is not None or self.options.walk is not None or not self.has_display

    def _show_window(self) -> MainWindow:
        """The window with nothing in it yet, on screen before anything slow is imported."""
        from mcp_inspector.ui import icons, theme
        from mcp_inspector.ui.main_window import MainWindow
        from mcp_inspector.ui.memory import Memory

        look = theme.install(self.app, self.values.theme)
        self.app.setWindowIcon(icons.icon("plug", "accent"))
        memory = Memory(None if self._on_tour else self.folders.state / "window.json")
        # With a style sheet, Qt styles a widget anew each time it gets a parent: 0.4 s in a window built from leaves.
        sheet = self.app.styleSheet()
        self.app.setStyleSheet("")
        window = MainWindow(memory, look, self.values.theme)
        self.app.setStyleSheet(sheet)
        window.restore(self.options.size)
        window.show()
        self.app.processEvents()
        return window

    async def _main(self, window: MainWindow) -> None:
        self._stop = asyncio.Event()
        window.close_wanted.connect(self.leave)
        undo_signals = _on_signals(self.leave)
        log: Log | None = None
        inspector: Inspector | None = None
        try:
            log, inspector, servers = self._build()
            inspector.start()
            await asyncio.sleep(0)  # the servers' processes start now, and load while the window is filled
            self._attach(window, log, inspector, servers)
            if self._on_tour:
                self._take_tour(window)
            elif self.options.page:
                self._show_page(window)
            await self._stop.wait()
        except Exception:
            self.code = 1
            _log.exception("the program failed")
        finally:
            await self._end(window, inspector, log)
            undo_signals()

    def _build(self) -> tuple[Log, Inspector, ServerList]:
        """The core. Imported here, when the window is on screen already."""
        from mcp_inspector.config import sources
        from mcp_inspector.config.vault import standard
        from mcp_inspector.session.dialing import ways
        from mcp_inspector.session.inspector import Inspector
        from mcp_inspector.store.log import Log

        loop = asyncio.get_running_loop()
        log = Log.create(self.folders.data / "sessions", f"MCP Inspector {__version__}", loop.call_soon_threadsafe)
        servers = sources.load(self.options.config, self._extra(), self.folders.servers)
        if not servers.entries:
            servers = sources.load(self.options.config, [demo_entry(lazy=True)], self.folders.servers)
        self.vault = standard(self.folders.config, self.values.secrets)
        return (
            log,
            Inspector(log, ways(self.values, vault=self.vault, lists=self.folders.state / "lists"), servers.entries),
            servers,
        )

    def _extra(self) -> list[ServerEntry]:
        """The servers that the command line names."""
        from mcp_inspector.config import paste

        found = []
        if self.options.url:
            found.append(paste.from_url(self.options.url))
        if self.options.command:
            found.append(paste.from_argv(self.options.command))
        if self.options.demo:
            found.append(demo_entry())
        return found

    def _attach(self, window: MainWindow, log: Log, inspector: Inspector, servers: ServerList) -> None:
        from mcp_inspector.ui.models.book import Book
        from mcp_inspector.ui.notices import Level

        named = self._extra()
        desk = window.desk
        book = Book(servers, inspector, desk.notices, window)
        if named:
            desk.memory.put("server", servers.entries[0].name)
        self._attach_places(window, log, inspector)
        self._attach_actions(desk)
        window.attach(inspector, log, book)
        if self.options.session is not None:
            window.places.open_session(self.options.session)
        for problem in (*self._problems, desk.memory.problem, log.problem):
            if problem:
                desk.notices.say(problem, level=Level.WARNING)
        gc.collect()
        gc.freeze()  # what lives as long as the program is not walked again by every collection

    def _attach_actions(self, desk: Desk) -> None:
        """What may be called, by the person's policy."""
        from mcp_inspector.session.approval import Gate

        desk.gate = Gate(self.folders.config / "policy.json", self.folders.state / "approved.json")
        desk.vault = self.vault
        desk.shelf.folder = self.folders.config / "collections"
        for problem in (*desk.gate.policy.problems, desk.gate.problem):
            if problem:
                desk.notices.say(problem)

    def _take_tour(self, window: MainWindow) -> None:
        from mcp_inspector.ui import bridge, tour

        wanted = self.options.walk or self.options.screenshot
        picture = wanted or self.folders.state / "window.png"
        # A walk calls a tool, and that may do anything: without being told to, it is done on the demo alone.
        walk = self.options.walk is not None or (wanted is None and self.options.demo)

        def ended(well: bool) -> None:
            self.code = 0 if well else 1

        def failed(error: Exception) -> None:
            sys.stderr.write(f"The picture could not be taken: {error}\n")
            self.code = 1

        bridge.spawn(
            tour.take(window, picture, self.options.page or "tools", walk=walk),
            what="taking a picture",
            on_done=ended,
            on_error=failed,
            finally_=self.leave,
        )

    def _show_page(self, window: MainWindow) -> None:
        from mcp_inspector.ui import bridge, tour

        bridge.spawn(tour.show(window, self.options.page), what=f"showing {self.options.page}")

    def _attach_places(self, window: MainWindow, log: Log, inspector: Inspector) -> None:
        """What can be changed while the program runs, and where things are kept."""
        from mcp_inspector.session.dialing import ways
        from mcp_inspector.ui import bridge, text_scale
        from mcp_inspector.ui.models.setting_list import Places, SettingList

        chosen = SettingList(self.folders.settings, self.options.overrides, window)
        window.places.places = Places(chosen, self.folders, tuple(self._problems))

        def changed(name: str) -> None:
            if name == "theme":
                window.choose_theme(chosen.values.theme, keep=False)
            elif name == "text_scale":
                text_scale.change(self.app, window.theme, chosen.values.text_scale)
            inspector.use(ways(chosen.values, vault=window.desk.vault, lists=self.folders.state / "lists"))

        def keep_theme(choice: str) -> None:
            problem = chosen.put("theme", choice)
            if problem:
                window.desk.notices.say(problem)

        chosen.changed.connect(changed)
        window.theme_chosen.connect(keep_theme)
        bridge.spawn(self._prune(window, log), what="looking after old sessions")

    async def _prune(self, window: MainWindow, log: Log) -> None:
        """Delete the oldest sessions beyond the limit, beside the loop, and say which."""
        from mcp_inspector.store import keeping

        folder, limit = self.folders.data / "sessions", self.values.session_limit * 2**20
        pruned = await asyncio.to_thread(keeping.prune, folder, limit, log.path)
        for problem in pruned.problems:
            _log.warning("%s", problem)
        sentence = pruned.sentence(limit)
        if sentence:
            log.append(keeping.entry_of(sentence))
            window.places.say_pruned(sentence)

    def leave(self) -> None:
        """Begin to end; may be called at any time and more than once."""
        self._left_at = self._left_at or time.monotonic()
        if self._stop is not None:
            self._stop.set()

    async def _end(self, window: MainWindow, inspector: Inspector | None, log: Log | None) -> None:
        """Window state, calls, connections, log: in this order, and all of it in `END_SECONDS`."""
        from mcp_inspector.ui import bridge

        end = (self._left_at or time.monotonic()) + END_SECONDS
        window.hide()
        window.remember()
        window.desk.memory.save()
        window.detach()
        if inspector is not None:
            await _end_servers(inspector, end)
        await bridge.close(max(0.05, min(_JOBS_SECONDS, end - time.monotonic())))
        if log is not None:
            if not log.close(max(0.1, end - time.monotonic())):
                _log.warning("not all of the session's last records could be written in time")
            if not len(log) and log.path is not None:
                with contextlib.suppress(OSError):
                    log.path.unlink()  # nothing happened: no empty session in the list


async def _end_servers(inspector: Inspector, end: float) -> None:
    """In order while there is time; then what still runs is killed, and what still waits is left."""
    from mcp_inspector.transport import process
    from mcp_inspector.transport.tasks import Tasks

    closing = Tasks().spawn(inspector.close(), "end of the servers")
    orderly = end - END_SECONDS + _ORDERLY_SECONDS - time.monotonic()
    _, waiting = await asyncio.wait([closing], timeout=max(0.1, orderly))
    if waiting:
        _log.info("%s processes have to be killed", process.kill_all())
        _, waiting = await asyncio.wait([closing], timeout=max(0.3, end - time.monotonic() - _LOG_SECONDS))
    if waiting:
        _log.warning("ending the connections took longer than there was time")
        closing.cancel()
        await asyncio.wait([closing], timeout=0.1)


class _QuitFilter(QObject):
    """A quit that Qt or the system asks for: it would end the loop under a running program, so it only asks."""

    def __init__(self, leave: Callable[[], None]) -> None:
        super().__init__()
        self._leave = leave

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Quit:
            self._leave()
            return True
        return False


def _on_signals(leave: Callable[[], None]) -> Callable[[], None]:
    """Leave in order on SIGINT and SIGTERM; returns the undoing."""
    loop = asyncio.get_running_loop()
    wanted = (signal.SIGINT, signal.SIGTERM)
    try:
        for one in wanted:
            loop.add_signal_handler(one, leave)
    except (NotImplementedError, RuntimeError):  # Windows; not the main thread
        return lambda: None

    def undo() -> None:
        for one in wanted:
            loop.remove_signal_handler(one)

    return undo


def _loop_failed(_: Any, context: dict[str, Any]) -> None:
    from mcp_inspector.ui import bridge

    error = context.get("exception")
    bridge.report("running in the background", error if error is not None else RuntimeError(context.get("message")))


def _slot_failed(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    from mcp_inspector.ui import bridge

    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        bridge.report("reacting to you", error)
