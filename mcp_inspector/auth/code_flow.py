"""The authorization code flow, from the URL that the person opens to the token. Pure: see `steps.Flow`."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from mcp_inspector.auth import jose, rules
from mcp_inspector.auth.steps import Browse, Callback, Flow, Pairs, Trail, browse
from mcp_inspector.auth.token_request import Proofs, ask

if TYPE_CHECKING:
    from mcp_inspector.auth.discovery import Found
    from mcp_inspector.auth.identity import Client
    from mcp_inspector.auth.tokens import Granted, Refused
    from mcp_inspector.config.auth_options import AuthOptions

_TITLE = "Authorization"
_OURS = frozenset(
    {"response_type", "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method", "dpop_jkt"}
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is remembered of one attempt before the person leaves: all of it is fresh, and none is used twice."""

    issuer: str
    client: Client
    redirect_uri: str
    scopes: tuple[str, ...]
    resource: str
    state: str = field(repr=False)
    verifier: str = field(repr=False)

    @property
    def challenge(self) -> str:
        """The S256 challenge of the verifier (RFC 7636 §4.2)."""
        return jose.base64url(hashlib.sha256(self.verifier.encode()).digest())


def begin(found: Found, client: Client, redirect_uri: str, scopes: tuple[str, ...]) -> Attempt:
    """A new attempt with a fresh state (256 bits) and a fresh verifier (64 characters)."""
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    return Attempt(found.issuer, client, redirect_uri, scopes, found.resource, state, verifier)


def authorization_url(endpoint: str, attempt: Attempt, options: AuthOptions, proofs: Proofs) -> str:
    """The URL for the browser. A query of the endpoint stays; the person's extra parameters cannot replace ours."""
    fields = [
        ("response_type", "code"),
        ("client_id", attempt.client.client_id),
        ("redirect_uri", attempt.redirect_uri),
        ("state", attempt.state),
        ("code_challenge", attempt.challenge),
        ("code_challenge_method", "S256"),
    ]
    fields += [("scope", " ".join(attempt.scopes))] if attempt.scopes else []
    fields += [("resource", attempt.resource)] if attempt.resource else []
    fields += [("dpop_jkt", jose.thumbprint(proofs.key))] if proofs.key else []
    extra = {name: value for name, value in options.extra.items() if name not in _OURS}
    fields = [pair for pair in fields if pair[0] not in extra] + list(extra.items())
    parts = urlsplit(endpoint)
    names = {name for name, _ in fields}
    before = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] not in names]
    return parts._replace(query=urlencode([*before, *fields]), fragment="").geturl()


def sign_in(
    found: Found, attempt: Attempt, options: AuthOptions, proofs: Proofs, trail: Trail
) -> Flow[Granted | Refused]:
    """Send the person there, judge how they come back, and get the token. Raises `Fault`."""
    where = Browse(
        authorization_url(found.server.authorization_endpoint, attempt, options, proofs),
        attempt.redirect_uri,
        attempt.state,
    )
    callback = yield from browse(where)
    code = judge(found, attempt, where, callback, trail)
    form: Pairs = (
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", attempt.redirect_uri),
        ("code_verifier", attempt.verifier),
    )
    if attempt.resource:
        form = (*form, ("resource", attempt.resource))
    return (yield from ask("Token", rules.TOKEN, found.server.token_endpoint, form, attempt.client, proofs, trail))


def judge(found: Found, attempt: Attempt, where: Browse, callback: Callback, trail: Trail) -> str:
    """The code, after state and issuer were compared. Raises `Fault`; nothing was sent to anybody then."""

    def stop(sentence: str, rule: rules.Rule, remedy: str) -> Exception:
        return trail.stop(_TITLE, sentence, rule, remedy, asked=where, answer=callback)

    names = [name for name, _ in callback.params]
    twice = sorted({name for name in names if names.count(name) > 1})
    said = dict(callback.params)
    if twice:
        again = f"The answer holds {', '.join(twice)[:100]} more than once."
        raise stop(again, rules.CODE, "It was not used. Sign in anew.")
    if not hmac.compare_digest(said.get("state", "").encode(), attempt.state.encode()):
        raise stop("The answer does not belong to this attempt: its state is another.", rules.STATE, "Sign in anew.")
    issuer = said.get("iss")
    if issuer is None and found.server.iss_parameter:
        raise stop(
            f"{found.issuer} says that it names itself in its answers, and this one does not: it may be another's.",
            rules.ISS,
            "It was not used. If this happens again, tell its operator.",
        )
    if issuer is not None and issuer != attempt.issuer:
        raise stop(
            f"The answer is of another issuer than {attempt.issuer}. It was not used, and nothing was sent.",
            rules.ISS,
            "Somebody may try to get at your sign-in. Do not go on.",
        )
    if "error" in said:
        words = ": ".join(filter(None, (said["error"], said.get("error_description", ""))))[:400]
        hint = "Sign in anew, and allow it." if said["error"] == "access_denied" else "Sign in anew."
        raise stop(f"{attempt.issuer} did not let us in: {words}.", rules.CODE, hint)
    code = said.get("code", "")
    if not code:
        raise stop("The answer holds no code.", rules.CODE, "Sign in anew.")
    agreed = "its iss is the recorded issuer" if issuer is not None else "iss is not announced and not there"
    trail.add(_TITLE, f"A code has come; its state is ours, {agreed}.", rules.ISS, asked=where, answer=callback)
    return code
