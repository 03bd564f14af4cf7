"""What a field comes to for the value that is there: its members, what conditions add, what may be added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema import conditions, misfit
from mcp_inspector.schema.kinds import Branch, FieldKind
from mcp_inspector.schema.patterns import matches
from mcp_inspector.schema.source import text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.schema.field import Field
    from mcp_inspector.schema.shape import Shape

_LONG_TEXTS = frozenset(["body", "code", "content", "html", "markdown", "message", "prompt", "query", "script", "sql"])
_SHOWN_KINDS = {
    FieldKind.STRING: Kind.STRING,
    FieldKind.NUMBER: Kind.NUMBER,
    FieldKind.INTEGER: Kind.NUMBER,
    FieldKind.BOOLEAN: Kind.BOOLEAN,
    FieldKind.NULL: Kind.NULL,
    FieldKind.OBJECT: Kind.OBJECT,
    FieldKind.MAP: Kind.OBJECT,
    FieldKind.ARRAY: Kind.ARRAY,
    FieldKind.TUPLE: Kind.ARRAY,
}
_EMPTY = {
    FieldKind.STRING: '""',
    FieldKind.BOOLEAN: "false",
    FieldKind.OBJECT: "{}",
    FieldKind.MAP: "{}",
    FieldKind.ARRAY: "[]",
    FieldKind.TUPLE: "[]",
    FieldKind.NUMBER: "0",
    FieldKind.INTEGER: "0",
}


def shows(of: Field, node: Node | None) -> bool:
    """Whether the field's own editor can show a value."""
    if node is None or (node.kind is Kind.NULL and of.nullable):
        return True
    if of.kind in (FieldKind.UNION, FieldKind.ANY, FieldKind.RAW):
        return True
    if of.kind is FieldKind.ENUM:
        return of.choice_of(node) is not None
    return node.kind is _SHOWN_KINDS[of.kind]


def members(of: Field, node: Node | None) -> list[Field]:
    """The named members of an object, required ones first, then those that the value has besides."""
    shape = of.live(node)
    properties = shape.properties()
    required = dict.fromkeys(shape.required())
    if node is not None and node.kind is Kind.OBJECT:
        required |= dict.fromkeys(conditions.required_by(shape, node))
    order = tuple(properties)
    patterns = shape.additional().patterns
    if patterns:
        properties = {name: [*schemas, *_fitting(patterns, name)] for name, schemas in properties.items()}
    fields = [
        type(of)(of.source, (*of.path, name), schemas, required=name in required, order=order, parent=of)
        for name, schemas in properties.items()
    ]
    fields.sort(key=lambda one: not one.required)
    fields.extend(extra(of, shape, name, required=True) for name in required if name not in properties)
    if node is not None and node.kind is Kind.OBJECT:
        known = {one.key for one in fields}
        fields.extend(extra(of, shape, name) for name in dict.fromkeys(node.names) if name not in known)
    return fields


def extra(of: Field, shape: Shape, name: str, *, required: bool = False) -> Field:
    """A member that the schema does not name."""
    additional = shape.additional()
    schemas = _fitting(additional.patterns, name) or additional.schemas
    return type(of)(of.source, (*of.path, name), schemas, required=required, extra=not required, parent=of)


def _fitting(patterns: Sequence[tuple[str, Node]], name: str) -> list[Node]:
    return [node for pattern, node in patterns if matches(pattern, name)]


def applied(of: Field, node: Node | None) -> Field:
    """A list with what its value makes apply, as `Field.applied` says."""
    if node is None or node.kind is not Kind.ARRAY:
        return of
    shape, scope = of.shape, of.scope
    of.source.scope = scope
    live = conditions.live(of.source, shape, node)
    if live is shape:
        return of
    key = tuple(map(id, live.parts))
    if key not in of.applications:
        of.applications[key] = of.as_branch(Branch("", live.parts, scope=scope), of.parent)
    return of.applications[key]


def name_problem(of: Field, name: str) -> str:
    """Why a member must not be added under this name, empty when it may."""
    additional = of.shape.additional()
    if additional.closed and name not in of.shape.properties():
        if not additional.patterns:
            return "This object takes no other members."
        if not any(matches(pattern, name) for pattern, _ in additional.patterns):
            shown = " or ".join(pattern for pattern, _ in additional.patterns[:3])
            return f"Names here must match {shown}."
    for rule in of.shape.every("propertyNames"):
        sentence = misfit.why(of.source, of.source.flat([rule]).parts, jsontext.parse(jsontext.quote(name)))
        if sentence:
            return f"The name: {sentence}"
    return ""


def multiline(of: Field) -> bool:
    """Whether longer text is likely: by media type, length, or a name that usually holds it."""
    if of.kind is not FieldKind.STRING or of.format or of.choices:
        return False
    if of.shape.first("pattern") is not None and not of.media_type:
        return False  # a pattern describes a word, hardly ever a text
    if of.media_type:
        return not of.encoding
    longest = of.shape.count("maxLength", lowest=True)
    return (longest is not None and longest > 200) or (longest is None and of.label.lower() in _LONG_TEXTS)


def detect(of: Field, node: Node) -> int | None:
    """The alternative that a value fits best."""
    named = _discriminated(of, node)
    branches = [one.parts for one in of.branches]
    of.source.scope = of.scope
    return named if named is not None else misfit.best(of.source, branches, node)


def discriminator(of: Field, chosen: Branch | None) -> tuple[str, str] | None:
    """The member by which a ``discriminator`` tells an alternative apart, and its value; None without one."""
    rule = of.shape.first("discriminator") if of.kind is FieldKind.UNION else None
    member = text_of(rule.get("propertyName")) if rule is not None else ""
    if rule is None or chosen is None or not member or not chosen.named:
        return None
    mapping = rule.get("mapping")
    for name, target in zip(mapping.names, mapping.items, strict=True) if mapping is not None else ():
        if text_of(target).rpartition("/")[2] == chosen.named:
            return member, name
    return member, chosen.named


def _discriminated(of: Field, node: Node) -> int | None:
    """The alternative that a ``discriminator`` names for a value: by its mapping, or by the name of a definition."""
    rule = of.shape.first("discriminator")
    member = node.get(text_of(rule.get("propertyName"))) if rule is not None else None
    if rule is None or member is None or member.kind is not Kind.STRING:
        return None
    value = jsontext.unquote(member.raw)
    mapping = rule.get("mapping")
    target = text_of(mapping.get(value)) if mapping is not None else ""
    name = (target or value).rpartition("/")[2]
    return next((at for at, one in enumerate(of.branches) if one.named == name), None)


def empty(of: Field) -> str:
    """The JSON text of the empty value of a kind."""
    if of.constant is not None:
        return of.constant
    if of.kind is FieldKind.ENUM:
        return of.choices[0].json_text
    if of.kind is FieldKind.UNION:
        return of.branch(0).empty()
    return _EMPTY.get(of.kind, "null")
