"""The core for scripts: connect the servers of a file, list their tools, call them by the name that a model would use.

    async with connect("mcp.json") as servers:
        print([tool.name for tool in servers.tools()])
        print(await servers.call_text("mcp__demo__echo", text="hi"))

`connected` is the same without asyncio: its calls wait. Nothing is written to disk; what went over the wire is kept in
memory, `servers.log`.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent.choice import Choice
from mcp_inspector.agent.dispatch.answers import text_of
from mcp_inspector.agent.names import Scheme
from mcp_inspector.agent.tools import collect
from mcp_inspector.config.settings import Settings
from mcp_inspector.config.sources import load
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError
from mcp_inspector.store.log import Log
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from mcp_inspector.agent.names import Route
    from mcp_inspector.agent.tools import AgentTool, Toolbox
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server

ERROR = "[ERROR]"
"""What the text of a call that failed begins with, so that a model cannot take it for a result."""


@dataclass(frozen=True)
class Result:
    """How a call ended. `seconds` are from the request's first byte to the answer's last; 0 when nothing was sent.

    `text` is what a model would read; `outcome` has everything else.
    """

    name: str
    failed: bool
    text: str
    seconds: float
    outcome: Outcome

    @property
    def value(self) -> Any:
        """The result decoded: the structured content where there is one, else the result object; None without one."""
        if not isinstance(self.outcome, Complete):
            return None
        result = msgspec.json.decode(self.outcome.result)
        return result.get("structuredContent", result) if isinstance(result, dict) else result


class Servers:
    """The servers of one run, connected. Made by `connect`."""

    def __init__(self, inspector: Inspector, log: Log, scheme: Scheme, choice: Choice) -> None:
        self.inspector = inspector
        self.log = log
        self._scheme, self._choice = scheme, choice
        self._tasks = Tasks()

    @property
    def problems(self) -> dict[str, str]:
        """Servers that are not there, each with the sentence that says why; the others work without them."""
        return {
            server.name: server.status.fault.sentence if server.status.fault else server.status.words()
            for server in self.inspector.servers
            if not server.status.up and not server.entry.disabled
        }

    def toolbox(self) -> Toolbox:
        """All tools with their names, their filters and what is wrong with them."""
        return collect(self.inspector.servers, self._scheme, self._choice)

    def tools(self) -> tuple[AgentTool, ...]:
        """The tools that are offered, as they were listed last."""
        return self.toolbox().tools

    async def refresh(self) -> tuple[AgentTool, ...]:
        """List the tools of all servers anew. What cannot be listed keeps what was listed before."""
        up = [server for server in self.inspector.servers if server.status.up]
        await asyncio.gather(*(server.refresh(What.TOOLS) for server in up))
        return self.tools()

    async def call(
        self,
        tool: str,
        arguments: bytes | dict[str, Any] | None = None,
        /,
        *,
        timeout: float | None = None,
        **named: Any,
    ) -> Result:
        """Call a tool by its routed name, with `arguments` or with them by name. Never raises for what a server does.

        `arguments` as JSON text go out as they are spelled. `timeout` is in seconds.
        """
        try:
            server, route = self._find(tool)
        except Fault as fault:
            return _result(tool, LocalError("tools/call", 0, fault=fault))
        given = arguments if isinstance(arguments, bytes) else {**(arguments or {}), **named}
        return _result(tool, await server.call_tool(route.tool, given, timeout=timeout))

    async def call_text(self, tool: str, arguments: bytes | dict[str, Any] | None = None, /, **named: Any) -> str:
        """The same as one plain text; `ERROR` stands before it when the call failed."""
        return _marked(await self.call(tool, arguments, **named))

    def call_nowait(
        self,
        tool: str,
        arguments: bytes | dict[str, Any] | None = None,
        /,
        callback: Callable[[Result], object] | None = None,
        **named: Any,
    ) -> asyncio.Task[Result]:
        """Begin a call and go on; `callback` gets its result on the loop. The task can be awaited or cancelled."""
        task = self._tasks.spawn(self.call(tool, arguments, **named), f"call {tool}")
        if callback is not None:
            task.add_done_callback(lambda done: None if done.cancelled() else callback(done.result()))
        return task

    async def close(self) -> None:
        """End everything. `connect` does it."""
        await self._tasks.close()
        await self.inspector.close()
        self.log.close()

    def _find(self, tool: str) -> tuple[Server, Route]:
        routes = self.toolbox().routes
        found = routes.find(tool)
        if len(found) != 1:
            near = ", ".join(routes.nearest(tool))
            what = f"{tool} means several tools" if found else f"There is no tool {tool}"
            count = len(routes.routes)
            hint = (
                f"The nearest are {near}." if near else f"There are {count} tools." if count else "No server lists any."
            )
            raise Fault(FaultKind.USAGE, f"{what}.", hint)
        server = self.inspector.find(found[0].server)
        if server is None:
            raise Fault(FaultKind.USAGE, f"The server {found[0].server} is gone.")
        return server, found[0]


class Blocking:
    """The same for programs without asyncio: calls wait, from any thread. Made by `connected`."""

    def __init__(self, servers: Servers, loop: asyncio.AbstractEventLoop) -> None:
        self._servers, self._loop = servers, loop

    def tools(self) -> tuple[AgentTool, ...]:
        """The tools that are offered."""
        return self._servers.tools()

    @property
    def problems(self) -> dict[str, str]:
        """Servers that are not there, and why."""
        return self._servers.problems

    def call(self, tool: str, arguments: bytes | dict[str, Any] | None = None, /, **named: Any) -> Result:
        """Call a tool and wait for its result."""
        return asyncio.run_coroutine_threadsafe(self._servers.call(tool, arguments, **named), self._loop).result()

    def call_text(self, tool: str, arguments: bytes | dict[str, Any] | None = None, /, **named: Any) -> str:
        """Call a tool and wait for its text; `ERROR` stands before it when the call failed."""
        return _marked(self.call(tool, arguments, **named))

    def call_nowait(
        self,
        tool: str,
        callback: Callable[[Result], object],
        arguments: bytes | dict[str, Any] | None = None,
        **named: Any,
    ) -> None:
        """Begin a call and go on; `callback` gets its result, in the thread of the connections."""
        self._loop.call_soon_threadsafe(lambda: self._servers.call_nowait(tool, arguments, callback, **named))


@contextlib.asynccontextmanager
async def connect(
    file: str | Path,
    only: Iterable[str] = (),
    *,
    scheme: Scheme = Scheme(),
    choice: Choice = Choice(),
    settings: Settings | None = None,
) -> AsyncIterator[Servers]:
    """The enabled servers of a servers file (or those named in `only`), connected at once, their tools listed.

    A server that cannot be reached is in `Servers.problems`; the others work. Raises `FileNotFoundError`, and `Fault`
    when the file has no server that could be connected.
    """
    entries = _entries(Path(file), tuple(only))
    log = Log()
    inspector = Inspector(log, ways(settings or Settings(), lists_at_connect=False), entries)
    servers = Servers(inspector, log, scheme, choice)
    try:
        for server in inspector.servers:
            server.connect()
        await asyncio.gather(*(server.settled() for server in inspector.servers))
        await servers.refresh()
        yield servers
    finally:
        await servers.close()


@contextlib.contextmanager
def connected(file: str | Path, only: Iterable[str] = (), **more: Any) -> Iterator[Blocking]:
    """`connect` for programs without asyncio: the connections live in a thread of their own until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="mcp servers", daemon=True)
    thread.start()

    def wait(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    opened = connect(file, only, **more)
    try:
        servers = wait(opened.__aenter__())
        try:
            yield Blocking(servers, loop)
        finally:
            wait(opened.__aexit__(None, None, None))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _entries(path: Path, only: tuple[str, ...]) -> list[ServerEntry]:
    if not path.exists():
        raise FileNotFoundError(f"There is no servers file {path}.")
    known = load(path)
    entries = [
        entry for entry in known.entries if (entry.name in only if only else not entry.disabled and not entry.fatal)
    ]
    missing = sorted(set(only) - {entry.name for entry in entries})
    if missing or not entries:
        there = ", ".join(entry.name for entry in known.entries) or "none"
        what = f"{path} has no server {', '.join(missing)}" if missing else f"{path} has no enabled server"
        raise Fault(FaultKind.USAGE, f"{what}. There is: {there}. {' '.join(known.problems)}".rstrip())
    return entries


def _result(name: str, outcome: Outcome) -> Result:
    failed = not isinstance(outcome, Complete) or outcome.tool_error
    text = text_of(outcome)
    if isinstance(outcome, LocalError) and outcome.fault is not None:
        text = f"{outcome.fault.sentence} {outcome.fault.hint}".strip()
    return Result(name, failed, text, outcome.elapsed_ns / 1e9, outcome)


def _marked(result: Result) -> str:
    return f"{ERROR} {result.text}" if result.failed else result.text
