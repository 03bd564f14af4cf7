"""Choices: true or false, a constant, one of the allowed values, several of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.forms.chooser import Chooser
from mcp_inspector.ui.forms.editor import Editor, empty_words
from mcp_inspector.ui.forms.segments import Segments, Toggles
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.schema.kinds import Choice
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.wire.jsontext import Node

_FEW, _FEW_PIXELS = 3, 150
_TOGGLES_MOST = 16
_SHOWN = 300


def is_short(field: Field) -> bool:
    """Whether all choices fit side by side, so that they need not be opened."""
    if len(field.choices) == 1:
        return len(field.choices[0].json_text) <= 60
    return len(field.choices) <= _FEW and sum(measure.width(label_of(one)) for one in field.choices) <= _FEW_PIXELS


def takes_toggles(field: Field) -> bool:
    """Whether a list is edited as choices that are on or off: not too many to look at. The menu makes rows of them."""
    if field.kind is not FieldKind.ARRAY:
        return False
    item = field.item(0)
    return item.kind is FieldKind.ENUM and not item.nullable and 1 < len(item.choices) <= _TOGGLES_MOST


def label_of(choice: Choice) -> str:
    """What a choice is called; an empty text is shown as one."""
    return visible(choice.label or choice.json_text)[:_SHOWN] or '""'


class SwitchEditor(Editor):
    """The values side by side; `not sent` stands first where it may be left out."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow, *, inside: bool = False) -> None:
        super().__init__(context, field, row)
        self.values: list[str | None] = []
        words: list[str] = []
        tips: list[str] = []
        if not field.required and not inside:
            self._offer(None, self.field.absent, "", words, tips)
        if field.kind is FieldKind.BOOLEAN:
            for value in ("true", "false"):
                self._offer(value, value, "", words, tips)
        elif field.kind is FieldKind.NULL:
            self._offer("null", "null", "", words, tips)
        for choice in field.choices:
            self._offer(choice.json_text, label_of(choice), choice.description, words, tips)
        if field.nullable and "null" not in self.values:
            self._offer("null", "null", "", words, tips)
        self.segments = Segments(words, row)
        self.segments.set_tips(tips)
        self.segments.picked.connect(lambda at: self.context.choose(self.field, self.values[at]))

    def _offer(self, value: str | None, word: str, tip: str, words: list[str], tips: list[str]) -> None:
        self.values.append(value)
        words.append(word)
        tips.append(tip if value is None or word == value else f"{tip}\n{value}".strip())

    @property
    def heads(self) -> Sequence[QWidget]:
        """The words."""
        return (self.segments,)

    def refresh(self, node: Node | None) -> None:
        """Choose the word of the value; a required field that is not there has none chosen."""
        value = node.raw if node is not None else None
        if value is not None and self.field.kind is FieldKind.ENUM and node is not None:
            at = self.field.choice_of(node)
            value = self.field.choices[at].json_text if at is not None else value
        self.segments.choose(self.values.index(value) if value in self.values else -1)

    def set_invalid(self, invalid: bool) -> None:
        """A red line below."""
        self.segments.set_invalid(invalid)


class ChoiceEditor(Editor):
    """One of the allowed values, by label; the value's own JSON text is sent."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow, *, inside: bool = False) -> None:
        super().__init__(context, field, row)
        self._values: list[str | None] = [None]
        texts = ["choose" if inside else "required: choose" if field.required else field.absent]
        tips = [""]
        for choice in field.choices:
            texts.append(label_of(choice))
            tips.append(choice.description)
            self._values.append(choice.json_text)
        if field.nullable:
            texts.append("null")
            self._values.append("null")
        self.box = Chooser(texts, row)
        self.box.tips = tips
        self.box.quiet = frozenset([0])
        self.box.picked.connect(lambda at: self.context.choose(self.field, self._values[at]))

    @property
    def heads(self) -> Sequence[QWidget]:
        """The field that opens the list."""
        return (self.box,)

    def refresh(self, node: Node | None) -> None:
        """Choose the value that equals: 1, "1" and true are three."""
        at = 0
        if node is not None:
            found = self.field.choice_of(node)
            if found is not None:
                at = found + 1
            elif node.kind is Kind.NULL and self.field.nullable:
                at = len(self._values) - 1
        self.box.choose(at)

    def set_invalid(self, invalid: bool) -> None:
        """A red frame."""
        self.box.set_invalid(invalid)


class ToggleEditor(Editor):
    """Several of the allowed values, each once: what is pressed comes to the end of the list, or goes."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self._item = field.item(0)
        self._there = False
        self._count = 0
        self.toggles = Toggles([label_of(one) for one in self._item.choices], row)
        self.toggles.set_tips([one.description for one in self._item.choices])
        self.toggles.toggled.connect(self._turned)

    @property
    def heads(self) -> Sequence[QWidget]:
        """The words."""
        return (self.toggles,)

    @property
    def state(self) -> str:
        """Nothing chosen is either not sent, or an empty list."""
        return "" if self._count else empty_words(self.field, "empty list []" if self._there else "")

    def actions(self) -> list[tuple[str, str, object]]:
        """Rows, for a choice that is wanted twice, or in another order."""
        return [("list", "Edit as a list", lambda: self.row.switch_list(True))]

    def shows(self, node: Node | None) -> bool:
        """Whether each item is one of the choices, and none is there twice."""
        if node is None or node.kind is Kind.NULL:
            return True
        found = [self._item.choice_of(item) for item in node.items]
        return node.kind is Kind.ARRAY and None not in found and len(set(found)) == len(found)

    def refresh(self, node: Node | None) -> None:
        """Turn on what is in the list."""
        items = node.items if node is not None and node.kind is Kind.ARRAY else ()
        on = frozenset(at for item in items if (at := self._item.choice_of(item)) is not None)
        self._there, self._count = node is not None, len(items)
        self.toggles.set_on(on)

    def _turned(self, at: int, on: bool) -> None:
        node = self.context.node(self.field)
        items = list(node.items) if node is not None and node.kind is Kind.ARRAY else []
        if on:
            text = self._item.choices[at].json_text
            if node is None or node.kind is not Kind.ARRAY:
                self.context.put(self.field, f"[{text}]")
            else:
                self.context.document.insert(self.field.path, len(items), text, origin=self.context)
        else:
            gone = next((place for place, item in enumerate(items) if self._item.choice_of(item) == at), -1)
            if len(items) == 1 and not self.field.required:
                self.context.omit(self.field)
            elif gone >= 0:
                self.context.document.remove((*self.field.path, gone), origin=self.context)
        self.context.touch(self.field)

    def set_invalid(self, invalid: bool) -> None:
        """A red line below."""
        self.toggles.set_invalid(invalid)
