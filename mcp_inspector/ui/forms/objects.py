"""Objects: the members that the schema names, those that a person added, and the way to add one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from mcp_inspector.schema import values
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import plain
from mcp_inspector.ui.forms.editor import empty_words
from mcp_inspector.ui.forms.inputs import LineEdit
from mcp_inspector.ui.forms.marks import TextButton
from mcp_inspector.ui.forms.panel import Container, begin_in
from mcp_inspector.ui.forms.row import FieldRow
from mcp_inspector.ui.forms.sections import LONG, Group, SectionHead, groups_of
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.schema.kinds import Rule
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.wire.jsontext import Node


class ObjectEditor(Container):
    """An optional object that is not there is one button; then come its rows."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        additional = field.shape.additional()
        # Nearly every schema takes more members by saying nothing; a button for it on every object would be noise.
        self.offers = field.kind is FieldKind.MAP or bool(additional.schemas or additional.patterns)
        self._signature: object = None
        self._there = False
        self._node: Node | None = None
        self._rules: list[tuple[str, str]] = []
        self._defaults: dict[str, bool] = {}
        self._begin_words = "Add member" if field.kind is FieldKind.MAP else "Fill in"
        self._begin = TextButton(row, self._begin_words, "plus", self.fill_in)
        self._begin.hide()
        self._add = TextButton(self._panel, "Add member", "plus", self.open_name)
        self._add.hide()
        self._name: LineEdit | None = None
        self._panel.foot.append(self._add)

    @property
    def heads(self) -> Sequence[QWidget]:
        """The button that begins it, while there are no rows."""
        return () if self.open or self.row.bare else (self._begin,)

    @property
    def state(self) -> str:
        """Whether it is sent."""
        if self.open:
            return ""
        return empty_words(self.field, "empty object {}" if self._there else "")

    # --- showing ---

    def refresh(self, node: Node | None) -> None:
        """Rows for what is there."""
        self._there, self._node = node is not None, node
        # Emptying the last field of an optional object takes the object away; the rows stay while one is in them.
        absent = node is None and bool(self.field.path) and not self.field.required
        self.lingers = absent and self.has_keyboard()
        if (absent and not self.lingers) or (node is not None and node.kind is not Kind.OBJECT):
            self._close()
            return
        signature = self._signature_of(node)
        if signature != self._signature:
            self._signature = signature
            self._plan(node)
        typing = self._name is not None and not self._name.isHidden()
        self.open = bool(self.entries or self.groups or typing) or self.row.bare
        self._begin.set_text("Add member" if self._there else self._begin_words)
        self._begin.setVisible(not self.open and not self.row.bare)
        self._add.setVisible(self.offers and not typing)
        self._tell_rules(node)
        if self.row.folded:
            return
        for row in self.rows:
            row.refresh(self.member(node, row.field))
        self._tell_groups(node)

    def _close(self) -> None:
        self.clear()
        self.open = False
        if not self.row.bare:
            self._begin.set_text(self._begin_words)
            self._begin.setVisible(not self.row._shows_raw)

    def _signature_of(self, node: Node | None) -> object:
        """What decides which rows there are: names, and everything where the schema has conditions."""
        found = id(self.context.matches)
        if node is None:
            return ("", found)
        live = self.field.live(node) is not self.field.shape
        return (tuple(node.names), node.raw if live else "", found)

    def clear(self) -> None:
        """Take all rows away, and plan again when they are wanted."""
        super().clear()
        self._signature = None

    def adopt(self, field: Field) -> None:
        """Another schema: plan again."""
        super().adopt(field)
        self._signature = None

    def _plan(self, node: Node | None) -> None:
        fields = self.field.children(node)
        matches = self.context.matches
        if matches is not None:
            fields = [field for field in fields if matches(field.path)]
        self.groups = groups_of(fields)
        self._heads(node)
        shown = [field for group in self.groups if not self._is_folded(group) for field in group.fields]
        self.plan(shown)

    # --- groups ---

    def _heads(self, node: Node | None) -> None:
        before = {head.section.title: head for heads in self.heads_at.values() for head in heads}
        self.heads_at = {}
        if len(self.groups) > 1 or self.groups[0].title:
            self._default_folds(node)
            at = 0
            for group in self.groups:
                head = before.pop(group.title, None)
                folded = self._is_folded(group)
                if head is None:
                    head = SectionHead(self._panel, group, folded, partial(self._fold, group))
                    head.show()
                head.section, head.folded = group, folded
                self.heads_at.setdefault(at, []).append(head)
                at += 0 if folded else len(group.fields)
        for head in before.values():
            head.hide()
            head.deleteLater()

    def _default_folds(self, node: Node | None) -> None:
        """Groups are open until there is much to see; those that hold values are open too."""
        seen = 0
        names = set(node.names) if node is not None else set()
        for group in self.groups:
            holds = any(field.key in names for field in group.fields)
            seen += len(group.fields)
            self._defaults.setdefault(group.title, not group.required and seen > LONG and not holds)

    def _is_folded(self, group: Group) -> bool:
        if not group.title:
            return False
        return self.context.folded((self.field.path, group.title), self._defaults.get(group.title, False))

    def _fold(self, group: Group, folded: bool) -> None:
        self.context.fold((self.field.path, group.title), folded)
        head = next(
            (one for heads in self.heads_at.values() for one in heads if one.section.title == group.title), None
        )
        if head is not None and folded and self.has_keyboard():
            head.setFocus(Qt.FocusReason.OtherFocusReason)
        self.replan()

    def replan(self) -> None:
        """Plan again: a group was folded, or something is searched for."""
        self._signature = None
        self.refresh(self.context.node(self.field))
        self.context.moved.emit()

    def _tell_groups(self, node: Node | None) -> None:
        if not self.heads_at:
            return
        names = set(node.names) if node is not None else set()
        for heads in self.heads_at.values():
            for head in heads:
                count = sum(field.key in names for field in head.section.fields)
                wrong = self._wrong(head.section)
                words = [f"{count} set"] if count else []
                words += [plain.count(wrong, "problem")] if wrong else []
                head.say(" · ".join(words), "error" if wrong else "muted")

    def _wrong(self, group: Group) -> int:
        if not self.context.show_all:
            return 0
        return sum(
            len(self.context.problems.get(field.path, ())) + self.context.inside(field.path) for field in group.fields
        )

    def tell_problems(self) -> None:
        """What is wrong has changed."""
        self._tell_groups(self._node)
        if self._tell_rules(self._node):
            self.row.grown()

    def _unfold(self, key: str | int) -> bool:
        for group in self.groups:
            if self._is_folded(group) and any(field.key == key for field in group.fields):
                self._fold(group, False)
                return True
        return False

    # --- rules ---

    def rules(self) -> list[tuple[str, str]]:
        """Which members are needed instead of each other."""
        return [(visible(words), tone) for words, tone in self._rules]

    def _tell_rules(self, node: Node | None) -> bool:
        before = self._rules
        self._rules = [(self._rule_words(rule, node), self._rule_tone(rule, node)) for rule in self.field.rules]
        return self._rules != before

    @staticmethod
    def _met(rule: Rule, node: Node | None) -> int:
        names = set(node.names) if node is not None else set()
        return sum(all(name in names for name in option) for option in rule.options)

    def _rule_words(self, rule: Rule, node: Node | None) -> str:
        met = self._met(rule, node)
        return f"✓ {rule.sentence}" if met == 1 or (met and not rule.exclusive) else rule.sentence

    def _rule_tone(self, rule: Rule, node: Node | None) -> str:
        met = self._met(rule, node)
        good = met == 1 or (met and not rule.exclusive)
        return "muted" if good or not self.context.show_all else "error"

    # --- rows ---

    def child(self, key: str | int) -> Field:
        """The member of a name."""
        return self.field.member(str(key))

    def build(self, field: Field) -> FieldRow:
        """A row of a member; one that a person added has its name to be edited, and a button to take it away."""
        row = FieldRow(self.context, field, self._panel, holder=self, named=field.extra)
        if field.extra and row.name_edit is not None:
            edit = row.name_edit
            edit.setToolTip("The name of this member")
            edit.left.connect(lambda: self._rename(row))
            edit.returnPressed.connect(lambda: self._rename(row))
            row.add_button("x", "Remove this member", lambda: self.context.remove(row.field))
        return row

    def item_actions(self, row: FieldRow) -> list[tuple[str, str, object]]:
        """What can be done with a member that a person added."""
        if row.name_edit is None:
            return []
        return [
            ("pencil", "Rename this member", row.name_edit.setFocus),
            ("x", "Remove this member", lambda: self.context.remove(row.field)),
        ]

    def actions(self) -> list[tuple[str, str, object]]:
        """A member with a name of its own."""
        if not self.field.open_names:
            return []
        return [("plus", "Add a member with another name", self.open_name)]

    def fill_in(self) -> None:
        """Begin the object, with the keyboard in its first field."""
        if self._there:
            self.open_name()
            return
        self.context.put(self.field, values.begin(self.field))
        if self.field.kind is FieldKind.MAP and not self.entries:
            self.open_name()
        elif self.entries and (row := self.reach(self.entries[0].key)) is not None:
            row.active.focus()
        self.context.moved.emit()

    def _rename(self, row: FieldRow) -> None:
        edit = row.name_edit
        if edit is None or row not in self.rows:
            return
        new, old = edit.text(), str(row.field.key)
        problem = self._name_trouble(new) if new != old else ""
        row.say(problem)
        if new != old and not problem and self.context.document.valid:
            self.context.document.rename(row.field.path, new, origin=self.context)

    def _name_trouble(self, name: str) -> str:
        node = self.context.node(self.field)
        if node is not None and node.index_of(name) >= 0:
            return f'There is a member "{visible(name)[:60]}" already.'
        return self.field.name_problem(name)

    # --- adding ---

    @property
    def name_line(self) -> LineEdit | None:
        """Where the name of a new member is typed; None before somebody asked for it."""
        return self._name

    def open_name(self) -> None:
        """Ask for the name of a new member."""
        if self._name is None:
            self._name = LineEdit(parent=self._panel)
            self._name.setFixedWidth(240)
            self._name.setPlaceholderText("name of the new member, then Return")
            self._name.returnPressed.connect(self._add_named)
            self._name.left.connect(self._close_name)
            self._panel.foot.append(self._name)
        self._name.clear()
        self._name.show()
        if self.context.node(self.field) is None:
            self.context.put(self.field, values.begin(self.field))
        self.row.refresh(self.context.node(self.field), force=True)
        self.row.changed_shape()
        self.context.moved.emit()
        self._name.setFocus()

    def _close_name(self) -> None:
        if self._name is None or self._name.isHidden():
            return
        self._name.hide()
        self.trouble = ""
        self.row.refresh(self.context.node(self.field), force=True)
        self.row.changed_shape()
        self.context.moved.emit()

    def _add_named(self) -> None:
        if self._name is None:
            return
        name = self._name.text()
        self.trouble = visible(self._name_trouble(name))
        self.row.changed_shape()
        self.context.moved.emit()
        if self.trouble:
            return
        member = self.field.member(name)
        self._close_name()
        self.context.put(member, values.begin(member))
        if (row := self.reach(name)) is not None:
            begin_in(row)
