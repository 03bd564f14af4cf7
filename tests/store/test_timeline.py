"""Lanes over time, and what of them falls on a column of pixels."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from store_entries import MILLISECOND, RECEIVED, entry, event, request, response

from mcp_inspector.store import timeline as timeline_module
from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.filter import Filter
from mcp_inspector.store.log import Log
from mcp_inspector.store.query import parse
from mcp_inspector.store.record import Channel
from mcp_inspector.store.timeline import Lane, LaneKind, Timeline, density

if TYPE_CHECKING:
    import pytest


def story() -> tuple[Log, Exchanges]:
    log = Log()
    for item in (
        event("started", 0),
        request(1, 10),
        entry(channel=Channel.STDERR, kind="line", method="", mono_ns=12 * MILLISECOND, data=b"x"),
        response(1, 30, call=2),
        request(2, 40, direction=RECEIVED, method="roots/list"),
        request(3, 50, server="other"),
        response(3, 55, call=6, server="other", kind="error", status=-32603),
        entry(mono_ns=60 * MILLISECOND),
        request(4, 70),
        entry(mono_ns=100 * MILLISECOND),
    ):
        log.append(item)
    exchanges = Exchanges(log)
    exchanges.update()
    return log, exchanges


def test_lanes_are_by_server_and_kind_and_pending_ones_go_on() -> None:
    _, exchanges = story()
    timeline = Timeline(exchanges)
    timeline.take(1_000)
    assert [(lane.server, lane.kind, len(lane)) for lane in timeline.lanes] == [
        ("everything", LaneKind.CALLS, 2),
        ("everything", LaneKind.QUESTIONS, 1),
        ("everything", LaneKind.NOTIFICATIONS, 2),
        ("everything", LaneKind.PROCESS, 2),
        ("other", LaneKind.CALLS, 1),
    ]
    assert timeline.length == 100 * MILLISECOND
    calls = timeline.lanes[0]
    first, second = calls.spans(0, timeline.length, timeline.length)
    assert (first.start, first.end, first.pending) == (10 * MILLISECOND, 30 * MILLISECOND, False)
    assert (second.start, second.end, second.pending) == (70 * MILLISECOND, 100 * MILLISECOND, True)
    assert timeline.lanes[4].spans(0, timeline.length, timeline.length)[0].failed
    found = calls.nearest(20 * MILLISECOND, MILLISECOND, timeline.length)
    assert found is not None
    assert found.row == exchanges.row(2)
    assert calls.nearest(60 * MILLISECOND, MILLISECOND, timeline.length) is None


def test_what_ends_later_is_followed() -> None:
    log, exchanges = story()
    timeline = Timeline(exchanges)
    timeline.take(1_000)
    log.append(response(4, 130, call=9, kind="error", status=1))
    exchanges.update()
    assert timeline.behind
    timeline.take(1_000)
    assert not timeline.behind
    span = timeline.lanes[0].spans(0, timeline.length, timeline.length)[-1]
    assert (span.end, span.failed, span.pending) == (130 * MILLISECOND, True, False)
    timeline.close()


def test_when_nobody_looked_for_long_it_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline_module, "_MOST_CHANGED", 3)
    log = Log()
    for number in range(8):
        log.append(request(number, number))
    exchanges = Exchanges(log)
    exchanges.update()
    timeline = Timeline(exchanges)
    timeline.take(1_000)
    for number in range(8):
        log.append(response(number, 20 + number, call=number + 1))
    exchanges.update()
    assert timeline.taken == 0
    timeline.take(1_000)
    [lane] = timeline.lanes
    assert [span.pending for span in lane.spans(0, timeline.length, timeline.length)] == [False] * 8


def test_density_and_the_filter_by_time_agree_with_the_records() -> None:
    log, exchanges = story()
    edges = [MILLISECOND * at for at in (0, 45, 58, 101)]
    assert [*density(exchanges, edges)] == [(5, False), (2, True), (3, False)]
    rows = Filter(parse("at:45ms..58ms"), exchanges).rows()
    assert [exchanges.first[row] for row in rows] == [5, 6]  # one that waits since before, and one that began then
    assert len(Filter(parse("at:>0"), exchanges).rows()) == len(exchanges) - 1
    assert [*density(Exchanges(Log()), edges)] == []
    assert len(log) == 10


def test_the_filter_by_time_finds_the_same_in_a_long_session_as_looking_at_each_row() -> None:
    log = Log()
    for number in range(3_000):
        log.append(request(number, number * 10, wall_ns=number))
        if number % 7:
            log.append(response(number, number * 10 + number % 50, call=len(log)))
    exchanges = Exchanges(log)
    exchanges.update()
    for low, high in ((0, 5), (9_000, 9_500), (15_000, 15_000), (29_000, 99_000), (40_000, 50_000)):
        expected = [
            row
            for row in range(len(exchanges))
            if (begin := exchanges.first[row] and log.columns.mono_ns[exchanges.first[row] - 1]) <= high * MILLISECOND
            and (exchanges.elapsed_ns[row] < 0 or begin + exchanges.elapsed_ns[row] >= low * MILLISECOND)
        ]
        assert [*Filter(parse(f"at:{low}ms..{high}ms"), exchanges).rows()] == expected


spans = st.lists(st.tuples(st.integers(0, 1_000), st.integers(-1, 400), st.booleans()), max_size=40)


@given(spans, st.integers(0, 900), st.integers(1, 300))
def test_columns_and_spans_are_what_counting_by_hand_gives(
    items: list[tuple[int, int, bool]], start: int, width: int
) -> None:
    lane = Lane("x", LaneKind.CALLS)
    items = sorted(items)
    for row, (begin, length, failed) in enumerate(items):
        lane.add(row, begin, begin + length if length >= 0 else -1, failed)
    edges = [start + width * part // 4 for part in range(5)]
    for (count, failed, busy), low, high in zip(lane.columns(edges), edges, edges[1:], strict=False):
        inside = [item for item in items if low <= item[0] < high]
        before = [item for item in items if item[0] < low]
        assert (count, failed) == (len(inside), sum(item[2] for item in inside))
        assert busy == any(length < 0 or begin + length > low for begin, length, _ in before)
    seen = {span.row for span in lane.spans(start, start + width, 2_000)}
    expected = {
        row
        for row, (begin, length, _) in enumerate(items)
        if begin <= start + width and (length < 0 or begin + length >= start)
    }
    assert seen == expected


def test_a_change_reaches_what_began_later() -> None:
    lane = Lane("x", LaneKind.CALLS)
    for row in range(10):
        lane.add(row, row, -1 if row == 0 else row, False)
    assert [busy for _, _, busy in lane.columns([2, 5, 20])] == [True, True]
    lane.change(0, 6, True)
    assert [(bad, busy) for _, bad, busy in lane.columns([0, 2, 5, 7, 20])] == [
        (1, False),
        (0, True),
        (0, True),
        (0, False),
    ]
    lane.change(0, 6, False)
    lane.change(77, 6, True)
    assert lane.columns([0, 20]) == [(10, 0, False)]
    assert bisect_left(lane.rows, 3) == 3
