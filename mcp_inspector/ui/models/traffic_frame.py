"""What a line of an operation says: one message, event or HTTP head within it, as cells like those of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.traffic_row import Look, RowText, clock

if TYPE_CHECKING:
    from mcp_inspector.store.log import Log

_PROGRESS: Final = "notifications/progress"
_READ: Final = 4_000
_SHORT: Final = 300


class _Params(msgspec.Struct):
    progress: Any = None
    total: Any = None
    message: Any = None


class _Progress(msgspec.Struct):
    params: _Params | None = None


_progress = msgspec.json.Decoder(_Progress)


def frame_text(log: Log, seq: int, start_ns: int) -> RowText:
    """The cells of one message; `start_ns` is when its operation began, on the monotonic clock."""
    columns, index = log.columns, seq - 1
    channel = Channel(columns.channel[index])
    direction = Direction(columns.direction[index])
    kind = columns.kinds.texts[columns.kind[index]]
    method = columns.methods.texts[columns.method[index]]
    note, ink = plain.line(log.note(seq), _SHORT), "muted"
    word, target = kind, ""
    icon = {Direction.SENT: "arrow-right", Direction.RECEIVED: "arrow-left", Direction.LOCAL: "info"}[direction]
    if channel is Channel.MESSAGE and kind == "notification":
        word = "progress" if method == _PROGRESS else method
        target, note = _progress_words(log, seq) if method == _PROGRESS else ("", note)
    elif channel is Channel.HTTP:
        status = columns.status[index]
        word, icon = f"HTTP {kind}", "globe"
        note = f"{status} {note}".strip() if status > 0 else note
    elif kind in ("error", "timeout", "lost", "invalid", "task failed"):
        ink = "error"
    if columns.faults[index]:
        note = " · ".join(filter(None, (plain.count(columns.faults[index], "finding"), note)))
        ink = "warn"
    since = columns.mono_ns[index] - start_ns
    return RowText(
        str(seq),
        clock(columns.wall_ns[index]),
        "",
        Look(f"{kind}, {direction.name.lower()}", "error" if ink == "error" else "muted", icon),
        plain.line(word, _SHORT),
        target,
        Look("", "muted", ""),
        f"+{plain.elapsed(max(since, 0))}" if since > 0 else "",
        -1,
        plain.size(columns.size[index]) if columns.size[index] else "",
        note,
        ink,
        False,
        "muted",
    )


def _progress_words(log: Log, seq: int) -> tuple[str, str]:
    """How far, and what was said of it."""
    try:
        params = _progress.decode(log.body_part(seq, 0, _READ)).params
    except (msgspec.MsgspecError, RecursionError):
        return "", ""
    if params is None:
        return "", ""
    done = "" if params.progress is None else f"{params.progress}" + (f" of {params.total}" if params.total else "")
    said = params.message if isinstance(params.message, str) else ""
    return plain.line(done, _SHORT), plain.line(said, _SHORT)
