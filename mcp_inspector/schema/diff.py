"""What differs between two JSON texts, value by value, without losing how they are spelled.

Member order, number spelling, escapes and repeated members are differences of their own kind, apart from changed
values. Arrays are lined up, by name where their elements have names. Texts too large for that get a sentence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.schema.align import unchanged
from mcp_inspector.schema.identity import Identities, turns
from mcp_inspector.schema.wording import both, cut
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 1_000_000
"""The largest text, in bytes of UTF-8, that is compared value by value."""

MAX_DIFFERENCES = 1_000
_DEEP = 200
_NAMES = ("name", "uri", "uriTemplate", "id", "key")


class Change(StrEnum):
    """What happened at a place. The last three leave the value as it is."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"  # an element of an array, unchanged, at another place
    ORDER = "order"  # members of an object, or named elements of an array, in another order
    SPELLED = "spelled"  # the same number or string written differently
    SPACING = "spacing"  # only whitespace between the tokens


FORM_ONLY = frozenset({Change.ORDER, Change.SPELLED, Change.SPACING})


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `old_path` and `path` say where in the first and in the second text; for what is on one side
    only, both name that place.

    `before` and `after` are JSON texts as spelled, empty where there is nothing; of `ORDER`, the names in their order.
    `turn` is 1 or more for a repeated member: the second of its name, the third.
    """

    change: Change
    old_path: Path
    path: Path
    before: str
    after: str
    turn: int = 0

    @property
    def where(self) -> str:
        """The place as a JSON Pointer, ``(root)`` for the whole text."""
        return jsontext.pointer(self.path) or "(root)"

    @property
    def sentence(self) -> str:
        """The difference in one line, with its values cut to what can be read."""
        again = f" (repeated member {self.turn + 1})" if self.turn else ""
        match self.change:
            case Change.ADDED:
                return f"{self.where}{again}: added {cut(self.after)}"
            case Change.REMOVED:
                return f"{self.where}{again}: removed {cut(self.before)}"
            case Change.MOVED:
                return f"{self.where}: moved from {jsontext.pointer(self.old_path)}"
            case Change.ORDER:
                return f"{self.where}: the order is another"
            case Change.SPACING:
                return "Only the whitespace between the values differs."
            case _:
                spelled = "the same value, written " if self.change is Change.SPELLED else ""
                return f"{self.where}{again}: {spelled}{both(self.before, self.after)}"


@dataclass(frozen=True, slots=True)
class Diff:
    """All differences in the order of the texts. `why` is a sentence when there are more than could be listed."""

    differences: tuple[Difference, ...] = ()
    why: str = ""

    @property
    def same(self) -> bool:
        """Whether nothing differs, spelling and whitespace included."""
        return not self.differences and not self.why

    @property
    def same_value(self) -> bool:
        """Whether the two mean the same: they differ in nothing, or only in how they are written."""
        return not self.why and all(each.change in FORM_ONLY for each in self.differences)

    @property
    def sentence(self) -> str:
        """The whole in a line: ``3 changed, 1 added; the order is another in 2 places``."""
        if self.same:
            return "Nothing differs."
        count = Counter(each.change for each in self.differences)
        words = [f"{count[each]} {each}" for each in Change if count[each]]
        return ", ".join(words) + (f". {self.why}" if self.why and words else self.why)


def compare(before: str | bytes, after: str | bytes, *, max_differences: int = MAX_DIFFERENCES) -> Diff:
    """The differences between two JSON texts; never raises.

    Takes about 10 µs a value. Where a text is no JSON, or is larger than `MAX_BYTES`, `why` says so and where the two
    begin to differ.
    """
    one, two = _bytes(before), _bytes(after)
    if one == two:
        return Diff()
    if max(len(one), len(two)) > MAX_BYTES:
        return Diff(
            (), f"Too large to compare value by value ({len(one):,} and {len(two):,} bytes). {_first(one, two)}"
        )
    try:
        left, right = jsontext.parse(one), jsontext.parse(two)
    except JsonError as error:
        return Diff((), f"One of the two is not JSON ({error}) {_first(one, two)}")
    walk = _Walk(left, right, max_differences)
    if walk.same_form:
        return Diff((Difference(Change.SPACING, (), (), "", ""),))
    return walk.run()


def compare_nodes(before: Node, after: Node, *, max_differences: int = MAX_DIFFERENCES) -> Diff:
    """As `compare`, of two values that were read already; whitespace is no difference."""
    return _Walk(before, after, max_differences).run()


@dataclass(slots=True)
class _Place:
    before: Node
    after: Node
    old_path: Path
    path: Path
    turn: int = 0


class _Walk:
    """One comparison."""

    def __init__(self, before: Node, after: Node, most: int) -> None:
        self._most = most
        self._ids = Identities()
        self._ids.take(before)
        self._ids.take(after)
        self._root = _Place(before, after, (), ())
        self.same_form = self._ids.form_of(before) == self._ids.form_of(after)

    def run(self) -> Diff:
        found: list[Difference] = []
        todo: list[_Place | Difference] = [self._root]
        while todo:
            step = todo.pop()
            if isinstance(step, Difference):
                found.append(step)
                if len(found) > self._most:
                    return Diff(tuple(found[: self._most]), f"Only the first {self._most:,} differences are listed.")
            elif self._ids.form_of(step.before) != self._ids.form_of(step.after):
                todo.extend(reversed([*self._steps(step)]))
        return Diff(tuple(found))

    def _steps(self, place: _Place) -> Iterator[_Place | Difference]:
        """What differs at a place: differences, and places further in to look at."""
        before, after = place.before, place.after
        if before.kind is not after.kind or not before.is_container or len(place.path) >= _DEEP:
            same = self._ids.value_of(before) == self._ids.value_of(after)
            change = Change.SPELLED if same else Change.CHANGED
            yield Difference(change, place.old_path, place.path, before.raw, after.raw, place.turn)
        elif before.kind is Kind.OBJECT:
            yield from self._object(place)
        else:
            yield from self._array(place)

    def _object(self, place: _Place) -> Iterator[_Place | Difference]:
        before, after = place.before, place.after
        mine = dict(zip(turns(before), before.items, strict=True))
        theirs = dict(zip(turns(after), after.items, strict=True))
        common = [key for key in mine if key in theirs]
        order = [key for key in theirs if key in mine]
        if common != order:
            yield _order(place, [name for name, _ in common], [name for name, _ in order])
        yield from _renamed(place)
        for (name, turn), node in mine.items():
            old_path, path = (*place.old_path, name), (*place.path, name)
            other = theirs.get((name, turn))
            if other is None:
                yield Difference(Change.REMOVED, old_path, path, node.raw, "", turn)
            else:
                yield _Place(node, other, old_path, path, turn)
        for (name, turn), node in theirs.items():
            if (name, turn) not in mine:
                yield Difference(Change.ADDED, (*place.old_path, name), (*place.path, name), "", node.raw, turn)

    def _array(self, place: _Place) -> Iterator[_Place | Difference]:
        before, after = place.before.items, place.after.items
        names = _named(place.before), _named(place.after)
        if names[0] and names[1]:
            where = {name: at for at, name in enumerate(names[1])}
            pairs = [(at, where[name]) for at, name in enumerate(names[0]) if name in where]
            if pairs:
                rising = sorted(pairs, key=lambda pair: pair[1])
                if rising != pairs:
                    yield _order(place, [names[0][at] for at, _ in pairs], [names[0][at] for at, _ in rising])
                yield from self._lined_up(place, pairs, ordered=False)
                return
        same = unchanged([*map(self._ids.value_of, before)], [*map(self._ids.value_of, after)])
        pairs = []
        low = left = 0
        for one, other in [*same, (len(before), len(after))]:
            # What lies between two unchanged elements is paired in its order, as far as it is of one kind.
            for at, place_of in zip(range(low, one), range(left, other), strict=False):
                if before[at].kind is after[place_of].kind:
                    pairs.append((at, place_of))
            if one < len(before):
                pairs.append((one, other))
            low, left = one + 1, other + 1
        yield from self._lined_up(place, pairs, ordered=True)

    def _lined_up(self, place: _Place, pairs: list[tuple[int, int]], *, ordered: bool) -> Iterator[_Place | Difference]:
        before, after = place.before.items, place.after.items
        gone = sorted(set(range(len(before))) - {at for at, _ in pairs})
        new = sorted(set(range(len(after))) - {at for _, at in pairs})
        moved = self._moved(place, gone, new) if ordered else {}
        steps: list[tuple[tuple[int, int], _Place | Difference]] = []
        for at in gone:
            if at not in moved:
                change = Difference(Change.REMOVED, (*place.old_path, at), (*place.path, at), before[at].raw, "")
                steps.append(((at, 0), change))
        for at, other in pairs:
            steps.append(((other, 1), _Place(before[at], after[other], (*place.old_path, at), (*place.path, other))))
        arrived = set(moved.values())
        for at in new:
            if at not in arrived:
                change = Difference(Change.ADDED, (*place.old_path, at), (*place.path, at), "", after[at].raw)
                steps.append(((at, 2), change))
        for at, other in moved.items():
            old_path, path = (*place.old_path, at), (*place.path, other)
            steps.append(((other, 2), Difference(Change.MOVED, old_path, path, before[at].raw, after[other].raw)))
        steps.sort(key=lambda step: step[0])
        yield from (step for _, step in steps)

    def _moved(self, place: _Place, gone: list[int], new: list[int]) -> dict[int, int]:
        """Elements that went from one place to another: old index to new index."""
        waiting: dict[int, list[int]] = {}
        for at in reversed(new):
            waiting.setdefault(self._ids.value_of(place.after.items[at]), []).append(at)
        moved = {}
        for at in gone:
            places = waiting.get(self._ids.value_of(place.before.items[at]))
            if places:
                moved[at] = places.pop()
        return moved


def _order(place: _Place, before: list[str], after: list[str]) -> Difference:
    spelled = [f"[{', '.join(map(jsontext.quote, names))}]" for names in (before, after)]
    return Difference(Change.ORDER, place.old_path, place.path, spelled[0], spelled[1])


def _renamed(place: _Place) -> Iterator[Difference]:
    """Names that are the same, written differently: with escapes, or without."""
    before, after = place.before, place.after
    if "\\" not in before.text and "\\" not in after.text:
        return
    spelled = dict(zip(turns(after), _spelled_names(after), strict=True))
    for key, mine in zip(turns(before), _spelled_names(before), strict=True):
        if key in spelled and spelled[key] != mine:
            yield Difference(
                Change.SPELLED, (*place.old_path, key[0]), (*place.path, key[0]), mine, spelled[key], key[1]
            )


def _spelled_names(node: Node) -> list[str]:
    return [node.text[start : jsontext.string_end(node.text, start)] for start in node.name_starts]


def _named(array: Node) -> list[str]:
    """What names each element, when all are objects with a name of their own; else nothing."""
    for member in _NAMES:
        found = [item.get(member) for item in array.items]
        names = [jsontext.unquote(node.raw) for node in found if node is not None and node.kind is Kind.STRING]
        if len(names) == len(found) and len(set(names)) == len(names):
            return names
    return []


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def _first(one: bytes, two: bytes) -> str:
    """Where two byte strings begin to differ, found in steps that halve."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return f"They differ from byte {low:,} on."
