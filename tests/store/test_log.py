"""The log: what is appended comes back as it was, live and reopened, whatever the disk does."""

from __future__ import annotations

import sqlite3
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_entries import LOCAL, entry, event, request, response

from mcp_inspector.store import writer as writing
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.store.session_file import SessionFile

if TYPE_CHECKING:
    from pathlib import Path

ODD_ENTRIES = [
    entry(),
    request(1, data=b'{"id":1}'),
    response(1, call=2, facts={"tool_error": True, "stream": "post"}),
    entry(id='"a\\u00e9"', method="notifications/\ud800", target="file:///ä", data=b"\xff\x00\xfe"),
    entry(id="1.0", status=-32601, kind="error"),
    entry(id="0", status=2**40),
    entry(id="-5"),
    entry(id="007"),
    entry(channel=Channel.STDERR, kind="line", method="", data="Größe: 5 °C".encode()),
    entry(channel=Channel.STDOUT, kind="stray", method="", data=b"hello", faults=("is not JSON", "and \ud800")),
    entry(channel=Channel.HTTP, direction=LOCAL, kind="request", status=200, facts={"headers": [["a", "b"]]}),
    event("timeout", call=1, facts={"sentence": "It took too long.", "big": 2**80, "bad": "\ud800"}),
    entry(server="other", connection=7, data=b""),
]


def appended(log: Log, entries: list[Entry]) -> None:
    assert [log.append(item) for item in entries] == list(range(1, len(entries) + 1))


def test_records_come_back_as_they_were_before_and_after_they_are_on_disk(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    appended(log, ODD_ENTRIES)
    assert [record.entry for record in log.slice(1, 100)] == ODD_ENTRIES
    assert log.flush()
    assert [record.entry for record in log.slice(1, 100)] == ODD_ENTRIES
    assert [record.seq for record in log.slice(3, 6)] == [3, 4, 5]
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    assert again.problem == ""
    assert [record.entry for record in again.slice(1, 100)] == ODD_ENTRIES
    assert again.columns.cut(0, len(again)) == log.columns.cut(0, len(log))
    assert not again.live
    again.close()


texts = st.text(max_size=20)
entries = st.builds(
    Entry,
    server=st.sampled_from(["a", "b", "ü"]),
    connection=st.integers(0, 3),
    channel=st.sampled_from(Channel),
    direction=st.sampled_from(Direction),
    wall_ns=st.integers(0, 2**62),
    mono_ns=st.integers(0, 2**62),
    data=st.binary(max_size=40) | st.integers(0, 200_000).map(lambda size: b"x" * size),
    kind=texts,
    method=texts,
    id=texts | st.integers().map(str),
    target=texts,
    status=st.none() | st.integers(-(2**62), 2**62),
    call=st.integers(0, 2**32 - 1),
    faults=st.lists(texts, max_size=3).map(tuple),
    facts=st.dictionaries(texts, texts | st.integers() | st.booleans() | st.none(), max_size=3),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(entries, max_size=12), max_size=5))
def test_any_entries_in_any_batches_survive_reopening(tmp_path_factory: pytest.TempPathFactory, batches: list) -> None:
    log = Log.create(tmp_path_factory.mktemp("session"))
    for batch in batches:
        for item in batch:
            log.append(item)
        assert log.flush()
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    assert [record.entry for record in again.slice(1, len(again) + 1)] == [item for batch in batches for item in batch]
    again.close()


