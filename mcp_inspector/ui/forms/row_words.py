"""The words of a row: its name, what is expected, the description, and why a value is shown as JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import plain
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.wire.jsontext import Node

_DESCRIPTION = 220
"""Characters of a description that are shown before somebody asks for all."""
_LONGEST = 8_000
_PATH = 160
"""Characters of a path that are shown, its end being what matters."""
_LOST_TEXT = "it holds half a surrogate pair, which no text input can keep"
_TYPED = (FieldKind.STRING, FieldKind.NUMBER, FieldKind.INTEGER)
_NOT_REMEMBERED = "Drafts, sent arguments and saved sets are kept without it; the recorded traffic has what was sent."
_NO_LETTERS = re.compile(r"[\W_]+")


class Words:
    """What a row says of its field. The value does not matter to them."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.name = name_of(field)
        self.hint = "" if field.hint in ("integer", "number") else visible(field.hint)
        if field.constant is not None and field.hint == "fixed":
            self.hint = ""
        self.description = _description(field)
        self.details = _details(field)
        self.why = ""
        """Why the value is shown as JSON; empty when it is not."""
        self.mark = ""
        """What the value is: the default; empty when that is nothing special."""
        self.expanded = False

    @property
    def note(self) -> str:
        """What is expected, and what the field is for."""
        return " · ".join(filter(None, (self.hint, *_notes(self.field), self.description)))

    @property
    def is_cut(self) -> bool:
        """Whether there is more of the description than is shown at first."""
        return len(self.description) > _DESCRIPTION

    def shown_note(self, *, in_side: bool = False) -> str:
        """The note as it is shown now; without the hint when that stands beside the name."""
        description = self.description
        if self.is_cut and not self.expanded:
            description = f"{description[:_DESCRIPTION].rstrip()} …"
        reason = self.why or (self.field.reason if self.field.kind is FieldKind.RAW else "")
        if reason and not self.why:
            reason = f"Edited as JSON: {reason}"
        hint = "" if in_side else self.hint
        parts = (visible(reason), self.mark or self._default(), hint, *_notes(self.field), description)
        return " · ".join(filter(None, parts))

    def _default(self) -> str:
        """The default, where no empty line can say it."""
        default = self.field.default
        if default is None or self.field.kind in _TYPED:
            return ""
        return f"default {plain.line(default, 60)}"

    def name_width(self) -> int:
        """The width of the name with its star."""
        ink = "bold" if self.field.required and isinstance(self.field.key, str) else "name"
        star = measure.width(" *", "bold") if self.starred else 0
        return measure.width(self.name, ink) + star  # type: ignore[arg-type]  # one of the inks

    @property
    def starred(self) -> bool:
        """Whether it is required, which items of a list are not by themselves."""
        return self.field.required and isinstance(self.field.key, str)

    def tip_at(self, row: FieldRow, place: QPoint) -> str:
        """What the tooltip says at a place of the row."""
        field = self.field
        if row.name_rect.contains(place) or row.side_rect.contains(place):
            lines = [field.label, field.title if field.title != field.label else "", field.hint, field.description]
            lines += ["Required." if field.required else "", "Deprecated." if field.deprecated else ""]
            lines += [_NOT_REMEMBERED if _forgotten(field) else ""]
            lines += [f"Default: {field.default[:200]}" if field.default is not None else ""]
            lines += [f"Its default does not fit: {field.default_problem}." if field.default_problem else ""]
            return "\n".join(filter(None, lines))
        if row.note_rect.contains(place) and self.is_cut and not self.expanded:
            return f"{field.description}\n\nClick to show all of it."
        if row.details_rect.contains(place):
            return "\n".join(f"{name}: {text}" for name, text in field.details)
        return ""


def where(field: Field) -> str:
    """The path of a field, for its problems; empty for the whole value."""
    return visible(jsontext.pointer(field.path))[-_PATH:]


def name_of(field: Field) -> str:
    """What the row is called: the member's name; a position's title or number."""
    if isinstance(field.key, int):
        return visible(field.title) if field.title and field.key < _positions(field) else field.label
    return visible(field.label) or "(empty name)"


def _positions(field: Field) -> int:
    return field.parent.positions if field.parent is not None and field.parent.kind is FieldKind.TUPLE else 0


def _notes(field: Field) -> list[str]:
    found = ["deprecated"] if field.deprecated else []
    found += ["set by the server" if field.read_only else ""]
    found += ["never comes back" if field.write_only and not field.secret else ""]
    found += ["not remembered" if _forgotten(field) else ""]
    # A default of null that the type does not allow is a habit of generators and means "none": the tooltip says it.
    if field.default_problem and field.default != "null":
        found.append(f"its default does not fit: {visible(field.default_problem)}")
    return [note for note in found if note]


def _forgotten(field: Field) -> bool:
    """Whether what is typed there is not remembered with the rest."""
    return field.source.forgets and (field.secret or field.write_only)


def _description(field: Field) -> str:
    words = visible(" ".join(field.description[:_LONGEST].split()))
    title = visible(field.title)
    # Generators make titles of names; such a title says nothing that the name does not.
    if not title or _letters(title) == _letters(field.label) or title == name_of(field):
        return words
    return f"{title} · {words}" if words and _letters(title) != _letters(words) else title


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()


def _details(field: Field) -> str:
    return " · ".join(f"{visible(name)}: {plain.line(text, 80)}" for name, text in field.details[:8])


def misfit_words(field: Field, node: Node | None) -> str:
    """Why the field's own editor cannot show a value; empty when it can."""
    if node is None:
        return ""
    if not field.shows(node):
        return f"This is {_named(node)}, which is not what the schema asks for ({_asked(field)}). It is edited as JSON"
    if node.kind is Kind.STRING and field.kind is FieldKind.STRING and "\\u" in node.raw:
        text = jsontext.unquote(node.raw)
        if any("\ud800" <= one <= "\udfff" for one in text):
            return f"Shown as JSON: {_LOST_TEXT}"
    return ""


def _asked(field: Field) -> str:
    return "one of the choices" if field.kind is FieldKind.ENUM else str(field.kind)


def _named(node: Node) -> str:
    words = {Kind.STRING: "text", Kind.NUMBER: "a number", Kind.OBJECT: "an object", Kind.ARRAY: "a list"}
    return words.get(node.kind, node.raw[:40])
