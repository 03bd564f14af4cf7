"""URLs of a sign-in: where documents may lie, which resource is ours, and where nothing is sent. Pure."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_WELL_KNOWN = "/.well-known"


def canonical(url: str) -> str:
    """The resource identifier of an MCP endpoint: scheme and host in lower case, no fragment, no trailing slash."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    default = {"http": ":80", "https": ":443"}.get(parts.scheme.lower(), "")
    host = host.removesuffix(default) if default else host
    path = parts.path.rstrip("/")
    return f"{parts.scheme.lower()}://{host}{path}" + (f"?{parts.query}" if parts.query else "")


def origin(url: str) -> str:
    """Scheme, host and port, as text."""
    parts = urlsplit(canonical(url))
    return f"{parts.scheme}://{parts.netloc}"


def resource_metadata(url: str) -> list[str]:
    """Where the protected resource metadata of an endpoint may lie, in order."""
    path = urlsplit(url).path.rstrip("/")
    root = f"{origin(url)}{_WELL_KNOWN}/oauth-protected-resource"
    return [f"{root}{path}", root] if path else [root]


def server_metadata(issuer: str) -> list[str]:
    """Where the metadata of an authorization server may lie, in order, on the issuer's own host."""
    path, base = urlsplit(issuer).path.rstrip("/"), origin(issuer)
    if not path:
        return [f"{base}{_WELL_KNOWN}/{name}" for name in ("oauth-authorization-server", "openid-configuration")]
    return [
        f"{base}{_WELL_KNOWN}/oauth-authorization-server{path}",
        f"{base}{_WELL_KNOWN}/openid-configuration{path}",
        f"{base}{path}{_WELL_KNOWN}/openid-configuration",
    ]


def covers(resource: str, server: str) -> bool:
    """Whether a resource identifier is this server or a parent of it: same origin, its path at the beginning."""
    try:
        ours, theirs = urlsplit(canonical(server)), urlsplit(canonical(resource))
    except ValueError:
        return False
    if (ours.scheme, ours.netloc) != (theirs.scheme, theirs.netloc):
        return False
    return ours.path == theirs.path or ours.path.startswith(theirs.path.rstrip("/") + "/")


def is_loopback(url: str) -> bool:
    """Whether a URL names this machine itself."""
    host = (urlsplit(url).hostname or "").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_private(host: str) -> bool:
    """Whether a host is, by its own text, one that the internet does not reach: loopback, link-local, private."""
    host = host.lower().rstrip(".")
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    address = _address(host)
    return address is not None and not address.is_global


def fault(url: str, *, server: str, private_network: bool = False) -> str:
    """Why nothing is sent to a URL that a server's metadata names; empty when it may be."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "it is not a URL"
    if parts.scheme not in ("http", "https") or not host:
        return "it is not an http or https URL"
    if parts.username is not None:
        return "it holds a user name"
    ours = urlsplit(server).hostname or ""
    if is_private(host) and not is_private(ours) and not private_network:
        return f"{host} is an address of the private network, and {ours} is not"
    if parts.scheme == "http" and not is_loopback(url):
        return "it is not https"
    return ""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address