def test_a_big_body_is_read_in_parts_and_its_facts_stay_with_it(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    body = bytes(range(256)) * 20_000
    small, big = entry(data=b"small"), entry(data=body, facts={"stream": "post"})
    appended(log, [small, big, small])
    for _ in range(2):
        assert log.body_size(2) == len(body)
        assert log.body(2) == body
        assert log.body_part(2, 1_048_570, 20) == body[1_048_570:1_048_590]
        assert log.body_part(2, len(body) - 3, 100) == body[-3:]
        assert log.body_part(2, len(body) + 1, 5) == b""
        assert log.facts(2) == {"stream": "post"}
        assert log.body(1) == log.body(3) == b"small"
        assert log.flush()
    log.close()


@pytest.mark.parametrize("over", [-1, 0, 1, 30])
def test_a_body_at_the_edge_of_a_part_keeps_its_facts(tmp_path: Path, over: int) -> None:
    log = Log.create(tmp_path)
    body = b"y" * ((1 << 20) + over)
    appended(log, [entry(data=body, facts={"stream": "post"}, faults=("odd",)), entry(data=b"next")])
    assert log.flush()
    assert log.body(1) == body
    assert log.facts(1) == {"stream": "post"}
    assert log.faults(1) == ("odd",)
    assert log.body(2) == b"next"
    log.close()


def test_a_hundred_megabytes_in_one_message(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    body = b"0123456789abcdef" * 6_250_000
    log.append(entry(data=body))
    assert log.flush(30)
    assert log.body_part(1, 99_999_990, 100) == body[-10:]
    assert log.body(1) == body
    log.close()


def test_rows_are_drawn_from_memory() -> None:
    log = Log()
    log.append(entry(channel=Channel.STDERR, kind="line", data="Fehler: Größe".encode()))
    log.append(event("cancelled"))
    log.append(entry(channel=Channel.LIFECYCLE, kind="started", facts={"argv": ["python", "-m", "demo"]}))
    log.append(entry(channel=Channel.STDERR, kind="line", data="ä".encode() * 1_000))
    log.append(entry())
    assert [log.note(seq) for seq in range(1, 4)] == ["Fehler: Größe", "It was cancelled.", "python -m demo"]
    assert log.note(4) == "ä" * 200 + "…"
    assert log.note(5) == ""


def test_append_never_raises_for_what_an_entry_holds(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    wrong = Entry(
        server=5,  # type: ignore[arg-type]  # what a careless caller could pass
        connection=-1,
        channel=99,  # type: ignore[arg-type]
        direction=0,  # type: ignore[arg-type]
        wall_ns=2**70,
        mono_ns=-(2**70),
        status=2**70,
        call=2**40,
        facts={"sentence": "why", ("a",): object()},  # type: ignore[dict-item]
    )
    appended(log, [entry(data=b"before"), wrong, entry(method=["x"], data=b"after")])
    tamed = log.record(2).entry
    assert (tamed.server, tamed.connection, tamed.status, tamed.call) == ("5", 0, None, 2**32 - 1)
    assert (tamed.wall_ns, tamed.mono_ns) == (2**63 - 1, 0)
    assert log.note(2) == "why"
    assert log.record(3).entry.method == "['x']"
    assert [log.body(seq) for seq in (1, 2, 3)] == [b"before", b"", b"after"]
    live = log.slice(1, 4)
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    assert again.problem == ""
    assert again.slice(1, 4) == live
    again.close()


def test_long_names_from_a_peer_are_cut_in_memory_and_whole_in_the_bytes() -> None:
    log = Log()
    name = "x" * 50_000
    log.append(entry(method=name, data=name.encode()))
    assert log.record(1).entry.method == "x" * 1_999 + "…"
    assert log.body(1) == name.encode()


def test_changed_is_sent_for_each_append_after_it_is_there() -> None:
    log = Log()
    seen: list[int] = []
    log.changed.connect(lambda: seen.append(len(log)))
    appended(log, [entry(), entry()])
    assert seen == [1, 2]


def test_a_session_without_a_writable_folder_goes_on_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    log = Log.create(tmp_path / "file")
    assert "No session file can be written" in log.problem
    assert "in memory only" in log.problem
    appended(log, [entry(data=b"kept")])
    assert log.body(1) == b"kept"
    assert log.path is None
    log.close()


def test_a_failing_disk_is_said_and_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of the file run out, as on a full disk, and come back."""
    monkeypatch.setattr(writing, "_RETRY_SECONDS", 0.01)
    file = SessionFile.create(tmp_path)
    told = threading.Event()

    def post(tell: object) -> None:
        assert callable(tell)
        tell()

    log = Log(file, post=post)
    log.changed.connect(told.set)
    writer = file._writer
    assert writer is not None
    appended(log, [entry(data=b"first")])
    assert log.flush()
    pages = writer.execute("PRAGMA page_count").fetchone()[0]
    writer.execute(f"PRAGMA max_page_count = {pages + 2}")
    told.clear()
    for _ in range(50):
        log.append(entry(data=b"z" * 50_000))
    told.clear()
    assert not log.flush(0.2)
    assert told.wait(5)
    assert "cannot be written (database or disk is full)" in log.problem
    assert log.body(51) == b"z" * 50_000
    assert log.append(entry(data=b"still here")) == 52
    assert log.body(52) == b"still here"
    writer.execute("PRAGMA max_page_count = 1000000")
    assert log.flush()
    deadline = time.monotonic() + 5
    while log.problem and time.monotonic() < deadline:
        assert log.flush()
    assert log.problem == ""
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    assert [len(record.entry.data) for record in again.slice(1, 53)] == [5] + [50_000] * 50 + [10]
    again.close()


def test_append_waits_for_the_disk_rather_than_drop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "QUEUE_BYTES", 1_000_000)
    monkeypatch.setattr(writing, "_BATCH_BYTES", 300_000)
    log = Log.create(tmp_path)
    most = 0
    for _ in range(3_000):
        log.append(entry(data=b"q" * 10_000))
        most = max(most, log._writer.waiting_bytes)
    # Each append gives the disk a moment, so what waits grows by little beyond the limit, and never by all of it.
    assert most < 3_000_000 or "too slowly" in log.problem
    assert log.flush(30)
    assert log._writer.waiting_bytes == 0
    assert all(log.body(seq) == b"q" * 10_000 for seq in range(1, 3_001, 97))
    log.close()


def test_a_disk_that_hangs_holds_the_loop_for_a_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "QUEUE_BYTES", 100_000)
    monkeypatch.setattr(writing, "_BATCH_BYTES", 30_000)
    monkeypatch.setattr(writing, "_ROOM_SECONDS", 0.05)
    file = SessionFile.create(tmp_path)
    release = threading.Event()
    write = file.write

    def hanging(batch: object) -> None:
        release.wait(20)
        write(batch)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(file, "write", hanging)
    log = Log(file)
    began = time.monotonic()
    for _ in range(100):
        log.append(entry(data=b"q" * 10_000))
    assert time.monotonic() - began < 5
    assert "too slowly" in log.problem
    release.set()
    assert log.flush()
    assert all(log.body(seq) == b"q" * 10_000 for seq in range(1, 101))
    log.close()


def test_bodies_are_read_by_other_threads_while_more_come(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    wrong: list[int] = []
    done = threading.Event()

    def read() -> None:
        seed = 1
        while not done.is_set():
            count = len(log)
            if count:
                seed = seed * 48_271 % 2_147_483_647
                seq = seed % count + 1
                try:
                    if log.body(seq) != b"%d " % seq * 50 or log.record(seq).entry.id != str(seq):
                        wrong.append(seq)
                except Exception:
                    wrong.append(-seq)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for seq in range(1, 20_001):
        log.append(entry(id=str(seq), data=b"%d " % seq * 50, facts={"n": seq} if seq % 7 == 0 else {}))
    assert log.flush(30)
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert sum(len(run.data) for run in log.runs()) > 20_000 * 50
    log.close()


def test_what_comes_after_close_stays_readable(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    appended(log, [entry(data=b"one")])
    log.close()
    log.close()
    assert log.append(entry(data=b"two")) == 2
    assert log.body(2) == b"two"
    assert log.body(1) == b""
    assert not log.flush(0.1)


def test_an_earlier_session_is_not_added_to(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    with pytest.raises(RuntimeError, match="earlier session"):
        again.append(entry())
    with pytest.raises(IndexError):
        again.record(1)
    again.close()


def test_a_forgotten_log_is_written_when_it_is_let_go(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    log.append(entry(data=b"kept"))
    path = log.path
    assert path is not None
    del log
    again = Log.open(path)
    assert again.body(1) == b"kept"
    info = again.info()
    assert info is not None
    assert info.ended_wall_ns > 0
    again.close()


def test_damaged_bodies_read_as_empty(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    appended(log, [entry(data=b"gone", facts={"a": 1})])
    log.close()
    assert log.path is not None
    connection = sqlite3.connect(log.path)
    connection.execute("DELETE FROM block")
    connection.commit()
    connection.close()
    again = Log.open(log.path)
    assert (again.body(1), again.facts(1), again.body_size(1)) == (b"", {}, 4)
    again.close()
