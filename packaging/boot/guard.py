"""One set-up at a time in a checkout: a file lock that the system takes back when its holder dies."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING

from .say import ROOT, Stop, say

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_WAIT = 45 * 60.0
"""Seconds to wait for another set-up: longer than a set-up takes over a slow line."""


def _take(handle: int) -> bool:
    """Try to lock; False when another process holds it. A file system without locks counts as taken."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some network file systems have no locks: better to go on than to refuse
        return True
    return True


@contextlib.contextmanager
def alone(folder: str = os.path.join(ROOT, ".cache")) -> Iterator[None]:
    """Hold the lock of this checkout for a while. Raises `Stop` when another one holds it for too long."""
    path = os.path.join(folder, "bootstrap.lock")
    try:
        os.makedirs(folder, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise Stop(
            f"{folder} cannot be written ({error.strerror}), so nothing can be set up in this checkout.",
            "Take the checkout to a folder of your own, or make this one yours.",
        ) from error
    try:
        started, told = time.monotonic(), False
        while not _take(handle):
            if not told:
                say("another bootstrap is setting up this checkout; waiting for it")
                told = True
            if time.monotonic() - started > LONGEST_WAIT:
                raise Stop(f"Another bootstrap holds {path} since {LONGEST_WAIT / 60:.0f} minutes.", "End it first.")
            time.sleep(0.2)
        yield
    finally:
        os.close(handle)
