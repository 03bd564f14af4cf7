"""What every test gets: an event loop, a home of its own, a hard end, and a hunt for what it left behind.

Async tests run through anyio's plugin (``pytestmark = pytest.mark.anyio``) on plain asyncio. A test below ``tests/ui``,
or one that carries ``@pytest.mark.qt_loop``, runs on qasync's loop with the `QApplication` of pytest-qt instead.
"""

from __future__ import annotations

import asyncio
import faulthandler
import functools
import gc
import inspect
import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# Set before anything imports Qt; a developer who wants to see the windows sets the variable himself.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

HERE = Path(__file__).parent
pytest_plugins = ["tests.peers.fixtures"]

GRACE_S = 2.0
"""How long something that is on its way out may take before it counts as left behind."""

_kept: set[int] = set()
_fault_file: list[Any] = []


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of this file, and keep the real stderr for the dump of a hung test."""
    config.addinivalue_line("markers", "qt_loop: run this async test on qasync's event loop, as the window does")
    _fault_file.append(os.fdopen(os.dup(2), "w"))


def pytest_unconfigure() -> None:
    """Give the copy of stderr back."""
    while _fault_file:
        _fault_file.pop().close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything below tests/ui runs on the loop that the window runs on."""
    for item in items:
        if HERE / "ui" in item.path.parents:
            item.add_marker(pytest.mark.qt_loop)


def _limit(item: pytest.Item) -> float:
    """The seconds a test may take, as pytest-timeout sees it: marker, command line, else the ini file."""
    marker = item.get_closest_marker("timeout")
    if marker and (marker.args or "timeout" in marker.kwargs):
        return float(marker.kwargs.get("timeout", marker.args[0] if marker.args else 0))
    return float(item.config.getoption("timeout") or item.config.getini("timeout") or 0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """The last resort: pytest-timeout's signal is never handled while Qt's loop sleeps in C++, so the run ends here."""
    limit = _limit(item)
    if limit:
        faulthandler.dump_traceback_later(2 * limit + 30, exit=True, file=_fault_file[0])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """A hung coroutine fails with its own stack, on either loop, before pytest-timeout has to cut."""
    test = pyfuncitem.obj
    limit = _limit(pyfuncitem)
    if not limit or not inspect.iscoroutinefunction(test):
        return (yield)

    @functools.wraps(test)
    async def bounded(*args: Any, **kwargs: Any) -> None:
        async with asyncio.timeout(0.8 * limit):
            await test(*args, **kwargs)

    pyfuncitem.obj = bounded
    try:
        return (yield)
    finally:
        pyfuncitem.obj = test


@pytest.fixture(scope="session")
def qapp(qapp: Any) -> Any:
    """The application. A last window that closes must not end the loop under a running test."""
    qapp.setQuitOnLastWindowClosed(False)
    return qapp


@pytest.fixture
def anyio_backend(request: pytest.FixtureRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    """Plain asyncio, or qasync's loop for tests marked ``qt_loop``."""
    if request.node.get_closest_marker("qt_loop") is None:
        yield "asyncio", {}
        return
    import qasync
    from PySide6.QtCore import QTimer

    application = request.getfixturevalue("qapp")
    # Qt's loop sleeps in C++, where Python handles no signal: end it from inside when a fixture or test hangs in it.
    hung = QTimer(interval=round(1000 * _limit(request.node)))
    hung.timeout.connect(application.exit)
    if hung.interval():
        hung.start()
    yield "asyncio", {"loop_factory": lambda: qasync.QEventLoop(application)}
    hung.stop()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program's folders of this test: no test reads or writes the person's own files."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("MCP_INSPECTOR_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def kept_processes() -> set[int]:
    """Ids of child processes that outlive a test on purpose; whoever starts one for the session adds it here."""
    return _kept


@pytest.fixture(autouse=True)
def _nothing_left(home: Path) -> Iterator[None]:
    """No child process, thread, window or running timer may outlive its test."""
    children, threads, windows, timers = _children(), set(threading.enumerate()), _windows(), _timers()
    yield
    _send_deferred_deletes()
    left = _children() - children
    if left:
        _, alive = psutil.wait_procs(left, timeout=GRACE_S)
        left = set(alive) & _children()
    found = [f"child process {_describe(process)}" for process in left]
    for process in left:
        process.kill()
    for thread in set(threading.enumerate()) - threads:
        if not thread.daemon:
            thread.join(GRACE_S)
            found += [f"thread {thread.name}"] if thread.is_alive() else []
    found += [f"window {window!r}" for key, window in _windows().items() if key not in windows]
    found += [f"running timer {timer!r}" for key, timer in _timers().items() if key not in timers]
    if found:
        pytest.fail("left behind by this test: " + "; ".join(found), pytrace=False)


@pytest.fixture
async def _loop() -> asyncio.AbstractEventLoop:
    """The loop of an async test; as long as this fixture lives, anyio's plugin keeps it."""
    return asyncio.get_running_loop()


@pytest.fixture(autouse=True)
def _no_task_left(request: pytest.FixtureRequest, _nothing_left: None) -> Iterator[None]:
    """No asyncio task may outlive its test; set up first, so it looks after every other fixture has ended."""
    if "anyio_backend" not in request.fixturenames:
        yield
        return
    loop: asyncio.AbstractEventLoop = request.getfixturevalue("_loop")
    known = asyncio.all_tasks(loop)
    yield
    left = {task for task in asyncio.all_tasks(loop) - known if not _is_runner(task)}
    if left:
        _, left = loop.run_until_complete(asyncio.wait(left, timeout=GRACE_S))
    if left:
        pytest.fail("tasks left behind by this test: " + "; ".join(map(repr, left)), pytrace=False)


def _is_runner(task: asyncio.Task[Any]) -> bool:
    """Whether anyio's plugin itself runs fixtures and tests in this task."""
    return "_run_tests_and_fixtures" in repr(task.get_coro())


def _children() -> set[psutil.Process]:
    found = set()
    for process in psutil.Process().children(recursive=True):
        try:
            if process.status() == psutil.STATUS_ZOMBIE or "multiprocessing" in " ".join(process.cmdline()):
                continue  # Python's own helpers (resource tracker, fork server) live as long as we do
            if _kept.isdisjoint([process.pid, *(parent.pid for parent in process.parents())]):
                found.add(process)
        except psutil.NoSuchProcess:
            continue
    return found


def _describe(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:200]}"
    except psutil.Error:
        return str(process.pid)


def _widgets_module() -> Any:
    return sys.modules.get("PySide6.QtWidgets")


def _send_deferred_deletes() -> None:
    if widgets := _widgets_module():
        from PySide6.QtCore import QCoreApplication, QEvent

        if widgets.QApplication.instance():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _windows() -> dict[int, Any]:
    widgets = _widgets_module()
    if not widgets or not widgets.QApplication.instance():
        return {}
    return {id(window): window for window in widgets.QApplication.topLevelWidgets()}


def _timers() -> dict[int, Any]:
    """Running QTimers; looked for only where a test uses Qt, since it walks all objects."""
    core = sys.modules.get("PySide6.QtCore")
    if not core or not _widgets_module() or not core.QCoreApplication.instance():
        return {}
    from shiboken6 import isValid

    return {
        id(found): found
        for found in gc.get_objects()
        if isinstance(found, core.QTimer) and isValid(found) and found.isActive()
    }
