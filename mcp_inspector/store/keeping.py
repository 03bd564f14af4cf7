"""Which recorded sessions stay: removing one so that it can be brought back, and keeping all of them below a size.

A session that is written now, by this program or by another, is never touched. Neither is a file that only carries the
suffix of a session.
"""

from __future__ import annotations

import re
import sqlite3
import struct
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.store import layout, opening
from mcp_inspector.store.opening import SUFFIX, SessionFileError
from mcp_inspector.store.record import Channel, Direction, Entry

if TYPE_CHECKING:
    from pathlib import Path

ASIDE = "removed"
"""The folder below that of the sessions where removed ones wait, so that the removal can be taken back."""

MIB = 1 << 20
_NAMED = 5
_LONGEST_NAME = 120
_STAMP = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}-\d{2}-\d{2}(?: \d+)?")
_UNFIT = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]')
_RESERVED = frozenset(
    ["CON", "PRN", "AUX", "NUL", *(f"{word}{number}" for word in ("COM", "LPT") for number in range(1, 10))]
)
_MAGIC = b"SQLite format 3\0"
_ID_AT = 68  # where SQLite keeps the application id, big-endian: https://sqlite.org/fileformat.html
_HEAD = _ID_AT + 4


@dataclass(frozen=True)
class Pruned:
    """What `prune` did. `freed` is bytes; `problems` are sentences about sessions that should have gone."""

    removed: tuple[Path, ...] = ()
    freed: int = 0
    problems: tuple[str, ...] = ()

    def sentence(self, limit: int) -> str:
        """What was deleted, and why; empty when nothing was. `limit` is bytes."""
        if not self.removed:
            return ""
        count = len(self.removed)
        what = "The oldest session was" if count == 1 else f"The {count:,} oldest sessions were"
        names = ", ".join(path.name for path in self.removed[:_NAMED])
        more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
        size = f"{self.freed / MIB:,.1f} MiB"
        return f"{what} deleted ({size}): all of them together may take {limit / MIB:,.0f} MiB. {names}{more}."


def entry_of(sentence: str) -> Entry:
    """The record that says in the live session that others were deleted."""
    times = time.time_ns(), time.perf_counter_ns()
    return Entry("", 0, Channel.LIFECYCLE, Direction.LOCAL, *times, kind="pruned", facts={"sentence": sentence})


