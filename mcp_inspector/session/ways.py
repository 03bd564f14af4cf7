"""How servers are reached, for both faces: transports made from entries, variables filled in, settings heeded."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mcp_inspector.config.variables import expand
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.session.server import Ways
from mcp_inspector.transport.base import Fault, FaultKind, Transport
from mcp_inspector.transport.limits import MIB, Limits

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings


def dial(entry: ServerEntry, choice: str, limits: Limits | None = None) -> Transport:
    """A transport for an entry: `choice` is ``stdio``, ``http`` or ``sse``. Nothing is started yet.

    Raises `Fault` of kind USAGE when a variable is missing or what came of it cannot be used. The HTTP transports are
    imported only here, when one is wanted: their client costs a start 0.15 s.
    """
    expanded = expand(entry)
    if expanded.problems:
        raise Fault(FaultKind.USAGE, f"{entry.name} cannot be connected: {' '.join(expanded.problems)}")
    full = expanded.entry
    if choice == "stdio":
        from mcp_inspector.transport.stdio import Stdio

        return Stdio((full.command, *full.args), env=full.env, cwd=full.cwd, limits=limits)
    if choice == "sse":
        from mcp_inspector.transport.http_sse import HttpSse

        return HttpSse(full.url, headers=full.headers, limits=limits)
    from mcp_inspector.transport.streamable_http import StreamableHttp

    return StreamableHttp(full.url, headers=full.headers, limits=limits)


def ways(settings: Settings, *, client: Client | None = None, lists_at_connect: bool = True) -> Ways:
    """What `Inspector` needs, from the settings."""
    return Ways(
        partial(dial, limits=Limits(message=settings.message_limit * MIB)),
        client or Client(),
        Patience(settings.request_timeout, settings.total_timeout, settings.probe_timeout),
        settings.reconnect_base,
        lists_at_connect,
    )
