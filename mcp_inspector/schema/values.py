"""How a form writes into its document: what it starts with, what comes and goes with a field or an alternative."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.schema import textedit
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from mcp_inspector.schema.document import Document
    from mcp_inspector.schema.fields import Field, Form
    from mcp_inspector.schema.source import Part

_DEPTH = 8
_DEEPER = ("properties", "additionalProperties", "patternProperties", "unevaluatedProperties", "anyOf", "oneOf")
_TELLING = ('"const"', '"enum"', '"default"', 'ef"', "\\u00")
"""What must stand in a schema, or be referred to from it, for anything in it to begin with a value."""
_STRUCTURED = frozenset([FieldKind.OBJECT, FieldKind.MAP, FieldKind.UNION, FieldKind.ARRAY, FieldKind.TUPLE])


class Defaults(StrEnum):
    """Whose defaults a new document holds, visible and removable. Constants of required members are always in."""

    NONE = "none"
    REQUIRED = "required"
    ALL = "all"


def start_text(form: Form, defaults: Defaults = Defaults.REQUIRED) -> str:
    """The text a document starts with: constants, defaults as chosen, and else nothing: ``{}``."""
    return jsontext.pretty(begin(form.root, defaults)) if form.root.kind in _STRUCTURED else "{}"


def begin(field: Field, defaults: Defaults = Defaults.REQUIRED) -> str:
    """The JSON text a field has once it is there: its constant or default, its required constants, or empty."""
    text = start(field, defaults)
    return text if text is not None else field.empty()


def start(field: Field, defaults: Defaults = Defaults.REQUIRED) -> str | None:
    """As `begin`, but None where the schema gives nothing to begin with."""
    return _start(field, defaults, 0)


def _start(field: Field, defaults: Defaults, depth: int) -> str | None:
    """The JSON text a field starts with, None when it starts omitted. The outermost one is there in any case."""
    there = field.required or not depth
    if not there and defaults is not Defaults.ALL:
        return None
    if not any(map(_tells, field.all_parts)) and sum("enum" in part for part in field.all_parts) < 2:
        return None  # most of a thousand members need not be looked at further
    if field.constant is not None:
        return field.constant if there else None
    wanted = defaults is Defaults.ALL or (defaults is Defaults.REQUIRED and there)
    if field.default is not None and wanted and not (field.default_problem and not field.required):
        return field.default
    if depth > _DEPTH:
        return None
    if field.kind is FieldKind.UNION:
        return _start(field.branch(0), defaults, depth + 1) if there else None
    if field.kind is not FieldKind.OBJECT:
        return None
    members = {}
    for child in field.children():
        text = _start(child, defaults, depth + 1)
        if text is not None:
            members[str(child.key)] = text
    ordered = sorted(members, key=[*field.shape.properties(), *members].index)
    return f"{{{', '.join(f'{jsontext.quote(name)}: {members[name]}' for name in ordered)}}}" if members else None


def _tells(part: Part) -> bool:
    """Whether a schema may say what a place begins with."""
    if "const" in part or "default" in part:
        return True
    enum = part.get("enum")
    if enum is not None and len(enum.items) == 1:
        return True
    deeper = (part[keyword].raw for keyword in _DEEPER if keyword in part)
    return any(word in text for text in deeper for word in _TELLING)


def write(document: Document, field: Field, json_text: str, *, origin: object = None, merge: object = None) -> bool:
    """Put a value into a field. Objects around it that were omitted begin with their constants; one undo step.

    Raises:
        JsonError: when the document or `json_text` is not JSON.
        PlaceError: when what is around the field is no object or list in the present text.
    """
    missing: list[Field] = []
    above = field.parent
    while above is not None and document.node(above.path) is None:
        if above.path and above.path != field.path and not (missing and missing[-1].path == above.path):
            missing.append(above)
        above = above.parent
    step = merge if merge is not None or not missing else object()
    for outer in reversed(missing):
        document.set(outer.path, begin(outer), outer.order, origin=origin, merge=step)
    return document.set(field.path, json_text, field.order, origin=origin, merge=step)


def clear(
    document: Document, field: Field, *, origin: object = None, merge: object = None, typing: bool = False
) -> bool:
    """Empty a field: a member is omitted, and so is an optional object around it that held nothing else.

    An item of a list cannot be omitted without moving the others: it becomes an empty text, or null, which the checks
    then report. Removing the item is `Document.remove`. While one is `typing`, so does a member that a person has
    named: it must not go with its name under the hand.
    """
    if isinstance(field.key, int) or (typing and field.extra):
        return document.set(field.path, '""' if field.kind is FieldKind.STRING else "null", origin=origin, merge=merge)
    if not field.path:
        return document.set((), begin(field), origin=origin, merge=merge)
    step = merge if merge is not None else object()
    done = document.remove(field.path, origin=origin, merge=step)
    above = field.parent
    while done and above is not None and above.path and isinstance(above.key, str):
        node = document.node(above.path)
        if above.path == field.path or node is None:
            above = above.parent
            continue
        if (
            above.required
            or above.extra
            or (node.items and jsontext.compact(node.raw) != jsontext.compact(begin(above)))
        ):
            break
        document.remove(above.path, origin=origin, merge=step)
        above = above.parent
    return done


def switched(old: Field, new: Field, node: Node | None) -> str:
    """The value when `new` is chosen instead of `old`: what both know stays, what only `old` knew goes.

    Constants of the new alternative are put in. A value that the new one cannot show makes room for its empty value.
    """
    fresh = _named(new, begin(new))
    if node is None or not new.shows(node) or node.kind is Kind.NULL:
        return fresh
    if node.kind is not Kind.OBJECT or new.kind not in (FieldKind.OBJECT, FieldKind.MAP):
        return node.raw if node.is_container or new.choices or new.kind in _SCALARS else fresh
    fields = {field.key: field for field in new.children()}
    before = {field.key for field in old.children()}
    text = node.raw
    for name in dict.fromkeys(node.names):
        field, value = fields.get(name), node.get(name)
        keep = field.shows(value) if field is not None else name not in before and not new.name_problem(name)
        while not keep and (root := jsontext.parse(text)).index_of(name) >= 0:
            text = textedit.remove(root, (name,)).apply(text)
    order = [str(key) for key in fields]
    for name, json_text in _members(fresh):
        root = jsontext.parse(text)
        if root.index_of(name) < 0 or fields[name].constant is not None:
            text = textedit.set_value(root, (name,), json_text, order).apply(text)
    return _named(new, text)


def _named(new: Field, text: str) -> str:
    """A value of an alternative with the name by which a ``discriminator`` tells it apart, where it has to be said."""
    told = new.discriminator
    if told is None or new.kind is not FieldKind.OBJECT or new.member(told[0]).constant is not None:
        return text
    root, order = jsontext.parse(text), [*new.shape.properties()]
    return textedit.set_value(root, (told[0],), jsontext.quote(told[1]), order).apply(text)


_SCALARS = frozenset([FieldKind.STRING, FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.BOOLEAN])


def _members(text: str) -> list[tuple[str, str]]:
    root = jsontext.parse(text)
    return [(name, item.raw) for name, item in zip(root.names, root.items, strict=True)]
