"""What keys do in the traffic table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from mcp_inspector.ui.views.traffic_table import TrafficTable

DEEDS: Final = {
    **{str(number): f"colour {number}" for number in range(7)},
    "m": "comment",
    "b": "pin",
    "f": "follow",
    "t": "reference",
    "r": "resend",
    "e": "edit",
    "d": "duplicate",
    "c": "compare",
    "g": "group",
}
"""What letters and digits do with the selection."""
_ALWAYS: Final = "g"


def pressed(table: TrafficTable, event: QKeyEvent) -> bool:
    """Do what a key says; False when it says nothing here."""
    key, text = Qt.Key(event.key()), event.text()
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    by = 0 if control else _steps(table).get(key, 0)
    if by:
        step(table, by, extend=shift)
    elif control and key == Qt.Key.Key_C:
        table.copy_wanted.emit("markdown" if shift else "json")
    elif not control and key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and table.key != -1:
        open_or_close(table, key == Qt.Key.Key_Right)
    elif text == " " and table.key != -1:
        open_or_close(table)
    elif control and key == Qt.Key.Key_Z:
        table.done_wanted.emit("undo")
    elif not control and text in DEEDS and (table.key != -1 or text in _ALWAYS):
        table.done_wanted.emit(DEEDS[text])
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and table.current >= 0:
        table.activated.emit(table.current)
    elif text in ("[", "]"):
        table.part_wanted.emit("request" if text == "[" else "response")
    elif text == "/":
        table.filter_wanted.emit()
    elif key == Qt.Key.Key_Escape and table.key != -1:
        table.select(-1)
    else:
        return False
    return True


def _steps(table: TrafficTable) -> dict[Qt.Key, int]:
    page = max(1, table.rows_seen() - 1)
    everything = 2**31
    return {
        Qt.Key.Key_Up: -1,
        Qt.Key.Key_K: -1,
        Qt.Key.Key_Down: 1,
        Qt.Key.Key_J: 1,
        Qt.Key.Key_PageUp: -page,
        Qt.Key.Key_PageDown: page,
        Qt.Key.Key_Home: -everything,
        Qt.Key.Key_End: everything,
    }


def open_or_close(table: TrafficTable, on: bool | None = None, *, all_below: bool = False) -> None:
    """Show what lies below the current row, or hide it; of a single message its row."""
    key = table.key if table.model.can_open(table.key) else table.current
    if not table.model.can_open(key):
        return
    wanted = not table.model.outline.is_open(key) if on is None else on
    if not wanted and key != table.key:
        table.select(key)
    if wanted != table.model.outline.is_open(key) or all_below:
        table.model.set_open(key, wanted, all_below=all_below)
    elif not wanted and (above := table.model.exchanges.parent[key]):
        table.select(above - 1)


def step(table: TrafficTable, by: int, *, extend: bool) -> None:
    """Move the current row by places, within what is shown; moving to the end follows what comes."""
    if not len(table.model):
        return
    if table.key == -1:
        place = table.verticalScrollBar().value() if abs(by) < len(table.model) else (0 if by < 0 else by - 1)
    else:
        place = table.place_or_near(table.key) + by
    place = min(max(place, 0), len(table.model) - 1)
    table.select(table.model.key(place), extend=extend)
    table.set_follow(place == len(table.model) - 1 and by > 0)
