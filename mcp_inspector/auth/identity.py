"""Who we are to an authorization server: registered by hand, by a metadata document, or by registering. Pure."""

from __future__ import annotations

import base64
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlsplit

from mcp_inspector.auth import jose, rules
from mcp_inspector.auth.documents import json_object
from mcp_inspector.auth.steps import Flow, Pairs, Request, Trail, Verdict, fetch

if TYPE_CHECKING:
    from mcp_inspector.auth.discovery import Found, Situation
    from mcp_inspector.auth.steps import Answer
    from mcp_inspector.config.auth_options import AuthOptions

NAME = "MCP Inspector"
_TITLE = "Client"
_JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


@dataclass(frozen=True, slots=True)
class Client:
    """A client of one authorization server. `method` is how it proves itself at the token endpoint.

    `source` is ``by hand``, ``metadata document`` or ``registered``. `redirect_uri` is the registered one, and
    `expires` when its secret ends (seconds of the wall clock, 0 for never).
    """

    client_id: str
    issuer: str
    secret: str = field(default="", repr=False)
    method: str = "none"
    source: str = "by hand"
    redirect_uri: str = ""
    expires: float = 0
    private_key: str = field(default="", repr=False)
    algorithm: str = ""
    key_id: str = ""

    def kept(self) -> dict[str, Any]:
        """As plain data, to be kept."""
        return asdict(self)

    @staticmethod
    def restored(value: Any) -> Client | None:
        """From what was kept; None when it is none."""
        try:
            client = Client(**value)
        except TypeError:
            return None
        return client if isinstance(client.client_id, str) and client.client_id else None


def find(situation: Situation, found: Found, redirect_uri: str, known: Client | None, trail: Trail) -> Flow[Client]:
    """The client to be, by the order of the specification. `known` is an earlier registration at this issuer.

    Raises `Fault` when the person has to be asked.
    """
    options, server = situation.options, found.server
    if options.client_id:
        return by_hand(situation, found, trail)
    if options.client_metadata_url and server.metadata_documents:
        url = options.client_metadata_url
        parts = urlsplit(url)
        if parts.scheme != "https" or parts.path in ("", "/"):
            sentence = f"{url[:300]} is no URL of a client metadata document."
            raise trail.stop(_TITLE, sentence, rules.CIMD, "It has to be https, with a path.")
        trail.add(_TITLE, f"{url} is the client id: the server supports metadata documents.", rules.CIMD)
        return Client(url, found.issuer, source="metadata document", redirect_uri=redirect_uri)
    if known is not None and known.redirect_uri == redirect_uri:
        trail.add(_TITLE, f"Registered before, as {known.client_id}; used again at the same issuer.", rules.BOUND)
        return known
    if server.registration_endpoint:
        return (yield from register(found, redirect_uri, trail))
    raise trail.stop(
        _TITLE,
        f"{found.issuer} knows no way in which a client could register itself, and no client id is set.",
        rules.CLIENT_ORDER,
        f"Register a client there with the redirect URI {redirect_uri}, and set its client id for this server.",
    )


def by_hand(situation: Situation, found: Found, trail: Trail) -> Client:
    """The client that the person registered; refused where it belongs to another authorization server."""
    options = situation.options
    if situation.known_issuer and situation.known_issuer != found.issuer and not options.issuer:
        raise trail.stop(
            _TITLE,
            f"The client {options.client_id} was used with {situation.known_issuer}, and the server now names "
            f"{found.issuer}: its credentials are not sent there.",
            rules.BOUND,
            "If the move is right, forget the client and set the one that is registered there.",
        )
    method = options.token_auth or _method_by_hand(options, found.server.token_auth)
    trail.add(_TITLE, f"{options.client_id}, registered by hand; it proves itself by {method}.", rules.CLIENT_ORDER)
    return Client(
        options.client_id,
        found.issuer,
        options.client_secret,
        method,
        private_key=options.private_key,
        algorithm=options.algorithm,
        key_id=options.key_id,
    )


