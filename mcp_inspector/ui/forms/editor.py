"""What every editor of a field has in common. An editor is no widget: its widgets belong to the row it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

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


class Editor:
    """Edits one field. `refresh` shows a value; an editor that already shows it changes nothing.

    `heads` are the widgets beside the name, `panel` the rows below it. Both belong to the row.
    """

    def __init__(self, context: FormContext, field: Field, row: FieldRow) -> None:
        self.context = context
        self.field = field
        self.row = row

    @property
    def heads(self) -> Sequence[QWidget]:
        """The widgets beside the name, in order; they may change."""
        return ()

    @property
    def panel(self) -> Panel | None:
        """The rows below the name, None when there are none."""
        return None

    @property
    def wide(self) -> bool:
        """Whether the heads need the whole width, below the name."""
        return False

    @property
    def state(self) -> str:
        """Words behind the heads: what stands there is not sent, or empty."""
        return ""

    @property
    def counter(self) -> str:
        """How long the text is, where its length is bounded."""
        return ""

    def refresh(self, node: Node | None) -> None:
        """Show this value, None for omitted."""
        raise NotImplementedError

    def shows(self, node: Node | None) -> bool:
        """Whether this editor can show a value that is of the field's kind."""
        return True

    @property
    def advises(self) -> bool:
        """Whether it ever has advice."""
        return False

    def advice(self, node: Node | None) -> str:
        """What is odd about a value beyond what the schema checks."""
        return ""

    def rebind(self, field: Field) -> None:
        """The same kind of field at another place: an item that moved."""
        self.field = field

    def adopt(self, field: Field) -> None:
        """The same place, of a schema in which other things apply now."""
        self.field = field

    def set_invalid(self, invalid: bool) -> None:
        """Show a red frame, or none."""

    def focus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Take the keyboard."""
        stops = self.stops()
        if stops:
            stops[0].setFocus(reason)

    def stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        found = [head for head in self.heads if head.focusPolicy() & Qt.FocusPolicy.TabFocus]
        if self.panel is not None:
            found.extend(self.panel.stops())
        return found

    def set_visible(self, visible: bool) -> None:
        """Show or hide all widgets."""
        for head in self.heads:
            head.setVisible(visible)
        if self.panel is not None:
            self.panel.setVisible(visible)

    def discard(self) -> None:
        """Take the widgets off the row for good."""
        for widget in (*self.heads, self.panel):
            if widget is not None:
                self.context.keep_keyboard(widget)
                widget.hide()
                widget.deleteLater()

    def actions(self) -> list[tuple[str, str, object]]:
        """What the row's menu offers besides: icon, words, function."""
        return []


def placeholder(field: Field, node: Node | None) -> str:
    """What an empty input says: why it is empty, else what is expected."""
    if node is not None:
        if node.kind is Kind.NULL:
            return "null"
        return 'sent as empty text ""' if node.kind is Kind.STRING and node.is_empty else ""
    hints = [field.absent if not field.required else "required"]
    if field.default is not None:
        hints.append(f"default {visible(field.default[:60])}")
    elif field.examples:
        hints.append(f"for example {visible(field.examples[0][:60])}")
    elif field.hint in ("integer", "number"):
        hints.append(field.hint)
    return " · ".join(hints)


def empty_words(field: Field, empty: str) -> str:
    """What is said of a field that shows nothing: that it is there and `empty`, or why it is not there."""
    return empty or ("required" if field.required else field.absent)


def instead(field: Field) -> str:
    """What is sent when what is typed cannot be a value: nothing; an item, or a member that was named, stays."""
    stays = isinstance(field.key, int) or field.extra
    return "null is sent in its place." if stays else "It is not sent."
