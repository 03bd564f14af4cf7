"""What went wrong in HTTP, as sentences."""

from __future__ import annotations

import re
import socket
import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from mcp_inspector.transport.base import Fault, FaultKind, HttpHead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.transport.urls import Target

_SHOWN = 300


def media_type(head: HttpHead) -> str:
    """The content type without its parameters, in lower case; empty when there is none."""
    return (head.get("content-type") or "").partition(";")[0].strip().lower()


def preview(body: bytes) -> str:
    """The beginning of a body on one line, for a sentence."""
    text = re.sub(r"\s+", " ", body[: _SHOWN * 4].decode("utf-8", "replace")).strip()
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def facts_of(target: Target, method: str, head: HttpHead | None = None, body: bytes = b"") -> dict[str, Any]:
    """What is known of an exchange, under the names that `Fault` lists."""
    facts: dict[str, Any] = {"method": method, "url": target.text}
    if head is not None:
        facts |= {"http_status": head.status, "reason": head.reason, "headers": [list(pair) for pair in head.headers]}
        challenges = [value for name, value in head.headers if name.lower() == "www-authenticate"]
        if challenges:
            facts["www_authenticate"] = challenges
        wait = _retry_after(head.get("retry-after"))
        if wait is not None:
            facts["retry_after"] = wait
    if body:
        facts["body"] = body
    return facts


def refused(target: Target, method: str, head: HttpHead, body: bytes, *, session: bool = False) -> Fault:
    """A status that refuses. `session` says that the request carried a session id, so that 404 means it is gone."""
    facts = facts_of(target, method, head, body)
    status = f"{head.status} {head.reason}".strip()
    if head.status == 401:
        hint = "Sign in, or add an Authorization header to this server."
        return Fault(FaultKind.UNAUTHORIZED, f"{target.authority} wants us to sign in ({status}).", hint, facts)
    if head.status == 403:
        hint = "Check the token and its scopes, and whether the server accepts this host and origin."
        return Fault(FaultKind.FORBIDDEN, f"{target.authority} does not allow this ({status}).", hint, facts)
    if head.status == 404 and session:
        sentence = f"{target.authority} does not know our session any more ({status})."
        return Fault(FaultKind.SESSION_GONE, sentence, "Connect again to begin a new session.", facts)
    said = ""
    if "html" in media_type(head):
        said = ", with an HTML page"
    elif body.strip():
        said = f": {preview(body)}"
    hints = {
        404: "Check the path of the URL: MCP servers often live at /mcp.",
        405: "The URL may be that of the older HTTP+SSE transport, or of something else.",
        429: "The server wants us to slow down.",
    }
    hint = hints.get(head.status, "Look at the server's own log." if head.status >= 500 else "")
    return Fault(FaultKind.HTTP_STATUS, f"{target.authority} answered {method} with {status}{said}.", hint, facts)


def wrong_content(target: Target, method: str, head: HttpHead, body: bytes) -> Fault:
    """A success whose content is not what MCP knows."""
    facts = facts_of(target, method, head, body)
    kind = media_type(head)
    if (
        "html" in kind
        or body.lstrip()[:9].lower() in (b"<!doctype", b"<html>")
        or body.lstrip()[:5].lower() == b"<html"
    ):
        sentence = f"{target.authority} answered {method} with an HTML page instead of JSON."
        return Fault(FaultKind.BAD_CONTENT, sentence, "The URL may be that of a web page, a proxy or a sign-in.", facts)
    if not body.strip():
        sentence = f"{target.authority} answered {method} with {head.status} and an empty body."
        return Fault(FaultKind.BAD_CONTENT, sentence, facts=facts)
    what = f"the content type {kind[:80]}" if kind else "no content type"
    sentence = f"{target.authority} answered {method} with {what} instead of JSON or an event stream: {preview(body)}"
    return Fault(FaultKind.BAD_CONTENT, sentence, facts=facts)


def redirected(target: Target, method: str, head: HttpHead) -> Fault:
    """A redirect that is not followed: another origin, or one that would change the method."""
    location = head.get("location") or ""
    facts = facts_of(target, method, head) | {"location": location}
    sentence = f"{target.authority} answered {method} with {head.status} and sends us to {location[:300]}."
    return Fault(FaultKind.REDIRECT, sentence, "If you trust it, enter that URL for this server.", facts)


def failed(target: Target, method: str, error: BaseException, seconds: float) -> Fault:
    """No response at all, by what the network said. `seconds` is the time given to connect."""
    facts, where = facts_of(target, method), target.authority
    chain = tuple(_chain(error))
    tls = next((link for link in reversed(chain) if isinstance(link, ssl.SSLError)), None)
    if tls is not None:
        why = getattr(tls, "verify_message", "") or tls.reason or str(tls)
        hint = "Its certificate must be trusted by this system."
        if isinstance(tls, ssl.SSLCertVerificationError):
            facts["untrusted"] = True
        if "WRONG_VERSION" in str(tls.reason) or "RECORD_LAYER" in str(tls.reason):
            hint = "The server seems to speak plain HTTP: try http:// in the URL."
        return Fault(FaultKind.TLS, f"The TLS handshake with {where} failed: {why}.", hint, facts)
    if any(isinstance(link, socket.gaierror) for link in chain):
        sentence = f"The name {target.host} was not found."
        return Fault(FaultKind.DNS, sentence, "Check the host name, and the network or VPN.", facts)
    if any(isinstance(link, ConnectionRefusedError) for link in chain) or _all_refused(chain):
        sentence = f"Nothing listens at {where}: the connection was refused."
        return Fault(FaultKind.REFUSED, sentence, "Start the server, or check host and port.", facts)
    if any(isinstance(link, TimeoutError) for link in chain):
        sentence = f"{where} did not accept a connection within {seconds:g} s."
        return Fault(FaultKind.TIMEOUT, sentence, "Check host, port and firewall.", facts)
    if any(isinstance(link, ConnectionError) for link in chain):
        return Fault(FaultKind.RESET, f"The connection to {where} was reset before a response came.", "", facts)
    system = next((link for link in chain if isinstance(link, OSError) and link.errno), None)
    if system is not None:
        return Fault(FaultKind.REFUSED, f"{where} cannot be reached: {system.strerror}.", "Check the network.", facts)
    return Fault(FaultKind.CLOSED, f"{where} closed the connection without answering.", "", facts)


def _all_refused(chain: tuple[BaseException, ...]) -> bool:
    """Several addresses were tried, and asyncio says so in words only."""
    return any(isinstance(link, OSError) and "Connect call failed" in str(link) for link in chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _chain(inner)
        error = error.__cause__ or error.__context__


def _retry_after(value: str | None) -> float | None:
    """Seconds, from either spelling of the header."""
    if not value:
        return None
    if value.strip().isdecimal():
        return float(value.strip()[:9])
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
