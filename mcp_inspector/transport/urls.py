"""A URL as the person gave it: its request target goes over the wire byte for byte."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from urllib.parse import quote, unquote, urljoin, urlsplit

from mcp_inspector.transport.base import Fault, FaultKind

_PORTS = {"http": 80, "https": 443}
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_HINT = "Enter a URL such as http://127.0.0.1:8000/mcp."


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes. `text` is the URL to show and to resolve against, without user, password and fragment.

    `target` is the path with the query exactly as given; only what HTTP cannot carry (spaces, non-ASCII) is escaped.
    `authorization` is the Basic credentials of a `user:password@` in the URL, empty without.
    """

    text: str
    scheme: str
    host: str
    port: int
    target: str
    authorization: str = ""

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what must be the same for credentials to go there."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def join(self, reference: str) -> Target:
        """Resolve a reference that a server gave, such as an endpoint or a redirect. Raises `Fault`."""
        return parse(urljoin(self.text, reference))


def parse(text: str) -> Target:
    """Read an http or https URL, white space around it trimmed. Raises `Fault` of kind USAGE."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        port = parts.port
        host = (
            (parts.hostname or "").encode("idna").decode() if not (parts.hostname or "").isascii() else parts.hostname
        )
    except ValueError as error:
        raise Fault(FaultKind.USAGE, f"{text[:200]} is not a URL: {error}.", _HINT, {"url": text}) from error
    if parts.scheme not in _PORTS or not host:
        raise Fault(FaultKind.USAGE, f"{text[:200] or 'Nothing'} is not an http or https URL.", _HINT, {"url": text})
    authorization = ""
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode()
    target = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), safe=_ASCII)
    if not target.startswith("/"):
        target = f"/{target}"
    plain = Target("", parts.scheme, host, port or _PORTS[parts.scheme], target)
    shown = f"{parts.scheme}://{plain.authority}{target}"
    return Target(shown, plain.scheme, plain.host, plain.port, target, authorization)
