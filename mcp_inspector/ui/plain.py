"""Words for people: server text made safe to look at, and sizes, times and ages in one spelling."""

from __future__ import annotations

import re

LINE = 300
"""How many characters of a server's text a single line of the window shows at most."""

# Controls, bidirectional overrides and marks, zero-width and invisible characters, tags, lone surrogates: all can hide
# or forge text. Line end and tab stay. Variation selectors and joiners stay too: emoji and many scripts need them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MARKS = re.compile(f"({_MARK}{{8}}){_MARK}+")
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """The text with every hidden character spelled out, and piles of combining marks cut to eight."""
    if text.isascii() and text.isprintable():  # nearly every name: a hundred times sooner than the expressions
        return text
    return _MARKS.sub(r"\1…", _HIDDEN.sub(_spell, text.replace("\r\n", "\n")))


def line(text: str, limit: int = LINE) -> str:
    """The same on one line, cut with an ellipsis."""
    text = _SPACES.sub(" ", visible(text[: limit * 4])).strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _spell(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"⟨U+{code:04X}⟩"


def size(count: int) -> str:
    """Bytes in words: ``318 B``, ``9.8 KB``, ``1.1 MB``."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("KB", "MB", "GB"):
        value /= 1000
        if value < 999.5 or unit == "GB":
            break
    return f"{value:.1f} {unit}" if value < 99.95 else f"{value:.0f} {unit}"


def elapsed(ns: int) -> str:
    """A duration: ``0.42 ms``, ``12.4 ms``, ``318 ms``, ``2.1 s``, ``3 min 5 s``."""
    ms = ns / 1e6
    if ms < 1:
        return f"{ms:.2f} ms"
    if ms < 100:
        return f"{ms:.1f} ms"
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    return f"{int(ms // 60_000)} min {int(ms % 60_000 // 1000)} s"


def ago(seconds: float) -> str:
    """An age: ``just now``, ``40 s ago``, ``3 min ago``, ``2 h ago``, ``5 days ago``."""
    if seconds < 5:
        return "just now"
    if seconds < 90:
        return f"{seconds:.0f} s ago"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min ago"
    if seconds < 2 * 86_400:
        return f"{seconds / 3600:.0f} h ago"
    return f"{seconds / 86_400:.0f} days ago"


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 tool``, ``3 tools``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def escape_mnemonic(text: str) -> str:
    """Text for a widget that reads ``&`` as a shortcut mark: buttons, tabs, menus."""
    return text.replace("&", "&&")
