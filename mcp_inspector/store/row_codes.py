"""The numbers behind rows, for the loop over records: an enum's member costs as much as the work it decides about."""

from __future__ import annotations

from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.rows import RowKind, RowState

MESSAGE_KINDS = {
    "request": RowKind.REQUEST,
    "notification": RowKind.NOTIFICATION,
    "response": RowKind.RESPONSE,
    "error": RowKind.RESPONSE,
    "batch": RowKind.BATCH,
    "invalid": RowKind.INVALID,
}
CHANNEL_KINDS = {
    Channel.STDERR: RowKind.STDERR,
    Channel.STDOUT: RowKind.STDOUT,
    Channel.HTTP: RowKind.HTTP,
    Channel.LIFECYCLE: RowKind.LIFECYCLE,
    Channel.AUTH: RowKind.AUTH,
}
ENDINGS = {
    "timeout": RowState.TIMED_OUT,
    "cancelled": RowState.CANCELLED,
    "lost": RowState.LOST,
    "late": RowState.LATE,
    "task completed": RowState.OK,
    "task failed": RowState.ERROR,
}
DEEPEST = 8
"""Operations within operations are told apart down to this depth; below it they count as of this one."""

FAILED_EVENTS = frozenset({"exited", "failed", "lost", "timeout"})

MESSAGE, LIFECYCLE = int(Channel.MESSAGE), int(Channel.LIFECYCLE)
SENT, RECEIVED = int(Direction.SENT), int(Direction.RECEIVED)
REQUEST, NOTIFICATION = int(RowKind.REQUEST), int(RowKind.NOTIFICATION)
RESPONSE, INVALID = int(RowKind.RESPONSE), int(RowKind.INVALID)
PENDING, OK, ERROR, FAILED_TOOL = (
    int(state) for state in (RowState.PENDING, RowState.OK, RowState.ERROR, RowState.TOOL_ERROR)
)
BAD, LATE, CANCELLED = (int(state) for state in (RowState.INVALID, RowState.LATE, RowState.CANCELLED))


def same_number(text: str) -> int | str:
    """1.0 and 1e0 name the request that 1 names; everything else is its own spelling."""
    if text[:1] in "-0123456789":
        try:
            number = float(text)
        except ValueError:
            return text
        if number.is_integer() and abs(number) < 2**53:
            return int(number)
    return text
