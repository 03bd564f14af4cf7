"""An authorization server and a server behind it, both ready, and somebody who agrees to everything."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.auth.authorizer import Authorizer
from mcp_inspector.auth.keep import Keep
from mcp_inspector.auth.person import Asking
from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.vault import Vault
from tests.peers.auth_server import AuthPeer, GuardedPeer, Knobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.store.record import Entry


@dataclass
class Browser:
    """Follows redirects like a browser, and keeps what it opened and the page it ended on."""

    opened: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    visits: list[asyncio.Future[Any]] = field(default_factory=list)

    async def __call__(self, url: str) -> None:
        self.opened.append(url)
        self.visits.append(asyncio.get_running_loop().run_in_executor(None, self._visit, url))

    def _visit(self, url: str) -> None:
        try:
            with urllib.request.urlopen(url, timeout=20) as page:
                self.pages.append(page.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                self.pages.append(error.read().decode())

    async def settled(self) -> str:
        """Wait for the last page, and give it."""
        await asyncio.gather(*self.visits)
        return self.pages[-1]

    def asking(self, limit: float = 20) -> Asking:
        """How this person signs in."""
        return Asking(self, limit=limit)


@dataclass
class Journal:
    """Keeps entries."""

    entries: list[Entry] = field(default_factory=list)

    def append(self, entry: Entry) -> int:
        self.entries.append(entry)
        return len(self.entries)


@pytest.fixture
def knobs() -> Knobs:
    return Knobs()


@pytest.fixture
def auth(knobs: Knobs) -> Iterator[AuthPeer]:
    peer = AuthPeer(knobs)
    yield peer
    peer.close()


@pytest.fixture
def guarded(auth: AuthPeer) -> Iterator[GuardedPeer]:
    peer = GuardedPeer(auth)
    yield peer
    peer.close()


@pytest.fixture
def browser() -> Browser:
    return Browser()


@pytest.fixture
def vault() -> Vault:
    return Vault(keyring=False)


async def authorizer(url: str, vault: Vault, name: str = "s", **options: Any) -> Authorizer:
    """The authorizer of an entry."""
    made = Authorizer(name, Keep(vault))
    await made.follow(ServerEntry(name, "http", url=url, auth=AuthOptions(**options)))
    return made
