"""Signing in from the window: one button where it is needed, each step to be seen, and nothing opened by itself."""

from __future__ import annotations

import asyncio
import urllib.request
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QPoint, QSize, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.vault import Vault
from mcp_inspector.session.status import State
from mcp_inspector.ui.models.signing import STEP
from mcp_inspector.ui.views.server_list import sign_in_button
from tests.peers.auth_server import AuthPeer, GuardedPeer, Knobs
from tests.ui.bench import Bench, opened, press, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.views.authorization import AuthorizationPage

pytestmark = pytest.mark.anyio


class Browser(QObject):
    """Stands for the system's browser: Qt hands http addresses to it, and it agrees to everything."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.visits: list[asyncio.Future[bytes]] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        """Open an address."""
        text = url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
        self.opened.append(text)
        self.visits.append(asyncio.get_running_loop().run_in_executor(None, visit, text))


def visit(url: str) -> bytes:
    """Follow an address to its end."""
    with urllib.request.urlopen(url, timeout=20) as page:
        return page.read()


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser()
    QDesktopServices.setUrlHandler("http", made, "open")
    yield made
    QDesktopServices.unsetUrlHandler("http")


@pytest.fixture
def guarded() -> Iterator[GuardedPeer]:
    auth = AuthPeer(Knobs(metadata={"scopes_supported": ["offline_access"]}, needed=("tools",)))
    peer = GuardedPeer(auth)
    yield peer
    peer.close()
    auth.close()


def entry(guarded: GuardedPeer) -> ServerEntry:
    """The guarded server."""
    return ServerEntry("notes", "http", url=guarded.url)


async def refused(bench: Bench) -> Server:
    """Connect, and be asked to sign in."""
    server = bench.server("notes")
    server.connect()
    await server.settled()
    bench.window.desk.choose("notes")
    await bench.still()
    assert server.status.state is State.NEEDS_SIGN_IN
    return server


def page_of(bench: Bench) -> AuthorizationPage:
    """The page, shown."""
    bench.window.area.show_page("authorization")
    return bench.window.area.authorization


def wire(page: AuthorizationPage) -> bytes:
    """What is shown of the wire."""
    return page.steps.wire.data()


async def test_the_button_of_the_dock_signs_in(guarded: GuardedPeer, browser: Browser) -> None:
    async with opened(entry(guarded), vault=Vault(keyring=False)) as bench:
        server = await refused(bench)
        assert browser.opened == []
        assert guarded.auth.seen == []
        view = bench.window.servers
        row = view.visualRect(bench.window.desk.servers.find("notes"))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=sign_in_button(row).center())
        await until(lambda: server.status.up, what="the server to be connected")
        await asyncio.gather(*browser.visits)
        await server.loaded()
        await bench.still()
        assert len(browser.opened) == 1
        page = page_of(bench)
        await bench.still()
        assert page.pill.text() == "signed in"
        assert "expires in" in page.sentence.text()
        model = page.steps.model
        titles = [model.index(at).data(STEP).title for at in range(model.rowCount())]
        assert titles[0] == "Challenge"
        assert titles[-1] == "Token"
        shown = page.steps.facts.text()
        assert "RFC 6749" in shown
        press(page.renew)
        await until(lambda: len(guarded.auth.provider.tokens) == 2, what="a new token")
        await until(lambda: not bench.window.desk.signing.running(server), what="the refresh to end")
        press(page.sign_out)
        await until(lambda: server.status.state is State.IDLE, what="to be signed out")
        assert all(each.revoked for each in guarded.auth.provider.tokens)
        await bench.still()


async def test_a_click_beside_the_button_only_chooses(guarded: GuardedPeer, browser: Browser) -> None:
    async with opened(entry(guarded), vault=Vault(keyring=False)) as bench:
        server = await refused(bench)
        view = bench.window.servers
        row = view.visualRect(bench.window.desk.servers.find("notes"))
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(row.left() + 30, row.center().y()))
        await bench.still()
        assert not bench.window.desk.signing.running(server)
        assert browser.opened == []


async def test_the_failure_card_has_the_button(guarded: GuardedPeer, browser: Browser) -> None:
    async with opened(entry(guarded), vault=Vault(keyring=False), size=QSize(800, 500)) as bench:
        server = await refused(bench)
        bench.window.area.show_page("tools")
        await bench.still()
        card = bench.window.area.card
        assert not card.buttons["connect"].isVisible()
        press(card.buttons["sign-in"])
        await until(lambda: server.status.up, what="the server to be connected")
        await asyncio.gather(*browser.visits)
        await server.loaded()
        await bench.still()


async def test_step_by_step_and_copied_instead_of_opened(guarded: GuardedPeer, browser: Browser) -> None:
    async with opened(entry(guarded), vault=Vault(keyring=False)) as bench:
        server = await refused(bench)
        page = page_of(bench)
        await bench.still()
        press(page.step)
        await until(lambda: page.next.isVisible(), what="the first step to be held")
        await bench.still()
        assert page.steps.title.text() == "Next"
        assert [each.path for each in guarded.seen if "well-known" in each.path] == []
        for _ in range(3):
            before = bench.window.desk.signing.gate(server).waiting
            press(page.next)
            await until(
                lambda before=before: (
                    (gate := bench.window.desk.signing.gate(server)) is None or gate.waiting not in (before, None)
                ),
                what="the next step",
            )
            await until(lambda: page.next.isVisible(), what="the button")
        assert len(guarded.auth.at("/register")) == 1
        assert guarded.auth.at("/token") == []
        press(page.stop)
        await until(lambda: not bench.window.desk.signing.running(server), what="the sign-in to end")
        await bench.still()
        assert browser.opened == []
        press(page.copy_address)
        await until(lambda: server.signing_in.authorizer.waiting is not None, what="the address")
        await bench.still()
        address = QGuiApplication.clipboard().text()
        assert address.startswith(f"{guarded.auth.issuer}/authorize?")
        assert browser.opened == []
        bench.window.area.show_page("tools")
        await bench.still()
        assert "waiting for you in the browser" in bench.window.area.strip.text()
        await asyncio.get_running_loop().run_in_executor(None, visit, address)
        await until(lambda: server.status.up, what="the server to be connected")
        await server.loaded()
        await bench.still()


async def test_secrets_are_masked_until_they_are_wanted(guarded: GuardedPeer, browser: Browser) -> None:
    async with opened(entry(guarded), vault=Vault(keyring=False)) as bench:
        server = await refused(bench)
        page = page_of(bench)
        await bench.still()
        press(page.sign_in)
        await until(lambda: server.status.up, what="the server to be connected")
        await asyncio.gather(*browser.visits)
        await server.loaded()
        await bench.still()
        token = guarded.auth.provider.tokens[-1].given["access_token"]
        page.steps.list.setCurrentIndex(page.steps.model.index(page.steps.model.rowCount() - 1))
        await bench.still()

        assert token.encode() not in wire(page)
        page.steps.reveal.setChecked(True)
        assert token.encode() in wire(page)
        page.tabs.setCurrentIndex(1)
        await bench.still()
        assert page.tokens._opaque.isVisible()
        assert not page.tokens.secret.isVisible()
        page.tokens.reveal.setChecked(True)
        assert token in page.tokens.secret.text()


async def test_options_are_saved_and_the_secret_is_not_in_the_file(guarded: GuardedPeer) -> None:
    vault = Vault(keyring=False)
    async with opened(vault=vault) as bench:
        assert bench.book.add(entry(guarded), connect=False) == ""
        bench.window.desk.choose("notes")
        page = page_of(bench)
        page.tabs.setCurrentIndex(2)
        await bench.still()
        form = page.options
        QTest.keyClicks(form._lines["client_id"], "me")
        QTest.keyClicks(form._lines["client_secret"], "s3cret-value")
        QTest.keyClicks(form._lines["scopes"], "read write")
        press(form.save)
        await until(lambda: not form.dirty, what="it to be saved")
        text = bench.servers_file.read_text("utf-8")
        assert '"clientId": "me"' in text
        assert "s3cret" not in text
        assert "${secret:notes-client-secret}" in text
        assert vault.get("notes-client-secret") == "s3cret-value"
        assert bench.server("notes").entry.auth.scopes == ("read", "write")


async def test_one_of_several_authorization_servers_is_picked(browser: Browser) -> None:
    """OAU: the metadata names a server that does not answer first; the person picks the other one, and signs in."""
    auth = AuthPeer(Knobs())
    gone = "http://127.0.0.1:9"
    auth.knobs.resource["authorization_servers"] = [gone, auth.issuer]
    guarded = GuardedPeer(auth)
    try:
        async with opened(entry(guarded), vault=Vault(keyring=False)) as bench:
            server = await refused(bench)
            page = page_of(bench)
            await bench.still()
            assert page.issuers.isHidden()  # nothing was looked at yet
            press(page.sign_in)
            await until(lambda: page.issuers.isVisible(), what="the choice")
            await until(lambda: not bench.window.desk.signing.running(server), what="the first try to end")
            await bench.still()
            assert browser.opened == []
            box = page.issuers.box
            assert [box.itemData(at) for at in range(box.count())] == ["", gone, auth.issuer]
            assert "The server names 2" in page.issuers.note.text()
            box.setCurrentIndex(2)
            box.activated.emit(2)
            await bench.still()
            assert server.entry.auth.issuer == auth.issuer
            assert page.issuers.isVisible()
            press(page.sign_in)
            await until(lambda: server.status.up, what="the server to be connected")
            await asyncio.gather(*browser.visits)
            await server.loaded()
            await bench.still()
            assert len(browser.opened) == 1
            assert server.signing_in.authorizer is not None
            assert server.signing_in.authorizer.token is not None
            assert server.signing_in.authorizer.token.issuer == auth.issuer
    finally:
        guarded.close()
        auth.close()
