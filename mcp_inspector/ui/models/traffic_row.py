"""What one row of the traffic says, in words: made when the row is looked at."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from mcp_inspector.store.exchanges import RowKind, RowState
from mcp_inspector.store.marks import NONE, Mark
from mcp_inspector.store.record import Direction
from mcp_inspector.store.redact import redact_text
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.store.exchanges import Exchange
    from mcp_inspector.store.log import Log

_LISTEN: Final = "subscriptions/listen"
_EVENT_ICONS: Final = {
    "started": ("play", "muted"),
    "exited": ("octagon-x", "error"),
    "shutdown": ("power", "muted"),
    "connected": ("plug", "ok"),
    "failed": ("circle-x", "error"),
    "lost": ("unplug", "error"),
    "timeout": ("clock", "error"),
    "cancelled": ("ban", "warn"),
    "late": ("clock", "warn"),
    "warning": ("triangle-alert", "warn"),
}
_KIND_ICONS: Final = {
    RowKind.RESPONSE: ("arrow-left", "warn"),
    RowKind.BATCH: ("list", "text"),
    RowKind.INVALID: ("triangle-alert", "error"),
    RowKind.STDERR: ("terminal", "muted"),
    RowKind.STDOUT: ("square-terminal", "warn"),
    RowKind.AUTH: ("key-round", "muted"),
}
_STATES: Final = {
    RowState.PENDING: ("pending", "accent", "loader"),
    RowState.OK: ("ok", "ok", ""),
    RowState.ERROR: ("error", "error", "circle-x"),
    RowState.TOOL_ERROR: ("tool error", "error", "circle-x"),
    RowState.CANCELLED: ("cancelled", "warn", "ban"),
    RowState.TIMED_OUT: ("timed out", "error", "clock"),
    RowState.LOST: ("lost", "error", "unplug"),
    RowState.INVALID: ("invalid", "error", "triangle-alert"),
    RowState.LATE: ("late answer", "warn", "clock"),
    RowState.INFO: ("", "muted", ""),
}
_SHORT: Final = 300


class Look(NamedTuple):
    """A word with its ink and, where the word is not enough at a glance, an icon."""

    word: str
    ink: str
    icon: str


class RowText(NamedTuple):
    """The cells of a row. `spread` says that the note may use the cells from the target on, which are empty."""

    seq: str
    time: str
    server: str
    kind: Look
    method: str
    target: str
    status: Look
    latency: str
    elapsed_ns: int
    size: str
    note: str
    note_ink: str
    spread: bool
    ink: str
    depth: int = 0
    opens: int = 0
    """What stands before it: 0 nothing, 1 that it can be opened, 2 that it is open."""
    delta: str = ""
    since: str = ""
    more: tuple[str, ...] = ()
    """The cells of the person's own columns."""
    mark: Mark = NONE


def event(log: Log, exchange: Exchange) -> str:
    """The word of a row that is no message: started, exited, connected, request, response, …"""
    return log.columns.kinds.texts[log.columns.kind[exchange.first - 1]]


def row_text(log: Log, exchange: Exchange, now_ns: int = 0, findings: int = 0) -> RowText:
    """All cells of a row; `now_ns`, of the monotonic clock, is for the running time of what is pending.

    `findings` is how much the rules have found wrong with it.
    """
    word = event(log, exchange)
    kind = kind_look(exchange, word)
    status = status_look(exchange, word)
    pending = exchange.state is RowState.PENDING
    elapsed = exchange.elapsed_ns
    if pending and now_ns and exchange.method != _LISTEN and not (exchange.parent >= 0 and exchange.reply):
        elapsed = max(0, now_ns - exchange.mono_ns)
    target = plain.line(exchange.target, _SHORT)
    if exchange.kind is RowKind.HTTP:
        target = redact_text(target).text
    if exchange.progress:
        target = f"{target} · {exchange.progress} progress" if target else f"{exchange.progress} progress"
    line = exchange.kind in (RowKind.STDERR, RowKind.STDOUT)
    note, note_ink = _note(exchange, line, findings)
    if not target and elapsed is None and (line or exchange.kind is RowKind.LIFECYCLE):
        # What was said has the whole row, and how it ended stands before it; the sign of the row has the colour.
        said = status.word if status.word not in ("", word, "invalid") else ""
        note = f"{said} · {note}" if said and note else said or note
        note_ink = status.ink if status.word and not line else note_ink
        status = Look("", status.ink, "")
    spread = bool(note) and not target and not status.word and elapsed is None
    return RowText(
        str(exchange.first),
        clock(exchange.wall_ns),
        plain.line(exchange.server, _SHORT),
        kind,
        _method(exchange, word),
        target,
        status,
        "" if elapsed is None else plain.elapsed(elapsed),
        -1 if elapsed is None else elapsed,
        "" if line or not exchange.size else plain.size(exchange.size),
        note,
        note_ink,
        spread,
        "muted" if exchange.kind in (RowKind.STDERR, RowKind.HTTP, RowKind.LIFECYCLE) else "text",
    )


