"""A request to the token endpoint: proven by the client, bound to a key where it is to be, judged. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.auth import jose, rules, tokens
from mcp_inspector.auth.identity import Client, proven
from mcp_inspector.auth.steps import Flow, Pairs, Request, Trail, Verdict, fetch
from mcp_inspector.auth.tokens import Granted, Refused

if TYPE_CHECKING:
    from mcp_inspector.auth.discovery import Found, Situation
    from mcp_inspector.auth.rules import Rule

_HEADERS = (("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded"))


@dataclass
class Proofs:
    """The key of DPoP proofs, empty where the token is a bearer token, and the latest nonce of each origin."""

    key: str = field(default="", repr=False)
    nonces: dict[str, str] = field(default_factory=dict)


def choose_proofs(proofs: Proofs, situation: Situation, found: Found, trail: Trail) -> None:
    """Bind tokens to a key where both servers know how, or where the person wants it."""
    wanted = situation.options.dpop
    required = found.protected is not None and found.protected.dpop_required
    asked = required or any(each.scheme == "dpop" for each in situation.challenges)
    able = jose.PROOF_ALGORITHM in found.server.dpop
    if wanted == "always" or (wanted == "auto" and able and asked):
        proofs.key = proofs.key or jose.new_key()
        trail.add("DPoP", "The token is to be bound to a new key of ours.", rules.DPOP)
    else:
        proofs.key = ""


def ask(
    title: str, rule: Rule, endpoint: str, form: Pairs, client: Client | None, proofs: Proofs, trail: Trail
) -> Flow[Granted | Refused]:
    """Ask for a token; once more where a nonce is wanted. Without a `client` nobody proves anything."""
    from mcp_inspector.auth import places

    origin = places.origin(endpoint)
    for again in (False, True):
        headers, fields = proven(client, form) if client is not None else ((), form)
        if proofs.key:
            proof = jose.proof(proofs.key, "POST", endpoint, nonce=proofs.nonces.get(origin, ""))
            headers = (*headers, ("DPoP", proof))
        request = Request("POST", endpoint, (*_HEADERS, *headers), fields)
        answer = yield from fetch(request)
        nonce = answer.header("dpop-nonce")
        if nonce and nonce.isprintable():
            proofs.nonces[origin] = nonce
        result = tokens.read(answer)
        if isinstance(result, Refused) and result.error == "use_dpop_nonce" and proofs.key and nonce and not again:
            sentence = "The authorization server wants its nonce in the proof: once more."
            trail.add(title, sentence, rules.DPOP_NONCE, verdict=Verdict.NEXT, asked=request, answer=answer)
            continue
        if isinstance(result, Granted):
            trail.add(title, _granted(result, proofs), rule, asked=request, answer=answer)
        else:
            trail.add(title, f"Refused: {result.said}.", rule, verdict=Verdict.FAILED, asked=request, answer=answer)
        return result
    raise AssertionError("the loop ends by itself")


def _granted(granted: Granted, proofs: Proofs) -> str:
    lasts = "for an unknown time" if granted.seconds is None else f"for {granted.seconds:g} s"
    parts = [f"An access token ({granted.kind}) {lasts}"]
    parts += [f"scopes {' '.join(granted.scopes)}"] if granted.scopes else []
    parts += ["with a refresh token" if granted.refresh else "without a refresh token"]
    if proofs.key and granted.kind != "DPoP":
        parts += ["not bound to our key although a proof was sent"]
    return ", ".join(parts) + "."
