"""Carries out one command: connect, ask, show, end everything, and say by the exit code how it went."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_inspector.cli.arguments import Request, parse
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.cli.journal import Talk, say
from mcp_inspector.config import paths

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.store.log import Log

T = TypeVar("T")


def run(argv: Sequence[str]) -> int:
    """Run one command line and return its exit code. Never raises."""
    _open_closed_streams()
    try:
        request = parse(argv)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else Exit.USAGE
    try:
        return _run(request)
    except UsageError as error:
        say(f"mcp-inspector: {error}")
        if request.json:
            _put_usage_error(str(error))
        return Exit.USAGE
    except _Terminated:
        say("mcp-inspector: terminated")
        return Exit.TERMINATED
    except KeyboardInterrupt:
        say("mcp-inspector: interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # whoever read it has gone
        return Exit.OK
    except OutputError as error:
        say(f"mcp-inspector: {error}")
        _drop_output()
        return Exit.OUTPUT


def _open_closed_streams() -> None:
    """Streams that whoever started us closed (``>&-``) lead nowhere, instead of being absent."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - lives as long as the process


def _drop_output() -> None:
    """Python must not try to flush once more at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _put_usage_error(sentence: str) -> None:
    import msgspec

    from mcp_inspector.cli.printing import put_json

    put_json(msgspec.json.encode({"error": {"kind": "usage", "sentence": sentence}}))


def _run(request: Request) -> int:
    folders = paths.places()
    if request.command == "servers":
        from mcp_inspector.cli.servers import show

        return show(request, folders)
    if request.command == "secret":
        from mcp_inspector.cli.secret import keep_secret

        return keep_secret(request, folders)
    if request.command == "others":
        from mcp_inspector.cli.others import others

        return others(request, folders)
    if request.command == "run":
        return _run_collections(request)
    if request.command == "check":
        return _check(request, folders)
    if request.command == "export":
        from mcp_inspector.cli.exporting import export

        return export(request, folders)
    if request.command == "record":
        from mcp_inspector.cli.recording import record

        return record(request, folders)
    if request.command == "diff":
        return _diff(request, folders)
    if request.command in ("tools", "dispatch"):
        return _show_to_a_model(request, folders)
    log = _log() if request.record else None
    try:
        return _ask_one(request, folders, log)[0]
    finally:
        if log is not None:
            log.close()


def _ask_one(request: Request, folders: Folders, log: Log | None) -> tuple[int, str]:
    """Carry out a command about one server: how it ended, and the server's name."""
    from mcp_inspector.cli.target import take_target

    entry, words = take_target(request, folders)
    settings = _settings(request, folders, entry.timeout or 0)
    talk = Talk(quiet=request.quiet, verbose=request.verbose, log=log)
    if request.command == "lab":
        from mcp_inspector.cli import lab

        work = lab.carry_out(request, entry, settings, talk)
    elif request.command in ("login", "logout"):
        from mcp_inspector.cli import signing

        work = signing.carry_out(request, entry, words, settings, talk)
    elif request.command == "doctor":
        from mcp_inspector.cli import doctor

        work = doctor.carry_out(request, entry, words, settings, talk)
    else:
        from mcp_inspector.cli import commands

        work = commands.carry_out(request, entry, words, settings, talk)
    return asyncio.run(_terminable(work)), entry.name


def _check(request: Request, folders: Folders) -> int:
    """Judge a recorded session, or a server once its connection has ended: its end is judged, too."""
    from mcp_inspector.cli import check
    from mcp_inspector.store.log import Log

    path = check.session_named(request, folders)
    if path is not None:
        return check.of_file(request, path)
    check.checked(request)
    log = _log() if request.record else Log()
    try:
        # What went wrong on the way is said on stderr: stdout has one document, the report.
        ended, name = _ask_one(replace(request, json=False), folders, log)
        found = check.of_log(request, log, name)  # what came before a connection failed is worth knowing, too
        return ended or found
    finally:
        log.close()


def _diff(request: Request, folders: Folders) -> int:
    """Compare sessions, or what servers list: those that are servers are connected one after the other."""
    from mcp_inspector.cli import diffing

    plan = diffing.plan(request, folders)
    settings = _settings(request, folders, max((entry.timeout or 0 for entry in plan.entries), default=0))
    log = _log() if request.record else None
    talk = Talk(quiet=request.quiet, verbose=request.verbose, log=log)
    try:
        return asyncio.run(_terminable(plan.carry_out(settings, talk)))
    finally:
        plan.close()
        if log is not None:
            log.close()


def _show_to_a_model(request: Request, folders: Folders) -> int:
    from mcp_inspector.cli import agents
    from mcp_inspector.cli.target import take_targets

    plan = agents.plan(request)
    entries = take_targets(request, plan.targets, folders)
    settings = _settings(request, folders, max(entry.timeout or 0 for entry in entries))
    log = _log() if request.record else None
    talk = Talk(quiet=request.quiet, verbose=request.verbose, log=log)
    try:
        return asyncio.run(_terminable(plan.carry_out(entries, settings, talk)))
    finally:
        if log is not None:
            log.close()


def _run_collections(request: Request) -> int:
    """Run collections. The traffic is written down in any case, and kept when it is wanted or shows a failure."""
    from mcp_inspector.cli.collections import prepared, run_collections

    prepared_run = prepared(request)
    log = _log(told=request.record)
    talk = Talk(quiet=request.quiet, verbose=request.verbose, log=log)
    folders = paths.folders()
    keep = True
    try:
        work = run_collections(request, prepared_run, folders, _settings(request, folders, 0), talk, log)
        code, keep = asyncio.run(_terminable(work))
        return code
    finally:
        log.close()
        if not keep and log.path is not None:
            with contextlib.suppress(OSError):
                log.path.unlink()


def _settings(request: Request, folders: Folders, own: float) -> Settings:
    """The effective settings. A time limit of the command line bounds everything, one of the server may only extend."""
    from mcp_inspector.config.settings import load

    loaded = load(folders.settings)
    for problem in loaded.problems:
        say(problem)
    settings, given = loaded.settings, request.timeout
    return replace(
        settings,
        request_timeout=given or max(settings.request_timeout, own),
        total_timeout=max(settings.total_timeout, given or own),
        probe_timeout=min(settings.probe_timeout, given or settings.probe_timeout),
    )


def _log(*, told: bool = True) -> Log:
    from mcp_inspector import __version__
    from mcp_inspector.store.log import Log

    folders = paths.folders()
    for problem in folders.problems:
        say(problem)
    log = Log.create(folders.data / "sessions", f"mcp-inspector {__version__}")
    if told or log.problem:
        say(log.problem or f"The traffic is kept in {log.path}.")
    return log


class _Terminated(Exception):
    """SIGTERM came."""


async def _terminable(work: Coroutine[Any, Any, T]) -> T:
    """Run it so that SIGTERM, like Ctrl+C, cancels what is under way and ends the server in order.

    Raises `_Terminated` after SIGTERM.
    """
    task = asyncio.current_task()
    terminated = False

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        if task is not None:
            task.cancel()

    with contextlib.suppress(NotImplementedError, RuntimeError):  # Windows has no such handlers
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    try:
        return await work
    except asyncio.CancelledError:
        if terminated:
            raise _Terminated from None
        raise
