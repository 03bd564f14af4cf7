"""The agent loop against a local endpoint of both providers, with the real demo server: calls, limits, faults."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.agent.chat import Api, ChatEndpoint
from mcp_inspector.agent.dispatch.approving import Approver
from mcp_inspector.agent.loop import Conversation, End, Happening, Step, offer
from mcp_inspector.agent.names import Scheme
from mcp_inspector.agent.retrieval.retriever import Method, Retriever, Wishes
from mcp_inspector.agent.tools import Toolbox, collect
from mcp_inspector.checks.judge import Judge
from mcp_inspector.config.policy import Rule
from mcp_inspector.session.approval import Gate
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction
from tests.agent.conftest import Journal, connected
from tests.peers.fake_model import FakeModel, fake_model

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp_inspector.session.inspector import Inspector

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

DEMO = (sys.executable, "-m", "mcp_inspector.demo")
KEY = "sk-very-secret-1234"
BOTH = pytest.mark.parametrize("api", list(Api))


class Bench:
    """One server, one model, and what happened."""

    def __init__(self, inspector: Inspector, model: FakeModel) -> None:
        self.inspector, self.model = inspector, model
        self.steps: list[Step] = []
        self.journal: Any = Journal()
        self.box: Toolbox = collect(inspector.servers)

    def conversation(self, api: Api, **more: Any) -> Conversation:
        endpoint = ChatEndpoint(self.model.url, "tiny", api, timeout=20)
        find = self.inspector.find
        return Conversation(endpoint, self.journal, find, key=KEY, **{"on_step": self.steps.append, **more})

    async def say(self, conversation: Conversation, text: str, wishes: Wishes = Wishes(Method.OFF)) -> End:
        retriever = Retriever()
        retriever.update(self.box.tools, {server.name for server in self.inspector.servers})
        found = await offer(self.box, conversation.endpoint, text, retriever, wishes)
        return await conversation.say(text, self.box, found)

    def told(self, happening: Happening) -> list[Step]:
        return [step for step in self.steps if step.happening is happening]


@asynccontextmanager
async def bench() -> AsyncIterator[Bench]:
    async with connected(demo=DEMO) as inspector, fake_model() as model:
        yield Bench(inspector, model)


def said(api: Api, text: str, *calls: tuple[str, str, Any]) -> dict[str, Any]:
    """An answer of a model: text and calls (id, name, arguments)."""
    if api is Api.ANTHROPIC:
        blocks = [{"type": "text", "text": text}] if text else []
        blocks += [{"type": "tool_use", "id": id, "name": name, "input": given} for id, name, given in calls]
        return {"type": "message", "content": blocks, "stop_reason": "tool_use" if calls else "end_turn"}
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [
            {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for id, name, given in calls
        ]
    return {"choices": [{"message": message, "finish_reason": "tool_calls" if calls else "stop"}]}


def results(api: Api, body: dict[str, Any]) -> list[tuple[str, Any]]:
    """What the last message of a request gives back: id and content."""
    if api is Api.ANTHROPIC:
        return [(block["tool_use_id"], block["content"][0]["text"]) for block in body["messages"][-1]["content"]]
    return [(each["tool_call_id"], each["content"]) for each in body["messages"] if each["role"] == "tool"]


@BOTH
async def test_tools_are_called_together_and_their_results_lead_to_the_answer(api: Api) -> None:
    calls = (("c1", "mcp__demo__add", {"a": 2, "b": 3}), ("c2", "mcp__demo__echo", {"text": "hi"}))

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        return said(api, "Let me see.", *calls) if len(body["messages"]) < 3 else said(api, "It is 5.")

    async with bench() as b:
        b.model.answer = answer
        conversation = b.conversation(api, system="Be short.")
        assert await b.say(conversation, "What is 2 and 3?") is End.DONE
        first, second = b.model.bodies
        names = [tool.get("name") or tool["function"]["name"] for tool in first["tools"]]
        assert {"mcp__demo__add", "mcp__demo__echo"} <= set(names)
        system = first["system"] if api is Api.ANTHROPIC else first["messages"][0]["content"]
        assert system == "Be short."
        (one, five), (two, hi) = results(api, second)
        assert (one, two, hi) == ("c1", "c2", "hi")
        assert "5" in five
        assert [step.text for step in b.told(Happening.SAID)] == ["Let me see.", "It is 5."]
        calling = b.told(Happening.CALLING)
        assert {step.call.name for step in calling if step.call} == {"mcp__demo__add", "mcp__demo__echo"}
        assert all(step.seq for step in calling), "each call is a record"
        assert [step.round for step in b.told(Happening.SAID)] == [1, 2]

        assert await b.say(conversation, "Thank you.") is End.DONE
        kept = [each["role"] for each in b.model.bodies[-1]["messages"] if each["role"] != "system"]
        assert kept[0] == kept[-1] == "user"
        assert kept.count("assistant") == 2


@BOTH
async def test_the_model_and_its_answers_are_in_traffic_without_the_key(api: Api) -> None:
    async with bench() as b:
        b.model.answer = said(api, f"Your key is {KEY}.")
        await b.say(b.conversation(api), "Hello")
        head = b.model.heads[0]
        assert (f"x-api-key: {KEY}" if api is Api.ANTHROPIC else f"Authorization: Bearer {KEY}") in head
        web = [entry for entry in b.journal.entries if entry.channel is Channel.HTTP]
        assert [(entry.direction, entry.kind) for entry in web] == [
            (Direction.SENT, "request"),
            (Direction.RECEIVED, "response"),
        ]
        assert json.loads(web[0].data) == b.model.bodies[0], "what was sent, byte for byte"
        assert web[1].status == 200
        assert {entry.server for entry in web} == {"model tiny"}
        assert "•••" in web[1].data.decode()
        for entry in b.journal.entries:
            assert KEY not in f"{entry.data.decode()}{entry.facts}"
        offered = [entry for entry in b.journal.entries if entry.kind == "offered"]
        assert "Retrieval is off" in offered[0].facts["sentence"]


async def test_what_is_said_to_a_model_is_not_judged_as_mcp() -> None:
    async with bench() as b:
        log = Log()
        b.journal = log
        b.model.answer = said(Api.OPENAI, "Hi.")
        await b.say(b.conversation(Api.OPENAI), "Hello")
        b.model.status = "500 Broken"
        assert await b.say(b.conversation(Api.OPENAI), "Hello") is End.FAILED
        judge = Judge(log)
        while judge.update():
            pass
        assert len(log) > 4
        assert [group.rule.id for group in judge.groups()] == []


async def test_only_the_tools_that_fit_are_offered_and_others_are_refused() -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        call = ("c1", "mcp__demo__add", {"a": 1, "b": 1})
        return said(Api.OPENAI, "", call) if len(body["messages"]) < 2 else said(Api.OPENAI, "ok")

    async with bench() as b:
        b.model.answer = answer
        conversation = b.conversation(Api.OPENAI)
        await b.say(conversation, "weather forecast", Wishes(Method.WORDS, top=2, threshold=0.05))
        names = [tool["function"]["name"] for tool in b.model.bodies[0]["tools"]]
        assert names[0] == "mcp__demo__get_weather"
        assert len(names) <= 2
        (step,) = b.told(Happening.OFFERED)
        assert step.offer is not None
        assert "by bm25" in step.offer.why
        assert "not offered" in results(Api.OPENAI, b.model.bodies[1])[0][1]


async def test_names_that_the_provider_refuses_are_left_out_and_said() -> None:
    async with bench() as b:
        b.model.answer = said(Api.OPENAI, "ok")
        b.box = collect(b.inspector.servers, Scheme("", "."))
        await b.say(b.conversation(Api.OPENAI), "Hello")
        assert "tools" not in b.model.bodies[0]
        assert "left out" in b.told(Happening.OFFERED)[0].text


async def test_the_policy_answers_for_the_tool() -> None:
    gate = Gate()
    gate.put("demo", "add", Rule.DENY)

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        call = ("c1", "mcp__demo__add", {"a": 1, "b": 1})
        return said(Api.ANTHROPIC, "", call) if len(body["messages"]) < 2 else said(Api.ANTHROPIC, "ok")

    async with bench() as b:
        b.model.answer = answer
        conversation = b.conversation(Api.ANTHROPIC, approve=Approver(gate))
        assert await b.say(conversation, "Add") is End.DONE
        (step,) = b.told(Happening.ANSWERED)
        assert step.answer is not None
        assert step.answer.failed
        assert "denied" in step.text
        assert b.model.bodies[1]["messages"][-1]["content"][0]["is_error"] is True


@BOTH
async def test_rounds_have_a_visible_limit(api: Api) -> None:
    async with bench() as b:
        b.model.answer = said(api, "", ("c", "mcp__demo__echo", {"text": "again"}))
        conversation = b.conversation(api, rounds=3)
        assert await b.say(conversation, "Go on") is End.LIMIT
        assert len(b.model.bodies) == 3
        assert "limit of 3 rounds" in b.steps[-1].text
        assert any(entry.kind == "limit" for entry in b.journal.entries)
        b.model.answer = said(api, "Enough.")
        assert await b.say(conversation, "Well?") is End.DONE


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        ("401 Unauthorized", {"error": {"message": f"Wrong key {KEY}."}}, "HTTP 401: Wrong key •••."),
        ("200 OK", {"choices": []}, "no answer of a chat"),
        ("200 OK", {"choices": [{"message": {"tool_calls": [{"x": 1}]}}]}, "no answer of a chat"),
    ],
)
async def test_an_endpoint_that_fails_ends_the_turn_with_its_words(status: str, answer: Any, words: str) -> None:
    async with bench() as b:
        b.model.status, b.model.answer = status, answer
        conversation = b.conversation(Api.OPENAI)
        assert await b.say(conversation, "Hello") is End.FAILED
        assert words in b.steps[-1].text
        assert KEY not in b.steps[-1].text
        failed = [entry for entry in b.journal.entries if entry.kind == "failed"]
        assert words in failed[0].facts["sentence"]
        b.model.status, b.model.answer = "200 OK", said(Api.OPENAI, "Back.")
        assert await b.say(conversation, "Again?") is End.DONE


async def test_a_turn_can_be_stopped_while_the_model_thinks() -> None:
    async with bench() as b:
        b.model.hold = asyncio.Event()
        conversation = b.conversation(Api.OPENAI)
        turn = asyncio.ensure_future(b.say(conversation, "Hello"))
        await asyncio.wait_for(b.model.asked.wait(), 20)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert b.steps[-1].end is End.CANCELLED
        b.model.hold.set()
        b.model.hold, b.model.answer = None, said(Api.OPENAI, "Hi.")
        assert await b.say(conversation, "Hello again") is End.DONE


async def test_a_turn_can_be_stopped_while_a_tool_runs() -> None:
    async with bench() as b:
        b.model.answer = said(Api.OPENAI, "", ("c", "mcp__demo__slow", {"seconds": 30}))
        begun = asyncio.Event()

        def heard(step: Step) -> None:
            if step.happening is Happening.CALLING:
                begun.set()

        conversation = b.conversation(Api.OPENAI, on_step=heard)
        turn = asyncio.ensure_future(b.say(conversation, "Count"))
        await asyncio.wait_for(begun.wait(), 20)
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert [each["role"] for each in conversation.messages] == ["user"], "no call without its result"
