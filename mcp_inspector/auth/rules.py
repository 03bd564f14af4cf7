"""The rules that decide in a sign-in, each with the place where it is written."""

from __future__ import annotations

from dataclasses import dataclass

_MCP = "MCP 2026-07-28, Authorization"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it says in short, and where it stands."""

    says: str
    where: str

    def __str__(self) -> str:
        return f"{self.says} ({self.where})"


CHALLENGE = Rule("a 401 tells by WWW-Authenticate how to sign in", "RFC 9110 §11.6.1; RFC 9728 §5.1")
OWN_WIN = Rule("credentials that the person configured are used as they are", f"{_MCP} § Access Token Usage")
PRM_ORDER = Rule(
    "the metadata URL of the challenge first, then the well-known URL with the path, then the one at the root",
    f"{_MCP} § Protected Resource Metadata Discovery; RFC 9728 §3.1",
)
PRM_MEMBERS = Rule("authorization_servers names at least one authorization server", f"{_MCP} § Server Location")
PRM_RESOURCE = Rule("the resource of the metadata has to be this server", "RFC 9728 §3.3")
AS_CHOICE = Rule("the client chooses one of the listed authorization servers", "RFC 9728 §7.6")
AS_ORDER = Rule(
    "OAuth metadata with the path inserted, then OpenID with it inserted, then OpenID with it in front",
    f"{_MCP} § Authorization Server Metadata Discovery; RFC 8414 §3.1",
)
AS_MEMBERS = Rule("metadata names its issuer, its authorization and its token endpoint", "RFC 8414 §2")
AS_ISSUER = Rule("the issuer in the document is the same text as the issuer that was asked for", "RFC 8414 §3.3")
OLD_BASE = Rule(
    "without resource metadata the server's own origin is the authorization server",
    "MCP 2025-03-26, Authorization § Authorization Base URL",
)
OLD_ENDPOINTS = Rule(
    "without any metadata the endpoints are /authorize, /token and /register",
    "MCP 2025-03-26, Authorization § Fallbacks for Servers without Metadata Discovery",
)
HTTPS = Rule("all endpoints are https, but for this machine itself", "OAuth 2.1 §1.5")
SSRF = Rule("metadata must not lead into the private network", "MCP Security Best Practices § SSRF; RFC 9728 §7.7")
REDIRECTS = Rule("a redirect of a discovery request to another origin is not followed", "RFC 9728 §7.7")
PKCE = Rule("S256 has to be announced, or the client refuses", f"{_MCP} § Authorization Code Protection")
SCOPES = Rule(
    "the scope of the challenge, else scopes_supported of the resource, else none", f"{_MCP} § Scope Selection Strategy"
)
STEP_UP = Rule(
    "for insufficient_scope: the scopes asked for before, and those of the challenge", f"{_MCP} § Step-Up Authorization"
)
RESOURCE = Rule(
    "the resource goes into the authorization, the token and the refresh request",
    f"{_MCP} § Resource Parameter; RFC 8707",
)
CLIENT_ORDER = Rule(
    "registered by hand, else a Client ID Metadata Document, else dynamic registration, else ask the person",
    f"{_MCP} § Client Registration Approaches",
)
CIMD = Rule("an https URL is the client id where the server supports it", "Client ID Metadata Document draft")
DCR = Rule("the client registers itself, as a native application", f"{_MCP} § Dynamic Client Registration; RFC 7591")
BOUND = Rule("credentials of one authorization server are never used at another", f"{_MCP} § Client Registration")
TOKEN_AUTH = Rule("the client proves itself as it was registered", "RFC 6749 §2.3; RFC 7591 §2")
CODE = Rule("authorization code with PKCE", "OAuth 2.1 §4.1")
STATE = Rule("the state of the answer is the one that was sent", "OAuth 2.1 §4.1.2")
ISS = Rule("iss of the answer is the recorded issuer, compared as text, before anything is sent", "RFC 9207 §2.4")
TOKEN = Rule("the token endpoint gives an access token", "RFC 6749 §5.1")
REFRESH = Rule("a refresh token gets a new access token; the old one stays if none comes", "RFC 6749 §6")
REVOKE = Rule("tokens are revoked where the server has an endpoint for it", "RFC 7009")
DPOP = Rule("the token is bound to a key, and each request proves it", "RFC 9449")
DPOP_NONCE = Rule("use_dpop_nonce: once more, with the server's nonce", "RFC 9449 §8, §9")
CLIENT_CREDENTIALS = Rule("the client's own credentials give a token", "MCP extension oauth-client-credentials")
JWT_BEARER = Rule("the workload's assertion gives a token; a refusal is final", "RFC 7523; MCP extension wif")
ENTERPRISE = Rule(
    "the identity provider's ID token becomes an ID-JAG, and that a token",
    "MCP extension enterprise-managed-authorization; RFC 8693",
)
RETRY = Rule("one retry after a new token, then it is an answer", f"{_MCP} § Error Handling")
