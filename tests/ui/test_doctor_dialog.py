"""The connection doctor in the window, and the way to a server in its dialog."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.status import State
from tests.ui.bench import opened, press, rude_entry, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.ui.views.doctor_dialog import DoctorDialog

pytestmark = pytest.mark.anyio


async def test_the_failure_card_leads_to_the_doctor() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    entry = ServerEntry("away", "http", url=f"http://127.0.0.1:{port}/mcp", reconnect=0)
    async with opened(entry, size=QSize(800, 500)) as bench:
        server = bench.server("away")
        server.connect()
        await server.settled()
        bench.window.desk.choose("away")
        bench.window.area.show_page("tools")
        await bench.still()
        card = bench.window.area.card
        assert card.widget().minimumSizeHint().width() <= card.viewport().width()
        press(card.buttons["doctor"])
        dialog = found(bench.window)
        await until(lambda: not dialog.running, what="the doctor to be done")
        await bench.still()
        assert dialog.pill.text() == "failed"
        assert dialog.rows.count() - 1 == 4
        press(dialog.copy)
        report = QGuiApplication.clipboard().text()
        assert "Nothing listens" in report
        assert report.startswith("# Connection doctor: away")
        dialog.close()
        await bench.still()


async def test_it_leaves_an_open_connection_alone(rude: Callable[..., Any]) -> None:
    peer = rude(tools=[{"name": "one", "inputSchema": {"type": "object"}}])
    async with opened(rude_entry(peer)) as bench:
        server = await bench.connect("rude")
        bench.window.server_actions.run("doctor", "rude")
        dialog = found(bench.window)
        await until(lambda: not dialog.running, what="the doctor to be done")
        await bench.still()
        assert dialog.pill.text() == "all is well"
        assert server.status.state is State.CONNECTED
        assert server.connection == 1
        names = {bench.log.record(seq).entry.server for seq in range(1, len(bench.log) + 1)}
        assert names == {"rude", "rude (doctor)"}
        dialog.close()
        await bench.still()


def found(window: Any) -> DoctorDialog:
    """The dialog that is open."""
    from mcp_inspector.ui.views.doctor_dialog import DoctorDialog

    dialog = window.findChild(DoctorDialog)
    assert dialog is not None
    return dialog
