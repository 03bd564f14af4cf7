"""Editors that are switched rather than typed into: true or false, null, a constant, and any JSON as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import theme
from mcp_inspector.ui.forms.editors import NOT_SENT, AreaEdit, Editor
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.wire.jsontext import Node


class Segments(QWidget):
    """A few words side by side, one of them chosen, perhaps none. Arrows move, Space chooses."""

    picked = Signal(int)
    submitted = Signal()

    def __init__(self, words: tuple[str, ...]) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)  # none may be chosen: nothing is sent for a required field yet
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for at, word in enumerate(words):
            button = _Segment(word.replace("&", "&&"))
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, at=at: self._clicked(at))
            button.stepped.connect(lambda by, at=at: self._step(at, by))
            button.submitted.connect(self.submitted)
            self._group.addButton(button, at)
            layout.addWidget(button)
        layout.addStretch(1)
        self.setFocusProxy(self._group.button(0))
        self._mark()

    @property
    def chosen(self) -> int:
        """Which one is chosen, -1 for none."""
        return next((at for at, button in enumerate(self._group.buttons()) if button.isChecked()), -1)

    def choose(self, at: int) -> None:
        """Choose one, or none with -1, without telling."""
        for place, button in enumerate(self._group.buttons()):
            button.setChecked(place == at)
        self._mark()

    def button(self, at: int) -> QPushButton:
        """One of the words."""
        found = self._group.button(at)
        assert isinstance(found, QPushButton)
        return found

    def _clicked(self, at: int) -> None:
        self.choose(at)
        self.picked.emit(at)

    def _step(self, at: int, by: int) -> None:
        count = len(self._group.buttons())
        self.button((at + by) % count).setFocus(Qt.FocusReason.TabFocusReason)

    def _mark(self) -> None:
        """One tab stop for the group: the chosen word, else the first."""
        stop = max(self.chosen, 0)
        for place, button in enumerate(self._group.buttons()):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if place == stop else Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self._group.button(stop))


class _Segment(QPushButton):
    stepped = Signal(int)
    submitted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(1 if key == Qt.Key.Key_Right else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.submitted.emit()
            else:
                self.click()
        else:
            super().keyPressEvent(event)


class SwitchEditor(Editor):
    """true, false, null or a constant; `not sent` stands first where it may be left out."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self._values: list[str | None] = []
        words = []
        if not field.required:
            self._values.append(None)
            words.append(NOT_SENT)
        for value in _values(field):
            self._values.append(value)
            words.append(visible(value)[:80])
        self.segments = Segments(tuple(words))
        self.segments.picked.connect(self._picked)
        self.segments.submitted.connect(context.submitted)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.segments, 1)
        self.setFocusProxy(self.segments)

    def refresh(self, node: Node | None) -> None:
        """Choose the word of the value; a required field that is not there has none chosen."""
        value = node.raw if node is not None else None
        if value is not None and self.field.kind is FieldKind.ENUM and node is not None:
            at = self.field.choice_of(node)
            value = self.field.choices[at].json_text if at is not None else value
        self.segments.choose(self._values.index(value) if value in self._values else -1)

    def _picked(self, at: int) -> None:
        value = self._values[at]
        if value is None:
            self.context.omit(self.field)
        else:
            self.context.put(self.field, value)
        self.context.touch(self.field)


def _values(field: Field) -> list[str]:
    if field.kind is FieldKind.BOOLEAN:
        return ["true", "false", *(["null"] if field.nullable else [])]
    if field.kind is FieldKind.NULL:
        return ["null"]
    return [choice.json_text for choice in field.choices] + (["null"] if field.nullable else [])


class RawEditor(Editor):
    """Any JSON as text. What is no JSON is not sent, and said."""

    def __init__(self, context: FormContext, field: Field, why: str = "") -> None:
        super().__init__(context, field)
        self.area = AreaEdit()
        self.area.setFont(theme.mono())
        self.area.setPlaceholderText(f"JSON; {NOT_SENT}" if not field.required else "JSON; required")
        self.area.edited.connect(self._edited)
        self.area.left.connect(lambda: context.touch(self.field))
        self.area.submitted.connect(context.submitted)
        self._why = QLabel()
        self._why.setTextFormat(Qt.TextFormat.PlainText)
        self._why.setWordWrap(True)
        theme.mark(self._why, role="small")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.area)
        layout.addWidget(self._why)
        self.say(why)
        self.setFocusProxy(self.area)

    def say(self, why: str) -> None:
        """Why this is edited as JSON."""
        self._why.setText(visible(why)[:300])
        self._why.setVisible(bool(why))

    def refresh(self, node: Node | None) -> None:
        """Show the JSON as spelled; text that means the same stays as typed."""
        if node is None:
            if self.field.path not in self.context.unread_problems and self.area.text().strip():
                self.area.setText("")
            return
        if self.area.text().strip() != node.raw:
            self.area.setText(node.raw)
        self.context.unread(self.field.path, "")

    def _edited(self, text: str) -> None:
        text = text.strip()
        problem = ""
        if text:
            try:
                jsontext.parse(text)
            except JsonError as error:
                problem = f"{error} It is not sent."
        self.context.unread(self.field.path, problem)
        if text and not problem:
            self.context.put(self.field, text, typing=True)
        elif self.field.path:
            self.context.omit(self.field, typing=True)

    def set_invalid(self, invalid: bool) -> None:
        """A red frame."""
        theme.mark(self.area, invalid=invalid)

    @property
    def tall(self) -> bool:
        """Beside its label there is room enough."""
        return False
