"""Any JSON as text: for what no other editor can show, and for schemas that say nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from mcp_inspector.ui import theme
from mcp_inspector.ui.forms.editor import Editor, instead
from mcp_inspector.ui.forms.highlight import JsonHighlighter
from mcp_inspector.ui.forms.inputs import AreaEdit
from mcp_inspector.ui.forms.marks import TextButton
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.wire.jsontext import Node


class WholeEditor(Editor):
    """The whole value cannot be a form: the JSON beside is the place, which may be no JSON for a while and says so."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self.button = TextButton(row, "Edit the JSON", "braces", lambda: context.raw_wanted.emit(()))

    @property
    def heads(self) -> Sequence[QWidget]:
        """The button that leads there."""
        return (self.button,)

    def refresh(self, node: Node | None) -> None:
        """The JSON is not shown twice."""


class RawEditor(Editor):
    """What is no JSON is not sent, and said."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self.area = AreaEdit(row, own_undo=False)
        self.area.least = 3
        self.area.setFont(theme.mono())
        self.area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.area.colours = JsonHighlighter(self.area.document())
        self.area.setPlaceholderText(f"JSON · {field.absent}" if not field.required else "JSON · required")
        self.area.edited.connect(self._edited)
        self.area.left.connect(self._left)
        self.area.taller.connect(row.grown)

    @property
    def heads(self) -> Sequence[QWidget]:
        """The area."""
        return (self.area,)

    def refresh(self, node: Node | None) -> None:
        """Show the JSON as spelled; text that means the same stays as typed."""
        typed = self.context.unread_text(self.field.path)
        if typed is not None and (node is None or node.kind is Kind.NULL):
            if self.area.text().strip() != typed.strip():
                self.area.setText(typed)  # it was typed in a form that is gone: another tool was looked at
            return
        if node is None:
            if self.area.text().strip():
                self.area.setText("")
            return
        if self.area.text().strip() != node.raw:
            self.area.setText(node.raw)
        self.context.unread(self.field.path, "")

    def _edited(self, typed: str) -> None:
        text = typed.strip()
        problem = ""
        if text:
            try:
                jsontext.parse(text)
            except JsonError as error:
                problem = f"Line {error.line}, column {error.column}: {error.sentence} {instead(self.field)}"
        self.context.unread(self.field.path, problem, typed)
        if text and not problem:
            self.context.put(self.field, text, typing=True)
        elif self.field.path:
            self.context.omit(self.field, typing=True)

    def _left(self) -> None:
        self.context.touch(self.field)
        self.row.show_problem()

    def set_invalid(self, invalid: bool) -> None:
        """A red frame."""
        theme.mark(self.area, invalid=invalid)
