"""The lists of one server over all its connections: read at connect, on request, and soon after they changed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_inspector.session.catalogue import CAPABILITY, Catalogue, Freshness, What
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


class Lists:
    """Keeps a catalogue. `judged` tells, after a reading, what is wrong with the lists in words; empty for nothing."""

    def __init__(self) -> None:
        self.catalogue = Catalogue()
        self.judged: Signal[str] = Signal()
        self._session: Session | None = None
        self._identity: Identity | None = None
        self._tasks = Tasks()
        self._loading: asyncio.Task[None] | None = None
        self._wanted: set[What] = set()

    def attach(self, session: Session, identity: Identity) -> None:
        """Serve a new connection; nothing is read yet."""
        self._session, self._identity = session, identity

    async def detach(self) -> None:
        """The connection is over."""
        self._session = self._identity = None
        self._wanted.clear()
        await self._tasks.close()

    async def loaded(self) -> None:
        """Wait until the lists that are being read in the background have been read."""
        while self._loading is not None and not self._loading.done():
            await asyncio.wait([self._loading])

    async def refresh(self, *wanted: What, insist: bool = False) -> None:
        """Read lists anew, all four by default. With `insist`, also those that the server does not declare.

        What cannot be read stays as it was, marked stale.
        """
        session, identity = self._session, self._identity
        if session is None or identity is None:
            return
        await asyncio.gather(*(self._read(session, identity, what, insist) for what in wanted or tuple(What)))
        failed = [what for what in What if self.catalogue[what].freshness in (Freshness.FAILED, Freshness.STALE)]
        self.judged.send("; ".join(f"{what}: {self.catalogue[what].why}" for what in failed))

    def reload(self, *lists: What, at_once: bool = False) -> None:
        """Read lists soon, in the background; while a reading is under way, once more after it."""
        self._wanted.update(lists)
        if self._session is not None and (self._loading is None or self._loading.done()):
            self._loading = self._tasks.spawn(self._load(0 if at_once else _DEBOUNCE_SECONDS), "lists")

    async def _load(self, wait: float) -> None:
        while self._wanted:
            await asyncio.sleep(wait)
            lists = tuple(what for what in What if what in self._wanted)
            self._wanted.clear()
            await self.refresh(*lists)
            wait = _DEBOUNCE_SECONDS

    async def _read(self, session: Session, identity: Identity, what: What, insist: bool) -> None:
        before = self.catalogue[what]
        if not identity.has(CAPABILITY[what]) and not insist:
            why = f'The server does not declare the capability "{CAPABILITY[what]}".'
            self.catalogue.put(replace(before, items=(), freshness=Freshness.UNSUPPORTED, why=why))
            return
        if not before.items:
            self.catalogue.mark(what, Freshness.LOADING)
        listing = await read_list(session, what)
        if listing.freshness is Freshness.FAILED and before.items:
            self.catalogue.put(replace(before, freshness=Freshness.STALE, why=listing.why))
        else:
            self.catalogue.put(listing)
