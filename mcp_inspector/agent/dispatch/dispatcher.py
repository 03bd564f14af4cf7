"""Calls of a model, routed, checked, approved and run: all at once, answered in their order."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.agent.dispatch.answers import Answer, text_of
from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
from mcp_inspector.session.outcome import Complete
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from mcp_inspector.agent.dispatch.reading import Invocation
    from mcp_inspector.agent.names import Route
    from mcp_inspector.agent.tools import AgentTool, Toolbox
    from mcp_inspector.session.call import Call
    from mcp_inspector.session.server import Server


@dataclass(frozen=True)
class Plan:
    """Where a call goes, before anything is sent. `wrong` is a sentence for the model; then nothing is sent.

    `problems` are those of the arguments against the tool's schema, each a sentence.
    """

    invocation: Invocation
    route: Route | None = None
    tool: AgentTool | None = None
    wrong: str = ""
    problems: tuple[str, ...] = ()


class Dispatcher:
    """Runs what a model wants. `find` gives the server of a name; `strict` refuses arguments that the schema refuses.

    `approve` asks the policy with the server, the tool and the arguments as JSON text: it gives an empty text when the
    tool may run, else why it may not, which the model is told.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        find: Callable[[str], Server | None],
        *,
        approve: Callable[[Server, AgentTool, str], Awaitable[str]] | None = None,
        strict: bool = True,
        timeout: float | None = None,
    ) -> None:
        self._box = toolbox
        self._find = find
        self._approve = approve
        self._strict = strict
        self._timeout = timeout
        self._checkers: dict[bytes, Checker | None] = {}

    def plan(self, invocation: Invocation) -> Plan:
        """Route and check one call. Fails fast, with the nearest names, when nobody has this name."""
        if invocation.wrong:
            return Plan(invocation, wrong=invocation.wrong)
        routes = self._box.routes.find(invocation.name)
        if not routes:
            near = self._box.routes.nearest(invocation.name)
            hint = f" The nearest are {', '.join(near)}." if near else " No tools are known: connect the servers first."
            return Plan(invocation, wrong=f"There is no tool {invocation.name}.{hint}")
        if len(routes) > 1:
            who = ", ".join(f"{route.tool} of {route.server}" for route in routes)
            return Plan(invocation, wrong=f"{invocation.name} means {who}: nobody can say which.")
        route = routes[0]
        tool = self._box.by_name.get(route.name)
        if tool is None:
            return Plan(invocation, route, wrong=f"{invocation.name} is not offered: it is filtered out.")
        problems = self._problems(tool, invocation.arguments)
        if problems and self._strict:
            listed = "; ".join(problems[:5])
            return Plan(invocation, route, tool, f"The arguments do not fit {invocation.name}: {listed}.", problems)
        return Plan(invocation, route, tool, problems=problems)

    async def run(
        self, invocations: Iterable[Invocation], on_call: Callable[[int, Call], object] | None = None
    ) -> tuple[Answer, ...]:
        """All calls at once; the answers are in the order of the calls, whoever is ready first."""
        plans = [self.plan(each) for each in invocations]
        return tuple(await asyncio.gather(*(self._one(at, plan, on_call) for at, plan in enumerate(plans))))

    async def _one(self, at: int, plan: Plan, on_call: Callable[[int, Call], object] | None) -> Answer:
        call = plan.invocation
        server_name, tool_name = (plan.route.server, plan.route.tool) if plan.route else ("", "")
        if plan.wrong or plan.tool is None:
            return Answer(call, server_name, tool_name, True, plan.wrong)
        server = self._find(server_name)
        if server is None:
            return Answer(call, server_name, tool_name, True, f"The server {server_name} is gone.")
        if not server.status.up:
            server.connect()
            status = await server.settled()
            if not status.up:
                why = status.fault.sentence if status.fault else f"{server_name} is {status.words()}."
                return Answer(call, server_name, tool_name, True, why)
        if self._approve is not None:
            refused = await self._approve(server, plan.tool, call.arguments)
            if refused:
                return Answer(call, server_name, tool_name, True, refused)
        outcome = await server.call_tool(
            tool_name,
            call.arguments.encode("utf-8", "surrogatepass"),
            timeout=self._timeout,
            on_call=None if on_call is None else lambda begun: on_call(at, begun),
        )
        failed = not isinstance(outcome, Complete) or outcome.tool_error
        return Answer(call, server_name, tool_name, failed, text_of(outcome), outcome)

    def _problems(self, tool: AgentTool, arguments: str) -> tuple[str, ...]:
        schema = tool.item.part("inputSchema")
        if not schema or len(arguments) > INLINE_LIMIT:
            return ()
        if schema not in self._checkers:
            try:
                self._checkers[schema] = Checker(schema)
            except JsonError:
                self._checkers[schema] = None
        checker = self._checkers[schema]
        if checker is None:
            return ()
        found = checker.check(arguments)
        return tuple(problem.text for problem in found if problem.severity is Severity.ERROR)
