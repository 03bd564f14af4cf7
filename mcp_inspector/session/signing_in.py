"""The sign-in of one server, between its connections and the room that knows how."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mcp_inspector.config.variables import expand, names_kept, with_kept
from mcp_inspector.signals import Signal
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.transport.base import Fault, FaultKind, now
from mcp_inspector.transport.credentials import TakesCredentials

if TYPE_CHECKING:
    from mcp_inspector.auth.authorizer import Authorizer
    from mcp_inspector.auth.keep import Keep
    from mcp_inspector.auth.person import Asking
    from mcp_inspector.auth.steps import Step
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.ways import Ways
    from mcp_inspector.transport.base import Transport


class SigningIn:
    """Makes the server's `Authorizer` when a connection by URL is made, and writes its steps into the log.

    `changed` tells of everything that the authorizer tells of, and that there is one now.
    """

    def __init__(self, name: str, journal: Journal) -> None:
        self.changed: Signal[()] = Signal()
        self.authorizer: Authorizer | None = None
        self._name = name
        self._journal = journal
        self._connection = 0
        self._last: Step | None = None

    async def dress(self, transport: Transport, entry: ServerEntry, ways: Ways, connection: int) -> None:
        """Give the transport of a new connection its credentials."""
        self._connection = connection
        authorizer = await self.prepare(entry, ways)
        if authorizer is not None and isinstance(transport, TakesCredentials):
            transport.credentials = authorizer

    async def prepare(self, entry: ServerEntry, ways: Ways) -> Authorizer | None:
        """The authorizer for this entry; None where nobody signs in."""
        if not entry.remote or ways.vault is None:
            return None
        expanded = expand(entry)
        if expanded.problems:
            return None  # the dialer says so
        authorizer = self.authorizer
        if authorizer is None:
            from mcp_inspector.auth.authorizer import Authorizer

            authorizer = self.authorizer = Authorizer(self._name, keep_of(ways), ways.opener)
            authorizer.trail.changed.connect(self._stepped)
            authorizer.changed.connect(self.changed.send)
        authorizer.version = entry.protocol if entry.protocol[:1].isdigit() else ""
        await authorizer.follow(expanded.entry)
        return authorizer

    async def sign_in(self, entry: ServerEntry, ways: Ways, asking: Asking) -> None:
        """Sign in; the person has asked for it. Raises `Fault`."""
        authorizer = await self.prepare(await filled(entry, ways), ways)
        if authorizer is None:
            sentence = f"{entry.name} cannot be signed in at: it has no URL, or nothing is kept here."
            raise Fault(FaultKind.USAGE, sentence, "Sign-in is for servers that are reached by URL.")
        await authorizer.sign_in(asking)

    async def sign_out(self, entry: ServerEntry, ways: Ways) -> bool:
        """Revoke and forget the tokens. Whether they were revoked."""
        authorizer = await self.prepare(await filled(entry, ways), ways)
        return await authorizer.sign_out() if authorizer is not None else False

    async def moved(self, entry: ServerEntry, ways: Ways) -> None:
        """The URL of the entry is another: what is kept for the old one is dropped at once."""
        full = expand(await filled(entry, ways))
        if ways.vault is not None and not full.problems:
            url = canonical(full.entry.url) if entry.remote else ""
            await keep_of(ways).sign_in(entry.name, url, full.entry.auth)

    async def rename(self, name: str) -> None:
        """The server has another name."""
        self._name = name
        if self.authorizer is not None:
            await self.authorizer.rename(name)

    @property
    def principal(self) -> str:
        """Names who is signed in, by the token of the sign-in and not by its refreshed ones; empty for nobody."""
        signed = self.authorizer.signed if self.authorizer is not None else None
        return f"{signed.token.issuer} {signed.number}" if signed is not None else ""

    @property
    def wanted(self) -> str:
        """What a server that is connected wants of us, as a sentence without its full stop; empty for nothing."""
        authorizer = self.authorizer
        if authorizer is None:
            return ""
        if authorizer.more_scopes:
            return f"The server wants more scopes: {' '.join(authorizer.more_scopes)}"
        return "The server does not take our sign-in any more" if authorizer.needed else ""

    def explain(self, fault: Fault) -> Fault:
        """The refusal of a server, with why signing in failed where it was tried."""
        authorizer = self.authorizer
        if fault.kind is FaultKind.UNAUTHORIZED and authorizer is not None and authorizer.fault is not None:
            why = authorizer.fault
            return Fault(fault.kind, f"{fault.sentence} {why.sentence}", why.hint, {**fault.facts, **why.facts})
        return fault

    def _stepped(self) -> None:
        steps = self.authorizer.trail.steps if self.authorizer is not None else []
        if not steps or steps[-1] is self._last:
            return
        step = self._last = steps[-1]
        url = getattr(step.asked, "url", "")
        status = getattr(step.answer, "status", 0)
        facts = {"sentence": step.sentence, "verdict": step.verdict.value}
        facts |= {"rule": str(step.rule)} if step.rule else {}
        facts |= {"remedy": step.remedy} if step.remedy else {}
        self._journal.append(
            Entry(
                self._name,
                self._connection,
                Channel.AUTH,
                Direction.LOCAL if step.asked is None else Direction.SENT,
                *now(),
                step.text().encode(),
                step.title.lower(),
                getattr(step.asked, "method", ""),
                target=url.partition("?")[0],
                status=status or None,
                facts=facts,
            )
        )


def words_of(error: Exception) -> str:
    """What happened and what to do, when this is a failure of the outside; empty for a mistake of ours."""
    return " ".join(filter(None, (error.sentence, error.hint))) if isinstance(error, Fault) else ""


async def filled(entry: ServerEntry, ways: Ways) -> ServerEntry:
    """The entry with the values of the vault that it names, looked up beside the loop."""
    if ways.vault is None or not names_kept(entry):
        return entry
    return await asyncio.to_thread(with_kept, entry, ways.vault.get)


async def forget(entry: ServerEntry, ways: Ways) -> None:
    """Remove from the vault what is kept of a server's sign-in."""
    if ways.vault is not None and entry.url:
        full = expand(await filled(entry, ways)).entry
        await keep_of(ways).forget(entry.name, full.auth.client_id, canonical(full.url))


def canonical(url: str) -> str:
    """A server's URL as tokens are kept for it; as it stands where it is none."""
    from mcp_inspector.auth import places
    from mcp_inspector.transport import urls

    try:
        return places.canonical(urls.parse(url).text)
    except Fault:
        return url


def keep_of(ways: Ways) -> Keep:
    """Where sign-ins are kept."""
    from mcp_inspector.auth.keep import Keep

    assert ways.vault is not None
    return Keep(ways.vault)