def _method(exchange: Exchange, word: str) -> str:
    kind = exchange.kind
    if kind is RowKind.STDERR:
        return "stderr"
    if kind is RowKind.STDOUT:
        return "stray stdout"
    if kind is RowKind.HTTP:
        return plain.line(f"HTTP {exchange.method}" if exchange.method else f"HTTP {word}", _SHORT)
    if kind in (RowKind.LIFECYCLE, RowKind.AUTH):
        return plain.line(word, _SHORT)
    return plain.line(exchange.method, _SHORT) or word


def kind_look(exchange: Exchange, word: str) -> Look:
    """The sign of a row with the words that explain it."""
    kind = exchange.kind
    if kind in (RowKind.REQUEST, RowKind.NOTIFICATION):
        ours = exchange.direction is Direction.SENT
        icon = "arrow-right" if ours else "arrow-left"
        ink = "muted" if kind is RowKind.NOTIFICATION else "text" if ours else "accent"
        return Look(f"{kind.name.lower()}, {'sent' if ours else 'received'}", ink, icon)
    if kind is RowKind.LIFECYCLE:
        icon, ink = _EVENT_ICONS.get(word, ("info", "muted"))
        return Look(word, "muted" if word == "exited" and exchange.status == 0 else ink, icon)
    if kind is RowKind.HTTP:
        icon = {"request": "arrow-right", "response": "arrow-left"}.get(word, "globe")
        return Look(f"HTTP {word}", "muted", icon)
    icon, ink = _KIND_ICONS[kind]
    words = {RowKind.STDERR: "stderr", RowKind.STDOUT: "stray stdout"}
    return Look(words.get(kind, kind.name.lower()), ink, icon)


def status_look(exchange: Exchange, word: str = "") -> Look:
    """How a row stands, in words."""
    text, ink, icon = _STATES[exchange.state]
    if exchange.state is RowState.PENDING:
        if exchange.method == _LISTEN:
            return Look("open", "muted", "")
        if exchange.direction is Direction.RECEIVED:
            return Look("waiting", "warn", "clock")
        if exchange.reply:
            # It was answered, with something that is not the end.
            return Look("goes on", ink, icon)
        return Look("running" if exchange.progress else text, ink, icon)
    if exchange.kind is RowKind.HTTP:
        bad = exchange.state is RowState.ERROR
        return Look(
            "" if exchange.status is None else str(exchange.status), "error" if bad else ink, icon if bad else ""
        )
    if exchange.kind is RowKind.LIFECYCLE and word == "exited" and exchange.status is not None:
        return Look(f"code {exchange.status}", ink, icon)
    if exchange.kind is RowKind.LIFECYCLE:
        return Look("failed" if exchange.state is RowState.ERROR else "", ink, icon)
    if exchange.state is RowState.ERROR and exchange.status is not None:
        return Look(f"error {exchange.status}", ink, icon)
    return Look(text, ink, icon)


def _note(exchange: Exchange, line: bool, findings: int) -> tuple[str, str]:
    parts = []
    if found := findings or exchange.faults:
        parts.append(plain.count(found, "finding"))
    if exchange.late:
        parts.append(plain.count(exchange.late, "late answer"))
    bad = exchange.state in (RowState.ERROR, RowState.LOST, RowState.TIMED_OUT, RowState.INVALID)
    ink = "warn" if parts else "error" if bad and not line else "muted"
    # Of an HTTP status that is as it should be, the reason says nothing.
    if exchange.note and not (exchange.kind is RowKind.HTTP and exchange.status is not None and exchange.status < 300):
        # Of a line the text comes first: it is what one reads.
        parts.insert(0 if line else len(parts), plain.line(exchange.note, _SHORT))
    return " · ".join(parts), ink


@lru_cache(maxsize=512)
def _second(seconds: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(seconds))


def clock(wall_ns: int) -> str:
    """Local time of day with milliseconds."""
    return f"{_second(wall_ns // 1_000_000_000)}.{wall_ns // 1_000_000 % 1000:03d}"


def moment(wall_ns: int) -> str:
    """Local date and time with microseconds."""
    shown = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(wall_ns // 1_000_000_000))
    return f"{shown}.{wall_ns // 1000 % 1_000_000:06d}"
