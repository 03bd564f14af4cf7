"""A server as a child process: one message a line on its standard input and output, free text on standard error."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import IO, TYPE_CHECKING, Any

from mcp_inspector.transport import pipes
from mcp_inspector.transport.base import Fault, FaultKind, Note, NoteKind, Received, now
from mcp_inspector.transport.limits import SLICE_NS, Limits
from mcp_inspector.transport.lines import Lines
from mcp_inspector.transport.process import Process
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp_inspector.transport.base import Key, Outgoing, Sink

_FIRST = 4096
_LAST_LINES = 20
_LAST_WIDTH = 2000
_STDERR_LINE = 64 * 1024
_PROMPT_AFTER = 0.5
_JOINED = 64 * 1024
_PATIENCE = 10


class Stdio:
    """The stdio transport. `argv` is the command and its arguments, `env` is laid over the inherited environment.

    `open` raises NOT_FOUND, NOT_STARTED or USAGE. A server that ends, closes its output or stops reading closes the
    connection: EXITED, CLOSED or BROKEN_PIPE, with pid, argv, cwd, exit_code or signal, the last lines of stderr and
    the first output in the facts. Standard error never is evidence of a failure by itself.
    """

    name = "stdio"

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str = "",
        limits: Limits | None = None,
    ) -> None:
        self._argv = tuple(argv)
        self._env = dict(env or {})
        self._cwd = cwd
        self._limits = limits or Limits()
        self._tasks = Tasks()
        self._opened = False
        self._finishing: asyncio.Task[None] | None = None
        self._stopping = False  # close was called
        self._told = False  # the sink knows that the connection is gone
        self._fault: Fault | None = None
        self._first = b""
        self._last: deque[str] = deque(maxlen=_LAST_LINES)

    @property
    def pid(self) -> int | None:
        """The process id, None before it has been started."""
        return self._process.pid if self._opened else None

    async def open(self, sink: Sink) -> None:
        """Start the process. Raises `Fault`."""
        self._sink = sink
        self._process = process = Process(self._argv, self._env, self._cwd)
        self._opened = True
        self._writer = pipes.writer(process.stdin)
        self._out = _Feed(process.stdout, self._limits.message, self._line, self._begin_finish, self._keep_first)
        self._err = _Feed(process.stderr, _STDERR_LINE, self._stderr_line, self._nothing, self._prompt_later)
        process.exited.add_done_callback(self._on_exit)
        self._prompt: asyncio.TimerHandle | None = None
        facts = {"argv": list(self._argv), "cwd": process.cwd, "pid": process.pid}
        self._note(NoteKind.STARTED, facts=facts | {"program": process.program, "env": sorted(self._env)})

    async def send(self, out: Outgoing) -> None:
        """Write one line. Waits while the server does not read; cancelling that wait is safe. Raises `Fault`."""
        if self._told or self._stopping or not self._opened:
            raise self._fault or Fault(FaultKind.CLOSED, "The server is not running.")
        try:
            if len(out.raw) < _JOINED:
                await self._writer.write(out.raw + b"\n")
            else:
                await self._writer.write(out.raw, b"\n")
        except OSError as error:
            if not self._stopping:
                # most often the process has just ended: then that is the reason to give, not its pipe
                await asyncio.wait({self._begin_finish()}, timeout=self._limits.linger)
            sentence = "The server does not take messages any more: its standard input is closed."
            raise self._fault or Fault(FaultKind.BROKEN_PIPE, sentence, facts=self._known()) from error

    def agree(self, version: str) -> None:
        """Nothing depends on the version here."""

    async def listen(self) -> None:
        """Everything comes on the one stream."""

    def settled(self, key: Key) -> None:
        """Nothing is held for a request here."""

    def abandon(self, key: Key) -> None:
        """Nothing is held for a request here."""

    async def close(self) -> None:
        """Close standard input, wait, then SIGTERM and SIGKILL to the whole group, as far as needed."""
        self._stopping = True
        if self._opened:
            await asyncio.shield(self._begin_finish())

    # what comes in

    def _line(self, line: bytes, skipped: int, wall_ns: int, mono_ns: int) -> None:
        if not self._told:
            self._sink.received(Received(line, wall_ns, mono_ns, "stdio", skipped=skipped))

    def _stderr_line(self, line: bytes, skipped: int, wall_ns: int, mono_ns: int) -> None:
        self._last.append(line[:_LAST_WIDTH].decode("utf-8", "replace"))
        self._sink.noted(Note(NoteKind.STDERR, wall_ns, mono_ns, line, {"skipped": skipped} if skipped else {}))

    def _keep_first(self, chunk: bytes) -> None:
        if len(self._first) < _FIRST:
            self._first += chunk[: _FIRST - len(self._first)]

    def _prompt_later(self, chunk: bytes) -> None:
        # "Ok to proceed? (y)" has no newline and explains why nothing else happens: show it when it stays the last word
        if self._prompt is None and not chunk.endswith(b"\n"):
            self._prompt = asyncio.get_running_loop().call_later(_PROMPT_AFTER, self._show_prompt)

    def _show_prompt(self) -> None:
        self._prompt = None
        if time.perf_counter_ns() - self._err.read_ns >= _PROMPT_AFTER * 0.9e9:
            self._err.flush()
        elif self._err.partial:
            self._prompt_later(b"")

    def _nothing(self) -> None:
        """The end of standard error alone means nothing."""

    # how it ends

    def _on_exit(self, _exited: asyncio.Future[int]) -> None:
        facts = {"pid": self._process.pid, "seconds": round(self._process.seconds, 3)}
        self._note(NoteKind.EXITED, facts=facts | self._process.how())
        self._begin_finish()

    def _begin_finish(self) -> asyncio.Task[None]:
        if self._finishing is None:
            self._finishing = self._tasks.spawn(self._finish(), f"end of {self._process.pid}")
        return self._finishing

    async def _finish(self) -> None:
        """The one way to the end, whoever began it: say why, end the group, give everything back."""
        if not self._stopping:
            await self._settle()
        if not self._stopping:
            self._tell(self._why())
        self._writer.close()
        await self._process.end(self._limits.stop, self._step)
        await self._settle()
        self._out.close()
        self._err.close()
        if self._prompt is not None:
            self._prompt.cancel()
        self._tell(None)

    async def _settle(self) -> None:
        """Wait until the process has ended and its output with it; as long as output flows, a little longer."""
        signs: set[asyncio.Future[Any]] = {self._process.exited, self._out.ended, self._err.ended}
        for _ in range(_PATIENCE):
            _, waiting = await asyncio.wait(signs, timeout=self._limits.linger)
            idle = time.perf_counter_ns() - max(self._out.read_ns, self._err.read_ns) > self._limits.linger * 1e9
            if not waiting or self._stopping or (idle and not self._out.busy):
                return

    def _tell(self, fault: Fault | None) -> None:
        if self._told:
            return
        if fault is not None:
            self._out.close()
        self._told = True
        self._fault = fault
        self._sink.closed(fault)

    def _why(self) -> Fault:
        facts, how = self._known(), self._process.how()
        if "signal" in how:
            return Fault(FaultKind.EXITED, f"The server's process was ended by {how['signal']}.", facts=facts)
        if how:
            return Fault(
                FaultKind.EXITED, f"The server's process ended with exit code {how['exit_code']}.", facts=facts
            )
        if self._out.ended.done():
            sentence = "The server closed its standard output while its process still runs."
            return Fault(FaultKind.CLOSED, sentence, facts=facts)
        sentence = "The server closed its standard input while its process still runs."
        return Fault(FaultKind.BROKEN_PIPE, sentence, facts=facts)

    def _known(self) -> dict[str, Any]:
        process = self._process
        facts: dict[str, Any] = {"argv": list(self._argv), "cwd": process.cwd, "pid": process.pid}
        return facts | process.how() | {"stderr": list(self._last), "first_output": self._first}

    def _step(self, step: str) -> None:
        self._note(NoteKind.SHUTDOWN, facts={"step": step, "pid": self._process.pid})

    def _note(self, kind: NoteKind, facts: Mapping[str, Any]) -> None:
        wall_ns, mono_ns = now()
        self._sink.noted(Note(kind, wall_ns, mono_ns, facts=facts))


class _Feed:
    """One pipe as lines, handed over in slices of time so that a flood never holds the loop.

    `ended` is done at the end of the stream, after its last line. `read_ns` is when the last bytes came (monotonic).
    """

    def __init__(
        self,
        pipe: IO[bytes],
        limit: int,
        deliver: Callable[[bytes, int, int, int], None],
        on_end: Callable[[], object],
        on_chunk: Callable[[bytes], None],
    ) -> None:
        self._lines = Lines(limit)
        self._deliver = deliver
        self._on_end = on_end
        self._on_chunk = on_chunk
        self._queue: list[tuple[bytes, int]] = []
        self._at = 0
        self._closed = False
        self._wall_ns, self.read_ns = now()
        self._loop = asyncio.get_running_loop()
        self.busy = False
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self._reader = pipes.reader(pipe, self._chunk, self._end)

    @property
    def partial(self) -> bool:
        """Whether a line has begun and not ended."""
        return self._lines.partial

    def _chunk(self, chunk: bytes) -> None:
        self._wall_ns, self.read_ns = now()
        self._on_chunk(chunk)
        self._queue, self._at = self._lines.feed(chunk), 0
        self._hand_over()

    def _hand_over(self) -> None:
        until = time.perf_counter_ns() + SLICE_NS
        queue, wall_ns, mono_ns = self._queue, self._wall_ns, self.read_ns
        while self._at < len(queue):
            line, skipped = queue[self._at]
            self._at += 1
            self._deliver(line, skipped, wall_ns, mono_ns)
            if time.perf_counter_ns() > until and self._at < len(queue):
                if not self.busy:
                    self.busy = True
                    self._reader.pause()
                self._loop.call_soon(self._hand_over)
                return
        if self.busy:
            self.busy = False
            if not self._closed:
                self._reader.resume()

    def flush(self) -> None:
        """Hand over what is left, a line without its newline too."""
        rest = self._queue[self._at :] + self._lines.flush()
        self._at = len(self._queue)
        for line, skipped in rest:
            self._deliver(line, skipped, self._wall_ns, self.read_ns)

    def _end(self) -> None:
        self.flush()
        if not self.ended.done():
            self.ended.set_result(None)
        self._on_end()

    def close(self) -> None:
        """Stop reading and give the pipe back; what was read is handed over."""
        if not self._closed:
            self._closed = True
            self._reader.close()
            self.flush()
