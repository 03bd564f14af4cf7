"""Lists and tuples: items in order, added, removed, moved, pasted and imported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from mcp_inspector.schema import values
from mcp_inspector.schema.fields import MAX_ITEMS
from mcp_inspector.schema.imports import items_of
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import plain
from mcp_inspector.ui.forms.choices import takes_toggles
from mcp_inspector.ui.forms.editor import empty_words
from mcp_inspector.ui.forms.inputs import clipboard
from mcp_inspector.ui.forms.marks import TextButton
from mcp_inspector.ui.forms.panel import Container, Keyboard, begin_in, drop
from mcp_inspector.ui.forms.row import FieldRow
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.wire.jsontext import Node

LARGEST_FILE = 20_000_000
_PASTED = "From the clipboard: JSON, a table, or one item a line"
_FILES = "Lists (*.csv *.tsv *.json *.jsonl *.ndjson *.txt);;All files (*)"
_FOLDED_FROM = 8
"""Items with rows inside from which they begin folded: one sees what there is before one opens one."""
_INSIDE = frozenset([FieldKind.OBJECT, FieldKind.MAP, FieldKind.ARRAY, FieldKind.TUPLE])


class Items(Sequence["Field"]):
    """The fields of a list's items, each made when it is asked for: of ten thousand a few are looked at."""

    def __init__(self, field: Field, count: int) -> None:
        self._field, self._count = field, count
        self._made: dict[int, Field] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Field: ...
    @overload
    def __getitem__(self, at: slice) -> list[Field]: ...
    def __getitem__(self, at: int | slice) -> Field | list[Field]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(self._count))]
        if not 0 <= at < self._count:
            raise IndexError(at)
        if at not in self._made:
            self._made[at] = self._field.item(at)
        return self._made[at]


