"""The one place of the core that starts tasks outside a task group: every task has an owner that ends it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


async def wait_fully(seconds: float) -> None:
    """Sleep for no less than this: the window's timers may fire some hundredths too early."""
    until = time.perf_counter() + seconds
    await asyncio.sleep(seconds)
    left = until - time.perf_counter()
    if left > 0:
        await wait_fully(left)


class Tasks:
    """A set of running tasks with one owner. What a task raises is logged: expected failures are its own to handle."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, Result], name: str) -> asyncio.Task[Result]:
        """Start a task; it is forgotten when it ends."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Cancel all and wait until they have ended."""
        running = [task for task in self._running if task is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("task %s failed", task.get_name(), exc_info=error)
