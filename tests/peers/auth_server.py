"""An authorization server on authlib and an MCP server behind it, on loopback ports of this process.

authlib decides about clients, codes, PKCE, refresh, revocation and registration; this file only gives it HTTP, tables
in memory and an endpoint that everybody signs in at, at once. `Knobs` make it misbehave as the cases want. All
requests of both servers are kept.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

os.environ.setdefault("AUTHLIB_INSECURE_TRANSPORT", "1")  # loopback, as RFC 8252 allows it

from authlib.common.security import generate_token
from authlib.oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, JsonPayload, JsonRequest, OAuth2Request, grants
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge

from tests.peers.small_http import Http, Seen

METHODS = ["none", "client_secret_basic", "client_secret_post"]


@dataclass
class Knobs:
    """How the two servers behave. `metadata` and `resource` are merged into the documents; None takes a member out.

    `lifetime` is seconds. `needed` are the scopes for any request, `tool_scopes` those for a tool call. `challenge`
    overrules the WWW-Authenticate of a 401. `documents` answers paths with (status, type, body) before all else.
    """

    metadata: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    resource_paths: tuple[str, ...] = ("/.well-known/oauth-protected-resource/mcp",)
    lifetime: int = 3600
    needed: tuple[str, ...] = ()
    tool_scopes: tuple[str, ...] = ()
    challenge: str | None = None
    documents: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    callback: dict[str, str | None] = field(default_factory=dict)
    forbid: bool = False
    registration: dict[str, Any] = field(default_factory=dict)


class Client(ClientMixin):
    """A registered client."""

    def __init__(self, client_id: str, secret: str = "", **metadata: Any) -> None:
        self.client_id, self.secret, self.metadata = client_id, secret, metadata

    def get_client_id(self) -> str:
        return self.client_id

    def get_default_redirect_uri(self) -> str:
        return self.metadata["redirect_uris"][0]

    def get_allowed_scope(self, scope: str) -> str:
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri in self.metadata.get("redirect_uris", ())

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == self.metadata.get("token_endpoint_auth_method", "none")

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return True


class Token:
    """A token that was given out."""

    def __init__(self, given: dict[str, Any], client: Client, resource: str) -> None:
        self.given, self.client, self.resource = given, client, resource
        self.at = time.time()
        self.revoked = False

    def check_client(self, client: Client) -> bool:
        return client.client_id == self.client.client_id

    def get_scope(self) -> str:
        return self.given.get("scope") or ""

    def get_expires_in(self) -> int:
        return int(self.given.get("expires_in") or 0)

    def is_expired(self) -> bool:
        return time.time() >= self.at + self.get_expires_in()

    def is_revoked(self) -> bool:
        return self.revoked


class Code:
    """An authorization code."""

    def __init__(self, code: str, request: Any) -> None:
        self.code, self.client_id = code, request.client.client_id
        self.redirect_uri, self.scope = request.payload.redirect_uri, request.payload.scope
        self.code_challenge = request.payload.data.get("code_challenge")
        self.code_challenge_method = request.payload.data.get("code_challenge_method")
        self.resource = request.payload.data.get("resource", "")

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope or ""


class Provider(AuthorizationServer):
    """authlib's server, with tables in memory."""

    def __init__(self, knobs: Knobs) -> None:
        super().__init__()
        self.knobs = knobs
        self.clients: dict[str, Client] = {}
        self.codes: dict[str, Code] = {}
        self.tokens: list[Token] = []
        generator = BearerTokenGenerator(
            lambda **_: generate_token(42), lambda **_: generate_token(48), lambda *_: self.knobs.lifetime
        )
        self.register_token_generator("default", generator)

    def query_client(self, client_id: str) -> Client | None:
        return self.clients.get(client_id)

    def save_token(self, token: dict[str, Any], request: Any) -> None:
        resource = request.payload.data.get("resource", "")
        self.tokens.append(Token(token, request.client, resource))

    def create_oauth2_request(self, request: Seen) -> OAuth2Request:
        uri = f"http://127.0.0.1{request.path}"
        headers = {name.title(): value for name, value in request.headers.items()}
        return _Asked(request, uri, headers)

    def create_json_request(self, request: Seen) -> JsonRequest:
        made = JsonRequest(request.method, f"http://127.0.0.1{request.path}", request.headers)
        made.payload = _Json(json.loads(request.body))
        return made

    def handle_response(self, status: int, body: Any, headers: Any) -> tuple[int, Any, dict[str, str]]:
        return status, body, dict(headers)

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        pass


