"""The commands that talk to a server."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.cli import answers, printing, values
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.cli.failures import error_json, exit_of, exit_of_fault, fault_json, say_failure, say_fault
from mcp_inspector.cli.journal import say
from mcp_inspector.config import paths
from mcp_inspector.config.vault import standard
from mcp_inspector.session.cache import Hint, hint_of
from mcp_inspector.session.catalogue import CAPABILITY, METHODS, Freshness, What
from mcp_inspector.session.connecting import Client
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete
from mcp_inspector.session.status import State
from mcp_inspector.session.task_runs import EXTENSION as TASKS
from mcp_inspector.session.task_runs import TERMINAL
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.frame import Kind

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.session.catalogue import Listing
    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server

_FAREWELL_S = 2
_TITLES = {
    What.TOOLS: "Tools",
    What.RESOURCES: "Resources",
    What.TEMPLATES: "Resource templates",
    What.PROMPTS: "Prompts",
}
_WORDS = {
    "list": (0, 0),
    "call": (1, None),
    "read": (1, 1),
    "prompt": (1, None),
    "complete": (2, None),
    "watch": (0, None),
    "send": (1, 1),
    "ping": (0, 0),
    "check": (0, 0),
}


async def carry_out(request: Request, entry: ServerEntry, words: list[str], settings: Settings, talk: Talk) -> int:
    """Connect, run the command, and end the connection whatever happens. Raises `UsageError`."""
    command = _Command(request, words, talk)
    # Only what --answer answers is declared: nobody is there to answer more. Tasks need nobody.
    presets = answers.presets(request.answers)
    declared = {**answers.capabilities(presets), **({"roots": {}} if entry.roots else {})}
    client = Client(capabilities={**declared, "extensions": {TASKS: {}}})
    if entry.capabilities is not None:
        entry = replace(entry, capabilities=answers.narrowed(entry.capabilities, declared))
    listens = request.command == "watch"
    vault = standard(paths.places().config, settings.secrets)
    inspector = Inspector(talk, ways(settings, client=client, lists_at_connect=listens, vault=vault), [entry])
    for method, preset in presets.items():
        inspector.inbox.set_preset("*", method, preset)
    try:
        server = inspector.servers[0]
        server.notified.connect(talk.notified)
        server.connect()
        status = await server.settled()
        if not status.up:
            return not_connected(request, server)
        if request.log_level is not None:
            outcome = await server.set_log_level(request.log_level)
            if outcome is not None and not isinstance(outcome, Complete):
                say_failure(outcome)
        return await command.run(server)
    finally:
        await inspector.close()


class _Command:
    """One command with its words, checked before anything is started."""

    def __init__(self, request: Request, words: list[str], talk: Talk) -> None:
        self._request, self._words, self._talk = request, words, talk
        least, most = _WORDS[request.command]
        if len(words) < least:
            wanted = {"call": "the tool", "read": "the URI", "prompt": "the prompt", "send": "the message"}.get(
                request.command, "REF and ARGUMENT"
            )
            raise UsageError(f"{wanted} is missing. See mcp-inspector {request.command} --help.")
        if most is not None and len(words) > most:
            raise UsageError(f"{words[most]!r} is too much. See mcp-inspector {request.command} --help.")
        self._pairs: list[tuple[str, str, bool]] = []
        self._base: bytes | None = None
        self._more: dict[str, Any] = {"trace": True} if request.trace else {}
        if request.meta is not None:
            self._more["meta"] = values.given_object(request.meta, "--meta")
        if request.command == "call":
            self._pairs = values.pairs(words[1:])
            self._base = values.given_json(request.args)
            if self._pairs:
                values.merged(self._base, {"": b"0"})  # says now, and not after the start, that it cannot be
        elif request.command == "prompt":
            self._texts = values.texts(words[1:])
        elif request.command == "complete":
            typed = words[2:3] if len(words) > 2 and "=" not in words[2] else []
            self._typed = typed[0] if typed else ""
            self._texts = values.texts(words[2 + len(typed) :])

    async def run(self, server: Server) -> int:
        """Ask the server and show what it says."""
        work = {
            "list": self._list,
            "call": self._call,
            "read": self._read,
            "prompt": self._prompt,
            "complete": self._complete,
            "watch": self._watch,
            "send": self._send,
            "ping": self._ping,
            "check": self._check,
        }
        return await work[self._request.command](server)

    async def _check(self, server: Server) -> int:
        """List everything, so that there is something to judge."""
        for what in What:
            await read_list(server, what, self._talk, insist=False)
        if self._request.probe or self._request.probe_tools:
            from mcp_inspector.session.probing import run

            await server.refresh(*What)
            agreed = self._request.probe_tools
            self._request.probed.extend(await run.run(server, agreed=agreed, begun=lambda one: say(f"probe {one.id}")))
        return Exit.OK

    async def _call(self, server: Server) -> int:
        name = self._words[0]
        if refusal := self._refusal(server, name):
            say(refusal)
            if self._request.json:
                printing.put_json(msgspec.json.encode({"error": {"kind": "denied", "sentence": refusal}}))
            server.tell("denied", refusal, method="tools/call", target=name)
            return Exit.USAGE
        schema = await self._schema(server, name) if any(not as_json for _, _, as_json in self._pairs) else None
        arguments = values.merged(self._base, values.typed(self._pairs, schema))
        if schema is None and self._request.task is None:
            await self._look_whether_task(server)
        more: dict[str, Any] = {"as_task": self._request.task, "on_progress": self._talk.progress, **self._more}
        with self._talk.tasks_of(server):
            try:
                outcome = await server.call_tool(name, arguments, **more)
            except asyncio.CancelledError:
                await _end_tasks(server)
                raise
        return self._show(outcome, printing.result_lines)

    def _refusal(self, server: Server, tool: str) -> str:
        """Why the person's own rules do not let this call go; empty when they do.

        Hints do not count here: whoever typed the call knows what it is, and has seen all that it sends.
        """
        from mcp_inspector.config import policy

        found = policy.load(paths.places().config / "policy.json")
        for problem in found.problems:
            say(problem)
        rule, where = found.rule(server.name, tool)
        if rule is policy.Rule.DENY:
            return f"{tool} of {server.name} is denied by {where}. Nothing was sent."
        if rule is policy.Rule.ASK and not self._request.yes:
            return f"{tool} of {server.name} asks first, by {where}. Nothing was sent; --yes approves it."
        return ""

    @staticmethod
    async def _look_whether_task(server: Server) -> None:
        """Where tools may have to be run as tasks, the list says which."""
        identity = server.identity
        if identity is not None and identity.era == "legacy" and identity.has("tasks.requests.tools.call"):
            await server.refresh(What.TOOLS)

    async def _schema(self, server: Server, name: str) -> bytes | None:
        """The tool's input schema as it came, None when the server does not list the tool or its schema."""
        await server.refresh(What.TOOLS, insist=True)
        listing = server.catalogue[What.TOOLS]
        item = listing.by_key.get(name)
        if item is None:
            say(f"{server.name} lists no tool {name!r}, so every KEY=VALUE is sent as a text. {listing.why}".rstrip())
            return None
        try:
            found = msgspec.json.decode(item.raw, type=dict[str, msgspec.Raw]).get("inputSchema")
        except msgspec.MsgspecError:
            return None
        return bytes(found) if found is not None else None

    async def _read(self, server: Server) -> int:
        outcome = await server.read_resource(self._words[0], on_progress=self._talk.progress, **self._more)
        if isinstance(outcome, Complete):
            self._talk.freshness(server.name, self._words[0], hint_of(outcome.result))
        return self._show(outcome, _contents_lines)

    async def _prompt(self, server: Server) -> int:
        outcome = await server.get_prompt(self._words[0], self._texts, on_progress=self._talk.progress, **self._more)
        return self._show(outcome, printing.message_lines)

    async def _complete(self, server: Server) -> int:
        reference, argument = self._words[:2]
        template = "{" in reference or "://" in reference
        ref = {"type": "ref/resource", "uri": reference} if template else {"type": "ref/prompt", "name": reference}
        outcome = await server.complete(ref, argument, self._typed, self._texts, **self._more)
        return self._show(outcome, _completion_lines)

    async def _watch(self, server: Server) -> int:
        from mcp_inspector.cli.watching import watch

        return await watch(server, self._words, count=self._request.count, as_json=self._request.json)

    async def _send(self, server: Server) -> int:
        raw = values.given_bytes(self._words[0])
        waiter: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        fault = await server.send_raw(raw, waiter)
        if fault is not None:
            say_fault(fault)
            return exit_of_fault(fault)
        frame = wire.read(raw)
        for oddity in frame.faults:
            say(f"The message {oddity}.")
        asks = frame.items if frame.kind is Kind.BATCH else (frame,)
        if not any(part.kind is Kind.REQUEST and part.id is not None for part in asks):
            say("It was sent; no answer can be matched to it.")
            return Exit.OK
        return self._show(await waiter, lambda value: [msgspec.json.format(msgspec.json.encode(value)).decode()])

    async def _ping(self, server: Server) -> int:
        outcome = await server.ping()
        identity = server.identity
        if not isinstance(outcome, Complete) or identity is None:
            return self._show(outcome, lambda _: [])
        seconds = outcome.elapsed_ns / 1e9
        if self._request.json:
            document = {
                "protocolVersion": identity.version,
                "transport": identity.transport,
                "serverInfo": identity.server_info,
                "elapsedMs": round(seconds * 1000, 3),
                "result": msgspec.Raw(outcome.result),
            }
            printing.put_json(msgspec.json.encode(document))
        else:
            shown = f"{identity.version} over {identity.transport}"
            printing.put([f"{server.name} is alive: {seconds * 1000:.1f} ms, {shown}"])
        return Exit.OK

    async def _list(self, server: Server) -> int:
        chosen = self._request.what
        wanted = list(What) if chosen == "all" else [What(chosen)]
        found = await asyncio.gather(*(read_list(server, what, self._talk, insist=chosen != "all") for what in wanted))
        code = Exit.OK
        for listing, outcome in found:
            for warning in listing.warnings:
                say(f"{server.name} {listing.what}: {warning}")
            self._talk.freshness(server.name, str(listing.what), Hint(listing.ttl_ms, listing.scope))
            if outcome is not None:
                code = code or exit_of(outcome)
                say(f"{server.name} {listing.what}: {listing.why}")
        if self._request.json:
            document: dict[str, Any] = {
                METHODS[listing.what][1]: [msgspec.Raw(item.raw) for item in listing.items]
                for listing, outcome in found
                if outcome is None or listing.items
            }
            problems = {
                METHODS[listing.what][1]: error_json(outcome) for listing, outcome in found if outcome is not None
            }
            printing.put_json(msgspec.json.encode(document | ({"errors": problems} if problems else {})))
        else:
            lines: list[str] = []
            for listing, outcome in found:
                if outcome is None or listing.items:
                    supported = listing.freshness is not Freshness.UNSUPPORTED
                    title = _TITLES[listing.what]
                    lines += printing.listing_lines(listing, title) if supported else [f"{title}: {listing.why}"]
                    lines.append("")
            printing.put(lines[:-1])
        return code

    def _show(self, outcome: Outcome, lines: Any) -> int:
        for fault in outcome.faults:
            say(f"The answer to {outcome.method} {fault}.")
        if not isinstance(outcome, Complete):
            say_failure(outcome)
            if self._request.json:
                printing.put_json(msgspec.json.encode({"error": error_json(outcome)}))
            return exit_of(outcome)
        if self._request.json:
            printing.put_json(outcome.result)
        else:
            try:
                value = outcome.value
            except (msgspec.MsgspecError, RecursionError):
                value = None
            printing.put(lines(value) if isinstance(value, dict) else [outcome.result.decode(errors="replace")])
        if outcome.tool_error:
            say("The tool reported an error.")
        return exit_of(outcome)


