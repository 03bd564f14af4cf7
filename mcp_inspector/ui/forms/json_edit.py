"""The JSON editor of a `Document`: what is typed is the document's text, character for character."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.forms import exact_text
from mcp_inspector.ui.forms.highlight import JsonHighlighter

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.schema.document import Change, Document

LONGEST_LINE = 100_000
LARGEST = 2_000_000
"""Characters in one line and in all that Qt's text widget can take without stopping the window."""

MOST_COLOURED = 150_000
"""Characters up to which the text has colours: they are worked out for every line, seen or not."""

_PAIRS = {"{": "}", "[": "]"}


class JsonEdit(QPlainTextEdit):
    """Edits one document at a time. Undo and redo are the document's, so they cover the form too."""

    submitted = Signal()
    too_large = Signal(bool)
    """Whether the text cannot be edited here; it is kept and sent all the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._doc: Document | None = None
        self._disconnect: Callable[[], None] | None = None
        self._quiet = False
        self._large = False
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(theme.mono())
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # JSON begins at the left in every language
        self.setTabChangesFocus(True)
        self.setAccessibleName("Arguments as JSON")
        self.setTabStopDistance(2 * self.fontMetrics().horizontalAdvance(" "))
        self._highlighter = JsonHighlighter(self.document())
        self.document().contentsChange.connect(self._typed)

    def set_document(self, document: Document | None) -> None:
        """Edit another document."""
        if self._disconnect is not None:
            self._disconnect()
            self._disconnect = None
        self._doc = document
        if document is not None:
            self._disconnect = document.changed.connect(self._changed)
        self._load()

    @property
    def large(self) -> bool:
        """Whether the document is too large to be edited here."""
        return self._large

    def mark(self, start: int, end: int) -> None:
        """Underline a part of the text, in offsets of the document's text; an empty part takes the mark away."""
        if self._doc is None or self._large or start >= end:
            self.setExtraSelections([])
            return
        text = self._doc.text
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document())
        cursor.setPosition(exact_text.units(text, start))
        cursor.setPosition(exact_text.units(text, end), QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        look.setUnderlineColor(QColor(theme.colour("error")))
        selection.cursor, selection.format = cursor, look
        self.setExtraSelections([selection])

    def go_to(self, offset: int) -> None:
        """Put the cursor at an offset of the document's text."""
        if self._doc is not None and not self._large:
            cursor = self.textCursor()
            cursor.setPosition(exact_text.units(self._doc.text, offset))
            self.setTextCursor(cursor)
            self.setFocus()

    def _load(self) -> None:
        text = self._doc.text if self._doc is not None else ""
        large = not can_edit(text)
        if large != self._large:
            self._large = large
            self.too_large.emit(large)
        self.setReadOnly(self._doc is None or large)
        self._quiet = True
        colours = self.document() if len(text) <= MOST_COLOURED else None
        if (self._highlighter.document() is None) != (colours is None):
            self._highlighter.setDocument(colours)  # which says of the whole text that it has changed
        self.setPlainText("" if large else exact_text.to_qt(text))
        self._quiet = False
        self.setExtraSelections([])

    def _changed(self, change: Change) -> None:
        if change.origin is self or self._doc is None:
            return
        if self._large or not can_edit(self._doc.text) or not exact_text.exact(change.splice.new):
            self._load()
            return
        raw = self.document().toRawText()
        before = exact_text.from_qt(raw)
        splice = change.splice
        if splice.apply(before) != self._doc.text:
            self._load()
            return
        cursor = QTextCursor(self.document())
        cursor.setPosition(exact_text.units(before, splice.start))
        cursor.setPosition(exact_text.units(before, splice.end), QTextCursor.MoveMode.KeepAnchor)
        self._quiet = True
        cursor.insertText(exact_text.to_qt(splice.new))
        self._quiet = False

    def _typed(self, place: int, removed: int, added: int) -> None:
        if self._quiet or self._doc is None or self._large:
            return
        old = self._doc.text
        start = exact_text.characters(old, place)
        end = exact_text.characters(old, place + removed)
        if len(old) > MOST_COLOURED and self._typed_into_much(start, end, place, added):
            return
        raw = self.document().toRawText()
        units = raw.encode("utf-16-le", "surrogatepass")
        new = exact_text.from_qt(units[2 * place : 2 * (place + added)].decode("utf-16-le", "replace"))
        whole = exact_text.from_qt(raw)
        # Qt tells wider ranges than what changed at times, and counts a line end that is not there.
        if old[:start] + new + old[end:] == whole:
            kind = "typing" if removed + added == 1 and new != "\n" else None
            self._doc.edit_text(start, end, new, origin=self, merge=(self, kind) if kind else None)
        else:
            self._doc.set_text(whole, origin=self)

    def _typed_into_much(self, start: int, end: int, place: int, added: int) -> bool:
        """Take a change over without reading the whole text of the widget; False when it is not that simple."""
        doc = self._doc
        if doc is None or not doc.text.isascii():
            return False
        cursor = QTextCursor(self.document())
        cursor.setPosition(place)
        cursor.setPosition(min(place + added, self.document().characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
        new = exact_text.from_qt(cursor.selection().toRawText()) if added else ""
        if not new.isascii() or len(doc.text) - (end - start) + len(new) != self.document().characterCount() - 1:
            return False
        doc.edit_text(start, end, new, origin=self, merge=(self, "typing") if len(new) <= 1 and new != "\n" else None)
        return True

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste text as it is; what the widget cannot show goes to the document past it."""
        if not source.hasText() or self._doc is None or self._large:
            return
        text = source.text().replace("\r\n", "\n")
        if can_edit(text) and exact_text.exact(text):
            self.textCursor().insertText(exact_text.to_qt(text))
            self.ensureCursorVisible()
            return
        cursor, old = self.textCursor(), self._doc.text
        start = exact_text.characters(old, cursor.selectionStart())
        end = exact_text.characters(old, cursor.selectionEnd())
        self._doc.edit_text(start, end, text)

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy what the selection stands for, with line feeds."""
        data = QMimeData()
        selected = self.textCursor().selection().toRawText() if self.textCursor().hasSelection() else ""
        data.setText(exact_text.from_qt(selected))
        return data

    def changeEvent(self, event: QEvent) -> None:
        """The colours follow the look."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._highlighter.follow_theme()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo of the document; Return keeps the indent; brackets open and close."""
        if event.matches(QKeySequence.StandardKey.Undo):
            if self._doc is not None:
                self._doc.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            if self._doc is not None:
                self._doc.redo()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.submitted.emit()
            else:
                self._new_line()
        else:
            super().keyPressEvent(event)

    def _new_line(self) -> None:
        cursor = self.textCursor()
        line = cursor.block().text()
        head = line[: cursor.positionInBlock()]
        indent = head[: len(head) - len(head.lstrip(" \t"))]
        opens = head.rstrip()[-1:] in _PAIRS and bool(head.rstrip())
        rest = line[cursor.positionInBlock() :].lstrip()
        cursor.beginEditBlock()
        cursor.insertText("\n" + indent + ("  " if opens else ""))
        if opens and rest[:1] == _PAIRS[head.rstrip()[-1]]:
            place = cursor.position()
            cursor.insertText("\n" + indent)
            cursor.setPosition(place)
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()


def can_edit(text: str) -> bool:
    """Whether Qt's text widget takes this text without stopping the window."""
    if len(text) <= LONGEST_LINE:
        return True
    return len(text) <= LARGEST and max(map(len, text.split("\n"))) <= LONGEST_LINE