class _Asked(OAuth2Request):
    """What authlib wants to know of a request."""

    def __init__(self, seen: Seen, uri: str, headers: dict[str, str]) -> None:
        super().__init__(seen.method, uri, headers=headers)
        self.seen = seen
        self.payload = BasicOAuth2Payload({**seen.query, **seen.form})

    @property
    def args(self) -> dict[str, str]:
        return self.seen.query

    @property
    def form(self) -> dict[str, str]:
        return self.seen.form


class _Json(JsonPayload):
    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def data(self) -> Any:
        return self.value


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code: str, request: Any) -> None:
        self.server.codes[code] = Code(code, request)

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        found = self.server.codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code: Code) -> None:
        self.server.codes.pop(authorization_code.code, None)

    def authenticate_user(self, authorization_code: Code) -> str:
        return "somebody"


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Token | None:
        found = [token for token in self.server.tokens if token.given.get("refresh_token") == refresh_token]
        return found[0] if found and not found[0].revoked else None

    def authenticate_user(self, refresh_token: Token) -> str:
        return "somebody"

    def revoke_old_credential(self, refresh_token: Token) -> None:
        refresh_token.revoked = True


class MachineGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS


class Registration(ClientRegistrationEndpoint):
    def authenticate_token(self, request: Any) -> bool:
        return True

    def get_server_metadata(self) -> dict[str, Any]:
        return {}

    def generate_client_registration_info(self, client: Client, request: Any) -> dict[str, Any]:
        return dict(self.server.knobs.registration)

    def save_client(self, info: dict[str, Any], metadata: dict[str, Any], request: Any) -> Client:
        wanted = {**metadata, **self.server.knobs.registration}
        client = Client(
            wanted.get("client_id", info["client_id"]), wanted.get("client_secret") or info["client_secret"], **wanted
        )
        self.server.clients[client.client_id] = client
        return client


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, token_string: str, token_type_hint: str | None) -> Token | None:
        kinds = ("access_token", "refresh_token")
        found = [each for each in self.server.tokens if token_string in [each.given.get(kind) for kind in kinds]]
        return found[0] if found else None

    def revoke_token(self, token: Token, request: Any) -> None:
        token.revoked = True


