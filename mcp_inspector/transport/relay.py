"""Stands between a client and a server that it starts: passes on every byte as it comes, and shows what passes.

Three threads move bytes; what they moved waits in a queue for whoever looks at it, so that looking never holds up what
passes. The queue is bounded: a disk that cannot follow slows the conversation down in the end, and loses nothing.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from enum import IntEnum
from typing import IO, TYPE_CHECKING

from mcp_inspector.transport.base import Fault, FaultKind, now
from mcp_inspector.transport.process import environment, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_CHUNK = 65_536
_WAITING = 10_000
_GRACE = 5.0
_LINGER = 2.0


class Way(IntEnum):
    """Where a piece went."""

    IN = 0  # from the client to the server
    OUT = 1
    ERR = 2


@dataclass(frozen=True, slots=True)
class Passed:
    """Some bytes that passed, when; empty bytes for the end of that stream."""

    way: Way
    data: bytes
    wall_ns: int
    mono_ns: int


class Relay:
    """One server behind the standard streams of this process, or other file descriptors.

    `pieces` gives what passes until the server has ended; then `code` is its return code, negative for a signal.
    """

    def __init__(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        cwd: str = "",
        ends: tuple[int, int, int] = (0, 1, 2),
    ) -> None:
        """Start it. Raises `Fault`: NOT_FOUND, NOT_STARTED."""
        self._ends = ends
        merged = environment(env)
        self.cwd = os.path.expanduser(cwd) if cwd else os.getcwd()
        self.program = resolve(argv[0], merged, self.cwd)
        try:
            self._process = subprocess.Popen(
                [self.program, *argv[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.cwd,
                env=merged,
                bufsize=0,
                start_new_session=sys.platform != "win32",
            )
        except OSError as error:
            sentence = f"{argv[0]} could not be started: {error.strerror or error}."
            raise Fault(FaultKind.NOT_STARTED, sentence, "", {"argv": list(argv), "cwd": self.cwd}) from error
        self._passed: queue.Queue[Passed | None] = queue.Queue(_WAITING)
        self.code: int | None = None

    @property
    def pid(self) -> int:
        """The server's process id."""
        return self._process.pid

    def pieces(self) -> Iterator[Passed]:
        """What passes, as it passes. To be run through once; ends when the server has ended and said its last."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # The client's end has no thread to wait for: it may stay open for ever after the server has ended.
        threading.Thread(target=self._from_client, args=(process.stdin,), daemon=True).start()
        outs = [
            threading.Thread(target=self._to_client, args=(stream, end, way), daemon=True)
            for stream, end, way in (
                (process.stdout, self._ends[1], Way.OUT),
                (process.stderr, self._ends[2], Way.ERR),
            )
        ]
        for thread in outs:
            thread.start()
        threading.Thread(target=self._wait, args=(outs,), daemon=True).start()
        while (piece := self._passed.get()) is not None:
            yield piece

    def signal(self, number: int) -> None:
        """Pass a signal on to the server and all that it started."""
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.send_signal(number)
            else:
                os.killpg(self._process.pid, number)

    def _from_client(self, stdin: IO[bytes]) -> None:
        def write(data: bytes) -> None:
            view = memoryview(data)
            while view:
                view = view[stdin.write(view) or 0 :]

        try:
            self._move(lambda: os.read(self._ends[0], _CHUNK), write, Way.IN)
        finally:
            with contextlib.suppress(OSError):
                stdin.close()  # the client has ended: so shall the server
        self._end_in_time()

    def _to_client(self, stream: IO[bytes], end: int, way: Way) -> None:
        def write(data: bytes) -> None:
            view = memoryview(data)
            while view:
                view = view[os.write(end, view) :]

        self._move(lambda: stream.read(_CHUNK), write, way)

    def _move(self, read: Callable[[], bytes | None], write: Callable[[bytes], None], way: Way) -> None:
        """Until the end of one side. A side that takes no more ends it, too; what it did not take was not passed."""
        open_end = True
        while True:
            try:
                data = read()
            except (OSError, ValueError):
                data = b""
            if not data:
                break
            times = now()
            if open_end:
                try:
                    write(data)
                except (OSError, ValueError):
                    # Nobody reads there any more. A server's last words are still kept; a client's are not passed.
                    open_end = False
                    if way is Way.IN:
                        break
            self._passed.put(Passed(way, data, *times))
        self._passed.put(Passed(way, b"", *now()))

    def _wait(self, outs: list[threading.Thread]) -> None:
        self.code = self._process.wait()
        for thread in outs:
            thread.join(_LINGER)  # a grandchild may hold the pipe open
        if sys.platform != "win32":
            self.signal(signal.SIGKILL)  # what it started and left behind
        for thread in outs:
            thread.join(_LINGER)
        self._passed.put(None)

    def _end_in_time(self) -> None:
        """The client has gone: the server has some seconds to end by itself, then it is ended."""
        for step in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            if step is not None:
                self.signal(step)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
                return
