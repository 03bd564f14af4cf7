"""Refusals and the documents of authorization. Numbers 143 to 150 of the checklist, less those that need probes.

Documents are judged where their exchange was recorded with its body, on the HTTP or the AUTH channel.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, rule, rules_in
from mcp_inspector.checks.view import decoded, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_HTTP = ("http response", "auth response")
_PARAMETER = re.compile(r'([A-Za-z_-]{1,40})\s{0,9}=\s{0,9}(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')
_LOCAL = ("localhost", "127.0.0.1", "::1")
_TOKENS = ("access_token", "token", "bearer", "api_key")


class _Origin:
    """Where the server is, and where this connection has sent a token."""

    def __init__(self) -> None:
        self.server = ""


def challenge(view: View) -> dict[str, str]:
    """The parameters of the WWW-Authenticate header, by name in lower case."""
    value = view.header("www-authenticate") or ""
    return {match[1].lower(): match[2] if match[2] is not None else match[3] for match in _PARAMETER.finditer(value)}


def _document(view: View, *places: str) -> dict[str, Any] | None:
    """The JSON object of a document at one of these places; None for anything else."""
    path = urlsplit(view.entry.target).path
    if not any(place in path for place in places) or view.entry.status is None or not 200 <= view.entry.status < 300:
        return None
    value = decoded(view.entry.data)
    return value if isinstance(value, dict) else None


@rule("unauthorized", 143, WARNING, "Who is refused learns where to sign in.", "authorization", *_HTTP, any=True)
def unauthorized(view: View) -> Iterator[str]:
    if view.entry.status == 401 and "/.well-known/" not in view.entry.target:
        if not view.header("www-authenticate"):
            yield "Status 401 came without the header WWW-Authenticate."
        elif "resource_metadata" not in challenge(view):
            yield "The header WWW-Authenticate does not name resource_metadata."


@rule("resource-metadata", 144, ERROR, "The resource says who authorizes it.", "authorization", *_HTTP, any=True)
def resource_metadata(view: View) -> Iterator[str]:
    document = _document(view, "/.well-known/oauth-protected-resource")
    if document is None:
        return
    servers = document.get("authorization_servers")
    if not isinstance(servers, list) or not servers:
        yield "The metadata of the resource lists no authorization_servers."
    resource = document.get("resource")
    if not isinstance(resource, str):
        yield "The metadata of the resource does not name the resource."
    elif _origin(resource) != _origin(view.entry.target):
        yield f"The metadata is of the resource {shown(resource)}, which is elsewhere."


@rule("scopes", 144, WARNING, "Scopes are those of the resource.", "authorization", *_HTTP, any=True)
def scopes(view: View) -> Iterator[str]:
    document = _document(view, "/.well-known/oauth-protected-resource") or {}
    named = document.get("scopes_supported")
    asked = challenge(view).get("scope", "").split() if view.entry.status in (401, 403) else []
    if (isinstance(named, list) and "offline_access" in named) or "offline_access" in asked:
        yield "offline_access is named, which is the client's own business."


@rule(
    "issuer", 145, ERROR, "The authorization server is who it says, and checks PKCE.", "authorization", *_HTTP, any=True
)
def issuer(view: View) -> Iterator[str]:
    document = _document(view, "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
    if document is None:
        return
    named = document.get("issuer")
    if named not in _issuers(view.entry.target):
        yield f"The issuer is {shown(named)}; the document is at {shown(view.entry.target, 200)}."
    methods = document.get("code_challenge_methods_supported")
    if not isinstance(methods, list):
        yield "The metadata has no code_challenge_methods_supported."
    elif "S256" not in methods:
        yield f"S256 is not among the code_challenge_methods_supported: {shown(methods)}."
    for name in ("authorization_endpoint", "token_endpoint", "registration_endpoint"):
        parts = urlsplit(str(document.get(name, "https:")))
        if parts.scheme != "https" and parts.hostname not in _LOCAL:
            yield f"{name} is {shown(document[name])}, which is not encrypted."


@rule(
    "registration",
    146,
    WARNING,
    "Clients can be known without being registered.",
    "authorization",
    *_HTTP,
    since="2025-11-25",
    any=True,
)
def registration(view: View) -> Iterator[str]:
    document = _document(view, "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
    if document is None:
        return
    if document.get("client_id_metadata_document_supported") is not True:
        yield "The authorization server does not take client ID metadata documents."
    if document.get("authorization_response_iss_parameter_supported") is not True:
        yield "The authorization server does not name itself (iss) in its answers."


@rule("forbidden", 147, WARNING, "Who lacks a scope learns which.", "authorization", *_HTTP, any=True)
def forbidden(view: View) -> Iterator[str]:
    if view.entry.status == 403 and view.header("www-authenticate"):
        named = challenge(view)
        if "error" not in named or "scope" not in named:
            yield "Status 403 does not name error and scope in its WWW-Authenticate."


@rule(
    "own-token-query",
    147,
    ERROR,
    "A token is never part of an address.",
    "authorization",
    "http request",
    "auth request",
    any=True,
    ours=True,
)
def own_token_query(view: View) -> Iterator[str]:
    names = [name for name, _ in parse_qsl(urlsplit(view.entry.target).query) if name.lower() in _TOKENS]
    if names:
        yield f"The address has {names[0]} in its query."


@rule("token-response", 148, ERROR, "A token is a bearer token.", "authorization", "auth response", any=True)
def token_response(view: View) -> Iterator[str]:
    value = decoded(view.entry.data)
    if not isinstance(value, dict) or "access_token" not in value:
        return
    if not isinstance(value["access_token"], str) or not value["access_token"]:
        yield "The access_token is no text."
    if str(value.get("token_type", "")).lower() != "bearer":
        yield f"The token_type is {shown(value.get('token_type'))}, not Bearer."


@rule(
    "token-scope", 148, INFO, "The token has the scope that was asked for.", "authorization", "auth response", any=True
)
def token_scope(view: View) -> Iterator[str]:
    value, asked = decoded(view.entry.data), view.facts.get("scope")
    if isinstance(value, dict) and isinstance(value.get("scope"), str) and isinstance(asked, str):
        less = sorted(set(asked.split()) - set(value["scope"].split()))
        if less:
            yield f"The token has no {', '.join(less)}."


@rule(
    "own-token-origin",
    150,
    ERROR,
    "A token goes to its server only.",
    "authorization",
    "http request",
    any=True,
    ours=True,
)
def own_token_origin(view: View) -> Iterator[str]:
    known, origin = view.talk.of(_Origin), _origin(view.entry.target)
    known.server = known.server or origin
    if view.header("authorization") is not None and origin != known.server:
        yield f"An Authorization header went to {origin}; the server is at {known.server}."


@rule("sign-in-odd", 145, WARNING, "A sign-in goes as it should.", "authorization", "auth", any=True)
def sign_in_odd(view: View) -> Iterator[str]:
    if view.facts.get("verdict") == "odd":
        yield _step(view)


@rule("sign-in-failed", 145, ERROR, "Nobody has to refuse to sign in.", "authorization", "auth", any=True)
def sign_in_failed(view: View) -> Iterator[str]:
    if view.facts.get("verdict") == "failed":
        yield _step(view)


def _step(view: View) -> str:
    """What the sign-in says of its own step: it has judged it already."""
    said = str(view.facts.get("sentence") or f"The step {view.kind!r} went wrong.")
    by = view.facts.get("rule")
    return f"{said} Rule: {by}." if by else said


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
    except ValueError:
        return ""


def _issuers(url: str) -> tuple[str, ...]:
    """The issuers whose metadata may stand at an address: with the path behind or before the well-known part."""
    origin, path = _origin(url), urlsplit(url).path
    for place in ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"):
        before, found, behind = path.partition(place)
        if found:
            base = f"{origin}{before}{behind}"
            return (base, base.rstrip("/"), f"{base.rstrip('/')}/")
    return (origin,)


RULES = rules_in(globals())
