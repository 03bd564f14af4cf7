"""One session against a peer in memory: what it keeps, what it tells the transport, what no server may break."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.session.eras import Legacy
from mcp_inspector.session.inbox import Ask, Inbox, Preset
from mcp_inspector.session.outcome import Complete, LocalError
from mcp_inspector.session.recorder import Recorder
from mcp_inspector.session.session import Session
from mcp_inspector.transport.base import FaultKind
from mcp_inspector.transport.memory import Memory

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from mcp_inspector.transport.base import Outgoing

pytestmark = pytest.mark.anyio


class Heard:
    """A peer that keeps what it heard, and answers by itself only when `answers` is set."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.answers = False
        self._news = asyncio.Event()

    def __call__(self, out: Outgoing, memory: Memory) -> None:
        self.messages.append(json.loads(out.raw))
        self._news.set()
        if self.answers and out.key is not None:
            memory.deliver(answer(out.key, {"content": []}))

    async def until(self, wanted: Callable[[Any], bool]) -> Any:
        async with asyncio.timeout(5):
            while True:
                for message in self.messages:
                    if wanted(message):
                        return message
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def talking(journal: Any, era: str = "legacy", **more: Any) -> AsyncIterator[tuple[Session, Memory, Heard]]:
    """A session that is through with its handshake, or before it when `era` is empty."""
    heard = Heard()
    memory = Memory(heard)
    session = Session("peer", memory, Recorder(journal, "peer", 1), **more)
    await memory.open(session)
    if era:
        session.codec = Legacy("2025-11-25")
    try:
        yield session, memory, heard
    finally:
        await session.close()


async def _only_seen(work: Awaitable[Any]) -> weakref.ref[Any]:
    return weakref.ref(await work)


