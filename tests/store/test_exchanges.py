"""Exchanges: one row an operation, derived from the records alone, the same live, in steps, and reopened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_entries import MILLISECOND, RECEIVED, SENT, entry, event, request, response

from mcp_inspector.store.exchanges import Changes, Exchange, Exchanges, RowKind, RowState
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry

if TYPE_CHECKING:
    from pathlib import Path


def derived(*entries: Entry) -> list[Exchange]:
    log = Log()
    for item in entries:
        log.append(item)
    exchanges = Exchanges(log)
    exchanges.update()
    return [exchanges[row] for row in range(len(exchanges))]


def states(*entries: Entry) -> list[str]:
    return [row.state.word for row in derived(*entries)]


def test_a_request_and_its_answer_share_a_row() -> None:
    (row,) = derived(
        request(1, at=10, data=b"x" * 100), response(1, at=22, call=1, data=b"y" * 50, faults=("odd", "worse"))
    )
    assert (row.kind, row.state) == (RowKind.REQUEST, RowState.OK)
    assert (row.first, row.reply, row.last) == (1, 2, 2)
    assert (row.server, row.connection, row.method, row.target, row.id) == ("everything", 1, "tools/call", "echo", "1")
    assert (row.channel, row.direction) == (Channel.MESSAGE, Direction.SENT)
    assert (row.elapsed_ns, row.size, row.faults) == (12 * MILLISECOND, 150, 2)
    assert (row.mono_ns, row.wall_ns) == (10 * MILLISECOND, entry().wall_ns)


@pytest.mark.parametrize(
    ("ending", "state"),
    [
        ([], "pending"),
        ([response(1)], "ok"),
        ([response(1, kind="error", status=-32601)], "error"),
        ([response(1, facts={"tool_error": True})], "tool error"),
        ([event("timeout", call=1)], "timed out"),
        ([event("cancelled", call=1)], "cancelled"),
        ([event("lost", call=1)], "lost"),
        ([entry(kind="notification", method="notifications/cancelled", direction=SENT, call=1)], "cancelled"),
        ([entry(kind="invalid", method="", call=1)], "invalid"),
        ([entry(kind="invalid", method="", call=1), response(1)], "ok"),
        ([entry(kind="invalid", method="", call=1), event("timeout", call=1)], "timed out"),
        ([event("timeout", call=1), event("lost", call=1)], "timed out"),
        ([event("cancelled", call=1), event("lost", call=1)], "cancelled"),
        ([response(1), event("lost", call=1)], "ok"),
        ([event("warning", call=1)], "pending"),
    ],
)
def test_how_a_request_ends(ending: list[Entry], state: str) -> None:
    assert states(request(1), *ending) == [state]


def test_the_status_of_a_row_is_its_answers() -> None:
    error = response(1, kind="error", status=-32601, facts={"sentence": "Method not found"})
    (row,) = derived(request(1), error)
    assert (row.status, row.note) == (-32601, "Method not found")


def test_a_late_answer_stays_with_the_request_that_timed_out() -> None:
    """LIFE-18: the late reply is logged against its own call, the next ones get theirs."""
    rows = derived(
        request(1, at=0),
        event("timeout", at=1_000, call=1, facts={"sentence": "everything did not finish tools/call in time."}),
        request(2, at=1_100),
        request(3, at=1_200),
        response(1, at=1_500, call=1, facts={"verdict": "late"}),
        response(2, at=4_000),
        response(3, at=4_100),
    )
    assert [(row.state.word, row.reply, row.late) for row in rows] == [
        ("timed out", 5, 1),
        ("ok", 6, 0),
        ("ok", 7, 0),
    ]
    assert rows[0].elapsed_ns == 1_500 * MILLISECOND
    assert rows[0].note == "everything did not finish tools/call in time."


def test_answers_that_nobody_waits_for() -> None:
    """LIFE-06: a second answer, an answer to an unknown id, an answer after a cancel."""
    rows = derived(
        request(1),
        response(1, at=1, call=1),
        response(1, at=2, call=1, facts={"verdict": "duplicate"}),
        response(9_999),
        request(2),
        event("cancelled", call=5),
        response(2, call=5, kind="error", status=0),
        response(1),
    )
    assert [(row.kind.name, row.state.word, row.late) for row in rows] == [
        ("REQUEST", "ok", 1),
        ("RESPONSE", "late", 0),
        ("REQUEST", "cancelled", 1),
        ("RESPONSE", "late", 0),
    ]
    assert (rows[0].reply, rows[0].elapsed_ns) == (2, 1 * MILLISECOND)


def test_answers_out_of_order_find_their_requests() -> None:
    """LIFE-14: fifty calls at once, answered backwards with progress in between."""
    entries = [request(number, at=number) for number in range(50)]
    for number in reversed(range(50)):
        entries += [
            entry(method="notifications/progress", call=number + 1),
            entry(method="notifications/progress", call=number + 1),
            response(number, at=1_000 - number, call=number + 1 if number % 2 else 0),
        ]
    rows = derived(*entries)
    assert [row.elapsed_ns for row in rows] == [(1_000 - 2 * number) * MILLISECOND for number in range(50)]
    assert {row.progress for row in rows} == {2}
    assert {row.state for row in rows} == {RowState.OK}


@pytest.mark.parametrize(("sent", "answered"), [("1", "1.0"), ("1", "1e0"), ("-5", "-5.0"), ('"a"', '"a"')])
def test_an_id_spelled_another_way_is_the_same_id(sent: str, answered: str) -> None:
    """LIFE-04: 1.0 is 1."""
    assert states(request(0, id=sent), response(0, id=answered)) == ["ok"]


def test_a_string_id_is_no_number() -> None:
    """LIFE-04: what answers "1" to 1 without the session's word for it stands alone."""
    assert states(request(1), response("1")) == ["pending", "late"]
    assert states(request(1), response("1", call=1)) == ["ok"]


