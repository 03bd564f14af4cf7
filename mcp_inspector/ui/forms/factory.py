"""Which editor a field gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind

if TYPE_CHECKING:
    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.context import FormContext
    from mcp_inspector.ui.forms.editor import Editor
    from mcp_inspector.ui.forms.row import FieldRow


def make(context: FormContext, field: Field, row: FieldRow, *, inside: bool = False) -> Editor:
    """The editor of a field's kind. `inside` a chooser it does not offer to send nothing: the chooser does."""
    from mcp_inspector.ui.forms import choices, lists, numbers, objects, raw, texts, unions

    match field.kind:
        case FieldKind.STRING:
            return texts.TextEditor(context, field, row)
        case FieldKind.NUMBER | FieldKind.INTEGER:
            return numbers.NumberEditor(context, field, row)
        case FieldKind.BOOLEAN | FieldKind.NULL:
            return choices.SwitchEditor(context, field, row, inside=inside)
        case FieldKind.ENUM:
            kind = choices.SwitchEditor if choices.is_short(field) else choices.ChoiceEditor
            return kind(context, field, row, inside=inside)
        case FieldKind.OBJECT | FieldKind.MAP:
            return objects.ObjectEditor(context, field, row)
        case FieldKind.ARRAY | FieldKind.TUPLE:
            as_list = not choices.takes_toggles(field) or ("list", field.path) in context.folds
            return lists.ListEditor(context, field, row) if as_list else choices.ToggleEditor(context, field, row)
        case FieldKind.UNION | FieldKind.ANY:
            return unions.UnionEditor(context, field, row)
    return raw.RawEditor(context, field, row) if field.path else raw.WholeEditor(context, field, row)
