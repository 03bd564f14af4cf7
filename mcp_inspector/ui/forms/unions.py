"""A chooser over an editor: one of several alternatives, or any JSON by its type. The choice is the person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema import misfit, values
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui.forms.chooser import Chooser
from mcp_inspector.ui.forms.editor import Editor
from mcp_inspector.ui.forms.factory import make
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.panel import Panel
    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.wire.jsontext import Node

_ABSENT = -1
_NULL = -2


class UnionEditor(Editor):
    """What was filled into an alternative comes back when it is chosen again; only the chosen one is sent."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self._entries: list[int] = []
        self._fields: dict[int, Field] = {}
        texts: list[str] = []
        if field.path:
            self._offer(_ABSENT, field.absent if not field.required else "required: choose", texts)
        for at, branch in enumerate(field.branches):
            self._offer(at, visible(branch.label)[:200], texts)
        if field.nullable and not any(self._is_null(at) for at in range(len(field.branches))):
            self._offer(_NULL, "null", texts)
        self.box = Chooser(texts, row)
        self.box.quiet = frozenset([0] if field.path else [])
        self._chosen = _ABSENT
        self._drafts: dict[int, str] = {}
        self._inner: Editor | None = None
        self._invalid = False
        self.box.picked.connect(self._picked)

    def _offer(self, at: int, words: str, texts: list[str]) -> None:
        self._entries.append(at)
        texts.append(words)

    def _is_null(self, at: int) -> bool:
        return self._branch(at).kind is FieldKind.NULL

    def _branch(self, at: int) -> Field:
        if at not in self._fields:
            self._fields[at] = self.field.branch(at)
        return self._fields[at]

    # --- looks ---

    @property
    def heads(self) -> Sequence[QWidget]:
        """The chooser, then what the chosen alternative has beside its name."""
        return (self.box, *(self._inner.heads if self._inner is not None else ()))

    @property
    def panel(self) -> Panel | None:
        """The rows of the chosen alternative."""
        return self._inner.panel if self._inner is not None else None

    @property
    def state(self) -> str:
        """What the chosen alternative says."""
        return self._inner.state if self._inner is not None else ""

    @property
    def counter(self) -> str:
        """The length, when a text is chosen."""
        return self._inner.counter if self._inner is not None else ""

    @property
    def advises(self) -> bool:
        """As the chosen alternative."""
        return self._inner is not None and self._inner.advises

    def advice(self, node: Node | None) -> str:
        """What the chosen alternative says."""
        return self._inner.advice(node) if self._inner is not None else ""

    def actions(self) -> list[tuple[str, str, object]]:
        """What the chosen alternative offers."""
        return self._inner.actions() if self._inner is not None else []

    @property
    def inner(self) -> Editor | None:
        """The editor of the chosen alternative."""
        return self._inner

    def set_invalid(self, invalid: bool) -> None:
        """The frame is shown by the editor inside, or by the chooser when there is none."""
        self._invalid = invalid
        if self._inner is not None:
            self._inner.set_invalid(invalid)
        self.box.set_invalid(invalid and not (self._inner is not None and self._inner.heads))

    # --- choosing ---

    def refresh(self, node: Node | None) -> None:
        """Keep the choice as long as the value can be of it; else take the one that fits best.

        A value that comes from outside of the form, as from the JSON, may choose another that fits in place of one
        that does not.
        """
        self._choose(self._suited(node))
        if self._inner is not None:
            self._inner.refresh(node)

    def _suited(self, node: Node | None) -> int:
        if node is None:
            # Typing can empty a field: the choice stays while the person is in it.
            if not self.field.path:
                return max(self._chosen, 0)
            return self._chosen if self._chosen >= 0 and self._has_keyboard() else _ABSENT
        emptied = node.kind is Kind.NULL and isinstance(self.field.key, int)  # an item cannot be left out
        if emptied and self._chosen >= 0 and self._has_keyboard():
            return self._chosen
        if node.kind is Kind.NULL and _NULL in self._entries:
            return _NULL
        keeps = self._chosen >= 0 and self._branch(self._chosen).shows(node)
        if keeps and not self.context.outside:
            return self._chosen
        found = self.field.detect(node)
        if keeps and (found is None or self._why_not(self._chosen, node) == "" or self._why_not(found, node)):
            return self._chosen
        return found if found is not None else (self._chosen if self._chosen >= 0 else 0)

    def _why_not(self, at: int, node: Node) -> str:
        return misfit.why(self.field.source, self._branch(at).all_parts, node)

    def _has_keyboard(self) -> bool:
        focus = self.row.window().focusWidget()
        return focus is not None and focus is not self.box and self.row.isAncestorOf(focus)

    def _choose(self, at: int) -> None:
        if at == self._chosen:
            return
        self._chosen = at
        self.box.choose(self._entries.index(at) if at in self._entries else 0)
        if self._inner is not None:
            self._inner.discard()
            self._inner = None
        if at >= 0 and not self._is_null(at) and self._branch(at).constant is None:
            self._inner = make(self.context, self._branch(at), self.row, inside=True)
            for head in self._inner.heads:
                head.setAccessibleName(f"{self.field.label}: {self.box.text}")
                head.setVisible(not self.row._shows_raw)
        self.row.changed_shape()
        self.context.moved.emit()

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
        self.row.refresh(self.context.node(self.field), force=True)
        self.context.moved.emit()

    def _switched(self, before: Node | None, previous: int, at: int) -> str:
        """What the new alternative begins with: what both know of the value, and its own constants."""
        new = self._branch(at)
        if before is None or previous < 0:
            return values.begin(new)
        return values.switched(self._branch(previous), new, before)

    def adopt(self, field: Field) -> None:
        """Another schema: the alternatives are read again."""
        super().adopt(field)
        self._fields.clear()
        if self._inner is not None and self._chosen >= 0:
            self._inner.adopt(self._branch(self._chosen))

    def rebind(self, field: Field) -> None:
        """Another place: the choice goes along."""
        super().rebind(field)
        self._fields.clear()
        if self._inner is not None and self._chosen >= 0:
            self._inner.rebind(self._branch(self._chosen))
