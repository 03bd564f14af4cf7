"""Inputs for text: a line and an area, which keep every character and leave the form's own keys to the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from mcp_inspector.ui.forms import exact_text
from mcp_inspector.ui.widgets.inputs import LongLineEdit

if TYPE_CHECKING:
    from mcp_inspector.ui.forms.highlight import JsonHighlighter

LONGEST_WRAPPED = 5_000
"""Characters of one line that are still wrapped: more in a wrapping text widget takes quadratic time."""
_LINES, _LINES_MOST = 5, 16
_FRAME = 14


class LineEdit(LongLineEdit):
    """A line that tells when the person leaves it, and when a text with line ends is pasted, which it cannot hold.

    In a form undo and redo are the document's, so they cover all fields and the JSON beside: `own_undo` off.
    """

    left = Signal()
    lines_pasted = Signal(str)

    def __init__(self, text: str = "", *, mono: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, mono=mono, parent=parent)
        self.own_undo = False
        self.setMinimumWidth(30)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The person has left the field."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A paste with line ends would lose them here: it is told instead."""
        if event.matches(QKeySequence.StandardKey.Paste) and has_lines(clipboard()):
            self.lines_pasted.emit(clipboard())
        elif (not self.own_undo and _undoes(event)) or event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


class AreaEdit(QPlainTextEdit):
    """Several lines of text, kept exactly. Tab goes to the next field. `taller` tells that it wants another height."""

    left = Signal()
    edited = Signal(str)
    submitted = Signal()
    taller = Signal()

    def __init__(self, parent: QWidget | None = None, *, own_undo: bool = True) -> None:
        super().__init__(parent)
        self.own_undo = own_undo
        self.colours: JsonHighlighter | None = None
        """Colours its JSON, when it holds some."""
        self.setUndoRedoEnabled(own_undo)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._quiet = False
        self._lines = 0
        self.least = _LINES
        """Lines that it is high at least."""
        self.textChanged.connect(self._changed)
        self.document().documentLayout().documentSizeChanged.connect(self._size_changed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def wanted_height(self) -> int:
        """As high as its lines, within reason."""
        lines = min(max(round(self.document().size().height()), self.least), _LINES_MOST)
        return lines * self.fontMetrics().lineSpacing() + _FRAME

    def sizeHint(self) -> QSize:
        """A few lines."""
        return QSize(200, self.least * self.fontMetrics().lineSpacing() + _FRAME)

    def minimumSizeHint(self) -> QSize:
        """No fewer lines."""
        return QSize(60, self.sizeHint().height())

    def text(self) -> str:
        """The text as it stands for, with its own line ends."""
        return exact_text.from_qt(self.document().toRawText())

    def setText(self, text: str) -> None:
        """Show a text; the same again keeps the cursor."""
        if text == self.text():
            return
        self._quiet = True
        self._wrap(max(map(len, text.split("\n")), default=0))
        self.setPlainText(exact_text.to_qt(text))
        self._quiet = False

    def _wrap(self, longest: int) -> None:
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if longest < LONGEST_WRAPPED else mode.NoWrap)

    def _changed(self) -> None:
        if not self._quiet:
            self.edited.emit(self.text())

    def _size_changed(self) -> None:
        lines = min(round(self.document().size().height()), _LINES_MOST)
        if lines != self._lines:
            self._lines = lines
            self.taller.emit()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste characters as they are."""
        text = source.text()
        if len(text) > LONGEST_WRAPPED:
            self._wrap(len(text))
        self.textCursor().insertText(exact_text.to_qt(text.replace("\r\n", "\n")))

    def changeEvent(self, event: QEvent) -> None:
        """The colours follow the look."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.colours is not None:
            self.colours.follow_theme()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The person has left the field."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter calls; undo, redo and Escape belong to the form."""
        if submits(event):
            self.submitted.emit()
            event.ignore()
        elif (not self.own_undo and _undoes(event)) or event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


def has_lines(text: str) -> bool:
    """Whether a text has line ends of any kind."""
    return any(mark in text for mark in "\n\r\u2028\u2029")


def clipboard() -> str:
    """The text on the clipboard."""
    return QGuiApplication.clipboard().text()


def submits(event: QKeyEvent) -> bool:
    """Whether a key is Ctrl+Enter."""
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return enter and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _undoes(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
