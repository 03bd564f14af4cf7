"""``mcp-inspector run``: collections without a window, for a person and for a CI job."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_inspector.actions import reports
from mcp_inspector.actions.data import DataError, read_rows
from mcp_inspector.actions.findings import judge_of
from mcp_inspector.actions.performing import Performer
from mcp_inspector.actions.reading import read_file
from mcp_inspector.actions.results import BAD, Case, CaseResult, Status
from mcp_inspector.actions.runner import Options, PlanError, Runner, plan
from mcp_inspector.actions.values import as_json
from mcp_inspector.cli import answers, printing
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.cli.journal import say
from mcp_inspector.cli.target import ORIGIN, servers
from mcp_inspector.config.builtin import DEMO, demo_entry
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.vault import standard
from mcp_inspector.session.approval import Gate
from mcp_inspector.session.connecting import Client
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.task_runs import EXTENSION as TASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_inspector.actions.collection import Collection
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.store.log import Log

_SIGNS = {Status.PASSED: "✓", Status.FAILED: "✕", Status.ERROR: "!", Status.SKIPPED: "–"}


Prepared = tuple["list[Collection]", Options, list[Case]]
"""What was read, how it is run, and what that comes to."""


def prepared(request: Request) -> Prepared:
    """What is to be run, before anything is started. Raises `UsageError`."""
    if not request.words:
        raise UsageError("No collection is named. See mcp-inspector run --help.")
    collections = [read_file(Path(word).expanduser()) for word in request.words]
    for collection in collections:
        for oddity in collection.oddities:
            say(f"{collection.path}: {oddity}")
    bad = [str(one.path) for one in collections if not one.usable]
    if bad:
        raise UsageError(f"{', '.join(bad)} cannot be run as it is. Nothing was started.")
    try:
        rows = tuple(read_rows(Path(request.data).expanduser())) if request.data else ()
        options = Options(
            request.filter,
            request.parallel,
            request.repeat,
            request.bail,
            request.environment,
            {name: as_json(value) for name, value in request.variables.items()},
            rows,
            request.timeout,
        )
        return collections, options, plan(collections, options)
    except (DataError, PlanError) as error:
        raise UsageError(str(error)) from None


def entries(request: Request, folders: Folders, collections: Sequence[Collection], used: set[str]) -> list[ServerEntry]:
    """The servers that are named: what stands behind ``--``, else configured ones, the collection's, the demo."""
    if request.program is not None:
        command, *args = request.program
        return [ServerEntry(name, command=command, args=tuple(args), reconnect=0, origin=ORIGIN) for name in used]
    known = servers(request, folders)
    found: list[ServerEntry] = []
    for name in sorted(used):
        own = next((one.servers[name] for one in collections if name in one.servers), None)
        entry = known.get(name) or own or (demo_entry() if name == DEMO else None)
        if entry is None:
            raise UsageError(
                f"No server is called {name!r}, and no collection brings it along. "
                f"Configure it, or put its command after --."
            )
        found.append(replace(entry, disabled=False, reconnect=0, timeout=request.timeout or entry.timeout))
    return found


async def run_collections(
    request: Request, prepared_run: Prepared, folders: Folders, settings: Settings, talk: Talk, log: Log
) -> tuple[int, bool]:
    """Run them, report, and end every connection. The exit code, and whether the traffic is worth keeping."""
    collections, options, cases = prepared_run
    presets = answers.presets(request.answers)
    client = Client(capabilities={**answers.capabilities(presets), "extensions": {TASKS: {}}})
    used = _used(collections, options, cases)
    vault = standard(folders.config, settings.secrets)
    used_ways = ways(settings, client=client, lists_at_connect=False, vault=vault)
    inspector = Inspector(talk, used_ways, entries(request, folders, collections, used))
    for method, preset in presets.items():
        inspector.inbox.set_preset("*", method, preset)
    gate = Gate(folders.config / "policy.json", folders.state / "approved.json")
    for problem in (*gate.policy.problems, gate.problem):
        if problem:
            say(problem)
    performer = Performer(inspector.find, gate, yes=request.yes)
    runner = Runner(performer, cases, options, body=log.body, judge=judge_of(log), secret=vault.get)
    interrupted = _stop_on_interrupt(runner)
    for_people = not request.json and not any(file == "-" for _, file in request.reports)

    def told(case: Case) -> None:
        result = runner.results.get(case.number)
        if result is not None and for_people:
            printing.put(_lines(result))

    disconnect = runner.changed.connect(told)
    try:
        whole = await runner.run()
    finally:
        disconnect()
        await inspector.close()
    results = [runner.results[case.number] for case in cases if case.number in runner.results]
    keep = request.record or any(result.status in BAD for result in results)
    session = str(log.path) if keep and log.path is not None else ""
    for kind, file in request.reports:
        _write(kind, file, reports.FORMATS[kind](results, whole, session))
    if request.json:
        printing.put_json(reports.as_json(results, whole, session).encode())
    elif for_people:
        printing.put([whole.words])
        if performer.unasked and not request.yes:
            say(f"{performer.unasked} calls ask first by the policy; --yes approves them.")
        if session:
            say(f"The traffic is kept in {session}.")
    return (Exit.INTERRUPTED if interrupted() else _exit(results)), keep


def _used(collections: Sequence[Collection], options: Options, cases: Sequence[Case]) -> set[str]:
    """The names of the servers that the cases need, as the environment maps them."""
    used: set[str] = set()
    for case in cases:
        environment = case.collection.environment(options.environment)
        mapped = environment.servers if environment is not None else {}
        used |= {mapped.get(name, name) for name in case.action.servers}
    return used


def _lines(result: CaseResult) -> list[str]:
    ms = f"  {result.elapsed_ns / 1e6:.1f} ms" if result.steps else ""
    lines = [f"{_SIGNS[result.status]} {result.case.name}{ms}"]
    if result.status in BAD:
        lines += [f"    {sentence}" for sentence in result.sentences]
        quoted = result.quoted
        if quoted.call:
            lines.append(f"    exchange {quoted.call}" + (f" → {quoted.reply}" if quoted.reply else ", no answer"))
        if quoted.request:
            lines.append(f"    sent {_cut(quoted.request)}")
        if quoted.answer:
            lines.append(f"    received {_cut(quoted.answer)}")
    return lines


def _cut(text: str, most: int = 300) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}…"


def _write(kind: str, file: str, text: str) -> None:
    if file == "-":
        printing.put_text(text)
        return
    try:
        path = Path(file).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(errors="replace"))
    except OSError as error:
        raise OutputError(f"the {kind} report cannot be written to {file}: {error.strerror or error}.") from None


def _exit(results: Sequence[CaseResult]) -> int:
    """0 when all passed, 1 when an assertion does not hold, else why something could not be run."""
    statuses = {result.status for result in results}
    if Status.FAILED in statuses:
        return Exit.FAILED
    errors = [result for result in results if result.status is Status.ERROR]
    if errors:
        return Exit.CONNECTION if all(result.unreachable for result in errors) else Exit.USAGE
    return Exit.OK if Status.PASSED in statuses else Exit.USAGE


def _stop_on_interrupt(runner: Runner) -> Callable[[], bool]:
    """Ctrl+C ends the run in order, and what came so far is reported; a second one ends it at once.

    Says whether there was one.
    """
    seen = False

    def stop(loop: asyncio.AbstractEventLoop) -> None:
        nonlocal seen
        seen = True
        loop.remove_signal_handler(signal.SIGINT)
        runner.cancel("The run was interrupted.")

    if sys.platform != "win32":
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, stop, loop)
    return lambda: seen
