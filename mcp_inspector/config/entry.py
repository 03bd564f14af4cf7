"""One configured server, as the rest of the program uses it. Reading and writing files is `config.servers_file`'s."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.config.route import Route

if TYPE_CHECKING:
    from collections.abc import Mapping

TransportChoice = Literal["stdio", "http", "sse", "auto"]
"""``http`` is Streamable HTTP, ``sse`` the HTTP+SSE of 2024-11-05, ``auto`` tries the first, then the second."""


LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The levels of `logging/setLevel` (RFC 5424), the least first."""


@dataclass(frozen=True, slots=True)
class Root:
    """A folder that the server may be told of: a ``file:`` URI, and a name for people, which may be empty."""

    uri: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """What to connect to and how. All values are literal: variables are expanded by `config.variables` at connect.

    `protocol` is ``auto`` (probe, then fall back), ``legacy``, ``modern`` or one version. `timeout` is seconds for
    a request, None for the default. `roots` answer `roots/list`; without any, a person is asked. `problems` are
    sentences about this entry alone: an entry with `fatal` True can be shown and edited, but not connected. `origin`
    says where it comes from, for people: a file's path, ``command line``.

    What the server is told of this client: `capabilities` (None for the usual ones), `meta`, which goes into the
    `_meta` of each request, `trace`, a trace context for each, and `log_level`, from which on it is to log (empty: it
    is not asked to).
    """

    name: str
    transport: TransportChoice = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    disabled: bool = False
    timeout: float | None = None
    description: str = ""
    protocol: str = "auto"
    connect: Literal["start", "lazy"] = "start"
    reconnect: int = 3
    refresh_before_call: bool = False
    roots: tuple[Root, ...] = ()
    auth: AuthOptions = field(default_factory=AuthOptions)
    route: Route = field(default_factory=Route)
    capabilities: Mapping[str, Any] | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    trace: bool = False
    log_level: str = ""
    origin: str = ""
    problems: tuple[str, ...] = ()
    fatal: bool = False

    @property
    def remote(self) -> bool:
        """Whether it is reached by URL."""
        return self.transport != "stdio"
