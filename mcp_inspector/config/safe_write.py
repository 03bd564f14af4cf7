"""Writing a small file so that nobody ever sees half of it, and so that two writers do not undo each other."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK_WAIT = 5.0
"""Seconds to wait for another writer. Writing takes milliseconds, so this means that it hangs."""


class EditRefused(Exception):
    """An edit that was not made; the file is as it was. The message is a sentence with what to do."""


class Locked(OSError):
    """Another program holds the lock for longer than `LOCK_WAIT`."""


@contextlib.contextmanager
def lock(path: Path, wait: float = LOCK_WAIT) -> Iterator[None]:
    """Keep other instances, and other threads, from writing this file meanwhile. Raises `Locked` and `OSError`.

    On POSIX systems the folder itself is locked: the file is replaced by each write, and a lock file beside it would
    stay behind in a folder that is not ours. Windows cannot lock folders: a file in the temporary folder stands for it.
    """
    deadline = time.monotonic() + wait
    target = path.resolve()
    if sys.platform == "win32":
        import hashlib
        import tempfile

        name = hashlib.sha256(os.path.normcase(target).encode()).hexdigest()[:24]
        descriptor = os.open(Path(tempfile.gettempdir()) / f"mcp-inspector-{name}.lock", os.O_RDWR | os.O_CREAT)
    else:
        descriptor = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        while not _try_lock(descriptor):
            if time.monotonic() > deadline:
                raise Locked(f"another program has been writing {path.name} for {wait:g} s")
            time.sleep(0.005)
        yield
    finally:
        os.close(descriptor)  # gives the lock back


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def replace(path: Path, data: bytes) -> None:
    """Put new content in the place of a file at once. Permissions, owner where possible, and a symlink are kept.

    A new file is readable by its owner only, because settings of servers hold secrets. Raises `OSError`, and then the
    old file is as it was and no temporary file is left.
    """
    import tempfile

    target = path.resolve()
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.", suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            found = target.stat()
            os.chmod(temporary, found.st_mode & 0o7777)
            if sys.platform != "win32" and (found.st_uid, found.st_gid) != (os.geteuid(), os.getegid()):
                with contextlib.suppress(PermissionError):
                    os.chown(temporary, found.st_uid, found.st_gid)
                    os.chmod(temporary, found.st_mode & 0o7777)  # changing the owner clears special bits
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
