"""Numbers as text: any size, the spelling kept, never rounded. Up and Down step by what the schema allows."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from mcp_inspector.schema.entry import read
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.words import spelled
from mcp_inspector.ui import theme
from mcp_inspector.ui.forms.editor import Editor, instead, placeholder
from mcp_inspector.ui.forms.formats import ExamplesHelp
from mcp_inspector.ui.forms.inputs import LineEdit
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.wire.jsontext import Node

_DIGITS = 200
"""Digits up to which a number is stepped: beyond, nobody counts."""


class NumberLine(LineEdit):
    """A line whose Up and Down keys ask for a step."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down step."""
        if (
            event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)


class NumberEditor(Editor):
    """What is typed is what is sent; what is no number is kept as typed, said, and not sent."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self.line = NumberLine(parent=row)
        self.line.textEdited.connect(self._edited)
        self.line.left.connect(self._left)
        self.line.stepped.connect(self.step)
        self.line.textChanged.connect(self._look)
        self._look("")
        examples = ExamplesHelp(self) if field.examples or field.default is not None else None
        if examples is not None and examples.texts():
            examples.attach()

    @property
    def heads(self) -> Sequence[QWidget]:
        """The line."""
        return (self.line,)

    def refresh(self, node: Node | None) -> None:
        """Show the number as spelled; text that is no number stays as typed while nothing else is set."""
        text = node.raw if node is not None and node.kind is Kind.NUMBER else ""
        nothing = node is None or node.kind is Kind.NULL  # null stands for an item whose text cannot be read
        typed = self.context.unread_text(self.field.path)
        if nothing and typed is not None:
            if self.line.text() != typed:
                self.line.setText(typed)  # it was typed in a form that is gone: another tool was looked at
            return
        if self.line.text().strip(" \t") != text:
            self.line.setText(text)
            self.context.unread(self.field.path, "")
        words = placeholder(self.field, node)
        if self.line.placeholderText() != words:
            self.line.setPlaceholderText(words)

    def _look(self, text: str) -> None:
        """Digits are monospaced; the words of an empty line are not."""
        font = theme.mono() if text else theme.font()
        if self.line.font() != font:
            self.line.setFont(font)

    def enter(self, text: str) -> None:
        """Put a number in as the person does."""
        self.line.setText(text)
        self._edited(text)

    def _edited(self, text: str) -> None:
        entry = self.field.read(text)
        if entry.problem and self.field.kind is FieldKind.INTEGER:
            # A number that is not whole is wrong here, and can be sent all the same; validation says so.
            entry = read(FieldKind.NUMBER, text)
        self.context.unread(self.field.path, entry.problem and f"{entry.problem} {instead(self.field)}", text)
        if entry.json_text is not None:
            self.context.put(self.field, entry.json_text, typing=True)
        else:
            self.context.omit(self.field, typing=True)

    def step(self, by: int) -> None:
        """The next number up or down, within the bounds."""
        bounds = self.field.shape.bounds()
        step = bounds.multiple_of or Decimal(1)
        node = self.context.node(self.field)
        if node is None or node.kind is not Kind.NUMBER:
            low = bounds.low if bounds.low is not None else Decimal(0)
            text = spelled(low + step if bounds.low_exclusive else low)
        elif len(node.raw) > _DIGITS or abs(jsontext.decimal_of(node.raw).adjusted()) > _DIGITS:
            return
        else:
            with localcontext() as exact:
                exact.prec = 3 * _DIGITS
                number = jsontext.decimal_of(node.raw) + by * step
            if (bounds.low is not None and number < bounds.low) or (bounds.high is not None and number > bounds.high):
                return
            text = spelled(number)
        self.enter(text)

    def _left(self) -> None:
        self.context.touch(self.field)
        self.row.show_problem()

    def set_invalid(self, invalid: bool) -> None:
        """A red frame."""
        theme.mark(self.line, invalid=invalid)

    def actions(self) -> list[tuple[str, str, object]]:
        """What is typed and is no number can be sent as a text, to see what the server makes of it."""
        typed = self.line.text()
        if self.field.path not in self.context.unread_problems:
            return []

        def send_text() -> None:
            self.context.forget_unread(self.field.path)
            self.context.put(self.field, jsontext.quote(typed))

        return [("text", f'Send as the text "{typed[:40]}"', send_text)]
