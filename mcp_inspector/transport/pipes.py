"""Pipes of a child process on the event loop: chunks in, whole writes out, never blocking the loop.

POSIX uses non-blocking descriptors and the loop's readiness callbacks, which qasync calls straight from Qt's notifier:
no stream objects and no timer per chunk, about twice the round trips of asyncio's own subprocess transports there.
Windows pipes know no readiness, so a thread for each pipe reads and writes there; the threads work everywhere, which is
how they are tested.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sys
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from mcp_inspector.transport.limits import SLICE_NS

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

_READ = 64 * 1024
"""As much as a pipe holds by default, and below malloc's threshold for mapping pages."""


class Reader(Protocol):
    """A pipe being read: `on_chunk` gets bytes, `on_end` is called once at the end of the stream, not after `close`."""

    def pause(self) -> None:
        """No chunk until `resume`."""

    def resume(self) -> None:
        """Go on."""

    def close(self) -> None:
        """Stop and give the pipe back; may be called twice."""


class Writer(Protocol):
    """A pipe being written."""

    async def write(self, *parts: bytes) -> None:
        """Write all parts, one behind the other, with nothing between; returns when the pipe has taken them.

        Raises `BrokenPipeError`. Cancelled before its first byte went out, nothing of it is written; afterwards the
        rest still follows, so that the peer sees whole messages.
        """

    def close(self) -> None:
        """Close the pipe at once; writes that wait raise `BrokenPipeError`."""


def reader(pipe: IO[bytes], on_chunk: Callable[[bytes], None], on_end: Callable[[], None]) -> Reader:
    """Start reading; takes over the pipe."""
    kind = ThreadReader if sys.platform == "win32" else LoopReader
    return kind(pipe, on_chunk, on_end)


def writer(pipe: IO[bytes]) -> Writer:
    """Take over a pipe for writing."""
    return ThreadWriter(pipe) if sys.platform == "win32" else LoopWriter(pipe)


class LoopReader:
    """Reads when the loop says that there is something, for at most one slice of time."""

    def __init__(self, pipe: IO[bytes], on_chunk: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._pipe = pipe
        self._fd = pipe.fileno()
        self._on_chunk = on_chunk
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._reading = False
        self._closed = False
        os.set_blocking(self._fd, False)
        self.resume()

    def pause(self) -> None:
        """See `Reader`."""
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._fd)

    def resume(self) -> None:
        """See `Reader`."""
        if not self._reading and not self._closed:
            self._reading = True
            self._loop.add_reader(self._fd, self._ready)

    def close(self) -> None:
        """See `Reader`."""
        self.pause()
        if not self._closed:
            self._closed = True
            self._pipe.close()

    def _ready(self) -> None:
        until = time.perf_counter_ns() + SLICE_NS
        while self._reading:
            try:
                chunk = os.read(self._fd, _READ)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                chunk = b""
            if not chunk:
                self.close()
                self._on_end()
                return
            self._on_chunk(chunk)
            if len(chunk) < _READ or time.perf_counter_ns() > until:
                return


class _Write:
    __slots__ = ("done", "left", "touched")

    def __init__(self, parts: tuple[bytes, ...], done: asyncio.Future[None]) -> None:
        self.left = deque(memoryview(part) for part in parts if part)
        self.done = done
        self.touched = False


class LoopWriter:
    """Writes at once what the pipe takes, and the rest when the loop says that there is room."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._fd = pipe.fileno()
        self._loop = asyncio.get_running_loop()
        self._queue: deque[_Write] = deque()
        self._closed = False
        os.set_blocking(self._fd, False)

    async def write(self, *parts: bytes) -> None:
        """See `Writer`."""
        if self._closed:
            raise BrokenPipeError("the pipe is closed")
        if not self._queue and len(parts) == 1:
            written = self._try(parts[0])
            if written == len(parts[0]):
                return
            item = _Write((), self._loop.create_future())
            item.left.append(memoryview(parts[0])[written:])
            item.touched = written > 0
        else:
            item = _Write(parts, self._loop.create_future())
        if not self._queue:
            self._loop.add_writer(self._fd, self._ready)
        self._queue.append(item)
        try:
            await item.done
        except asyncio.CancelledError:
            if not item.touched and item in self._queue:
                self._queue.remove(item)
                self._rest()
            raise

    def close(self) -> None:
        """See `Writer`."""
        if self._closed:
            return
        self._closed = True
        waiting, self._queue = self._queue, deque()
        if waiting:
            self._loop.remove_writer(self._fd)
        self._pipe.close()
        for item in waiting:
            if not item.done.done():
                item.done.set_exception(BrokenPipeError("the pipe was closed"))

    def _try(self, data: bytes | memoryview) -> int:
        try:
            return os.write(self._fd, data)
        except (BlockingIOError, InterruptedError):
            return 0

    def _ready(self) -> None:
        until = time.perf_counter_ns() + SLICE_NS
        while self._queue and time.perf_counter_ns() < until:
            item = self._queue[0]
            if item.left:
                try:
                    written = self._try(item.left[0])
                except OSError:
                    self.close()
                    return
                if not written:
                    return
                item.touched = True
                item.left[0] = item.left[0][written:]
                if not item.left[0]:
                    item.left.popleft()
            if not item.left:
                self._queue.popleft()
                if not item.done.done():
                    item.done.set_result(None)
        self._rest()

    def _rest(self) -> None:
        if not self._queue and not self._closed:
            self._loop.remove_writer(self._fd)


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
        """See `Reader`."""
        self._flowing.clear()

    def resume(self) -> None:
        """See `Reader`."""
        self._flowing.set()
        self._loop.call_soon(self._hand_over)

    def close(self) -> None:
        """See `Reader`."""
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
        self._queue: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._waiting: set[asyncio.Future[None]] = set()
        self._closed = False
        threading.Thread(target=self._run, name="pipe writer", daemon=True).start()

    async def write(self, *parts: bytes) -> None:
        """See `Writer`."""
        if self._closed:
            raise BrokenPipeError("the pipe is closed")
        item = _Write(parts, self._loop.create_future())
        self._waiting.add(item.done)
        self._queue.put(item)
        try:
            await item.done
        finally:
            self._waiting.discard(item.done)

    def close(self) -> None:
        """See `Writer`."""
        self._closed = True
        self._queue.put(None)
        for done in tuple(self._waiting):
            if not done.done():
                done.set_exception(BrokenPipeError("the pipe was closed"))

    def _run(self) -> None:
        fd = self._pipe.fileno()
        while (item := self._queue.get()) is not None:
            if item.done.cancelled():
                continue
            try:
                for part in item.left:
                    while part and not self._closed:
                        part = part[os.write(fd, part) :]
            except OSError as error:
                _tell(self._loop, self._finish, item.done, BrokenPipeError(str(error)))
            else:
                _tell(self._loop, self._finish, item.done, None)
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
