"""Values that must not be kept on disk: those of ``format: password`` and ``writeOnly``, wherever they may stand.

Which alternative of a union or a condition applies does not matter here: what any of them calls a secret is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.schema import textedit
from mcp_inspector.schema.patterns import matches
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Source, objects_of, text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.schema.source import Flat, Part
    from mcp_inspector.schema.textedit import Splice

_STEPS = 20_000
_MOST = 200
"""Secrets that are taken out one by one; of a value with more nothing is kept."""
_LEFT_EMPTY = '""'
_HERE_ONE = ("if", "then", "else", "not")
_HERE_MANY = ("anyOf", "oneOf", "allOf")


def may_have_secrets(source: Source) -> bool:
    """Whether a schema calls anything a secret, by its text: cheap, and at worst a false alarm."""
    text = source.root.text
    return '"password"' in text or "writeOnly" in text or "\\u00" in text


def without_secrets(source: Source, root: Node) -> str | None:
    """The text of a value without its secrets; None when nothing of it may be kept.

    A secret member is left out; a secret item of a list becomes ``""``, so that the others keep their places.
    """
    if not may_have_secrets(source):
        return root.raw
    found = _found(source, root)
    if found is None or len(found) > _MOST or () in found:
        return None
    if not found:
        return root.raw
    text = _taken_out(root, found)
    left = _found(source, jsontext.parse(text))  # members that stand twice hide what is in the first of them
    return text if left is not None and all(path and isinstance(path[-1], int) for path in left) else None


def _found(source: Source, root: Node) -> list[Path] | None:
    search = _Search(source)
    try:
        search.look(source.cached_flat([source.root]), root, ())
    except _TooMuch:
        return None
    return [*search.found]


def _taken_out(root: Node, paths: list[Path]) -> str:
    text = root.text
    items = [path for path in paths if isinstance(path[-1], int)]
    splices: list[Splice] = [textedit.set_value(root, path, _LEFT_EMPTY) for path in items]
    for splice in sorted(splices, key=lambda one: -one.start):
        text = splice.apply(text)
    for path in paths:
        while isinstance(path[-1], str) and jsontext.find(tree := jsontext.parse(text), path) is not None:
            text = textedit.remove(tree, path).apply(text)
    return text


class _TooMuch(Exception):
    """The value and its schema are too large to be looked through."""


class _Search:
    """Finds the paths of secrets. Each pair of value and schemas is looked at once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: dict[Path, None] = {}
        self._steps = _STEPS
        self._seen: set[tuple[int, tuple[int, ...]]] = set()

    def look(self, flat: Flat, node: Node, path: Path) -> None:
        """All that applies to one value."""
        self._steps -= 1
        if self._steps < 0 or flat.reason.startswith("more than") or len(path) > _MOST:
            raise _TooMuch
        for part in flat.parts:
            written = part.get("writeOnly")
            if text_of(part.get("format")) == "password" or (written is not None and written.raw == "true"):
                self.found[path] = None
                return
        for part in flat.parts:
            for schema in _here(part):
                self._go(schema, node, path)
        if node.is_container:
            shape = Shape(self.source, flat.parts)
            for key, value, schemas in self._inside(shape, node):
                for schema in schemas:
                    self._go(schema, value, (*path, key))

    def _go(self, schema: Node, node: Node, path: Path) -> None:
        pair = (node.start, (schema.start,))
        if pair not in self._seen:
            self._seen.add(pair)
            self.look(self.source.cached_flat([schema]), node, path)

    def _inside(self, shape: Shape, node: Node) -> Iterator[tuple[str | int, Node, list[Node]]]:
        if node.kind is Kind.OBJECT:
            properties, additional = shape.properties(), shape.additional()
            for name, value in zip(node.names, node.items, strict=True):
                fitting = [schema for pattern, schema in additional.patterns if matches(pattern, name)]
                yield name, value, [*properties.get(name, ()), *fitting, *additional.schemas]
            return
        prefix, (rest, _) = shape.prefix(), shape.rest()
        contained = shape.every("contains")
        for at, value in enumerate(node.items):
            yield at, value, [*(prefix[at] if at < len(prefix) else rest), *contained]


def _here(part: Part) -> Iterator[Node]:
    """Schemas that may apply to the same value."""
    for keyword in _HERE_ONE:
        if keyword in part:
            yield part[keyword]
    for keyword in _HERE_MANY:
        options = part.get(keyword)
        if options is not None and options.kind is Kind.ARRAY:
            yield from options.items
    for keyword in ("dependentSchemas", "dependencies"):
        yield from (schema for _, schema in objects_of(part, keyword) if schema.kind is not Kind.ARRAY)