def _method_by_hand(options: AuthOptions, supported: tuple[str, ...] | None) -> str:
    if options.private_key:
        return "private_key_jwt"
    return _with_secret(supported) if options.client_secret else "none"


def _with_secret(supported: tuple[str, ...] | None) -> str:
    """RFC 8414: without a list it is client_secret_basic."""
    if supported and "client_secret_basic" not in supported and "client_secret_post" in supported:
        return "client_secret_post"
    return "client_secret_basic"


def register(found: Found, redirect_uri: str, trail: Trail) -> Flow[Client]:
    """Register (RFC 7591), once more in another way where the first method is refused. Raises `Fault`."""
    supported = found.server.token_auth
    methods = ["none", "client_secret_basic", "client_secret_post"]
    wanted = [method for method in methods if supported is None or method in supported] or ["client_secret_basic"]
    for last, method in ((False, wanted[0]), (True, (wanted + wanted)[1])):
        request = Request(
            "POST",
            found.server.registration_endpoint,
            (("Accept", "application/json"), ("Content-Type", "application/json")),
            document={
                "client_name": NAME,
                "application_type": "native",
                "redirect_uris": [redirect_uri],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": method,
            },
        )
        answer = yield from fetch(request)
        client = _registered(found, redirect_uri, answer)
        if client is not None:
            trail.add(
                "Registration",
                f"Registered as {client.client_id}; it proves itself by {client.method}.",
                rules.DCR,
                asked=request,
                answer=answer,
            )
            return client
        said = json_object(answer.body)
        error = f"{said.get('error', '')}: {said.get('error_description', '')}".strip(": ")[:400] or answer.said
        if last or said.get("error") != "invalid_client_metadata" or len(wanted) == 1:
            remedy = "Register a client by hand, and set its client id for this server."
            if said.get("error") == "invalid_redirect_uri":
                remedy = f"It does not accept the redirect URI {redirect_uri}. Set one that it accepts. {remedy}"
            sentence = f"{found.issuer} did not register us: {error}."
            raise trail.stop("Registration", sentence, rules.DCR, remedy, asked=request, answer=answer)
        sentence = f"Refused with token_endpoint_auth_method {method}: {error}. Another one is tried."
        trail.add("Registration", sentence, rules.DCR, verdict=Verdict.NEXT, asked=request, answer=answer)
    raise AssertionError("the loop ends by itself")


def _registered(found: Found, redirect_uri: str, answer: Answer) -> Client | None:
    said = json_object(answer.body) if answer.ok else {}
    client_id = said.get("client_id")
    if not isinstance(client_id, str) or not client_id:
        return None
    secret = said.get("client_secret")
    secret = secret if isinstance(secret, str) else ""
    method = said.get("token_endpoint_auth_method")
    if not isinstance(method, str) or method not in ("none", "client_secret_basic", "client_secret_post"):
        method = _with_secret(found.server.token_auth) if secret else "none"
    expires = said.get("client_secret_expires_at")
    expires = float(expires) if isinstance(expires, int | float) and not isinstance(expires, bool) else 0.0
    return Client(client_id, found.issuer, secret, method, "registered", redirect_uri, expires)


def proven(client: Client, form: Pairs) -> tuple[Pairs, Pairs]:
    """Headers and form of a request to the token endpoint, with the client's proof in its registered way."""
    if client.method == "client_secret_basic" and client.secret:
        pair = f"{quote_plus(client.client_id)}:{quote_plus(client.secret)}"
        return (("Authorization", "Basic " + base64.b64encode(pair.encode()).decode()),), form
    if client.method == "client_secret_post" and client.secret:
        return (), (*form, ("client_id", client.client_id), ("client_secret", client.secret))
    if client.method == "private_key_jwt":
        assertion = jose.assertion(client.client_id, client.issuer, client.private_key, client.algorithm, client.key_id)
        return (), (*form, ("client_assertion_type", _JWT_BEARER), ("client_assertion", assertion))
    return (), (*form, ("client_id", client.client_id))
