"""Full text over the bytes of a session, in pieces, so that it can show progress and be dropped half-way."""

from __future__ import annotations

import json
import re
import warnings
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.store.log import Log, Run

_STEP_BYTES = 1_000_000
_OVERLAP_BYTES = 65_536


@dataclass(frozen=True)
class Found:
    """One step of a search: the records hit in it, ascending, and how far it is: `done` of `total` records."""

    seqs: tuple[int, ...]
    done: int
    total: int


@dataclass(frozen=True)
class Needle:
    """What is looked for: plain text, or a regular expression. Without regard to case.

    Plain text is also found where JSON text spells it with escapes. Case is ignored for ASCII letters, and for others
    where the whole text is in lower, upper or title case. An expression sees each body by itself, as text.
    """

    text: str
    regex: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression. Raises `re.error`."""
        with warnings.catch_warnings():
            # Odd but legal sets, such as `[[a]`, are the person's own business.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(self.text if self.regex else re.escape(self.text), re.IGNORECASE)

    @cached_property
    def literals(self) -> tuple[bytes, ...]:
        """ASCII texts in lower case that everything an expression matches must hold; empty where none is sure."""
        return _literals(self.text) if self.regex else ()

    @cached_property
    def spellings(self) -> tuple[bytes, ...]:
        """The byte strings, ASCII letters in lower case, one of which the lower-cased bytes must hold."""
        found: dict[bytes, None] = {}
        for text in (self.text, self.text.lower(), self.text.upper(), self.text.title()):
            for spelled in (text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]):
                found[spelled.encode("utf-8", "surrogatepass").lower()] = None
        return tuple(found)

    def matches(self, text: str) -> bool:
        """Whether a short text holds it."""
        return self.pattern.search(text) is not None

    def is_in(self, data: bytes) -> bool:
        """Whether bytes hold it."""
        if self.regex:
            return self.matches(data.decode("utf-8", "surrogateescape"))
        low = data.lower()
        return any(spelling in low for spelling in self.spellings)


def search(log: Log, needle: Needle, start: int = 1) -> Iterator[Found]:
    """Look through bodies, facts and faults of all records from `start` on, as the log stands when it begins.

    About 1 GB a second for plain text; an expression needs some microseconds a record, and a match in a body of more
    than 1 MB must be shorter than 64 KiB. The last step has `done` equal to `total`. Raises `re.error` and, for a
    damaged file, `sqlite3.Error`.
    """
    total = len(log)
    hits: list[int] = []
    size = 0
    before = b""
    for run in log.runs(start):
        if run.whole:
            hits += _hits(run, needle, start)
        else:
            if run.offset == 0:
                before = b""
            if run.seq >= start and (not hits or hits[-1] != run.seq) and needle.is_in(before + run.data):
                hits.append(run.seq)
            before = run.data[-_OVERLAP_BYTES:]
        size += len(run.data)
        if size >= _STEP_BYTES:
            # A record's hit stays back while more parts of it may come, so that none is told twice.
            told = [seq for seq in hits if seq != run.seq or run.whole]
            hits = hits[len(told) :]
            yield Found(tuple(told), min(max(run.seq - 1, 0), total), total)
            size = 0
    yield Found(tuple(hits), total, total)


def _hits(run: Run, needle: Needle, start: int) -> list[int]:
    """The records of a run that hold the needle, ascending."""
    found = _regex_slots(run, needle) if needle.regex else _plain_slots(run, needle)
    return [run.seq + slot for slot in sorted(found) if run.seq + slot >= start]


def _plain_slots(run: Run, needle: Needle) -> set[int]:
    low = run.data.lower()
    found: set[int] = set()
    for spelling in needle.spellings:
        place = low.find(spelling)
        while place >= 0:
            text = bisect_right(run.ends, place)
            if place + len(spelling) <= run.ends[text]:
                found.add(text // 2)
                place = low.find(spelling, run.ends[text | 1])
            else:
                place = low.find(spelling, place + 1)
    return found


def _regex_slots(run: Run, needle: Needle) -> set[int]:
    """An expression costs ten times a plain search: it only runs where its literals are."""
    look, literals = needle.pattern.search, needle.literals
    found: set[int] = set()
    low = run.data.lower() if literals and run.data.isascii() else None
    if low is not None and not all(literal in low for literal in literals):
        return found
    begin = 0
    for text, end in enumerate(run.ends):
        likely = low is None or all(low.find(literal, begin, end) >= 0 for literal in literals)
        if likely and end > begin and look(run.data[begin:end].decode("utf-8", "surrogateescape")):
            found.add(text // 2)
        begin = end
    return found


_PIECE = re.compile(
    r"""(?P<literal>[A-Za-z0-9 _"',:;=<>/@%&~#!-])(?P<many>[*?{]|\+)?  # one character, and whether it must be there
    | (?P<other>\\[^xuUN0-9] | \[\^?\]?(?:\\.|[^\]\\])*\] | [.^$*+?}])      # something that ends a run of literals
    """,
    re.VERBOSE | re.DOTALL,
)


def _literals(expression: str) -> tuple[bytes, ...]:
    """Read an expression from the left for as long as it is simple: no groups, no alternatives, no counts."""
    runs = [""]
    at = 0
    while at < len(expression):
        piece = _PIECE.match(expression, at)
        if piece is None or piece["many"] == "{":
            break
        at = piece.end()
        if piece["literal"] is None or piece["many"] in ("*", "?"):
            runs.append("")
            continue
        runs[-1] += piece["literal"].lower()
        if piece["many"] == "+":
            runs.append("")
    if "|" in expression:
        return ()
    return tuple(run.encode() for run in runs if len(run) > 1)
