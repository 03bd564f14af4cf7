"""Which sessions stay: the limit on their size, and removal that can be taken back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from store_entries import entry

from mcp_inspector.store import keeping, opening
from mcp_inspector.store.keeping import Pruned, bring_back, empty, is_session, prune, put_aside, size_of
from mcp_inspector.store.log import Log
from mcp_inspector.store.session_file import SUFFIX, SessionFileError, sessions

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, "tests/store")
from store_entries import entry
from mcp_inspector.store.log import Log

log = Log.create(Path(sys.argv[1]))
log.append(entry(data=b"x" * 200_000))
log.flush()
print(log.path, flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of sessions."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder


def written(folder: Path, name: str, size: int = 200_000, age: int = 0) -> Path:
    """An ended session of at least this size, last written `age` days ago."""
    log = Log.create(folder, "test")
    log.append(entry(data=b"x" * size))
    log.close()
    assert log.path is not None
    path = log.path.replace(folder / f"{name}{SUFFIX}")
    when = path.stat().st_mtime - age * 86_400
    os.utime(path, (when, when))
    return path


def test_the_oldest_go_until_the_rest_is_below_the_limit(folder: Path) -> None:
    new, old, older = (written(folder, name, age=age) for name, age in (("b", 1), ("c", 2), ("a", 3)))
    limit = size_of(new) + size_of(old)
    freed = size_of(older)
    assert prune(folder, limit) == Pruned((older,), freed)
    assert sorted(folder.iterdir()) == sorted((new, old))
    assert prune(folder, limit) == Pruned()
    assert prune(folder, 0).removed == (old, new)
    assert not list(folder.iterdir())


def test_the_live_session_stays_and_its_size_counts(folder: Path) -> None:
    old = written(folder, "old", age=5)
    log = Log.create(folder)
    log.append(entry(data=b"y" * 300_000))
    log.flush()
    assert log.path is not None
    os.utime(log.path, (1, 1))
    limit = size_of(log.path) + size_of(old) - 1
    try:
        assert prune(folder, limit, log.path).removed == (old,)
        assert prune(folder, 0, log.path) == Pruned()
        log.append(entry(data=b"still recorded"))
        assert log.flush()
    finally:
        log.close()
    again = Log.open(log.path)
    assert again.body(2) == b"still recorded"
    again.close()


def test_a_session_of_another_program_is_left_alone_while_it_is_written(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        assert child.stdout is not None
        path = Path(child.stdout.readline().strip())
        try:
            found = prune(folder, 0)
            assert found.removed == ()
            assert "is written by another program now" in found.problems[0]
            with pytest.raises(SessionFileError, match="another program"):
                put_aside(path)
            assert path.exists()
        finally:
            child.kill()
    assert opening.companion(path).exists()  # it was cut off: now it may go
    assert prune(folder, 0).removed == (path,)
    assert not list(folder.iterdir())


def test_files_that_only_look_like_sessions_stay(folder: Path) -> None:
    text = folder / f"notes{SUFFIX}"
    text.write_text("mine")
    other = folder / f"other{SUFFIX}"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()
    inside = folder / f"folder{SUFFIX}"
    inside.mkdir()
    assert prune(folder, 0) == Pruned()
    assert text.exists()
    assert other.exists()
    assert inside.exists()
    assert not is_session(folder / "nothing")
    with pytest.raises(SessionFileError, match="no session of this program"):
        put_aside(text)


def test_a_folder_that_is_not_there_has_nothing_to_prune(folder: Path) -> None:
    assert prune(folder / "none", 0) == Pruned()


def test_removal_is_taken_back_or_made_final(folder: Path) -> None:
    path = written(folder, "one")
    aside = put_aside(path)
    assert not path.exists()
    assert sessions(folder) == []
    assert bring_back(aside) == path
    assert [info.rows for info in sessions(folder)] == [1]
    aside = put_aside(path)
    written(folder, "one")
    with pytest.raises(SessionFileError, match="there again"):
        bring_back(aside)
    assert empty(folder) > 200_000
    assert not (folder / keeping.ASIDE).exists()
    assert path.exists()


def test_a_session_cut_off_by_a_crash_keeps_all_its_rows_when_it_is_put_aside(folder: Path) -> None:
    log = Log.create(folder / "live")
    log.append(entry(data=b"kept"))
    log.flush()
    assert log.path is not None
    copies = folder / "copies"
    copies.mkdir()
    for file in (log.path, opening.companion(log.path)):
        shutil.copyfile(file, copies / file.name)
    log.close()
    aside = put_aside(copies / log.path.name)
    assert [file.name for file in aside.parent.iterdir()] == [log.path.name]
    again = Log.open(bring_back(aside))
    assert again.body(1) == b"kept"
    again.close()


def test_the_next_start_deletes_what_was_put_aside_before(folder: Path) -> None:
    put_aside(written(folder, "one"))
    assert prune(folder, 10**12) == Pruned()
    assert not list(folder.iterdir())


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may delete anywhere; rights are POSIX")
def test_what_cannot_be_deleted_is_said(folder: Path) -> None:
    written(folder, "one")
    folder.chmod(0o500)
    try:
        assert "cannot be deleted" in prune(folder, 0).problems[0]
    finally:
        folder.chmod(0o700)


def test_a_session_is_renamed_and_called_by_its_date_again(tmp_path: Path) -> None:
    log = Log.create(tmp_path, "test")
    log.close()
    assert log.path is not None
    assert keeping.name_of(log.path) == ""
    named = keeping.rename(log.path, "  mine ")
    assert (named.name, keeping.name_of(named)) == ("mine.mcpsession", "mine")
    assert keeping.rename(named, "mine") == named
    again = keeping.rename(named, "")
    assert keeping.name_of(again) == ""
    assert again.exists()


@pytest.mark.parametrize(
    "name", ["../x", "a\\b", "x" * 200, "a:b", ".hidden", "end.", "nul", "a\u202eb", "a\nb", "\ud800"]
)
def test_a_name_that_no_file_can_have_everywhere_is_refused(tmp_path: Path, name: str) -> None:
    """CFG-15, SEC-06: a name is never used raw as a path."""
    log = Log.create(tmp_path, "test")
    log.close()
    assert log.path is not None
    with pytest.raises(SessionFileError, match="cannot be called"):
        keeping.rename(log.path, name)
    assert log.path.exists()
