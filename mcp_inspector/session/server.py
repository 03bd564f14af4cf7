"""The supervisor of one server: its state machine, its lists, and the door to its requests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.asking import Asking
from mcp_inspector.session.catalogue import Catalogue, What
from mcp_inspector.session.connecting import Connected, Connecting, known_mode
from mcp_inspector.session.eras import Extra, Modern
from mcp_inspector.session.listing import Stepper
from mcp_inspector.session.lists import CHANGED_BY, Lists
from mcp_inspector.session.outcome import InputRequired, LocalError, Outcome, TaskStarted
from mcp_inspector.session.recorder import Journal, Recorder
from mcp_inspector.session.rounds import answer_rounds
from mcp_inspector.session.signing_in import SigningIn, filled
from mcp_inspector.session.status import Identity, State, Status
from mcp_inspector.session.subscriptions import Subscriptions
from mcp_inspector.session.task_runs import Codec, TaskRun, TaskState
from mcp_inspector.session.tool_call import ToolCall
from mcp_inspector.signals import Signal
from mcp_inspector.transport.base import Fault, FaultKind, now
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_inspector.auth.person import Asking as AskingToSignIn
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.call import Call, Progress
    from mcp_inspector.session.connecting import Client
    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.session import Session
    from mcp_inspector.session.ways import Ways
    from mcp_inspector.transport.base import Transport
    from mcp_inspector.wire.frame import Frame

_log = logging.getLogger(__name__)

_TASKS_KEPT = 100
_STABLE_NS = 10_000_000_000
_WAITING = frozenset({State.STARTING, State.STOPPING, State.RECONNECTING})


class Server:
    """One configured server. `changed` tells of status, identity, entry and calls under way; it may be sent often.

    Every connection is made, watched and ended by one task. A tool call is never run again by itself.
    """

    def __init__(self, entry: ServerEntry, journal: Journal, ways: Ways, inbox: Inbox | None = None) -> None:
        self.entry = entry
        self.changed: Signal[()] = Signal()
        self.notified: Signal[Frame] = Signal()
        self.identity: Identity | None = None
        self.status = Status(State.DISABLED if entry.disabled else State.IDLE, now()[1])
        self.connection = 0
        self.connected_entry: ServerEntry | None = None
        self._journal = journal
        self._ways = ways
        self._inbox = inbox
        self._tasks = Tasks()
        self._main: asyncio.Task[None] | None = None
        self._leaving = False  # the main task was told to end: a second cancel would break off its tidying up
        self._session: Session | None = None
        self._known: tuple[str, str] | None = None  # transport choice and handshake mode that worked
        self._hurry = asyncio.Event()
        self._waiters: list[asyncio.Future[None]] = []
        self._lists = Lists()
        self._lists.judged.connect(self._lists_judged)
        self.subscriptions = Subscriptions()
        self.log_level: str | None = None
        self.task_runs: list[TaskRun] = []
        self.client: Client | None = None
        """Who we say we are to this server and what we can do, from the next connection on; None for the usual."""
        self.extra = Extra()
        """What goes into the `_meta` of each request, from the next request on."""
        self.subscriptions.missed.connect(self._lists_may_have_changed)
        self.signing_in = SigningIn(entry.name, journal)
        self.signing_in.changed.connect(self.changed.send)
        self._asking = Asking(entry.name, inbox, self._tasks)
        self._asking.set_roots(entry.roots)

    @property
    def name(self) -> str:
        """Its name in the servers file."""
        return self.entry.name

    @property
    def catalogue(self) -> Catalogue:
        """What it lists; kept, marked stale, when the connection is gone."""
        return self._lists.catalogue

    @property
    def usual_client(self) -> Client:
        """Who we say we are to every server that nothing else is chosen for."""
        return self._ways.client

    @property
    def in_flight(self) -> tuple[Call, ...]:
        """Requests of ours under way, oldest first."""
        return self._session.in_flight if self._session is not None else ()

    @property
    def needs_restart(self) -> bool:
        """Whether the entry was edited, since it was connected, in a way that only a new connection can show."""
        before = self.connected_entry
        return before is not None and self._main is not None and _how(before) != _how(self.entry)

    def connect(self, turn: asyncio.Lock | None = None) -> None:
        """Begin to connect, unless it is connected or connecting; an automatic reconnect is hurried up.

        Servers that are connected with the same `turn` start one after another, each in a turn of the loop of its own.
        """
        if self._main is not None and not self._main.done():
            self._hurry.set()
            return
        self._set(State.STARTING)
        self._leaving = False
        self._main = self._tasks.spawn(self._live(turn), f"server {self.name}")

    async def settled(self) -> Status:
        """Wait until it is neither starting, stopping nor reconnecting, and say how it stands."""
        while self.status.state in _WAITING:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return self.status

    async def loaded(self) -> None:
        """Wait until the lists that are being read have been read."""
        await self._lists.loaded()

    async def disconnect(self) -> None:
        """End the connection in order, bounded in time; several at once wait for the same end."""
        main = self._main
        if main is not None and not main.done():
            if not self._leaving:
                self._leaving = True
                self._set(State.STOPPING)
                main.cancel()
            await asyncio.wait([main])
        if self._main is not main:
            return  # another one who waited has begun anew
        self._main = None
        self.catalogue.connection_gone(f"{self.name} is not connected.")
        if self.status.state is not State.DISABLED:
            self._set(State.DISABLED if self.entry.disabled else State.IDLE)

    async def restart(self) -> None:
        """Disconnect, then begin to connect anew."""
        await self.disconnect()
        self._known = None
        self.connect()

    async def close(self) -> None:
        """Disconnect and end every task, for good."""
        self._asking.set_roots(())
        await self.disconnect()
        await self._tasks.close()

    def edit(self, entry: ServerEntry) -> None:
        """Take a new entry of the same server; the connection goes on as it is until it is restarted.

        New roots count at once, and a legacy server is told of them.
        """
        if (entry.transport, entry.protocol) != (self.entry.transport, self.entry.protocol):
            self._known = None  # what worked is not what is asked for any more
        roots, self.entry = self.entry.roots, entry
        if entry.roots != roots:
            self._asking.set_roots(entry.roots)
            if self.identity is not None and self.identity.era == "legacy":
                self._tasks.spawn(self._notify("notifications/roots/list_changed"), "roots changed")
        if self.status.state in (State.IDLE, State.DISABLED):
            self._set(State.DISABLED if entry.disabled else State.IDLE)
        self.changed.send()

    def use(self, ways: Ways) -> None:
        """Take new ways: patience for the next requests, all else with the next connection."""
        self._ways = ways
        if self._session is not None:
            self._session.timeout, self._session.ceiling = ways.patience.request, ways.patience.ceiling

    async def refresh(self, *wanted: What, insist: bool = False) -> None:
        """Read lists anew: see `Lists.refresh`."""
        await self._lists.refresh(*wanted, insist=insist)

    def stepper(self, what: What) -> Stepper | None:
        """Reads a list page by page, by hand; None when it is not connected. The catalogue is left alone."""
        return Stepper(self._session, what) if self._session is not None else None

    def preview(self, method: str, params: Mapping[str, Any]) -> tuple[bytes, tuple[tuple[str, str], ...]] | None:
        """The next request as it would go out, and its own headers; None when it is not connected."""
        return self._session.preview(method, params) if self._session is not None else None

    async def send_raw(self, raw: bytes, waiter: asyncio.Future[Outcome] | None = None) -> Fault | None:
        """Send any bytes as one message, valid or not, unrepaired; what comes back is matched where it can be.

        How a valid request under a new id ends is given to `waiter`.
        """
        if self._session is None:
            return Fault(FaultKind.USAGE, f"{self.name} is not connected.", "Connect it first.")
        return await self._session.send_raw(raw, waiter)

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        on_call: Callable[[Call], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Outcome:
        """Send any request. A lazy server is connected first; one that is not connected gives a local error."""
        try:
            session = await self._ready()
        except Fault as fault:
            return LocalError(method, 0, fault=fault)
        limit = self.entry.timeout if timeout is None else timeout

        async def send(more: Mapping[str, Any], continues: int) -> Outcome:
            return await session.request(
                method,
                {**(params or {}), **more} if params or more else params,
                timeout=limit,
                headers=headers,
                on_call=on_call,
                on_progress=on_progress,
                continues=continues,
            )

        outcome = await send({}, 0)
        if isinstance(outcome, InputRequired) and self._inbox is not None:
            return await answer_rounds(self.name, self._inbox, outcome, send, session.declared)
        self._asking.ended(outcome)
        return outcome

    async def call_tool(
        self,
        name: str,
        arguments: bytes | Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        as_task: bool = False,
        on_call: Callable[[Call], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Outcome:
        """Call a tool. `arguments` as JSON text go out as they are spelled, only their white space is dropped.

        `as_task` asks for a task (2025-11-25; later the server decides). A task is followed to its end.
        """
        if self.entry.refresh_before_call:
            await self.refresh(What.TOOLS)
        return await ToolCall(self, name, arguments, as_task).run(timeout, on_call, on_progress)

    async def read_resource(self, uri: str, *, timeout: float | None = None, **more: Any) -> Outcome:
        """Read a resource by URI."""
        return await self.request("resources/read", {"uri": uri}, timeout=timeout, **more)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, timeout: float | None = None, **more: Any
    ) -> Outcome:
        """Get a prompt; argument values are strings."""
        params: dict[str, Any] = {"name": name}
        if arguments:
            params["arguments"] = dict(arguments)
        return await self.request("prompts/get", params, timeout=timeout, **more)

    async def complete(
        self, ref: Mapping[str, str], argument: str, value: str, context: Mapping[str, str] | None = None
    ) -> Outcome:
        """Ask for completions of a prompt (`ref` of type ``ref/prompt``) or a template (``ref/resource``)."""
        params: dict[str, Any] = {"ref": dict(ref), "argument": {"name": argument, "value": value}}
        if context and (self.identity is None or self.identity.version >= "2025-06-18"):
            params["context"] = {"arguments": dict(context)}
        return await self.request("completion/complete", params)

    async def ping(self) -> Outcome:
        """Ask for a sign of life: `ping`, or `server/discover` where there is no ping any more."""
        modern = self.identity is not None and self.identity.era == "modern"
        return await self.request("server/discover" if modern else "ping")

    async def follow_task(self, outcome: TaskStarted, target: str, codec: Codec, state: TaskState) -> Outcome:
        """Poll a task that a call has begun, to its end; it can be seen in `task_runs` meanwhile."""

        async def request(method: str, params: Mapping[str, Any], timeout: float | None) -> Outcome:
            return await self.request(method, params, timeout=timeout)

        declared = self._session.declared if self._session is not None else {}
        run = TaskRun(
            self.name,
            outcome.method,
            target,
            outcome.call,
            state,
            codec,
            request,
            self._inbox,
            self._tasks,
            declared=declared,
        )
        ended = [each for each in self.task_runs if each.outcome is not None]
        for old in ended[: max(0, len(ended) - _TASKS_KEPT)]:
            self.task_runs.remove(old)
        self.task_runs.append(run)
        self.changed.send()
        return await run.follow()

    async def sign_in(self, asking: AskingToSignIn) -> None:
        """Sign in as a person asked for it, then connect anew. Raises `Fault`."""
        await self.signing_in.sign_in(self.entry, self._ways, asking)
        await self.restart()

    async def sign_out(self) -> bool:
        """Revoke and forget the tokens, and end the connection that they were for. Whether they were revoked."""
        authorizer = await self.signing_in.prepare(await filled(self.entry, self._ways), self._ways)
        revoked = await authorizer.sign_out() if authorizer is not None else False
        await self.disconnect()
        return revoked

    async def set_log_level(self, level: str | None) -> Outcome | None:
        """What the server is to log: told once in the legacy era, with each request (None here) in the modern.

        None asks for nothing any more; a legacy server cannot be told that, and keeps its level.
        """
        self.log_level = level
        codec = self._session.codec if self._session is not None else None
        if isinstance(codec, Modern):
            codec.log_level = level
            return None
        if codec is None or level is None:
            return None
        return await self.request("logging/setLevel", {"level": level})

    def cancel(self, call: int, reason: str = "cancelled by the person") -> bool:
        """Cancel the request whose record has this sequence number; False when it is not under way."""
        session = self._session
        found = next((item for item in self.in_flight if item.seq == call), None)
        return session is not None and found is not None and session.cancel(found, reason)

    async def _notify(self, method: str) -> None:
        with contextlib.suppress(Fault):  # the connection is ending: whoever comes next asks anew
            if self._session is not None:
                await self._session.notify(method)

    async def _live(self, turn: asyncio.Lock | None) -> None:
        """The life of this server from connect to disconnect, with its reconnects."""
        if turn is not None:
            async with turn:
                await asyncio.sleep(0)
        attempt, limit = 0, 0
        while True:
            began = now()[1]
            was_up = False
            try:
                connected = await self._open()
                was_up = True
                fault = await self._serve(connected)
            except Fault as failed:
                fault = failed
            except Exception as bug:
                _log.exception("the connection to %s failed by our own fault", self.name)
                fault = Fault(FaultKind.INTERNAL, f"This program failed at {self.name}: {bug!r}.", "Please report it.")
            if fault is None:
                self._set(State.IDLE)
                return
            fault = self.signing_in.explain(fault)
            self.catalogue.connection_gone(fault.sentence)
            if was_up and now()[1] - began > _STABLE_NS:
                attempt = 0
            limit = self.entry.reconnect if attempt == 0 and was_up else limit
            expired = fault.kind is FaultKind.SESSION_GONE  # begun again at once, and once only
            allowed = min(limit, 1) if expired else limit
            if not fault.reconnectable or attempt >= allowed:
                self._set(_state_after(fault), fault=fault)
                return
            attempt += 1
            await self._pause(0 if expired else self._ways.reconnect_base * attempt, attempt, allowed, fault)

    async def _open(self) -> Connected:
        self.connection += 1
        entry = self.connected_entry = self.entry
        recorder = Recorder(self._journal, self.name, self.connection)
        if entry.fatal:
            raise Fault(FaultKind.USAGE, f"{self.name} cannot be connected: {' '.join(entry.problems)}")
        known = self._known
        choice, mode = known or (entry.transport, entry.protocol)

        async def dial(way: str) -> Transport:
            full = await filled(entry, self._ways)
            transport = self._ways.dial(full, way)
            await self.signing_in.dress(transport, full, self._ways, self.connection)
            return transport

        connecting = Connecting(
            self.name,
            dial,
            recorder,
            self.client or self._ways.client,
            self._ways.patience.within(entry.timeout),
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
        recorder.event(
            "connected",
            f"Connected over {connected.identity.transport} with {connected.identity.version}.",
            version=connected.identity.version,
            transport=connected.identity.transport,
        )
        return connected

    async def _serve(self, connected: Connected) -> Fault | None:
        session = self._session = connected.session
        if session.codec is not None:
            session.codec.extra = self.extra
        self.identity = connected.identity
        session.notified.connect(self._heard)
        session.calls_changed.connect(self.changed.send)
        try:
            self._set(State.CONNECTED)
            self._lists.attach(session, connected.identity)
            session.gone.add_done_callback(self._peer_gone)
            if self.log_level is not None and (connected.identity.era == "modern" or connected.identity.has("logging")):
                self._tasks.spawn(self.set_log_level(self.log_level), "log level")
            if self._ways.lists_at_connect:
                self._lists.reload(*What, at_once=True)
                self.subscriptions.attach(session, connected.identity)
            return await asyncio.shield(session.gone)
        finally:
            self._session = None
            for ask in self._inbox.waiting if self._inbox is not None else ():
                if ask.server == self.name and ask.way == "retry":  # nothing could be sent again with its answer
                    ask.withdraw("The connection is gone.")
            await self._lists.detach()
            await self.subscriptions.detach()
            await session.close()

    def _peer_gone(self, gone: asyncio.Future[Fault | None]) -> None:
        """At once, before the connection has been cleared away: nobody is told that it is up."""
        if self.status.up:
            self._set(State.STOPPING, fault=gone.result())

    async def _pause(self, seconds: float, attempt: int, limit: int, fault: Fault) -> None:
        at = now()[1] + int(seconds * 1e9)
        self._set(State.RECONNECTING, fault=fault, attempt=attempt, of=limit, retry_at_ns=at)
        self._hurry.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), seconds or 0.001)

    async def _ready(self) -> Session:
        if self._session is None and self.status.state is State.IDLE and self.entry.connect == "lazy":
            self.connect()
        if self.status.state in _WAITING:
            await self.settled()
        if self._session is None:
            why = self.status.fault.sentence if self.status.fault else f"it is {self.status.words()}."
            raise Fault(FaultKind.USAGE, f"{self.name} is not connected: {why}", "Connect it first.")
        return self._session

    def _heard(self, frame: Frame) -> None:
        lists = CHANGED_BY.get(frame.method)
        if lists and self._ways.lists_at_connect:
            self._lists.reload(*lists)
        self._asking.heard(frame)
        self.notified.send(frame)

    def _lists_may_have_changed(self) -> None:
        if self.status.up:
            self._lists.reload(*What)

    def _lists_judged(self, wrong: str) -> None:
        if self.status.up:
            self._set(State.DEGRADED if wrong else State.CONNECTED, detail=wrong)

    def _step(self, step: str, limit: float) -> None:
        if self.status.state is State.STARTING:
            self._set(State.STARTING, step=step, step_ns=now()[1], limit=limit)

    def _set(self, state: State, **more: Any) -> None:
        since = self.status.since_ns if state is self.status.state else now()[1]
        self.status = Status(state, since, **more)
        if state not in _WAITING:
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
        entry.protocol,
    )
