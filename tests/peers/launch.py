"""Starts a peer that serves over HTTP, waits until it answers, and ends it with everything it started."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

START_LIMIT_S = 30.0
END_LIMIT_S = 5.0


class NotReady(Exception):
    """The peer ended, or was silent for too long; the text holds what it said."""


def free_port() -> int:
    """A port of loopback that was free a moment ago, for peers that cannot choose one themselves."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.contextmanager
def running(
    argv: Sequence[str], ready: str, kept: set[int], *, env: Mapping[str, str] | None = None
) -> Iterator[re.Match[str]]:
    """Run a program until the block is left; enters when a line of its output matches `ready`, and gives the match.

    `kept` gets its id, so that the hunt for leaked processes leaves it alone. Raises `NotReady`.
    """
    own_group = {} if sys.platform == "win32" else {"start_new_session": True}
    process = subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, **own_group
    )
    kept.add(process.pid)
    lines: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    try:
        yield _wait(process, lines, ready)
    finally:
        _end(process)
        reader.join(END_LIMIT_S)
        if process.stdout:
            process.stdout.close()
        kept.discard(process.pid)


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[str | None]) -> None:
    """Read on for as long as it lives: a full pipe would stop it."""
    assert process.stdout
    for line in process.stdout:
        lines.put(line.decode(errors="replace"))
    lines.put(None)


def _wait(process: subprocess.Popen[bytes], lines: queue.Queue[str | None], ready: str) -> re.Match[str]:
    said: list[str] = []
    until = time.monotonic() + START_LIMIT_S
    while True:
        try:
            line = lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise NotReady(f"not ready after {START_LIMIT_S:.0f} s: {' '.join(said)[-2000:]}") from None
        if line is None:
            raise NotReady(f"ended with {process.wait()}: {' '.join(said)[-2000:]}")
        said.append(line)
        if found := re.search(ready, line):
            return found


def _end(process: subprocess.Popen[bytes]) -> None:
    for step in ("terminate", "kill"):
        if process.poll() is None:
            if sys.platform == "win32":
                getattr(process, step)()
            else:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM if step == "terminate" else signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_LIMIT_S)
            return
