"""What happens on the way, on standard error, and in a session file when one is wanted."""

from __future__ import annotations

import contextlib
import functools
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.config.visible import visible
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.redact import redact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mcp_inspector.session.cache import Hint
    from mcp_inspector.session.call import Progress
    from mcp_inspector.session.listing import Page
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.server import Server
    from mcp_inspector.session.task_runs import TaskRun
    from mcp_inspector.store.record import Entry
    from mcp_inspector.wire.frame import Frame

_LONGEST = 4000


def say(text: str) -> None:
    """One line on standard error, with hidden characters as escapes."""
    try:
        print(visible(text), file=sys.stderr, flush=True)
    except BrokenPipeError:  # nobody reads it any more
        sys.stderr = None  # print then does nothing


class Talk:
    """The journal of a command: tells what is worth telling, and hands every record on to `log` where there is one."""

    def __init__(self, *, quiet: bool = False, verbose: bool = False, log: Journal | None = None) -> None:
        self._quiet, self._verbose, self._log = quiet, verbose, log
        self._count = 0

    def append(self, entry: Entry) -> int:
        """See `session.recorder.Journal`."""
        self._count += 1
        seq = self._log.append(entry) if self._log is not None else self._count
        if entry.channel is Channel.STDERR:
            if not self._quiet:
                say(f"{entry.server} stderr: {_text(entry.data)}")
        elif entry.channel is Channel.STDOUT:
            if not self._quiet:
                say(f"{entry.server} stdout, which is no message: {_text(entry.data)}")
        elif entry.kind == "warning":
            if not self._quiet:
                say(f"{entry.server}: {entry.facts.get('sentence', '')}")
        elif self._verbose:
            self._tell_all(entry)
        return seq

    def progress(self, progress: Progress) -> None:
        """One step of a request under way."""
        if self._quiet:
            return
        numbers = "" if progress.progress is None else f"{progress.progress:g}"
        total = "" if progress.total is None else f" of {progress.total:g}"
        say(f"progress {numbers}{total}{': ' if progress.message else ''}{progress.message}")

    def page(self, server: str, what: str, page: Page) -> None:
        """One page of a list, with its cursors as they travelled."""
        if self._verbose:
            cursors = [(raw or b"none")[:200].decode(errors="replace") for raw in (page.cursor, page.next_cursor)]
            new = f"{len(page.items)} entries, {page.new} of new names"
            say(f"{server} {what} page {page.number}: {new}; cursor {cursors[0]}, next {cursors[1]}")

    def freshness(self, server: str, what: str, hint: Hint) -> None:
        """How long the server lets a result be used again, where it says so."""
        if self._verbose and hint.ttl_ms is not None:
            say(f"{server} {what}: fresh for {hint.ttl_ms / 1000:g} s{', ' if hint.scope else ''}{hint.scope}")
        for fault in hint.faults:
            say(f"{server} {what}: {fault}")

    @contextlib.contextmanager
    def tasks_of(self, server: Server) -> Iterator[None]:
        """While a tool is called, tell how its task stands."""
        known: dict[int, Callable[[], None]] = {}

        def look() -> None:
            for run in server.task_runs:
                if id(run) not in known:
                    known[id(run)] = run.changed.connect(functools.partial(self._task, run))
                    self._task(run)

        stop = server.changed.connect(look)
        try:
            yield
        finally:
            stop()
            for undo in known.values():
                undo()

    def _task(self, run: TaskRun) -> None:
        if not self._quiet and run.outcome is None and run.history:
            _, status, message = run.history[-1]
            say(f"task {run.state.task_id} {status}{': ' if message else ''}{message}")

    def notified(self, frame: Frame) -> None:
        """A notification of the server: its log messages are told."""
        if self._quiet or frame.method != "notifications/message":
            return
        params: Mapping[str, Any] = _decoded(frame.params)
        logger = f" {params['logger']}" if isinstance(params.get("logger"), str) else ""
        data = params.get("data")
        text = data if isinstance(data, str) else msgspec.json.encode(data).decode()
        say(f"log {params.get('level', '')}{logger}: {text[:_LONGEST]}")

    def _tell_all(self, entry: Entry) -> None:
        if entry.channel is Channel.MESSAGE:
            arrow = "→" if entry.direction is Direction.SENT else "←"
            say(f"{arrow} {redact_text(_text(entry.data)).text}")
            for fault in entry.faults:
                say(f"  this message {fault}")
        elif entry.channel is Channel.HTTP:
            status = "" if entry.status is None else f" {entry.status}"
            say(f"· HTTP {entry.kind} {entry.method} {redact_text(entry.target).text}{status}")
        else:
            facts = entry.facts
            said = redact_text(str(facts.get("sentence") or facts.get("step") or facts.get("event") or "")).text
            say(f"· {entry.kind}{': ' if said else ''}{said}")


def _text(data: bytes) -> str:
    more = f" … {len(data) - _LONGEST} more bytes" if len(data) > _LONGEST else ""
    return data[:_LONGEST].decode(errors="backslashreplace").rstrip("\r\n") + more


def _decoded(params: bytes | None) -> Mapping[str, Any]:
    try:
        value = msgspec.json.decode(params or b"{}")
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
