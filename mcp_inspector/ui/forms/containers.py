"""Editors that hold rows: objects with named and added members, lists and tuples. Rows are built where one looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout

from mcp_inspector.schema import values
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.forms.editors import NOT_SENT, Editor, LineEdit
from mcp_inspector.ui.forms.row import TIGHT, FieldRow
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.wire.jsontext import Node

SHOWN_AT_ONCE = 60
"""Rows that a container builds before it asks: ten thousand members must not become ten thousand widgets."""

_INDENT = 12


class Container(Editor):
    """Rows below one another, a rule at the left, buttons at the end."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self.rows: list[FieldRow] = []
        self._most = SHOWN_AT_ONCE
        self._label, self._narrow = 80, False
        root = not field.path
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0 if root else _INDENT, 0, 0, 0)
        self._layout.setSpacing(8)
        self._rules = QLabel("\n".join(visible(rule.sentence) for rule in field.rules))
        self._rules.setTextFormat(Qt.TextFormat.PlainText)
        self._rules.setWordWrap(True)
        theme.mark(self._rules, role="small")
        self._rules.setVisible(bool(field.rules))
        self._layout.addWidget(self._rules)
        self._body = QVBoxLayout()
        self._body.setContentsMargins(0, 0, 0, 0)
        self._body.setSpacing(8)
        self._layout.addLayout(self._body)
        self._foot = QHBoxLayout()
        self._foot.setContentsMargins(0, 0, 0, 0)
        self._foot.setSpacing(6)
        self._layout.addLayout(self._foot)
        self._more = QPushButton()
        theme.mark(self._more, kind="quiet")
        self._more.clicked.connect(self._show_more)
        self._more.hide()

    @property
    def tall(self) -> bool:
        """Rows need the whole width."""
        return True

    def _show_more(self) -> None:
        self._most += 4 * SHOWN_AT_ONCE
        self.rebuild()

    def rebuild(self) -> None:
        """Show the value that is there now with rows made anew."""
        self.refresh(self.context.node(self.field))

    def note_hidden(self, hidden: int, noun: str) -> None:
        """Say how many rows are not shown."""
        self._more.setText(f"Show {plain.count(hidden, f'more {noun}')}")
        self._more.setVisible(hidden > 0)

    def set_room(self, width: int, narrow: bool) -> None:
        """Share the width among names and editors, here and inside."""
        self._narrow = narrow
        wanted = [row.label_width for row in self.rows if not row.editor.tall]
        self._label = max(wanted, default=0)
        for row in self.rows:
            row.set_room(self._label, narrow)
            if hasattr(row.editor, "set_room"):
                row.editor.set_room(width - _INDENT, narrow)

    def drop_row(self, row: FieldRow) -> None:
        """Take a row away."""
        self.rows.remove(row)
        self._body.removeWidget(row)
        row.hide()
        row.setParent(None)  # it must not be found among the rows any more
        row.deleteLater()

    def clear_rows(self) -> None:
        """Take all rows away."""
        for row in list(self.rows):
            self.drop_row(row)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The rule that shows what belongs together."""
        if self.field.path and self.rows:
            painter = QPainter(self)
            painter.fillRect(QRect(1, 0, 1, self.height()), theme.colour("line"))


class ObjectEditor(Container):
    """Named members of the schema, then those that a person added, then the button to add one."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self._signature: object = None
        self._fill = QPushButton(icons.icon("plus"), "Fill in")
        self._fill.clicked.connect(self._fill_in)
        self._state = QLabel(NOT_SENT)
        theme.mark(self._state, role="small")
        self._add = QPushButton(icons.icon("plus"), "Add member")
        self._add.clicked.connect(self._open_name)
        additional = field.shape.additional()
        # Nearly every schema takes more members by saying nothing; a button for it on every object would be noise.
        self._offers = field.kind is FieldKind.MAP or bool(additional.schemas or additional.patterns)
        self.quiet_add = self._open_name if field.open_names and not self._offers else None
        self._name = LineEdit()
        self._name.setPlaceholderText("name of the new member, Return adds it")
        self._name.returnPressed.connect(self._add_named)
        self._name.left.connect(self._close_name)
        self._name_problem = QLabel()
        self._name_problem.setTextFormat(Qt.TextFormat.PlainText)
        self._name_problem.setWordWrap(True)
        theme.mark(self._name_problem, role="error")
        for widget in (self._fill, self._state, self._add, self._name, self._more, self._name_problem):
            self._foot.addWidget(widget)
        self._foot.addStretch(1)
        self._name.hide()
        self._name_problem.hide()
        self.setFocusProxy(self._fill)

    def refresh(self, node: Node | None) -> None:
        """Rows for what is there; an optional object that is not there is one button."""
        # Emptying the last field of an optional object takes the object away; the rows stay while one is in them.
        absent = node is None and bool(self.field.path) and not self.field.required and not self._has_keyboard()
        self._fill.setVisible(absent)
        self._state.setVisible(absent)
        self._more.setVisible(False)
        self._add.setVisible(not absent and self._offers and self._name.isHidden())
        if absent or (node is not None and node.kind is not Kind.OBJECT):
            self.clear_rows()
            self._signature = None
            return
        signature = self._signature_of(node)
        if signature != self._signature:
            self._signature = signature
            self._build(node)
        for row in self.rows:
            row.refresh(self.context.node(row.field))

    def _fill_in(self) -> None:
        self.context.put(self.field, values.begin(self.field))
        if self.rows:
            self.rows[0].editor.setFocus()

    def _has_keyboard(self) -> bool:
        focus = self.window().focusWidget()
        return bool(self.rows) and focus is not None and self.isAncestorOf(focus)

    def _signature_of(self, node: Node | None) -> object:
        """What decides which rows there are: names, and everything where the schema has conditions."""
        if node is None:
            return ("", self._most)
        live = self.field.live(node) is not self.field.shape
        return (tuple(node.names), node.raw if live else "", self._most)

    def _build(self, node: Node | None) -> None:
        fields = self.field.children(node)
        shown = fields[: self._most]
        kept = {row.field.key: row for row in self.rows}
        wanted: list[FieldRow] = []
        for field in shown:
            row = kept.pop(field.key, None)
            if row is not None and _same(row.field, field):
                wanted.append(row)
            else:
                if row is not None:
                    kept[field.key] = row
                wanted.append(self._row(field))
        for row in kept.values():
            self.drop_row(row)
        self.rows = wanted
        for at, row in enumerate(wanted):
            if self._body.indexOf(row) != at:
                self._body.insertWidget(at, row)
                row.show()
        self.note_hidden(len(fields) - len(shown), "field")
        self.set_room(self.width(), self._narrow)

    def _row(self, field: Field) -> FieldRow:
        if not field.extra:
            return FieldRow(self.context, field)
        name = LineEdit(str(field.key))
        name.setToolTip("The name of this member")
        remove = tool("x", "Remove this member", lambda: self.context.remove(field))
        row = FieldRow(self.context, field, (remove,), name)
        name.setFixedWidth(140)
        name.left.connect(lambda: self._rename(row, name))
        name.returnPressed.connect(lambda: self._rename(row, name))
        return row

    def _rename(self, row: FieldRow, edit: LineEdit) -> None:
        new, old = edit.text(), str(row.field.key)
        if new == old or row not in self.rows:
            return
        problem = self._name_trouble(new)
        edit.setToolTip(problem or "The name of this member")
        theme.mark(edit, invalid=bool(problem))
        if not problem and self.context.document.valid:
            self.context.document.rename(row.field.path, new, origin=self.context)

    def _name_trouble(self, name: str) -> str:
        node = self.context.node(self.field)
        if node is not None and node.index_of(name) >= 0:
            return f'There is a member "{visible(name)[:60]}" already.'
        return self.field.name_problem(name)

    def _open_name(self) -> None:
        self._name.clear()
        self._name.show()
        self._add.hide()
        self._name.setFocus()

    def _close_name(self) -> None:
        self._name.hide()
        self._name_problem.hide()
        self._add.setVisible(self._offers)

    def _add_named(self) -> None:
        name = self._name.text()
        problem = self._name_trouble(name)
        self._name_problem.setText(visible(problem))
        self._name_problem.setVisible(bool(problem))
        if problem:
            return
        member = self.field.member(name)
        self.context.put(member, values.begin(member))
        self._close_name()
        row = next((row for row in self.rows if row.field.key == name), None)
        if row is not None:
            row.editor.setFocus()

    def rebind(self, field: Field) -> None:
        """Another place: the rows follow when they are refreshed."""
        super().rebind(field)
        self.clear_rows()
        self._signature = None


