"""Editors of single values: text, numbers, choices. What they show is what is in the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy, QStackedLayout, QWidget

from mcp_inspector.schema.entry import read, show
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import theme
from mcp_inspector.ui.forms import exact_text
from mcp_inspector.ui.forms.completion import Suggestions
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.wire.jsontext import Node

NOT_SENT = "not sent"
_LONG = 2_000
"""Characters from which a text is edited in the tall editor."""
_TALL_LINES = 5


class Editor(QWidget):
    """Edits one field. `refresh` shows a value; an editor that already shows it changes nothing."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__()
        self.context = context
        self.field = field
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def refresh(self, node: Node | None) -> None:
        """Show this value, None for omitted."""
        raise NotImplementedError

    def rebind(self, field: Field) -> None:
        """The same kind of field at another place: an item that moved."""
        self.field = field

    def set_invalid(self, invalid: bool) -> None:
        """Show a red frame, or none."""

    @property
    def tall(self) -> bool:
        """Whether it needs the whole width, below its label."""
        return False


class LineEdit(LongLineEdit):
    """A line that tells when the person leaves it, when a text with line ends is pasted, and Ctrl+Enter."""

    left = Signal()
    lines_pasted = Signal(str)
    submitted = Signal()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The person has left the field."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A paste with line ends would lose them here: it is told instead."""
        if event.matches(QKeySequence.StandardKey.Paste) and self._has_lines():
            self.lines_pasted.emit(_clipboard())
        elif _submits(event):
            self.submitted.emit()
        else:
            super().keyPressEvent(event)

    @staticmethod
    def _has_lines() -> bool:
        text = _clipboard()
        return any(mark in text for mark in "\n\r\u2028\u2029")


class AreaEdit(QPlainTextEdit):
    """Several lines of text, kept exactly. Tab goes to the next field."""

    left = Signal()
    edited = Signal(str)
    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self._quiet = False
        self.textChanged.connect(self._changed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Five lines."""
        return QSize(200, _TALL_LINES * self.fontMetrics().lineSpacing() + 16)

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
        longest = max(map(len, text.split("\n")), default=0)
        wrap = QPlainTextEdit.LineWrapMode.WidgetWidth if longest < 5_000 else QPlainTextEdit.LineWrapMode.NoWrap
        self.setLineWrapMode(wrap)  # one long line in a wrapping text widget takes quadratic time
        self.setPlainText(exact_text.to_qt(text))
        self._quiet = False

    def _changed(self) -> None:
        if not self._quiet:
            self.edited.emit(self.text())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste characters as they are."""
        text = source.text()
        if len(text) > 5_000:
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.textCursor().insertText(exact_text.to_qt(text.replace("\r\n", "\n")))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The person has left the field."""
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter calls."""
        if _submits(event):
            self.submitted.emit()
        else:
            super().keyPressEvent(event)


class TextEditor(Editor):
    """A string: one line, or an area once it needs more."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self.line = LineEdit()
        self.area: AreaEdit | None = None
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.line)
        if field.secret:
            self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.textEdited.connect(self._edited)
        self.line.left.connect(self._left)
        self.line.submitted.connect(context.submitted)
        self.line.lines_pasted.connect(self._paste_lines)
        self.setFocusProxy(self.line)
        if context.complete is not None:
            self.suggestions = Suggestions(self.line, str(field.key), context.complete)
        elif field.multiline:
            self._use_area()

    def _use_area(self) -> AreaEdit:
        if self.area is None:
            self.area = AreaEdit()
            self.area.edited.connect(self._edited)
            self.area.left.connect(self._left)
            self.area.submitted.connect(self.context.submitted)
            self._stack.addWidget(self.area)
        self._stack.setCurrentWidget(self.area)
        self.setFocusProxy(self.area)
        self.line.setVisible(False)
        return self.area

    def refresh(self, node: Node | None) -> None:
        """Show the characters; a placeholder tells omitted, null and empty apart."""
        text = show(node) if node is not None and node.kind is Kind.STRING else ""
        if self.area is None and not self.field.secret and (len(text) > _LONG or not _fits_line(text)):
            self._use_area()
        widget = self.area if self.area is not None else self.line
        if widget.text() != text:
            widget.setText(text)
        widget.setPlaceholderText(placeholder(self.field, node))

    def _edited(self, text: str) -> None:
        if text:
            self.context.put(self.field, read(FieldKind.STRING, text).json_text or '""', typing=True)
        else:
            self.context.omit(self.field, typing=True)

    def _paste_lines(self, text: str) -> None:
        start = self.line.selectionStart() if self.line.hasSelectedText() else self.line.cursorPosition()
        end = start + len(self.line.selectedText()) if self.line.hasSelectedText() else start
        old = self.line.text()
        area = self._use_area()
        area.setText(old[:start] + text.replace("\r\n", "\n") + old[end:])
        self._edited(area.text())
        area.setFocus()

    def _left(self) -> None:
        self.context.touch(self.field)

    def set_invalid(self, invalid: bool) -> None:
        """A red frame around the line or the area."""
        theme.mark(self.area if self.area is not None else self.line, invalid=invalid)


class NumberEditor(Editor):
    """A number as text: its spelling is kept, nothing is rounded, nothing has 32 bits."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self.line = LineEdit(mono=True)
        layout = QStackedLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.line)
        self.line.textEdited.connect(self._edited)
        self.line.left.connect(lambda: context.touch(self.field))
        self.line.submitted.connect(context.submitted)
        self.setFocusProxy(self.line)

    def refresh(self, node: Node | None) -> None:
        """Show the number as spelled; text that is no number stays as typed while nothing else is set."""
        text = node.raw if node is not None and node.kind is Kind.NUMBER else ""
        typed = self.line.text()
        if node is None and self.field.path in self.context.unread_problems:
            return
        if typed.strip(" \t") != text:
            self.line.setText(text)
            self.context.unread(self.field.path, "")
        self.line.setPlaceholderText(placeholder(self.field, node))

    def _edited(self, text: str) -> None:
        entry = self.field.read(text)
        if entry.problem and self.field.kind is FieldKind.INTEGER:
            # A number that is not whole is wrong here, and can be sent all the same; validation says so.
            entry = read(FieldKind.NUMBER, text)
        self.context.unread(self.field.path, entry.problem and f"{entry.problem} It is not sent.")
        if entry.json_text is not None:
            self.context.put(self.field, entry.json_text, typing=True)
        else:
            self.context.omit(self.field, typing=True)

    def set_invalid(self, invalid: bool) -> None:
        """A red frame."""
        theme.mark(self.line, invalid=invalid)


