"""Finding out where to sign in: from the challenge to the authorization server's metadata. Pure: see `steps.Flow`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mcp_inspector.auth import challenge as challenges
from mcp_inspector.auth import documents, places, rules
from mcp_inspector.auth.documents import ResourceMetadata, ServerMetadata
from mcp_inspector.auth.steps import Answer, Flow, Request, Trail, Verdict, fetch

if TYPE_CHECKING:
    from mcp_inspector.auth.challenge import Challenge
    from mcp_inspector.config.auth_options import AuthOptions

_JSON = (("Accept", "application/json"),)
_OLD = "2025-03-26"
_PRM = "Resource metadata"
_AS = "Authorization server metadata"


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known before: the server's URL, what it challenged us with, the person's options.

    `version` is the protocol version, empty while it is not known. `asked_before` are the scopes of earlier requests,
    which a step-up keeps. `known_issuer` is the one that a client registered by hand was used with before.
    """

    server: str
    options: AuthOptions
    challenges: tuple[Challenge, ...] = ()
    version: str = ""
    asked_before: tuple[str, ...] = ()
    known_issuer: str = ""

    def forbidden(self, url: str) -> str:
        """Why nothing is sent to a URL that metadata names; empty when it may be."""
        return places.fault(url, server=self.server, private_network=self.options.private_network)


@dataclass(frozen=True, slots=True)
class Found:
    """Where to sign in. `resource` is what to name as the resource, byte for byte; empty for none.

    `issuer` is the identifier that was asked for; what is stored is stored under it. `guessed`: there is no metadata,
    the endpoints are the person's own or the fallback of 2025-03-26.
    """

    server: ServerMetadata
    issuer: str
    resource: str
    protected: ResourceMetadata | None = None
    guessed: bool = False


def tell_challenge(situation: Situation, trail: Trail) -> None:
    """Note what the server wants, by its own words."""
    words = []
    for each in situation.challenges:
        params = ", ".join(f"{name}={value}" for name, value in each.params)
        words.append(f"{each.scheme} {params}".strip())
    if words:
        trail.add("Challenge", f"The server wants: {'; '.join(words)[:1000]}.", rules.CHALLENGE)


def discover(situation: Situation, trail: Trail) -> Flow[Found]:
    """Find the authorization server. Raises `Fault` with what to do when there is none to be used."""
    protected = yield from _protected(situation, trail)
    if protected is None:
        if situation.options.issuer:
            found = yield from _named(situation, trail, situation.options.issuer, None)
        else:
            found = yield from _old(situation, trail)
    else:
        issuer = _choose(situation, trail, protected)
        found = yield from _named(situation, trail, issuer, protected)
    found = _overruled(situation, trail, found)
    _guard(situation, trail, found)
    _pkce(situation, trail, found)
    return found


def _protected(situation: Situation, trail: Trail) -> Flow[ResourceMetadata | None]:
    named = [url for each in challenges.about_tokens(situation.challenges) for url in each.all("resource_metadata")]
    where = list(dict.fromkeys([*named, *places.resource_metadata(situation.server)]))
    for url in where:
        why = situation.forbidden(url)
        if why:
            trail.add(_PRM, f"Not asked: {url[:300]} is refused, because {why}.", rules.SSRF, verdict=Verdict.ODD)
            continue
        request = Request("GET", url, _JSON)
        answer = yield from fetch(request)
        document = documents.resource_metadata(answer.body) if answer.ok else None
        if document is None:
            trail.add(
                _PRM,
                f"{_nothing(answer)} The next place is tried.",
                rules.PRM_MEMBERS if answer.ok else rules.PRM_ORDER,
                verdict=Verdict.NEXT,
                asked=request,
                answer=answer,
            )
            continue
        _check_resource(situation, trail, document, request, answer)
        return document
    return None


def _check_resource(
    situation: Situation, trail: Trail, document: ResourceMetadata, request: Request, answer: Answer
) -> None:
    server = situation.server
    if not document.resource:
        sentence = "It names no resource, which it must. It is used all the same."
        trail.add(_PRM, sentence, rules.PRM_RESOURCE, verdict=Verdict.ODD, asked=request, answer=answer)
        return
    if not places.covers(document.resource, server):
        raise trail.stop(
            _PRM,
            f"The metadata is for {document.resource[:300]}, and this server is {server[:300]}: "
            "a token for it would be another's.",
            rules.PRM_RESOURCE,
            "Correct the server's URL, or its metadata. Nobody was asked to sign in.",
            asked=request,
            answer=answer,
        )
    same = document.resource == places.canonical(server) or document.resource == server
    sentence = f"The resource is {document.resource}."
    if not same:
        sentence += f" The server's own URL is {server}; the resource is taken as it is written."
    verdict = Verdict.DONE if same else Verdict.ODD
    trail.add(_PRM, sentence, rules.PRM_RESOURCE, verdict=verdict, asked=request, answer=answer)


