"""The session file: its name, its rights, what a crash leaves, and files that come from elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from store_entries import entry, request, response

from mcp_inspector.store import layout
from mcp_inspector.store.log import Log
from mcp_inspector.store.session_file import SUFFIX, SessionFile, SessionFileError, sessions

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry

log = Log.create(Path(sys.argv[1]))
print(log.path, flush=True)
number = 0
while True:
    number += 1
    log.append(Entry("srv", 1, Channel.MESSAGE, Direction.SENT, number, number, b"%d " % number * 20, "request", "ping",
                     str(number), facts={"n": number} if number % 10 == 0 else {}))
    if number % 1000 == 0:
        log.flush()
        print(number, flush=True)
"""


def killed_writer(folder: Path, at_least: int) -> tuple[Path, int]:
    """A real program that records, killed in the middle: the file it leaves and how many rows it said were on disk."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT, bufsize=1
    )
    assert child.stdout is not None
    try:
        path = Path(child.stdout.readline().strip())
        flushed = 0
        while flushed < at_least:
            flushed = int(child.stdout.readline())
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait(10)
        flushed = max([flushed, *map(int, child.stdout.read().split())])
        child.stdout.close()
    return path, flushed


def written(folder: Path, count: int = 3) -> Path:
    log = Log.create(folder, "test 1.0")
    for number in range(count):
        log.append(entry(server=f"s{number % 2}", data=b"body %d" % number))
    log.close()
    assert log.path is not None
    return log.path


def change(path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def test_files_are_named_by_date_and_time_and_readable_by_their_owner_only(tmp_path: Path) -> None:
    logs = [Log.create(tmp_path / "new" / "folder") for _ in range(3)]
    for log in logs:
        assert log.path is not None
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d-\d\d-\d\d( \d)?\.mcpsession", log.path.name)
        log.append(entry())
        assert log.flush()
        for file in log.path.parent.glob(f"{log.path.name}*"):
            assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o600
        log.close()
    assert len({log.path for log in logs}) == 3


def test_an_ended_session_is_one_plain_file(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    path = written(folder)
    assert [file.name for file in folder.iterdir()] == [path.name]
    copy = folder / "a file with ? and # and % in its name.mcpsession"
    shutil.move(path, copy)
    log = Log.open(copy)
    assert [log.body(seq) for seq in (1, 2, 3)] == [b"body 0", b"body 1", b"body 2"]
    log.close()
    assert [file.name for file in folder.iterdir()] == [copy.name]


def test_sessions_of_a_folder_are_listed_newest_first(tmp_path: Path) -> None:
    before = time.time_ns()
    first, second = written(tmp_path, 3), written(tmp_path, 5)
    broken = tmp_path / f"broken{SUFFIX}"
    broken.write_bytes(b"this is no database, and long enough to be looked at as one" * 20)
    (tmp_path / "notes.txt").write_text("not a session")
    live = Log.create(tmp_path)
    live.append(entry(server="live"))
    assert live.flush()
    listed = sessions(tmp_path)
    assert [info.path for info in listed] == [live.path, second, first, broken]
    assert [info.rows for info in listed] == [1, 5, 3, 0]
    assert [info.servers for info in listed] == [("live",), ("s0", "s1"), ("s0", "s1"), ()]
    assert [info.ended_wall_ns > 0 for info in listed] == [False, True, True, False]
    assert all(before <= info.started_wall_ns <= time.time_ns() for info in listed[:3])
    assert all(info.size > 0 for info in listed)
    assert "cannot be read" in listed[3].problem
    live.close()
    assert sessions(tmp_path / "missing") == []


def test_everything_committed_survives_a_kill(tmp_path: Path) -> None:
    path, flushed = killed_writer(tmp_path, 5_000)
    assert flushed >= 5_000
    log = Log.open(path)
    assert log.problem == ""
    assert len(log) >= flushed
    for seq in (1, 10, flushed // 2, flushed, len(log)):
        record = log.record(seq).entry
        assert (record.id, record.data) == (str(seq), b"%d " % seq * 20)
        assert record.facts == ({"n": seq} if seq % 10 == 0 else {})
    assert sum(len(run.data) for run in log.runs()) == sum(log.columns.size) + sum(log.columns.extra)
    info = log.info()
    assert info is not None
    assert (info.rows, info.ended_wall_ns, info.servers) == (len(log), 0, ("srv",))
    log.close()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user may enter, as root's child becomes one; pytest keeps its own shut to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        yield Path(name)


READER = """
import os, sys
from pathlib import Path
from mcp_inspector.store.log import Log
import tempfile
Path.cwd().as_uri()  # imports what it needs: another user may not be able to read this Python
if os.geteuid() == 0:
    os.setuid(65534)
try:
    (Path(sys.argv[1]).parent / "probe").touch()
    sys.exit("the folder can be written")
except PermissionError:
    pass
