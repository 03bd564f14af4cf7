"""From an entry of the servers file to a transport."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.config.variables import expand
from mcp_inspector.transport.base import Fault, FaultKind, Transport
from mcp_inspector.transport.limits import Limits
from mcp_inspector.transport.stdio import Stdio

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry


@dataclass(frozen=True)
class Dialer:
    """Makes transports under the given limits: the `Dial` of a supervisor."""

    limits: Limits = field(default_factory=Limits)

    def __call__(self, entry: ServerEntry, choice: str) -> Transport:
        """A new transport for ``stdio``, ``http`` or ``sse``. Raises `Fault` for an entry that cannot be used."""
        expanded = expand(entry)
        if expanded.problems:
            sentence = f"{entry.name} cannot be connected: {' '.join(expanded.problems)}"
            raise Fault(FaultKind.USAGE, sentence, "Edit the entry.")
        full = expanded.entry
        if choice == "stdio":
            return Stdio((full.command, *full.args), env=full.env, cwd=full.cwd, limits=self.limits)
        if choice == "sse":
            from mcp_inspector.transport.http_sse import HttpSse  # the HTTP client takes long to import

            return HttpSse(full.url, headers=full.headers, limits=self.limits)
        from mcp_inspector.transport.streamable_http import StreamableHttp

        return StreamableHttp(full.url, headers=full.headers, limits=self.limits)