class AuthPeer:
    """The authorization server; `issuer` is its URL. `seen` holds what came in."""

    def __init__(self, knobs: Knobs) -> None:
        self.knobs = knobs
        self.provider = Provider(knobs)
        self.provider.register_grant(CodeGrant, [CodeChallenge(required=True)])
        self.provider.register_grant(RefreshGrant)
        self.provider.register_grant(MachineGrant)
        self.provider.register_endpoint(Registration)
        self.provider.register_endpoint(Revocation)
        self.http = Http(self._reply)
        self.issuer = self.http.url
        self.seen = self.http.seen

    def at(self, path: str) -> list[Seen]:
        """The requests of one path."""
        return [each for each in self.seen if urlsplit(each.path).path == path]

    def metadata(self) -> dict[str, Any]:
        """The document, with the knobs."""
        document = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "registration_endpoint": f"{self.issuer}/register",
            "revocation_endpoint": f"{self.issuer}/revoke",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": METHODS,
            **self.knobs.metadata,
        }
        return {name: value for name, value in document.items() if value is not None}

    def _reply(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        path = urlsplit(seen.path).path
        if path in self.knobs.documents:
            status, kind, body = self.knobs.documents[path]
            return status, body, {"Content-Type": kind}
        if path == "/.well-known/oauth-authorization-server":
            return 200, self.metadata(), {"Content-Type": "application/json"}
        if path == "/authorize":
            return self._authorize(seen)
        if path == "/token":
            return self.provider.create_token_response(seen)
        if path == "/register":
            return self.provider.create_endpoint_response("client_registration", seen)
        if path == "/revoke":
            return self.provider.create_endpoint_response("revocation", seen)
        return 404, "nothing here", {}

    def _authorize(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        if self.provider.query_client(seen.query.get("client_id", "")) is None:
            return 400, "unknown client", {}
        grant = self.provider.get_consent_grant(seen, "somebody")
        status, body, headers = self.provider.create_authorization_response(seen, "somebody", grant)
        place = headers.get("Location", "")
        if self.knobs.callback and place:
            parts = urlsplit(place)
            params = {**dict(parse_qsl(parts.query)), **self.knobs.callback}
            query = urlencode({name: value for name, value in params.items() if value is not None})
            headers["Location"] = parts._replace(query=query).geturl()
        return status, body, headers

    def close(self) -> None:
        """Stop."""
        self.http.close()


class GuardedPeer:
    """An MCP server of 2025-11-25 with one tool, that wants a token of `auth` for its own URL."""

    def __init__(self, auth: AuthPeer, knobs: Knobs | None = None) -> None:
        self.auth, self.knobs = auth, knobs or auth.knobs
        self.http = Http(self._reply)
        self.url = f"{self.http.url}/mcp"
        self.seen = self.http.seen

    @property
    def tokens(self) -> list[str]:
        """The Authorization headers that came, in order."""
        return [each.headers["authorization"] for each in self.seen if "authorization" in each.headers]

    def _reply(self, seen: Seen) -> tuple[int, Any, dict[str, str]]:
        path = urlsplit(seen.path).path
        if path in self.knobs.documents:
            status, kind, body = self.knobs.documents[path]
            return status, body, {"Content-Type": kind}
        if path in self.knobs.resource_paths:
            document = {"resource": self.url, "authorization_servers": [self.auth.issuer], **self.knobs.resource}
            told = {name: value for name, value in document.items() if value is not None}
            return 200, told, {"Content-Type": "application/json"}
        if path != "/mcp":
            return 404, "nothing here", {}
        if self.knobs.forbid:
            return 403, {"error": "not from there"}, {}
        message = json.loads(seen.body) if seen.body else {}
        refused = self._refused(seen, message.get("method", ""))
        return refused or self._answer(seen, message)

    def _refused(self, seen: Seen, method: str) -> tuple[int, Any, dict[str, str]] | None:
        given = seen.headers.get("authorization", "").removeprefix("Bearer ")
        found = [token for token in self.auth.provider.tokens if token.given["access_token"] == given]
        where = f'resource_metadata="{self.http.url}{(self.knobs.resource_paths or ("/none",))[0]}"'
        good = found and not found[0].revoked and not found[0].is_expired()
        if not good:
            scope = f', scope="{" ".join(self.knobs.needed)}"' if self.knobs.needed else ""
            challenge = f"Bearer {where}{scope}" if self.knobs.challenge is None else self.knobs.challenge
            return 401, {"error": "invalid_token"}, {"WWW-Authenticate": challenge} if challenge else {}
        needed = self.knobs.tool_scopes if method == "tools/call" else self.knobs.needed
        if set(needed) - set(found[0].get_scope().split()):
            challenge = f'Bearer error="insufficient_scope", scope="{" ".join(needed)}", {where}'
            return 403, {"error": "insufficient_scope"}, {"WWW-Authenticate": challenge}
        return None

    def _answer(self, seen: Seen, message: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        if seen.method != "POST":
            return 405, "", {}
        if "id" not in message:
            return 202, "", {}
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "guarded", "version": "1"},
            },
            "tools/list": {"tools": [{"name": "greet", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "hello"}]},
            "ping": {},
        }
        head = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] not in results:
            return 200, {**head, "error": {"code": -32601, "message": "no such method"}}, {}
        return 200, {**head, "result": results[message["method"]]}, {}

    def close(self) -> None:
        """Stop."""
        self.http.close()
