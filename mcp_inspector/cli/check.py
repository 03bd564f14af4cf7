"""The command `check`: what is wrong with a server or with a recorded session, for people and for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector import __version__
from mcp_inspector.checks import report
from mcp_inspector.checks.catalogue import RULES
from mcp_inspector.checks.judge import Judge
from mcp_inspector.checks.rule import Severity
from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.config.visible import visible
from mcp_inspector.store.opening import SessionFileError

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.store.log import Log

LARGEST = 64 << 20
"""Bytes of a message up to which it is judged here; nobody waits for a window."""


def session_named(request: Request) -> Path | None:
    """The recorded session that the command line names, None when it names a server."""
    if request.program is not None or len(request.words) != 1 or "://" in request.words[0]:
        return None
    path = Path(request.words[0]).expanduser()
    return path if path.is_file() else None


def checked(request: Request) -> None:
    """Refuse options that mean nothing, before anything is started. Raises `UsageError`."""
    import difflib

    for name in request.off:
        if name not in RULES:
            near = difflib.get_close_matches(name, RULES, 3, 0.4)
            hint = f" There is: {', '.join(near)}." if near else ""
            raise UsageError(f"--off {visible(name)!r} is no rule.{hint}")


def of_file(request: Request, path: Path) -> int:
    """Judge a recorded session and report; returns the exit code. Raises `UsageError`."""
    from mcp_inspector.store.log import Log

    checked(request)
    try:
        log = Log.open(path)
    except SessionFileError as error:
        raise UsageError(str(error)) from None
    try:
        return of_log(request, log, path.name)
    finally:
        log.close()


def of_log(request: Request, log: Log, name: str) -> int:
    """Judge what was recorded, write the reports, and say by the exit code whether anything was found."""
    judge = Judge(log, request.off, LARGEST)
    judge.update()
    least = Severity[request.severity.upper()]
    groups = report.chosen(judge, least)
    if request.junit:
        _write(request.junit, report.as_junit(groups, name))
    if request.sarif:
        _write(request.sarif, msgspec.json.encode(report.as_sarif(groups, __version__)).decode())
    if request.json:
        printing.put_json(msgspec.json.encode(report.as_json(groups, len(log))))
    else:
        printing.put(report.as_text(groups, len(log)))
    return Exit.FINDINGS if any(not group.ours for group in groups) else Exit.OK


def _write(path: str, text: str) -> None:
    try:
        Path(path).expanduser().write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}.") from error
