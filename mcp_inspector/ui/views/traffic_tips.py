"""What a row of traffic says when it is pointed at, and to those who hear it read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.ui.models.traffic_outline import seq_of
from mcp_inspector.ui.models.traffic_row import moment
from mcp_inspector.ui.views.traffic_columns import Column
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.ui.models.traffic import TrafficModel
    from mcp_inspector.ui.models.traffic_row import RowText


def spoken(text: RowText) -> str:
    """The cells of a row in a sentence, the empty ones left out."""
    opens = {1: "can be opened", 2: "opened"}.get(text.opens, "")
    parts = (text.seq, text.server, text.kind.word, text.method, text.target, text.status.word, text.note, opens)
    return ", ".join(part for part in parts if part)


def tip(model: TrafficModel, key: int, text: RowText, column: int, is_cut: Callable[[str], bool]) -> str:
    """What the cell in a column has no room for, or does not say; empty where it says all."""
    seq = seq_of(key)
    if text.spread and column >= Column.TARGET:
        return tooltip(text.note if seq else model.exchanges[key].note or text.note)
    if column == Column.TIME:
        wall = model.log.columns.wall_ns[seq - 1] if seq else model.exchanges[key].wall_ns
        return tooltip(moment(wall))
    if column in (Column.KIND, Column.NOTE):
        return tooltip(text.kind.word if column == Column.KIND else text.note)
    if column >= len(Column):
        shown = text.more[column - len(Column)] if column - len(Column) < len(text.more) else ""
    else:
        cells = {Column.SERVER: text.server, Column.METHOD: text.method, Column.TARGET: text.target}
        shown = cells.get(Column(column), "")
    return tooltip(shown) if is_cut(shown) else ""
