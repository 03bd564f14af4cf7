"""Faults on request: a transport that does what its own does until somebody wants something to go wrong."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.transport.base import Fault, FaultKind, NoteKind
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    import asyncio

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.ways import Dial
    from mcp_inspector.transport.base import Key, Note, Outgoing, Received, Sink, Transport


class Trouble(StrEnum):
    """What can be provoked."""

    KILL = "kill"  # the server's process, by SIGKILL
    DROP = "drop"  # the connection, from one moment to the next
    EXPIRE = "expire"  # the HTTP session: the next request carries an id that the server does not know
    DELAY = "delay"  # answers come later
    REFUSE = "refuse"  # the next attempts to connect
    UNAVAILABLE = "503"  # the next requests are refused as a gateway does


@dataclass
class Saboteur:
    """Makes trouble for one server. `delay` is in seconds, `refusals` and `unavailable` count what is still to fail.

    Use `dial` in the place of the real one.
    """

    real: Dial
    delay: float = 0.0
    refusals: int = 0
    unavailable: int = 0
    current: Sabotaged | None = None
    tasks: Tasks = field(default_factory=Tasks)

    def dial(self, entry: ServerEntry, choice: str) -> Transport:
        """The real transport, within reach. Raises `Fault` while connections are to be refused."""
        if self.refusals > 0:
            self.refusals -= 1
            raise Fault(FaultKind.REFUSED, f"{entry.name} refused the connection: this was asked for in the lab.")
        self.current = Sabotaged(self, self.real(entry, choice), entry.name)
        return self.current

    def make(self, trouble: Trouble, amount: float = 1) -> str:
        """Let something go wrong now; `amount` is seconds or a count. Says what was done, or why it cannot be."""
        current = self.current
        if trouble is Trouble.DELAY:
            self.delay = amount
            return f"Answers come {amount:g} s later from now on."
        if trouble is Trouble.REFUSE:
            self.refusals = int(amount)
            return f"The next {int(amount)} attempts to connect are refused."
        if trouble is Trouble.UNAVAILABLE:
            self.unavailable = int(amount)
            return f"The next {int(amount)} requests are answered with 503."
        if current is None or current.over:
            return "Nothing is connected, so nothing can go wrong with it."
        return {Trouble.KILL: current.kill, Trouble.DROP: current.drop, Trouble.EXPIRE: current.expire}[trouble]()

    async def close(self) -> None:
        """Forget answers that were held back."""
        await self.tasks.close()


class Sabotaged:
    """A transport with a saboteur inside; see `transport.base.Transport`. It is the sink of the real one."""

    def __init__(self, saboteur: Saboteur, real: Transport, server: str) -> None:
        self._saboteur, self._real, self._server = saboteur, real, server
        self._sink: Sink | None = None
        self._pid = 0
        self.over = False
        self.name = real.name

    def kill(self) -> str:
        """End the server's process as the system would in need of memory."""
        if not self._pid:
            return "This server is not a process of ours: it can be dropped, not killed."
        os.kill(self._pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        return f"The server's process {self._pid} was killed."

    def drop(self) -> str:
        """Lose the connection as a network does."""
        self._end(Fault(FaultKind.RESET, f"The connection to {self._server} was lost: this was asked for in the lab."))
        self._saboteur.tasks.spawn(self._real.close(), "drop")
        return "The connection was dropped."

    def expire(self) -> str:
        """Have the server itself say that it does not know the session."""
        if not getattr(self._real, "session_id", ""):
            return "This connection has no session that could expire."
        self._real.session_id = "expired-in-the-lab"  # type: ignore[attr-defined]  # only one transport has sessions
        return "The next request carries a session id that the server does not know."

    def _end(self, fault: Fault | None) -> None:
        if not self.over and self._sink is not None:
            self.over = True
            self._sink.closed(fault)

    # --- the transport ---

    async def open(self, sink: Sink) -> None:
        """Start the real one, and listen to it."""
        self._sink = sink
        await self._real.open(self)

    async def send(self, out: Outgoing) -> None:
        """Pass on, or refuse."""
        if out.key is not None and self._saboteur.unavailable > 0:
            self._saboteur.unavailable -= 1
            sentence = f"{self._server} answered with HTTP 503: this was asked for in the lab."
            raise Fault(FaultKind.HTTP_STATUS, sentence, facts={"http_status": 503})
        await self._real.send(out)

    def agree(self, version: str) -> None:
        """Pass on."""
        self._real.agree(version)

    async def listen(self) -> None:
        """Pass on."""
        await self._real.listen()

    def settled(self, key: Key) -> None:
        """Pass on."""
        self._real.settled(key)

    def abandon(self, key: Key) -> None:
        """Pass on."""
        self._real.abandon(key)

    async def close(self) -> None:
        """Pass on."""
        await self._real.close()

    # --- the sink ---

    def received(self, item: Received) -> None:
        """Pass on, now or later."""
        assert self._sink is not None
        if self._saboteur.delay and not self.over:
            self._loop().call_later(self._saboteur.delay, self._late, item)
        elif not self.over:
            self._sink.received(item)

    def _late(self, item: Received) -> None:
        if not self.over and self._sink is not None:
            self._sink.received(item)

    def noted(self, note: Note) -> None:
        """Pass on, and learn the process."""
        assert self._sink is not None
        if note.kind is NoteKind.STARTED:
            self._pid = int(note.facts.get("pid", 0))
        elif note.kind is NoteKind.EXITED:
            self._pid = 0
        self._sink.noted(note)

    def lost(self, key: Key, fault: Fault) -> None:
        """Pass on."""
        assert self._sink is not None
        self._sink.lost(key, fault)

    def closed(self, fault: Fault | None) -> None:
        """Pass on, once."""
        self._end(fault)

    def _loop(self) -> asyncio.AbstractEventLoop:
        import asyncio

        return asyncio.get_running_loop()
