"""The command `export`: a session in another format, to a file, to stdout, or to a collector."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_inspector import __version__
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.cli.journal import say
from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.formats import pieces, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.store.log import Log
    from mcp_inspector.store.telling import Piece

_NAMES = 12


def export(request: Request, folders: Folders) -> int:
    """Carry the command out. Raises `UsageError` and `OutputError`."""
    options = request.options
    if len(request.words) != 1:
        raise UsageError("Name one session: a file, or “latest”. See mcp-inspector export --help.")
    if options["collector"] and options["format"] != "otlp":
        raise UsageError("--collector takes spans: add --format otlp.")
    if options["show_secrets"] and options["redact"]:
        raise UsageError("--redact and --show-secrets contradict each other.")
    log = session_of(request.words[0], folders)
    try:
        exchanges = Exchanges(log)
        exchanges.update()
        seqs = filtered(exchanges, options["filter"])
        redact = not options["show_secrets"]
        if options["collector"]:
            return _send(request, log, exchanges, seqs, redact=redact)
        found = pieces(options["format"], log, seqs, redact=redact, exchanges=exchanges, version=__version__)
        _write(found, options["output"])
        if not len(log):
            say("The session is empty.")
    finally:
        log.close()
    return Exit.OK


def session_of(word: str, folders: Folders) -> Log:
    """The traffic that a word names: a file, or a recorded session by how its name begins. Raises `UsageError`."""
    from mcp_inspector.session.importing import opened
    from mcp_inspector.store.export import ExportFormatError
    from mcp_inspector.store.session_file import SessionFileError

    path = session_path(word, folders)
    if path is None:
        raise UsageError(f"There is no session {word!r}: no such file, and no recorded session is called so.")
    try:
        log = opened(path)
    except (SessionFileError, ExportFormatError) as error:
        raise UsageError(str(error)) from error
    if log.problem:
        say(log.problem)
    return log


def session_path(word: str, folders: Folders) -> Path | None:
    """The file that a word names, None when there is none. Raises `UsageError` when it fits several sessions."""
    from mcp_inspector.store.opening import SUFFIX

    path = Path(word).expanduser()
    if path.is_file():
        return path
    if "/" in word or "\\" in word or not word:
        return None
    kept = sorted((folders.data / "sessions").glob(f"*{SUFFIX}"), key=lambda each: each.stat().st_mtime_ns)
    if word == "latest":
        return kept[-1] if kept else None
    found = [each for each in kept if each.name.startswith(word)]
    exact = [each for each in found if each.stem == word or each.name == word]
    if len(found) > 1 and not exact:
        names = ", ".join(each.stem for each in found[-5:])
        raise UsageError(f"{len(found)} sessions are called {word!r} at the beginning, for example {names}.")
    return next(iter(exact or found), None)


def filtered(exchanges: Exchanges, line: str) -> list[int] | None:
    """The records of the rows that a filter line lets through, None for all. Raises `UsageError`."""
    if not line.strip():
        return None
    from mcp_inspector.store.filter import Filter
    from mcp_inspector.store.query import QueryError, parse

    try:
        rows = Filter(parse(line), exchanges).rows()
    except QueryError as error:
        raise UsageError(f"The filter cannot be read: {error}") from error
    return whole(exchanges, rows)


def _write(found: Iterator[Piece], output: str) -> None:
    masked: Counter[str] = Counter()

    def counted() -> Iterator[bytes]:
        for piece in found:
            masked.update(piece.masked)
            yield piece.data

    if output and output != "-":
        _write_file(counted(), Path(output).expanduser())
    else:
        try:
            for data in counted():
                sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputError(f"the output cannot be written: {error.strerror}.") from error
    if masked:
        names = ", ".join(f"{name} ({count})" for name, count in masked.most_common(_NAMES))
        more = f" and {len(masked) - _NAMES} more names" if len(masked) > _NAMES else ""
        say(f"{masked.total():,} secrets are masked: {names}{more}.")


def _write_file(data: Iterator[bytes], path: Path) -> None:
    """In one step, readable by the owner only: a failure leaves what was there."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:80]}", suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.writelines(data)
        os.replace(temporary, path)
    except BaseException as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError):
            raise OutputError(f"{path} cannot be written: {error.strerror or error}.") from error
        raise


def _send(request: Request, log: Log, exchanges: Exchanges, seqs: list[int] | None, *, redact: bool) -> int:
    from mcp_inspector.session.collector import send_spans, traces_url
    from mcp_inspector.store.telling import Teller
    from mcp_inspector.transport.base import Fault, FaultKind

    url = request.options["collector"]
    teller = Teller(log, exchanges, redact=redact)
    try:
        count = asyncio.run(send_spans(teller, url, seqs, version=__version__, timeout=request.timeout or 30))
    except Fault as fault:
        if fault.kind is FaultKind.USAGE:
            raise UsageError(f"--collector: {fault} Give the base URL, such as http://localhost:4318.") from fault
        say(f"mcp-inspector: {fault}")
        return Exit.TIMEOUT if fault.kind is FaultKind.TIMEOUT else Exit.CONNECTION
    say(f"{count:,} spans were sent to {traces_url(url)}.")
    return Exit.OK
