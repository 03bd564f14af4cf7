"""What servers listed at their connects, kept in files from one run of the program to the next."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.config import safe_write
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.remembered import Remembered, compare, remember
from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mcp_inspector.session.catalogue import Catalogue
    from mcp_inspector.session.remembered import Definitions
    from mcp_inspector.session.status import Identity
    from mcp_inspector.transport.tasks import Tasks

KEPT = 20
_IN_MEMORY = 50
LARGEST = 16 * 2**20
"""Bytes of a server's file; what is larger is not kept."""


class _Kept(msgspec.Struct):
    wall_ns: int
    version: str
    server: str
    declared: dict[str, Any]
    lists: dict[str, dict[str, list[int]]]


class _File(msgspec.Struct):
    name: str
    texts: list[str]
    connects: list[_Kept]


class KeptLists:
    """One file for each server, by its name, in a folder; without a folder nothing is kept.

    Connects that listed the same under the same capabilities stand once, as the latest of them. Nothing here raises:
    what cannot be read or written costs the memory of earlier runs.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lock = asyncio.Lock()

    async def load(self, server: str) -> list[Remembered]:
        """What is kept of a server, the oldest first; numbered down from 0, since they are of no connection now."""
        if self._folder is None:
            return []
        async with self._lock:
            return await asyncio.to_thread(_load, self._path(server), server)

    async def save(self, server: str, remembered: list[Remembered]) -> None:
        """Keep the last of these."""
        if self._folder is None:
            return
        async with self._lock:
            await asyncio.to_thread(_save, self._path(server), server, _different(remembered))

    def _path(self, server: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{hashlib.sha256(server.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"


class Connects:
    """What one server listed at its connects: `remembered`, the latest last. `changed` tells that there is more."""

    def __init__(self, name: str, kept: KeptLists, tasks: Tasks) -> None:
        self.name = name
        self.remembered: list[Remembered] = []
        self.changed: Signal[()] = Signal()
        self._kept, self._tasks = kept, tasks
        self._brought_in = False
        self._bringing = asyncio.Lock()
        self._keeping: asyncio.Task[None] | None = None

    def note(self, catalogue: Catalogue, connection: int, identity: Identity, declared: Mapping[str, Any]) -> None:
        """The lists of a connection have been read."""
        before = self.remembered[-1] if self.remembered else None
        self.remembered.append(remember(catalogue, connection, identity, declared, before))
        del self.remembered[:-_IN_MEMORY]
        self.changed.send()
        self._keeping = self._tasks.spawn(self._keep(), "keeping lists")

    async def kept(self) -> None:
        """Wait until what is remembered has been kept."""
        if self._keeping is not None:
            await asyncio.wait([self._keeping])

    async def bring_in(self) -> None:
        """Remember what earlier runs of the program kept, too; once, and by itself when lists have been read."""
        async with self._bringing:  # whoever saves waits: what is not brought in yet would be lost
            if self._brought_in:
                return
            earlier = await self._kept.load(self.name)
            self._brought_in = True
            if earlier:
                self.remembered[:0] = earlier
                self.changed.send()

    async def _keep(self) -> None:
        await self.bring_in()
        await self._kept.save(self.name, list(self.remembered))


def _different(remembered: list[Remembered]) -> list[Remembered]:
    found: list[Remembered] = []
    for one in remembered:
        if found and found[-1].declared == one.declared and not compare(found[-1], one):
            found.pop()
        found.append(one)
    return found[-KEPT:]


def _load(path: Path, server: str) -> list[Remembered]:
    try:
        if path.stat().st_size > LARGEST:
            return []
        file = msgspec.json.decode(path.read_bytes(), type=_File)
        texts = [text.encode("utf-8", "surrogatepass") for text in file.texts]
        found = [
            Remembered(
                0,
                one.wall_ns,
                one.version,
                one.server,
                one.declared,
                {
                    What(what): {key: tuple(texts[at] for at in places) for key, places in names.items()}
                    for what, names in one.lists.items()
                },
            )
            for one in file.connects
        ]
    except (OSError, msgspec.MsgspecError, ValueError, IndexError):
        return []
    if file.name != server:
        return []
    return [replace(one, connection=at + 1 - len(found)) for at, one in enumerate(found)]


def _save(path: Path, server: str, remembered: list[Remembered]) -> None:
    places: dict[bytes, int] = {}

    def numbered(names: Definitions) -> dict[str, list[int]]:
        return {key: [places.setdefault(text, len(places)) for text in texts] for key, texts in names.items()}

    connects = [
        _Kept(
            one.wall_ns,
            one.version,
            one.server,
            dict(one.declared),
            {str(what): numbered(names) for what, names in one.lists.items()},
        )
        for one in remembered
    ]
    try:
        texts = [text.decode() for text in places]
        data = msgspec.json.encode(_File(server, texts, connects))
        if len(data) <= LARGEST:
            path.parent.mkdir(parents=True, exist_ok=True)
            safe_write.replace(path, data)
    except (OSError, UnicodeError, msgspec.MsgspecError, TypeError):
        return
