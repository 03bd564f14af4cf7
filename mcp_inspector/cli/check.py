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
from mcp_inspector.session.probing.probe import Verdict
from mcp_inspector.store.opening import SessionFileError

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.session.probing.probe import Done
    from mcp_inspector.store.log import Log

_SEVERITY = {Verdict.WRONG: Severity.ERROR, Verdict.ODD: Severity.WARNING, Verdict.TOLD: Severity.INFO}
LARGEST = 64 << 20
"""Bytes of a message up to which it is judged here; nobody waits for a window."""


def session_named(request: Request, folders: Folders) -> Path | None:
    """The recorded session that the command line names, None when it names a server; ``latest`` is the newest."""
    if request.program is not None or len(request.words) != 1 or "://" in request.words[0]:
        return None
    if request.words[0] == "latest":
        from mcp_inspector.cli.exporting import session_path

        return session_path("latest", folders)
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
    from mcp_inspector.session.importing import opened
    from mcp_inspector.store.export import ExportFormatError

    checked(request)
    try:
        log = opened(path)
    except (SessionFileError, ExportFormatError) as error:
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
    probed: list[Done] = request.probed
    if request.json:
        document = report.as_json(groups, len(log)) | ({"probes": [_plain(one) for one in probed]} if probed else {})
        printing.put_json(msgspec.json.encode(document))
    else:
        printing.put([*_probe_lines(probed), *report.as_text(groups, len(log))])
    bad = any(_SEVERITY.get(one.came.verdict, 0) >= least for one in probed)
    return Exit.FINDINGS if bad or any(not group.ours for group in groups) else Exit.OK


def _plain(done: Done) -> dict[str, object]:
    probe, came = done.probe, done.came
    return {
        "probe": probe.id,
        "number": probe.number,
        "expected": probe.expected,
        "verdict": came.verdict.value,
        "sentence": came.sentence,
        "records": list(came.seqs),
    }


def _probe_lines(probed: list[Done]) -> list[str]:
    lines = [
        f"  {one.came.verdict.value:<16} {one.probe.id}: {one.came.sentence}"
        + "".join(f" #{seq}" for seq in one.came.seqs[-4:])
        for one in probed
    ]
    return ["Probes", *lines, ""] if lines else []


def _write(path: str, text: str) -> None:
    try:
        Path(path).expanduser().write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}.") from error
