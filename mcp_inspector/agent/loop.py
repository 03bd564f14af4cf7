"""The agent loop: what the person says goes to a model with tools, and what it calls is run, until it has an answer.

Off until somebody configures an endpoint. The tools have the names, shapes, search and policy of the other parts of the
agent's view, and every request to the model, its answer and every call are records in the log.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent.dispatch import answers
from mcp_inspector.agent.dispatch.dispatcher import Dispatcher
from mcp_inspector.agent.formats import PROVIDER
from mcp_inspector.agent.names import RULES
from mcp_inspector.session.recorder import Recorder
from mcp_inspector.transport.base import Fault, NoteKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp_inspector.agent.chat import ChatEndpoint, Reply
    from mcp_inspector.agent.dispatch.answers import Answer
    from mcp_inspector.agent.dispatch.reading import Invocation
    from mcp_inspector.agent.retrieval.retriever import Retriever, Wishes
    from mcp_inspector.agent.tools import AgentTool, Toolbox
    from mcp_inspector.session.call import Call
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.server import Server
    from mcp_inspector.transport.base import Note

ROUNDS = 8
"""How often the model is asked for one thing that the person said, at most, when nobody says otherwise."""

_NAME = 60


@dataclass(frozen=True, eq=False)
class Offer:
    """The tools that the model gets for a turn, of how many, and why these."""

    tools: tuple[AgentTool, ...]
    among: int
    why: str


class Happening(StrEnum):
    """What a step is."""

    OFFERED = "offered"
    SAID = "said"
    CALLING = "calling"
    ANSWERED = "answered"
    ENDED = "ended"


class End(StrEnum):
    """How a turn ended."""

    DONE = "done"
    LIMIT = "limit"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that happened in a turn, for whoever shows it. `seq` is its record in the log, 0 where there is none.

    `round` counts the requests to the model from 1. `offer`, `call`, `answer` and `end` stand with their happening.
    """

    happening: Happening
    text: str
    round: int = 0
    seq: int = 0
    offer: Offer | None = None
    call: Invocation | None = None
    answer: Answer | None = None
    end: End | None = None


async def offer(box: Toolbox, endpoint: ChatEndpoint, query: str, retriever: Retriever, wishes: Wishes) -> Offer:
    """The tools for what the person said. `retriever` knows the tools of `box`.

    Tools whose names the provider refuses, or that share their name, are left out: with them it takes none.
    """
    ranking = await retriever.search(query, wishes)
    rule = RULES[PROVIDER[endpoint.format]]
    fitting, wrong = [], 0
    for hit in ranking.hits:
        if rule.wrong(hit.tool.name) or len(box.routes.find(hit.tool.name)) > 1:
            wrong += 1
        else:
            fitting.append(hit.tool)
    why = ranking.why or f"The best {len(ranking.hits)} of {ranking.candidates} by {ranking.method}."
    if wrong:
        why += f" {wrong} left out: their names are refused or not unique."
    return Offer(tuple(fitting), len(box.tools), why)


class Conversation:
    """One conversation with one model. `say` is for one turn at a time; what was said so far is kept.

    `find` and `approve` are those of `Dispatcher`. `rounds` is the most requests to the model for one turn.
    """

    def __init__(
        self,
        endpoint: ChatEndpoint,
        journal: Journal,
        find: Callable[[str], Server | None],
        *,
        approve: Callable[[Server, AgentTool, str], Awaitable[str]] | None = None,
        key: str = "",
        system: str = "",
        rounds: int = ROUNDS,
        on_step: Callable[[Step], object] = lambda _: None,
    ) -> None:
        self.endpoint, self.rounds = endpoint, rounds
        self.messages: list[dict[str, Any]] = []
        self._recorder = Recorder(journal, f"model {endpoint.model.strip()[:_NAME]}", 1)
        self._find, self._approve, self._key, self._system = find, approve, key, system
        self._on_step = on_step
        self._asked = 0
        self._round = 0
        self._seq = 0

    async def say(self, text: str, box: Toolbox, offered: Offer) -> End:
        """One turn: ask, run what the model calls, ask again, until it calls nothing. Raises nothing but a cancel."""
        self._round = 0
        names = ", ".join(tool.name for tool in offered.tools[:100])
        sentence = f"{len(offered.tools)} of {offered.among} tools are offered: {names or 'none'}. {offered.why}"
        seq = self._recorder.event("offered", sentence, target=self.endpoint.url)
        self._tell(Happening.OFFERED, sentence, seq, offer=offered)
        # A tool that was not offered is told to be so, even where the model remembers it from a turn before.
        dispatcher = Dispatcher(replace(box, tools=offered.tools), self._find, approve=self._approve)
        self.messages.append({"role": "user", "content": text})
        try:
            end, sentence = await self._turn(offered, dispatcher)
        except Fault as fault:
            end, sentence = End.FAILED, f"{fault.sentence} {fault.hint}".strip()
            seq = self._recorder.event("failed", fault.sentence, method="POST", target=self.endpoint.url)
            return self._ended(end, sentence, seq)
        except asyncio.CancelledError:
            seq = self._recorder.event("stopped", "The person stopped the turn.", target=self.endpoint.url)
            self._ended(End.CANCELLED, "Stopped. What had not come back is not part of the conversation.", seq)
            raise
        seq = self._recorder.event("limit", sentence, target=self.endpoint.url) if end is End.LIMIT else 0
        return self._ended(end, sentence, seq)

    async def _turn(self, offered: Offer, dispatcher: Dispatcher) -> tuple[End, str]:
        post = self.endpoint.post(self._key, self._note)
        try:
            while self._round < self.rounds:
                self._round += 1
                self._asked += 1
                body = self.endpoint.request(self.messages, offered.tools, self._system)
                reply = self.endpoint.read(await post.send(body, self._asked))
                if reply.text or not reply.calls:
                    self._tell(Happening.SAID, reply.text or "(The model said nothing.)", self._seq)
                if not reply.calls:
                    self.messages.append(reply.message)
                    return End.DONE, reply.note
                await self._run(reply, dispatcher)
        finally:
            await post.close()
        words = f"The limit of {self.rounds} rounds is reached: the model was not asked again. Say more to go on."
        return End.LIMIT, words

    async def _run(self, reply: Reply, dispatcher: Dispatcher) -> None:
        """Run the calls of one answer; calls and results become part of the conversation together."""
        seqs: dict[int, int] = {}

        def begun(at: int, call: Call) -> None:
            seqs[at] = call.seq
            self._tell(Happening.CALLING, reply.calls[at].name, call.seq, call=reply.calls[at])

        found = await dispatcher.run(reply.calls, begun)
        for at, answer in enumerate(found):
            self._tell(Happening.ANSWERED, answer.text, seqs.get(at, 0), call=answer.invocation, answer=answer)
        results = msgspec.json.decode(answers.document(found))
        self.messages += [reply.message, *(results if isinstance(results, list) else [results])]

    def _note(self, note: Note) -> None:
        seq = self._recorder.note(note)
        if note.kind is NoteKind.HTTP_RESPONSE:
            self._seq = seq

    def _tell(self, happening: Happening, text: str, seq: int = 0, **more: Any) -> None:
        self._on_step(Step(happening, text, self._round, seq, **more))

    def _ended(self, end: End, sentence: str, seq: int) -> End:
        self._tell(Happening.ENDED, sentence, seq, end=end)
        return end