def test_both_sides_and_all_servers_have_ids_of_their_own() -> None:
    rows = derived(
        request(1),
        request(1, direction=RECEIVED, method="sampling/createMessage"),
        request(1, server="other"),
        request(1, connection=2),
        response(1, direction=SENT, at=1, call=2),
        response(1, connection=2, at=2),
        response(1, server="other", at=3, kind="error"),
        response(1, at=4),
    )
    assert [(row.server, row.connection, row.direction.name, row.state.word) for row in rows] == [
        ("everything", 1, "SENT", "ok"),
        ("everything", 1, "RECEIVED", "ok"),
        ("other", 1, "SENT", "error"),
        ("everything", 2, "SENT", "ok"),
    ]
    assert [row.elapsed_ns for row in rows] == [4 * MILLISECOND, MILLISECOND, 3 * MILLISECOND, 2 * MILLISECOND]


def test_everything_else_has_its_own_row_in_its_place() -> None:
    rows = derived(
        event("started", facts={"argv": ["srv"]}),
        entry(channel=Channel.HTTP, kind="request", method="POST", target="http://x/mcp"),
        request(1),
        entry(channel=Channel.HTTP, kind="response", method="POST", status=500, call=3),
        entry(channel=Channel.STDERR, kind="line", method="", data=b"boom"),
        entry(channel=Channel.STDOUT, kind="stray", method="", data=b"banner"),
        entry(),
        entry(method="notifications/message", call=3),
        entry(kind="invalid", method=""),
        entry(kind="batch", method=""),
        entry(channel=Channel.AUTH, kind="token", method=""),
        event("exited", status=1),
        event("exited", status=0),
    )
    assert [(row.kind.name, row.state.word, row.note) for row in rows] == [
        ("LIFECYCLE", "info", "srv"),
        ("HTTP", "info", ""),
        ("REQUEST", "pending", ""),
        ("HTTP", "error", ""),
        ("STDERR", "info", "boom"),
        ("STDOUT", "invalid", "banner"),
        ("NOTIFICATION", "info", ""),
        ("NOTIFICATION", "info", ""),
        ("INVALID", "invalid", ""),
        ("BATCH", "info", ""),
        ("AUTH", "info", ""),
        ("LIFECYCLE", "error", "It was exited."),
        ("LIFECYCLE", "info", "It was exited."),
    ]


@pytest.mark.parametrize("call", [1, 2, 3, 7, 2**32 - 1])
def test_a_call_that_names_no_earlier_request_is_not_followed(call: int) -> None:
    rows = derived(entry(), response(1, call=call), event("timeout", call=call), response(5, call=call))
    assert [row.kind.name for row in rows] == ["NOTIFICATION", "RESPONSE", "LIFECYCLE", "RESPONSE"]


def test_changes_name_new_rows_and_older_ones_that_changed() -> None:
    log = Log()
    exchanges = Exchanges(log)
    told: list[Changes] = []
    exchanges.changed.connect(lambda changes: told.append(changes))
    assert exchanges.update() == Changes(0, 0, (), False)
    assert told == []
    for number in range(3):
        log.append(request(number))
    assert exchanges.update(limit=2) == Changes(0, 2, (), True)
    assert exchanges.pending == (0, 1)
    assert exchanges.update() == Changes(2, 3, (), False)
    log.append(entry(method="notifications/progress", call=3))
    log.append(response(0))
    log.append(request(3))
    log.append(response(3))
    assert exchanges.update() == Changes(3, 4, (0, 2), False)
    assert exchanges.pending == (1, 2)
    assert len(told) == 3
    assert [exchanges.row(seq) for seq in range(1, 8)] == [0, 1, 2, 2, 0, 3, 3]
    assert [list(exchanges.records(row)) for row in range(4)] == [[1, 5], [2], [3, 4], [6, 7]]
    for missing in (0, -1, 8):
        with pytest.raises(IndexError):
            exchanges.row(missing)
    with pytest.raises(IndexError):
        exchanges[4]


