"""The Traffic dock over real servers: what crossed the wire is there, and what carried it."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.log import Log
from mcp_inspector.transport.stdio import Stdio
from mcp_inspector.transport.streamable_http import StreamableHttp
from mcp_inspector.ui.views.traffic import TrafficView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pytestqt.qtbot import QtBot

    from mcp_inspector.transport.base import Transport

pytest.importorskip("mcp", reason="the official SDK is not installed")
pytestmark = [pytest.mark.anyio, pytest.mark.peer]

SECRET = "ghp_0123456789abcdefghijklmnop"


def _dial(entry: ServerEntry, choice: str) -> Transport:
    if choice == "stdio":
        return Stdio([entry.command, *entry.args], env=entry.env)
    return StreamableHttp(entry.url, headers=entry.headers)


@pytest.fixture
def log():
    made = Log()
    yield made
    made.close()


@asynccontextmanager
async def watched(log: Log, qtbot: QtBot) -> AsyncIterator[tuple[Inspector, TrafficView]]:
    """An inspector and a dock on its log. It is closed before the test ends, because then the loop stands still."""
    inspector = Inspector(log, Ways(dial=_dial))
    view = TrafficView(log)
    qtbot.addWidget(view)
    view.resize(1200, 400)
    view.show()
    try:
        yield inspector, view
    finally:
        await inspector.close()


async def _call(inspector: Inspector, entry: ServerEntry) -> Complete:
    server = inspector.add(entry)
    server.connect()
    await server.settled()
    outcome = await server.call_tool("echo", {"text": "hello"})
    assert isinstance(outcome, Complete)
    return outcome


async def test_a_call_over_http_with_what_carried_it(log, qtbot, demo_http):
    async with watched(log, qtbot) as (inspector, view):
        headers = {"Authorization": f"Bearer {SECRET}"}
        outcome = await _call(inspector, ServerEntry("web", transport="http", url=demo_http, headers=headers))
        assert view.reveal(outcome.call)
        exchange = view.model.exchanges[view.table.current]
        assert (exchange.method, exchange.target, exchange.state.word) == ("tools/call", "echo", "ok")
        assert exchange.reply == outcome.reply
        view.detail.show_part("http")
        titles = [title.partition(" ")[0] for title, _ in view.detail._http._shown]
        assert [title for title in titles if title in ("Request", "Response")] == ["Request", "Response"]
        shown = {fact.name.lower(): fact.value for _, facts in view.detail._http._shown for fact in facts}
        assert shown["authorization"] == "Bearer •••"
        assert shown["status"] == "200"
        assert SECRET not in json.dumps(shown)


async def test_a_call_over_stdio_is_shown_as_it_was_sent(log, qtbot, demo_stdio_command):
    async with watched(log, qtbot) as (inspector, view):
        command, *args = demo_stdio_command
        outcome = await _call(inspector, ServerEntry("local", command=command, args=tuple(args)))
        assert view.reveal(outcome.reply)
        view.detail.show_part("raw")
        sent = view.detail.raw.text.data()
        assert json.loads(sent)["params"]["name"] == "echo"
        assert sent == view.model.log.body(outcome.call)
        words = {view.table.text(view.model.row(place)).method for place in range(len(view.model))}
        assert {"started", "connected", "tools/list", "tools/call"} <= words


async def test_a_server_that_ends_at_once_explains_itself(log, qtbot, rude):
    async with watched(log, qtbot) as (inspector, view):
        script = "import sys; print('hello'); sys.stderr.write('no API key\\n'); sys.exit(3)"
        made = rude()
        server = inspector.add(ServerEntry("broken", command=made.command, args=("-c", script), reconnect=1))
        server.connect()
        await server.settled()
        view.model.catch_up()
        rows = [view.table.text(view.model.row(place)) for place in range(len(view.model))]
        by_method = {row.method: row for row in rows}
        assert by_method["stderr"].note == "no API key"
        assert by_method["stray stdout"].note.startswith("hello")
        assert by_method["exited"].note.startswith("code 3")


async def test_how_the_time_of_a_call_over_http_was_spent(log, qtbot, demo_http):
    async with watched(log, qtbot) as (inspector, view):
        outcome = await _call(inspector, ServerEntry("web", transport="http", url=demo_http))
        assert view.reveal(outcome.call)
        view.detail.show_part("http")
        titles = [title.partition(" ")[0] for title, _ in view.detail._http._shown]
        assert titles[0] == "Timing"
        names = [fact.name for fact in view.detail._http._shown[0][1]]
        assert names == ["connect", "first byte", "last byte"]
        parts = view.model.exchanges.parts(view.table.current)
        assert {view.model.exchanges[part].kind.name for part in parts} == {"HTTP"}
