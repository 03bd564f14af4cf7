"""The menu of a row: what else can be sent, what its format offers, and where it stands in its list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import icons, plain
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.row import FieldRow

_EXAMPLES = 8


def states(field: Field) -> list[tuple[str, str | None]]:
    """What else can be sent at a field: words and the JSON text, None for nothing."""
    found: list[tuple[str, str | None]] = [("Do not send", None)]
    if field.kind is FieldKind.STRING:
        found.append(('Send empty text ""', '""'))
    elif field.kind in (FieldKind.OBJECT, FieldKind.MAP):
        found.append(("Send empty object {}", "{}"))
    elif field.kind in (FieldKind.ARRAY, FieldKind.TUPLE):
        found.append(("Send empty list []", "[]"))
    found.append(("Send null" if _takes_null(field) else "Send null (the schema does not allow it)", "null"))
    if field.default is not None:
        found.append((f"Send the default: {visible(field.default[:60])}", field.default))
    found += [(f"Example: {visible(one[:60])}", one) for one in field.examples[:_EXAMPLES]]
    return found


def _takes_null(field: Field) -> bool:
    if field.nullable or field.kind in (FieldKind.NULL, FieldKind.ANY, FieldKind.RAW):
        return True
    if field.kind is FieldKind.UNION:
        return any(field.branch(at).kind is FieldKind.NULL for at in range(min(len(field.branches), 20)))
    return any(choice.json_text == "null" for choice in field.choices)


def menu_of(row: FieldRow) -> QMenu:
    """The menu, made when it is asked for."""
    menu = QMenu(row)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    node = row.context.node(row.field)
    for text, value in row.states():
        action = menu.addAction(plain.escape_mnemonic(text))
        action.setCheckable(True)
        action.setChecked(value is None if node is None else value == node.raw)
        action.triggered.connect(_setting(row, value))
    holder = row.holder
    groups: list[list[tuple[str, str, Any]]] = [
        row.editor.actions(),
        holder.item_actions(row) if holder is not None and hasattr(holder, "item_actions") else [],
    ]
    for entries in groups:
        if entries:
            menu.addSeparator()
        for icon, words, run in entries:
            menu.addAction(icons.icon(icon), plain.escape_mnemonic(words)).triggered.connect(run)
    menu.addSeparator()
    shown = menu.addAction(icons.icon("braces"), "Show in JSON")
    shown.triggered.connect(lambda: row.context.raw_wanted.emit(row.field.path))
    if node is not None:
        menu.addAction(icons.icon("copy"), "Copy the value as JSON").triggered.connect(_copying(node.raw))
    menu.addAction("Copy the path").triggered.connect(_copying(jsontext.pointer(row.field.path)))
    return menu


def _setting(row: FieldRow, value: str | None) -> Callable[[], None]:
    return lambda: row.set_state(value)


def _copying(text: str) -> Callable[[], None]:
    return lambda: QGuiApplication.clipboard().setText(text)
