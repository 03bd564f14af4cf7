"""A person at a form, without a window: what the widgets do with fields and document, step by step."""

from __future__ import annotations

import json
from typing import Any

from mcp_inspector.schema import values
from mcp_inspector.schema.document import Document
from mcp_inspector.schema.fields import Field, Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node, Path


class Person:
    """Fills a form. A chosen alternative is kept here, as a window keeps it: it is not guessed at every key."""

    def __init__(self, schema: Any, text: str | None = None) -> None:
        self.form = Form(schema)
        self.document = Document(values.start_text(self.form) if text is None else text)
        self.chosen: dict[Path, int] = {}

    def field(self, *path: str | int) -> Field:
        """The field at a path, through the chosen alternatives."""
        field = self.open(self.form.root)
        for depth, key in enumerate(path):
            node = self.document.node(path[:depth])
            found = [child for child in field.children(node) if child.key == key]
            added = field.item(key) if isinstance(key, int) else field.member(key)
            field = found[0] if found else added
            if depth < len(path) - 1:
                field = self.open(field)
        return field

    def open(self, field: Field) -> Field:
        """The field with its alternative chosen: by the person, by the value, or the first."""
        while field.kind is FieldKind.UNION:
            found = self.chosen.get(field.path)
            if found is None:
                found = field.detect(self.document.node(field.path)) or 0
            field = field.branch(found)
        return field

    def type(self, path: Path, typed: str) -> None:
        """Type into a line edit; typing nothing clears it, and then the member is gone."""
        field = self.open(self.field(*path))
        entry = field.read(typed)
        assert not entry.problem, entry.problem
        if entry.json_text is None:
            values.clear(self.document, field, merge=path)
        else:
            values.write(self.document, field, entry.json_text, merge=path)

    def pick(self, path: Path, index: int) -> None:
        """Pick a choice of an enumeration, counted from 0."""
        field = self.open(self.field(*path))
        values.write(self.document, field, field.choices[index].json_text)

    def choose(self, path: Path, index: int) -> None:
        """Choose an alternative of a union."""
        field = self.field(*path) if path else self.form.root
        old, new = self.open(field), field.branch(index)
        self.chosen[path] = index
        values.write(self.document, new, values.switched(old, new, self.document.node(path)))

    def sent(self) -> Any:
        """The arguments as a server reads them."""
        return json.loads(self.document.wire_bytes())


def rebuild(form: Form, text: str) -> str:
    """Type every value of a text into an empty form, field by field, and return the new text."""
    source = jsontext.parse(text)
    target = Document(form.root.empty() if not source.is_container else ("[]" if source.kind is Kind.ARRAY else "{}"))
    _copy(form.root, source, target)
    return target.text


def _copy(field: Field, node: Node, target: Document) -> None:
    if field.kind is FieldKind.UNION:
        found = field.detect(node)
        if found is not None:
            _copy(field.branch(found), node, target)
            return
    parent_is_there = node.items and field.kind in _CONTAINERS and field.shows(node)
    if not parent_is_there:
        target.set(field.path, node.raw, field.order)
        return
    if field.path and target.node(field.path) is None:
        target.set(field.path, "{}" if node.kind is Kind.OBJECT else "[]", field.order)
    if node.kind is Kind.OBJECT:
        fields = {child.key: child for child in field.children(node)}
        for name in dict.fromkeys(node.names):
            value = node.get(name)
            assert value is not None
            _copy(fields[name], value, target)
    else:
        for child, item in zip(field.children(node), node.items, strict=False):
            _copy(child, item, target)


_CONTAINERS = (FieldKind.OBJECT, FieldKind.MAP, FieldKind.ARRAY, FieldKind.TUPLE)


def touch_all(form: Form, text: str) -> str:
    """Write back, at every field, what it shows already; the text must not change in a single character."""
    document = Document(text)
    _touch(form.root, document)
    return document.text


def _touch(field: Field, document: Document) -> None:
    node = document.node(field.path)
    if node is None:
        return
    if field.kind is FieldKind.UNION:
        found = field.detect(node)
        if found is not None:
            _touch(field.branch(found), document)
            return
    for child in field.children(node):
        _touch(child, document)
    if not node.items:
        if node.kind is Kind.STRING:
            document.set_string(field.path, jsontext.unquote(node.raw), field.order)
        else:
            document.set(field.path, node.raw, field.order)
