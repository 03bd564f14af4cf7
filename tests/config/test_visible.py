"""What hides in text becomes visible."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.config.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ok\x1b[2K\x1b[1A", r"ok\x1b[2K\x1b[1A"),
        ("\x1b]52;c;ZWNobw==\x07", r"\x1b]52;c;ZWNobw==\x07"),
        ("a\u202eb", r"a\u202eb"),
        ("\u2066a\u200bb", r"\u2066a\u200bb"),
        ("\U000e0041\U000e0042", r"\U000e0041\U000e0042"),
        ("line1\rline2", r"line1\rline2"),
        ("nul\x00byte", r"nul\x00byte"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\ufeffx\ud800", r"\ufeffx\ud800"),
        ("x" + "\u0301" * 30, "x" + "\u0301" * 4 + "[+26 marks]"),
        ("é ß 日本 עברית عربي", "é ß 日本 עברית عربي"),
        ("❤️ 👨‍👩‍👧 1️⃣", "❤️ 👨‍👩‍👧 1️⃣"),
        ("a\ufe0fb\u200dc", r"a\ufe0fb\u200dc"),
        ("😀\ufe0f\ufe01\ufe0f", "😀\ufe0f\\ufe01\\ufe0f"),
    ],
)
def test_sec_04_hidden_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    """SEC-04: nothing hides, moves or disguises text; ordinary text of any script stays."""
    assert visible(text) == shown


def test_kept_characters_stay() -> None:
    assert visible("a\nb\tc\x07", keep="\n\t") == "a\nb\tc\\x07"


@given(st.text())
def test_nothing_that_controls_a_terminal_is_left(text: str) -> None:
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", visible(text))


def test_a_heap_of_marks_is_quick() -> None:
    """SEC-04: no hang with combining marks."""
    begin = time.process_time()
    assert visible("e" + "\u0301" * 1_000_000).endswith("[+999996 marks]")
    assert time.process_time() - begin < 5
