"""The event-stream decoder: WHATWG's rules, any chunking, linear time, bounded memory."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.wire.eventstream import Event, EventStream

CASES = {
    "SSE-05: U+2028, U+2029, U+0085, VT and FF do not end a line": (
        'data: {"text":"a\u2028b\u2029c\u0085d\x0be\x0cf"}\n\n',
        [("message", '{"text":"a\u2028b\u2029c\u0085d\x0be\x0cf"}', "")],
    ),
    "SSE-06: priming event with empty data": (
        'id: p-1\nretry: 3000\ndata:\n\nid: p-2\ndata: {"a":1}\n\n',
        [("message", "", "p-1"), ("message", '{"a":1}', "p-2")],
    ),
    "SSE-07: comments and foreign events": (
        ': ping - x\n\n:\r\n\r\nevent: ping\ndata: 2026-01-01T00:00:00Z\n\ndata: {"ok":1}\n\n',
        [("ping", "2026-01-01T00:00:00Z", ""), ("message", '{"ok":1}', "")],
    ),
    "SSE-08: CR alone and mixed line ends": (
        'event: message\rdata: {"a":1}\r\rdata: {"b":2}\r\n\r\n',
        [("message", '{"a":1}', ""), ("message", '{"b":2}', "")],
    ),
    "SSE-10: a byte order mark at the start": ("\ufeffevent: endpoint\ndata: /m\n\n", [("endpoint", "/m", "")]),
    "a byte order mark later is content": (
        "data: a\n\ndata: \ufeffb\n\n",
        [("message", "a", ""), ("message", "\ufeffb", "")],
    ),
    "SSE-12: id with NUL, retry with letters, empty id": (
        "id: a\0b\ndata: 1\n\nretry: 10s\ndata: 2\n\nid: 7\ndata: 3\n\nid\ndata: 4\n\n",
        [("message", "1", ""), ("message", "2", ""), ("message", "3", "7"), ("message", "4", "")],
    ),
    "several data lines, only one space is stripped": ("data:  a\ndata:b\ndata\n\n", [("message", " a\nb\n", "")]),
    "no data, no event; its name does not leak": ("event: x\n\ndata: 1\n\n", [("message", "1", "")]),
    "the id stays for later events": ("id: 1\ndata: a\n\ndata: b\n\n", [("message", "a", "1"), ("message", "b", "1")]),
    "an event without its blank line is discarded": ("data: a\n\ndata: b\n", [("message", "a", "")]),
    "unknown fields": ("foo: 1\nDATA: x\n data: y\ndata: z\n\n", [("message", "z", "")]),
}


def decode(pieces: list[bytes], limit: int = 1 << 20) -> tuple[list[Event], EventStream]:
    stream = EventStream(limit)
    return [event for piece in pieces for event in stream.feed(piece)], stream


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("step", [10**9, 1, 2, 3, 7])
def test_cases_of_the_standard(name: str, step: int) -> None:
    """SSE-05, -06, -07, -08, -10, -12: whole, byte by byte and in small pieces."""
    text, expected = CASES[name]
    raw = text.encode()
    events, _ = decode([raw[i : i + step] for i in range(0, len(raw), step)])
    assert [(event.event, event.data.decode(), event.id) for event in events] == expected


def test_retry_is_kept_and_only_digits_count() -> None:
    """SSE-06, SSE-12: retry in milliseconds; letters, signs, other digits ignored; absurd values are bounded."""
    stream = EventStream()
    assert stream.feed(b"retry: 3000\n\n") == []
    assert stream.retry == 3000
    for value in ("10s", "-5", "", " 7", "1.5", "٣"):
        stream.feed(f"retry: {value}\n\n".encode())
        assert stream.retry == 3000
    assert stream.feed(b"retry: " + b"9" * 5000 + b"\ndata: x\n\n")[0].retry == 10**12


def test_an_id_alone_moves_the_cursor_without_an_event() -> None:
    """A block with an id and no data dispatches nothing, but the last event ID follows; an unfinished one does not."""
    stream = EventStream()
    assert stream.feed(b"id: 1\n\n") == []
    assert stream.last_event_id == "1"
    stream.feed(b"id: 2\n")
    assert stream.last_event_id == "1"
    assert stream.feed(b"\n") == []
    assert stream.last_event_id == "2"


def test_comments_are_counted_beside_the_events() -> None:
    """SSE-07: keep-alives are seen, never parsed; a huge one is not stored."""
    stream = EventStream(100)
    assert stream.feed(b": ping - 1\n\n:\n" + b":" + b"x" * 100_000) == []
    assert stream.comments == 2
    assert stream.feed(b"y" * 100_000 + b"\n") == []
    assert stream.comments == 3
    assert stream.last_comment == b"x" * 255
    assert not stream.partial


def test_past_the_limit_the_rest_is_counted_and_the_next_event_is_whole() -> None:
    """SEC-08: the limit holds for one long line and for many lines; the stream stays in step."""
    for body in (b"data: " + b"a" * 500 + b"\n", b"data: " + b"a" * 60 + b"\n" + b"data: " + b"a" * 439 + b"\n"):
        for step in (1, 50, 10**6):
            raw = body + b"\ndata: next\n\n"
            events, _ = decode([raw[i : i + step] for i in range(0, len(raw), step)], limit=100)
            assert len(events[0].data) == 100
            assert len(events[0].data) + events[0].skipped == 500
            assert events[1] == Event(b"next")


def test_an_endless_line_stays_within_the_limit() -> None:
    """SEC-08: a line that never ends is bounded in memory."""
    stream = EventStream(1000)
    for _ in range(2000):
        stream.feed(b"data: " + b"a" * 1000)
    assert sum(map(len, stream._line)) <= 1100
    assert stream.partial


def test_time_is_linear_in_one_long_line() -> None:
    """A long line in many chunks: four times the bytes must not cost sixteen times the time."""

    def cost(chunks: int) -> float:
        piece = b"x" * 16384
        best = float("inf")
        for _ in range(3):
            stream = EventStream()
            start = time.process_time()
            stream.feed(b"data: ")
            for _ in range(chunks):
                stream.feed(piece)
            (event,) = stream.feed(b"\n\n")
            best = min(best, time.process_time() - start)
            assert len(event.data) == chunks * 16384
        return best

    small, large = cost(500), cost(2000)
    assert large < small * 10 + 0.05


_text = st.text(alphabet="ab:{}\"' \u2028\u0085\x0b\x0c\x1cü😀\0", max_size=12)
_line = st.one_of(
    st.tuples(st.sampled_from(["data", "id", "event", "retry", "", "x"]), st.sampled_from([":", ": ", ""]), _text).map(
        "".join
    ),
    st.just(""),
    st.integers(0, 10**6).map(lambda n: f"retry: {n}"),
)
_stream = st.lists(st.tuples(_line, st.sampled_from(["\n", "\r", "\r\n"])).map("".join), max_size=25).map("".join)


@given(
    text=_stream, bom=st.booleans(), cuts=st.lists(st.integers(0, 400), max_size=20), limit=st.sampled_from([5, 10**6])
)
def test_any_chunking_gives_the_same_events(text: str, bom: bool, cuts: list[int], limit: int) -> None:
    """SSE-08, SSE-14: where the network cuts the stream, in a CRLF, a character or the mark, changes nothing."""
    raw = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    whole, one = decode([raw], limit)
    edges = [0, *sorted({min(cut, len(raw)) for cut in cuts}), len(raw)]
    cut, two = decode([raw[a:b] for a, b in itertools.pairwise(edges)], limit)
    assert cut == whole
    assert (two.last_event_id, two.retry, two.comments) == (one.last_event_id, one.retry, one.comments)


@given(
    parts=st.lists(st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])), min_size=1)
)
def test_what_a_writer_frames_comes_back(parts: list[str]) -> None:
    """Round trip of any text without line ends, in several lines."""
    raw = "".join(f"data: {part}\n" for part in parts).encode() + b"\n"
    events, _ = decode([raw], limit=10**7)
    assert [event.data.decode() for event in events] == ["\n".join(parts)]
