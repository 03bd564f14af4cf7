"""The one door between widgets and the event loop: `spawn` work, `ask` for a value, `Pull` at most every 30 ms.

Nothing else in the window makes tasks. A view gets a `Job` and never sees asyncio.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

PULL_MS = 30
"""How long changes are collected before a view looks: two frames, which is below what an eye can tell."""

_log = logging.getLogger(__name__)

unhandled: Signal[str, BaseException] = Signal()
"""What a job was doing and the exception nobody expected of it. Notices show it, the log keeps the traceback."""

_jobs: set[Job] = set()  # the loop holds tasks weakly only, so somebody has to keep them
_pulls: weakref.WeakSet[Pull] = weakref.WeakSet()


class Job:
    """Work under way. `cancel` may be called at any time and more than once."""

    def __init__(self, task: asyncio.Task[Any], what: str) -> None:
        self._task = task
        self.what = what

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return not self._task.done()

    def cancel(self) -> None:
        """Ask it to stop at its next wait."""
        self._task.cancel()


def spawn(
    work: Coroutine[Any, Any, T],
    *,
    what: str = "",
    on_done: Callable[[T], object] | None = None,
    on_error: Callable[[Exception], object] | None = None,
    finally_: Callable[[], object] | None = None,
) -> Job:
    """Start a coroutine from a slot.

    `what` names the work for people ("connecting to github"). `on_done` gets the value, `on_error` an exception that
    the coroutine let through; without one, or when a callback itself fails, `unhandled` is told. `finally_` always
    runs, after cancellation too: it puts buttons back. A cancelled job calls neither of the first two.
    """
    task = asyncio.get_running_loop().create_task(_guard(work, what, on_done, on_error))
    job = Job(task, what)
    _jobs.add(job)

    def ended(_: asyncio.Task[None]) -> None:
        _jobs.discard(job)
        work.close()  # cancelled before its first step, it was never awaited
        if finally_ is not None:
            try:
                finally_()
            except Exception as error:
                report(what, error)

    task.add_done_callback(ended)
    return job


def ask(work: Coroutine[Any, Any, T], on_done: Callable[[T], object], *, what: str = "") -> Job:
    """Start a coroutine for its value."""
    return spawn(work, what=what, on_done=on_done)


def later() -> asyncio.Future[Any]:
    """A value that a widget gives later and a coroutine waits for."""
    return asyncio.get_running_loop().create_future()


async def aside(work: Callable[[], T]) -> T:
    """Do what may take its time beside the loop, in a thread: a keyring that asks the person, a slow disk."""
    return await asyncio.to_thread(work)


async def _guard(
    work: Coroutine[Any, Any, T],
    what: str,
    on_done: Callable[[T], object] | None,
    on_error: Callable[[Exception], object] | None,
) -> None:
    # CancelledError is no Exception: it passes the inner handler and ends here, since nobody awaits the task.
    try:
        try:
            value = await work
        except Exception as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            if on_done is not None:
                on_done(value)
    except asyncio.CancelledError:
        pass
    except Exception as error:
        report(what, error)


def report(what: str, error: BaseException) -> None:
    """Tell of an exception nobody expected: it is logged with its traceback and shown as a notice."""
    _log.error("unexpected failure while %s", what or "working", exc_info=error)
    unhandled.send(what, error)


class Pull(QObject):
    """Calls a function once for any number of `soon` within 30 ms. The window pulls; the core never pushes."""

    def __init__(self, look: Callable[[], object], parent: QObject, ms: int = PULL_MS) -> None:
        super().__init__(parent)
        self._look = look
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(ms)
        self._timer.timeout.connect(self.now)
        _pulls.add(self)

    def soon(self, *_: object) -> None:
        """Something changed. Takes and ignores any arguments, so it can listen to any signal."""
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        """Look at once."""
        self._timer.stop()
        try:
            self._look()
        except Exception as error:
            report("updating the window", error)

    def stop(self) -> None:
        """Forget a look that is due: whoever would look is about to go."""
        self._timer.stop()

    @property
    def waiting(self) -> bool:
        """Whether a look is due."""
        return isValid(self) and self._timer.isActive()


def jobs() -> int:
    """How many jobs run."""
    return len(_jobs)


def pulling() -> bool:
    """Whether any look is due."""
    return any(pull.waiting for pull in _pulls)


async def close(seconds: float = 1.0) -> None:
    """Cancel every job and wait until they have ended, at most this long."""
    tasks = [job._task for job in _jobs if job._task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
