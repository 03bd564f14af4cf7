"""Pipes of a child process read and written by threads, for systems whose pipes know no readiness: Windows.

They keep the contract of `pipes` and work everywhere, which is how they are tested.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

_READ = 64 * 1024


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *values: Any) -> bool:
    try:
        loop.call_soon_threadsafe(call, *values)
    except RuntimeError:  # the loop has been closed: nobody listens any more
        return False
    return True


class ThreadReader:
    """Reads in a thread of its own. A thread that is blocked in a read outlives `close` until the pipe ends."""

    def __init__(self, pipe: IO[bytes], on_chunk: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._pipe = pipe
        self._on_chunk = on_chunk
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._flowing = threading.Event()
        self._flowing.set()
        self._ahead = threading.Semaphore(4)
        self._early: deque[bytes] = deque()
        self._closed = False
        threading.Thread(target=self._run, name="pipe reader", daemon=True).start()

    def pause(self) -> None:
        """See `pipes.Reader`."""
        self._flowing.clear()

    def resume(self) -> None:
        """See `pipes.Reader`."""
        self._flowing.set()
        self._loop.call_soon(self._hand_over)

    def close(self) -> None:
        """See `pipes.Reader`."""
        self._closed = True
        self._flowing.set()
        self._ahead.release()

    def _run(self) -> None:
        fd = self._pipe.fileno()
        chunk = b"x"
        while chunk and not self._closed:
            self._ahead.acquire()
            self._flowing.wait()
            try:
                chunk = os.read(fd, _READ) if not self._closed else b""
            except OSError:
                chunk = b""
            if not _tell(self._loop, self._arrived, chunk):
                break
        self._pipe.close()

    def _arrived(self, chunk: bytes) -> None:
        self._ahead.release()
        self._early.append(chunk)
        self._hand_over()

    def _hand_over(self) -> None:
        while self._early and self._flowing.is_set() and not self._closed:
            chunk = self._early.popleft()
            if chunk:
                self._on_chunk(chunk)
            else:
                self._closed = True
                self._on_end()


class ThreadWriter:
    """Writes in a thread of its own, in order."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[tuple[tuple[bytes, ...], asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._waiting: set[asyncio.Future[None]] = set()
        self._closed = False
        threading.Thread(target=self._run, name="pipe writer", daemon=True).start()

    async def write(self, *parts: bytes) -> None:
        """See `pipes.Writer`."""
        if self._closed:
            raise BrokenPipeError("the pipe is closed")
        done: asyncio.Future[None] = self._loop.create_future()
        self._waiting.add(done)
        self._queue.put((parts, done))
        try:
            await done
        finally:
            self._waiting.discard(done)

    def close(self) -> None:
        """See `pipes.Writer`."""
        self._closed = True
        self._queue.put(None)
        for done in tuple(self._waiting):
            if not done.done():
                done.set_exception(BrokenPipeError("the pipe was closed"))

    def _run(self) -> None:
        fd = self._pipe.fileno()
        while (item := self._queue.get()) is not None:
            parts, done = item
            if done.cancelled():
                continue
            try:
                for part in parts:
                    left = memoryview(part)
                    while left and not self._closed:
                        left = left[os.write(fd, left) :]
            except OSError as error:
                _tell(self._loop, self._finish, done, BrokenPipeError(str(error)))
            else:
                _tell(self._loop, self._finish, done, None)
        with contextlib.suppress(OSError):
            self._pipe.close()

    @staticmethod
    def _finish(done: asyncio.Future[None], error: Exception | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
