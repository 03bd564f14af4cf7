"""Marks: colours, comments and pins, undone and kept in the session's file."""

from __future__ import annotations

import sqlite3

import pytest
from store_entries import request

from mcp_inspector.store.log import Log
from mcp_inspector.store.marks import COMMENT_LIMIT, NONE, Mark, Marks


def test_marks_change_and_can_be_undone():
    marks = Marks()
    told = []
    stop = marks.changed.connect(told.append)
    marks.change([1, 2], colour=3)
    marks.change([2], comment="here it broke", pinned=True)
    assert marks[2] == Mark(3, pinned=True, comment="here it broke")
    assert marks[2].word == "yellow"
    marks.clear([1, 2, 7])
    assert marks.items() == []
    assert marks.undo()
    assert marks[1] == Mark(3)
    assert marks.undo()
    assert marks.undo()
    assert not marks.undo()
    assert marks[2] == NONE
    assert told == [(1, 2), (2,), (1, 2), (1, 2), (2,), (1, 2)]
    stop()


def test_what_changes_nothing_is_no_change():
    marks = Marks()
    marks.change([1], colour=0)
    marks.change([1], colour=99)
    assert not marks.undo()
    marks.change([1], comment="x" * (COMMENT_LIMIT + 5))
    assert len(marks[1].comment) == COMMENT_LIMIT


def test_they_are_in_the_file_of_a_live_session(tmp_path):
    log = Log.create(tmp_path)
    seq = log.append(request(1))
    log.flush()
    log.marks.change([seq], colour=1, comment="first\x00 \ud800 ü")
    assert log.flush()
    log.marks.change([seq], pinned=True)
    log.close()
    again = Log.open(log.path)
    assert again.marks[seq] == Mark(1, pinned=True, comment="first\x00 ? ü")
    again.close()


def test_an_earlier_session_can_be_marked(tmp_path):
    log = Log.create(tmp_path)
    seqs = [log.append(request(number)) for number in range(3)]
    log.close()
    again = Log.open(log.path)
    again.marks.change(seqs, colour=2)
    again.marks.clear(seqs[:1])
    assert again.marks.problem == ""
    assert again.body(seqs[2]) == request(2).data
    again.close()
    third = Log.open(log.path)
    assert [seq for seq, _ in third.marks.items()] == seqs[1:]
    third.close()


def test_a_file_of_before_has_no_marks_and_takes_them(tmp_path):
    log = Log.create(tmp_path)
    seq = log.append(request(1))
    log.close()
    connection = sqlite3.connect(log.path)
    connection.execute("DROP TABLE mark")
    connection.commit()
    connection.close()
    again = Log.open(log.path)
    assert len(again.marks) == 0
    again.marks.change([seq], pinned=True)
    again.close()
    third = Log.open(log.path)
    assert third.marks[seq].pinned
    third.close()


def test_where_nothing_can_be_written_it_says_so(tmp_path, monkeypatch):
    log = Log.create(tmp_path)
    seq = log.append(request(1))
    log.close()
    again = Log.open(log.path)

    def refused(rows):
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(again._file, "write_marks", refused)
    again.marks.change([seq], colour=1)
    assert "readonly" in again.marks.problem
    assert again.marks[seq].colour == 1
    again.close()


@pytest.mark.parametrize("row", [("1", 0, 0, "x"), (1, None, 0, "x"), (1, 0, 0, b"x")])
def test_a_damaged_mark_is_left_out(tmp_path, row):
    log = Log.create(tmp_path)
    log.append(request(1))
    log.close()
    connection = sqlite3.connect(log.path)
    connection.execute("DROP TABLE mark")
    connection.execute("CREATE TABLE mark (seq, colour, pinned, comment)")
    connection.execute("INSERT INTO mark VALUES (?, ?, ?, ?)", row)
    connection.commit()
    connection.close()
    again = Log.open(log.path)
    assert len(again.marks) == 0
    again.close()
