"""What is kept of a server's sign-in goes with the server, and does not stay for another URL."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.vault import Vault
from mcp_inspector.ui.models import book as books
from tests.auth.conftest import Browser
from tests.peers.auth_server import AuthPeer, GuardedPeer, Knobs
from tests.ui.bench import Bench, opened, until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio


@pytest.fixture
def guarded() -> Iterator[GuardedPeer]:
    """A server that wants a sign-in, and its authorization server."""
    auth = AuthPeer(Knobs())
    peer = GuardedPeer(auth)
    yield peer
    peer.close()
    auth.close()


async def signed_in(bench: Bench, guarded: GuardedPeer, vault: Vault) -> None:
    """Add a server and sign in there."""
    from mcp_inspector.auth.person import Asking

    assert not bench.book.add(ServerEntry("notes", "http", url=guarded.url), connect=True)
    server = bench.server("notes")
    await server.settled()
    browser = Browser()
    await server.sign_in(Asking(browser))
    await asyncio.gather(*browser.visits)
    await until(lambda: server.status.up, what="the server to be connected")
    assert vault.get("sign-in:notes")


async def test_a_removed_server_loses_its_tokens_when_it_cannot_come_back(
    guarded: GuardedPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = Vault(keyring=False)
    async with opened(vault=vault) as bench:
        await signed_in(bench, guarded, vault)
        bench.book.remove("notes")
        notice = next(one for one in bench.window.desk.notices.open if one.key == "removed:notes")
        notice.actions[0].run()  # Undo: nobody has to sign in again
        server = bench.server("notes")
        server.connect()
        await server.settled()
        assert server.status.up
        assert vault.get("sign-in:notes")
        monkeypatch.setattr(books, "UNDO_MS", 1)
        bench.book.remove("notes")
        await until(lambda: not vault.get("sign-in:notes"), what="the tokens to be removed")
        assert not [one for one in bench.window.desk.notices.open if one.key == "removed:notes"]


async def test_tokens_of_a_removed_server_do_not_outlive_the_program(guarded: GuardedPeer) -> None:
    vault = Vault(keyring=False)
    async with opened(vault=vault) as bench:
        await signed_in(bench, guarded, vault)
        bench.book.remove("notes")
        assert vault.get("sign-in:notes")
    assert not vault.get("sign-in:notes")


async def test_another_url_removes_them_at_once(guarded: GuardedPeer) -> None:
    vault = Vault(keyring=False)
    async with opened(vault=vault) as bench:
        await signed_in(bench, guarded, vault)
        entry = bench.book.entry("notes")
        assert entry is not None
        assert not bench.book.update("notes", entry, replace(entry, name="new"), connect=False)
        await until(lambda: vault.get("sign-in:new"), what="another name to keep them")
        entry = bench.book.entry("new")
        assert entry is not None
        assert not bench.book.update("new", entry, replace(entry, url=f"{guarded.url}/other"), connect=False)
        await until(lambda: not vault.get("sign-in:new"), what="the tokens to be removed")
