"""The one place of the core that makes tasks: an owner that knows its children and ends them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class Tasks:
    """A set of running tasks with one owner. A failure is logged and never stops the others."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, Result], name: str = "") -> asyncio.Task[Result]:
        """Run a coroutine until it ends or `close` cancels it."""
        task = asyncio.get_running_loop().create_task(work, name=name or None)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("the task %s failed", task.get_name(), exc_info=task.exception())

    async def close(self) -> None:
        """Cancel what still runs and wait for it."""
        while self._running:
            running = [task for task in self._running if task is not asyncio.current_task()]
            if not running:
                return
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=10)
