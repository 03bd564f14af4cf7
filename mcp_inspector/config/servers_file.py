"""A file of servers: read with all its oddities, and edited so that only the edited part of it changes.

Every edit reads the file again under a lock, changes the text, and replaces the file at once, so that two windows, two
quick clicks or another program's edit are never lost. A file that cannot be read is never written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.config import jsonc, jsonc_edit, safe_write
from mcp_inspector.config.entry_edit import edited
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.entry_writer import GONE, changes, disable, members
from mcp_inspector.config.inputs import Input, read_inputs
from mcp_inspector.config.jsonc import JsoncError, NodeKind
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.shapes import ACCEPTED, Place, Shape, locate
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.entry_writer import Change
    from mcp_inspector.config.jsonc import Document, Node

SIZE_LIMIT = 16 * 2**20
"""Bytes. A file of servers has some kilobytes; one that is larger was opened by mistake."""

_TRIES = 5


@dataclass(frozen=True)
class Contents:
    """What a file held when it was read. `problems` are about the file as a whole, not about one entry.

    `readable` False means that nothing is known about its servers. `shape` says in words where they stand.
    """

    entries: tuple[ServerEntry, ...] = ()
    problems: tuple[str, ...] = ()
    readable: bool = True
    exists: bool = True
    shape: str = ""
    inputs: tuple[Input, ...] = ()

    def get(self, name: str) -> ServerEntry | None:
        """An entry by its name in the file."""
        return next((entry for entry in self.entries if entry.name == name), None)


class ServersFile:
    """One file of servers at a path. It holds no state but the path: each call looks at the file as it is now."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Contents:
        """Read the file. Never raises: what is wrong is said in `problems`."""
        return self.look()[1]

    def look(self) -> tuple[bytes | None, Contents]:
        """The bytes of the file (None: there are none) and what they say. Never raises."""
        try:
            raw = self._bytes()
        except OSError as error:
            return None, Contents(problems=(f"{self.path} cannot be read: {_reason(error)}.",), readable=False)
        return raw, self.understand(raw)

    def understand(self, raw: bytes | None) -> Contents:
        """What these bytes of the file say; None stands for a file that does not exist."""
        if raw is None:
            return Contents(exists=False, shape="nothing yet")
        try:
            document = _parse(raw)
        except JsoncError as error:
            problem = f"{self.path} cannot be read: {error}. Correct it in an editor; it is not overwritten meanwhile."
            return Contents(problems=(problem,), readable=False)
        plain = document.plain(spelled=True)
        shape = locate(plain)
        entries = tuple(read_entry(place.name, place.value, str(self.path)) for place in shape.places)
        problems = (*shape.problems, *_duplicates(document, shape))
        told = tuple(f"{self.path}: {problem}" for problem in problems)
        return Contents(entries, told, shape=shape.word, inputs=read_inputs(plain))

    def value(self, name: str) -> Any:
        """A server's entry as it stands in the file, plain and with numbers as `Spelled`; None when there is none."""
        try:
            places = locate(_parse(self._bytes() or b"").plain(spelled=True)).places
        except (OSError, JsoncError):
            return None
        return next((place.value for place in places if place.name == name), None)

    def add(self, entry: ServerEntry, value: Any = None) -> Contents:
        """Add a new server. The file and its folder are made if need be.

        `value` is the plain value to be written where the entry does not say all of it. Raises `EditRefused`.
        """

        def edit(document: Document, shape: Shape) -> str:
            if any(place.name == entry.name for place in shape.places):
                raise EditRefused(f'{self.path} already has a server "{visible(entry.name)}". Choose another name.')
            return self._added(document, shape, entry, value)

        return self._edit(edit)

    def update(
        self, name: str, before: ServerEntry, after: ServerEntry, values: tuple[Any, Any] | None = None
    ) -> Contents:
        """Write the fields in which `after` differs from `before`, also its name. Other members stay as they are now.

        `before` is the entry as it was shown when the change was begun; `values` are the plain values before and after
        where all members were under edit, known or not. Raises `EditRefused`.
        """

        def edit(document: Document, shape: Shape) -> str:
            place = self._place(shape, name)
            text = document.text
            if after.name != name:
                text = self._renamed(text, shape, place, after.name)
                place = self._place(locate(jsonc.parse(text).plain(spelled=True)), after.name)
            found = changes(place.value, before, after) if values is None else edited(*values)
            return _apply(text, place, found)

        return self._edit(edit)

    def rename(self, old: str, new: str) -> Contents:
        """Give a server another name, in its place. Raises `EditRefused`."""
        return self._edit(
            lambda document, shape: (
                document.text if old == new else self._renamed(document.text, shape, self._place(shape, old), new)
            )
        )

    def remove(self, name: str) -> Contents:
        """Take a server out of the file; gone already is as good. Raises `EditRefused`."""

        def edit(document: Document, shape: Shape) -> str:
            place = next((place for place in shape.places if place.name == name), None)
            if place is None:
                return document.text
            if not place.path:
                raise EditRefused(f"{self.path} is a single server. Delete the file to remove it.")
            return jsonc_edit.remove(document.text, place.path)

        return self._edit(edit)

    def set_disabled(self, name: str, disabled: bool) -> Contents:
        """Switch a server off or on, under the member that the entry already uses. Raises `EditRefused`."""

        def edit(document: Document, shape: Shape) -> str:
            place = self._place(shape, name)
            if not isinstance(place.value, dict):
                raise EditRefused(f'Server "{visible(name)}" in {self.path} is not an object. Correct it in an editor.')
            return _apply(document.text, place, disable(place.value, disabled))

        return self._edit(edit)

    def _bytes(self) -> bytes | None:
        try:
            with open(self.path, "rb") as file:
                raw = file.read(SIZE_LIMIT + 1)
        except FileNotFoundError:
            return None
        if len(raw) > SIZE_LIMIT:
            raise OSError(f"it is larger than {SIZE_LIMIT // 2**20} MiB")
        return raw

    def _edit(self, edit: Callable[[Document, Shape], str]) -> Contents:
        """Read, change and write under the lock; begin again if the file was changed in between by somebody else."""
        try:
            self.path.resolve().parent.mkdir(parents=True, exist_ok=True)
            with safe_write.lock(self.path):
                for _ in range(_TRIES):
                    done = self._try_edit(edit)
                    if done is not None:
                        return done
        except OSError as error:
            raise EditRefused(f"{self.path} was not changed: {_reason(error)}.") from error
        raise EditRefused(f"{self.path} was not changed: another program keeps writing it. Try again.")

    def _try_edit(self, edit: Callable[[Document, Shape], str]) -> Contents | None:
        raw = self._bytes()
        try:
            document = _parse(raw or b"")
        except JsoncError as error:
            raise EditRefused(
                f"{self.path} was not changed, because it cannot be read: {error}. Correct it in an editor."
            ) from error
        try:
            text = edit(document, locate(document.plain(spelled=True)))
        except LookupError as error:
            raise EditRefused(f"{self.path} was not changed: {error}.") from error
        data = text.encode()
        after = self.understand(data)
        if not after.readable:  # an edit must never make a file that cannot be read; this would be an error of ours
            raise EditRefused(f"{self.path} was not changed: {' '.join(after.problems)}")
        if data == (raw or b""):
            return after
        if self._bytes() != raw:
            return None
        safe_write.replace(self.path, data)
        return after

    def _place(self, shape: Shape, name: str) -> Place:
        place = next((place for place in shape.places if place.name == name), None)
        if place is None:
            raise EditRefused(f'{self.path} has no server "{visible(name)}" any more. Add it if it is still wanted.')
        return place

    def _added(self, document: Document, shape: Shape, entry: ServerEntry, value: Any) -> str:
        value = members(entry) if value is None else value
        if shape.container is None:
            where = next((place.path[:-1] for place in shape.places if place.path), None)
            if where is None or document.root is None:
                raise EditRefused(f"{self.path} is {shape.word}, to which none can be added. It should be {ACCEPTED}.")
            held = document.find(where)
            items = held.plain(spelled=True) if held else []
            return jsonc_edit.set_value(document.text, where, [*items, {"name": entry.name, **value}])
        text, path = document.text, shape.container
        if document.root is None:
            return jsonc_edit.set_value(text, (), {"mcpServers": {entry.name: value}})
        if path and _is_null(document.find(path)):
            return jsonc_edit.set_value(text, path, {entry.name: value})
        return jsonc_edit.set_value(text, (*path, entry.name), value)

    def _renamed(self, text: str, shape: Shape, place: Place, new: str) -> str:
        if not new:
            raise EditRefused("A server needs a name.")
        if any(other.name == new for other in shape.places):
            raise EditRefused(f'{self.path} already has a server "{visible(new)}". Choose another name.')
        if place.path and isinstance(place.path[-1], str):
            return jsonc_edit.rename(text, place.path, new)
        return jsonc_edit.set_value(text, (*place.path, "name"), new)


def _parse(raw: bytes) -> Document:
    return jsonc.parse(jsonc.decode(raw))


def _apply(text: str, place: Place, found: list[Change]) -> str:
    for path, value in found:
        whole = (*place.path, *path)
        if value is not GONE:
            text = jsonc_edit.set_value(text, whole, value)
        elif jsonc.parse(text).find(whole) is not None:
            text = jsonc_edit.remove(text, whole)
    return text


def _is_null(node: Node | None) -> bool:
    return node is None or (node.kind is NodeKind.LITERAL and node.scalar is None)


def _duplicates(document: Document, shape: Shape) -> list[str]:
    """A sentence for each name that stands twice among the servers: the last counts, in JSON and here."""
    node = document.find(shape.container) if shape.container is not None else None
    lines: dict[str, list[int]] = {}
    for child in node.children if node else ():
        if child.key is not None:
            lines.setdefault(child.key, []).append(document.line_of(child.start))
    return [
        f'Server "{visible(name)}" stands in lines {", ".join(map(str, found))}; the last counts. Rename the others.'
        for name, found in lines.items()
        if len(found) > 1
    ]


def _reason(error: OSError) -> str:
    return error.strerror.lower() if error.strerror else str(error)
