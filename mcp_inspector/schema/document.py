"""The one document: JSON text that a form and an editor edit at the same time, with undo.

What is in the text is sent, and nothing else: a field that nobody touched is not there. The text may be invalid for a
while; then nothing can be sent, and the tree stays the one of the last valid text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcp_inspector.schema import textedit
from mcp_inspector.schema.textedit import Splice
from mcp_inspector.signals import Signal
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Sequence

UNDO_STEPS = 1000


class State(StrEnum):
    """How a value is there. Omitted, null and empty are three different things to a server."""

    OMITTED = "omitted"
    NULL = "null"
    EMPTY = "empty"  # "", [] or {}
    FILLED = "filled"


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to the text: `splice` is in offsets of the text before. `origin` is whoever did it, as given."""

    splice: Splice
    origin: object = None


@dataclass(slots=True)
class _Step:
    """One undo step: splices in order with the text each of them replaced."""

    merge: object
    done: list[tuple[Splice, str]] = field(default_factory=list)


class Document:
    """JSON text under edit.

    `changed` tells every change of the text to all views; a view that finds itself as `origin` has shown it already.
    """

    def __init__(self, text: str = "{}") -> None:
        self.changed: Signal[Change] = Signal()
        self._text = text
        self._good: str | None = None  # the last text that was JSON, and its tree once somebody asked for it
        self._root: Node | None = None
        self._error: JsonError | None = None
        self._fresh = False
        self._undo: list[_Step] = []
        self._redo: list[_Step] = []
        self._saved = text
        self._touched: set[Path] = set()

    # --- reading ---

    @property
    def text(self) -> str:
        """The text as the editor shows it, valid or not."""
        return self._text

    @property
    def valid(self) -> bool:
        """Whether the text is JSON now. Only then may it be sent and may the form write."""
        self._read()
        return self._error is None

    @property
    def error(self) -> JsonError | None:
        """Where and why the text is not JSON, None when it is."""
        self._read()
        return self._error

    @property
    def root(self) -> Node | None:
        """The tree of the last text that was JSON, None when there never was one. Stale while `valid` is False."""
        self._read()
        if self._root is None and self._good is not None:
            self._root = jsontext.parse(self._good)
        return self._root

    def adopt(self, text: str, root: Node) -> bool:
        """Take over the tree of a text that was read elsewhere; False when the text is another one by now."""
        if text != self._text:
            return False
        self._good, self._root, self._error, self._fresh = text, root, None, True
        return True

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        return bool(self._redo)

    @property
    def modified(self) -> bool:
        """Whether the text differs from the one it began with."""
        return self._text != self._saved

    def node(self, path: Path) -> Node | None:
        """The value at a path, None when it is omitted."""
        root = self.root
        return jsontext.find(root, path) if root is not None else None

    def raw(self, path: Path) -> str | None:
        """The JSON text at a path as spelled, None when it is omitted."""
        node = self.node(path)
        return node.raw if node is not None else None

    def value(self, path: Path, default: Any = None) -> Any:
        """The value at a path as Python (numbers int or Decimal), `default` when it is omitted."""
        node = self.node(path)
        return jsontext.value_of(node) if node is not None else default

    def state(self, path: Path) -> State:
        """Omitted, null, empty or filled."""
        node = self.node(path)
        if node is None:
            return State.OMITTED
        if node.kind is Kind.NULL:
            return State.NULL
        return State.EMPTY if node.is_empty else State.FILLED

    def duplicates(self) -> list[tuple[Path, int]]:
        """Members that occur twice: path and offset of the repeated name. They are kept and sent as they are."""
        root = self.root
        return jsontext.duplicates(root) if root is not None else []

    def wire_bytes(self) -> bytes:
        """The text as it is sent: one line, every token as spelled, in UTF-8.

        Raises:
            JsonError: when the text is not JSON now; an older value is never sent in its place.
        """
        if self.error is not None:
            raise self.error
        return jsontext.encode(jsontext.compact(self._text))

    # --- edits by the form ---

    def set(
        self, path: Path, json_text: str, order: Sequence[str] = (), *, origin: object = None, merge: object = None
    ) -> bool:
        """Put JSON text at a path, with the containers that lead to it; False when it stands there already.

        `order` are the names of the object's members in the order of the schema, for a new member to find its place.
        Edits that follow each other with the same `merge` (typing in one field) become one undo step.

        Raises:
            JsonError: when the document or `json_text` is not JSON.
            PlaceError: when the path leads through a scalar.
        """
        jsontext.parse(json_text)
        return self._edit(textedit.set_value(self._tree(), path, json_text, order), path, origin, merge)

    def set_string(
        self, path: Path, value: str, order: Sequence[str] = (), *, origin: object = None, merge: object = None
    ) -> bool:
        """Put a string; one that is the same already keeps its spelling."""
        node = self.node(path)
        if node is not None and node.kind is Kind.STRING and jsontext.unquote(node.raw) == value:
            return False
        return self.set(path, jsontext.quote(value), order, origin=origin, merge=merge)

    def remove(self, path: Path, *, origin: object = None, merge: object = None) -> bool:
        """Take a member or element away; False when there is none. Of a repeated member all are taken away."""
        removed = False
        while path and self.node(path) is not None:
            self._edit(textedit.remove(self._tree(), path), path, origin, merge if not removed else self)
            removed = True
            if isinstance(path[-1], int):
                self._shift(path[:-1], path[-1], -1)
                break
        return removed

    def insert(self, path: Path, index: int, json_text: str, *, origin: object = None) -> bool:
        """Put a new element before `index` into the array at `path`."""
        jsontext.parse(json_text)
        self._shift(path, index, +1)
        return self._edit(textedit.insert_item(self._tree(), path, index, json_text), (*path, index), origin, None)

    def move(self, path: Path, source: int, target: int, *, origin: object = None) -> bool:
        """Move an element of the array at `path` so that it stands at `target` afterwards."""
        return self._edit(textedit.move_item(self._tree(), path, source, target), path, origin, None)

    def rename(self, path: Path, name: str, *, origin: object = None, merge: object = None) -> bool:
        """Give a member another name, in its place."""
        return self._edit(textedit.rename(self._tree(), path, name), (*path[:-1], name), origin, merge)

    # --- edits by the editor ---

    def edit_text(self, start: int, end: int, new: str, *, origin: object = None, merge: object = None) -> bool:
        """Replace characters of the text; the outcome may be no JSON for a while."""
        return self._edit(Splice(start, end, new), None, origin, merge)

    def set_text(self, text: str, *, origin: object = None) -> bool:
        """Replace the whole text as one undo step, as narrow as the two texts allow (cursors stay where they can)."""
        return self._edit(_narrow(self._text, text), None, origin, None)

    def reset(self, text: str, *, origin: object = None) -> None:
        """Begin anew with another text: nothing to undo, nothing touched."""
        splice = Splice(0, len(self._text), text)
        self._text = self._saved = text
        self._fresh = False
        self._good = self._root = None
        self._undo.clear()
        self._redo.clear()
        self._touched.clear()
        self.changed.send(Change(splice, origin))

    def undo(self, *, origin: object = None) -> bool:
        """Take the last step back; False when there is none."""
        if not self._undo:
            return False
        step = self._undo.pop()
        if self._undo:
            self._undo[-1].merge = None
        self._redo.append(step)
        for splice, old in reversed(step.done):
            self._apply(Splice(splice.start, splice.start + len(splice.new), old), origin)
        return True

    def redo(self, *, origin: object = None) -> bool:
        """Do the step again that was taken back last; False when there is none."""
        if not self._redo:
            return False
        step = self._redo.pop()
        step.merge = None  # what is typed next is a step of its own
        self._undo.append(step)
        for splice, _ in step.done:
            self._apply(splice, origin)
        return True

    # --- what the person has been at ---

    def touch(self, path: Path) -> None:
        """Note that the person has been at a field (it lost the focus): from now on its problems may be shown."""
        self._touched.add(path)

    def touched(self, path: Path) -> bool:
        """Whether the person edited or left this field, or one inside it."""
        return path in self._touched or any(other[: len(path)] == path for other in self._touched)

    def _shift(self, array: Path, index: int, by: int) -> None:
        depth = len(array)
        moved: set[Path] = set()
        for path in self._touched:
            key = path[depth] if len(path) > depth and path[:depth] == array else None
            if isinstance(key, int) and key == index and by < 0:
                continue
            past = isinstance(key, int) and key >= index
            moved.add((*array, key + by, *path[depth + 1 :]) if past and isinstance(key, int) else path)
        self._touched = moved

    # --- inside ---

    def _tree(self) -> Node:
        if self.error is not None:
            raise self.error
        root = self.root
        if root is None:  # valid texts have a tree
            raise JsonError("The text is empty.", 0, 1, 1)
        return root

    def _read(self) -> None:
        if self._fresh:
            return
        self._fresh = True
        if jsontext.surely_json(self._text):
            self._good, self._root, self._error = self._text, None, None
            return
        try:
            self._root = jsontext.parse(self._text)
            self._good, self._error = self._text, None
        except JsonError as error:
            self._error = error

    def _edit(self, splice: Splice, path: Path | None, origin: object, merge: object) -> bool:
        if path is not None:
            self._touched.add(path)
        old = self._text[splice.start : splice.end]
        if old == splice.new:
            return False
        self._redo.clear()
        if not (self._undo and merge is not None and (merge == self._undo[-1].merge or merge is self)):
            self._undo.append(_Step(merge))
            del self._undo[:-UNDO_STEPS]
        self._undo[-1].done.append((splice, old))
        self._apply(splice, origin)
        return True

    def _apply(self, splice: Splice, origin: object) -> None:
        self._read()  # whether this text was the last valid one must be known before it is gone
        self._text = splice.apply(self._text)
        self._fresh = False
        self.changed.send(Change(splice, origin))


def _narrow(old: str, new: str) -> Splice:
    """The smallest single splice from one text to the other."""
    limit = min(len(old), len(new))
    head = _common(old, new, limit)
    tail = _common(old[::-1], new[::-1], limit - head) if head < limit else 0
    return Splice(head, len(old) - tail, new[head : len(new) - tail])


def _common(one: str, two: str, limit: int) -> int:
    """The length of the common beginning, up to `limit`, by halving."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
