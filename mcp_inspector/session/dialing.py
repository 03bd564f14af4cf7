"""From an entry of the servers file to a transport, and from the settings to the ways of a supervisor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.config.variables import expand, kept_names
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind, Transport
from mcp_inspector.transport.limits import MIB, Limits
from mcp_inspector.transport.proxies import proxy_for

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.config.vault import Vault


@dataclass(frozen=True)
class Dialer:
    """Makes transports under the given limits: the `Dial` of a supervisor."""

    limits: Limits = field(default_factory=Limits)

    def __call__(self, entry: ServerEntry, choice: str) -> Transport:
        """A new transport for ``stdio``, ``http`` or ``sse``; nothing is started yet.

        Raises `Fault` of kind USAGE for an entry that cannot be used. A transport is imported when it is wanted: the
        HTTP client alone costs a start a third of a second.
        """
        expanded = expand(entry)
        if expanded.problems:
            sentence = f"{entry.name} cannot be connected: {' '.join(expanded.problems)}"
            raise Fault(FaultKind.USAGE, sentence, "Edit the entry.", {"wanted": list(kept_names(entry))})
        full = expanded.entry
        if choice == "stdio":
            from mcp_inspector.transport.stdio import Stdio

            return Stdio((full.command, *full.args), env=full.env, cwd=full.cwd, limits=self.limits)
        if choice == "sse":
            from mcp_inspector.transport.http_sse import HttpSse

            return HttpSse(full.url, headers=full.headers, limits=self.limits, route=full.route)
        from mcp_inspector.transport.streamable_http import StreamableHttp

        return StreamableHttp(full.url, headers=full.headers, limits=self.limits, route=full.route)


def ways(
    settings: Settings,
    *,
    client: Client | None = None,
    lists_at_connect: bool = True,
    vault: Vault | None = None,
    lists: Path | None = None,
) -> Ways:
    """What `Inspector` needs, from the settings. Without a `vault` nobody signs in; `lists` is the folder for lists."""
    return Ways(
        Dialer(Limits(message=settings.message_limit * MIB)),
        client or Client(),
        Patience(
            request=settings.request_timeout,
            ceiling=settings.total_timeout,
            probe=settings.probe_timeout,
            handshake=settings.request_timeout,
        ),
        settings.reconnect_base,
        lists_at_connect,
        vault,
        lists=lists,
    )


def proxy_words(entry: ServerEntry) -> str:
    """Through what a server by URL is reached, for people."""
    try:
        target = urls.parse(expand(entry).entry.url)
        found = proxy_for(target, entry.route.proxy)
        if found is None:
            return "none, as the entry says" if entry.route.proxy == "none" else "none"
        proxy = urls.parse(found)
    except Fault as fault:
        return fault.sentence
    source = "its entry" if entry.route.proxy else "the environment or the system"
    return f"{proxy.scheme}://{proxy.authority}, by {source}"
