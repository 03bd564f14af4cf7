"""The probes of tokens: those of nobody, those that have expired, and those in the URL."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mcp_inspector.session.probing.http_probes import any_http
from mcp_inspector.session.probing.probe import Came, Probe, Verdict
from mcp_inspector.session.probing.probes import NOBODY, judged

if TYPE_CHECKING:
    from mcp_inspector.session.probing.bench import Answer, Bench

_OPEN = "The server wants no token of those who have none."
_LONG_AGO = 946_684_800
"""The first second of 2000, as `exp` of a token."""
_IN_URL = "It sends the token in the URL, where the logs of the server and of what lies between may keep it."


async def _unknown(bench: Bench) -> Answer:
    """What a client without a token is told."""
    line = await bench.stranger()
    return await line.post(line.opening())


async def _with(bench: Bench, token: str, sent: str) -> Came:
    bare = await _unknown(bench)
    if bare.status != 401:
        return Came(Verdict.LEFT_OUT, _OPEN, bare.seqs)
    line = await bench.stranger()
    message = line.opening()
    answer = await line.post(message, {**line.headers(message), "Authorization": f"Bearer {token}"})
    return judged(answer, answer.status == 401, sent)


async def foreign_token(bench: Bench) -> Came:
    return await _with(bench, NOBODY, "a token of nobody")


async def expired_token(bench: Bench) -> Came:
    """A token as ours, where ours is a JWT, that says of itself that it has expired: its signature fits no more."""
    return await _with(bench, _expired(_own(bench)), "a token that expired in 2000")


async def token_in_query(bench: Bench) -> Came:
    bare = await _unknown(bench)
    if bare.status != 401:
        return Came(Verdict.LEFT_OUT, _OPEN, bare.seqs)
    line = await bench.stranger(f"access_token={quote(_own(bench), safe='')}")
    answer = await line.post(line.opening())
    return judged(answer, answer.result is None, "the token in the URL, and in no header")


def _own(bench: Bench) -> str:
    """The token that the person has written into the entry; empty when there is none."""
    value = next((value for name, value in bench.own.items() if name.lower() == "authorization"), "")
    scheme, _, token = value.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _expired(token: str) -> str:
    head, _, rest = token.partition(".")
    body, _, signature = rest.partition(".")
    claims = _claims(body) or {"sub": NOBODY, "aud": NOBODY}
    header = head if _claims(head) else _packed({"alg": "RS256", "typ": "at+jwt"})
    return f"{header}.{_packed({**claims, 'exp': _LONG_AGO})}.{signature or _packed({})}"


def _claims(part: str) -> dict[str, Any]:
    try:
        value = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _packed(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _no_token(bench: Bench) -> str:
    # A token that was signed in for is written into no record, and a URL is in many.
    return any_http(bench) or ("" if _own(bench) else "the entry has no token of its own")


PROBES = (
    Probe("foreign-token", 147, "A foreign token is refused with 401.", "authorization", foreign_token, any_http),
    Probe("expired-token", 147, "An expired token is refused with 401.", "authorization", expired_token, any_http),
    Probe("token-in-url", 147, "A token in the URL counts not.", "authorization", token_in_query, _no_token, _IN_URL),
)
