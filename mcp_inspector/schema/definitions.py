"""What changed between two lists of tools, resources, templates or prompts, and how bad that is for those who use them.

Breaking: a call or a read that worked does not any more, or gives something else. Dangerous: it still works, but what
a model reads or decides by has changed, or what a rule does cannot be told. Minor: nobody needs to act.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.schema.compare import key_of, same
from mcp_inspector.schema.narrowing import Effect, Member, schema_steps
from mcp_inspector.schema.wording import both, cut
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LARGEST = 500_000
_BUDGET = 4_000_000
_MOST = 5_000
_KEYS = {"tools": "name", "resources": "uri", "templates": "uriTemplate", "prompts": "name"}
_ONE = {"tools": "tool", "resources": "resource", "templates": "template", "prompts": "prompt"}


class _Head(msgspec.Struct):
    """What a listed thing can be known by; decoded alone, because a list may have megabytes of schemas."""

    name: Any = None
    uri: Any = None
    uriTemplate: Any = None


_head = msgspec.json.Decoder(_Head).decode


class Weight(IntEnum):
    """How bad a change is; greater is worse."""

    MINOR = 1
    DANGEROUS = 2
    BREAKING = 3

    @property
    def word(self) -> str:
        """The weight as people read it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class ListChange:
    """One change of one listed thing: `what` is the list, `key` its name or URI, empty for the list as a whole.

    `path` is where in the definition; `before` and `after` are JSON texts as spelled, empty where there is nothing.
    """

    what: str
    key: str
    weight: Weight
    sentence: str
    path: Path = ()
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class ListChanges:
    """All changes of one list. `added`, `removed` and `changed` are keys, in the order of their lists."""

    what: str
    changes: tuple[ListChange, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    why: str = ""

    @property
    def count(self) -> int:
        """How many things came, went or changed: the number on a badge."""
        return len(self.added) + len(self.removed) + len(self.changed)

    @property
    def weight(self) -> Weight | None:
        """The worst of the changes, None when there are none."""
        return max((each.weight for each in self.changes), default=None)


def compare_lists(what: str, before: Sequence[bytes], after: Sequence[bytes]) -> ListChanges:
    """The changes from one list to another. `what` is tools, resources, templates or prompts; items are JSON texts.

    Things are matched by name or URI, repeated ones in their order. Never raises; what is no object is matched by its
    text. At most 5 000 changes are told, and `why` says when there are more.
    """
    mine, theirs = _keyed(what, before), _keyed(what, after)
    gone = [key for key in mine if key not in theirs]
    new = [key for key in theirs if key not in mine]
    one = _ONE[what]
    changes: list[ListChange] = []
    renamed = _renamed(what, {key: mine[key] for key in gone}, {key: theirs[key] for key in new})
    for key in gone:
        heir = renamed.get(key)
        text = f"{one} renamed to “{heir[0]}”" if heir is not None else f"{one} removed"
        changes.append(ListChange(what, key[0], Weight.BREAKING, text, (), _text(mine[key]), ""))
    changed = []
    budget = _BUDGET
    for key, raw in mine.items():
        other = theirs.get(key)
        if other is None or other == raw:
            continue
        size = max(len(raw), len(other))
        budget -= size
        if size > _LARGEST or budget < 0:
            text = "changed, and too large to say where" if size > _LARGEST else "changed; too much to say where"
            found = [ListChange(what, key[0], Weight.DANGEROUS, text, (), _text(raw), _text(other))]
        else:
            found = [*_item_changes(what, key[0], _text(raw), _text(other))]
        if found:
            changed.append(key[0])
            changes += found
        if len(changes) > _MOST:
            break
    heirs = set(renamed.values())
    for key in new:
        text = f"new {one}" + (" (the same as one that is gone)" if key in heirs else "")
        changes.append(ListChange(what, key[0], Weight.MINOR, text, (), "", _text(theirs[key])))
    order = [key for key in mine if key in theirs], [key for key in theirs if key in mine]
    if order[0] != order[1]:
        changes.append(ListChange(what, "", Weight.MINOR, "the order of the list is another"))
    why = f"Only the first {_MOST:,} changes are told." if len(changes) > _MOST else ""
    added, removed = tuple(key for key, _ in new), tuple(key for key, _ in gone)
    return ListChanges(what, tuple(changes[:_MOST]), added, removed, tuple(changed), why)


def compare_server(before: bytes, after: bytes) -> tuple[ListChange, ...]:
    """What changed in a server's answer to `initialize` or `server/discover`: capabilities, instructions, version."""
    try:
        one, two = _object(_text(before)), _object(_text(after))
    except JsonError:
        return ()
    changes = []
    for name, mine, theirs in _members(one, two):
        weight = _SERVER.get(name, Weight.MINOR)
        if name == "capabilities" and mine is not None and theirs is not None:
            for inner, left, right in _members(mine, theirs):
                lost = Weight.BREAKING if right is None else Weight.MINOR if left is None else Weight.DANGEROUS
                changes.append(_change("server", "", lost, ("capabilities", inner), left, right))
        else:
            changes.append(_change("server", "", weight, (name,), mine, theirs))
    return tuple(changes)


_SERVER = {"instructions": Weight.DANGEROUS, "capabilities": Weight.BREAKING, "supportedVersions": Weight.DANGEROUS}
_MINOR = frozenset(["title", "icons", "_meta", "size"])


def _item_changes(what: str, key: str, before: str, after: str) -> Iterator[ListChange]:
    try:
        one, two = _object(before), _object(after)
    except JsonError:
        yield ListChange(what, key, Weight.DANGEROUS, "changed, and one of the two is no object", (), before, after)
        return
    for name, mine, theirs in _members(one, two):
        if what == "tools" and name in ("inputSchema", "outputSchema"):
            yield from _schema(what, key, name, mine, theirs)
        elif what == "tools" and name == "execution":
            yield _change(what, key, _execution(mine, theirs), (name,), mine, theirs)
        elif what == "prompts" and name == "arguments":
            yield from _arguments(key, mine, theirs)
        elif name == "annotations" and mine is not None and theirs is not None:
            for inner, left, right in _members(mine, theirs):
                weight = Weight.MINOR if inner in ("title", "lastModified") else Weight.DANGEROUS
                yield _change(what, key, weight, (name, inner), left, right)
        elif what in ("resources", "templates") and name == "name":
            yield _change(what, key, Weight.MINOR, (name,), mine, theirs)
        else:
            yield _change(what, key, Weight.MINOR if name in _MINOR else Weight.DANGEROUS, (name,), mine, theirs)


def _schema(what: str, key: str, name: str, before: Node | None, after: Node | None) -> Iterator[ListChange]:
    """The steps of a schema: arguments that take less break callers, results that promise less do."""
    takes = name == "inputSchema"
    if before is None or after is None:
        gone = Weight.MINOR if takes else Weight.BREAKING
        come = Weight.BREAKING if takes else Weight.MINOR
        yield _change(what, key, gone if after is None else come, (name,), before, after)
        return
    bad, good = (Effect.LESS, Effect.MORE) if takes else (Effect.MORE, Effect.LESS)
    for step in schema_steps(before.raw, after.raw):
        weight = Weight.DANGEROUS if step.effect is Effect.UNCLEAR else Weight.MINOR
        if step.member is Member.REMOVED or (step.effect is bad and step.member is Member.NONE):
            weight = Weight.BREAKING
        elif step.member is Member.ADDED:
            weight = Weight.BREAKING if takes and step.effect is bad else Weight.MINOR
        elif step.effect is good:
            weight = Weight.MINOR
        side = "arguments" if takes else "result"
        yield ListChange(
            what, key, weight, f"{side}: {_spot(step.path)}{step.sentence}", (name, *step.path), step.before, step.after
        )


def _spot(path: Path) -> str:
    """The place of a step in words, without the keyword that its sentence names."""
    names = [str(part) for part in path[:-1] if part not in ("properties", "items")]
    return f"{'.'.join(names[:8])}: " if names else ""


def _arguments(key: str, before: Node | None, after: Node | None) -> Iterator[ListChange]:
    """The arguments of a prompt, matched by name."""
    mine, theirs = _named(before), _named(after)
    for name, node in mine.items():
        other = theirs.get(name)
        path: Path = ("arguments", name)
        if other is None:
            yield ListChange("prompts", key, Weight.BREAKING, f"argument “{name}” is gone", path, node.raw, "")
            continue
        for member, left, right in _members(node, other):
            weight = Weight.MINOR if member in _MINOR else Weight.DANGEROUS
            if member == "required":
                must = right is not None and right.raw == "true"
                if must == (left is not None and left.raw == "true"):
                    continue
                weight = Weight.BREAKING if must else Weight.MINOR
                text = f"argument “{name}” is {'required now' if must else 'not required any more'}"
                yield ListChange("prompts", key, weight, text, (*path, member), _raw(left), _raw(right))
            else:
                yield _change("prompts", key, weight, (*path, member), left, right)
    for name, node in theirs.items():
        if name not in mine:
            required = node.get("required")
            must = required is not None and required.raw == "true"
            text = f"argument “{name}” is new and {'required' if must else 'optional'}"
            weight = Weight.BREAKING if must else Weight.MINOR
            yield ListChange("prompts", key, weight, text, ("arguments", name), "", node.raw)


def _execution(before: Node | None, after: Node | None) -> Weight:
    """Whether a tool that ran plainly must now run as a task, or the other way round."""
    words = []
    for node in (before, after):
        support = node.get("taskSupport") if node is not None else None
        is_text = support is not None and support.kind is Kind.STRING
        words.append(jsontext.unquote(support.raw) if support is not None and is_text else "forbidden")
    return Weight.BREAKING if words[0] != words[1] and words[1] != "optional" else Weight.MINOR


def _change(what: str, key: str, weight: Weight, path: Path, before: Node | None, after: Node | None) -> ListChange:
    name = ".".join(map(str, path))
    one, two = _raw(before), _raw(after)
    if before is None:
        text = f"{name} is new: {cut(two)}"
    else:
        text = f"{name} is gone: {cut(one)}" if after is None else f"{name}: {both(one, two)}"
    return ListChange(what, key, weight, text, path, one, two)


def _members(one: Node, two: Node) -> Iterator[tuple[str, Node | None, Node | None]]:
    """The members that differ in value, by name; the last of repeated ones counts."""
    names = dict.fromkeys((*one.names, *two.names))
    for name in names:
        mine, theirs = one.get(name), two.get(name)
        if mine is None or theirs is None or not same(mine, theirs):
            yield name, mine, theirs


def _named(node: Node | None) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for item in node.items if node is not None else ():
        name = item.get("name")
        if name is not None and name.kind is Kind.STRING:
            found.setdefault(jsontext.unquote(name.raw), item)
    return found


def _keyed(what: str, items: Sequence[bytes]) -> dict[tuple[str, int], bytes]:
    member = _KEYS[what]
    counted: Counter[str] = Counter()
    found = {}
    for raw in items:
        try:
            name = getattr(_head(raw), member)
        except (msgspec.MsgspecError, RecursionError):
            name = None
        key = name if isinstance(name, str) else _text(raw[:200])
        found[key, counted[key]] = raw
        counted[key] += 1
    return found


def _renamed(
    what: str, gone: dict[tuple[str, int], bytes], new: dict[tuple[str, int], bytes]
) -> dict[tuple[str, int], tuple[str, int]]:
    """Things that are gone and came again under another name, with all else the same."""
    if sum(map(len, (*gone.values(), *new.values()))) > _BUDGET:
        return {}
    waiting: dict[object, tuple[str, int]] = {}
    for key, raw in new.items():
        waiting.setdefault(_rest(what, raw), key)
    waiting.pop(None, None)
    found = {}
    for key, raw in gone.items():
        heir = waiting.pop(_rest(what, raw), None)
        if heir is not None:
            found[key] = heir
    return found


def _rest(what: str, raw: bytes) -> object:
    """What a definition says beside its name, as a key; None when that is too little to know it again by."""
    try:
        node = jsontext.parse(raw)
    except JsonError:
        return None
    left = (_KEYS[what], "title")
    if node.kind is not Kind.OBJECT or node.get("description") is None:
        return None
    return frozenset(
        (name, key_of(item)) for name, item in zip(node.names, node.items, strict=True) if name not in left
    )


def _object(text: str) -> Node:
    node = jsontext.parse(text)
    if node.kind is not Kind.OBJECT:
        raise JsonError("It is no object.", 0, 1, 1)
    return node


def _raw(node: Node | None) -> str:
    return node.raw if node is not None else ""


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
