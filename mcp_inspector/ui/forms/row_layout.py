"""Where the parts of a row stand, for a width: the name beside its editor or above it, notes, and what is inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.forms.inputs import AreaEdit
from mcp_inspector.ui.forms.marks import SMALL, TextButton
from mcp_inspector.ui.forms.measure import GAP, GUTTER, SIDE
from mcp_inspector.ui.forms.segments import Segments, Toggles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.ui.forms.row import FieldRow

_BOX_PART = 0.42
_SHORT_NAME = 48
"""Pixels of a name that stays beside its editor in a narrow form too: the number of an item."""


def place(row: FieldRow, width: int, label: int, narrow: bool, tight: bool) -> int:
    """Place everything within a width; returns the height. `tight`: names stand above. `narrow` is for the inside."""
    line = measure.line()
    right = width - (0 if row.bare else SIDE + SMALL * len(row.buttons))
    _place_buttons(row, width, line)
    short = isinstance(row.field.key, int) and row.words.name_width() <= _SHORT_NAME
    stacked = row.bare or not row.beside or (tight and not short)
    panel = row.editor.panel if row.has_panel and not row.folded else None
    y = _place_name(row, label, right, line, stacked)
    left = GUTTER if stacked else GUTTER + label + GAP
    inner = (width - 4 if tight and stacked else right - 4) - left
    notes_first = row.has_panel and not row.active.heads
    if notes_first:
        y = _place_notes(row, left, y, inner)
    heads = [head for head in row.active.heads if not head.isHidden()]
    if heads:
        y = _place_heads(row, heads, left, y, inner)
    if not notes_first:
        y = _place_notes(row, left, y, inner)
    if panel is not None:
        y += 2 if row.bare and not heads else 5
        tall = panel.arrange(width, narrow)
        panel.setGeometry(0, y, width, tall)
        y += tall
    mirror = row.isRightToLeft()
    if row.fold_button is not None:
        row.fold_button.move(width + 3 - SMALL if mirror else -3, (line - SMALL) // 2)
    if mirror:
        _mirror(row, heads, width)
    return max(y, 0 if row.bare else line)


def _mirror(row: FieldRow, heads: Sequence[QWidget], width: int) -> None:
    """The other way round, for languages that begin at the right."""
    for widget in (row.menu_button, *row.buttons, *heads, row.name_edit):
        if widget is not None:
            widget.setGeometry(measure.mirrored(widget.geometry(), width))
    for name in ("name_rect", "side_rect", "problem_rect", "note_rect", "details_rect"):
        area: QRect = getattr(row, name)
        if not area.isEmpty():
            setattr(row, name, measure.mirrored(area, width))


def _place_buttons(row: FieldRow, width: int, line: int) -> None:
    top = (line - SMALL) // 2
    x = width - SMALL - 2
    row.menu_button.move(x, top)
    for button in reversed(row.buttons):
        x -= SMALL
        button.move(x, top)


def _place_name(row: FieldRow, label: int, right: int, line: int, stacked: bool) -> int:
    row.side_rect = QRect()
    if row.bare:
        row.name_rect = QRect()
        return 0
    if not stacked:
        row.name_rect = QRect(GUTTER, 0, label, line)
        if row.name_edit is not None:
            row.name_edit.setGeometry(GUTTER, 0, label, line)
        return 0
    if row.name_edit is not None:
        row.name_edit.setGeometry(GUTTER, 0, min(right - GUTTER - 4, 220), line)
        row.name_rect = row.name_edit.geometry()
        line += 4
    else:
        row.name_rect = QRect(GUTTER, 0, min(row.words.name_width(), right - GUTTER - 4), line)
    begin = row.name_rect.right() + 12
    row.side_rect = QRect(begin, 0, max(right - begin - 4, 0), line)
    return line


def _place_notes(row: FieldRow, left: int, y: int, room: int) -> int:
    y += 2
    row.problem_rect = row.note_rect = row.details_rect = QRect()
    if row.problem_text:
        tall = measure.height(row.problem_shown, room)
        row.problem_rect = QRect(left, y, room, tall)
        y += tall
    note = row.words.shown_note(in_side=row.has_panel and not row.active.heads)
    counter = row.active.counter
    if note or counter:
        wide = room - (measure.width(counter, "small") + GAP if counter else 0)
        tall = measure.height(note, wide) or measure.text_line()
        row.note_rect = QRect(left, y, wide, tall)
        y += tall
    if row.words.details:
        row.details_rect = QRect(left, y, room, measure.text_line())
        y += measure.text_line()
    return y


def _place_heads(row: FieldRow, heads: Sequence[QWidget], left: int, y: int, room: int) -> int:
    """Fixed ones as wide as they want to be, the last one takes the rest; they break where it gets too narrow."""
    if len(heads) == 2 and not isinstance(heads[0], TextButton) and (room < 250 or _is_tall(heads[1])):
        for head in heads:
            y += _place_head(head, left, y, room) + 4
        return y - 4
    tall, x = 0, left
    for at, head in enumerate(heads):
        wide = left + room - x
        if isinstance(head, TextButton):
            wide = min(head.sizeHint().width(), wide)
        elif at < len(heads) - 1:
            wide = min(max(head.sizeHint().width(), 90), int(room * _BOX_PART))
        tall = max(tall, _place_head(head, x, y, wide))
        x += wide + 6
    if heads and isinstance(heads[-1], TextButton):
        row.side_rect = QRect(x + 4, y, max(left + room - x - 4, 0), measure.line())
    return y + tall


def _place_head(head: QWidget, x: int, y: int, wide: int) -> int:
    tall = measure.line()
    if isinstance(head, AreaEdit):
        head.resize(wide, head.height())
        tall = head.wanted_height()
    elif isinstance(head, Segments | Toggles):
        tall = head.lay_out(wide)
    head.setGeometry(x, y, max(wide, 20), tall)
    return tall


def _is_tall(head: QWidget) -> bool:
    return isinstance(head, AreaEdit | Segments | Toggles)
