"""Searching through bodies: in memory, on disk, over the edges of blocks and parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_entries import entry

from mcp_inspector.store.log import Log
from mcp_inspector.store.search import Found, Needle, search

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def hits(log: Log, text: str, *, regex: bool = False, start: int = 1) -> list[int]:
    return [seq for found in search(log, Needle(text, regex), start) for seq in found.seqs]


@pytest.fixture(params=["memory", "disk"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    log = Log() if request.param == "memory" else Log.create(tmp_path)
    yield log
    log.close()


def filled(log: Log, *bodies: bytes) -> Log:
    for body in bodies:
        log.append(entry(data=body))
    log.flush()
    return log


def test_text_is_found_without_regard_to_case_and_escapes(log: Log) -> None:
    filled(log, b"A Zebra", b"", "Größe".encode(), rb'{"a":"Gr\u00f6\u00dfe"}', rb'{"a":"x\"y\n"}', b"GR\xc3\x96SSE")
    assert hits(log, "zebra") == [1]
    assert hits(log, "größe") == [3, 4, 6]
    assert hits(log, 'x"y\n') == [5]
    assert hits(log, "absent") == []


def test_text_in_facts_and_faults_is_found(log: Log) -> None:
    log.append(entry(data=b"{}", facts={"headers": [["X-Trace", "t-123"]]}))
    log.append(entry(data=b"{", faults=("is not JSON",)))
    assert hits(log, "t-123") == [1]
    assert hits(log, "NOT json") == [2]


def test_a_match_does_not_reach_from_one_record_into_the_next(log: Log) -> None:
    filled(log, b"xab", b"cdx", b"abcd", b"abab", b"cd")
    assert hits(log, "abcd") == [3]
    assert hits(log, "b.?c", regex=True) == [3]
    assert hits(log, "^ab", regex=True) == [3, 4]
    assert hits(log, "b$", regex=True) == [1, 4]


def test_a_search_starts_where_it_is_told_to(log: Log) -> None:
    filled(log, *[b"same"] * 10)
    assert hits(log, "same", start=7) == [7, 8, 9, 10]
    assert hits(log, "same", start=11) == []


def test_a_big_body_is_searched_over_the_edges_of_its_parts(log: Log) -> None:
    body = bytearray(b"." * 3_500_000)
    body[(1 << 20) - 3 : (1 << 20) + 3] = b"needle"
    body[(2 << 20) + 50 : (2 << 20) + 56] = b"needle"
    filled(log, b"before", bytes(body), b"needle", b"." * 2_000_000, b"needle")
    assert hits(log, "needle") == [2, 3, 5]
    assert hits(log, "n[e]+dle", regex=True) == [2, 3, 5]
    assert hits(log, "before") == [1]


def test_a_search_tells_how_far_it_is_and_can_be_dropped(log: Log) -> None:
    filled(log, *[b"x" * 100_000 + b"needle"] * 50)
    steps = list(search(log, Needle("needle")))
    assert len(steps) > 3
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done == steps[-1].total == 50
    assert [seq for step in steps for seq in step.seqs] == list(range(1, 51))
    half = search(log, Needle("needle"))
    assert isinstance(next(half), Found)
    half.close()
    assert log.body(1).endswith(b"needle")


def test_a_wrong_expression_is_refused() -> None:
    with pytest.raises(re.error):
        _ = Needle("a(", regex=True).pattern


@pytest.mark.parametrize(
    ("expression", "literals"),
    [
        (r"fox \w+ovr", [b"fox ", b"ovr"]),
        (r"Error.*TIMEOUT$", [b"error", b"timeout"]),
        (r"ab?c+de*f", []),
        (r"ab\x41cd", [b"ab"]),
        (r"abc|def", []),
        (r"abc(def)?ghi", [b"abc"]),
        (r"abc{2}def", [b"ab"]),
        (r"ab[]x]cd[^]x]ef[a\]b]gh", [b"ab", b"cd", b"ef", b"gh"]),
        (r"(?i)abc", []),
        (r"é+ab", []),
    ],
)
def test_the_literals_of_an_expression(expression: str, literals: list[bytes]) -> None:
    assert list(Needle(expression, regex=True).literals) == literals


pieces = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "A",
        ".",
        "\\w",
        "[ab]",
        "[^b]",
        "a*",
        "b?",
        "a+",
        "(ab)",
        "a{2}",
        "|",
        "^",
        "$",
        "\\.",
        "\\x41",
        "(?:a|b)",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=6).map("".join), st.lists(st.text("abB.k\u212a", max_size=8), max_size=12))
def test_an_expression_finds_what_it_matches(expression: str, bodies: list[str]) -> None:
    log = filled(Log(), *(body.encode() for body in bodies))
    pattern = re.compile(expression, re.IGNORECASE)
    assert hits(log, expression, regex=True) == [n for n, body in enumerate(bodies, 1) if body and pattern.search(body)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.binary(max_size=6) | st.just(b"ab" * 40_000), max_size=30),
    st.sampled_from(["a", "ab", "b a", "aba", "\x00"]),
    st.booleans(),
)
def test_hits_are_the_bodies_that_hold_it(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[bytes], text: str, on_disk: bool
) -> None:
    log = Log.create(tmp_path_factory.mktemp("session")) if on_disk else Log()
    filled(log, *bodies)
    expected = [seq for seq, body in enumerate(bodies, 1) if text.encode() in body.lower()]
    if text != "\x00":
        assert hits(log, text) == expected
        assert hits(log, re.escape(text), regex=True) == expected
    else:
        found = [seq for seq, body in enumerate(bodies, 1) if b"\x00" in body or rb"\u0000" in body]
        assert hits(log, text) == found
    log.close()
