"""Signing in from the first 401 to the token and back, against a real authorization server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.record import Channel
from tests.auth.conftest import Browser, Journal

if TYPE_CHECKING:
    from mcp_inspector.config.vault import Vault
    from tests.peers.auth_server import AuthPeer, GuardedPeer, Knobs

pytestmark = pytest.mark.anyio


async def test_a_person_signs_in_and_calls_a_tool(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, vault: Vault
) -> None:
    journal = Journal()
    entry = ServerEntry("guarded", "http", url=guarded.url)
    inspector = Inspector(journal, Ways(Dialer(), vault=vault), [entry])
    server = inspector.servers[0]
    try:
        server.connect()
        assert (await server.settled()).state is State.NEEDS_SIGN_IN
        assert browser.opened == []
        assert auth.seen == []  # nothing is asked before somebody wants it
        await server.sign_in(browser.asking())
        assert (await server.settled()).state is State.CONNECTED
        outcome = await server.call_tool("greet", b"{}")
        assert isinstance(outcome, Complete)
        assert "Signed in" in await browser.settled()
        assert len(browser.opened) == 1
        assert len({*guarded.tokens}) == 1
        authorizer = server.signing_in.authorizer
        assert authorizer is not None
        token = authorizer.token
        assert token is not None
        assert token.resource == guarded.url
        assert auth.at("/token")[0].form["resource"] == guarded.url
        assert auth.at("/authorize")[0].query["resource"] == guarded.url
        steps = [step.title for step in authorizer.trail.steps]
        assert steps == [
            "Challenge",
            "Resource metadata",
            "Authorization server",
            "Authorization server metadata",
            "PKCE",
            "Scopes",
            "Registration",
            "Authorization",
            "Token",
        ]
        rows = [entry for entry in journal.entries if entry.channel is Channel.AUTH]
        assert [row.kind for row in rows] == [title.lower() for title in steps]
        secrets = [token.access, token.refresh, auth.at("/token")[0].form["code"]]
        for entry_ in journal.entries:
            told = entry_.data + repr(entry_.facts).encode()
            assert not any(secret.encode() in told for secret in secrets)
        assert await server.sign_out()
        assert server.status.state is State.IDLE
        assert all(token.revoked for token in auth.provider.tokens)
    finally:
        await inspector.close()


async def test_what_was_kept_is_used_in_the_next_run_and_refreshed(
    guarded: GuardedPeer, auth: AuthPeer, knobs: Knobs, browser: Browser, vault: Vault
) -> None:
    entry = ServerEntry("guarded", "http", url=guarded.url)
    first = Inspector(Journal(), Ways(Dialer(), vault=vault), [entry])
    server = first.servers[0]
    try:
        server.connect()
        await server.settled()
        await server.sign_in(browser.asking())
        assert (await server.settled()).up
    finally:
        await first.close()
    auth.provider.tokens[0].at -= 7200  # it has expired since, and nobody told us
    again = Inspector(Journal(), Ways(Dialer(), vault=vault), [entry])
    server = again.servers[0]
    try:
        server.connect()
        assert (await server.settled()).up
        assert [each.form["grant_type"] for each in auth.at("/token")] == ["authorization_code", "refresh_token"]
        assert auth.at("/token")[1].form["resource"] == guarded.url
        assert len(browser.opened) == 1
    finally:
        await again.close()