def _choose(situation: Situation, trail: Trail, protected: ResourceMetadata) -> str:
    wanted = situation.options.issuer
    servers = trail.offered = protected.servers
    if wanted and wanted not in servers:
        trail.add(
            "Authorization server",
            f"{wanted} is set for this server. Its own metadata names {', '.join(servers)[:300]}.",
            rules.AS_CHOICE,
            verdict=Verdict.ODD,
        )
        return wanted
    issuer = wanted or servers[0]
    sentence = f"{issuer} is used."
    if len(servers) > 1:
        others = ", ".join(server for server in servers if server != issuer)[:300]
        more = f" and {protected.more} more" if protected.more else ""
        sentence += f" There is also {others}{more}: set the issuer to choose another one."
    trail.add("Authorization server", sentence, rules.AS_CHOICE)
    return issuer


def _named(
    situation: Situation, trail: Trail, issuer: str, protected: ResourceMetadata | None, old: bool = False
) -> Flow[Found]:
    why = situation.forbidden(issuer)
    if why:
        raise trail.stop(
            _AS,
            f"The authorization server {issuer[:300]} is not asked, because {why}.",
            rules.HTTPS if "https" in why else rules.SSRF,
            "If it is right, allow the private network for this server." if "private" in why else "It has to be https.",
        )
    resource = _resource(situation, protected)
    mismatch = ""
    for url in places.server_metadata(issuer):
        headers = (*_JSON, ("MCP-Protocol-Version", _OLD)) if old else _JSON
        request = Request("GET", url, headers)
        answer = yield from fetch(request)
        document = documents.server_metadata(answer.body) if answer.ok else None
        if document is None:
            rule = rules.AS_MEMBERS if answer.ok else rules.AS_ORDER
            trail.add(_AS, _nothing(answer), rule, verdict=Verdict.NEXT, asked=request, answer=answer)
            continue
        if document.issuer != issuer and not (old and document.issuer == issuer + "/"):
            mismatch = document.issuer
            trail.add(
                _AS,
                f"It says that its issuer is {mismatch[:300]}, but {issuer} was asked for: it is not used.",
                rules.AS_ISSUER,
                verdict=Verdict.FAILED,
                asked=request,
                answer=answer,
            )
            continue
        trail.add(_AS, f"The issuer is {document.issuer}, as asked for.", rules.AS_ISSUER, asked=request, answer=answer)
        return Found(document, document.issuer, resource, protected)
    if mismatch:
        raise trail.stop(
            _AS,
            f"The metadata of {issuer} is of another issuer, {mismatch[:300]}, and was not used.",
            rules.AS_ISSUER,
            "Its operator has to correct it. If you know the other to be right, set it as the issuer.",
        )
    return _without(situation, issuer, resource, protected)


def _without(situation: Situation, issuer: str, resource: str, protected: ResourceMetadata | None) -> Found:
    """No metadata at all: what the person set may be enough, and is looked at by the caller."""
    options = situation.options
    server = ServerMetadata(issuer, options.authorization_endpoint, options.token_endpoint)
    return Found(server, issuer, resource, protected, guessed=True)


def _old(situation: Situation, trail: Trail) -> Flow[Found]:
    """2025-03-26 knows no resource metadata: the origin of the server is the authorization server."""
    issuer = places.origin(situation.server)
    trail.add(
        "Authorization server",
        f"The server has no resource metadata. Its own origin, {issuer}, is tried as the authorization server.",
        rules.OLD_BASE,
        verdict=Verdict.ODD,
    )
    found = yield from _named(situation, trail, issuer, None, old=True)
    if found.server.token_endpoint:
        return found
    if situation.version > _OLD:
        raise _nowhere(situation, trail)
    guessed = ServerMetadata(issuer, f"{issuer}/authorize", f"{issuer}/token", f"{issuer}/register")
    trail.add(
        _AS,
        f"There is none. The fixed endpoints of 2025-03-26 are used: {issuer}/authorize, /token and /register.",
        rules.OLD_ENDPOINTS,
        verdict=Verdict.ODD,
    )
    return replace(found, server=guessed, guessed=True)


