"""The rows inside a row: built where one looks, placed one below the other, with a line that holds them together."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLineEdit, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.forms.editor import Editor
from mcp_inspector.ui.forms.measure import GAP, GUTTER, SIDE
from mcp_inspector.ui.forms.row import FieldRow, same_schemas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.sections import Group, SectionHead
    from mcp_inspector.wire.jsontext import Node

_EDITOR_LEAST = 210
"""Pixels that an editor has beside its name at least; with fewer it stands below."""
_GUESS = 44
"""Pixels that a row takes which is not built yet."""


class Panel(QWidget):
    """The place of a container's rows and of its buttons below them."""

    def __init__(self, container: Container, parent: QWidget) -> None:
        super().__init__(parent)
        self.container = container
        self.foot: list[QWidget] = []
        self._words: list[tuple[QRect, str, str]] = []
        self._width = 0
        self.label = 0
        """Pixels of the column of names; it never shrinks while the rows are there."""

    @property
    def wanted(self) -> bool:
        """Whether there is anything to be seen in it."""
        return self.container.open

    def stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        found: list[QWidget] = []
        container = self.container
        for at, (head, row) in enumerate(container.lines()):
            if head is not None and head.foldable:
                found.append(head)
            if row is not None and at < len(container.entries):
                found.extend(row.stops())
        found.extend(one for one in self.foot if not one.isHidden() and one.focusPolicy() & Qt.FocusPolicy.TabFocus)
        return found

    def arrange(self, width: int, narrow: bool) -> int:
        """Place all rows within a width; the height they take, with a guess for those that are not built."""
        container = self.container
        left = 0 if container.row.bare else GUTTER
        wide = width - left
        self._width = width
        for row in container.rows:
            if row.beside:
                self.label = max(self.label, row.name_width)
        self.label = min(self.label, max(wide * 2 // 5, 40))
        tight = self.tight(wide, narrow)
        y = 0
        self._words = []
        for rule, tone in container.rules():
            tall = measure.height(rule, wide - GUTTER - 8)
            self._words.append((self._at(left + GUTTER, y, wide - GUTTER - 8, tall), rule, tone))
            y += tall + 4
        y += 4 if y else 0
        for head, line in container.lines():
            if head is not None:
                y += 4 if y else 0
                head.setGeometry(self._at(left, y, wide, head.height_for()))
                y += head.height() + 4
            if line is not None:
                tall = line.arrange(wide, self.label, narrow, tight)
                line.setGeometry(self._at(left, y, wide, tall))
                y += tall + GAP
        missing = len(container.entries) - len(container.rows)
        if missing > 0:
            y += missing * _GUESS
        y = self._place_foot(left + GUTTER, y, wide - GUTTER)
        self.update()
        return max(y - (GAP if not self._foot_shown() else 0), 0) + (0 if container.row.bare else 2)

    def _at(self, x: int, y: int, wide: int, tall: int) -> QRect:
        """A place in the panel; counted from the right in languages that begin there."""
        area = QRect(x, y, wide, tall)
        return measure.mirrored(area, self._width) if self.isRightToLeft() else area

    def tight(self, wide: int, narrow: bool) -> bool:
        """Whether names stand above their editors: short names leave them enough room in a narrow form too."""
        return narrow and wide - GUTTER - self.label - GAP - SIDE < _EDITOR_LEAST

    def _foot_shown(self) -> bool:
        return any(not one.isHidden() for one in self.foot)

    def _place_foot(self, left: int, y: int, room: int) -> int:
        x = left
        tall = 0
        for one in self.foot:
            if one.isHidden():
                continue
            wide = min(one.sizeHint().width(), room)
            if x > left and x + wide > left + room:
                x, y = left, y + measure.line() + 4
            one.setGeometry(self._at(x, y, wide, measure.line()))
            x += wide + 6
            tall = measure.line()
        y += tall
        if tall and self.container.trouble:
            high = measure.height(self.container.trouble, room)
            self._words.append((self._at(left, y + 2, room, high), self.container.trouble, "error"))
            y += high + 2
        return y

    def paintEvent(self, _: QPaintEvent) -> None:
        """The line that shows what belongs together, and sentences about all of it."""
        painter = QPainter(self)
        if not self.container.row.bare:
            area = QRect(GUTTER // 2 - 1, 0, 1, self.height() - 2)
            area = measure.mirrored(area, self.width()) if self.isRightToLeft() else area
            painter.fillRect(area, theme.colour("line"))
        for area, text, tone in self._words:
            measure.draw(painter, area, text, tone)


class Container(Editor):
    """What has rows inside: objects and lists. Rows are built by `fill`, from the top, as far as one can see."""

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        super().__init__(context, field, row)
        self.rows: list[FieldRow] = []
        self.entries: Sequence[Field] = []
        """The fields that are to have rows, in order; the first ones have theirs in `rows`."""
        self.groups: list[Group] = []
        self.heads_at: dict[int, list[SectionHead]] = {}
        self.open = False
        """Whether its value is there, so that there are rows."""
        self.lingers = False
        """Whether rows are only there because the keyboard is in one of them."""
        self.trouble = ""
        """What is wrong with what is typed below the rows."""
        self._panel = Panel(self, row)
        self._panel.setVisible(False)

    @property
    def panel(self) -> Panel | None:
        """The rows."""
        return self._panel

    def rules(self) -> list[tuple[str, str]]:
        """Sentences about several rows, with their tones."""
        return []

    def lines(self) -> list[tuple[SectionHead | None, FieldRow | None]]:
        """Heads of groups and built rows, in order."""
        found: list[tuple[SectionHead | None, FieldRow | None]] = []
        for at, row in enumerate(self.rows):
            heads = self.heads_at.get(at, [])
            found.extend((head, None) for head in heads[:-1])
            found.append((heads[-1] if heads else None, row))
        if len(self.rows) == len(self.entries):
            found.extend((head, None) for head in self.heads_at.get(len(self.entries), []))
        return found

    # --- building ---

    def build(self, field: Field) -> FieldRow:
        """A row for a field."""
        raise NotImplementedError

    def member(self, node: Node | None, field: Field) -> Node | None:
        """The value of one field inside."""
        return node.get(field.key) if node is not None else None

    def plan(self, fields: Sequence[Field]) -> None:
        """Take other fields: rows of the same fields stay, those of others go."""
        kept = {row.field.key: row for row in self.rows}
        stay: dict[int, FieldRow] = {}
        for at, field in enumerate(fields):
            row = kept.get(field.key)
            if row is not None and same(row.field, field):
                stay[at] = kept.pop(field.key)
                row.adopt(field)
        lost = next((Keyboard(row, self._focus()) for row in kept.values() if row.isAncestorOf(self._focus())), None)
        for row in kept.values():
            drop(row)
        # Built rows are always the first ones.
        self.rows = [stay.get(at) or self._make(fields[at]) for at in range(max(stay, default=-1) + 1)]
        self.entries = [*fields]
        self.row.changed_shape()
        self.context.rebuilt.emit()
        if lost is not None:
            lost.come_back(self)  # what is typed in a field may change what the field is

    def _focus(self) -> QWidget:
        return self.row.window().focusWidget() or self.row.window()

    def _make(self, field: Field) -> FieldRow:
        row = self.build(field)
        row.refresh(self.context.node(field))
        row.show()
        return row

    def clear(self) -> None:
        """Take all rows away."""
        for row in self.rows:
            drop(row)
        for heads in self.heads_at.values():
            for head in heads:
                head.hide()
                head.deleteLater()
        self.rows, self.entries, self.groups, self.heads_at = [], [], [], {}
        self._panel.label = 0
        self.row.changed_shape()

    def fill(self, top: int, bottom: int, deadline: float, width: int, narrow: bool) -> bool:
        """Build rows down to `bottom`, in pixels from the top of the form, where this panel begins at `top`.

        Returns whether nothing is left to be built there; it stops when the clock shows `deadline`.
        """
        wide = width - (0 if self.row.bare else GUTTER)
        # As they were placed last: what is placed in another way here would have to be placed again.
        label, tight = self._panel.label, self._panel.tight(wide, narrow)
        y = top
        built, done = False, True
        for at in range(len(self.entries)):
            if y > bottom:
                break
            y += sum(head.height_for() + GAP for head in self.heads_at.get(at, ()))
            if at >= len(self.rows):
                if time.perf_counter() > deadline:
                    done = False
                    break
                self.rows.append(self._make(self.entries[at]))
                built = True
            row = self.rows[at]
            inner = row.inner
            if inner is not None:
                start = y + row.arrange(wide, label, narrow, tight) - inner.tall
                done = inner.fill(start, bottom, deadline, wide, narrow) and done
            y += row.arrange(wide, label, narrow, tight) + GAP
        if built:
            self.row.changed_shape()
            self.context.rebuilt.emit()
        return done

    @property
    def tall(self) -> int:
        """The height of the panel as it was placed last."""
        return self._panel.height()

    def reach(self, key: str | int) -> FieldRow | None:
        """The row of a field inside, built and unfolded if it must be; None when there is none."""
        at = self.place_of(key)
        if at < 0 and self._unfold(key):
            at = self.place_of(key)
        if at < 0:
            return None
        while len(self.rows) <= at:
            self.rows.append(self._make(self.entries[len(self.rows)]))
            self.row.changed_shape()
        return self.rows[at]

    def place_of(self, key: str | int) -> int:
        """Where a field stands among the entries, -1 when it does not."""
        return next((at for at, field in enumerate(self.entries) if field.key == key), -1)

    def _unfold(self, key: str | int) -> bool:
        """Open the group that a field is in."""
        return False

    def has_keyboard(self) -> bool:
        """Whether the keyboard is in one of the rows."""
        focus = self.row.window().focusWidget()
        return bool(self.rows) and focus is not None and self._panel.isAncestorOf(focus)

    def set_visible(self, visible: bool) -> None:
        """Hide everything; to be seen again, it is refreshed."""
        if not visible:
            super().set_visible(False)

    def tell_problems(self) -> None:
        """What is wrong has changed."""

    def replan(self) -> None:
        """Something is searched for, or no longer."""
        self.row.refresh(self.context.node(self.field), force=True)

    def child(self, key: str | int) -> Field:
        """The field under a key, which need not be there."""
        raise NotImplementedError

    def rebind(self, field: Field) -> None:
        """Another place: the rows go along, with the keyboard in them; what does not fit there is made anew."""
        super().rebind(field)
        moved = self.moved()
        fits = all(
            row.field.kind is new.kind and row.field.extra == new.extra
            for row, new in zip(self.rows, moved, strict=False)
        )
        if not fits:
            self.clear()
            return
        self.entries = moved
        for row, new in zip(self.rows, moved, strict=False):
            row.rebind(new)

    def moved(self) -> Sequence[Field]:
        """The same fields at the place where this container is now."""
        return [self.child(one.key) for one in self.entries]

    def adopt(self, field: Field) -> None:
        """The same place of a schema that says a little more or less."""
        self.field = field


class Keyboard:
    """Where the keyboard was in a row, to be brought to the row that comes into its place."""

    def __init__(self, row: FieldRow, focus: QWidget) -> None:
        self._key = row.field.key
        self._kind = type(focus)
        self._cursor = focus.cursorPosition() if isinstance(focus, QLineEdit) else -1

    def come_back(self, container: Container) -> None:
        """Put it into the same kind of input, or else into the first."""
        row = container.reach(self._key)
        if row is None:
            return
        alike = next((stop for stop in row.stops() if type(stop) is self._kind), None)
        if alike is None:
            row.active.focus()
            return
        alike.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(alike, QLineEdit) and self._cursor >= 0:
            alike.setCursorPosition(self._cursor)


def begin_in(row: FieldRow) -> None:
    """Put the keyboard into a new row: what it begins with is replaced by what is typed."""
    row.active.focus()
    focus = row.window().focusWidget()
    if isinstance(focus, QLineEdit) and row.isAncestorOf(focus):
        focus.selectAll()


def drop(row: FieldRow) -> None:
    """Take a row off the form for good; the keyboard stays in the form."""
    row.context.keep_keyboard(row)
    row.dropped = True
    row.hide()
    row.deleteLater()


def same(old: Field, new: Field) -> bool:
    """Whether a row built for one field serves the other."""
    if old is new:
        return True
    if old.path != new.path or old.required != new.required or old.extra != new.extra:
        return False
    return same_schemas(old, new) or (
        old.kind is new.kind
        and old.nullable == new.nullable
        and old.hint == new.hint
        and [one.json_text for one in old.choices] == [one.json_text for one in new.choices]
        and [one.label for one in old.branches] == [one.label for one in new.branches]
    )
