"""Framing by newlines: any chunking, blank lines, limits, linear time."""

from __future__ import annotations

import itertools
import time

from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.transport.lines import Lines

MESSAGES = [
    b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"1"}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"2 – ü😀"}}'.encode(),
    b'{"jsonrpc":"2.0","id":"s1","method":"ping"}',
]


def cut(raw: bytes, cuts: list[int], limit: int = 1 << 20) -> list[tuple[bytes, int]]:
    lines = Lines(limit)
    edges = [0, *sorted({min(at, len(raw)) for at in cuts}), len(raw)]
    done = [line for a, b in itertools.pairwise(edges) for line in lines.feed(raw[a:b])]
    return done + lines.flush()


@given(cuts=st.lists(st.integers(0, 260)), end=st.sampled_from([b"\n", b"\r\n"]), last=st.booleans())
def test_any_chunking_gives_the_same_messages(cuts: list[int], end: bytes, last: bool) -> None:
    """STDIO-38, STDIO-08: cuts inside a message, a character or a CRLF change nothing; nor a missing last newline."""
    raw = end.join(MESSAGES) + (end if last else b"")
    assert cut(raw, cuts) == [(message, 0) for message in MESSAGES]


@given(
    raw=st.lists(st.sampled_from([b"a", b"\n", b"\r", b" ", b"bc", b"\xc2\x85", b"\x0c"])).map(b"".join),
    cuts=st.lists(st.integers(0, 60)),
)
def test_any_bytes_give_the_same_lines_however_cut(raw: bytes, cuts: list[int]) -> None:
    """Odd bytes too, with a limit that some lines pass."""
    assert cut(raw, cuts) == cut(raw, [])
    assert cut(raw, cuts, limit=2) == cut(raw, [], limit=2)


def test_blank_lines_are_dropped() -> None:
    """STDIO-26: empty and whitespace-only lines, ten thousand of them, are no messages."""
    assert cut(b"\n   \n\r\n" + b"\n" * 10_000 + b"a\n\t\n", [3, 5]) == [(b"a", 0)]


def test_only_lf_ends_a_line() -> None:
    """U+2028, U+0085, VT, FF and a lone CR are content."""
    line = "a\u2028b\u0085c\x0bd\x0ce\rf".encode()
    assert cut(line + b"\n", []) == [(line, 0)]


def test_past_the_limit_the_rest_is_counted_and_the_next_line_is_whole() -> None:
    """STDIO-10: one byte too many, and sync is kept."""
    raw = b"x" * 101 + b"\r\n" + b"y" * 100 + b"\nz\n"
    for step in (1, 7, 50, 1000):
        assert cut(raw, list(range(0, len(raw), step)), limit=100) == [(b"x" * 100, 2), (b"y" * 100, 0), (b"z", 0)]


def test_time_is_linear_in_one_long_line() -> None:
    """Four times the bytes must not cost sixteen times the time."""

    def cost(chunks: int) -> float:
        piece, best = b"x" * 16384, float("inf")
        for _ in range(3):
            lines = Lines(1 << 30)
            start = time.process_time()
            for _ in range(chunks):
                lines.feed(piece)
            ((line, _),) = lines.feed(b"\n")
            best = min(best, time.process_time() - start)
            assert len(line) == chunks * 16384
        return best

    small, large = cost(500), cost(2000)
    assert large < small * 10 + 0.05
