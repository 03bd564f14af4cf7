"""Words for people: server text made safe to look at, and sizes, times and ages in one spelling."""

from __future__ import annotations

import re
import time

from mcp_inspector.ui.widgets.visible import visible

LINE = 300
"""How many characters of a server's text a single line of the window shows at most."""

_SPACES = re.compile(r"\s+")


def lines(text: str) -> str:
    """The text with every hidden character spelled out; line ends and tabs stay."""
    if text.isascii() and text.isprintable():  # nearly every name: a hundred times sooner than the expression
        return text
    return "\n".join(visible(one) for one in text.replace("\r\n", "\n").split("\n"))


def line(text: str, limit: int = LINE) -> str:
    """The same on one line, cut with an ellipsis."""
    text = text[: limit * 4]
    if not (text.isascii() and text.isprintable()):
        text = visible(_SPACES.sub(" ", text))
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"


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


def moment(wall_ns: int) -> str:
    """A moment in local time, ``2026-11-30 14:02:05``; empty for 0."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(wall_ns / 1e9)) if wall_ns else ""


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 tool``, ``3 tools``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def escape_mnemonic(text: str) -> str:
    """Text for a widget that reads ``&`` as a shortcut mark: buttons, tabs, menus."""
    return text.replace("&", "&&")