tempfile.tempdir = sys.argv[2]
log = Log.open(Path(sys.argv[1]))
print(len(log), log.body(len(log)).decode().split()[0], log.problem, len(os.listdir(sys.argv[2])))
log.close()
print(len(os.listdir(sys.argv[2])))
"""


@pytest.mark.skipif(os.name == "nt", reason="rights of folders are set another way there")
@pytest.mark.parametrize("ending", ["ended", "killed"])
def test_a_session_in_a_read_only_folder_opens(open_folder: Path, ending: str) -> None:
    folder, spare = open_folder / "sessions", open_folder / "spare"
    spare.mkdir()
    path = killed_writer(folder, 2_000)[0] if ending == "killed" else written(folder, 2_000)
    for leftover in folder.glob("*-shm"):
        leftover.unlink()
    for file in folder.iterdir():
        file.chmod(0o644)
    folder.chmod(0o555)
    spare.chmod(0o777)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READER, str(path), str(spare)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=30,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    finally:
        folder.chmod(0o755)
    opened, closed = done.stdout.splitlines()
    rows, first_word, copies = opened.split()
    assert int(rows) >= 2_000
    assert first_word == ("body" if ending == "ended" else rows)
    assert (copies, closed) == ("0" if ending == "ended" else "1", "0")


def test_rows_of_a_slow_session_end_up_in_few_segments(tmp_path: Path) -> None:
    """One commit a row, as when a person clicks: the file must not become slow to open."""
    log = Log.create(tmp_path)
    for number in range(200):
        log.append(request(number, data=b"%d" % number, facts={"sentence": f"note {number}"}))
        log.append(response(f"uuid-{number}"))
        assert log.flush()
    assert log.path is not None
    with sqlite3.connect(log.path) as connection:
        assert connection.execute("SELECT count(*) FROM segment").fetchone()[0] < 64
    connection.close()
    live = log.slice(1, 500)
    notes = [log.note(seq) for seq in range(1, 401)]
    log.close()
    again = Log.open(log.path)
    assert again.slice(1, 500) == live
    assert [again.note(seq) for seq in range(1, 401)] == notes
    again.close()


@pytest.mark.parametrize(
    ("statement", "values", "sentence"),
    [
        ("PRAGMA application_id = 5", (), "is no session file of this program"),
        ("PRAGMA user_version = 99", (), r"newer version of this program \(format 99\)"),
        ("PRAGMA user_version = 0", (), "unknown format 0"),
        ("DROP TABLE meta", (), "cannot be read as a session"),
    ],
)
def test_a_foreign_file_is_refused_with_a_sentence(
    tmp_path: Path, statement: str, values: tuple[object, ...], sentence: str
) -> None:
    path = written(tmp_path)
    change(path, statement, *values)
    with pytest.raises(SessionFileError, match=sentence):
        SessionFile.open(path)


def test_a_missing_or_foreign_path_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SessionFileError, match="cannot be read as a session"):
        SessionFile.open(tmp_path / "missing.mcpsession")
    text = tmp_path / "text.mcpsession"
    text.write_text("hello" * 1_000)
    with pytest.raises(SessionFileError, match="cannot be read as a session"):
        SessionFile.open(text)
    with pytest.raises(SessionFileError):
        SessionFile.open(tmp_path)


def test_an_older_format_is_converted_step_by_step_in_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    change(path, "ALTER TABLE block RENAME TO old_block")
    change(path, "PRAGMA user_version = 0")
    before = path.read_bytes()

    def first_step(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE VIEW unused AS SELECT 1")

    def second_step(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE old_block RENAME TO block")

    monkeypatch.setattr(layout, "VERSION", 2)
    monkeypatch.setattr(layout, "CONVERTERS", {0: first_step, 1: second_step})
    log = Log.open(path)
    assert [log.body(seq) for seq in (1, 2, 3)] == [b"body 0", b"body 1", b"body 2"]
    log.close()
    assert path.read_bytes() == before


def row_that_points_nowhere() -> bytes:
    """The columns of one row whose method has no text."""
    log = Log()
    log.append(entry(method="", kind="", server=""))
    log.columns.method[0] = 1_000
    return log.columns.cut(0, 1)


@pytest.mark.parametrize(
    ("statement", "values", "rows", "sentence"),
    [
        ("INSERT INTO segment VALUES (9, 1, x'00', x'', x'')", (), 3, "rows 4 to 8 are missing"),
        ("INSERT INTO segment VALUES (4, 1, x'00', x'', x'')", (), 3, "1 bytes cannot be 1 rows"),
        ("INSERT INTO segment VALUES (4, 1, ?, x'', x'')", (row_that_points_nowhere(),), 3, "a value points nowhere"),
        ("INSERT INTO word VALUES (2, 50, x'41')", (), 0, "word 50 of pool 2 is out of place"),
        ("INSERT INTO word VALUES (99, 0, x'41')", (), 0, "index out of range"),
        ("UPDATE word SET text = 1000000000000", (), 0, "is out of place"),
        ("UPDATE segment SET columns = NULL", (), 0, "damaged"),
        ("UPDATE segment SET notes = 5", (), 3, "damaged"),
    ],
)
def test_a_damaged_file_gives_what_comes_before_the_damage(
    tmp_path: Path, statement: str, values: tuple[object, ...], rows: int, sentence: str
) -> None:
    path = written(tmp_path)
    change(path, statement, *values)
    log = Log.open(path)
    assert sentence in log.problem
    assert "damaged" in log.problem
    assert len(log) == rows
    assert [record.seq for record in log.slice(1, 100)] == list(range(1, rows + 1))
    log.close()


def test_a_cut_off_file_never_crashes_the_reader(tmp_path: Path) -> None:
    path = written(tmp_path, 2_000)
    whole = path.read_bytes()
    for keep in range(0, len(whole), len(whole) // 12):
        path.write_bytes(whole[:keep])
        try:
            log = Log.open(path)
        except SessionFileError:
            continue
        assert len(log.slice(1, 3_000)) == len(log)
        log.close()