@dataclass
class Row:
    """A row of the plain model that the real one is held against."""

    first: int
    kind: str
    open: bool = False
    state: str = ""
    reply: int = 0
    late: int = 0
    progress: int = 0
    records: list[int] = field(default_factory=list)


def plainly(entries: list[Entry]) -> list[Row]:
    """The rule of pairing once more, slow and short."""
    rows: list[Row] = []
    owner: dict[int, Row] = {}
    for seq, item in enumerate(entries, 1):
        is_request = item.kind == "request"
        row = owner.get(item.call) if not is_request else None
        if row is not None and (row.first != item.call or row.kind != "request"):
            row = None
        if row is None and item.kind in ("response", "error"):
            for other in rows:
                asked = entries[other.first - 1]
                if (
                    other.open
                    and (asked.server, asked.connection, asked.id) == (item.server, item.connection, item.id)
                    and asked.direction != item.direction
                ):
                    row = other
        if row is None:
            row = Row(seq, item.kind, is_request, {"request": "pending", "notification": "info"}.get(item.kind, "late"))
            if item.channel is Channel.LIFECYCLE:
                row.state = "error" if item.kind in ("timeout", "lost") else "info"
            rows.append(row)
        elif item.kind in ("response", "error"):
            if row.open:
                row.open, row.reply, row.state = False, seq, "error" if item.kind == "error" else "ok"
            else:
                row.late += 1
                row.reply = row.reply or seq
        elif item.kind == "notification":
            row.progress += 1
        elif row.open:
            row.open, row.state = False, {"timeout": "timed out"}.get(item.kind, item.kind)
        row.records.append(seq)
        owner[seq] = row
    return rows


direction = st.sampled_from([SENT, RECEIVED])
few = st.integers(0, 3)
steps = st.one_of(
    st.builds(request, few, direction=direction, server=st.sampled_from(["a", "b"]), connection=st.integers(1, 2)),
    st.builds(
        response,
        few,
        direction=direction,
        server=st.sampled_from(["a", "b"]),
        connection=st.integers(1, 2),
        kind=st.sampled_from(["response", "error"]),
        call=st.integers(0, 12),
    ),
    st.builds(entry, method=st.just("notifications/progress"), call=st.integers(0, 12)),
    st.builds(event, st.sampled_from(["timeout", "cancelled", "lost"]), call=st.integers(0, 12)),
)


def duplicate_in_flight(entries: list[Entry]) -> bool:
    """Two open requests under one id: which of them an answer means is nobody's to say."""
    keys = [(e.server, e.connection, e.direction, e.id) for e in entries if e.kind == "request"]
    return len(keys) != len(set(keys))


@settings(max_examples=300, deadline=None)
@given(st.lists(steps, max_size=40), st.lists(st.integers(1, 7), min_size=1, max_size=40))
def test_pairing_is_the_plain_rule_in_whatever_steps(entries: list[Entry], sizes: list[int]) -> None:
    log = Log()
    stepwise = Exchanges(log)
    for number, item in enumerate(entries):
        log.append(item)
        if number % 3 == 0:
            stepwise.update(sizes[number % len(sizes)])
    stepwise.update()
    at_once = Exchanges(log)
    at_once.update()
    assert [stepwise[row] for row in range(len(stepwise))] == [at_once[row] for row in range(len(at_once))]
    assert stepwise.row_of == at_once.row_of
    if duplicate_in_flight(entries):
        return
    expected = plainly(entries)
    got = [at_once[row] for row in range(len(at_once))]
    assert [(row.first, row.state.word, row.reply, row.late, row.progress) for row in got] == [
        (row.first, row.state, row.reply, row.late, row.progress) for row in expected
    ]
    assert [list(at_once.records(row)) for row in range(len(at_once))] == [row.records for row in expected]
    assert list(at_once.pending) == [number for number, row in enumerate(expected) if row.open]


def test_rows_are_the_same_when_the_session_is_reopened(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    live = Exchanges(log)
    for number in range(500):
        seq = log.append(request(number if number % 3 else f"u{number}", at=number))
        log.append(entry(channel=Channel.STDERR, kind="line", method="", data=b"line %d" % number))
        if number % 5:
            ending = response(number if number % 3 else f"u{number}", at=number + 7, call=seq if number % 2 else 0)
            log.append(ending)
        else:
            log.append(event("timeout", call=seq))
        live.update()
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    reopened = Exchanges(again)
    reopened.update()
    assert [reopened[row] for row in range(len(reopened))] == [live[row] for row in range(len(live))]
    assert reopened.pending == live.pending
    again.close()
