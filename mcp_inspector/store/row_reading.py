"""Makes one row from the columns, when it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.store.columns import NO_STATUS
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.rows import Exchange, RowKind, RowState

if TYPE_CHECKING:
    from mcp_inspector.store.exchanges import Exchanges


def read_row(rows: Exchanges, row: int) -> Exchange:
    """One row. Raises `IndexError`."""
    log, columns = rows.log, rows.log.columns
    if not 0 <= row < len(rows):
        raise IndexError(f"there is no row {row}")
    first, reply, note = rows.first[row], rows.reply[row], rows.note[row]
    index = first - 1
    state, elapsed = RowState(rows.state[row]), rows.elapsed_ns[row]
    status = columns.status[(reply or first) - 1]
    return Exchange(
        row,
        RowKind(rows.kind[row]),
        state,
        columns.servers.texts[columns.server[index]],
        columns.connection[index],
        Channel(columns.channel[index]),
        Direction(columns.direction[index]),
        columns.methods.texts[columns.method[index]],
        columns.targets.texts[columns.target[index]],
        columns.id_text(index),
        None if status == NO_STATUS else status,
        first,
        reply,
        rows.last[row],
        columns.wall_ns[index],
        columns.mono_ns[index],
        None if elapsed < 0 else elapsed,
        rows.size[row],
        rows.progress[row],
        rows.cancels[row],
        rows.late[row],
        rows.faults[row],
        log.note(note) if note else "",
        rows.parent[row] - 1,
        rows.depth(row),
    )
