"""The part of a sign-in that needs a person: the listener, the browser, and the way back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcp_inspector.auth import code_flow, identity, rules
from mcp_inspector.auth.loopback import Loopback
from mcp_inspector.auth.runner import Gate, run
from mcp_inspector.auth.steps import Browse, Callback, Trail, Verdict
from mcp_inspector.auth.tokens import Granted, Refused
from mcp_inspector.transport.base import Fault

if TYPE_CHECKING:
    from mcp_inspector.auth.discovery import Found, Situation
    from mcp_inspector.auth.identity import Client
    from mcp_inspector.auth.keep import Keep
    from mcp_inspector.auth.token_request import Proofs
    from mcp_inspector.auth.web import Web

Opener = Callable[[str], Awaitable[None]]
"""Opens an http(s) URL in a browser, or shows it; raises `Fault` when it cannot."""

PATIENCE_S = 300.0


@dataclass(frozen=True)
class Asking:
    """How a person signs in: what opens the browser, what lets each step through, and how long it may take (s).

    `again` lets the opener be used once more in the same sign-in, which a person's one click does not.
    """

    opener: Opener
    gate: Gate | None = None
    limit: float = PATIENCE_S
    again: bool = False


@dataclass(frozen=True)
class Person:
    """One person's way through the code flow. `waiting` is told where they have to go, and None when they are back."""

    name: str
    asking: Asking
    web: Web
    keep: Keep
    proofs: Proofs
    trail: Trail
    waiting: Callable[[Browse | None], object]

    async def sign_in(
        self, situation: Situation, found: Found, scopes: tuple[str, ...]
    ) -> tuple[Client, Granted | Refused]:
        """The code flow. Where the authorization server has forgotten our registration meanwhile, it is dropped.

        Going on would open a second page that nobody has clicked for: that is done only if `Asking.again` says so.
        """
        known = await self.keep.client(found.issuer)
        listener = await self._listen(situation, known)
        try:
            client, result = await self._once(situation, found, scopes, known, listener)
            if isinstance(result, Refused) and result.error == "invalid_client" and client.source == "registered":
                await self.keep.put_client(found.issuer, None)
                listener.tell(False, "The authorization server has forgotten this program: sign in there once more.")
                sentence = f"{found.issuer} does not know our registration any more: it is dropped."
                if not self.asking.again:
                    raise self.trail.stop("Client", sentence, rules.BOUND, "Sign in once more, to register anew.")
                self.trail.add("Client", f"{sentence} A new one is made.", rules.BOUND, verdict=Verdict.NEXT)
                client, result = await self._once(situation, found, scopes, None, listener)
            ok = isinstance(result, Granted)
            listener.tell(ok, f"{self.name} can be used now." if ok else "No token was given for the answer.")
            return client, result
        except Fault:
            listener.tell(False, "The answer was refused.")
            raise
        finally:
            await listener.close()

    async def _once(
        self,
        situation: Situation,
        found: Found,
        scopes: tuple[str, ...],
        known: Client | None,
        listener: Loopback,
    ) -> tuple[Client, Granted | Refused]:
        finding = identity.find(situation, found, listener.uri, known, self.trail)
        client = await run(finding, self.web, self.asking.gate)
        if client.source == "registered":
            await self.keep.put_client(found.issuer, client)
        attempt = code_flow.begin(found, client, listener.uri, scopes)

        async def visit(where: Browse) -> Callback:
            listener.expect(where.state)
            self.waiting(where)
            try:
                await self.asking.opener(where.url)
                return await listener.wait(self.asking.limit)
            finally:
                self.waiting(None)

        flow = code_flow.sign_in(found, attempt, situation.options, self.proofs, self.trail)
        return client, await run(flow, self.web, self.asking.gate, visit)

    async def _listen(self, situation: Situation, known: Client | None) -> Loopback:
        """The listener: at the port of the registration if it can be had, else at the wanted one, or any."""
        wanted = situation.options.redirect_uri
        if known is not None and _alike(known.redirect_uri, wanted):
            again = Loopback(known.redirect_uri)
            try:
                await again.open()
                return again
            except Fault as taken:
                sentence = f"{taken.sentence} Another one is used, and registered."
                self.trail.add("Redirect", sentence, rules.BOUND, verdict=Verdict.ODD)
        listener = Loopback(wanted)
        await listener.open()
        return listener


def _alike(registered: str, wanted: str) -> bool:
    """Whether a registered redirect URI is the wanted one, but for a port that was left open."""
    one, other = urlsplit(registered), urlsplit(wanted)
    same = (one.scheme, one.hostname, one.path) == (other.scheme, other.hostname, other.path)
    return same and other.port in (None, one.port)
