"""What the schemas of one place say together: types, bounds, members, items, alternatives."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from mcp_inspector.schema.source import Part, Source, objects_of, strings_of, text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")

_IMPLIED = {
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
    ),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "additionalItems"),
    "string": ("pattern", "minLength", "maxLength", "format", "contentEncoding", "contentMediaType"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_NUMBER_FORMATS = frozenset(["int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "int", "float", "double"])


@dataclass(frozen=True, slots=True)
class Bounds:
    """The range of a number. An exclusive bound excludes the number itself."""

    low: Decimal | None = None
    low_exclusive: bool = False
    high: Decimal | None = None
    high_exclusive: bool = False
    multiple_of: Decimal | None = None


@dataclass(slots=True)
class Additional:
    """What an object may hold beside its named members.

    `closed` means nothing; `schemas` describe any such member (none: any JSON); `patterns` those whose name matches.
    """

    closed: bool = False
    schemas: list[Node] = field(default_factory=list)
    patterns: list[tuple[str, Node]] = field(default_factory=list)


class Shape:
    """The parts of one place, read together. Reading never raises; what is broken is told to the source."""

    __slots__ = ("parts", "source")

    def __init__(self, source: Source, parts: Sequence[Part]) -> None:
        self.source = source
        self.parts = tuple(parts)

    def every(self, keyword: str) -> list[Node]:
        """The keyword's values in all parts that have it."""
        return [part[keyword] for part in self.parts if keyword in part]

    def first(self, keyword: str) -> Node | None:
        """The keyword's value in the first part that has it."""
        for part in self.parts:
            if keyword in part:
                return part[keyword]
        return None

    def text(self, keyword: str) -> str:
        """The first string under a keyword, empty when there is none."""
        for part in self.parts:
            node = part.get(keyword)
            if node is not None and node.kind is Kind.STRING:
                return text_of(node)
        return ""

    def flag(self, keyword: str) -> bool:
        """Whether any part says ``true`` under a keyword."""
        return any(node.raw == "true" for node in self.every(keyword))

    def types(self) -> tuple[list[str], bool]:
        """The JSON Schema types allowed, in order, and whether they are only implied by other keywords.

        An empty list with False means that nothing says a type; with True, that the parts contradict each other.
        """
        allowed: list[str] | None = None
        for part in self.parts:
            node = part.get("type")
            if node is None:
                continue
            names = [text_of(node)] if node.kind is Kind.STRING else strings_of(node)
            known = [name for name in names if name in TYPES]
            if not known or len(known) < len(names):
                self.source.tell(node, f'"type" is {node.raw[:60]}, which JSON Schema does not know.')
            if known:
                allowed = known if allowed is None else _meet(allowed, known)
        if allowed is not None:
            if "number" in allowed and "integer" in allowed:
                allowed = [name for name in allowed if name != "integer"]
            return [*dict.fromkeys(allowed)], not allowed
        implied = [name for name, keywords in _IMPLIED.items() if any(self._says(word) for word in keywords)]
        return (implied, True) if len(implied) == 1 else ([], False)

    def _says(self, keyword: str) -> bool:
        node = self.first(keyword)
        if node is None or node.kind is Kind.NULL:
            return False
        return keyword != "format" or text_of(node) not in _NUMBER_FORMATS

    def number(self, keyword: str) -> Decimal | None:
        """The first number under a keyword."""
        for node in self.every(keyword):
            if node.kind is Kind.NUMBER:
                return jsontext.decimal_of(node.raw)
        return None

    def tightest(self, keyword: str, *, lowest: bool) -> Decimal | None:
        """The smallest or greatest number that the parts have under a keyword."""
        found = [jsontext.decimal_of(node.raw) for node in self.every(keyword) if node.kind is Kind.NUMBER]
        return (min(found) if lowest else max(found)) if found else None

    def bounds(self) -> Bounds:
        """The range of a number; the boolean `exclusiveMinimum` of draft-04 is understood."""
        low, low_exclusive = self._bound("minimum", "exclusiveMinimum", lowest=False)
        high, high_exclusive = self._bound("maximum", "exclusiveMaximum", lowest=True)
        return Bounds(low, low_exclusive, high, high_exclusive, self.number("multipleOf"))

    def _bound(self, inclusive: str, exclusive: str, *, lowest: bool) -> tuple[Decimal | None, bool]:
        bound = self.tightest(inclusive, lowest=lowest)
        strict = self.tightest(exclusive, lowest=lowest)
        if strict is not None and (bound is None or (strict <= bound if lowest else strict >= bound)):
            return strict, True
        return bound, bound is not None and self.flag(exclusive)

    def count(self, keyword: str, *, lowest: bool) -> int | None:
        """A length or count bound, cut to what fits an index."""
        found = self.tightest(keyword, lowest=lowest)
        if found is None or found < 0:
            return None
        return int(min(found, Decimal(2**62)))

    def required(self) -> list[str]:
        """The names of required members, each once."""
        names: dict[str, None] = {}
        for node in self.every("required"):
            if node.kind is Kind.ARRAY:
                names.update(dict.fromkeys(strings_of(node)))
            elif node.kind is not Kind.BOOLEAN:
                self.source.tell(node, f'"required" is {node.raw[:40]}, not a list of names; taken as none.')
        return [*names]

    def properties(self) -> dict[str, list[Node]]:
        """The named members in order of the schemas, each with all schemas that describe it."""
        found: dict[str, list[Node]] = {}
        for part in self.parts:
            node = part.get("properties")
            if node is not None and node.kind is not Kind.OBJECT:
                self.source.tell(node, f'"properties" is {node.raw[:40]}, not an object; taken as none.')
            for name, schema in objects_of(part, "properties"):
                found.setdefault(name, []).append(schema)
        return found

    def additional(self) -> Additional:
        """What an object may hold beside its named members."""
        found = Additional()
        for part in self.parts:
            found.patterns.extend(objects_of(part, "patternProperties"))
            for keyword in ("additionalProperties", "unevaluatedProperties"):
                node = part.get(keyword)
                if node is None:
                    continue
                if node.raw == "false":
                    found.closed = True
                elif node.kind is Kind.OBJECT and node.items:
                    found.schemas.append(node)
        return found

    def prefix(self) -> list[list[Node]]:
        """The schemas of each fixed position: `prefixItems`, or `items` as an array in drafts up to 2019-09."""
        positions: list[list[Node]] = []
        for part in self.parts:
            node = part.get("prefixItems")
            if node is None or node.kind is not Kind.ARRAY:
                node = part.get("items")
            if node is None or node.kind is not Kind.ARRAY:
                continue
            for at, item in enumerate(node.items):
                if at == len(positions):
                    positions.append([])
                positions[at].append(item)
        return positions

    def rest(self) -> tuple[list[Node], bool]:
        """The schemas of the items behind the fixed positions, and whether there may be any."""
        found: list[Node] = []
        allowed = True
        for part in self.parts:
            items = part.get("items")
            old = items is not None and items.kind is Kind.ARRAY
            for node in (part.get("additionalItems") if old else items, part.get("unevaluatedItems")):
                if node is None or node.kind is Kind.ARRAY:
                    continue
                if node.raw == "false":
                    allowed = False
                else:
                    found.append(node)
        return found, allowed


def _meet(one: Sequence[str], two: Sequence[str]) -> list[str]:
    met = []
    for name in one:
        if name in two or (name == "integer" and "number" in two):
            met.append(name)
        elif name == "number" and "integer" in two:
            met.append("integer")
    return met