class ListEditor(Container):
    """Items in order: add, remove, move up and down."""

    def __init__(self, context: FormContext, field: Field) -> None:
        super().__init__(context, field)
        self._state = QLabel(NOT_SENT)
        theme.mark(self._state, role="small")
        self._add = QPushButton(icons.icon("plus"), "Add item")
        self._add.clicked.connect(self._append)
        for widget in (self._add, self._state, self._more):
            self._foot.addWidget(widget)
        self._foot.addStretch(1)
        self.setFocusProxy(self._add)

    def refresh(self, node: Node | None) -> None:
        """One row for each item; for a tuple one for each position."""
        count = len(node.items) if node is not None and node.kind is Kind.ARRAY else 0
        places = max(count, self.field.positions if node is not None or self.field.required else 0)
        shown = min(places, self._most)
        while len(self.rows) > shown:
            self.drop_row(self.rows[-1])
        while len(self.rows) < shown:
            row = self._row(self.field.item(len(self.rows)))
            self.rows.append(row)
            self._body.addWidget(row)
            row.show()
        for row in self.rows:
            row.refresh(self.context.node(row.field))
        most = self.field.max_items
        self._add.setEnabled(most is None or count < most)
        self._add.setToolTip("" if self._add.isEnabled() else f"The schema allows at most {most}.")
        self._add.setVisible(self.field.more_items or not places)
        self._state.setText(
            "empty list []" if node is not None else NOT_SENT if not self.field.required else "required"
        )
        self._state.setVisible(not count)
        self.note_hidden(places - shown, "item")
        self.set_room(self.width(), self._narrow)

    def _row(self, field: Field) -> FieldRow:
        up = tool("chevron-up", "Move up", lambda: None)
        down = tool("chevron-down", "Move down", lambda: None)
        remove = tool("x", "Remove this item", lambda: None)
        fixed = isinstance(field.key, int) and field.key < self.field.positions
        row = FieldRow(self.context, field, () if fixed else (up, down, remove), described=fixed)
        up.clicked.connect(lambda: self._move(row, -1))
        down.clicked.connect(lambda: self._move(row, 1))
        remove.clicked.connect(lambda: self._remove(row))
        return row

    def _append(self) -> None:
        node = self.context.node(self.field)
        count = len(node.items) if node is not None and node.kind is Kind.ARRAY else 0
        item = values.begin(self.field.item(count))
        if node is None:
            self.context.put(self.field, f"[{item}]")
        else:
            self.context.document.insert(self.field.path, count, item, origin=self.context)
        if self.rows and count < len(self.rows):
            self.rows[count].editor.setFocus()

    def _remove(self, row: FieldRow) -> None:
        at = self.rows.index(row)
        self.context.forget_unread(row.field.path)
        self.drop_row(row)
        self._number(at)
        self.context.document.remove((*self.field.path, at), origin=self.context)
        self.rebuild()

    def _move(self, row: FieldRow, by: int) -> None:
        at = self.rows.index(row)
        node = self.context.node(self.field)
        count = len(node.items) if node is not None else 0
        to = at + by
        if not (0 <= to < min(count, len(self.rows))) or to < self.field.positions:
            return
        self.rows.insert(to, self.rows.pop(at))
        self._body.insertWidget(to, row)
        self._number(min(at, to))
        self.context.document.move(self.field.path, at, to, origin=self.context)
        self.rebuild()

    def _number(self, start: int) -> None:
        """Give the rows from here on their new places: what a row shows belongs to the item that moved."""
        for at in range(start, len(self.rows)):
            self.rows[at].rebind(self.field.item(at))

    def rebind(self, field: Field) -> None:
        """Another place: its rows go along."""
        super().rebind(field)
        self._number(0)


def tool(icon: str, tip: str, run: Callable[[], object]) -> QToolButton:
    """A small quiet button at the right edge of a row."""
    button = QToolButton()
    button.setIcon(icons.icon(icon, "muted"))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setAutoRaise(True)
    button.setFixedSize(22, 22)
    button.setStyleSheet(TIGHT)
    button.clicked.connect(lambda: run())
    return button


def _same(old: Field, new: Field) -> bool:
    """Whether a row built for one field serves the other."""
    if old is new:
        return True
    return (
        old.path == new.path
        and old.kind is new.kind
        and old.required == new.required
        and old.extra == new.extra
        and old.nullable == new.nullable
        and old.hint == new.hint
        and [one.json_text for one in old.choices] == [one.json_text for one in new.choices]
        and [one.label for one in old.branches] == [one.label for one in new.branches]
    )
