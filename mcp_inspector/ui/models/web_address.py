"""What is to be said of a web address before anybody opens it. Nothing is asked of any network."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from mcp_inspector.ui.widgets.visible import is_plain

_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class WebAddress:
    """An address: `host` is from `start` to `stop` in `text`. `warnings` are sentences. `can_open`: http or https."""

    text: str
    host: str = ""
    start: int = 0
    stop: int = 0
    warnings: tuple[str, ...] = ()
    can_open: bool = False


def read(text: str) -> WebAddress:
    """Look at an address, whatever it is."""
    warnings = []
    if not is_plain(text) or "\\" in text or any(character.isspace() for character in text):
        warnings.append("It holds hidden characters, blanks or backslashes.")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        return WebAddress(text, warnings=(*warnings, f"It cannot be read as an address: {error}."))
    scheme = parts.scheme.lower()
    can_open = scheme in ("http", "https") and bool(host) and not warnings
    if scheme not in ("http", "https"):
        warnings.append(f'Its scheme is "{scheme}", not http or https: it is not opened here.')
    elif not host:
        warnings.append("It names no host.")
    if scheme == "http" and host not in _LOCAL:
        warnings.append("It is not encrypted (http): others on the way can read and change what is sent.")
    authority = parts.netloc
    if "@" in authority:
        warnings.append(f"What stands before the @ is no host but a user name; the page is at {host}.")
    warnings += _about_host(host)
    if port is not None and port not in (80, 443) and host not in _LOCAL:
        warnings.append(f"It uses the unusual port {port}.")
    if len(text) > 2_000:
        warnings.append(f"It is {len(text):,} characters long: read all of it.")
    start = text.lower().find(host.lower(), text.find("@", 0, text.find(authority) + len(authority)) + 1) if host else 0
    start = max(start, 0)
    return WebAddress(text, host, start, start + len(host) if host else start, tuple(warnings), can_open)


def _about_host(host: str) -> list[str]:
    if any(label.startswith("xn--") for label in host.split(".")):
        try:
            shown = host.encode("ascii").decode("idna")
        except UnicodeError:
            shown = "something that cannot be read"
        return [f"The host is written in punycode and shows as {shown}: its letters may imitate another name."]
    if not host.isascii():
        return ["The host has letters from beyond ASCII, which may imitate another name."]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        digits = host.replace(".", "")
        if host and (digits.isdigit() or host.lower().startswith("0x")):
            return ["The host is a number in an unusual spelling, which hides where it leads."]
        return []
    return [] if address.is_loopback else ["The host is a bare number, not a name."]
