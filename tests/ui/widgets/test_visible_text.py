"""Hidden characters are shown, and the way back to the real text is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.ui.widgets.visible import Shown, name, tooltip, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcödé 漢字", "plain ünïcödé 漢字"),
        ("a\u202eb", "a⟨202E⟩b"),
        ("zero\u200bwidth", "zero⟨200B⟩width"),
        ("tag\U000e0041", "tag⟨E0041⟩"),
        ("\x1b[31m", "⟨ESC⟩[31m"),
        ("two\nlines", "two↵lines"),
        ("nbsp\u00a0", "nbsp⟨A0⟩"),
        ("\x00\x7f", "⟨NUL⟩⟨7F⟩"),
        (b"\xff".decode("utf-8", "surrogateescape"), "⟨xFF⟩"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


@given(st.text(st.characters(codec=None, categories=("L", "N", "Cc", "Cf", "Cs", "So", "Zs"))))
def test_every_character_is_found_again_where_it_is_drawn(text):
    shown = Shown(text)
    for index in range(len(text)):
        assert shown.index(shown.place(index)) == index
    units = len(shown.text.encode("utf-16-le", "surrogatepass")) // 2
    assert shown.place(len(text)) == units


def test_a_tooltip_shows_markup_as_it_is():
    shown = tooltip("<b>bold</b> & <img src='file:///etc/passwd'>\nsecond")
    assert "<b>" not in shown
    assert "<img" not in shown
    assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in shown
    assert tooltip("") == ""


def test_names():
    assert name("\u202e") == "U+202E RIGHT-TO-LEFT OVERRIDE"
    assert name("\udcff") == "byte 0xFF, not UTF-8"
