"""What goes wrong between signing in and being signed in, end to end against real servers."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import tracemalloc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.auth import documents
from mcp_inspector.auth.steps import Request
from mcp_inspector.auth.web import Web
from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError
from mcp_inspector.session.status import State
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.limits import BODY_KEPT
from tests.auth.conftest import Browser, Journal, authorizer
from tests.peers.auth_server import AuthPeer, CodeGrant, GuardedPeer, Knobs
from tests.peers.raw_http import RawHttp
from tests.peers.small_http import Http

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from mcp_inspector.config.vault import Vault
    from mcp_inspector.session.server import Server

pytestmark = pytest.mark.anyio


@pytest.fixture
async def connect(vault: Vault) -> AsyncIterator[Callable[..., Any]]:
    """Make a server of an entry and connect it."""
    made: list[Inspector] = []

    async def connect(url: str, name: str = "s", **more: Any) -> Server:
        opener = more.pop("opener", None)
        entry = ServerEntry(name, "http", url=url, **more)
        inspector = Inspector(Journal(), Ways(Dialer(), vault=vault, opener=opener), [entry])
        made.append(inspector)
        server = inspector.servers[0]
        server.connect()
        await server.settled()
        return server

    yield connect
    for inspector in made:
        await inspector.close()


async def test_the_registered_port_is_used_again_or_another_one_is_registered(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, vault: Vault
) -> None:
    """OAU-10: what is sent is what was registered, in both requests."""
    for _ in range(2):
        await (await authorizer(guarded.url, vault)).sign_in(browser.asking())
    assert len(auth.at("/register")) == 1
    used = [each.query["redirect_uri"] for each in auth.at("/authorize")]
    assert used[0] == used[1] == auth.at("/token")[0].form["redirect_uri"]
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", int(used[0].split(":")[2].split("/")[0])))
        taken.listen()
        await (await authorizer(guarded.url, vault)).sign_in(browser.asking())
    assert len(auth.at("/register")) == 2
    assert auth.at("/authorize")[2].query["redirect_uri"] != used[0]
    await browser.settled()


@pytest.mark.parametrize(
    ("metadata", "callback", "words"),
    [
        ({}, {"iss": "https://evil.test"}, "of another issuer"),
        ({"authorization_response_iss_parameter_supported": True}, {}, "names itself"),
        ({}, {"code": None, "error": "access_denied", "error_description": "<b>no</b>"}, "access_denied: <b>no</b>"),
        ({}, {"code": None, "error": "x", "error_description": "send money", "iss": "https://evil.test"}, "of another"),
    ],
)
async def test_an_answer_that_is_refused_sends_no_code(
    guarded: GuardedPeer,
    auth: AuthPeer,
    knobs: Knobs,
    browser: Browser,
    vault: Vault,
    metadata: dict[str, Any],
    callback: dict[str, str | None],
    words: str,
) -> None:
    """OAU-11: with a wrong issuer not even its words are shown, and pages are escaped."""
    knobs.metadata, knobs.callback = metadata, callback
    person = await authorizer(guarded.url, vault)
    with pytest.raises(Fault, match=words) as caught:
        await person.sign_in(browser.asking())
    assert "send money" not in str(caught.value)
    assert auth.at("/token") == []
    page = await browser.settled()
    assert "Not signed in" in page
    assert "<b>" not in page


async def test_a_sign_in_that_is_ended_leaves_nothing_behind(guarded: GuardedPeer, vault: Vault) -> None:
    """OAU-11, SEC-01: a late answer finds nobody."""
    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def opener(url: str) -> None:
        opened.set_result(url)

    person = await authorizer(guarded.url, vault)
    signing = asyncio.ensure_future(person.sign_in(Browser().asking().__class__(opener)))
    await opened
    assert person.waiting is not None
    port = int(person.waiting.redirect_uri.split(":")[2].split("/")[0])
    signing.cancel()
    await asyncio.wait([signing])
    assert person.waiting is None
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_more_scopes_are_asked_for_once_with_those_before(
    guarded: GuardedPeer, auth: AuthPeer, knobs: Knobs, browser: Browser, connect: Callable[..., Any]
) -> None:
    """OAU-16: a person sees which scope is missing; the union is asked for, and no refresh is tried."""
    knobs.needed, knobs.tool_scopes = ("files:read",), ("files:write",)
    server = await connect(guarded.url)
    await server.sign_in(browser.asking())
    assert (await server.settled()).up
    outcome = await server.call_tool("greet", b"{}")
    assert isinstance(outcome, LocalError)
    person = server.signing_in.authorizer
    assert person.more_scopes == ("files:write",)
    assert len(browser.opened) == 1
    await server.sign_in(browser.asking())
    assert (await server.settled()).up
    assert auth.at("/authorize")[1].query["scope"] == "files:read files:write"
    assert isinstance(await server.call_tool("greet", b"{}"), Complete)
    assert [each.form["grant_type"] for each in auth.at("/token")] == ["authorization_code"] * 2
    await browser.settled()


async def test_a_plain_403_is_an_answer(
    guarded: GuardedPeer, auth: AuthPeer, knobs: Knobs, browser: Browser, connect: Callable[..., Any]
) -> None:
    """OAU-16: nobody is sent anywhere for it."""
    knobs.forbid = True
    server = await connect(guarded.url, opener=browser)
    assert server.status.state is State.FAILED
    assert server.status.fault.kind is FaultKind.FORBIDDEN
    assert auth.seen == []
    assert len(guarded.seen) == 1


async def test_credentials_stay_with_their_authorization_server(
    guarded: GuardedPeer, auth: AuthPeer, knobs: Knobs, browser: Browser, vault: Vault
) -> None:
    """OAU-19: another issuer means another registration; a client registered by hand is not taken there at all."""
    second = AuthPeer(Knobs())
    try:
        first = await (await authorizer(guarded.url, vault)).sign_in(browser.asking())
        knobs.resource = {"authorization_servers": [second.issuer]}
        other = await (await authorizer(guarded.url, vault)).sign_in(browser.asking())
        assert (first.issuer, other.issuer) == (auth.issuer, second.issuer)
        ours = auth.at("/authorize")[0].query["client_id"]
        assert second.at("/authorize")[0].query["client_id"] != ours
        assert len(second.at("/register")) == 1
        knobs.resource = {}
        by_hand = {"client_id": ours, "redirect_uri": auth.at("/authorize")[0].query["redirect_uri"]}
        await (await authorizer(guarded.url, vault, **by_hand)).sign_in(browser.asking())
        knobs.resource = {"authorization_servers": [second.issuer]}
        before = len(second.seen)
        with pytest.raises(Fault, match="its credentials are not sent there"):
            await (await authorizer(guarded.url, vault, **by_hand)).sign_in(browser.asking())
        assert [each.path for each in second.seen[before:]] == ["/.well-known/oauth-authorization-server"]
        await browser.settled()
    finally:
        second.close()


async def test_two_entries_with_one_url_are_two_accounts(guarded: GuardedPeer, browser: Browser, vault: Vault) -> None:
    """OAU-19; and a new name keeps the sign-in."""
    work = await authorizer(guarded.url, vault, "work")
    await work.sign_in(browser.asking())
    assert (await authorizer(guarded.url, vault, "home")).token is None
    await work.rename("office")
    assert (await authorizer(guarded.url, vault, "office")).token == work.token
    assert (await authorizer(guarded.url, vault, "work")).token is None
    await browser.settled()


@pytest.mark.parametrize("restart", [True, False])
async def test_another_url_never_sees_the_old_token(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, connect: Callable[..., Any], restart: bool
) -> None:
    """OAU-26: in the same run and in the next one."""
    server = await connect(guarded.url)
    await server.sign_in(browser.asking())
    assert (await server.settled()).up
    second = GuardedPeer(auth, Knobs())
    try:
        if restart:
            server = await connect(second.url)
        else:
            server.edit(replace(server.entry, url=second.url))
            await server.restart()
            await server.settled()
        assert server.status.state is State.NEEDS_SIGN_IN
        assert second.seen
        assert second.tokens == []
        path = replace(server.entry, url=guarded.url.replace("/mcp", "/other"))
        server.edit(path)
        await server.restart()
        await server.settled()
        others = [each for each in guarded.seen if each.path.startswith("/other")]
        assert others
        assert not any("authorization" in each.headers for each in others)
    finally:
        second.close()
    await browser.settled()


async def test_a_forgotten_registration_is_made_anew_once(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, vault: Vault
) -> None:
    """OAU-27: at the refresh it costs the registration and the tokens, and no loop begins."""
    person = await authorizer(guarded.url, vault)
    await person.sign_in(browser.asking())
    auth.provider.clients.clear()
    with pytest.raises(Fault):
        await person.refresh()
    assert person.token is None
    await (await authorizer(guarded.url, vault)).sign_in(browser.asking())
    assert len(auth.at("/register")) == 2
    assert len(auth.at("/authorize")) == 2
    await browser.settled()


async def test_a_server_that_refuses_a_fresh_token_is_not_asked_for_ever(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, connect: Callable[..., Any]
) -> None:
    save, auth.provider.save_token = auth.provider.save_token, lambda token, request: None
    server = await connect(guarded.url, opener=browser)
    assert server.status.state is State.NEEDS_SIGN_IN
    assert "just given out" in server.status.fault.sentence
    assert len(browser.opened) == 1
    auth.provider.save_token = save
    await browser.settled()


async def test_the_persons_own_header_wins(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, connect: Callable[..., Any]
) -> None:
    """A bearer token or a key of the entry is sent as it is, and nothing is started because of it."""
    server = await connect(guarded.url, headers={"Authorization": "Bearer mine"}, opener=browser)
    assert server.status.state is State.NEEDS_SIGN_IN
    assert {*guarded.tokens} == {"Bearer mine"}
    server = await connect(guarded.url, headers={"X-API-Key": "k"}, opener=browser)
    assert server.status.state is State.NEEDS_SIGN_IN
    assert guarded.seen[-1].headers["x-api-key"] == "k"
    assert auth.seen == []
    assert browser.opened == []


async def test_a_machine_signs_in_by_itself(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, vault: Vault, connect: Callable[..., Any]
) -> None:
    person = await authorizer(guarded.url, vault)
    await person.sign_in(browser.asking())
    ours = next(iter(auth.provider.clients.values()))
    ours.metadata["token_endpoint_auth_method"] = "client_secret_basic"
    options = AuthOptions(grant="client_credentials", client_id=ours.client_id, client_secret=ours.secret)
    server = await connect(guarded.url, "machine", auth=options)
    assert server.status.up
    assert auth.at("/token")[-1].form["grant_type"] == "client_credentials"
    assert ours.secret not in repr(auth.at("/token")[-1].form)
    await browser.settled()


async def test_no_metadata_at_a_server_that_answers_everything_with_200(
    guarded: GuardedPeer, knobs: Knobs, browser: Browser, vault: Vault
) -> None:
    """OAU-22."""
    for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"):
        knobs.documents[path] = (200, "application/json", b"{}")
    for name in ("oauth-authorization-server", "openid-configuration"):
        knobs.documents[f"/.well-known/{name}"] = (200, "text/html", b"<html></html>")
    person = await authorizer(guarded.url, vault)
    person.version = "2025-11-25"
    with pytest.raises(Fault, match="could not be found out"):
        await person.sign_in(browser.asking())
    assert browser.opened == []


async def test_an_answer_without_an_end_and_redirects_are_bounded(
    guarded: GuardedPeer, auth: AuthPeer, knobs: Knobs, browser: Browser, vault: Vault
) -> None:
    """OAU-15, SEC-08."""
    knobs.documents["/.well-known/oauth-authorization-server"] = (200, "application/json", b" " * 300_000 + b"{}")
    person = await authorizer(guarded.url, vault)
    with pytest.raises(Fault):
        await person.sign_in(browser.asking())
    assert any("larger than" in step.sentence for step in person.trail.steps)


async def test_it_can_be_stepped_through(guarded: GuardedPeer, browser: Browser, vault: Vault) -> None:
    """Each exchange waits until it is let through."""
    asked: list[str] = []

    async def gate(wanted: Any) -> None:
        asked.append(type(wanted).__name__ + " " + wanted.url.split("?")[0].rpartition("/")[2])

    person = await authorizer(guarded.url, vault)
    await person.sign_in(replace(browser.asking(), gate=gate))
    assert asked == [
        "Request mcp",
        "Request oauth-authorization-server",
        "Request register",
        "Browse authorize",
        "Request token",
    ]
    await browser.settled()


async def test_a_revoked_token_in_mid_session_is_said(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, connect: Callable[..., Any]
) -> None:
    """The connection stays; no browser is opened by itself."""
    server = await connect(guarded.url)
    await server.sign_in(browser.asking())
    assert (await server.settled()).up
    await server.loaded()
    for token in auth.provider.tokens:
        token.revoked = True
    assert isinstance(await server.call_tool("greet", b"{}"), LocalError)
    assert server.signing_in.wanted == "The server does not take our sign-in any more"
    assert len(browser.opened) == 1
    await server.sign_in(browser.asking())
    assert (await server.settled()).up
    assert isinstance(await server.call_tool("greet", b"{}"), Complete)
    assert server.signing_in.wanted == ""
    await browser.settled()


async def test_what_another_process_has_renewed_is_taken(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, vault: Vault
) -> None:
    """A refresh token is used up by its use: the window and the command line share what is kept."""
    one = await authorizer(guarded.url, vault)
    await one.sign_in(browser.asking())
    other = await authorizer(guarded.url, vault)
    renewed = await other.refresh()
    assert await one.refresh() == renewed
    assert [each.form["grant_type"] for each in auth.at("/token")] == ["authorization_code", "refresh_token"]
    await browser.settled()


async def test_a_token_near_its_end_is_refreshed_before_it_is_refused(
    guarded: GuardedPeer, auth: AuthPeer, knobs: Knobs, browser: Browser, connect: Callable[..., Any]
) -> None:
    """The server never sees the old one refused, and nobody is asked."""
    knobs.lifetime = 20
    server = await connect(guarded.url)
    await server.sign_in(browser.asking())
    assert (await server.settled()).up
    await server.loaded()
    knobs.lifetime = 3600
    asked = len(guarded.seen)
    assert isinstance(await server.call_tool("greet", b"{}"), Complete)
    assert auth.at("/token")[-1].form["grant_type"] == "refresh_token"
    newest = auth.provider.tokens[-1].given["access_token"]
    calls = [each for each in guarded.seen[asked:] if b"tools/call" in each.body]
    assert [each.headers["authorization"] for each in calls] == [f"Bearer {newest}"]
    assert len(browser.opened) == 1
    await browser.settled()


async def test_a_registration_forgotten_meanwhile_opens_no_second_page_by_itself(
    guarded: GuardedPeer, auth: AuthPeer, browser: Browser, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OAU-27: between the page and the token it costs the registration; one click opens one page."""
    save = CodeGrant.save_authorization_code

    def save_and_forget(self: CodeGrant, code: str, request: Any) -> None:
        save(self, code, request)
        auth.provider.clients.clear()

    monkeypatch.setattr(CodeGrant, "save_authorization_code", save_and_forget)
    person = await authorizer(guarded.url, vault)
    with pytest.raises(Fault, match="does not know our registration any more") as caught:
        await person.sign_in(browser.asking())
    assert "Sign in once more" in caught.value.hint
    assert len(browser.opened) == 1
    assert "has forgotten this program" in await browser.settled()
    assert person.trail.steps[-1].title == "Client"
    monkeypatch.setattr(CodeGrant, "save_authorization_code", save)
    await person.sign_in(browser.asking())  # the next click
    assert len(auth.at("/register")) == 2
    assert len(browser.opened) == 2
    await browser.settled()


