"""Draws the words of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from mcp_inspector.ui.forms.row import FieldRow

_SUMMARY = 300


def paint(painter: QPainter, row: FieldRow) -> None:
    """The name, what stands beside it, the notes and the problem."""
    enabled = row.isEnabled()
    if not row.bare and row.name_edit is None:
        _name(painter, row, enabled)
    if not row.side_rect.isEmpty():
        text, tone = side_words(row)
        if text:
            measure.draw(painter, row.side_rect, text, tone, "small", wrap=False)
    if not row.problem_rect.isEmpty():
        measure.draw(painter, row.problem_rect, row.problem_shown, row.problem_tone or "error")
    if not row.note_rect.isEmpty():
        note = row.words.shown_note(in_side=row.has_panel and not row.active.heads)
        measure.draw(painter, row.note_rect, note, "muted")
        counter = row.active.counter
        if counter:
            wide = measure.width(counter, "small") + measure.GAP
            begin = row.note_rect.x() - wide if row.isRightToLeft() else row.note_rect.right()
            area = QRect(begin, row.note_rect.y(), wide, measure.text_line())
            painter.setFont(measure.font("small"))
            painter.setPen(theme.colour("muted"))
            painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), counter)
    if not row.details_rect.isEmpty():
        measure.draw(painter, row.details_rect, row.words.details, "muted", "mono", wrap=False)


def _name(painter: QPainter, row: FieldRow, enabled: bool) -> None:
    words, area = row.words, row.name_rect
    ink: measure.Ink = "old" if row.field.deprecated else "bold" if words.starred else "name"
    star = measure.width(" *", "bold") if words.starred else 0
    mirror = row.isRightToLeft()
    name = QRect(area.x() + (star if mirror else 0), area.y(), area.width() - star, area.height())
    item = isinstance(row.field.key, int)
    tone = "muted" if not enabled or (item and words.name == row.field.label) or row.field.deprecated else "text"
    measure.draw(painter, name, words.name, tone, ink, wrap=False)
    if star:
        wide = min(measure.width(words.name, ink), name.width())
        begin = area.right() + 1 - wide - star if mirror else area.x() + wide
        place = QRect(begin, area.y(), star, area.height())
        measure.draw(painter, place, " *", "accent" if enabled else "muted", "bold", wrap=False)


def side_words(row: FieldRow) -> tuple[str, str]:
    """What stands beside the name or behind the buttons: the state, what is expected, what is folded away."""
    if not row.has_panel:
        return row.active.state, "muted"
    if row.folded:
        inside = row.context.inside(row.field.path) if row.context.show_all else 0
        if inside:
            return plain.count(inside, "problem"), "error"
        node = row.context.node(row.field)
        if node is not None and node.kind in (Kind.OBJECT, Kind.ARRAY):
            return plain.line(node.raw[:_SUMMARY]), "muted"
        return row.field.absent, "muted"
    return " · ".join(filter(None, (row.editor.state, row.words.hint))), "muted"