def _overruled(situation: Situation, trail: Trail, found: Found) -> Found:
    """What the person set wins over what was discovered."""
    options = situation.options
    own = {
        name: value
        for name in ("authorization_endpoint", "token_endpoint", "registration_endpoint")
        if (value := getattr(options, name))
    }
    if own:
        said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in own.items())
        trail.add("Overrides", f"Set for this server and used: {said}.")
        found = replace(found, server=replace(found.server, **own))
    if not found.server.token_endpoint or not (found.server.authorization_endpoint or options.by_machine):
        raise _nowhere(situation, trail)
    return found


def _nowhere(situation: Situation, trail: Trail) -> Exception:
    return trail.stop(
        _AS,
        f"Where to sign in for {situation.server} could not be found out: no authorization server was found that "
        "describes itself.",
        rules.AS_ORDER,
        "Set its endpoints for this server, or give the server a token or a header of its own.",
    )


def _guard(situation: Situation, trail: Trail, found: Found) -> None:
    server = found.server
    endpoints = {
        "authorization endpoint": server.authorization_endpoint,
        "token endpoint": server.token_endpoint,
        "registration endpoint": server.registration_endpoint,
        "revocation endpoint": server.revocation_endpoint,
    }
    for name, url in endpoints.items():
        why = situation.forbidden(url) if url else ""
        if why:
            raise trail.stop(
                _AS,
                f"The {name} {url[:300]} is not used, because {why}.",
                rules.HTTPS if "https" in why else rules.SSRF,
                "Its operator has to correct it; or set the right one for this server.",
            )


def _pkce(situation: Situation, trail: Trail, found: Found) -> None:
    if situation.options.by_machine or found.guessed:
        return
    methods = found.server.challenge_methods
    if methods is not None and "S256" in methods:
        trail.add("PKCE", "The authorization server announces S256.", rules.PKCE)
        return
    said = "does not say that it supports PKCE" if not methods else f"supports PKCE only by {', '.join(methods)[:100]}"
    if situation.options.without_pkce or "" < situation.version < "2025-11-25":
        sentence = f"The authorization server {said}. S256 is sent all the same."
        trail.add("PKCE", sentence, rules.PKCE, verdict=Verdict.ODD)
        return
    raise trail.stop(
        "PKCE",
        f"The authorization server {said}, so nobody is sent there.",
        rules.PKCE,
        "Its metadata has to list S256. If you know that it supports it, allow this for the server (allowWithoutPkce).",
    )


def _resource(situation: Situation, protected: ResourceMetadata | None) -> str:
    if situation.options.resource:
        return situation.options.resource
    if protected is not None and protected.resource:
        return protected.resource
    if protected is None and situation.version == _OLD:
        return ""  # that version knows no resource parameter
    return places.canonical(situation.server)


def _nothing(answer: Answer) -> str:
    if not answer.status:
        return f"No answer: {answer.problem}"
    if answer.ok:
        return "The answer is no such metadata: it lacks what every such document has."
    return f"{answer.said}." if not answer.problem else f"{answer.said}: {answer.problem}"


def scopes(situation: Situation, found: Found, trail: Trail) -> tuple[str, ...]:
    """The scopes to ask for, in the order of the specification; empty means that the parameter is left out."""
    challenged = tuple(challenges.first(situation.challenges, "scope").split())
    stepping = challenges.first(situation.challenges, "error") == "insufficient_scope"
    rule = rules.SCOPES
    if situation.options.scopes:
        chosen, why = situation.options.scopes, "as set for this server"
    elif challenged:
        chosen, why = challenged, "as the challenge says"
    elif found.protected is not None and found.protected.scopes:
        chosen, why = found.protected.scopes, "as the resource's metadata lists them"
    else:
        chosen, why = (), ""
    if stepping:
        chosen = tuple(dict.fromkeys((*situation.asked_before, *chosen, *challenged)))
        why, rule = "those asked for before, and those of the challenge", rules.STEP_UP
    offline = "offline_access" in found.server.scopes and not situation.options.scopes
    if chosen and offline and not situation.options.by_machine and "offline_access" not in chosen:
        chosen = (*chosen, "offline_access")
        why += "; offline_access, because the authorization server lists it, for a refresh token"
    chosen = tuple(dict.fromkeys(chosen))
    sentence = f"Asked for: {' '.join(chosen)} ({why})." if chosen else "No scope is asked for: none is known."
    trail.add("Scopes", sentence, rule)
    return chosen
