"""A chooser over an editor: one of several alternatives, or any JSON by its type. The choice is the person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QVBoxLayout

from mcp_inspector.schema import values
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui.forms.editors import NOT_SENT, Editor, _Box
from mcp_inspector.ui.forms.factory import make
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.wire.jsontext import Node

_ABSENT = -1
_NULL = -2


class UnionEditor(Editor):
    """What was filled into an alternative comes back when it is chosen again; only the chosen one is sent."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self.box = _Box()
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(10)
        self._entries: list[int] = []
        self._fields: dict[int, Field] = {}
        if field.path:
            self._offer(_ABSENT, f"({NOT_SENT})" if not field.required else "(choose)")
        for at, branch in enumerate(field.branches):
            self._offer(at, visible(branch.label)[:200])
        if field.nullable and not any(self._is_null(at) for at in range(len(field.branches))):
            self._offer(_NULL, "null")
        self._chosen = _ABSENT
        self._drafts: dict[int, str] = {}
        self._inner: Editor | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._layout.addWidget(self.box)
        self._room = (0, False)
        self.box.activated.connect(self._picked)
        self.box.submitted.connect(context.submitted)
        self.setFocusProxy(self.box)

    def _offer(self, at: int, words: str) -> None:
        self._entries.append(at)
        self.box.addItem(words)

    def _is_null(self, at: int) -> bool:
        return self._branch(at).kind is FieldKind.NULL

    def _branch(self, at: int) -> Field:
        if at not in self._fields:
            self._fields[at] = self.field.branch(at)
        return self._fields[at]

    @property
    def tall(self) -> bool:
        """Whether the chosen alternative needs the whole width."""
        return any(branch_is_wide(self.field, at) for at in range(len(self.field.branches)))

    @property
    def inner(self) -> Editor | None:
        """The editor of the chosen alternative."""
        return self._inner

    def refresh(self, node: Node | None) -> None:
        """Keep the choice as long as the value can be of it; else take the one that fits best."""
        self._choose(self._suited(node))
        if self._inner is not None:
            self._inner.refresh(node)

    def _suited(self, node: Node | None) -> int:
        if node is None:
            # Typing can empty a field: the choice stays while the person is in it.
            return self._chosen if self._chosen >= 0 and self._has_keyboard() else _ABSENT
        if node.kind is Kind.NULL and _NULL in self._entries:
            return _NULL
        if self._chosen >= 0 and self._branch(self._chosen).shows(node):
            return self._chosen
        found = self.field.detect(node)
        return found if found is not None else (self._chosen if self._chosen >= 0 else 0)

    def _has_keyboard(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def _choose(self, at: int) -> None:
        if at == self._chosen and (self._inner is not None or at < 0):
            return
        self._chosen = at
        self.box.setCurrentIndex(self._entries.index(at) if at in self._entries else 0)
        if self._inner is not None:
            self._layout.removeWidget(self._inner)
            self._inner.hide()
            self._inner.deleteLater()
            self._inner = None
        if at >= 0 and not self._is_null(at):
            field = self._branch(at)
            self._inner = make(self.context, field)
            self._layout.addWidget(self._inner)
            self.set_room(*self._room)

    def _picked(self, entry: int) -> None:
        at = self._entries[entry]
        if at == self._chosen:
            return
        before, previous = self.context.node(self.field), self._chosen
        if before is not None and self._chosen >= 0:
            self._drafts[self._chosen] = before.raw
        self.context.forget_unread(self.field.path)
        self._choose(at)
        if at == _ABSENT:
            self.context.omit(self.field)
        elif at == _NULL:
            self.context.put(self.field, "null")
        else:
            self.context.put(self.field, self._drafts.get(at) or self._switched(before, previous, at))
        self.context.touch(self.field)
        if self._inner is not None:
            self._inner.refresh(self.context.node(self.field))

    def _switched(self, before: Node | None, previous: int, at: int) -> str:
        """What the new alternative begins with: what both know of the value, and its own constants."""
        new = self._branch(at)
        if before is None or previous < 0:
            return values.begin(new)
        return values.switched(self._branch(previous), new, before)

    def rebind(self, field: Field) -> None:
        """Another place: the choice goes along."""
        super().rebind(field)
        self._fields.clear()
        if self._inner is not None and self._chosen >= 0:
            self._inner.rebind(self._branch(self._chosen))

    def set_room(self, width: int, narrow: bool) -> None:
        """Hand the room on to the rows inside."""
        self._room = (width, narrow)
        if self._inner is not None and hasattr(self._inner, "set_room"):
            self._inner.set_room(width, narrow)

    def set_invalid(self, invalid: bool) -> None:
        """The frame is shown by the editor inside."""
        if self._inner is not None:
            self._inner.set_invalid(invalid)


def branch_is_wide(field: Field, at: int) -> bool:
    """Whether an alternative holds rows."""
    kind = field.branch(at).kind
    return kind in (FieldKind.OBJECT, FieldKind.MAP, FieldKind.ARRAY, FieldKind.TUPLE, FieldKind.UNION)
