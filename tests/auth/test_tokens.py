"""Answers of token and registration endpoints, as they come; proofs; and what is shown of all that."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from mcp_inspector.auth import identity, jose, tokens
from mcp_inspector.auth.discovery import Found
from mcp_inspector.auth.documents import ServerMetadata
from mcp_inspector.auth.identity import Client
from mcp_inspector.auth.steps import Answer, Callback, Request, Trail
from mcp_inspector.auth.tokens import Granted, Refused, Token
from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.config.entry import ServerEntry
from tests.auth.play import document, play

AS = "https://as.test"


def form(body: str) -> Answer:
    """A form as an answer."""
    return Answer(200, "OK", (("content-type", "application/x-www-form-urlencoded; charset=utf-8"),), body.encode())


def test_a_form_is_read_too_and_an_error_with_200_is_one() -> None:
    """OAU-07."""
    granted = tokens.read(form("access_token=gho_x&scope=repo%2Cuser&token_type=bearer"))
    assert isinstance(granted, Granted)
    assert (granted.access, granted.scopes, granted.kind) == ("gho_x", ("repo", "user"), "Bearer")
    refused = tokens.read(document({"error": "bad_verification_code"}))
    assert refused == Refused("bad_verification_code")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ({"token_type": "bearer"}, None),
        ({"token_type": "BEARER", "expires_in": "3600"}, 3600),
        ({"token_type": "Bearer", "expires_in": 3600.0, "scope": None, "refresh_token": None, "id_token": "x"}, 3600),
        ({"expires_in": 0}, None),
        ({"expires_in": -5}, None),
        ({"expires_in": "soon"}, None),
        ({"expires_in": True, "scope": ["a", "b"]}, None),
        ({"expires_in": "inf"}, None),
    ],
)
def test_lifetimes_and_types_as_they_come(value: dict[str, Any], seconds: float | None) -> None:
    """OAU-08: an unknown lifetime is unknown, and not over."""
    granted = tokens.read(document({"access_token": "t", **value}))
    assert isinstance(granted, Granted)
    assert (granted.seconds, granted.kind) == (seconds, "Bearer")
    token = tokens.token(granted, Token("", "https://h/mcp", AS, refresh="old"), 1000)
    assert token.left(1000) == seconds
    assert token.refresh == "old"


@pytest.mark.parametrize(
    "value", [{"token_type": "Bearer"}, {"access_token": ""}, {"access_token": None}, {"access_token": "a\nb"}]
)
def test_no_token_is_no_token(value: dict[str, Any]) -> None:
    """OAU-08."""
    assert isinstance(tokens.read(document(value)), Refused)


@pytest.mark.parametrize(
    ("reply", "method", "secret"),
    [
        (
            {
                "client_secret": "s:/%+",
                "token_endpoint_auth_method": "client_secret_basic",
                "client_secret_expires_at": 0,
            },
            "client_secret_basic",
            "s:/%+",
        ),
        ({"client_secret": None, "scope": None, "contacts": None, "token_endpoint_auth_method": "none"}, "none", ""),
        ({"client_secret": "x"}, "client_secret_basic", "x"),
        ({"client_secret": "x", "token_endpoint_auth_method": "client_secret_post"}, "client_secret_post", "x"),
        ({}, "none", ""),
    ],
)
def test_a_registration_is_obeyed(reply: dict[str, Any], method: str, secret: str) -> None:
    """OAU-06: whatever the status, and whatever else is in it."""
    server = ServerMetadata(AS, f"{AS}/a", f"{AS}/t", f"{AS}/r")
    answer = document({"client_id": "abc", **reply}, 200)
    flow = identity.register(Found(server, AS, "r"), "http://127.0.0.1:1/callback", Trail())
    client, asked = play(flow, {f"{AS}/r": answer})
    assert (client.method, client.secret, client.expires) == (method, secret, 0)
    assert asked[0].document["application_type"] == "native"
    headers, fields = identity.proven(client, (("grant_type", "x"),))
    if method == "client_secret_basic":
        pair = base64.b64decode(dict(headers)["Authorization"].removeprefix("Basic ")).decode()
        assert pair == ("abc:s%3A%2F%25%2B" if secret == "s:/%+" else "abc:x")
        assert dict(fields) == {"grant_type": "x"}
    else:
        assert dict(fields).get("client_secret", "") == secret
        assert dict(fields)["client_id"] == "abc"


def test_a_proof_says_what_it_is_for() -> None:
    key = jose.new_key()
    first = jose.proof(key, "POST", "https://h/mcp?a=1#x", token="tok", nonce="n")
    opened = jose.opened(first)
    assert opened is not None
    header, claims = opened
    assert (header["typ"], header["alg"]) == ("dpop+jwt", "ES256")
    assert "d" not in header["jwk"]
    assert (claims["htm"], claims["htu"], claims["nonce"]) == ("POST", "https://h/mcp", "n")
    second = jose.opened(jose.proof(key, "POST", "https://h/mcp"))
    assert second is not None
    assert second[1]["jti"] != claims["jti"]
    assert jose.opened("no.jwt.at all") is None


def test_what_is_shown_is_masked_unless_it_is_to_be_seen() -> None:
    """SEC-11."""
    request = Request(
        "POST",
        "https://as.test/token?api_key=K3Y",
        (("Authorization", "Basic c2VjcmV0"), ("DPoP", "eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiJ4In0.c2lnbmF0dXJl")),
        (("code", "C0DE"), ("code_verifier", "V3RIFIER"), ("client_secret", "S3CRET"), ("grant_type", "x")),
    )
    answer = document({"access_token": "T0KEN", "refresh_token": "R3FRESH", "expires_in": 5})
    shown = request.lines() + answer.lines()
    for secret in ("K3Y", "c2VjcmV0", "c2lnbmF0dXJl", "C0DE", "V3RIFIER", "S3CRET", "T0KEN", "R3FRESH"):
        assert secret not in shown
        assert secret in request.lines(reveal=True) + answer.lines(reveal=True)
    assert "grant_type=x" in shown


def test_no_repr_tells_a_secret() -> None:
    """What ends in a log or a traceback by mistake holds none."""
    options = AuthOptions(client_secret="S3CRET", private_key="S3CRET", assertion="S3CRET", idp_id_token="S3CRET")
    values = [
        Token("S3CRET", "https://h/mcp", AS, refresh="S3CRET", id_token="S3CRET", key="S3CRET"),
        Client("me", AS, "S3CRET", private_key="S3CRET"),
        options,
        ServerEntry("s", "http", url="https://h", auth=options),
        Request("POST", AS, (("Authorization", "S3CRET"),), (("code", "S3CRET"),)),
        document({"access_token": "S3CRET"}),
        tokens.read(document({"access_token": "S3CRET", "refresh_token": "S3CRET"})),
        Callback((("code", "S3CRET"),)),
    ]
    assert "S3CRET" not in repr(values)
