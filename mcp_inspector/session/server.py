"""One server as a face uses it: its lists, and the door to its requests. The supervisor makes its connections."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.variables import expand
from mcp_inspector.session.asking import Asking
from mcp_inspector.session.cache import LISTS, Cache, context_of
from mcp_inspector.session.catalogue import Catalogue, What
from mcp_inspector.session.eras import Extra, Modern
from mcp_inspector.session.kept_lists import Connects, KeptLists
from mcp_inspector.session.listing import Stepper
from mcp_inspector.session.lists import CHANGED_BY, Lists
from mcp_inspector.session.operations import Operations
from mcp_inspector.session.recorder import Journal, Recorder
from mcp_inspector.session.signing_in import SigningIn
from mcp_inspector.session.subscriptions import Subscriptions
from mcp_inspector.session.supervisor import Supervisor, needs_restart
from mcp_inspector.session.tool_call import ToolCall
from mcp_inspector.signals import Signal
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping

    from mcp_inspector.auth.person import Asking as AskingToSignIn
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.call import Call, Progress
    from mcp_inspector.session.connecting import Client
    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.outcome import Outcome, TaskStarted
    from mcp_inspector.session.probing.bench import Bench
    from mcp_inspector.session.remembered import Remembered
    from mcp_inspector.session.session import Session
    from mcp_inspector.session.status import Identity, Status
    from mcp_inspector.session.task_runs import Codec, TaskRun, TaskState
    from mcp_inspector.session.ways import Ways
    from mcp_inspector.wire.frame import Frame


class Server:
    """One configured server. `changed` tells of status, identity, entry and calls under way; it may be sent often.

    A tool call is never run again by itself.
    """

    def __init__(self, entry: ServerEntry, journal: Journal, ways: Ways, inbox: Inbox | None = None) -> None:
        self.signing_in = SigningIn(entry.name, journal)
        self._life = Supervisor(entry, journal, ways, inbox, self, self.signing_in)
        self.changed = self._life.changed
        self.signing_in.changed.connect(self.changed.send)
        self.signing_in.changed.connect(self._enter_context)
        self.notified: Signal[Frame] = Signal()
        self._inbox = inbox
        self._journal = journal
        self._tasks = Tasks()
        self._cache = Cache()
        self._lists = Lists(self._cache)
        self._lists.judged.connect(self._life.judge)
        self._lists.read.connect(self._remember)
        self._connects = Connects(entry.name, KeptLists(ways.lists), self._tasks)
        self._connects.changed.connect(self.changed.send)
        self.subscriptions = Subscriptions()
        self.subscriptions.missed.connect(self._lists_may_have_changed)
        self.subscriptions.updated.connect(self._cache.updated)
        self.log_level: str | None = entry.log_level or None
        self._extra = Extra(entry.meta, entry.trace)
        self._asking = Asking(entry.name, inbox, self._tasks)
        self._asking.set_roots(entry.roots)
        self._operations = Operations(self._life, self._cache, inbox, self._asking, self._tasks)

    async def recall(self) -> None:
        """Bring in what it listed in earlier runs of the program, without connecting it."""
        await self._connects.bring_in()

    @property
    def remembered(self) -> list[Remembered]:
        """What it listed at its connects, those of earlier runs of the program included, the latest last."""
        return self._connects.remembered

    @property
    def task_runs(self) -> list[TaskRun]:
        """The tasks that calls began and that are followed, and the last ones that have ended."""
        return self._operations.runs

    @property
    def name(self) -> str:
        """Its name in the servers file."""
        return self.entry.name

    @property
    def entry(self) -> ServerEntry:
        """What is configured now."""
        return self._life.entry

    @property
    def status(self) -> Status:
        """How it stands."""
        return self._life.status

    @property
    def identity(self) -> Identity | None:
        """Who answered at the last connect."""
        return self._life.identity

    @property
    def negotiation(self) -> tuple[tuple[str, ...], str]:
        """How the latest connection came to its version: the steps with answers and times, and the reason."""
        return self._life.negotiation, self._life.reason

    @property
    def connection(self) -> int:
        """The number of its latest connection, from 1."""
        return self._life.connection

    @property
    def connected_entry(self) -> ServerEntry | None:
        """The entry that the latest connection was made with."""
        return self._life.connected_entry

    @property
    def session(self) -> Session | None:
        """The conversation that is open, None while there is none."""
        return self._life.session

    @property
    def catalogue(self) -> Catalogue:
        """What it lists; kept, marked stale, when the connection is gone."""
        return self._lists.catalogue

    @property
    def usual_client(self) -> Client:
        """Who we say we are to every server for which nothing else is chosen."""
        return self._life.ways.client

    @property
    def in_flight(self) -> tuple[Call, ...]:
        """Requests of ours under way, oldest first."""
        return self.session.in_flight if self.session is not None else ()

    @property
    def needs_restart(self) -> bool:
        """Whether the entry was edited, since it was connected, in a way that only a new connection can show."""
        before = self.connected_entry
        return before is not None and self._life.began and needs_restart(before, self.entry)

    def connect(self, turn: asyncio.Lock | None = None) -> None:
        """Begin to connect, unless it is connected or connecting; an automatic reconnect is hurried up.

        Servers that are connected with the same `turn` start one after another, each in a turn of the loop of its own.
        """
        self._life.connect(turn)

    async def bench(self, *, agreed: bool = False) -> Bench:
        """A place for probes: see `session.probing.run`. Raises `Fault` when it is not connected."""
        return await self._life.bench(self.catalogue, agreed=agreed)

    async def settled(self) -> Status:
        """Wait until it is neither starting, stopping nor reconnecting, and say how it stands."""
        return await self._life.settled()

    async def loaded(self) -> None:
        """Wait until the lists that are being read have been read."""
        await self._lists.loaded()

    async def disconnect(self) -> None:
        """End the connection in order, bounded in time; several at once wait for the same end."""
        await self._life.disconnect()

    async def restart(self) -> None:
        """Disconnect, then begin to connect anew."""
        await self._life.restart()

    async def close(self) -> None:
        """Disconnect and end every task, for good."""
        self._asking.set_roots(())
        await self._life.close()
        await self._tasks.close()

    def edit(self, entry: ServerEntry) -> None:
        """Take a new entry of the same server; the connection goes on as it is until it is restarted.

        New roots count at once, and a legacy server is told of them; so do `_meta`, trace context and log level.
        """
        before = self.entry
        self._connects.name = entry.name
        self._extra.members, self._extra.trace = entry.meta, entry.trace
        self._life.edit(entry)
        if (entry.name, entry.url) != (before.name, before.url):
            self._tasks.spawn(self._follow(before, entry), "sign-in follows the entry")
        if entry.roots != before.roots:
            self._asking.set_roots(entry.roots)
            if self.identity is not None and self.identity.era == "legacy":
                self._tasks.spawn(self._notify("notifications/roots/list_changed"), "roots changed")
        if entry.log_level != before.log_level and (entry.log_level or None) != self.log_level:
            self._tasks.spawn(self.set_log_level(entry.log_level or None), "log level")

    async def _follow(self, before: ServerEntry, entry: ServerEntry) -> None:
        """What is kept of the sign-in goes with another name, and not with another URL."""
        if entry.name != before.name:
            await self.signing_in.rename(entry.name)
        if entry.url != before.url:
            await self.signing_in.moved(entry, self._life.ways)

    def use(self, ways: Ways) -> None:
        """Take new ways: patience for the next requests, all else with the next connection."""
        self._life.ways = ways
        if self.session is not None:
            self.session.timeout, self.session.ceiling = ways.patience.request, ways.patience.ceiling

    async def refresh(self, *wanted: What, insist: bool = False, fresh: bool = True) -> None:
        """Read lists anew: see `Lists.refresh`."""
        await self._lists.refresh(*wanted, insist=insist, fresh=fresh)

    def stepper(self, what: What) -> Stepper | None:
        """Reads a list page by page, by hand; None when it is not connected. The catalogue is left alone."""
        return Stepper(self.session, what) if self.session is not None else None

    def preview(self, method: str, params: Mapping[str, Any]) -> tuple[bytes, tuple[tuple[str, str], ...]] | None:
        """The next request as it would go out, and its own headers; None when it is not connected."""
        return self.session.preview(method, params) if self.session is not None else None

    async def send_raw(self, raw: bytes, waiter: asyncio.Future[Outcome] | None = None) -> Fault | None:
        """Send any bytes as one message, valid or not, unrepaired; what comes back is matched where it can be.

        How a valid request, or the last one of a batch, ends is given to `waiter`: see `Session.send_raw`.
        """
        if self.session is None:
            return Fault(FaultKind.USAGE, f"{self.name} is not connected.", "Connect it first.")
        return await self.session.send_raw(raw, waiter)

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        headers: tuple[tuple[str, str], ...] = (),
        meta: Mapping[str, Any] | None = None,
        trace: bool = False,
        on_call: Callable[[Call], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        continues: int = 0,
    ) -> Outcome:
        """Send any request. A lazy server is connected first; one that is not connected gives a local error.

        `meta` goes into its `_meta`, over what the entry has for every request; `trace` adds a trace context, the same
        trace through all rounds of the operation. `continues` is the number of the first request of its operation.
        """
        return await self._operations.request(
            method,
            params,
            timeout=timeout,
            headers=headers,
            meta=meta,
            trace=trace,
            on_call=on_call,
            on_progress=on_progress,
            continues=continues,
        )

    async def call_tool(
        self,
        name: str,
        arguments: bytes | Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        as_task: bool | None = None,
        **more: Any,
    ) -> Outcome:
        """Call a tool. `arguments` as JSON text go out as they are spelled, only their white space is dropped.

        `as_task` asks for a task (2025-11-25; later the server decides), None where the listed tool says that it has to
        be one. A task is followed to its end. `more` is as of `request`.
        """
        if self.entry.refresh_before_call:
            await self.refresh(What.TOOLS)
        return await ToolCall(self, name, arguments, as_task).run(timeout, **more)

    async def read_resource(
        self, uri: str, *, timeout: float | None = None, fresh: bool = False, **more: Any
    ) -> Outcome:
        """Read a resource by URI, from the cache while the server calls it fresh (`Complete.cached`), unless `fresh`.

        A read with a `meta` of its own is always sent.
        """
        params = {"uri": uri}
        kept = None if fresh or more.get("meta") or more.get("trace") else self._cache.get("resources/read", params)
        if kept is not None and self.session is not None:
            return kept
        return await self.request("resources/read", params, timeout=timeout, **more)

    async def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, timeout: float | None = None, **more: Any
    ) -> Outcome:
        """Get a prompt; argument values are strings."""
        params: dict[str, Any] = {"name": name}
        if arguments:
            params["arguments"] = dict(arguments)
        return await self.request("prompts/get", params, timeout=timeout, **more)

    async def complete(
        self,
        ref: Mapping[str, str],
        argument: str,
        value: str,
        context: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Outcome:
        """Ask for completions of a prompt (`ref` of type ``ref/prompt``) or a template (``ref/resource``)."""
        params: dict[str, Any] = {"ref": dict(ref), "argument": {"name": argument, "value": value}}
        if context and (self.identity is None or self.identity.version >= "2025-06-18"):
            params["context"] = {"arguments": dict(context)}
        return await self.request("completion/complete", params, **more)

    async def ping(self) -> Outcome:
        """Ask for a sign of life: `ping`, or `server/discover` where there is no ping any more."""
        modern = self.identity is not None and self.identity.era == "modern"
        return await self.request("server/discover" if modern else "ping")

    async def follow_task(self, outcome: TaskStarted, target: str, codec: Codec, state: TaskState) -> Outcome:
        """Poll a task that a call has begun, to its end; it can be seen in `task_runs` meanwhile."""

        return await self._operations.follow(outcome, target, codec, state)

    async def sign_in(self, asking: AskingToSignIn) -> None:
        """Sign in as a person asked for it, then connect anew. Raises `Fault`."""
        await self.signing_in.sign_in(self.entry, self._life.ways, asking)
        await self.restart()

    async def sign_out(self) -> bool:
        """Revoke and forget the tokens, and end the connection that they were for. Whether they were revoked."""
        revoked = await self.signing_in.sign_out(self.entry, self._life.ways)
        await self.disconnect()
        return revoked

    async def set_log_level(self, level: str | None) -> Outcome | None:
        """What the server is to log: told once in the legacy era, with each request (None here) in the modern.

        None asks for nothing any more; a legacy server cannot be told that, and keeps its level.
        """
        self.log_level = level
        codec = self.session.codec if self.session is not None else None
        if isinstance(codec, Modern):
            codec.log_level = level
            return None
        if codec is None or level is None:
            return None
        return await self.request("logging/setLevel", {"level": level})

    def cancel(self, call: int, reason: str = "cancelled by the person") -> bool:
        """Cancel the request whose record has this sequence number; False when it is not under way."""
        session = self.session
        found = next((item for item in self.in_flight if item.seq == call), None)
        return session is not None and found is not None and session.cancel(found, reason)

    def tell(self, kind: str, sentence: str, *, method: str = "", target: str = "", **facts: Any) -> int:
        """Put something that was decided about this server into the log, and give the record's number."""
        recorder = Recorder(self._journal, self.name, self._life.connection)
        return recorder.event(kind, sentence, method=method, target=target, **facts)

    async def _notify(self, method: str) -> None:
        with contextlib.suppress(Fault):  # the connection is ending: whoever comes next asks anew
            if self.session is not None:
                await self.session.notify(method)

    def attached(self, session: Session, identity: Identity, *, again: bool) -> None:
        """A connection is up: see `supervisor.Host`."""
        if session.codec is not None:
            session.codec.extra = self._extra
        self._enter_context()
        session.notified.connect(self._heard)
        self._lists.attach(session, identity)
        if self.log_level is not None and (identity.era == "modern" or identity.has("logging")):
            self._tasks.spawn(self.set_log_level(self.log_level), "log level")
        if self._life.ways.lists_at_connect:
            # What the person connects is read; what came back by itself need not be where it is still fresh.
            self._lists.reload(*What, at_once=True, fresh=not again)
            self.subscriptions.attach(session, identity)

    async def detached(self) -> None:
        """A connection is over: see `supervisor.Host`."""
        for ask in self._inbox.waiting if self._inbox is not None else ():
            if ask.server == self.name and ask.way == "retry":  # nothing could be sent again with its answer
                ask.withdraw("The connection is gone.")
        await self._lists.detach()
        await self.subscriptions.detach()

    def connection_gone(self, why: str) -> None:
        """Nothing is connected for now: see `supervisor.Host`."""
        self.catalogue.connection_gone(why)

    def _enter_context(self) -> None:
        """Use nothing of what was said to another account, also where somebody signs in within a connection."""
        session, identity, entry = self.session, self.identity, self.connected_entry
        if session is not None and identity is not None and entry is not None:
            context = (expand(entry).entry, identity, session.declared, self.connection, self.signing_in.principal)
            self._cache.enter(context_of(*context))

    def _remember(self) -> None:
        if self.identity is not None and self.session is not None:
            self._connects.note(self.catalogue, self.connection, self.identity, self.session.declared)

    def _heard(self, frame: Frame) -> None:
        lists = CHANGED_BY.get(frame.method)
        if lists:
            self._lists.changed(*lists)
            if self._life.ways.lists_at_connect:
                self._lists.reload(*lists)
        self._asking.heard(frame)
        self.notified.send(frame)

    def _lists_may_have_changed(self) -> None:
        self._cache.list_changed(*LISTS)
        if self.status.up:
            self._lists.reload(*What)
