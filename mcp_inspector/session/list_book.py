"""What servers listed at their connects, kept over restarts: one small file a server, by how it is reached.

A file holds the last 30 connects that differ from the one before, at most 8 MiB, readable by its owner only. It is
JSON: ``format`` ``mcp-inspector-lists``, ``version`` 1, ``connects``, each with ``wall_ns``, ``version``, ``server``
and ``lists``, in which every definition is the text that came.
"""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.config import safe_write
from mcp_inspector.schema.definitions import ListChanges, Weight, compare_lists
from mcp_inspector.session.catalogue import What

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.remembered import Remembered

_KEPT = 30
_LARGEST = 8 << 20
_FILES = 500


@dataclass(frozen=True)
class Connect:
    """The lists of one connect: JSON texts by the name of the list. `server` is its name and version, if it says so."""

    wall_ns: int
    version: str = ""
    server: str = ""
    lists: Mapping[str, tuple[bytes, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, remembered: Remembered) -> Connect:
        """What a running server listed."""
        lists = {
            str(what): tuple(text for texts in definitions.values() for text in texts)
            for what, definitions in remembered.lists.items()
        }
        return cls(remembered.wall_ns, remembered.version, remembered.server, lists)

    @property
    def count(self) -> int:
        """How many things are listed."""
        return sum(map(len, self.lists.values()))


@dataclass(frozen=True)
class Changes:
    """What is different from one connect to another, list by list; lists without a difference are left out."""

    before: Connect
    after: Connect
    lists: tuple[ListChanges, ...]

    @property
    def count(self) -> int:
        """How many things came, went or changed."""
        return sum(each.count for each in self.lists)

    def of_weight(self, weight: Weight) -> int:
        """How many single changes have this weight."""
        return sum(change.weight is weight for each in self.lists for change in each.changes)

    @property
    def weight(self) -> Weight | None:
        """The worst of all changes, None when there are none."""
        return max((each.weight for each in self.lists if each.weight is not None), default=None)

    @property
    def sentence(self) -> str:
        """``3 tools and 1 prompt changed: 1 breaking, 2 dangerous, 4 minor``."""
        if not self.lists:
            return "Nothing that is listed has changed."
        parts = []
        for each in self.lists:
            word = each.what if each.count != 1 else each.what.removesuffix("s")
            parts.append(f"{each.count:,} {word}" if each.count else f"the order of the {each.what}")
        names = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
        weights = ((self.of_weight(weight), weight.word) for weight in reversed(Weight))
        return f"{names} changed: {', '.join(f'{count:,} {word}' for count, word in weights if count)}"


def changes(before: Connect, after: Connect) -> Changes:
    """Compare what was listed at two connects. A list that was asked for only once is not compared."""
    found = []
    for what in What:
        if what in before.lists and what in after.lists:
            each = compare_lists(what, before.lists[what], after.lists[what])
            if each.changes:
                found.append(each)
    return Changes(before, after, tuple(found))


def key_of(entry: ServerEntry) -> str:
    """What names a server by how it is reached, without its secrets: command, arguments and folder, or URL."""
    parts = [entry.command, *entry.args, entry.cwd] if not entry.remote else ["", entry.url]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


class ListBook:
    """The files of a folder. `problem` says why one could not be written or read; empty when all is well."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()  # a server may be read again while its last lists are still written
        self.problem = ""

    def connects(self, key: str) -> list[Connect]:
        """What is kept of a server, oldest first; empty for one that is not known. Never raises."""
        try:
            path = self._path(key)
            data = path.read_bytes() if path.stat().st_size <= 2 * _LARGEST else b""
            document = msgspec.json.decode(data, type=_File)
        except (OSError, msgspec.MsgspecError, RecursionError):
            return []
        if document.format != _FORMAT or document.version != 1:
            return []
        return [
            Connect(
                each.wall_ns,
                each.version,
                each.server,
                {what: tuple(map(bytes, raws)) for what, raws in each.lists.items() if what in set(What)},
            )
            for each in document.connects
        ]

    def keep(self, key: str, connect: Connect, *, instead: bool = False) -> Connect | None:
        """Add what a server lists now and give back what it listed at its connect before that, None for its first.

        `instead` is for the same connection, whose lists were read again: then it takes the place of the last.
        """
        with self._lock:
            return self._keep(key, connect, instead)

    def _keep(self, key: str, connect: Connect, instead: bool) -> Connect | None:
        known = self.connects(key)
        if instead and known:
            last = known.pop()
            if not known and last.lists == connect.lists:
                return None
        before = known[-1] if known else None
        if before is not None and before.lists == connect.lists:
            return before  # the same again: nothing to add
        known.append(connect)
        self._write(key, known[-_KEPT:])
        return before

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _write(self, key: str, connects: list[Connect]) -> None:
        data = _encoded(connects)
        while len(data) > _LARGEST and len(connects) > 1:
            connects = connects[1:]
            data = _encoded(connects)
        try:
            if len(data) > _LARGEST:
                self._path(key).unlink(missing_ok=True)
                return
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            safe_write.replace(self._path(key), data)
            self._prune()
            self.problem = ""
        except OSError as error:
            self.problem = f"What servers list cannot be kept in {self._folder}: {error.strerror or error}."

    def _prune(self) -> None:
        found = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in found[:-_FILES]:
            path.unlink(missing_ok=True)


_FORMAT = "mcp-inspector-lists"


class _Connect(msgspec.Struct):
    wall_ns: int = 0
    version: str = ""
    server: str = ""
    lists: dict[str, list[msgspec.Raw]] = {}


class _File(msgspec.Struct):
    format: str = ""
    version: int = 0
    connects: list[_Connect] = []


def _encoded(connects: list[Connect]) -> bytes:
    document: dict[str, Any] = {
        "format": _FORMAT,
        "version": 1,
        "connects": [
            {
                "wall_ns": each.wall_ns,
                "version": each.version,
                "server": each.server,
                "lists": {what: [msgspec.Raw(text) for text in texts] for what, texts in each.lists.items()},
            }
            for each in connects
        ],
    }
    return msgspec.json.encode(document)
