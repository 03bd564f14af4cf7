"""Whether a changed JSON Schema takes less than before, more, or cannot be told.

Compared keyword by keyword, with references followed inside the document. What less and more mean for a caller follows
from the side: arguments that take less break callers, results that promise less do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.schema.align import unchanged
from mcp_inspector.schema.compare import key_of, same
from mcp_inspector.schema.source import Source, strings_of
from mcp_inspector.schema.wording import both, cut
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MOST = 200
_DEEP = 60
_PAIRS = 20_000


class Member(StrEnum):
    """What happened to a property as a whole."""

    NONE = ""
    ADDED = "added"
    REMOVED = "removed"


class Effect(StrEnum):
    """What a change does to the set of values that a schema takes, or to those who read it."""

    LESS = "less"
    MORE = "more"
    UNCLEAR = "unclear"  # a rule whose effect cannot be told, or a word that a model reads
    WORDS = "words"  # titles, comments, examples


@dataclass(frozen=True, slots=True)
class Step:
    """One change in a schema and a sentence about it; `before` and `after` are JSON texts, empty where there is none.

    `path` leads through references as if what they name stood in their place.
    """

    effect: Effect
    path: Path
    sentence: str
    before: str = ""
    after: str = ""
    member: Member = Member.NONE


def schema_steps(before: str, after: str) -> list[Step]:
    """All changes from one schema to the other, at most 200. Raises `JsonError` when one is no JSON."""
    walk = _Walk(Source(before), Source(after))
    steps: list[Step] = []
    for step in walk.schema(walk.old.root, walk.new.root, ()):
        steps.append(step)
        if len(steps) == _MOST:
            break
    return steps


# More of these numbers means less of the values (minimum) or more of them (maximum).
_LOWER = frozenset(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"])
_UPPER = frozenset(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"])
# Where these appear less is taken, where they go more; how two of them compare cannot be told.
_RULES = frozenset(["pattern", "multipleOf", "not", "dependentRequired", "dependentSchemas", "contains", "uniqueItems"])
_WORDS = frozenset(["title", "$comment", "examples", "example", "deprecated", "$id", "$anchor"])
_SKIPPED = frozenset(["$defs", "definitions", "properties", "required"])
_BESIDE = frozenset(["$ref", "title", "description", "$defs", "definitions", "$comment"])


class _Walk:
    def __init__(self, old: Source, new: Source) -> None:
        self.old = old
        self.new = new
        self._seen: set[tuple[int, int]] = set()

    def schema(self, before: Node, after: Node, path: Path) -> Iterator[Step]:
        """The steps from one schema to another."""
        before, after = self._followed(self.old, before), self._followed(self.new, after)
        if (before.start, after.start) in self._seen or len(path) > _DEEP or len(self._seen) > _PAIRS:
            return
        self._seen.add((before.start, after.start))
        one, two = _keywords(before), _keywords(after)
        if one is None or two is None:
            if not same(before, after):
                effect = Effect.LESS if after.raw == "false" else Effect.UNCLEAR
                effect = Effect.MORE if before.raw == "false" else effect
                yield Step(effect, path, "the whole schema is another", before.raw, after.raw)
            return
        yield from self._properties(one, two, path)
        for name in [*one, *(name for name in two if name not in one)]:
            if name not in _SKIPPED:
                yield from self._keyword(name, one.get(name), two.get(name), path)

    def _followed(self, source: Source, node: Node) -> Node:
        """What a reference names, when nothing but words stands beside it; else the schema as it is."""
        for _ in range(_DEEP):
            reference = node.get("$ref") if node.kind is Kind.OBJECT else None
            if reference is None or not _BESIDE.issuperset(node.names):
                return node
            target, _ = source.resolve(reference)
            if target is None:
                return node
            node = target
        return node

    def _keyword(self, name: str, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        place = (*path, name)
        handler = _HANDLERS.get(name)
        if handler is not None:
            yield from handler(self, before, after, place)
        elif before is None or after is None or not same(before, after):
            effect = Effect.WORDS if name in _WORDS else Effect.UNCLEAR
            if name in _LOWER or name in _UPPER:
                effect = _limit(name, before, after)
            elif name in _RULES and (before is None or after is None):
                effect = Effect.LESS if before is None else Effect.MORE
            yield _step(effect, place, before, after)

    def _properties(self, one: dict[str, Node], two: dict[str, Node], path: Path) -> Iterator[Step]:
        """`properties` and `required` together: a new property breaks callers only when it is required."""
        mine, theirs = (_keywords(part.get("properties")) or {} for part in (one, two))
        must_before, must_after = strings_of(one.get("required")), strings_of(two.get("required"))
        for name, node in mine.items():
            if name in theirs:
                yield from self.schema(node, theirs[name], (*path, "properties", name))
            else:
                place = (*path, "properties", name)
                yield Step(Effect.LESS, place, f"“{name}” is gone", node.raw, "", Member.REMOVED)
        for name, node in theirs.items():
            if name not in mine:
                must = name in must_after
                text = f"“{name}” is new and {'required' if must else 'optional'}"
                effect = Effect.LESS if must else Effect.MORE
                yield Step(effect, (*path, "properties", name), text, "", node.raw, Member.ADDED)
        for name in must_after:
            if name not in must_before and (name in mine or name not in theirs):
                yield Step(Effect.LESS, (*path, "required"), f"“{name}” is required now")
        for name in must_before:
            if name not in must_after and (name in theirs or name not in mine):
                yield Step(Effect.MORE, (*path, "required"), f"“{name}” is not required any more")

    def patterns(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        """`patternProperties`: each pattern by its text."""
        mine, theirs = _keywords(before) or {}, _keywords(after) or {}
        for name in [*mine, *(name for name in theirs if name not in mine)]:
            if name in mine and name in theirs:
                yield from self.schema(mine[name], theirs[name], (*path, name))
            else:
                yield _step(Effect.UNCLEAR, (*path, name), mine.get(name), theirs.get(name))

    def reference(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        """A reference beside other rules, or one that leads nowhere here."""
        if before is None or after is None:
            yield _step(Effect.LESS if before is None else Effect.MORE, path, before, after)
            return
        one, two = self.old.resolve(before)[0], self.new.resolve(after)[0]
        if one is not None and two is not None:
            yield from self.schema(one, two, path[:-1])
        elif not same(before, after):
            yield _step(Effect.UNCLEAR, path, before, after)

    def types(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        mine, theirs = _types(before), _types(after)
        if mine == theirs:
            return
        lost, gained = mine - theirs, theirs - mine
        if "number" in theirs:
            lost -= {"integer"}
        if "number" in mine:
            gained -= {"integer"}
        effect = Effect.LESS if lost else Effect.MORE if gained else Effect.WORDS
        yield _step(effect, path, before, after)

    def values(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        """`enum` and `const`: the values that are left."""
        if before is None or after is None:
            yield _step(Effect.LESS if before is None else Effect.MORE, path, before, after)
            return
        listed = before.kind is Kind.ARRAY and after.kind is Kind.ARRAY and path[-1] == "enum"
        mine = {key_of(item): item.raw for item in (before.items if listed else (before,))}
        theirs = {key_of(item): item.raw for item in (after.items if listed else (after,))}
        for key, raw in mine.items():
            if key not in theirs:
                yield Step(Effect.LESS, path, f"{raw[:60]} is no choice any more", raw, "")
        for key, raw in theirs.items():
            if key not in mine:
                yield Step(Effect.MORE if listed else Effect.LESS, path, f"{raw[:60]} is a new choice", "", raw)

    def inner(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        """A keyword whose value is one schema, absent meaning anything."""
        if before is not None and after is not None and before.kind is not Kind.ARRAY and after.kind is not Kind.ARRAY:
            if {before.kind, after.kind} == {Kind.OBJECT, Kind.BOOLEAN}:
                yield from self._open_or_closed(before, after, path)
            else:
                yield from self.schema(before, after, path)
        elif before is None or after is None:
            yield from self._open_or_closed(before, after, path)
        else:
            yield from self.branches(before, after, path)

    def _open_or_closed(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        mine, theirs = _openness(before), _openness(after)
        if mine == theirs != 1:
            return
        effect = Effect.UNCLEAR if mine == theirs else Effect.LESS if theirs < mine else Effect.MORE
        yield _step(effect, path, before, after)

    def branches(self, before: Node | None, after: Node | None, path: Path) -> Iterator[Step]:
        """A list of schemas: unchanged ones are lined up, and of what is left each is compared with its neighbour."""
        word = str(path[-1])
        if before is None or after is None or before.kind is not Kind.ARRAY or after.kind is not Kind.ARRAY:
            effect = Effect.LESS if before is None else Effect.MORE if after is None else Effect.UNCLEAR
            yield _step(effect, path, before, after)
            return
        pairs = unchanged([*map(key_of, before.items)], [*map(key_of, after.items)])
        old = [at for at in range(len(before.items)) if at not in {one for one, _ in pairs}]
        new = [at for at in range(len(after.items)) if at not in {two for _, two in pairs}]
        for one, two in [*pairs, *zip(old, new, strict=False)]:
            yield from self.schema(before.items[one], after.items[two], (*path, two))
        every = word in ("allOf", "prefixItems", "items")
        for one in old[len(new) :]:
            raw = before.items[one].raw
            yield Step(Effect.MORE if every else Effect.LESS, (*path, one), f"one of “{word}” is gone", raw, "")
        for two in new[len(old) :]:
            raw = after.items[two].raw
            yield Step(Effect.LESS if every else Effect.MORE, (*path, two), f"one more in “{word}”", "", raw)


_HANDLERS: dict[str, Callable[[_Walk, Node | None, Node | None, Path], Iterator[Step]]] = {
    "$ref": _Walk.reference,
    "patternProperties": _Walk.patterns,
    "type": _Walk.types,
    "enum": _Walk.values,
    "const": _Walk.values,
    "items": _Walk.inner,
    "additionalProperties": _Walk.inner,
    "unevaluatedProperties": _Walk.inner,
    "additionalItems": _Walk.inner,
    "propertyNames": _Walk.inner,
    "anyOf": _Walk.branches,
    "oneOf": _Walk.branches,
    "allOf": _Walk.branches,
    "prefixItems": _Walk.branches,
}


def _keywords(node: Node | None) -> dict[str, Node] | None:
    """The keywords of a schema; none for `true`, None for what is no schema object."""
    if node is None or node.kind is not Kind.OBJECT:
        return {} if node is not None and node.raw == "true" else None
    return dict(zip(node.names, node.items, strict=True))


def _types(node: Node | None) -> set[str]:
    if node is None:
        return {"object", "array", "string", "number", "boolean", "null"}
    if node.kind is Kind.STRING:
        return {jsontext.unquote(node.raw)}
    return set(strings_of(node))


def _openness(node: Node | None) -> int:
    """0 takes nothing, 1 some, 2 everything."""
    if node is None or node.raw == "true" or (node.kind is Kind.OBJECT and not node.items):
        return 2
    return 0 if node.raw == "false" else 1


def _limit(name: str, before: Node | None, after: Node | None) -> Effect:
    if before is None or after is None:
        return Effect.LESS if before is None else Effect.MORE
    if before.kind is not Kind.NUMBER or after.kind is not Kind.NUMBER:
        return Effect.UNCLEAR
    rises = jsontext.decimal_of(after.raw) > jsontext.decimal_of(before.raw)
    return Effect.LESS if rises == (name in _LOWER) else Effect.MORE


def _step(effect: Effect, path: Path, before: Node | None, after: Node | None) -> Step:
    """A keyword that came, went or changed."""
    one, two = before.raw if before is not None else "", after.raw if after is not None else ""
    name = path[-1] if path else ""
    if before is None:
        text = f"“{name}” is new: {cut(two)}"
    elif after is None:
        text = f"“{name}” is gone: {cut(one)}"
    else:
        text = f"“{name}”: {both(one, two)}"
    return Step(effect, path, text, one, two)
