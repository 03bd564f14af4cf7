"""The life of one server: its connections are made, watched and ended by one task, one after another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from mcp_inspector.config.variables import expand
from mcp_inspector.session.connecting import Connected, Connecting, known_mode
from mcp_inspector.session.recorder import Journal, Recorder
from mcp_inspector.session.signing_in import filled
from mcp_inspector.session.status import UP, Identity, State, Status
from mcp_inspector.signals import Signal
from mcp_inspector.transport.base import Fault, FaultKind, now
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.catalogue import Catalogue
    from mcp_inspector.session.connecting import Client
    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.probing.bench import Bench
    from mcp_inspector.session.session import Session
    from mcp_inspector.session.signing_in import SigningIn
    from mcp_inspector.session.ways import Ways
    from mcp_inspector.transport.base import Transport

_log = logging.getLogger(__name__)

_STABLE_NS = 10_000_000_000
WAITING = frozenset({State.STARTING, State.STOPPING, State.RECONNECTING})
"""The states in which something is under way that decides how it stands."""
_GOING_ON = UP | {State.STARTING, State.RECONNECTING}


class Host(Protocol):
    """Whose server it is: what uses the connections that a supervisor makes."""

    def attached(self, session: Session, identity: Identity, *, again: bool) -> None:
        """A connection is up; `again`: it came by itself, after one that was lost."""

    async def detached(self) -> None:
        """A connection is over; its session is closed after this."""

    def connection_gone(self, why: str) -> None:
        """Nothing is connected for now."""


class Supervisor:
    """Makes the connections of a server, reconnects, and ends them. `changed` tells of each change of state.

    A connection is told to end by an event, never by cancelling the task that tidies up after it.
    """

    def __init__(
        self,
        entry: ServerEntry,
        journal: Journal,
        ways: Ways,
        inbox: Inbox | None,
        host: Host,
        signing_in: SigningIn,
    ) -> None:
        self._signing_in = signing_in
        self.entry = entry
        self.ways = ways
        self.changed: Signal[()] = Signal()
        self.identity: Identity | None = None
        self.negotiation: tuple[str, ...] = ()
        self.reason = ""
        self.status = Status(State.DISABLED if entry.disabled else State.IDLE, now()[1])
        self.connection = 0
        self.connected_entry: ServerEntry | None = None
        self.session: Session | None = None
        self._journal, self._inbox, self._host = journal, inbox, host
        self._tasks = Tasks()
        self._main: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._again = False  # it is to be connected anew as soon as it has ended
        self._known: tuple[str, str] | None = None  # transport choice and handshake mode that worked
        self._hurry = asyncio.Event()
        self._waiters: list[asyncio.Future[None]] = []

    @property
    def alive(self) -> bool:
        """Whether it is connected, or something is under way."""
        return self._main is not None and not self._main.done()

    @property
    def began(self) -> bool:
        """Whether it was told to connect, and not to disconnect since."""
        return self._main is not None

    def client(self) -> Client:
        """Who we say we are: as usual, with the capabilities that the entry chooses."""
        usual = self.ways.client
        chosen = self.entry.capabilities
        return usual if chosen is None else replace(usual, capabilities=chosen)

    def connect(self, turn: asyncio.Lock | None = None) -> None:
        """Begin to connect, unless it is connected or connecting; an automatic reconnect is hurried up.

        While it is ending, it is connected anew once it has ended.
        """
        if self.alive:
            self._again = self._stop.is_set() or self.status.state not in _GOING_ON
            self._hurry.set()
            return
        self._set(State.STARTING)
        self._begin(turn)

    async def disconnect(self) -> None:
        """End the connection in order, bounded in time; several at once wait for the same end."""
        main = self._main
        self._again = False
        if main is not None and not main.done():
            if not self._stop.is_set():
                self._stop.set()
                self._hurry.set()
                self._set(State.STOPPING)
            await asyncio.wait([main])
        if self._main is not main:
            return  # another one has begun anew
        self._main = None
        self._host.connection_gone(f"{self.entry.name} is not connected.")
        self._rest()

    async def restart(self) -> None:
        """Disconnect, then begin to connect anew, finding out transport and version again."""
        await self.disconnect()
        self._known = None
        self.connect()

    async def close(self) -> None:
        """Disconnect and end every task, for good."""
        await self.disconnect()
        await self._tasks.close()

    async def settled(self) -> Status:
        """Wait until it is neither starting, stopping nor reconnecting, and say how it stands."""
        while self.status.state in WAITING:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return self.status

    def edit(self, entry: ServerEntry) -> None:
        """Take a new entry; a connection goes on as it is."""
        if (entry.transport, entry.protocol) != (self.entry.transport, self.entry.protocol):
            self._known = None  # what worked is not what is asked for any more
        self.entry = entry
        if self.status.state in (State.IDLE, State.DISABLED):
            self._rest()
        self.changed.send()

    async def ready(self) -> Session:
        """The open conversation; a lazy server is connected first. Raises `Fault`."""
        if self.session is None and self.status.state is State.IDLE and self.entry.connect == "lazy":
            self.connect()
        if self.status.state in WAITING:
            await self.settled()
        if self.session is None:
            why = self.status.fault.sentence if self.status.fault else f"it is {self.status.words()}."
            raise Fault(FaultKind.USAGE, f"{self.entry.name} is not connected: {why}", "Connect it first.")
        return self.session

    def judge(self, wrong: str) -> None:
        """Say what is wrong with a connection that is up; empty for nothing."""
        if self.status.up:
            self._set(State.DEGRADED if wrong else State.CONNECTED, detail=wrong)

    def _begin(self, turn: asyncio.Lock | None) -> None:
        self._stop.clear()
        self._again = False
        self._main = self._tasks.spawn(self._live(turn), f"server {self.entry.name}")

    async def _live(self, turn: asyncio.Lock | None) -> None:
        """From connect to disconnect, with the reconnects between."""
        if turn is not None:
            async with turn:
                await asyncio.sleep(0)
        await self._connections()
        if self._again:
            self._set(State.STARTING)
            self._begin(None)

    async def _connections(self) -> None:
        attempt, limit = 0, 0
        while not self._stop.is_set():
            began = now()[1]
            was_up = False
            found = await self._unless_stopped()
            if isinstance(found, Connected):
                was_up = True
                try:
                    fault = await self._serve(found, again=attempt > 0)
                except Exception as bug:
                    fault = self._our_fault(bug)
            else:
                fault = found
            if fault is None or self._stop.is_set():
                break
            self._host.connection_gone(fault.sentence)
            if self._again:
                return
            if was_up and now()[1] - began > _STABLE_NS:
                attempt = 0
            limit = self.entry.reconnect if attempt == 0 and was_up else limit
            expired = fault.kind is FaultKind.SESSION_GONE  # begun again at once, and once only
            allowed = min(limit, 1) if expired else limit
            if not fault.reconnectable or attempt >= allowed:
                self._set(_state_after(fault), fault=fault)
                return
            attempt += 1
            await self._pause(0 if expired else self.ways.reconnect_base * attempt, attempt, allowed, fault)
        if not self._stop.is_set():
            self._set(State.IDLE)

    async def _unless_stopped(self) -> Connected | Fault | None:
        """Connect; None when it was told to stop before that was done."""
        opening = self._tasks.spawn(self._try_to_open(), "connecting")
        stop = self._tasks.spawn(self._stop.wait(), "stop")
        waited: tuple[asyncio.Task[Any], ...] = (opening, stop)
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not opening.done():
                opening.cancel()
                await asyncio.wait([opening])
            return None if opening.cancelled() else opening.result()
        finally:
            stop.cancel()

    async def _try_to_open(self) -> Connected | Fault:
        try:
            return await self._open()
        except Fault as fault:
            return self._signing_in.explain(fault)
        except Exception as bug:
            return self._our_fault(bug)

    def _our_fault(self, bug: Exception) -> Fault:
        name = self.entry.name
        _log.exception("the connection to %s failed by our own fault", name)
        return Fault(FaultKind.INTERNAL, f"This program failed at {name}: {bug!r}.", "Please report it.")

    async def _open(self) -> Connected:
        self.connection += 1
        entry = self.connected_entry = self.entry
        recorder = Recorder(self._journal, entry.name, self.connection)
        if entry.fatal:
            raise Fault(FaultKind.USAGE, f"{entry.name} cannot be connected: {' '.join(entry.problems)}")
        known = self._known
        choice, mode = known or (entry.transport, entry.protocol)

        async def dial(way: str) -> Transport:
            return await self._dial(entry, way)

        connecting = Connecting(
            entry.name,
            dial,
            recorder,
            self.client(),
            self.ways.patience.within(entry.timeout),
            self._inbox,
            self._step,
        )
        try:
            connected = await connecting.run(choice, mode)
        except Fault as fault:
            recorder.event("failed", fault.sentence, fault=fault.kind.value)
            if known is None or fault.reconnectable:
                raise
            self._known = None  # what worked before does not any more: find out anew
            connected = await connecting.run(entry.transport, entry.protocol)
        mode = known_mode(connected.identity) if entry.protocol == "auto" else entry.protocol
        self._known = (connected.choice, mode)
        principal = self._signing_in.principal
        account: dict[str, Any] = {"signed_in": principal} if principal else {}
        recorder.event(
            "connected",
            f"Connected over {connected.identity.transport} with {connected.identity.version}.",
            version=connected.identity.version,
            transport=connected.identity.transport,
            negotiation=[*connected.transcript],
            reason=connected.reason,
            **account,
        )
        return connected

    async def _dial(self, entry: ServerEntry, way: str) -> Transport:
        full = await filled(entry, self.ways)
        transport = self.ways.dial(full, way)
        await self._signing_in.dress(transport, full, self.ways, self.connection)
        return transport

    async def bench(self, catalogue: Catalogue, *, agreed: bool) -> Bench:
        """A place for probes of this server: see `session.probing`. Raises `Fault` when it is not connected."""
        from mcp_inspector.session.probing.bench import Bench

        entry, identity = self.connected_entry, self.identity
        if entry is None or identity is None or self.session is None:
            raise Fault(FaultKind.USAGE, f"{self.entry.name} is not connected.", "Connect it first.")
        full = expand(await filled(entry, self.ways)).entry
        return Bench(
            entry.name,
            identity,
            catalogue,
            self._journal,
            lambda way: self._dial(entry, way),
            url=full.url,
            own=dict(full.headers),
            credentials=await self._signing_in.prepare(full, self.ways),
            agreed=agreed,
        )

    async def _serve(self, connected: Connected, *, again: bool) -> Fault | None:
        """Until the peer is gone, or until it is told to stop (None then)."""
        session = self.session = connected.session
        self.identity = connected.identity
        self.negotiation, self.reason = connected.transcript, connected.reason
        session.calls_changed.connect(self.changed.send)
        stop = self._tasks.spawn(self._stop.wait(), "stop")
        try:
            self._set(State.CONNECTED)
            self._host.attached(session, connected.identity, again=again)
            session.gone.add_done_callback(self._peer_gone)
            waited: tuple[asyncio.Future[Any], ...] = (session.gone, stop)
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            return session.gone.result() if session.gone.done() else None
        finally:
            stop.cancel()
            self.session = None
            await self._host.detached()
            await session.close()

    def _peer_gone(self, gone: asyncio.Future[Fault | None]) -> None:
        """At once, before the connection has been cleared away: nobody is told that it is up."""
        if self.status.up:
            self._set(State.STOPPING, fault=gone.result())

    async def _pause(self, seconds: float, attempt: int, limit: int, fault: Fault) -> None:
        at = now()[1] + int(seconds * 1e9)
        self._hurry.clear()
        self._set(State.RECONNECTING, fault=fault, attempt=attempt, of=limit, retry_at_ns=at)
        if self._stop.is_set():
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), seconds or 0.001)

    def _step(self, step: str, limit: float) -> None:
        if self.status.state is State.STARTING:
            self._set(State.STARTING, step=step, step_ns=now()[1], limit=limit)

    def _rest(self) -> None:
        self._set(State.DISABLED if self.entry.disabled else State.IDLE)

    def _set(self, state: State, **more: Any) -> None:
        since = self.status.since_ns if state is self.status.state else now()[1]
        self.status = Status(state, since, **more)
        if state not in WAITING:
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)
        self.changed.send()


def _state_after(fault: Fault) -> State:
    if fault.kind is FaultKind.EXITED:
        return State.EXITED
    if fault.kind is FaultKind.UNAUTHORIZED:
        return State.NEEDS_SIGN_IN
    return State.SESSION_EXPIRED if fault.kind is FaultKind.SESSION_GONE else State.FAILED


def needs_restart(before: ServerEntry, after: ServerEntry) -> bool:
    """Whether an entry was edited in a way that only a new connection can show."""
    return _how(before) != _how(after)


def _how(entry: ServerEntry) -> tuple[Any, ...]:
    """What of an entry decides about a connection."""
    return (
        entry.transport,
        entry.command,
        entry.args,
        dict(entry.env),
        entry.cwd,
        entry.url,
        dict(entry.headers),
        entry.auth,
        entry.route,
        entry.protocol,
        entry.capabilities,
    )
