"""A certificate that nobody trusts is shown, and accepted for one server; the form has the switch, and it is seen."""

from __future__ import annotations

import json
import ssl
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.session.status import State
from mcp_inspector.ui.models import overview
from mcp_inspector.ui.models.servers import subtitle
from tests.peers.certificates import Issued, issue
from tests.peers.small_http import Http
from tests.transport.test_tls import answer
from tests.ui.bench import Bench, opened, press, until, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def issued(tmp_path: Path) -> Issued:
    """A certificate by roots that nobody knows."""
    return issue(tmp_path, "nobody", issue(tmp_path, "roots"))


@pytest.fixture
def http(issued: Issued) -> Iterator[Http]:
    """A server with it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(issued.cert_file, issued.key_file)
    made = Http(answer, tls=context)
    yield made
    made.close()


def write_file(bench: Bench, http: Http, **more: Any) -> None:
    """A servers file with two servers at the same place."""
    held = {"type": "http", "url": f"{http.url}/mcp", "protocol": "2025-11-25", "reconnect": 0, **more}
    bench.servers_file.write_text(json.dumps({"mcpServers": {"one": held, "two": held}}))
    bench.book.poll()


def tls_of(bench: Bench, name: str) -> Any:
    """What stands in the file about TLS."""
    return json.loads(bench.servers_file.read_text())["mcpServers"][name].get("tls")


async def test_a_certificate_is_shown_and_accepted_for_one_server(http: Http, issued: Issued) -> None:
    async with opened() as bench:
        write_file(bench, http)
        server = await until(lambda: bench.inspector.find("one"))
        await bench.still()
        server.connect()
        await server.settled()
        assert server.status.state is State.FAILED
        bench.window.desk.choose("one")
        bench.window.area.show_page("overview")
        await bench.still()
        card = bench.window.area.overview.card
        press(card.buttons["certificate"])
        dialog = bench.window.findChild(object, "certificate-dialog")
        assert dialog is not None
        assert not dialog.accept_button.isEnabled()
        await until(dialog.accept_button.isEnabled, what="the certificate to be shown")
        shown = " ".join(f"{fact.name} {fact.value}" for fact in dialog.rows._facts)
        assert issued.fingerprint.upper()[:4] in shown
        assert "CN=nobody" in shown
        assert "CN=roots" in shown
        assert "ONE certificate" in dialog.warning.text()
        assert tls_of(bench, "one") is None  # looking changes nothing
        press(dialog.accept_button)
        await until(lambda: server.status.up, what="the server to be connected")
        assert tls_of(bench, "one") == {"pin": issued.fingerprint}
        assert tls_of(bench, "two") is None
        assert "pinned cert." in subtitle(server)
        facts = [fact for group in overview.groups(server) for fact in group.facts if fact.name == "TLS"]
        assert "ONLY the certificate" in facts[0].value
        other = bench.server("two")
        other.connect()
        await other.settled()
        assert other.status.state is State.FAILED
        notice = next(one for one in bench.window.desk.notices.open if one.key == "pin:one")
        notice.actions[0].run()  # Undo
        assert tls_of(bench, "one") is None
        await until(lambda: server.status.state is State.FAILED, what="the server to be refused again")


async def test_another_certificate_than_the_pinned_one_is_said_to_be_another(http: Http) -> None:
    async with opened() as bench:
        write_file(bench, http, tls={"pin": "ab" * 32})
        server = await until(lambda: bench.inspector.find("one"))
        await bench.still()
        server.connect()
        await server.settled()
        dialog = bench.window.server_actions.certificate(server)
        await until(dialog.accept_button.isEnabled, what="the certificate to be shown")
        assert dialog.warning.text().startswith("This is ANOTHER certificate")
        assert "not the pinned one" in dialog.why.text()
        dialog.reject()
        assert tls_of(bench, "one") == {"pin": "ab" * 32}


async def test_the_form_has_the_switch_off_by_default(http: Http, issued: Issued) -> None:
    async with opened() as bench:
        write_file(bench, http)
        await until(lambda: bench.inspector.find("one"))
        await bench.still()
        dialog = bench.window.server_actions.edit("one")
        assert dialog is not None
        await bench.still()
        pin = dialog.fields.pin
        assert pin.isVisible()
        assert not pin.switch.isChecked()
        assert pin.meaning.text().startswith("Off:")
        press(pin.switch)
        write(pin.line, issued.fingerprint)
        await bench.still()
        assert pin.meaning.text().startswith("On: only the certificate")
        press(pin.switch)
        await bench.still()
        assert dialog.fields.document.value(("tls",), None) is None
        press(pin.switch)  # it is not lost
        await bench.still()
        press(dialog.save_button)
        await bench.still()
        assert tls_of(bench, "one") == {"pin": issued.fingerprint}
