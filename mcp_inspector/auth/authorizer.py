"""Signing in at one server: the tokens that go with its requests, and what to do about a refusal.

It is the `transport.credentials.Credentials` of the server's connections and the object that a face talks to. By itself
it only refreshes, and gets tokens that need no person; a browser is opened by `sign_in` alone, through the opener that
it is given. `automatic` is an opener of somebody who has agreed before: a test, never the window.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_inspector.auth import challenge as challenges
from mcp_inspector.auth import discovery, grants, jose, places, rules
from mcp_inspector.auth.discovery import Found, Situation
from mcp_inspector.auth.keep import Keep, SignedIn
from mcp_inspector.auth.person import Asking, Person
from mcp_inspector.auth.runner import run
from mcp_inspector.auth.steps import Trail, Verdict
from mcp_inspector.auth.token_request import Proofs, choose_proofs
from mcp_inspector.auth.tokens import Granted, Refused, Token, token
from mcp_inspector.auth.web import Web
from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.signals import Signal
from mcp_inspector.store.redact import is_secret_name
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from mcp_inspector.auth.challenge import Challenge
    from mcp_inspector.auth.identity import Client
    from mcp_inspector.auth.person import Opener
    from mcp_inspector.auth.steps import Browse
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.transport.base import HttpHead
    from mcp_inspector.transport.urls import Target

_EARLY_S = 30.0
_AUTH = "Sign-in"


class Authorizer:
    """The sign-in of one server. `changed` tells of everything; `trail` holds the steps of the latest sign-in.

    `needed` says that the server wants a sign-in, `more_scopes` which ones it misses, `fault` why the latest attempt
    failed, `waiting` where the person has to go while one is waited for.
    """

    def __init__(self, name: str, keep: Keep, automatic: Opener | None = None) -> None:
        self.name = name
        self.keep = keep
        self.trail = Trail()
        self.changed: Signal[()] = Signal()
        self.trail.changed.connect(self.changed.send)
        self.signed: SignedIn | None = None
        self.found: Found | None = None
        self.challenges: tuple[Challenge, ...] = ()
        self.needed = False
        self.more_scopes: tuple[str, ...] = ()
        self.fault: Fault | None = None
        self.waiting: Browse | None = None
        self.busy = ""
        self.version = ""
        self._automatic = automatic
        self._entry: ServerEntry | None = None
        self._target: Target | None = None
        self._loaded = False
        self._lock = asyncio.Lock()
        self._proofs = Proofs()
        self._accepted = ""  # the access token that the server has taken at least once
        self._by_flow = ""  # the access token that a whole flow has just brought
        self._stepped: set[frozenset[str]] = set()

    @property
    def server(self) -> str:
        """The URL that tokens are for."""
        return places.canonical(self._target.text) if self._target is not None else ""

    @property
    def token(self) -> Token | None:
        """The token that goes with requests."""
        return self.signed.token if self.signed is not None else None

    @property
    def static(self) -> str:
        """The header of the entry that proves who we are, because of which nothing is started by itself."""
        headers = self._entry.headers if self._entry is not None else {}
        return next((name for name in headers if is_secret_name(name, strict=True)), "")

    async def follow(self, entry: ServerEntry) -> None:
        """Be for this entry, its variables filled in, from now on. Another URL or identity drops what was kept."""
        before, self._entry = self._entry, entry
        self._target = urls.parse(entry.url)
        if self._loaded and before is not None and (before.url, before.auth) == (entry.url, entry.auth):
            return
        self._forget_in_memory()
        self.trail.clear(offered=before is not None and before.url == entry.url)
        self.signed = await self.keep.sign_in(entry.name, self.server, entry.auth)
        if self.token is not None:
            self._proofs.key = self.token.key
            self._accepted = self.token.access  # in an earlier run
        self._loaded = True
        self.changed.send()

    async def rename(self, name: str) -> None:
        """The server has another name; what is kept goes with it."""
        await self.keep.rename(self.name, name)
        self.name = name

    # What the transport asks.

    async def headers(self, method: str, target: Target) -> list[tuple[str, str]]:
        """See `transport.credentials.Credentials`."""
        if not self._ours(target) or self.token is None:
            return []
        left = self.token.left(time.time())
        if left is not None and left < _EARLY_S and self.token.refresh and self._accepted == self.token.access:
            async with self._lock:
                left = self.token.left(time.time()) if self.token is not None else None
                if left is not None and left < _EARLY_S:
                    await self._refresh()
        held = self.token
        if held is None:
            return []
        lines = [("Authorization", f"{held.kind} {held.access}")]
        if held.kind == "DPoP":
            nonce = self._proofs.nonces.get(places.origin(target.text), "")
            lines.append(("DPoP", jose.proof(held.key, method, target.text, token=held.access, nonce=nonce)))
        return lines

    def answered(self, target: Target, head: HttpHead, sent: list[tuple[str, str]]) -> None:
        """See `transport.credentials.Credentials`."""
        nonce = head.get("dpop-nonce")
        if nonce and nonce.isprintable() and self._ours(target):
            self._proofs.nonces[places.origin(target.text)] = nonce
        held = self.token
        if head.status != 401 and held is not None and _carries(sent, held):
            self._accepted = held.access
            if self.needed:
                self.needed = False
                self.changed.send()

    async def refused(
        self, method: str, target: Target, head: HttpHead, sent: list[tuple[str, str]], tried: int
    ) -> bool:
        """See `transport.credentials.Credentials`: a new token is worth one retry, and a fresh one refused is not."""
        if not self._ours(target):
            return False
        found = challenges.parse(value for name, value in head.headers if name.lower() == "www-authenticate")
        error = challenges.first(found, "error")
        if error == "use_dpop_nonce" and head.get("dpop-nonce"):
            return any(name == "DPoP" for name, _ in sent) and tried < 2
        if head.status == 403:
            return await self._stepping_up(found) if error == "insufficient_scope" else False
        async with self._lock:
            held = self.token
            if held is not None and not _carries(sent, held):
                return True  # somebody else has got a new one meanwhile
            self.challenges = challenges.about_tokens(found)
            if held is not None and held.access == self._by_flow and held.access != self._accepted:
                sentence = "The server refused a token that was just given out for it."
                self.fault = self.trail.stop(_AUTH, sentence, rules.RETRY, "Look at the server's own log.")
                self._need()
                return False
            refreshable = held is not None and held.refresh and held.access == self._accepted
            if refreshable and await self._refresh():
                return True
            return await self._silently()

    # What a face asks.

    async def sign_in(self, asking: Asking) -> Token:
        """Sign in now: find out where, send the person there, get the token. Raises `Fault`; steps are in `trail`."""
        if self._entry is None or self._target is None:
            raise Fault(FaultKind.USAGE, f"{self.name} has no URL to sign in at.")
        if any(name.lower() == "authorization" for name in self._entry.headers) or self._target.authorization:
            sentence = f"{self.name} has credentials of its own in its entry, and they are what is sent."
            raise Fault(FaultKind.USAGE, sentence, "Take them out of the entry to sign in instead.")
        async with self._lock:
            self._stepped.clear()
            return await self._flow(asking)

    async def refresh(self) -> Token:
        """Get a new access token now, by the refresh token. Raises `Fault`."""
        async with self._lock:
            if self.token is None or not self.token.refresh:
                raise Fault(FaultKind.USAGE, "There is no refresh token.", "Sign in again.")
            if not await self._refresh():
                raise self.fault or Fault(FaultKind.UNAUTHORIZED, "It was not refreshed.", "Sign in again.")
            return self.token

    async def sign_out(self) -> bool:
        """Revoke the tokens where the server can, and forget them. Whether they were revoked."""
        async with self._lock:
            signed, revoked = self.signed, False
            if signed is not None and signed.revocation_endpoint:
                web = self._web()
                try:
                    flow = grants.revoke(signed.revocation_endpoint, signed.token, signed.client, self.trail)
                    revoked = await run(flow, web)
                finally:
                    await web.close()
            elif signed is not None:
                sentence = "The authorization server has no endpoint to revoke tokens; they are forgotten here."
                self.trail.add("Sign out", sentence, rules.REVOKE, verdict=Verdict.ODD)
            await self._store(None)
            self._forget_in_memory()
            self.changed.send()
            return revoked

    async def forget_client(self, issuer: str = "") -> None:
        """Forget our registration at the authorization server (the latest one), and the tokens that it got."""
        async with self._lock:
            if not issuer:
                issuer = self.found.issuer if self.found is not None else self.token.issuer if self.token else ""
            if issuer:
                await self.keep.put_client(issuer, None)
            if self._entry is not None and self._entry.auth.client_id:
                await self.keep.bind(self._entry.auth.client_id, self.server, "")
            await self._store(None)
            self._forget_in_memory()
            self.trail.add("Client", "The registration and its tokens are forgotten.", rules.BOUND)

    # The work.

    async def _stepping_up(self, found: tuple[Challenge, ...]) -> bool:
        """A 403 for want of scopes: once for each set of scopes, and only where no person has to be asked."""
        wanted = frozenset(challenges.first(found, "scope").split())
        async with self._lock:
            self.challenges = challenges.about_tokens(found)
            self.more_scopes = tuple(sorted(wanted))
            self.changed.send()
            if wanted in self._stepped:
                sentence = "The scopes were asked for already, and the server still wants them: it is not asked again."
                self.trail.add(_AUTH, sentence, rules.STEP_UP, verdict=Verdict.FAILED)
                return False
            if self.static or (self._automatic is None and not self._options.by_machine):
                return False
            self._stepped.add(wanted)
            return await self._silently()

    async def _silently(self) -> bool:
        """Get a token where no person has to be asked for it; else say that one is needed."""
        if self.static:
            self._need()
            return False
        opener = self._automatic
        if self.fault is not None or (opener is None and not self._options.by_machine):
            self._need()  # what has failed is not tried again by itself
            return False
        try:
            await self._flow(Asking(opener, again=True) if opener is not None else None)
        except Fault:
            self._need()
            return False
        return True

    async def _flow(self, asking: Asking | None) -> Token:
        self.busy, self.fault = "signing in", None
        self.trail.clear()
        web = self._web()
        try:
            return await self._whole_flow(asking, web)
        except Fault as fault:
            self.fault = fault
            if not self.trail.steps or self.trail.steps[-1].verdict is not Verdict.FAILED:
                self.trail.add(_AUTH, fault.sentence, verdict=Verdict.FAILED, remedy=fault.hint)
            raise
        finally:
            await web.close()
            self.busy, self.waiting = "", None
            self.changed.send()

    async def _whole_flow(self, asking: Asking | None, web: Web) -> Token:
        options, gate = self._options, asking.gate if asking is not None else None
        situation = Situation(
            self._target.text if self._target is not None else "",
            options,
            self.challenges,
            self.version,
            self.token.asked if self.token is not None else (),
            await self.keep.bound(options.client_id, self.server) if options.client_id else "",
        )
        discovery.tell_challenge(situation, self.trail)
        found = self.found = await run(discovery.discover(situation, self.trail), web, gate)
        scopes = discovery.scopes(situation, found, self.trail)
        choose_proofs(self._proofs, situation, found, self.trail)
        like = Token("", self.server, found.issuer, found.resource, asked=scopes, key=self._proofs.key)
        if options.by_machine:
            flow = grants.by_machine(situation, found, scopes, self._proofs, self.trail)
            client, result = await run(flow, web, gate)
        else:
            if asking is None:
                raise Fault(FaultKind.UNAUTHORIZED, f"{self.name} wants a person to sign in.")
            person = Person(self.name, asking, web, self.keep, self._proofs, self.trail, self._wait)
            client, result = await person.sign_in(situation, found, scopes)
        if isinstance(result, Refused):
            raise Fault(
                FaultKind.UNAUTHORIZED,
                f"{found.issuer} gave no token: {result.said}.",
                "Look at the steps of the sign-in; the words are the authorization server's.",
            )
        got = token(result, like, time.time())
        if result.scopes and set(scopes) - set(result.scopes):
            missing = " ".join(sorted(set(scopes) - set(result.scopes)))
            self.trail.add("Scopes", f"Not granted: {missing}.", rules.SCOPES, verdict=Verdict.ODD)
        await self._take(got, client, found)
        return got

    async def _refresh(self) -> bool:
        """Under the lock. False leaves the reason in the trail, and drops what cannot be refreshed any more."""
        signed = self.signed
        if signed is None:
            return False
        if await self._renewed_elsewhere(signed):
            return True
        web = self._web()
        try:
            flow = grants.refresh(signed.token_endpoint, signed.token, signed.client, self._proofs, self.trail)
            result = await run(flow, web)
        except Fault as fault:
            self.trail.add("Refresh", fault.sentence, rules.REFRESH, verdict=Verdict.FAILED, remedy=fault.hint)
            return False
        finally:
            await web.close()
        if isinstance(result, Granted):
            got = token(result, signed.token, time.time())
            self.signed = replace(signed, token=got)
            await self._store(self.signed)
            self.fault = None
            self.changed.send()
            return True
        if result.error == "invalid_client" and signed.client.source == "registered":
            await self.keep.put_client(signed.client.issuer, None)
            self.signed = None
        elif result.error == "invalid_grant":
            self.signed = replace(signed, token=replace(signed.token, refresh=""))
        else:
            return False
        await self._store(self.signed)
        self.changed.send()
        return False

    async def _renewed_elsewhere(self, signed: SignedIn) -> bool:
        """Whether another process, which shares what is kept, has got a new token: an old refresh token is used up."""
        entry = self._entry
        kept = await self.keep.sign_in(entry.name, self.server, entry.auth) if entry is not None else None
        if kept is None or kept.token.access == signed.token.access:
            return False
        self.signed = kept
        self.changed.send()
        return True

    async def _take(self, got: Token, client: Client, found: Found) -> None:
        endpoints = found.server.token_endpoint, found.server.revocation_endpoint
        self.signed = SignedIn(got, client, *endpoints, secrets.token_hex(8))
        self._by_flow, self._accepted = got.access, ""
        self.needed, self.more_scopes, self.fault = False, (), None
        if self._options.client_id:
            await self.keep.bind(self._options.client_id, self.server, found.issuer)
        await self._store(self.signed)

    async def _store(self, signed: SignedIn | None) -> None:
        self.signed = signed
        if self._entry is not None:
            await self.keep.put_sign_in(self._entry.name, self.server, self._entry.auth, signed)

    def _wait(self, where: Browse | None) -> None:
        self.waiting = where
        self.changed.send()

    def _need(self) -> None:
        self.needed = True
        self.changed.send()

    def _ours(self, target: Target) -> bool:
        return self._target is not None and target.origin == self._target.origin

    def _forget_in_memory(self) -> None:
        self.signed, self.found, self.fault = None, None, None
        self.challenges, self.more_scopes, self.needed = (), (), False
        self._proofs = Proofs()
        self._accepted = self._by_flow = ""
        self._stepped.clear()

    def _web(self) -> Web:
        route = self._entry.route if self._entry is not None else None
        return Web(self._target.text if self._target is not None else "", self._options.private_network, route)

    @property
    def _options(self) -> AuthOptions:
        return self._entry.auth if self._entry is not None else AuthOptions()


def _carries(sent: list[tuple[str, str]], held: Token) -> bool:
    return any(name == "Authorization" and value.endswith(f" {held.access}") for name, value in sent)
