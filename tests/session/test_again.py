"""A recorded message is sent once more, to the same server or to another."""

from __future__ import annotations

import json

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.again import renumbered, send_again
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.exchanges import Exchanges, RowState
from mcp_inspector.store.log import Log
from tests.session.conftest import dial


def _entry(name, command, **more):
    return ServerEntry(name, command=command[0], args=tuple(command[1:]), **more)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'{"jsonrpc":"2.0", "id" : 7 ,"method":"x"}', b'{"jsonrpc":"2.0", "id" : "a-1" ,"method":"x"}'),
        (
            b'{"id":7,"params":{"n":1.0,"_meta":{"progressToken":7}},"method":"x"}',
            b'{"id":"a-1","params":{"n":1.0,"_meta":{"progressToken":"a-1"}},"method":"x"}',
        ),
        (b'{"params":{"_meta":{"progressToken":9}},"id":7}', b'{"params":{"_meta":{"progressToken":9}},"id":"a-1"}'),
        (b'{"id":1,"id":2}', b'{"id":1,"id":"a-1"}'),
        (b'{"method":"x"}', b'{"method":"x"}'),
        (b"not json", b"not json"),
        (b'{"id":1,"params":[1]}', b'{"id":"a-1","params":[1]}'),
    ],
)
def test_only_the_id_changes(before, after):
    assert renumbered(before, '"a-1"') == after


@pytest.mark.anyio
@pytest.mark.peer
async def test_a_call_goes_out_again_and_to_a_server_of_another_version(demo_stdio_command):
    pytest.importorskip("mcp")
    log = Log()
    entries = [
        _entry("old", demo_stdio_command, protocol="legacy"),
        _entry("new", demo_stdio_command, protocol="modern"),
    ]
    inspector = Inspector(log, Ways(dial), entries)
    try:
        inspector.start()
        old, new = inspector.servers
        for server in (old, new):
            await server.settled()
        first = await old.call_tool("echo", b'{"text": "\\u0041 1.0"}')
        raw = log.body(first.call)
        sent: list[int] = []
        for server in (old, new):
            again = await send_again(server, raw, sent.append)
            assert isinstance(again, Complete)
            assert not again.tool_error
        bodies = [json.loads(log.body(seq)) for seq in (first.call, *sent)]
        assert len({(body["id"], at == 2) for at, body in enumerate(bodies)}) == 3
        assert all(body["params"]["arguments"] == bodies[0]["params"]["arguments"] for body in bodies)
        assert b'"\\u0041 1.0"' in log.body(sent[1])
        prompt = await old.get_prompt("brainstorm", {})  # what goes out again as raw params has its target all the same
        await send_again(old, log.body(prompt.call), sent.append)
        assert [log.record(seq).entry.target for seq in sent] == ["echo", "echo", "brainstorm"]
        assert "io.modelcontextprotocol/protocolVersion" in bodies[2]["params"]["_meta"]
        assert "io.modelcontextprotocol/protocolVersion" not in bodies[1]["params"].get("_meta", {})
    finally:
        await inspector.close()
        log.close()


@pytest.mark.anyio
async def test_what_is_no_clean_request_goes_out_as_it_is(rude):
    log = Log()
    peer = rude()
    inspector = Inspector(log, Ways(dial), [ServerEntry("rude", command=peer.command, args=peer.args)])
    try:
        inspector.start()
        (server,) = inspector.servers
        await server.settled()
        raw = b'{"jsonrpc":"2.0","id":"twice","method":"ping","params":{"a":1,"a":2}}'
        assert await send_again(server, raw, lambda seq: None) is None
        rows = Exchanges(log)
        rows.update()
        found = [rows[row] for row in range(len(rows)) if log.body(rows[row].first) == raw]
        assert [row.state for row in found] in ([RowState.PENDING], [RowState.OK], [RowState.ERROR])
    finally:
        await inspector.close()
        log.close()