def packed_bomb(nested: int) -> bytes:
    """A JSON document of 32 MiB of blanks, packed; nested, packed again."""
    packed = b" " * (32 << 20) + b"{}"
    for _ in range(nested):
        packed = gzip.compress(packed, 1)
    return packed


@pytest.mark.parametrize("coding", ["gzip", "gzip, gzip"])
async def test_metadata_that_unpacks_to_much_is_bounded(guarded: GuardedPeer, coding: str) -> None:
    """SEC-08: a small answer that unpacks to very much ends the reading at the limit, and memory stays flat."""
    body = packed_bomb(coding.count("gzip"))
    bomb = Http(lambda _: (200, body, {"Content-Type": "application/json", "Content-Encoding": coding}))
    web = Web(guarded.url)
    try:
        await web.send(Request("GET", f"{guarded.url}/first"))  # what is imported for a request is no part of it
        tracemalloc.start()
        answer = await web.send(Request("GET", f"{bomb.url}/.well-known/oauth-authorization-server"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        await web.close()
        bomb.close()
    assert len(answer.body) <= BODY_KEPT
    assert documents.server_metadata(answer.body) is None
    assert answer.problem or coding != "gzip"  # what is packed twice is not unpacked at all
    assert peak < 8 << 20


async def test_metadata_that_comes_too_slowly_is_given_up(
    guarded: GuardedPeer, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-08: a byte now and then does not keep a sign-in waiting for ever: the limit is for the whole answer."""
    monkeypatch.setattr("mcp_inspector.auth.web.LIMIT_S", 0.5)

    async def drip(_: Any, reply: Any) -> None:
        await reply.raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(OSError):
            while not reply.gone.is_set():
                await reply.raw(b"1\r\n \r\n")
                await asyncio.sleep(0.02)

    async with RawHttp(drip) as slow:
        web = Web(guarded.url)
        answer = await web.send(Request("GET", slow.url("/.well-known/oauth-authorization-server")))
        await web.close()
    assert "no answer within 0.5 s" in answer.problem
    assert answer.hint
