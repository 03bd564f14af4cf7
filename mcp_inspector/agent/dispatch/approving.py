"""The policy before the calls of a model: what it allows runs, what it denies does not, and a person is asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mcp_inspector.config.policy import Rule
from mcp_inspector.session.approval import refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.session.approval import Decision, Gate
    from mcp_inspector.session.server import Server

    Answer = Callable[[bool, bool], None]
    Ask = Callable[[str, str, bytes, Decision, Answer], None]


class Approver:
    """What `Dispatcher` asks before each call; one question at a time.

    `ask` shows a question (server, tool, arguments, decision) and gets the callback for the answer (yes, always);
    without it, what would be asked is denied, unless `yes` approves everything that is not forbidden.
    """

    def __init__(self, gate: Gate, ask: Ask | None = None, *, yes: bool = False) -> None:
        self._gate, self._ask, self._yes = gate, ask, yes
        self._turn = asyncio.Lock()

    async def __call__(self, server: Server, tool: AgentTool, arguments: str) -> str:
        """Empty when it may run, else what the model is told. A denial is a row in Traffic."""
        raw = arguments.encode("utf-8", "surrogatepass")
        async with self._turn:
            decision = self._gate.decide(server.name, tool.tool, tool.item)
            if decision.rule is Rule.ALLOW or (decision.rule is Rule.ASK and self._yes):
                return ""
            if decision.rule is Rule.DENY:
                return self._refuse(server, tool, f"{tool.tool} is denied. {decision.why}", raw)
            if self._ask is None:
                return self._refuse(server, tool, f"{tool.tool} needs an approval. {decision.why}", raw)
            answer: asyncio.Future[tuple[bool, bool]] = asyncio.get_running_loop().create_future()

            def answered(yes: bool, always: bool) -> None:
                if not answer.done():
                    answer.set_result((yes, always))

            self._ask(server.name, tool.tool, raw, decision, answered)
            yes, always = await answer
            if not yes:
                return self._refuse(server, tool, f"{tool.tool} was not approved.", raw)
            self._gate.approve(server.name, tool.item, always=always)
            return ""

    def _refuse(self, server: Server, tool: AgentTool, sentence: str, arguments: bytes) -> str:
        return f"{refuse(server, tool.tool, sentence, arguments).sentence} It was not sent."
