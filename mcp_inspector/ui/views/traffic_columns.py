"""The columns of the traffic table: what they are called, and how wide they are."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple


class Column(IntEnum):
    """What a column shows."""

    SEQ = 0
    TIME = 1
    SERVER = 2
    KIND = 3
    METHOD = 4
    TARGET = 5
    STATUS = 6
    LATENCY = 7
    SIZE = 8
    NOTE = 9
    DELTA = 10
    SINCE = 11


class About(NamedTuple):
    """Title, help, and widths in characters: what a column needs at least, and what it would like to have."""

    title: str
    least: int
    characters: int
    help: str
    right: bool = False
    mono: bool = False


ABOUT: Final = {
    Column.SEQ: About("#", 5, 7, "Number of the first message, over all servers", right=True, mono=True),
    Column.TIME: About("time", 13, 13, "When the first byte was read or written", mono=True),
    Column.SERVER: About("server", 7, 12, "The server it came from or went to"),
    Column.KIND: About("⇄", 4, 4, "Direction or kind: → sent, ← received"),
    Column.METHOD: About("method", 16, 24, "Method, or what happened"),
    Column.TARGET: About("target", 12, 30, "Tool, prompt, URI or URL"),
    Column.STATUS: About("status", 11, 12, "How it stands or ended"),
    Column.LATENCY: About("latency", 8, 10, "Request written to answer read, at transport", right=True, mono=True),
    Column.SIZE: About("size", 8, 9, "Bytes of request and answer", right=True, mono=True),
    Column.NOTE: About("note", 9, 26, "Findings, marks, and what was said"),
    Column.DELTA: About("delta", 8, 9, "Time since the row above", right=True, mono=True),
    Column.SINCE: About("since", 9, 10, "Time since the reference row, or the first", right=True, mono=True),
}
"""Titles and widths, in characters: what a column needs at least, and what it would like to have."""

MOST: Final = {
    Column.METHOD: 28,
    Column.SERVER: 18,
    Column.SEQ: 7,
    Column.TARGET: 48,
    Column.NOTE: 40,
}
"""The columns that are as wide as what stands in them, up to so many characters."""

AT_FIRST_HIDDEN: Final = frozenset({Column.DELTA, Column.SINCE})
_PATH: Final = About("", 8, 18, "A value of the message, by its path", mono=True)
MOST_PATHS: Final = 8
"""How many columns of one's own there can be."""


def about(column: int) -> About:
    """Title and widths of a column, also of one of the person's own."""
    return ABOUT[Column(column)] if column < len(Column) else _PATH


PADDING: Final = 0.75
AROUND: Final = 1
STEP_BACK: Final = (Column.SIZE, Column.SEQ, Column.TIME, Column.NOTE)

CHEVRON: Final = 20
"""Width (px) of what opens a row, at the beginning of its direction."""


class Spot(NamedTuple):
    """A column as it stands now: where it begins and how wide it is, in pixels of the viewport."""

    column: int
    x: int
    width: int
