"""What a token endpoint answers, and the token that comes of it. Pure, but for the clock that the caller gives."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from mcp_inspector.auth.documents import json_object

if TYPE_CHECKING:
    from mcp_inspector.auth.steps import Answer


@dataclass(frozen=True, slots=True)
class Token:
    """An access token and what it is bound to. Times are seconds of the wall clock, None where they are not known.

    `server` is the URL that it is for, `issuer` whose it is, `scopes` what was granted where the answer said so,
    `asked` what was asked for. `key` is the private key (PEM) of a DPoP-bound one. What is secret is in no `repr`.
    """

    access: str = field(repr=False)
    server: str
    issuer: str
    resource: str = ""
    kind: str = "Bearer"
    got: float = 0
    expires: float | None = None
    refresh: str = field(default="", repr=False)
    id_token: str = field(default="", repr=False)
    scopes: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    key: str = field(default="", repr=False)

    def left(self, now: float) -> float | None:
        """Seconds until it expires, None when that is not known."""
        return None if self.expires is None else self.expires - now

    def kept(self) -> dict[str, Any]:
        """As plain data, to be kept."""
        return asdict(self)

    @staticmethod
    def restored(value: Any) -> Token | None:
        """From what was kept; None when it is none."""
        try:
            token = Token(**{**value, "scopes": tuple(value["scopes"]), "asked": tuple(value["asked"])})
        except (TypeError, KeyError):
            return None
        texts = (token.access, token.server, token.issuer, token.kind)
        return token if all(isinstance(text, str) and text for text in texts) else None


@dataclass(frozen=True, slots=True)
class Refused:
    """An OAuth error, with the words of the server."""

    error: str
    description: str = ""

    @property
    def said(self) -> str:
        """Both as one text, cut."""
        return ": ".join(filter(None, (self.error, self.description)))[:400]


@dataclass(frozen=True, slots=True)
class Granted:
    """The members of a successful answer."""

    access: str = field(repr=False)
    kind: str
    seconds: float | None
    refresh: str = field(repr=False)
    scopes: tuple[str, ...]
    id_token: str = field(repr=False)
    issued_type: str


def read(answer: Answer) -> Granted | Refused:
    """Read a token answer: JSON or a form, whatever it says it is; an error with any status is an error."""
    members = json_object(answer.body)
    if not members and b"=" in answer.body and not answer.body.lstrip().startswith((b"{", b"[", b"<")):
        members = dict(parse_qsl(answer.body[:65536].decode("utf-8", "replace"), keep_blank_values=True))
    error = members.get("error")
    if isinstance(error, str) and error:
        description = members.get("error_description")
        return Refused(error, description if isinstance(description, str) else "")
    if not answer.ok:
        return Refused(f"http_{answer.status}" if answer.status else "no_answer", answer.said)
    access = members.get("access_token")
    if not isinstance(access, str) or not access or not access.isprintable() or " " in access:
        return Refused("no_token", "the answer holds no access token that could be sent")
    scope = members.get("scope")
    words = scope if isinstance(scope, list) else str(scope).replace(",", " ").split() if scope else []
    return Granted(
        access,
        _kind(members.get("token_type")),
        _seconds(members.get("expires_in")),
        _text(members.get("refresh_token")),
        tuple(str(word) for word in words),
        _text(members.get("id_token")),
        _text(members.get("issued_token_type")),
    )


def token(granted: Granted, like: Token, now: float) -> Token:
    """The token of an answer; `like` says what it is for. Without a new refresh token the old one stays."""
    return replace(
        like,
        access=granted.access,
        kind=granted.kind,
        got=now,
        expires=None if granted.seconds is None else now + granted.seconds,
        refresh=granted.refresh or like.refresh,
        id_token=granted.id_token or like.id_token,
        scopes=granted.scopes or like.scopes,
        key=like.key if granted.kind == "DPoP" else "",
    )


def _kind(value: Any) -> str:
    return "DPoP" if isinstance(value, str) and value.lower() == "dpop" else "Bearer"


def _seconds(value: Any) -> float | None:
    """A lifetime; what is no positive number says nothing, and is not "expired at once"."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
