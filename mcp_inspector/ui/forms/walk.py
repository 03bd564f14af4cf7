"""Walking through the rows of a form: all that are built, down to a place, up from a widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.ui.forms.row import FieldRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.wire.jsontext import Path


def rows_of(root: FieldRow | None) -> Iterator[FieldRow]:
    """All rows that are built, the root first."""
    todo = [root] if root is not None else []
    while todo:
        row = todo.pop()
        yield row
        panel = row.editor.panel
        if panel is not None:
            todo.extend(reversed(panel.container.rows))


def reach(root: FieldRow, path: Path) -> FieldRow:
    """The row of a place, or the nearest around it, built and unfolded."""
    row = root
    for key in path:
        if row.folded:
            row.set_folded(False)
        panel = row.editor.panel
        found = panel.container.reach(key) if panel is not None and row.has_panel else None
        if found is None:
            break
        row = found
    return row


def row_around(widget: QWidget | None) -> FieldRow | None:
    """The innermost row around a widget."""
    while widget is not None:
        if isinstance(widget, FieldRow):
            return widget
        widget = widget.parentWidget()
    return None