class ListEditor(Container):
    """One row for each item; for a tuple one for each position."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self._there = False
        self._count = 0
        self._cut = False
        self._own = field
        """The list without what its present value makes apply."""
        self._begin = TextButton(row, "Add item", "plus", self.append)
        self._add = TextButton(self._panel, "Add item", "plus", self.append)
        self._paste = TextButton(
            self._panel, "Paste a list", "clipboard", self.paste, "JSON, a table, or one item a line"
        )
        self._panel.foot += [self._add, self._paste]
        for button in (self._begin, self._add, self._paste):
            button.hide()

    @property
    def heads(self) -> Sequence[QWidget]:
        """The button that begins it, while there are no rows."""
        return () if self.open or self.row.bare else (self._begin,)

    @property
    def state(self) -> str:
        """How many items there are, or that there are none."""
        if self._count:
            return plain.count(self._count, "item")
        if self.open:
            return ""
        return empty_words(self.field, "empty list []" if self._there else "")

    # --- showing ---

    def refresh(self, node: Node | None) -> None:
        """Rows for the items that are there."""
        again = self._apply(node)
        items = node.items if node is not None and node.kind is Kind.ARRAY else ()
        self._there, self._count = node is not None, len(items)
        fixed = self.field.positions if node is not None or self.field.required else 0
        places = min(max(len(items), fixed), MAX_ITEMS)
        self._cut = len(items) > MAX_ITEMS
        matches = self.context.matches
        if matches is not None:
            self.plan([field for at in range(places) if matches((field := self.field.item(at)).path)])
        elif not isinstance(self.entries, Items) or len(self.entries) != places:
            self._take_items(places)
        self.open = places > 0 or (self.row.bare and node is not None)
        self._show_buttons(len(items), places)
        if self.row.folded:
            return
        for row in self.rows:
            row.refresh(self.member(node, row.field))
        if again is not None:
            again.come_back(self)  # what is typed in an item may change what all items are

    def _apply(self, node: Node | None) -> Keyboard | None:
        """Take what the value makes apply; where the keyboard was, when that makes the rows anew."""
        applied = self._own.applied(node)
        if applied is self.field:
            return None
        self.field = applied
        focus = self._focus()
        keyboard = next((Keyboard(row, focus) for row in self.rows if row.isAncestorOf(focus)), None)
        self.clear()
        return keyboard

    def _take_items(self, places: int) -> None:
        if not isinstance(self.entries, Items):
            self.clear()
        while len(self.rows) > places:
            drop(self.rows.pop())
        self.entries = Items(self.field, places)
        self.row.changed_shape()
        self.context.rebuilt.emit()

    def adopt(self, field: Field) -> None:
        """Another schema: the items are of another kind."""
        super().adopt(field)
        self._own = field
        self.clear()

    def rebind(self, field: Field) -> None:
        """Another place; what the value makes apply is found when it is shown."""
        self._own = field
        super().rebind(field)

    def _show_buttons(self, count: int, places: int) -> None:
        most = self.field.max_items
        full = most is not None and count >= most
        growing = self.field.more_items or not places
        self._begin.setVisible(not self.open and not self.row.bare and not self.row._shows_raw)
        self._add.setVisible(self.open and growing)
        self._paste.setVisible(self.open and self.field.more_items)
        for button in (self._add, self._begin):
            button.setEnabled(not full)
            button.setToolTip(f"The schema allows at most {most}." if full else "")

    def rules(self) -> list[tuple[str, str]]:
        """That there is more than rows are made for."""
        return (
            [(f"Only the first {MAX_ITEMS:,} items have rows; the others are in the JSON.", "warn")]
            if self._cut
            else []
        )

    # --- rows ---

    def moved(self) -> Sequence[Field]:
        """The items at the place where the list is now."""
        return Items(self.field, len(self.entries)) if isinstance(self.entries, Items) else super().moved()

    def place_of(self, key: str | int) -> int:
        """Without looking at all items."""
        if isinstance(self.entries, Items):
            return key if isinstance(key, int) and 0 <= key < len(self.entries) else -1
        return super().place_of(key)

    def child(self, key: str | int) -> Field:
        """The item at an index."""
        return self.field.item(int(key))

    def build(self, field: Field) -> FieldRow:
        """A row of an item, with buttons to move and remove it; a position of a tuple has none."""
        fixed = isinstance(field.key, int) and field.key < self.field.positions
        row = FieldRow(self.context, field, self._panel, holder=self)
        if not fixed:
            row.fold_default = self._count > _FOLDED_FROM and field.kind in _INSIDE
            row.add_button("chevron-up", "Move up", lambda: self.move(row, -1), "Alt+Up")
            row.add_button("chevron-down", "Move down", lambda: self.move(row, 1), "Alt+Down")
            row.add_button("x", "Remove this item", lambda: self.remove(row))
        return row

    def item_actions(self, row: FieldRow) -> list[tuple[str, str, object]]:
        """What can be done with an item."""
        at = self.rows.index(row) if row in self.rows else -1
        if at < self.field.positions:
            return []
        return [
            ("chevron-up", "Move up", lambda: self.move(row, -1)),
            ("chevron-down", "Move down", lambda: self.move(row, 1)),
            ("copy", "Insert a copy below", lambda: self._duplicate(row)),
            ("x", "Remove this item", lambda: self.remove(row)),
        ]

    def actions(self) -> list[tuple[str, str, object]]:
        """Ways to get many items at once."""
        found: list[tuple[str, str, object]] = []
        if self.field.more_items:
            found.append(("clipboard", "Paste a list", self.paste))
            found.append(("folder-open", "Import CSV, JSON or JSON lines…", self.choose_file))
        if takes_toggles(self.field):
            found.append(("list", "Edit as choices", lambda: self._as_list(False)))
        return found

    def _as_list(self, on: bool) -> None:
        self.row.switch_list(on)

    def append(self) -> None:
        """Add an item at the end, with the keyboard in it."""
        node = self.context.node(self.field)
        count = len(node.items) if node is not None and node.kind is Kind.ARRAY else 0
        field = self.field.item(count)
        item = values.begin(field)
        self.context.fold(field.path, False)
        if node is None or node.kind is not Kind.ARRAY:
            self.context.put(self.field, f"[{item}]")
        else:
            self.context.document.insert(self.field.path, count, item, origin=self.context)
        if (row := self.reach(count)) is not None:
            self.context.moved.emit()
            begin_in(row)

    def remove(self, row: FieldRow) -> None:
        """Take an item away; the keyboard goes to the one that comes into its place."""
        at = self.rows.index(row)
        had = row.isAncestorOf(self._focus())
        self.context.forget_unread(row.field.path)
        self.context.renumber(self.field.path, lambda place: place - (place > at) if place != at else None)
        self.rows.remove(row)
        self.entries = Items(self.field, len(self.entries) - 1)
        drop(row)
        self._number(at)
        self.context.document.remove((*self.field.path, at), origin=self.context)
        self.row.refresh(self.context.node(self.field), force=True)
        self.row.changed_shape()
        self.context.moved.emit()
        if had:
            after = self.reach(min(at, len(self.entries) - 1)) if self.entries else None
            (after.active if after is not None else self).focus()

    def move(self, row: FieldRow, by: int) -> None:
        """Move an item by one place; the keyboard stays in it."""
        at = self.rows.index(row)
        to = at + by
        if not (0 <= to < self._count) or to < self.field.positions or at >= self._count:
            return
        if to >= len(self.rows):
            self.reach(to)
        self.context.renumber(self.field.path, lambda place: {at: to, to: at}.get(place, place))
        self.rows.insert(to, self.rows.pop(at))
        self._number(min(at, to), max(at, to) + 1)
        self.context.document.move(self.field.path, at, to, origin=self.context)
        self.row.refresh(self.context.node(self.field), force=True)
        self.row.changed_shape()
        self.context.moved.emit()

    def _duplicate(self, row: FieldRow) -> None:
        at = self.rows.index(row)
        node = self.context.node(row.field)
        if node is not None:
            self.context.document.insert(self.field.path, at + 1, node.raw, origin=self.context)

    def _number(self, start: int, stop: int | None = None) -> None:
        """Give rows their new places: what a row shows belongs to the item that moved."""
        for at in range(start, len(self.rows) if stop is None else stop):
            self.rows[at].rebind(self.entries[at])

    # --- many at once ---

    def paste(self) -> None:
        """Add what is on the clipboard."""
        self.take(clipboard(), "The clipboard")

    def choose_file(self) -> None:
        """Ask for a file whose rows are to be added."""
        dialog = QFileDialog(self.row.window(), "Import items", "", _FILES)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.take_file)
        dialog.open()

    def take_file(self, name: str) -> None:
        """Add the rows of a file."""
        from pathlib import Path

        path = Path(name)
        try:
            size = path.stat().st_size
            if size > LARGEST_FILE:
                self.row.say(f"{path.name} was not taken: it has {plain.size(size)}.")
                return
            self.take(path.read_text(encoding="utf-8-sig"), path.name)
        except UnicodeDecodeError:
            self.row.say(f"{path.name} was not taken: it is not text in UTF-8.")
        except OSError as error:
            self.row.say(f"{path.name} was not taken: {error.strerror}.")

    def take(self, text: str, what: str) -> None:
        """Add the items that a text holds, as one step; what was understood is said."""
        pasted = items_of(self.field, text)
        if not pasted.items:
            self.row.say(f"{what} holds no items. {' '.join(pasted.problems[:2])}".strip())
            return
        node = self.context.node(self.field)
        before = [item.raw for item in node.items] if node is not None and node.kind is Kind.ARRAY else []
        self.context.put(self.field, f"[{', '.join([*before, *pasted.items])}]")
        more = f"; {len(pasted.problems) - 2} more like this" if len(pasted.problems) > 2 else ""
        self.row.say(" ".join([f"Added {pasted.how}.", *pasted.problems[:2]]) + more)
        self.context.moved.emit()