def is_session(path: Path) -> bool:
    """Whether a file says of itself that it is a session of this program; False when it cannot be read.

    Not for a session that this process writes: closing a second handle gives up SQLite's locks on it.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if len(head) == _HEAD and head.startswith(_MAGIC) and struct.unpack_from(">I", head, _ID_AT)[0]:
            return bool(struct.unpack_from(">I", head, _ID_AT)[0] == layout.APPLICATION_ID)
        if not opening.companion(path).exists():
            return False
        # Cut off early: what the file says of itself stands in the companion still.
        with closing(opening.connect(path, "mode=ro")) as connection:
            return bool(connection.execute("PRAGMA application_id").fetchone()[0] == layout.APPLICATION_ID)
    except (OSError, sqlite3.Error):
        return False


def size_of(path: Path) -> int:
    """Bytes on disk of a session with what SQLite keeps beside it."""
    total = 0
    for file in _files(path):
        with suppress(OSError):
            total += file.stat().st_size
    return total


def settle(path: Path) -> None:
    """Make a session that was cut off one plain file, as one that has ended.

    Raises `SessionFileError` when another program writes it, or it cannot be written.
    """
    if not opening.companion(path).exists():
        return
    try:
        with closing(opening.connect(path, "mode=rw")) as connection:
            connection.execute("PRAGMA busy_timeout = 0")
            # SQLite leaves the write-ahead log only when no other connection, of any process, has the file open.
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise SessionFileError(f"{path.name} is written by another program now.") from error
        raise SessionFileError(f"{path.name} cannot be changed: {error}.") from error
    except sqlite3.Error as error:
        raise SessionFileError(f"{path.name} cannot be changed: {error}.") from error


def name_of(path: Path) -> str:
    """The name that a person gave a session; empty for one that is called by its date."""
    return "" if _STAMP.fullmatch(path.stem) else path.stem


def rename(path: Path, name: str) -> Path:
    """Call a session by another name, which is that of its file. An empty name gives it back its date.

    Raises `SessionFileError` when the name cannot be one, is taken, or the session is in use.
    """
    name = name.strip()
    if not is_session(path):
        raise SessionFileError(f"{path.name} is not there any more, or is no session of this program.")
    if not name:
        name = time.strftime("%Y-%m-%d %H-%M-%S", time.localtime(path.stat().st_mtime))
    if len(name.encode("utf-8", "replace")) > _LONGEST_NAME or _UNFIT.search(name) or name[0] == "." or name[-1] == ".":
        raise SessionFileError(f"A session cannot be called “{name[:60]}”: it is the name of a file.")
    if name.split(".")[0].upper() in _RESERVED:
        raise SessionFileError(f"A session cannot be called “{name}”: Windows keeps that name for itself.")
    target = path.with_name(name + SUFFIX)
    if target == path:
        return path
    if target.exists():
        raise SessionFileError(f"There is a session “{name}” already.")
    settle(path)
    try:
        return path.rename(target)
    except OSError as error:
        raise SessionFileError(f"{path.name} cannot be renamed: {error.strerror or error}.") from error


def put_aside(path: Path) -> Path:
    """Remove a session from the list; it waits in the folder `ASIDE` until `empty`, or `bring_back`.

    Raises `SessionFileError` when it is in use, is no session, or cannot be moved.
    """
    if not is_session(path):
        raise SessionFileError(f"{path.name} is not there any more, or is no session of this program.")
    settle(path)
    target = path.parent / ASIDE / path.name
    try:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        return path.replace(target)
    except OSError as error:
        raise SessionFileError(f"{path.name} cannot be removed: {error.strerror or error}.") from error


def bring_back(aside: Path) -> Path:
    """Undo `put_aside`. Raises `SessionFileError`."""
    target = aside.parent.parent / aside.name
    if target.exists():
        raise SessionFileError(f"{aside.name} is there again; the removed one stays in {aside.parent}.")
    try:
        return aside.replace(target)
    except OSError as error:
        raise SessionFileError(f"{aside.name} cannot be brought back: {error.strerror or error}.") from error


def empty(folder: Path) -> int:
    """Delete for good what was put aside in this folder of sessions; returns the bytes that it took. Never raises."""
    freed = 0
    for path in (folder / ASIDE).glob(f"*{SUFFIX}"):
        size = size_of(path)
        with suppress(OSError):
            path.unlink()
            freed += size
    with suppress(OSError):
        (folder / ASIDE).rmdir()
    return freed


def prune(folder: Path, limit: int, live: Path | None = None) -> Pruned:
    """Delete the oldest sessions of a folder until all of them together take at most `limit` bytes. Never raises.

    `live` is the one written now: it stays, its size counts. The oldest is the one that was written to longest ago.
    What was put aside before goes, too.
    """
    empty(folder)
    found: list[tuple[int, str, Path, int]] = []
    total = size_of(live) if live is not None else 0
    for path in folder.glob(f"*{SUFFIX}"):
        if (live is not None and path == live) or not is_session(path):
            continue
        size = size_of(path)
        with suppress(OSError):
            found.append((path.stat().st_mtime_ns, path.name, path, size))
            total += size
    removed: list[Path] = []
    problems: list[str] = []
    freed = 0
    for _, _, path, size in sorted(found):
        if total - freed <= limit:
            break
        try:
            settle(path)
            path.unlink()
        except SessionFileError as error:
            problems.append(f"An old session stays: {error}")
            continue
        except OSError as error:
            problems.append(f"An old session stays: {path.name} cannot be deleted: {error.strerror or error}.")
            continue
        removed.append(path)
        freed += size
    return Pruned(tuple(removed), freed, tuple(problems))


def _files(path: Path) -> tuple[Path, Path]:
    return path, opening.companion(path)
