"""One row of a form: the name, the editor, what is expected, what is wrong, and what is inside.

A row draws its words itself and places its few widgets by hand: a form of a thousand fields must not cost a thousand
layouts. What is asked for its height (`arrange`) is answered from memory as long as nothing has changed.
"""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from mcp_inspector.ui.forms import measure, row_layout, row_menu, row_words
from mcp_inspector.ui.forms.factory import make
from mcp_inspector.ui.forms.inputs import LineEdit
from mcp_inspector.ui.forms.marks import SMALL, IconButton
from mcp_inspector.ui.forms.row_paint import paint
from mcp_inspector.ui.forms.row_words import Words, misfit_words, name_of
from mcp_inspector.ui.widgets.visible import tooltip, visible
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPaintEvent
    from PySide6.QtWidgets import QMenu

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.editor import Editor
    from mcp_inspector.ui.forms.panel import Container
    from mcp_inspector.wire.jsontext import Node

_UNSEEN = object()
_MENU = "More: null, empty, default, copy (Alt+Return)"


class FieldRow(QWidget):
    """A field of a form. `bare` is the root: it has no name. `holder` is the container it is an item or member of."""

    def __init__(
        self,
        context: FormContext,
        field: Field,
        parent: QWidget | None,
        *,
        bare: bool = False,
        holder: Editor | None = None,
        named: bool = False,
    ) -> None:
        super().__init__(parent)
        self.context, self.field, self.bare, self.holder = context, field, bare, holder
        self.words = Words(field)
        self.fold_key: object = field.path
        self.fold_default = False
        self.name_edit = LineEdit(str(field.key), parent=self) if named else None
        self.name_rect = self.side_rect = self.note_rect = self.details_rect = self.problem_rect = QRect()
        self.problem_text = self.problem_tone = self.problem_shown = ""
        self._said = ""
        self._seen: object = _UNSEEN
        self._arranged = (0, 0, False, False)
        self._height = 0
        self._stale = True
        self._was_inside = False
        self.dropped = False
        """Whether it is on its way out."""
        self.raw: Editor | None = None
        self._shows_raw = False
        self.editor: Editor = make(context, field, self)
        self.buttons: list[IconButton] = []
        self.menu_button = IconButton(
            self, "ellipsis", "More: null, empty, default, copy (Alt+Return)", self.open_menu, "edge"
        )
        self.menu_button.setVisible(not bare)
        self.fold_button: IconButton | None = None
        self._name()

    def _name(self) -> None:
        self.setObjectName(f"field:{jsontext.pointer(self.field.path)}")
        if not self.bare:
            for head in self.editor.heads:
                head.setAccessibleName(f"{self.field.label}{', required' if self.field.required else ''}")
                head.setAccessibleDescription(self.words.note[:500])

    def add_button(self, icon: str, tip: str, run: Callable[[], object], keys: str = "") -> None:
        """A small button at its right edge: what can be done with an item."""
        button = IconButton(self, icon, f"{tip} ({keys})" if keys else tip, run)
        button.setAccessibleName(tip)
        self.buttons.append(button)
        self._stale = True

    def switch_list(self, as_list: bool) -> None:
        """Edit a list of choices as rows, or as words that are on or off."""
        key = ("list", self.field.path)
        if as_list:
            self.context.folds[key] = True
        else:
            self.context.folds.pop(key, None)
        self.editor.discard()
        self.editor = make(self.context, self.field, self)
        for head in self.editor.heads:
            head.show()
        self._name()
        self.changed_shape()
        self.refresh(self.context.node(self.field), force=True)
        self.context.moved.emit()

    # --- what it shows ---

    @property
    def active(self) -> Editor:
        """The editor that shows the value now: the field's own, or any JSON."""
        return self.raw if self._shows_raw and self.raw is not None else self.editor

    def refresh(self, node: Node | None, *, force: bool = False) -> None:
        """Show a value: in the field's own editor, or as JSON when that cannot show it."""
        seen: object = node.raw if node is not None else None
        if seen == self._seen and not force:
            return
        self._seen = seen
        default = self.field.default
        self.words.mark = "the default" if default is not None and seen == default else ""
        self._said = ""
        if node is not None and self.field.shows(node) and not self.editor.shows(node):
            self.switch_list(True)
            return
        before = self._look()
        why = misfit_words(self.field, node)
        if self._shows_raw and not why and self.raw is not None and self.raw.stops()[0].hasFocus():
            self.raw.refresh(node)  # the keyboard is in it: the field's own editor comes back when it leaves
        elif why:
            self._use_raw(why)
            if self.raw is not None:
                self.raw.refresh(node)
        else:
            if self._shows_raw and self.raw is not None:
                self._shows_raw = False
                self.raw.set_visible(False)
                self.editor.set_visible(True)
                self.words.why = ""
            self.editor.refresh(node)
        self._show_fold()
        self.show_problem()
        if self._look() != before:
            self.changed_shape()
        self.update()

    def _look(self) -> object:
        """What else than the editors decides how it is laid out and drawn."""
        words = self.words
        return (self._shows_raw, words.why, words.mark, self.editor.state, tuple(map(id, self.active.heads)))

    def _use_raw(self, why: str) -> None:
        from mcp_inspector.ui.forms.raw import RawEditor

        if self.raw is None:
            self.raw = RawEditor(self.context, self.field, self)
        self.words.why = why
        self.raw.field = self.field
        if not self._shows_raw:
            self._shows_raw = True
            self.editor.set_visible(False)
            self.raw.set_visible(True)

    @property
    def has_panel(self) -> bool:
        """Whether there are rows inside to be seen or folded."""
        return not self._shows_raw and self.editor.panel is not None and self.editor.panel.wanted

    @property
    def inner(self) -> Container | None:
        """The container whose rows can be seen in this row; None when there are none."""
        panel = self.editor.panel
        return panel.container if panel is not None and self.has_panel and not self.folded else None

    @property
    def folded(self) -> bool:
        """Whether what is inside is folded."""
        return not self.bare and self.has_panel and self.context.folded(self.fold_key, self.fold_default)

    def set_folded(self, folded: bool) -> None:
        """Fold or unfold what is inside."""
        self.context.fold(self.fold_key, folded)
        if folded and self.fold_button is not None and self._has_keyboard_inside():
            self.fold_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_fold()
        if not folded:
            self.editor.refresh(self.context.node(self.field))
        self.changed_shape()
        self.context.moved.emit()

    def _turn_fold(self) -> None:
        self.set_folded(not self.folded)

    def _show_fold(self) -> None:
        panel = self.editor.panel
        if panel is None:
            return
        if self.bare:
            panel.setVisible(self.has_panel)
            return
        if self.fold_button is None and self.has_panel:
            self.fold_button = IconButton(
                self, "chevron-down", "Fold (Alt+Left)", lambda: self.set_folded(not self.folded)
            )
            self.fold_button.setGeometry(-3, (measure.line() - SMALL) // 2, SMALL, SMALL)
            self.fold_button.show()
        folded = self.folded
        panel.setVisible(self.has_panel and not folded)
        if self.fold_button is not None:
            self.fold_button.setVisible(self.has_panel)
            mirror = self.isRightToLeft()
            self.fold_button.set_icon(("chevron-left" if mirror else "chevron-right") if folded else "chevron-down")
            # Folded, there is nothing else in this row that the keyboard could reach.
            self.fold_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if folded else Qt.FocusPolicy.NoFocus)

    def _has_keyboard_inside(self) -> bool:
        panel, focus = self.editor.panel, self.window().focusWidget()
        return panel is not None and focus is not None and panel.isAncestorOf(focus)

    def show_problem(self) -> None:
        """Say what is wrong, if it may be said yet; else what is odd."""
        text, tone = self.context.problem_of(self.field)
        where = row_words.where(self.field) if text else ""
        if not text:
            # Only who may have advice asks for the value: of a large text it would be read anew for that.
            asks = self.editor.advises and not self._shows_raw
            text = self._said or (self.editor.advice(self.context.node(self.field)) if asks else "")
            tone = "warn" if text else ""
        inside = self.folded and self.context.inside(self.field.path) > 0
        text = visible(text)[:400]
        self.problem_shown = f"{text}  {where}" if where else text
        self.active.set_invalid(tone == "error")
        if (text, tone) != (self.problem_text, self.problem_tone):
            relayout = bool(text) != bool(self.problem_text) or text != self.problem_text
            self.problem_text, self.problem_tone = text, tone
            if relayout:
                self.changed_shape()
                self.context.moved.emit()
            self.update()
        if inside != self._was_inside:
            self._was_inside = inside
            self.update()

    def say(self, sentence: str) -> None:
        """Say something at this row until its value changes: a file that was not taken."""
        self._said = sentence
        self.show_problem()

    def problem(self) -> str:
        """What it says is wrong now."""
        return self.problem_text

    def adopt(self, field: Field) -> None:
        """The same place, of a schema in which other things apply now."""
        if field is self.field:
            return
        before, self.field = self.field, field
        if self.raw is not None:
            self.raw.field = field
        if same_schemas(before, field):
            self.editor.field = field
        else:
            self.editor.adopt(field)
            self._seen = _UNSEEN

    def rebind(self, field: Field) -> None:
        """The same row for another place, after items moved."""
        self.field = field
        self.words.name = name_of(field)
        self.editor.rebind(field)
        if self.raw is not None:
            self.raw.rebind(field)
        self.fold_key = field.path
        self._seen = _UNSEEN
        self._name()
        self.update()

    # --- room ---

    def changed_shape(self) -> None:
        """Its height may have changed, and that of all rows around it."""
        self._stale = True
        above = self.holder
        while above is not None and not above.row._stale:
            above.row._stale = True
            above = above.row.holder

    def grown(self) -> None:
        """An input wants another height."""
        self.changed_shape()
        self.context.moved.emit()

    @property
    def beside(self) -> bool:
        """Whether its editor can stand beside its name."""
        return bool(self.active.heads) and not self.active.wide

    @property
    def name_width(self) -> int:
        """How wide its name wants to be."""
        if self.name_edit is not None:
            return 130
        return min(self.words.name_width(), measure.NAME_MOST)

    def arrange(self, width: int, label: int, narrow: bool, tight: bool = False) -> int:
        """Place everything within a width, names of this width or, when it is tight, above; returns the height."""
        how = (width, label, narrow, tight)
        if self._stale or self._arranged != how:
            self._stale, self._arranged = False, how
            self._height = row_layout.place(self, *how)
            self.update()
        return self._height

    # --- looks and hands ---

    def stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        found: list[QWidget] = [self.name_edit] if self.name_edit is not None else []
        if self.folded:
            heads = [head for head in self.editor.heads if head.focusPolicy() & Qt.FocusPolicy.TabFocus]
            return [*found, *heads, *([self.fold_button] if self.fold_button is not None else [])]
        return [*found, *self.active.stops()]

    def paintEvent(self, _: QPaintEvent) -> None:
        """Its words."""
        painter = QPainter(self)
        paint(painter, self)

    def event(self, event: QEvent) -> bool:
        """A tooltip for what is cut, and for the name."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.words.tip_at(self, event.pos())
            QToolTip.showText(event.globalPos(), tooltip(text), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a description that is cut shows all of it; on a name it folds, or goes to the editor."""
        place = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        elif self.note_rect.contains(place) and self.words.is_cut:
            self.words.expanded = not self.words.expanded
            self.changed_shape()
            self.context.moved.emit()
        elif self.name_rect.united(self.side_rect).contains(place) and self.has_panel:
            self.set_folded(not self.folded)
        elif self.name_rect.contains(place):
            self.active.focus(Qt.FocusReason.MouseFocusReason)
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What was pressed here is let go here."""
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Also on a right click beside the editor."""
        if not self.bare:
            self.open_menu()
            event.accept()
        else:
            super().contextMenuEvent(event)

    def open_menu(self) -> QMenu:
        """Everything that can be done with this field."""
        menu = row_menu.menu_of(self)
        menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))
        return menu

    def states(self) -> list[tuple[str, str | None]]:
        """What else can be sent here: words and the JSON text, None for nothing."""
        return row_menu.states(self.field)

    def set_state(self, value: str | None) -> None:
        """Send a JSON text here, or nothing."""
        self.context.forget_unread(self.field.path)
        self.context.choose(self.field, value)


def same_schemas(old: Field, new: Field) -> bool:
    """Whether two fields come from the very same places of the schema."""
    one, other = old._schemas, new._schemas
    return len(one) == len(other) and all(map(is_, one, other))
