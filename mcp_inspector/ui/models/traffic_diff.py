"""What differs between two rows of traffic: their requests, and their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.schema.diff import Change, Diff, Difference, compare
from mcp_inspector.store import jsonpath
from mcp_inspector.store.redact import redact_text
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log

WORDS = {
    Change.ADDED: ("added", "ok", "plus"),
    Change.REMOVED: ("removed", "error", "x"),
    Change.CHANGED: ("changed", "warn", "pencil"),
    Change.MOVED: ("moved", "muted", "arrow-right"),
    Change.ORDER: ("order", "muted", "list"),
    Change.SPELLED: ("spelled", "muted", "text"),
    Change.SPACING: ("spacing", "muted", "text"),
}
"""The word of each kind of change, its ink and its sign."""

AT_ONCE = 32_768
"""Bytes of the larger text up to which comparing takes no longer than a frame."""

_SHORT = 400


@dataclass(frozen=True)
class Side:
    """One of the two: a row's messages, by their records' numbers; `reply` 0 where there is none."""

    log: Log
    first: int
    reply: int

    @classmethod
    def of(cls, exchanges: Exchanges, seq: int) -> Side:
        """The row that a message begins, or, for another message of a row, that one alone."""
        row = exchanges.row(seq)
        whole = exchanges.first[row] == seq
        return cls(exchanges.log, seq, exchanges.reply[row] if whole else 0)

    @property
    def name(self) -> str:
        """How it is called."""
        return f"#{self.first}"


@dataclass(frozen=True)
class Part:
    """Requests, answers or single messages compared; `missing` is a sentence where one of them is not there."""

    name: str
    diff: Diff
    missing: str = ""


@dataclass(frozen=True)
class Line:
    """One difference as it is shown; `title` is a part's name and makes a heading of it."""

    title: str = ""
    path: str = ""
    word: str = ""
    ink: str = "text"
    icon: str = ""
    before: str = ""
    after: str = ""


def size_of(older: Side, newer: Side) -> int:
    """Bytes of the largest message that is compared."""
    return max(side.log.body_size(seq) for side in (older, newer) for seq in (side.first, side.reply) if seq)


def compared(older: Side, newer: Side) -> list[Part]:
    """Compare them, message by message; for any thread."""
    paired = bool(older.reply or newer.reply)
    parts = [Part("Request" if paired else "Message", _diff(older, older.first, newer, newer.first))]
    if older.reply and newer.reply:
        parts.append(Part("Response", _diff(older, older.reply, newer, newer.reply)))
    elif paired:
        without = newer if older.reply else older
        parts.append(Part("Response", Diff(), f"{without.name} has no answer."))
    return parts


def lines_of(parts: list[Part]) -> list[Line]:
    """All differences as they are shown, each part under its heading; secrets are masked."""
    lines = []
    for part in parts:
        lines.append(Line(f"{part.name}: {part.missing or part.diff.sentence}"))
        lines += [_line(one) for one in part.diff.differences]
    return lines


def _line(one: Difference) -> Line:
    word, ink, icon = WORDS[one.change]
    path = jsonpath.spelled(list(one.path)) if one.path else "$"
    again = f" (repeated member {one.turn + 1})" if one.turn else ""
    before = jsonpath.spelled(list(one.old_path)) if one.change is Change.MOVED else _masked(path, one.before)
    return Line(
        "", path + again, word, ink, icon, before, "" if one.change is Change.MOVED else _masked(path, one.after)
    )


def _masked(path: str, text: str) -> str:
    if not text:
        return ""
    name = path.rpartition(".")[2]
    masked = redact_text(f"{name}: {text[: 2 * _SHORT]}").text
    return plain.line(masked.partition(": ")[2], _SHORT)


def _diff(older: Side, before: int, newer: Side, after: int) -> Diff:
    return compare(older.log.body(before), newer.log.body(after))
