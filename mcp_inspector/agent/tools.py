"""The tools of many servers under the names that a model gets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mcp_inspector.agent.choice import Choice, Verdict
from mcp_inspector.agent.names import Provider, Route, Routes, Scheme
from mcp_inspector.session.catalogue import What

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.session.server import Server

BYTES_A_TOKEN = 4
"""A rough measure for JSON in English; no provider's tokenizer is asked."""


@dataclass(frozen=True, eq=False)
class AgentTool:
    """One tool as it is listed (`item`), and the route by which a model reaches it."""

    route: Route
    item: Item

    @property
    def server(self) -> str:
        """The server's name in the servers file."""
        return self.route.server

    @property
    def tool(self) -> str:
        """The tool's own name, as the server knows it."""
        return self.route.tool

    @property
    def name(self) -> str:
        """The name that the model uses."""
        return self.route.name

    @property
    def description(self) -> str:
        """What the model is told about it: the description, else the title."""
        return self.item.description or (self.item.title if self.item.title != self.item.key else "")


@dataclass(frozen=True, eq=False)
class Toolbox:
    """What is offered of a set of servers, with why not of the others. `routes` name all listed tools."""

    tools: tuple[AgentTool, ...]
    routes: Routes
    left_out: tuple[tuple[AgentTool, Verdict], ...] = ()
    problems: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, AgentTool]:
        """Offered tools by the model's name; the first of those that collide."""
        found: dict[str, AgentTool] = {}
        for tool in self.tools:
            found.setdefault(tool.name, tool)
        return found


def collect(
    servers: Iterable[Server],
    scheme: Scheme = Scheme(),
    choice: Choice = Choice(),
    provider: Provider | None = None,
) -> Toolbox:
    """The toolbox of these servers by what they have listed so far; nothing is asked of them.

    Tools without a name cannot be called and are left out with a sentence.
    """
    listed: list[tuple[str, Item]] = []
    problems: list[str] = []
    for server in servers:
        listing = server.catalogue[What.TOOLS]
        for item in listing.items:
            if item.key:
                listed.append((server.name, item))
            else:
                problems.append(f"{server.name} lists a tool without a name: no model can call it.")
    return boxed(listed, scheme, choice, provider, tuple(problems))


def boxed(
    listed: Iterable[tuple[str, Item]],
    scheme: Scheme = Scheme(),
    choice: Choice = Choice(),
    provider: Provider | None = None,
    problems: tuple[str, ...] = (),
) -> Toolbox:
    """The toolbox of these tools, each with its server's name. Of one server's duplicates the first counts."""
    first: dict[tuple[str, str], Item] = {}
    for server, item in listed:
        first.setdefault((server, item.key), item)
    routes = Routes(first, scheme, provider)
    offered: list[AgentTool] = []
    left_out: list[tuple[AgentTool, Verdict]] = []
    for (server, name), item in first.items():
        tool = AgentTool(routes.by_tool[server, name], item)
        verdict = choice.judge(tool)
        if verdict.offered:
            offered.append(tool)
        else:
            left_out.append((tool, verdict))
    return Toolbox(tuple(offered), routes, tuple(left_out), (*problems, *choice.problems()))


def tokens(size: int) -> int:
    """About how many tokens this many bytes of JSON cost."""
    return -(-size // BYTES_A_TOKEN)
