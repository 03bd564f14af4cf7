"""Finds fields of a form by name, title and description: a line above the form, shown for long ones and at F3."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.forms.marks import IconButton
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.wire.jsontext import Node, Path

_DEEPEST = 6
_SECONDS = 0.15
_INSIDE = (FieldKind.OBJECT, FieldKind.MAP, FieldKind.ARRAY, FieldKind.TUPLE)


def search(root: Field, node: Node | None, typed: str) -> tuple[set[Path], set[Path], bool]:
    """The fields whose words have all that is typed: their paths, the paths of what is around them, and whether
    the whole form was looked through in time."""
    wanted = typed.casefold().split()
    found: set[Path] = set()
    end = time.perf_counter() + _SECONDS
    for field in _fields(root, node, 0):
        if time.perf_counter() > end:
            break
        text = f"{field.label} {field.title} {field.description}".casefold()
        if field.path and all(word in text for word in wanted):
            found.add(field.path)
    else:
        end = 0.0
    around = {path[:length] for path in found for length in range(len(path))}
    return found, around, end == 0.0


def _fields(field: Field, node: Node | None, depth: int) -> Iterator[Field]:
    """All fields, those around first; what is not there yet is followed only so deep, since it may be endless."""
    yield field
    if depth > _DEEPEST:
        return
    if field.kind is FieldKind.UNION:
        at = field.detect(node)
        if at is not None:
            yield from _fields(field.branch(at), node, depth + 1)
        return
    if field.kind not in _INSIDE:
        return
    there = node if node is not None and node.kind in (Kind.OBJECT, Kind.ARRAY) else None
    for child in field.children(there):
        yield from _fields(child, there.get(child.key) if there is not None else None, depth + 1)


class FindBar(QWidget):
    """The line. `changed` tells what is typed, `entered` that the person goes on to what was found."""

    changed = Signal(str)
    entered = Signal()
    closed = Signal()
    fold_wanted = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self.setAutoFillBackground(True)
        self.edit = SearchEdit("Find a field")
        self.edit.setToolTip("By name, title and description (F3)")
        self.count = ElidedLabel(tone="muted", size="small")
        self.fold = IconButton(self, "chevron-right", "Fold all", lambda: self.fold_wanted.emit(True))
        self.unfold = IconButton(self, "chevron-down", "Unfold all", lambda: self.fold_wanted.emit(False))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 6, 10, 2)
        layout.setSpacing(6)
        layout.addWidget(self.edit, 1)
        layout.addWidget(self.count)
        layout.addWidget(self.fold)
        layout.addWidget(self.unfold)
        self.edit.textChanged.connect(self.changed)
        self.edit.submitted.connect(self.entered)
        self.edit.left.connect(self.closed)
        self.hide()

    def tell(self, found: int, complete: bool) -> None:
        """How many fields were found."""
        more = "" if complete else " and perhaps more"
        self.count.setText(f"{plain.count(found, 'field')}{more}" if self.edit.text().strip() else "")
        self.edit.set_problem("" if found or not self.edit.text().strip() else "No field has these words")
