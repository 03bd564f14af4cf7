"""One run of a profile against servers: connect, list, call, go wrong, come back; each step with its evidence."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

from mcp_inspector.agent.lab.evidence import Judgement, Seen, judge
from mcp_inspector.agent.lab.profiles import Connecting, Refreshing
from mcp_inspector.agent.lab.sabotage import Saboteur, Trouble
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, LocalError
from mcp_inspector.session.ways import Ways
from mcp_inspector.signals import Signal
from mcp_inspector.store.record import Channel, Entry, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.agent.lab.profiles import Profile
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.server import Server
    from mcp_inspector.session.ways import Dial
    from mcp_inspector.transport.base import Fault


@dataclass(frozen=True)
class Attempt:
    """One attempt to come back: after `wait` seconds, `at` seconds after the loss; `sentence` says how it ended."""

    number: int
    wait: float
    at: float
    up: bool
    sentence: str


@dataclass(frozen=True)
class Probe:
    """The call that a run makes: a tool that the person chose, since tools act. `arguments` is JSON text."""

    tool: str
    arguments: bytes = b"{}"


@dataclass(frozen=True)
class Report:
    """What a run of a profile showed about one server. `attempts` are those to reconnect."""

    profile: Profile
    server: str
    judgements: tuple[Judgement, ...]
    attempts: tuple[Attempt, ...] = ()

    @property
    def broken(self) -> int:
        """How many habits do not work."""
        return sum(judgement.works is False for judgement in self.judgements)


class Lab:
    """Runs profiles on connections of its own. `told` gives a sentence for each step while a run goes on.

    `journal` gets every record, so the evidence stands where all traffic does; `dial` reaches the servers.
    """

    def __init__(self, journal: Journal, dial: Dial) -> None:
        self.told: Signal[str] = Signal()
        self.attempted: Signal[Attempt] = Signal()
        self._journal, self._dial = journal, dial

    async def run(
        self,
        profile: Profile,
        entry: ServerEntry,
        *,
        probe: Probe | None = None,
        trouble: Trouble | None = None,
        amount: float = 1,
    ) -> Report:
        """Play the profile against one server. Raises nothing for what the server does."""
        tee = _Tee(self._journal, entry.name)
        saboteur = Saboteur(self._dial)
        patience = Patience(
            request=profile.call_timeout,
            ceiling=profile.call_timeout,
            probe=min(5.0, profile.connect_timeout),
            handshake=profile.connect_timeout,
        )
        ways = Ways(saboteur.dial, patience=patience, lists_at_connect=False)
        # The profile decides about reconnecting, so the supervisor does not.
        plain = replace(entry, reconnect=0, disabled=False, connect="start", timeout=None, refresh_before_call=False)
        inspector = Inspector(tee, ways, [plain])
        run = _Run(self, profile, inspector.servers[0], saboteur, tee)
        try:
            return await run.play(probe, trouble, amount)
        finally:
            await inspector.close()
            await saboteur.close()


class _Tee:
    """Passes records on, and keeps those of this run."""

    def __init__(self, journal: Journal, server: str) -> None:
        self._journal, self._server = journal, server
        self.records: list[Record] = []

    def append(self, entry: Entry) -> int:
        seq = self._journal.append(entry)
        self.records.append(Record(seq, entry))
        return seq

    def last(self, *channels: Channel) -> tuple[int, ...]:
        """The number of the newest record of these channels."""
        return next(((record.seq,) for record in reversed(self.records) if record.entry.channel in channels), ())


class _Run:
    def __init__(self, lab: Lab, profile: Profile, server: Server, saboteur: Saboteur, tee: _Tee) -> None:
        self._lab, self._profile, self._server, self._saboteur, self._tee = lab, profile, server, saboteur, tee
        self._found: list[Judgement] = []
        self._attempts: list[Attempt] = []

    async def play(self, probe: Probe | None, trouble: Trouble | None, amount: float) -> Report:
        profile, server = self._profile, self._server
        if profile.connecting is Connecting.EXPLICIT:
            outcome = await server.call_tool(probe.tool if probe else "any", b"{}")
            refused = isinstance(outcome, LocalError) and not outcome.call
            self._say("connects when told", refused, "A call before connecting fails at once, without anything sent.")
        if not await self._connect():
            return self._report()
        await self._list()
        if probe is not None:
            await self._call(probe, "call")
        self._changes()
        if trouble is not None:
            await self._go_wrong(trouble, amount, probe)
        seen = Seen(server.name, self._tee.records, server.catalogue[What.TOOLS].items)
        self._found += [judge(naive, seen) for naive in sorted(profile.naive)]
        return self._report()

    def _report(self) -> Report:
        return Report(self._profile, self._server.name, tuple(self._found), tuple(self._attempts))

    def _say(self, what: str, works: bool | None, sentence: str, seqs: Sequence[int] = ()) -> None:
        self._found.append(Judgement(what, works, sentence, tuple(seqs)))
        self._lab.told.send(f"{what}: {sentence}")

    async def _connect(self) -> bool:
        server, limit = self._server, self._profile.connect_timeout
        began = monotonic()
        server.connect()
        try:
            async with asyncio.timeout(limit):
                status = await server.settled()
        except TimeoutError:
            sentence = f"It was not ready within {limit:g} s, which is all that this host waits."
            self._say("connect", False, sentence, self._tee.last(Channel.MESSAGE, Channel.LIFECYCLE))
            return False
        took = monotonic() - began
        if not status.up:
            why = status.fault.sentence if status.fault else status.words()
            after = " The others go on." if self._profile.degrades else " The start of the host fails."
            self._say("connect", False, f"{why}{after}", self._tee.last(Channel.LIFECYCLE))
            return False
        self._say("connect", True, f"Connected in {took:.2f} s of {limit:g} s.", self._tee.last(Channel.LIFECYCLE))
        return True

    async def _list(self) -> None:
        await self._server.refresh(What.TOOLS)
        listing = self._server.catalogue[What.TOOLS]
        works = listing.freshness is Freshness.FRESH
        words = (
            f"{len(listing.items)} tools in {listing.pages} pages." if works else listing.why or listing.freshness.value
        )
        self._say("list tools", works, words, self._tee.last(Channel.MESSAGE))

    async def _call(self, probe: Probe, what: str) -> bool:
        outcome = await self._server.call_tool(probe.tool, probe.arguments, timeout=self._profile.call_timeout)
        works = isinstance(outcome, Complete)
        seconds = outcome.elapsed_ns / 1e9
        sentence = f"{probe.tool} answered in {seconds:.2f} s of {self._profile.call_timeout:g} s."
        if not works:
            sentence = outcome.sentence if isinstance(outcome, LocalError) else f"{probe.tool}: the server refused it."
        elif isinstance(outcome, Complete) and outcome.tool_error:
            sentence = f"{probe.tool} said isError after {seconds:.2f} s."
        self._say(what, works, sentence, [seq for seq in (outcome.call, outcome.reply) if seq])
        return works

    def _changes(self) -> None:
        identity = self._server.identity
        declared = identity is not None and bool((identity.capabilities.get("tools") or {}).get("listChanged"))
        refreshing = self._profile.refreshing
        if refreshing is Refreshing.ON_CHANGE and not declared:
            sentence = "It does not declare tools.listChanged: a host that waits for that never lists again."
            self._say("refresh", False, sentence, self._tee.last(Channel.MESSAGE))
        elif refreshing is Refreshing.NEVER and declared:
            sentence = "It declares that its tools may change: this host goes on with those of the connect."
            self._say("refresh", False, sentence, self._tee.last(Channel.MESSAGE))
        else:
            self._say("refresh", True, f"Listing again by “{refreshing}” fits what it declares.")

    async def _go_wrong(self, trouble: Trouble, amount: float, probe: Probe | None) -> None:
        server = self._server
        gone = _gone(server)
        self._lab.told.send(self._saboteur.make(trouble, amount))
        if trouble is Trouble.REFUSE:
            self._saboteur.make(Trouble.DROP)
        if trouble in (Trouble.DELAY, Trouble.UNAVAILABLE, Trouble.EXPIRE):
            works = (
                await self._call(probe, f"call under {trouble}") if probe else await self._ping(f"ping under {trouble}")
            )
            if works or server.status.up:
                return
        else:
            await asyncio.wait_for(gone, 10)
        await self._come_back(trouble)
        if server.status.up and probe is not None:
            await self._call(probe, "call after reconnect")

    async def _ping(self, what: str) -> bool:
        outcome = await self._server.ping()
        works = isinstance(outcome, Complete)
        sentence = "It answered." if works else getattr(outcome, "sentence", "It refused.")
        self._say(what, works, sentence, [seq for seq in (outcome.call, outcome.reply) if seq])
        return works

    async def _come_back(self, trouble: Trouble) -> None:
        server, profile = self._server, self._profile
        status = await server.settled()
        fault = status.fault
        if not profile.reconnects or (fault is not None and fault.kind not in profile.classes):
            why = (
                "This host does not reconnect"
                if not profile.reconnects
                else "It does not reconnect for this kind of fault"
            )
            kept = " What was listed before is still shown." if profile.degrades else ""
            self._say(
                f"reconnect after {trouble}", False, f"{why}: {_why(fault)}{kept}", self._tee.last(Channel.LIFECYCLE)
            )
            return
        began = monotonic()
        for number in range(1, profile.reconnects + 1):
            wait = profile.wait_before(number)
            await asyncio.sleep(wait)
            server.connect()
            status = await server.settled()
            words = "connected" if status.up else _why(status.fault)
            attempt = Attempt(number, wait, monotonic() - began, status.up, words)
            self._attempts.append(attempt)
            self._lab.attempted.send(attempt)
            if status.up:
                break
        tries = "1 attempt" if len(self._attempts) == 1 else f"{len(self._attempts)} attempts"
        sentence = f"It is back after {tries}." if status.up else f"It is not back after {tries}: {_why(status.fault)}"
        self._say(f"reconnect after {trouble}", status.up, sentence, self._tee.last(Channel.LIFECYCLE))


def _gone(server: Server) -> asyncio.Future[None]:
    """Done when the server is not up any more."""
    gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def look() -> None:
        if not server.status.up and not gone.done():
            gone.set_result(None)

    stop = server.changed.connect(look)
    gone.add_done_callback(lambda _: stop())
    return gone


def _why(fault: Fault | None) -> str:
    return fault.sentence if fault is not None else "it ended."