def answer(ident: Any, result: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": ident, "result": result}).encode()


async def test_a_call_that_has_ended_keeps_no_result(journal: Any) -> None:
    """Calls are remembered for late answers by the ten thousand; a result may have 100 MB."""
    async with talking(journal) as (session, memory, heard):
        calls: list[Any] = []
        heard.answers = True
        kept = await _only_seen(session.request("tools/call", {"name": "big"}, on_call=calls.append))
        await asyncio.sleep(0)  # the loop holds what woke this step up
        gc.collect()
        assert kept() is None
        memory.deliver(answer(calls[0].ident, {"content": []}))
        assert journal.entries[-1].facts["verdict"] == "duplicate"


async def test_a_call_that_was_given_up_settles_its_exchange(journal: Any) -> None:
    """TMO-05: a stream that never ends is not held for ever; before the era is agreed nothing is told either."""
    async with talking(journal) as (session, memory, heard):
        outcome = await session.request("tools/call", {"name": "slow"}, timeout=0.01)
        assert isinstance(outcome, LocalError)
        told = await heard.until(lambda message: message["method"] == "notifications/cancelled")
        assert memory.settled_keys == [told["params"]["requestId"]]
    async with talking(journal, era="") as (session, memory, heard):
        outcome = await session.request("server/discover", {}, timeout=0.01)
        assert isinstance(outcome, LocalError)
        assert len(memory.abandoned_keys) == 1
        await asyncio.wait_for(session.notify("notifications/initialized"), 5)
        await heard.until(lambda message: message["method"] == "notifications/initialized")
        assert [message["method"] for message in heard.messages] == ["server/discover", "notifications/initialized"]


async def test_an_answer_settles_the_exchange_of_its_own_request(journal: Any) -> None:
    """An answer in another request's stream ends its own request, and leaves the other one open."""
    async with talking(journal) as (session, memory, heard):
        one = asyncio.create_task(session.request("tools/call", {"name": "one"}))
        two = asyncio.create_task(session.request("tools/call", {"name": "two"}))
        first = await heard.until(lambda message: message["params"]["name"] == "one")
        second = await heard.until(lambda message: message["params"]["name"] == "two")
        memory.deliver(answer(first["id"], {"content": []}), answers=second["id"])
        assert isinstance(await one, Complete)
        assert memory.settled_keys == [first["id"]]
        memory.deliver(answer(second["id"], {"content": []}))
        await two


async def test_a_giant_question_of_the_server_ends_no_call_of_ours(journal: Any) -> None:
    """S2C-07: id spaces are per direction, for messages of which only the beginning is there, too."""
    async with talking(journal) as (session, memory, heard):
        task = asyncio.create_task(session.request("tools/call", {"name": "x"}))
        ident = (await heard.until(lambda message: message["method"] == "tools/call"))["id"]
        head = f'{{"jsonrpc":"2.0","id":{ident},"method":"sampling/createMessage","params":{{"x":"aaaa'
        memory.deliver(head.encode(), skipped=1000)
        memory.deliver(b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"aaaa', skipped=1000)
        assert [call.ident for call in session.in_flight] == [ident]
        memory.deliver(f'{{"jsonrpc":"2.0","id":{ident},"result":{{"method":"aaaa'.encode(), skipped=1000)
        outcome = await task
        assert isinstance(outcome, LocalError)
        assert outcome.fault is not None
        assert outcome.fault.kind is FaultKind.TOO_LARGE


async def test_our_ids_keep_off_those_that_were_sent_raw(journal: Any) -> None:
    async with talking(journal) as (session, memory, heard):
        assert await session.send_raw(b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}') is None
        tasks = [asyncio.create_task(session.request("ping")) for _ in range(3)]
        await heard.until(lambda message: message["id"] == 4)
        assert [message["id"] for message in heard.messages] == [2, 1, 3, 4]
        assert len(session.in_flight) == 4
        for ident in (1, 3, 4):
            memory.deliver(answer(ident, {}))
        assert all(isinstance(outcome, Complete) for outcome in await asyncio.gather(*tasks))


async def test_a_timeout_tells_only_of_noise_that_came_meanwhile(journal: Any) -> None:
    async with talking(journal) as (session, memory, _):
        memory.deliver(b"Listening on port 3000")
        quiet = await session.request("tools/call", {"name": "x"}, timeout=0.01)
        task = asyncio.create_task(session.request("tools/call", {"name": "x"}, timeout=0.2))
        await asyncio.sleep(0)
        memory.deliver(b"oops")
        noisy = await task
        assert isinstance(quiet, LocalError)
        assert isinstance(noisy, LocalError)
        assert "no message" not in quiet.sentence
        assert "oops" in noisy.sentence


async def test_params_that_are_no_text_are_an_outcome(journal: Any) -> None:
    async with talking(journal) as (session, _, heard):
        outcome = await session.request("tools/call", {"name": "\ud800"})
        assert isinstance(outcome, LocalError)
        assert outcome.fault is not None
        assert outcome.fault.kind is FaultKind.USAGE
        assert heard.messages == []


async def test_a_mistake_of_ours_costs_one_message(journal: Any, caplog: Any) -> None:
    """Nothing that comes in may raise past the session, as it would stop the reading of all that follows."""
    async with talking(journal) as (session, memory, heard):

        def broken(progress: Any) -> None:
            raise RuntimeError("ours")

        task = asyncio.create_task(session.request("tools/call", {"name": "x"}, on_progress=broken))
        ident = (await heard.until(lambda message: message["method"] == "tools/call"))["id"]
        note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": ident, "progress": 1}}
        memory.deliver(json.dumps(note).encode())
        memory.deliver(answer(ident, {}))
        assert isinstance(await task, Complete)
        assert "ours" in journal.of("warning")[0].facts["sentence"]
    caplog.clear()


@pytest.mark.parametrize("mode", [[], {}, 5, True, "url"], ids=repr)
async def test_an_elicitation_of_any_mode_gets_an_answer(journal: Any, mode: Any) -> None:
    """LIFE-10: never silence."""
    async with talking(journal, inbox=Inbox()) as (session, memory, heard):
        session.declare({"elicitation": {"form": {}}})
        ask = {"jsonrpc": "2.0", "id": 9, "method": "elicitation/create", "params": {"mode": mode, "message": "?"}}
        memory.deliver(json.dumps(ask).encode())
        assert (await heard.until(lambda message: message.get("id") == 9))["error"]["code"] == -32602


async def test_two_questions_under_one_id_are_both_withdrawn_with_the_connection(journal: Any) -> None:
    inbox = Inbox()
    async with talking(journal, inbox=inbox) as (session, memory, heard):
        session.declare({"roots": {}})
        ask = b'{"jsonrpc":"2.0","id":1,"method":"roots/list"}'
        memory.deliver(ask)
        memory.deliver(ask)
        while len(inbox.waiting) < 2:
            await asyncio.sleep(0)
        inbox.waiting[0].answer(b'{"roots":[]}')
        await heard.until(lambda message: message.get("id") == 1)
        memory.deliver(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
        assert inbox.waiting == ()


@pytest.mark.parametrize(
    "part",
    [{"enum": 5}, {"enum": {}}, {"enum": "ab"}, {"oneOf": 5}, {"oneOf": [5, {}]}, {"type": []}, {"enum": []}],
    ids=repr,
)
async def test_a_preset_answers_whatever_the_schema_is(part: Any) -> None:
    """A question that a preset cannot answer would wait for ever where nobody looks."""
    inbox = Inbox()
    inbox.set_preset("*", "elicitation/create", Preset("accept"))
    schema = {"type": "object", "properties": {"a": part}, "required": ["a"]}
    params = json.dumps({"message": "?", "requestedSchema": schema}).encode()
    reply = await asyncio.wait_for(inbox.put(Ask("peer", "elicitation/create", params)), 5)
    assert reply is not None
    assert reply.result == b'{"action":"accept","content":{"a":""}}'
