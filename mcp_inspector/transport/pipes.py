"""Pipes of a child process on the event loop: chunks in, whole writes out, never blocking the loop.

POSIX uses non-blocking descriptors and the loop's readiness callbacks, which qasync calls straight from Qt's notifier:
no stream objects and no timer per chunk, about twice the round trips of asyncio's own subprocess transports there.
Windows pipes know no readiness: see `thread_pipes`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Protocol

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
    if sys.platform == "win32":
        from mcp_inspector.transport.thread_pipes import ThreadReader

        return ThreadReader(pipe, on_chunk, on_end)
    return LoopReader(pipe, on_chunk, on_end)


def writer(pipe: IO[bytes]) -> Writer:
    """Take over a pipe for writing."""
    if sys.platform == "win32":
        from mcp_inspector.transport.thread_pipes import ThreadWriter

        return ThreadWriter(pipe)
    return LoopWriter(pipe)


def _never_block(fd: int) -> None:
    if sys.platform != "win32":
        os.set_blocking(fd, False)


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
        _never_block(self._fd)
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
        _never_block(self._fd)

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
