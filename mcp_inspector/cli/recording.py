"""The command `record`: between a client and a server, every byte passed on unchanged and kept in a session file."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_inspector import __version__
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.cli.journal import say
from mcp_inspector.cli.target import take_target
from mcp_inspector.config import paths
from mcp_inspector.config.variables import expand
from mcp_inspector.session.observer import Observer
from mcp_inspector.store.opening import SUFFIX
from mcp_inspector.store.record import Direction
from mcp_inspector.transport.base import Fault, FaultKind, now
from mcp_inspector.transport.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.store.log import Log
    from mcp_inspector.transport.relay import Passed, Relay

_LINE = 256 << 20
_STDERR_LINE = 64 * 1024


def record(request: Request, folders: Folders) -> int:
    """Carry the command out; returns the server's own exit code when it was started here. Raises `UsageError`."""
    entry, words = take_target(request, folders)
    if words:
        raise UsageError(f"{words[0]!r} is too much. See mcp-inspector record --help.")
    expanded = expand(entry)
    if expanded.problems:
        raise UsageError(" ".join(expanded.problems))
    entry = expanded.entry
    target = _target(request.options["output"])
    log = _log(target)
    say(log.problem or f"The traffic is kept in {target or log.path}.")
    try:
        if entry.remote:
            return asyncio.run(_proxy(request, entry, log))
        return _relay(entry, log)
    finally:
        log.close()
        _name(log, target)


def _target(output: str) -> Path | None:
    if not output:
        return None
    path = Path(output).expanduser().absolute()
    path = path if path.suffix else path.with_name(path.name + SUFFIX)
    if path.exists():
        raise UsageError(f"{path} is there already. Name another file.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.")
    return path


def _log(target: Path | None) -> Log:
    from mcp_inspector.store.log import Log

    if target is not None:
        return Log.create(target.parent, f"mcp-inspector {__version__}")
    found = paths.folders()
    for problem in found.problems:
        say(problem)
    return Log.create(found.data / "sessions", f"mcp-inspector {__version__}")


def _name(log: Log, target: Path | None) -> None:
    """Give the file the name that was asked for, now that it is one whole file. A crash leaves it under its date."""
    if target is None or log.path is None:
        return
    try:
        log.path.rename(target)
    except OSError as error:
        raise OutputError(f"The session stays in {log.path}: {error.strerror or error}.") from error


def _relay(entry: ServerEntry, log: Log) -> int:
    from mcp_inspector.transport.relay import Relay

    argv = (entry.command, *entry.args)
    seen = Observer(log, entry.name)
    try:
        relay = Relay(argv, entry.env, entry.cwd)
    except Fault as fault:
        say(f"mcp-inspector: {fault} {fault.hint}".rstrip())
        seen.event("failed", now(), sentence=str(fault))
        return Exit.CONNECTION
    facts = {"argv": list(argv), "cwd": relay.cwd, "pid": relay.pid, "program": relay.program}
    seen.event("started", now(), **facts)
    with _passing_on(relay):
        _look(relay, seen)
    code = relay.code or 0
    ended: dict[str, Any] = {"exit_code": code} if code >= 0 else {"signal": _signal_name(-code)}
    seen.event("exited", now(), **ended)
    # As a shell tells of a signal.
    return code if code >= 0 else 128 - code


def _look(relay: Relay, seen: Observer) -> None:
    """Cut what passes into messages and lines, and record them."""
    from mcp_inspector.transport.relay import Way

    lines = {Way.IN: Lines(_LINE), Way.OUT: Lines(_LINE), Way.ERR: Lines(_STDERR_LINE)}
    for piece in relay.pieces():
        cut = lines[piece.way]
        for line, skipped in cut.feed(piece.data) if piece.data else cut.flush():
            _keep(seen, piece, line, skipped)


def _keep(seen: Observer, piece: Passed, line: bytes, skipped: int) -> None:
    from mcp_inspector.transport.relay import Way

    times = piece.wall_ns, piece.mono_ns
    if piece.way is Way.ERR:
        seen.line(line, times)
    else:
        direction = Direction.SENT if piece.way is Way.IN else Direction.RECEIVED
        seen.message(direction, line, times, {"skipped": skipped} if skipped else None)


@contextlib.contextmanager
def _passing_on(relay: Relay) -> Iterator[None]:
    """Signals that are meant for the server reach it, and this process goes on to write down its end."""

    def pass_on(number: int, _: FrameType | None) -> None:
        relay.signal(number)

    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), pass_on) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


async def _proxy(request: Request, entry: ServerEntry, log: Log) -> int:
    from mcp_inspector.transport.proxy import RecordingProxy

    seen = Observer(log, entry.name)
    proxy = RecordingProxy(entry.url, entry.headers, _Watcher(seen))
    try:
        url = await proxy.open(request.options["port"])
    except Fault as fault:
        if fault.kind is FaultKind.USAGE:
            raise UsageError(f"{fault} {fault.hint}".rstrip()) from fault
        say(f"mcp-inspector: {fault}")
        return Exit.CONNECTION
    say(f"Listening at {url} for {entry.url}. Ctrl+C ends it.")
    over = asyncio.Event()
    with contextlib.suppress(NotImplementedError, RuntimeError):  # Windows has no such handlers
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, over.set)
    try:
        await over.wait()
    finally:
        await proxy.close()
    say(f"{len(log):,} records were kept.")
    return Exit.OK


class _Watcher:
    """Hands what a proxy sees on to an observer."""

    def __init__(self, seen: Observer) -> None:
        self._seen = seen

    def head(self, facts: Mapping[str, Any], data: bytes) -> None:
        """See `transport.proxy.Watcher`."""
        direction = Direction.RECEIVED if "status" in facts else Direction.SENT
        self._seen.http(direction, now(), facts, data)

    def message(self, data: bytes, facts: Mapping[str, Any], *, sent: bool) -> None:
        """See `transport.proxy.Watcher`."""
        self._seen.message(Direction.SENT if sent else Direction.RECEIVED, data, now(), facts)

    def refused(self, sentence: str) -> None:
        """See `transport.proxy.Watcher`."""
        self._seen.event("warning", now(), sentence=sentence)
        say(sentence)
