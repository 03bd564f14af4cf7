"""Which proxy a URL is reached through."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from mcp_inspector.transport.urls import Target


def proxy_for(target: Target, own: str = "") -> str | None:
    """The proxy for a URL: the server's own, else that of the environment or the system; none for this machine itself.

    `own` is a URL, ``none``, or empty. Raises `Fault` of kind USAGE for a kind of proxy that the pool does not speak.
    """
    import urllib.request

    if own:
        return None if own == "none" else own
    try:
        local = ipaddress.ip_address(target.host).is_loopback
    except ValueError:
        local = target.host == "localhost" or target.host.endswith(".localhost")
    if local or urllib.request.proxy_bypass(target.host):
        return None
    proxies = urllib.request.getproxies()
    found = proxies.get(target.scheme) or proxies.get("all")
    if not found:
        return None
    found = found if "://" in found else f"http://{found}"
    if not found.startswith(("http://", "https://")):
        sentence = f"The proxy {found.partition('://')[0]}://… of the environment is of a kind that is not supported."
        raise Fault(FaultKind.USAGE, sentence, "Set an http proxy, or add the host to NO_PROXY.", {"url": target.text})
    return found
