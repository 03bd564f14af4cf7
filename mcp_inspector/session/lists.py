"""The lists of one server over all its connections: read at connect, on request, and soon after they changed."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mcp_inspector.session.cache import Cache
from mcp_inspector.session.catalogue import CAPABILITY, METHODS, Catalogue, Freshness, What
from mcp_inspector.session.listing import read_list
from mcp_inspector.signals import Signal
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from mcp_inspector.session.session import Session
    from mcp_inspector.session.status import Identity

CHANGED_BY = {
    "notifications/tools/list_changed": (What.TOOLS,),
    "notifications/prompts/list_changed": (What.PROMPTS,),
    "notifications/resources/list_changed": (What.RESOURCES, What.TEMPLATES),
}
"""The lists that a notification says have changed."""

_DEBOUNCE_SECONDS = 0.2


@dataclass(eq=False)
class _Reading:
    """One reading of a list that is under way. `old`: the list has been said to have changed since it began."""

    task: asyncio.Task[None]
    insist: bool
    fresh: bool
    old: bool = False


class Lists:
    """Keeps a catalogue. `judged` tells, after a reading, what is wrong with the lists in words; empty for nothing.

    `read` tells that all lists of a connection were read for the first time, as they then stand in the catalogue.
    """

    def __init__(self, cache: Cache | None = None) -> None:
        self.catalogue = Catalogue()
        self.cache = Cache() if cache is None else cache
        self.judged: Signal[str] = Signal()
        self.read: Signal[()] = Signal()
        self._session: Session | None = None
        self._identity: Identity | None = None
        self._tasks = Tasks()
        self._loading: asyncio.Task[None] | None = None
        self._wanted: set[What] = set()
        self._fresh = True  # whether what is wanted in the background is to come from the server in any case
        self._first = False
        self._readings: dict[What, _Reading] = {}

    def attach(self, session: Session, identity: Identity) -> None:
        """Serve a new connection; nothing is read yet."""
        self._session, self._identity, self._first = session, identity, True

    async def detach(self) -> None:
        """The connection is over."""
        self._session = self._identity = None
        self._wanted.clear()
        self._readings.clear()
        await self._tasks.close()

    async def loaded(self) -> None:
        """Wait until the lists that are being read in the background have been read."""
        while self._loading is not None and not self._loading.done():
            await asyncio.wait([self._loading])

    async def refresh(self, *wanted: What, insist: bool = False, fresh: bool = True) -> None:
        """Read lists anew, all four by default. With `insist`, also those that the server does not declare.

        What cannot be read stays as it was, marked stale. Unless `fresh`, a list that the server let be used again is
        taken from the cache while it is fresh. Whoever wants a list that is being read already gets that reading.
        """
        lists = wanted or tuple(What)
        await asyncio.gather(*(self._join(what, insist, fresh) for what in lists))
        if self._session is None:
            return
        failed = [what for what in What if self.catalogue[what].freshness in (Freshness.FAILED, Freshness.STALE)]
        self.judged.send("; ".join(f"{what}: {self.catalogue[what].why}" for what in failed))

    def changed(self, *lists: What) -> None:
        """The server says that these are not what they were: nothing is taken from the cache or a reading under way."""
        self.cache.list_changed(*(METHODS[what][0] for what in lists))
        for what in lists:
            if what in self._readings:
                self._readings[what].old = True

    def reload(self, *lists: What, at_once: bool = False, fresh: bool = True) -> None:
        """Read lists soon, in the background; while a reading is under way, once more after it."""
        self._fresh = fresh or (self._fresh and bool(self._wanted))
        self._wanted.update(lists)
        if self._session is not None and (self._loading is None or self._loading.done()):
            self._loading = self._tasks.spawn(self._load(0 if at_once else _DEBOUNCE_SECONDS), "lists")

    async def _load(self, wait: float) -> None:
        while self._wanted:
            await asyncio.sleep(wait)
            lists, fresh = tuple(what for what in What if what in self._wanted), self._fresh
            self._wanted.clear()
            await self.refresh(*lists, fresh=fresh)
            if self._first and self._session is not None:
                self._first = False
                self.read.send()
            wait = _DEBOUNCE_SECONDS

    async def _join(self, what: What, insist: bool, fresh: bool) -> None:
        """Have a list read; a reading under way serves all who want it, unless it is too old or may leave it out."""
        session, identity = self._session, self._identity
        while session is not None and identity is not None and session is self._session:
            reading = self._readings.get(what)
            if reading is None:
                task = self._tasks.spawn(self._read(session, identity, what, insist, fresh), f"reading {what}")
                reading = self._readings[what] = _Reading(task, insist, fresh)
                task.add_done_callback(functools.partial(self._done, what, reading))
            serves = not reading.old and (reading.insist or not insist) and (reading.fresh or not fresh)
            await asyncio.wait([reading.task])  # never cancelled with one of those who wait
            if serves:
                return

    def _done(self, what: What, reading: _Reading, _: asyncio.Task[None]) -> None:
        if self._readings.get(what) is reading:
            del self._readings[what]

    async def _read(self, session: Session, identity: Identity, what: What, insist: bool, fresh: bool) -> None:
        before = self.catalogue[what]
        if not identity.has(CAPABILITY[what]) and not insist:
            why = f'The server does not declare the capability "{CAPABILITY[what]}".'
            self.catalogue.put(replace(before, items=(), freshness=Freshness.UNSUPPORTED, why=why))
            return
        if not before.items:
            self.catalogue.mark(what, Freshness.LOADING)
        listing = await read_list(session, what, self.cache, fresh=fresh)
        if listing.freshness is Freshness.FAILED and before.items:
            self.catalogue.put(replace(before, freshness=Freshness.STALE, why=listing.why))
        else:
            self.catalogue.put(listing)
