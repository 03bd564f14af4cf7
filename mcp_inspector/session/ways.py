"""How a supervisor reaches the outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.connecting import Client, Patience
from mcp_inspector.transport.base import Transport

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.auth.person import Opener
    from mcp_inspector.config.vault import Vault

Dial = Callable[[ServerEntry, str], Transport]
"""Makes a transport for an entry and a choice: ``stdio``, ``http``, ``sse``. Raises `Fault` for an unusable entry."""


@dataclass(frozen=True)
class Ways:
    """How a supervisor reaches the outside. `reconnect_base` is seconds; the n-th wait is n times it.

    `vault` keeps sign-ins; without one nobody signs in. `opener` opens browsers without being asked: for tests.
    `lists` is the folder that keeps what servers listed, from one run to the next.
    """

    dial: Dial
    client: Client = field(default_factory=Client)
    patience: Patience = field(default_factory=Patience)
    reconnect_base: float = 1.0
    lists_at_connect: bool = True
    vault: Vault | None = None
    opener: Opener | None = None
    lists: Path | None = None
