"""Carries out one command: connect, ask, show, end everything, and say by the exit code how it went."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_inspector.cli.arguments import Request, parse
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.cli.journal import Talk, say
from mcp_inspector.config import paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.store.log import Log


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
    from mcp_inspector.cli.target import take_target

    entry, words = take_target(request, folders)
    settings = _settings(request, folders, entry)
    log = _log() if request.record else None
    try:
        return asyncio.run(_terminable(request, entry, words, settings, log))
    finally:
        if log is not None:
            log.close()


def _settings(request: Request, folders: Folders, entry: ServerEntry) -> Settings:
    """The effective settings. A time limit of the command line bounds everything, one of the server may only extend."""
    from mcp_inspector.config.settings import load

    loaded = load(folders.settings)
    for problem in loaded.problems:
        say(problem)
    settings, own, given = loaded.settings, entry.timeout or 0, request.timeout
    return replace(
        settings,
        request_timeout=given or max(settings.request_timeout, own),
        total_timeout=max(settings.total_timeout, given or own),
        probe_timeout=min(settings.probe_timeout, given or settings.probe_timeout),
    )


def _log() -> Log:
    from mcp_inspector import __version__
    from mcp_inspector.store.log import Log

    folders = paths.folders()
    for problem in folders.problems:
        say(problem)
    log = Log.create(folders.data / "sessions", f"mcp-inspector {__version__}")
    say(log.problem or f"The traffic is kept in {log.path}.")
    return log


async def _terminable(
    request: Request, entry: ServerEntry, words: list[str], settings: Settings, log: Log | None
) -> int:
    """Run it so that SIGTERM, like Ctrl+C, cancels what is under way and ends the server in order."""
    from mcp_inspector.cli import commands, signing

    carry_out = signing.carry_out if request.command in ("login", "logout") else commands.carry_out
    task = asyncio.current_task()
    terminated = False

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        if task is not None:
            task.cancel()

    with contextlib.suppress(NotImplementedError, RuntimeError):  # Windows has no such handlers
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    talk = Talk(quiet=request.quiet, verbose=request.verbose, log=log)
    try:
        return await carry_out(request, entry, words, settings, talk)
    except asyncio.CancelledError:
        if terminated:
            say("mcp-inspector: terminated")
            return Exit.TERMINATED
        raise