class ChoiceEditor(Editor):
    """One of the allowed values, by label; the value's own JSON text is sent."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self.box = _Box()
        self.box.setMinimumContentsLength(8)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMaxVisibleItems(16)
        self._values: list[str | None] = [None]
        self.box.addItem("(choose)" if field.required else f"({NOT_SENT})")
        for choice in field.choices:
            self.box.addItem(visible(choice.label or choice.json_text)[:300])
            self._values.append(choice.json_text)
        if field.nullable:
            self.box.addItem("null")
            self._values.append("null")
        layout = QStackedLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.box)
        self.setFocusProxy(self.box)
        self.box.activated.connect(self._picked)
        self.box.submitted.connect(context.submitted)

    def refresh(self, node: Node | None) -> None:
        """Choose the value that equals: 1, "1" and true are three."""
        at = 0
        if node is not None:
            found = self.field.choice_of(node)
            if found is not None:
                at = found + 1
            elif node.kind is Kind.NULL and self.field.nullable:
                at = len(self._values) - 1
        if self.box.currentIndex() != at:
            self.box.setCurrentIndex(at)

    def _picked(self, at: int) -> None:
        value = self._values[at]
        if value is None:
            self.context.omit(self.field)
        else:
            self.context.put(self.field, value)
        self.context.touch(self.field)

    def set_invalid(self, invalid: bool) -> None:
        """A red frame."""
        theme.mark(self.box, invalid=invalid)


class _Box(QComboBox):
    """A combo box that the wheel does not turn while the person scrolls past it."""

    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: object) -> None:
        """Leave the wheel to the form."""
        event.ignore()  # type: ignore[attr-defined]  # every event has it; the stub wants QWheelEvent by name

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter calls."""
        if _submits(event):
            self.submitted.emit()
        else:
            super().keyPressEvent(event)


def placeholder(field: Field, node: Node | None) -> str:
    """What an empty input says: why it is empty, else an example."""
    if node is not None:
        if node.kind is Kind.NULL:
            return "null"
        return 'sent as empty text ""' if node.kind is Kind.STRING and node.is_empty else ""
    hints = []
    if field.default is not None:
        hints.append(f"default {visible(field.default[:60])}")
    elif field.examples:
        hints.append(f"for example {visible(field.examples[0][:60])}")
    return "; ".join([NOT_SENT if not field.required else "required", *hints])


def _fits_line(text: str) -> bool:
    return not any(mark in text for mark in "\n\r\u2028\u2029\x00")


def _clipboard() -> str:
    from PySide6.QtGui import QGuiApplication

    return QGuiApplication.clipboard().text()


def _submits(event: QKeyEvent) -> bool:
    enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    return enter and bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
