"""Strings: one line, or an area once they need more; with suggestions, a counter, and help for the known formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit

from mcp_inspector.schema.entry import read, show
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.forms.completion import Suggestions
from mcp_inspector.ui.forms.editor import Editor, placeholder
from mcp_inspector.ui.forms.formats import helps_of
from mcp_inspector.ui.forms.highlight import JsonHighlighter
from mcp_inspector.ui.forms.inputs import AreaEdit, LineEdit, has_lines
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.wire.jsontext import Node

HELD = 100_000
"""Characters from which a text is only kept: a text widget would stop the window for it."""
_BEGINNING = 60
_LONG = 2_000
"""Characters from which a text is edited in the area."""


class TextEditor(Editor):
    """Edits the characters; the document has their JSON."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self.area: AreaEdit | None = None
        self.line = LineEdit(parent=row)
        self._length = 0
        self._held = False
        self._bounds = _bounds(field)
        self._code = bool(field.media_type) and not field.encoding and not field.media_type.startswith("text/plain")
        self.line.textEdited.connect(self._edited)
        self.line.left.connect(self._left)
        self.line.lines_pasted.connect(self._paste_lines)
        self.suggestions: Suggestions | None = None
        if field.secret:
            self._hide_characters()
        elif context.complete is not None:
            self.suggestions = Suggestions(self.line, str(field.key), context.complete)
        elif field.multiline:
            self._use_area()
        if self.area is None:
            self.helps = helps_of(self)
            for help_ in self.helps:
                help_.attach()

    # --- line and area ---

    @property
    def heads(self) -> Sequence[QWidget]:
        """The line or the area."""
        return (self.input,)

    @property
    def input(self) -> LineEdit | AreaEdit:
        """Where the characters are typed now."""
        return self.area if self.area is not None else self.line

    @property
    def wide(self) -> bool:
        """Code and long texts take the whole width."""
        return self.area is not None

    def _hide_characters(self) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.reveal = self.line.addAction(icons.icon("eye", "muted"), QLineEdit.ActionPosition.TrailingPosition)
        self.reveal.setToolTip("Show the characters")
        self.reveal.setCheckable(True)
        self.reveal.toggled.connect(self._reveal)

    def _reveal(self, on: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if on else QLineEdit.EchoMode.Password)
        self.reveal.setIcon(icons.icon("eye-off" if on else "eye", "muted"))
        self.reveal.setToolTip("Hide the characters" if on else "Show the characters")

    def _use_area(self) -> AreaEdit:
        if self.area is None:
            had = self.line.hasFocus()
            self.area = AreaEdit(self.row, own_undo=False)
            if self._code:
                self.area.setFont(theme.mono())
                self.area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            if "json" in self.field.media_type:
                self.area.colours = JsonHighlighter(self.area.document())
            self.area.setAccessibleName(self.line.accessibleName())
            self.area.edited.connect(self._edited)
            self.area.left.connect(self._left)
            self.area.taller.connect(self.row.grown)
            self.line.hide()
            self.area.show()
            if had:
                self.area.setFocus(Qt.FocusReason.OtherFocusReason)
            self.context.moved.emit()
        return self.area

    # --- showing ---

    def refresh(self, node: Node | None) -> None:
        """Show the characters; a placeholder tells omitted, null and empty apart."""
        text = show(node) if node is not None and node.kind is Kind.STRING else ""
        self._length = len(text)
        if self._hold(text):
            return
        if self.area is None and not self.field.secret and (len(text) > _LONG or has_lines(text) or "\x00" in text):
            place = self.line.cursorPosition()
            area = self._use_area()
            area.setText(text)
            cursor = area.textCursor()
            cursor.setPosition(min(place, area.document().characterCount() - 1))
            area.setTextCursor(cursor)
        widget = self.input
        if widget.text() != text:
            widget.setText(text)
        words = placeholder(self.field, node)
        if widget.placeholderText() != words:
            widget.setPlaceholderText(words)

    def _hold(self, text: str) -> bool:
        """Whether a text is too long for any input: then only its beginning is shown, and it is kept as it is."""
        held = len(text) > HELD
        if held != self._held:
            self._held = held
            self.input.setReadOnly(held)
        if held:
            self.input.setText(f"{visible(text[:_BEGINNING])}… ({len(text):,} characters, kept and sent as they are)")
        return held

    @property
    def counter(self) -> str:
        """The characters there are and those allowed."""
        if not self._bounds:
            return ""
        low, high = self._bounds
        if high is not None:
            return f"{self._length:,} / {high:,}"
        return f"{self._length:,}" if self._length < (low or 0) else ""

    @property
    def advises(self) -> bool:
        """Only about texts that should be JSON."""
        return "json" in self.field.media_type

    def advice(self, node: Node | None) -> str:
        """What is odd about the text beyond what the schema checks: a text that should be JSON and is not."""
        if node is None or node.kind is not Kind.STRING or self.field.encoding:
            return ""
        media = self.field.media_type.partition(";")[0].strip().lower()
        if not (media == "application/json" or media.endswith("+json")) or node.is_empty:
            return ""
        try:
            jsontext.parse(jsontext.unquote(node.raw))
        except JsonError as error:
            return f"Is not JSON: line {error.line}, column {error.column}: {error.sentence}"
        return ""

    def set_invalid(self, invalid: bool) -> None:
        """A red frame around the line or the area."""
        theme.mark(self.input, invalid=invalid)

    # --- typing ---

    def _edited(self, text: str) -> None:
        if self._held:
            return
        if text:
            self.context.put(self.field, read(FieldKind.STRING, text).json_text or '""', typing=True)
        else:
            self.context.omit(self.field, typing=True)

    def enter(self, text: str) -> None:
        """Put a text in as the person does: a helper, a file, a suggestion."""
        self._held = False
        self.input.setReadOnly(False)
        self.refresh_text(text)
        self._edited(text)

    def refresh_text(self, text: str) -> None:
        """Show a text that is about to be the value."""
        if len(text) > HELD:
            return
        if self.area is None and not self.field.secret and (len(text) > _LONG or has_lines(text)):
            self._use_area()
        self.input.setText(text)

    def _paste_lines(self, text: str) -> None:
        start = self.line.selectionStart() if self.line.hasSelectedText() else self.line.cursorPosition()
        end = start + len(self.line.selectedText()) if self.line.hasSelectedText() else start
        old = self.line.text()
        area = self._use_area()
        new = text.replace("\r\n", "\n")
        area.setText(old[:start] + new + old[end:])
        cursor = area.textCursor()
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.MoveAnchor, len(new))
        area.setTextCursor(cursor)
        area.setFocus()
        self._edited(area.text())

    def _left(self) -> None:
        self.context.touch(self.field)
        self.row.show_problem()

    def actions(self) -> list[tuple[str, str, object]]:
        """Text from a file, and what the format offers."""
        found: list[tuple[str, str, object]] = []
        if self.area is None:
            for help_ in self.helps:
                found.extend(help_.actions())
            if not self.field.secret:
                found.append(("wrap-text", "Edit on several lines", self._open_area))
        if self.field.media_type and "json" in self.field.media_type:
            found.append(("braces", "Lay the JSON out", self._pretty))
        return found

    def _open_area(self) -> None:
        text = self.line.text()
        area = self._use_area()
        area.setText(text)
        area.setFocus()

    def _pretty(self) -> None:
        try:
            self.enter(jsontext.pretty(self.input.text()))
        except JsonError:
            self.row.show_problem()


def _bounds(field: Field) -> tuple[int | None, int | None] | None:
    low, high = field.shape.count("minLength", lowest=False), field.shape.count("maxLength", lowest=True)
    return (low, high) if high is not None or (low or 0) > 1 else None
