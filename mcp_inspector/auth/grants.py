"""Tokens without a person: refresh, the client's own credentials, a workload, a company; and revoking. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.auth import documents, identity, places, rules
from mcp_inspector.auth.identity import Client
from mcp_inspector.auth.steps import Flow, Pairs, Request, Trail, Verdict, fetch
from mcp_inspector.auth.token_request import Proofs, ask
from mcp_inspector.auth.tokens import Granted, Refused

if TYPE_CHECKING:
    from mcp_inspector.auth.discovery import Found, Situation
    from mcp_inspector.auth.tokens import Token

_TYPE = "urn:ietf:params:oauth:token-type"
_GRANT = "urn:ietf:params:oauth:grant-type"


def refresh(endpoint: str, token: Token, client: Client, proofs: Proofs, trail: Trail) -> Flow[Granted | Refused]:
    """A new access token for a refresh token."""
    form: Pairs = (("grant_type", "refresh_token"), ("refresh_token", token.refresh))
    if token.resource:
        form = (*form, ("resource", token.resource))
    return (yield from ask("Refresh", rules.REFRESH, endpoint, form, client, proofs, trail))


def by_machine(
    situation: Situation, found: Found, scopes: tuple[str, ...], proofs: Proofs, trail: Trail
) -> Flow[tuple[Client, Granted | Refused]]:
    """The token of a grant that needs no person, and the client it was given to. Raises `Fault`."""
    options = situation.options
    grant = options.grant
    needed = {"jwt_bearer": options.assertion, "enterprise": options.idp_id_token}.get(grant, options.client_id)
    if not needed or (grant != "jwt_bearer" and not options.client_id):
        missing = {"jwt_bearer": "assertion", "enterprise": "clientId and idpIdToken"}.get(grant, "clientId")
        sentence = f"For the grant {grant} this server needs {missing} in its auth."
        raise trail.stop("Client", sentence, rules.CLIENT_ORDER, "Add it to the server's entry.")
    client = identity.by_hand(situation, found, trail) if options.client_id else None
    tail: Pairs = ((("scope", " ".join(scopes)),) if scopes else ()) + (
        (("resource", found.resource),) if found.resource else ()
    )
    if grant == "client_credentials":
        form: Pairs = (("grant_type", "client_credentials"), *tail)
        rule = rules.CLIENT_CREDENTIALS
    elif grant == "jwt_bearer":
        form = (("grant_type", f"{_GRANT}:jwt-bearer"), ("assertion", options.assertion), *tail)
        rule = rules.JWT_BEARER
    else:
        assertion = yield from _id_jag(situation, found, scopes, trail)
        form = (("grant_type", f"{_GRANT}:jwt-bearer"), ("assertion", assertion), *tail)
        rule = rules.ENTERPRISE
    result = yield from ask("Token", rule, found.server.token_endpoint, form, client, proofs, trail)
    return client or Client("", found.issuer), result


def _id_jag(situation: Situation, found: Found, scopes: tuple[str, ...], trail: Trail) -> Flow[str]:
    """The identity provider's ID token, exchanged for an assertion that this authorization server takes."""
    options = situation.options
    endpoint = options.idp_token_endpoint
    if not endpoint:
        endpoint = yield from _idp_endpoint(situation, trail)
    form: Pairs = (
        ("grant_type", f"{_GRANT}:token-exchange"),
        ("requested_token_type", f"{_TYPE}:id-jag"),
        ("audience", found.issuer),
        ("resource", found.resource),
        ("subject_token", options.idp_id_token),
        ("subject_token_type", f"{_TYPE}:id_token"),
    )
    if scopes:
        form = (*form, ("scope", " ".join(scopes)))
    client = None
    if options.idp_client_id:
        method = "client_secret_basic" if options.idp_client_secret else "none"
        client = Client(options.idp_client_id, options.idp_issuer, options.idp_client_secret, method)
    result = yield from ask("Identity provider", rules.ENTERPRISE, endpoint, form, client, Proofs(), trail)
    if isinstance(result, Refused):
        raise trail.stop(
            "Identity provider",
            f"The identity provider gave no assertion: {result.said}.",
            rules.ENTERPRISE,
            "Get a new ID token, and check that the client is known at the identity provider.",
        )
    if result.issued_type != f"{_TYPE}:id-jag":
        sentence = f"It says that it issued {result.issued_type[:100] or 'nothing named'} and no id-jag."
        trail.add("Identity provider", sentence, rules.ENTERPRISE, verdict=Verdict.ODD)
    return result.access


def _idp_endpoint(situation: Situation, trail: Trail) -> Flow[str]:
    issuer = situation.options.idp_issuer
    for url in places.server_metadata(issuer) if issuer else ():
        request = Request("GET", url, (("Accept", "application/json"),))
        answer = yield from fetch(request)
        document = documents.server_metadata(answer.body) if answer.ok else None
        if document is not None and document.issuer == issuer:
            sentence = f"Its token endpoint is {document.token_endpoint}."
            trail.add("Identity provider", sentence, rules.AS_ISSUER, asked=request, answer=answer)
            return document.token_endpoint
        sentence = "No metadata of this issuer."
        trail.add("Identity provider", sentence, rules.AS_ORDER, verdict=Verdict.NEXT, asked=request, answer=answer)
    raise trail.stop(
        "Identity provider",
        "Where the identity provider exchanges tokens is not known.",
        rules.ENTERPRISE,
        "Set idpTokenEndpoint or idpIssuer for this server.",
    )


def revoke(endpoint: str, token: Token, client: Client, trail: Trail) -> Flow[bool]:
    """Give the tokens back, the refresh token first (RFC 7009). Whether the server took it."""
    held = ((token.refresh, "refresh_token"), (token.access, "access_token"))
    ok = True
    for value, hint in held:
        if not value:
            continue
        headers, form = identity.proven(client, (("token", value), ("token_type_hint", hint)))
        accepted = (("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"))
        request = Request("POST", endpoint, (*accepted, *headers), form)
        answer = yield from fetch(request)
        ok = ok and answer.ok
        sentence = f"The {hint.replace('_', ' ')} was revoked." if answer.ok else f"Not revoked: {answer.said}."
        verdict = Verdict.DONE if answer.ok else Verdict.FAILED
        trail.add("Sign out", sentence, rules.REVOKE, verdict=verdict, asked=request, answer=answer)
    return ok
