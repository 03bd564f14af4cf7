"""Finds fields of a form by name, title and description: a line above the form, shown for long ones and at F3."""

from __future__ import annotations

import itertools
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
_MOST = 30_000
"""Fields that are looked through at most."""
_INSIDE = (FieldKind.OBJECT, FieldKind.MAP, FieldKind.ARRAY, FieldKind.TUPLE)


class Search:
    """Looks for the fields whose words have all that is typed, a slice at a time.

    `found` has their paths, `around` those of what is around them.
    """

    def __init__(self, root: Field, node: Node | None, typed: str) -> None:
        self._wanted = typed.casefold().split()
        self._left: Iterator[Field] = itertools.islice(_fields(root, node, 0), _MOST)
        self.found: set[Path] = set()
        self.around: set[Path] = set()
        self.done = False

    def step(self, seconds: float) -> None:
        """Go on for this long."""
        end = time.perf_counter() + seconds
        for field in self._left:
            text = f"{field.label} {field.title} {field.description}".casefold()
            if field.path and all(word in text for word in self._wanted):
                self.found.add(field.path)
                self.around.update(field.path[:length] for length in range(len(field.path)))
            if time.perf_counter() > end:
                return
        self.done = True

    def matches(self, path: Path) -> bool:
        """Whether a field was found, is around one that was, or inside one."""
        if path in self.found or path in self.around:
            return True
        return any(path[:length] in self.found for length in range(1, len(path)))


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

    def tell(self, found: int, *, done: bool) -> None:
        """How many fields were found so far."""
        typed = bool(self.edit.text().strip())
        self.count.setText(f"{plain.count(found, 'field')}{'' if done else ' …'}" if typed else "")
        self.edit.set_problem("No field has these words" if typed and done and not found else "")
