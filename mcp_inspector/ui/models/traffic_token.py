"""What a bearer token in a header says of itself, read here, not checked, and shown without what signs it."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from mcp_inspector.store.redact import redact_value
from mcp_inspector.ui import plain
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping

_TIMES: Final = ("exp", "iat", "nbf", "auth_time")
_LONGEST: Final = 16_384
_MOST: Final = 24


def token_facts(facts: Mapping[str, Any], sent_ns: int) -> list[Fact]:
    """The claims of the JWT in the ``Authorization`` of a record of HTTP, sent at `sent_ns` (Unix time).

    Empty where there is none, and for opaque tokens. A token for another address than the one it was sent to, or one
    that had expired by then, has a fact that says so.
    """
    claims = _claims(_bearer(facts.get("headers")))
    if not claims:
        return []
    rows = [
        Fact(f"token {plain.line(name, 40)}", _value(name, value), mono=True)
        for name, value in list(redact_value(claims).items())[:_MOST]
    ]
    audience, url = claims.get("aud"), facts.get("url")
    named = [one for one in (audience if isinstance(audience, list) else [audience]) if isinstance(one, str)]
    if named and isinstance(url, str) and not any(_covers(one, url) for one in named):
        rows.append(Fact("token", "Its audience is not the address that it was sent to.", tone="warn"))
    expires = claims.get("exp")
    if isinstance(expires, int | float) and expires * 1e9 < sent_ns:
        rows.append(Fact("token", "It had expired when it was sent.", tone="warn"))
    return rows


def _bearer(headers: Any) -> str:
    for pair in headers if isinstance(headers, list) else ():
        if isinstance(pair, list | tuple) and len(pair) == 2 and str(pair[0]).lower() == "authorization":
            scheme, _, token = str(pair[1]).partition(" ")
            return token.strip() if scheme.lower() in ("bearer", "dpop") and len(token) <= _LONGEST else ""
    return ""


def _claims(token: str) -> dict[str, Any]:
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        value = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _value(name: str, value: Any) -> str:
    if name in _TIMES and isinstance(value, int | float) and 0 < value < 2**40:
        return f"{value} ({time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(value))})"
    return plain.line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 400)


def _covers(audience: str, url: str) -> bool:
    """Whether a token for this audience may be sent there: the same origin, and a path at or above that of the URL."""
    try:
        meant, sent = urlsplit(audience), urlsplit(url)
    except ValueError:
        return False
    if not meant.scheme:
        return True  # a name that an authorization server has given: it cannot be held against an address
    if (meant.scheme.lower(), meant.netloc.lower()) != (sent.scheme.lower(), sent.netloc.lower()):
        return False
    above = meant.path.rstrip("/")
    return sent.path.rstrip("/") == above or sent.path.startswith(f"{above}/")
