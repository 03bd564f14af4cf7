"""One row of a form: the name, the editor, what is expected, what is wrong, and what else can be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QContextMenuEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.forms.factory import make
from mcp_inspector.ui.forms.switches import RawEditor
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip, visible
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.editors import Editor
    from mcp_inspector.wire.jsontext import Node

NARROW = 400
"""Pixels of a form below which names stand above their editors."""
LABEL_MOST = 150
_HINT_MOST = 190
TIGHT = "QToolButton { padding: 2px; }"
"""Room for the icon in a button of 22 pixels."""
_LINE = 26
_DESCRIPTION = 240
_LOST_TEXT = "it holds half a surrogate pair, which no text input can keep"


class FieldRow(QWidget):
    """A field of a form. `tools` are widgets for its right edge: move and remove of an item."""

    def __init__(
        self,
        context: FormContext,
        field: Field,
        tools: tuple[QWidget, ...] = (),
        name: QWidget | None = None,
        *,
        described: bool = True,
    ) -> None:
        super().__init__()
        self.context, self.field = context, field
        self.setObjectName(f"field:{jsontext.pointer(field.path)}")
        self.editor: Editor = make(context, field)
        self._raw: RawEditor | None = None
        self.label = name or self._label()
        self._hint = ElidedLabel(field.hint, "muted", "small")
        self._hint.setVisible(bool(field.hint))
        self._problem = _small("error")
        self._description = _small("small")
        self._menu = _Quiet("ellipsis", f"More about {visible(field.label)[:60]}: null, empty, default (right-click)")
        self._menu.clicked.connect(lambda: self._open_menu())
        self._tools = (*tools, self._menu)
        self._narrow = False
        self.can_add: Callable[[], None] | None = getattr(self.editor, "quiet_add", None)
        self._host = QWidget()
        host = self._host_layout = QVBoxLayout(self._host)
        host.setContentsMargins(0, 0, 0, 0)
        host.addWidget(self.editor)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        self._side = QWidget()
        side = QHBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(0)
        for tool in self._tools:
            side.addWidget(tool)
        self.label.setFixedHeight(_LINE)
        self._side.setFixedHeight(_LINE)
        self._hint.setFixedHeight(_LINE)
        self._hint.setMaximumWidth(_HINT_MOST)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        if described:
            self._describe()
        self._stack()
        self.refresh(context.node(field))

    # --- building ---

    def _label(self) -> QWidget:
        field = self.field
        label = ElidedLabel(_name_of(field), bold=field.required and isinstance(field.key, str))
        lines = [field.label, field.title if field.title != field.label else "", field.description]
        lines += ["Required." if field.required else "", f"Deprecated: {field.label}" if field.deprecated else ""]
        label.setToolTip(tooltip("\n".join(line for line in lines if line)))
        return label

    def _describe(self) -> None:
        field = self.field
        words = visible(" ".join(field.description.split()))
        notes = ["deprecated"] if field.deprecated else []
        notes += ["set by the server"] if field.read_only else []
        if field.default_problem:
            notes.append(f"its default does not fit: {field.default_problem}")
        if field.title and field.title != field.label and not words:
            words = visible(field.title)
        text = " · ".join(filter(None, (*notes, words)))
        self._description.setText(text if len(text) <= _DESCRIPTION else text[: _DESCRIPTION - 1] + "…")
        self._description.setToolTip(tooltip(field.description) if len(text) > _DESCRIPTION else "")
        self._description.setVisible(bool(text))

    # --- what it shows ---

    def refresh(self, node: Node | None) -> None:
        """Show a value: in the field's own editor, or as JSON when that cannot show it."""
        why = self._not_shown(node)
        if why:
            self._use_raw(why)
            if self._raw is not None:
                self._raw.refresh(node)
        else:
            if self._raw is not None and not self._raw.isHidden() and not self._raw.area.hasFocus():
                self._raw.hide()
                self.editor.show()
            elif self._raw is not None and not self._raw.isHidden():
                self._raw.refresh(node)
            self.editor.refresh(node)
        self.show_problem()

    def _not_shown(self, node: Node | None) -> str:
        """Why the field's own editor cannot show a value; empty when it can."""
        if node is None:
            return ""
        if not self.field.shows(node):
            return f"This is {_named(node)}, which is not what the schema asks for ({self.field.kind})."
        if self.field.kind is FieldKind.STRING and node.kind is Kind.STRING and "\\u" in node.raw:
            text = jsontext.unquote(node.raw)
            if any("\ud800" <= one <= "\udfff" for one in text):
                return f"Shown as JSON: {_LOST_TEXT}."
        return ""

    def _use_raw(self, why: str) -> None:
        if self._raw is None:
            self._raw = RawEditor(self.context, self.field, why)
            self._host_layout.addWidget(self._raw)
        self._raw.field = self.field
        self._raw.say(why)
        self._raw.show()
        self.editor.hide()

    def show_problem(self) -> None:
        """Say what is wrong, if it may be said yet."""
        problem = self.context.problem_of(self.field)
        self._problem.setText(visible(problem.replace("\n", " "))[:400])
        self._problem.setVisible(bool(problem))
        (self._raw if self._raw is not None and not self._raw.isHidden() else self.editor).set_invalid(bool(problem))

    def problem(self) -> str:
        """What it says is wrong now."""
        return "" if self._problem.isHidden() else self._problem.text()

    def rebind(self, field: Field) -> None:
        """The same row for another place, after items moved."""
        self.field = field
        self.setObjectName(f"field:{jsontext.pointer(field.path)}")
        self.editor.rebind(field)
        if isinstance(self.label, ElidedLabel):
            self.label.setText(_name_of(field))
        if self._raw is not None:
            self._raw.field = field

    # --- room ---

    @property
    def label_width(self) -> int:
        """How wide its name wants to be."""
        return min(self.label.sizeHint().width(), LABEL_MOST)

    def set_room(self, label: int, narrow: bool) -> None:
        """How wide names are in this container, and whether they stand above."""
        self._narrow = narrow
        if not self._stacked():
            self.label.setFixedWidth(label)
        else:
            self.label.setMinimumWidth(0)
            self.label.setMaximumWidth(16_777_215)
        self._stack()

    def _stacked(self) -> bool:
        return self._narrow or self.editor.tall

    def _stack(self) -> None:
        """Put the editor beside the name, or below it where it needs the width."""
        stacked = self._stacked()
        across = QSizePolicy.Policy.Expanding if stacked else QSizePolicy.Policy.Fixed
        self.label.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        grid, top = self._grid, Qt.AlignmentFlag.AlignTop
        grid.addWidget(self.label, 0, 0, 1, 2 if stacked else 1, top)
        grid.addWidget(self._hint, 0, 2, top)
        grid.addWidget(self._side, 0, 3, top)
        if stacked:
            grid.addWidget(self._description, 1, 0, 1, 4)
            grid.addWidget(self._host, 2, 0, 1, 4)
            grid.addWidget(self._problem, 3, 0, 1, 4)
        else:
            grid.addWidget(self._host, 0, 1)
            grid.addWidget(self._problem, 1, 1, 1, 3)
            grid.addWidget(self._description, 2, 1, 1, 3)

    # --- other states ---

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Also on a right click beside the editor."""
        self._open_menu()
        event.accept()

    def _open_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, value in self.states():
            action = menu.addAction(text)
            action.triggered.connect(self._setting(value))
        if self.can_add is not None:
            menu.addSeparator()
            menu.addAction(icons.icon("plus"), "Add a member with another name").triggered.connect(self.can_add)
        menu.addSeparator()
        shown = menu.addAction(icons.icon("braces"), "Show in JSON")
        shown.triggered.connect(lambda: self.context.raw_wanted.emit(self.field.path))
        menu.popup(self._menu.mapToGlobal(self._menu.rect().bottomLeft()))
        return menu

    def states(self) -> list[tuple[str, str | None]]:
        """What else can be sent here: words and the JSON text, None for nothing."""
        field = self.field
        found: list[tuple[str, str | None]] = [("Do not send", None)]
        if field.kind is FieldKind.STRING:
            found.append(('Send empty text ""', '""'))
        elif field.kind in (FieldKind.OBJECT, FieldKind.MAP):
            found.append(("Send empty object {}", "{}"))
        elif field.kind in (FieldKind.ARRAY, FieldKind.TUPLE):
            found.append(("Send empty list []", "[]"))
        found.append(("Send null" if field.nullable else "Send null (the schema does not allow it)", "null"))
        if field.default is not None:
            found.append((f"Send the default: {visible(field.default[:60])}".replace("&", "&&"), field.default))
        found += [(f"Example: {visible(one[:60])}".replace("&", "&&"), one) for one in field.examples[:8]]
        return found

    def _setting(self, value: str | None) -> Callable[[], None]:
        def run() -> None:
            self.context.forget_unread(self.field.path)
            if value is None:
                self.context.omit(self.field)
            else:
                self.context.put(self.field, value)
            self.context.touch(self.field)

        return run


class _Quiet(QToolButton):
    """A button that is seen when its row is under the mouse or it has the keyboard itself."""

    def __init__(self, icon: str, tip: str) -> None:
        super().__init__()
        self.setIcon(icons.icon(icon, "muted"))
        self.setToolTip(tooltip(tip))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoRaise(True)
        self.setFixedSize(22, 22)
        self.setStyleSheet(TIGHT)
        self._lit = False

    def event(self, event: QEvent) -> bool:
        parent = self.parentWidget()
        if event.type() == QEvent.Type.ParentChange and parent is not None:
            parent.installEventFilter(self)
        return super().event(event)

    def eventFilter(self, _: object, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self._lit = event.type() == QEvent.Type.Enter
            self.update()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._lit or self.hasFocus():
            super().paintEvent(event)
        else:
            QPainter(self).end()


def _small(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setFont(theme.font("small"))
    label.hide()
    theme.mark(label, role=role)
    return label


def _name_of(field: Field) -> str:
    if isinstance(field.key, int):
        return field.label
    return f"{field.label or '(empty name)'}{' *' if field.required else ''}"


def _named(node: Node) -> str:
    words = {Kind.STRING: "text", Kind.NUMBER: "a number", Kind.OBJECT: "an object", Kind.ARRAY: "a list"}
    return words.get(node.kind, node.raw[:40])