async def read_list(server: Server, what: What, talk: Talk, *, insist: bool) -> tuple[Listing, Outcome | None]:
    """All pages of a list, and the outcome that ended it when it failed."""
    listing = server.catalogue[what]
    declared = server.identity is not None and server.identity.has(CAPABILITY[what])
    stepper = server.stepper(what)
    if stepper is None or (not declared and not insist):
        why = f'the server does not declare the capability "{CAPABILITY[what]}"'
        return replace(listing, freshness=Freshness.UNSUPPORTED, why=why), None
    while not stepper.done:
        talk.page(server.name, str(what), await stepper.step())
    listing = stepper.listing()
    failed = listing.freshness in (Freshness.FAILED, Freshness.UNSUPPORTED)
    return listing, stepper.pages[-1].outcome if failed else None


async def _end_tasks(server: Server) -> None:
    """Nobody follows them any more: the server is told, and what it says is not waited for beyond a moment."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_FAREWELL_S):
            await asyncio.gather(*(run.cancel() for run in server.task_runs if run.state.status not in TERMINAL))


def not_connected(request: Request, server: Server) -> int:
    """Say why a server is not connected; returns the exit code."""
    fault = server.status.fault
    if fault is None:
        say(f"{server.name} is not connected: it is {server.status.words()}.")
    else:
        say_fault(fault)
        if request.quiet:
            for line in fault.facts.get("stderr", ()):
                say(f"{server.name} stderr: {line}")
    if server.status.state is State.NEEDS_SIGN_IN:
        say(f"Sign in with: mcp-inspector login {shlex.quote(request.words[0] if request.words else server.name)}")
        say("Or pass a token with --header 'Authorization: Bearer …'.")
    if request.json:
        printing.put_json(msgspec.json.encode({"error": fault_json(fault)}))
    return exit_of_fault(fault)


def _contents_lines(result: dict[str, Any]) -> list[str]:
    contents = result.get("contents")
    pieces = contents if isinstance(contents, list) else []
    lines: list[str] = []
    for piece in pieces:
        if len(pieces) > 1 and isinstance(piece, dict):
            lines.append(f"--- {piece.get('uri')}")
        lines += printing.resource_lines(piece)
    return lines or ["(no contents)"]


def _completion_lines(result: dict[str, Any]) -> list[str]:
    completion = result.get("completion")
    found = completion.get("values") if isinstance(completion, dict) else None
    if not isinstance(completion, dict) or not isinstance(found, list):
        return ["(no values)"]
    total = completion.get("total")
    if completion.get("hasMore") is True or (isinstance(total, int) and total > len(found)):
        say(f"There are more: these are {len(found)}{f' of {total}' if isinstance(total, int) else ''}.")
    return [str(value) for value in found] or ["(no values)"]
