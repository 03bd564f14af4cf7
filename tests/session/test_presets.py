"""Who answers a question: a server's own preset, its roots, the preset of all servers, or a person."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from mcp_inspector.config.entry import Root, ServerEntry
from mcp_inspector.session.asking import Asking, roots_result
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, Ask, AskState, Inbox, Preset
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import RpcError
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.tasks import Tasks
from mcp_inspector.wire import frame

pytestmark = pytest.mark.anyio


def ask(method: str, params: dict[str, Any] | None = None) -> Ask:
    return Ask("s", method, json.dumps(params or {}).encode())


async def test_the_nearest_preset_answers() -> None:
    inbox = Inbox()
    inbox.set_preset("*", ELICITATION, Preset("decline"))
    reply = await inbox.put(ask(ELICITATION))
    assert reply is not None
    assert reply.result == b'{"action":"decline"}'
    inbox.set_preset("s", ELICITATION, Preset("cancel"))
    reply = await inbox.put(ask(ELICITATION))
    assert reply is not None
    assert reply.result == b'{"action":"cancel"}'
    inbox.set_preset("s", ELICITATION, Preset("ask"))
    waits = asyncio.get_running_loop().create_task(inbox.put(ask(ELICITATION)))
    await asyncio.sleep(0)
    assert len(inbox.waiting) == 1
    inbox.waiting[0].answer(b"7")
    assert (await waits).result == b"7"  # type: ignore[union-attr]  # it was answered


async def test_roots_answer_unless_a_preset_says_otherwise() -> None:
    inbox = Inbox()
    inbox.set_roots("s", roots_result((Root("file:///a", "A"), Root("file:///b"))))
    one = ask(ROOTS)
    reply = await inbox.put(one)
    assert reply is not None
    assert json.loads(reply.result or b"") == {"roots": [{"uri": "file:///a", "name": "A"}, {"uri": "file:///b"}]}
    assert one.preset == "roots"
    inbox.set_preset("s", ROOTS, Preset("result", b'{"roots":[]}'))
    reply = await inbox.put(ask(ROOTS))
    assert reply is not None
    assert reply.result == b'{"roots":[]}'
    inbox.set_preset("s", ROOTS, Preset("ask"))
    assert inbox.preset("s", ROOTS) is None
    inbox.set_roots("s", None)
    inbox.set_preset("*", ROOTS, Preset("roots"))
    assert inbox.preset("s", ROOTS) == Preset("ask") or inbox.preset("s", ROOTS) is None
    inbox.set_preset("s", ROOTS, None)
    assert inbox.preset("s", ROOTS) == Preset("roots", b'{"roots":[]}')


async def test_a_person_may_be_sooner_than_a_preset_that_waits() -> None:
    inbox = Inbox()
    inbox.set_preset("s", SAMPLING, Preset("result", b"1", delay=30))
    one = ask(SAMPLING)
    waits = asyncio.get_running_loop().create_task(inbox.put(one))
    await asyncio.sleep(0)
    assert (one.state, one.preset) == (AskState.WAITING, "result")
    one.answer(b"2")
    reply = await asyncio.wait_for(waits, 5)
    assert reply is not None
    assert reply.result == b"2"
    assert one.preset == ""


async def test_a_preset_refuses_and_accepts_with_values() -> None:
    inbox = Inbox()
    inbox.set_preset("s", SAMPLING, Preset("refuse"))
    reply = await inbox.put(ask(SAMPLING))
    assert reply is not None
    assert (reply.result, reply.code) == (None, -1)
    inbox.set_preset("s", ELICITATION, Preset("accept", b'{"n":1.50}'))
    reply = await inbox.put(ask(ELICITATION, {"requestedSchema": {"type": "object", "properties": {}}}))
    assert reply is not None
    assert reply.result == b'{"action":"accept","content":{"n":1.50}}'
    reply = await inbox.put(ask(ELICITATION, {"mode": "url", "url": "https://x/"}))
    assert reply is not None
    assert reply.result == b'{"action":"accept"}'


async def test_an_error_names_pages_to_visit_and_the_server_says_when_one_is_done() -> None:
    """2025-11-25: error -32042 and notifications/elicitation/complete."""
    inbox, tasks = Inbox(), Tasks()
    asking = Asking("s", inbox, tasks)
    data = {"elicitations": [{"mode": "url", "message": "Sign in", "elicitationId": "e1", "url": "https://x/"}]}
    error = json.dumps({"code": -32042, "message": "url", "data": data}).encode()
    asking.ended(RpcError("tools/call", 3, 4, code=-32042, message="url", error=error))
    await asyncio.sleep(0)
    (one,) = inbox.waiting
    assert (one.way, one.call, one.record) == ("consent", 3, 4)
    assert one.value["url"] == "https://x/"
    one.answer(b'{"action":"accept"}')
    done = b'{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"%s"}}'
    asking.heard(frame.read(done % b"unknown"))
    assert not one.completed
    asking.heard(frame.read(done % b"e1"))
    assert one.completed
    for broken in (b"{}", b'{"code":-32042,"data":3}', b"nothing"):
        asking.ended(RpcError("tools/call", 3, 4, code=-32042, error=broken))
    assert len(inbox.asks) == 1
    await tasks.close()


async def test_edited_roots_answer_at_once_and_a_legacy_server_is_told(demo_stdio_command: Any, journal: Any) -> None:
    entry = ServerEntry("demo", command=demo_stdio_command[0], args=demo_stdio_command[1:], protocol="legacy")
    inspector = Inspector(journal, Ways(Dialer()), [entry])
    server = inspector.servers[0]
    try:
        server.connect()
        assert (await server.settled()).up
        await server.loaded()
        inspector.apply([replace(entry, roots=(Root("file:///home", "home"),))])
        outcome = await server.call_tool("list_roots", b"{}")
        assert b"file:///home" in outcome.result  # type: ignore[union-attr]  # it is complete
        assert journal.of("notification", "notifications/roots/list_changed")
        assert not server.needs_restart
    finally:
        await inspector.close()
