"""Which editor a field gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind

if TYPE_CHECKING:
    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.editors import Editor

_FEW = 4
_FEW_LETTERS = 28


def make(context: FormContext, field: Field) -> Editor:
    """The editor of a field's kind."""
    from mcp_inspector.ui.forms import containers, editors, switches, unions

    kind = field.kind
    if kind is FieldKind.STRING:
        return editors.TextEditor(context, field)
    if kind in (FieldKind.NUMBER, FieldKind.INTEGER):
        return editors.NumberEditor(context, field)
    if kind in (FieldKind.BOOLEAN, FieldKind.NULL):
        return switches.SwitchEditor(context, field)
    if kind is FieldKind.ENUM:
        return switches.SwitchEditor(context, field) if _is_switch(field) else editors.ChoiceEditor(context, field)
    if kind is FieldKind.OBJECT:
        return containers.ObjectEditor(context, field)
    if kind is FieldKind.MAP:
        return containers.ObjectEditor(context, field)
    if kind in (FieldKind.ARRAY, FieldKind.TUPLE):
        return containers.ListEditor(context, field)
    if kind in (FieldKind.UNION, FieldKind.ANY):
        return unions.UnionEditor(context, field)
    return switches.RawEditor(context, field, field.reason)


def _is_switch(field: Field) -> bool:
    """A constant is switched on or off; a list of choices is opened."""
    return len(field.choices) == 1 and len(field.choices[0].json_text) <= _FEW_LETTERS
