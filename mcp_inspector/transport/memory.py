"""A transport within the process: a peer is a function that is handed each message, in order, as over any wire."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mcp_inspector.transport.base import Fault, FaultKind, Received, now

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.transport.base import HttpHead, Key, Outgoing, Sink


class Memory:
    """The memory transport. `peer(out, memory)` is called from the loop, one turn after `send`, once for each message.

    The peer answers with `deliver`, `lose` and `drop`, at once or later, as often as it likes. `sent` keeps what went
    out; `version`, `settled_keys`, `abandoned_keys` and `listening` keep what else the session said.
    """

    name = "memory"

    def __init__(self, peer: Callable[[Outgoing, Memory], object]) -> None:
        self._peer = peer
        self._sink: Sink | None = None
        self._gone: Fault | None = None
        self._over = False
        self.sent: list[Outgoing] = []
        self.version = ""
        self.listening = False
        self.settled_keys: list[Key] = []
        self.abandoned_keys: list[Key] = []

    async def open(self, sink: Sink) -> None:
        """Begin."""
        self._sink = sink

    async def send(self, out: Outgoing) -> None:
        """Hand a message to the peer. Raises `Fault` once the connection is gone."""
        if self._sink is None or self._over:
            raise self._gone or Fault(FaultKind.CLOSED, "The connection is not open.")
        self.sent.append(out)
        asyncio.get_running_loop().call_soon(self._hand_over, out)

    def _hand_over(self, out: Outgoing) -> None:
        if not self._over:
            self._peer(out, self)

    def agree(self, version: str) -> None:
        """Kept in `version`."""
        self.version = version

    async def listen(self) -> None:
        """Kept in `listening`."""
        self.listening = True

    def settled(self, key: Key) -> None:
        """Kept in `settled_keys`."""
        self.settled_keys.append(key)

    def abandon(self, key: Key) -> None:
        """Kept in `abandoned_keys`."""
        self.abandoned_keys.append(key)

    async def close(self) -> None:
        """End it from our side."""
        self._end(None)

    def deliver(self, raw: bytes, answers: Key | None = None, http: HttpHead | None = None, skipped: int = 0) -> None:
        """A message from the peer; with `answers` and `http` as if it came over HTTP."""
        if self._sink is not None and not self._over:
            wall_ns, mono_ns = now()
            self._sink.received(Received(raw, wall_ns, mono_ns, "memory", answers, http, skipped=skipped))

    def lose(self, key: Key, fault: Fault) -> None:
        """One request gets no answer."""
        if self._sink is not None and not self._over:
            self._sink.lost(key, fault)

    def drop(self, fault: Fault) -> None:
        """The peer ends the connection."""
        self._gone = fault
        self._end(fault)

    def _end(self, fault: Fault | None) -> None:
        if self._sink is not None and not self._over:
            self._over = True
            self._sink.closed(fault)
