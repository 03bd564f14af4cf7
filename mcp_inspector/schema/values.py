"""Values that the form puts in by itself: what a document starts with, and what stays when an alternative changes."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.schema import textedit
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from mcp_inspector.schema.fields import Field, Form

_DEPTH = 8


class Defaults(StrEnum):
    """Whose defaults a new document holds, visible and removable. Constants of required members are always in."""

    NONE = "none"
    REQUIRED = "required"
    ALL = "all"


def start_text(form: Form, defaults: Defaults = Defaults.REQUIRED) -> str:
    """The text a document starts with: constants, defaults as chosen, and else nothing: ``{}``."""
    text = start(form.root, defaults)
    return jsontext.pretty(text if text is not None else form.root.empty())


def start(field: Field, defaults: Defaults = Defaults.REQUIRED, depth: int = 0) -> str | None:
    """The JSON text a field starts with, None when it starts omitted."""
    if field.constant is not None:
        return field.constant if field.required or depth == 0 else None
    wanted = defaults is Defaults.ALL or (defaults is Defaults.REQUIRED and field.required)
    if field.default is not None and wanted:
        return field.default
    if depth > _DEPTH or not (field.required or defaults is Defaults.ALL):
        return None
    if field.kind is FieldKind.UNION:
        return start(field.branch(0), defaults, depth + 1) if field.required else None
    if field.kind is not FieldKind.OBJECT:
        return None
    members = []
    for child in sorted(field.children(), key=lambda one: one.order.index(one.key) if one.key in one.order else 0):
        text = start(child, defaults, depth + 1)
        if text is not None:
            members.append(f"{jsontext.quote(str(child.key))}: {text}")
    return f"{{{', '.join(members)}}}" if members or not depth else None


def switched(old: Field, new: Field, node: Node | None) -> str:
    """The value when `new` is chosen instead of `old`: what both know stays, what only `old` knew goes.

    Constants of the new alternative are put in. A value that the new one cannot show makes room for its empty value.
    """
    begin = start(new) or new.empty()
    if node is None or not new.shows(node) or node.kind is Kind.NULL:
        return begin
    if node.kind is not Kind.OBJECT or new.kind not in (FieldKind.OBJECT, FieldKind.MAP):
        return node.raw if node.is_container or new.choices or new.kind in _SCALARS else begin
    fields = {field.key: field for field in new.children()}
    before = {field.key for field in old.children()}
    text = node.raw
    for name in dict.fromkeys(node.names):
        field, value = fields.get(name), node.get(name)
        keep = field.shows(value) if field is not None else name not in before and not new.name_problem(name)
        while not keep and (root := jsontext.parse(text)).index_of(name) >= 0:
            text = textedit.remove(root, (name,)).apply(text)
    order = [str(key) for key in fields]
    for name, json_text in _members(begin):
        root = jsontext.parse(text)
        if root.index_of(name) < 0 or fields[name].constant is not None:
            text = textedit.set_value(root, (name,), json_text, order).apply(text)
    return text


_SCALARS = frozenset([FieldKind.STRING, FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.BOOLEAN])


def _members(text: str) -> list[tuple[str, str]]:
    root = jsontext.parse(text)
    return [(name, item.raw) for name, item in zip(root.names, root.items, strict=True)]
