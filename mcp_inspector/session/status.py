"""What is known of one server, in honest words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_inspector.transport.base import Fault


class State(StrEnum):
    """The states of a server. CONNECTED is never said of a peer that is gone."""

    DISABLED = "disabled"
    IDLE = "idle"  # not connected, nothing wrong
    STARTING = "starting"
    CONNECTED = "connected"
    DEGRADED = "degraded"  # connected, but a list failed
    RECONNECTING = "reconnecting"
    STOPPING = "stopping"
    NEEDS_SIGN_IN = "needs sign-in"
    SESSION_EXPIRED = "session expired"
    EXITED = "exited"
    FAILED = "failed"


UP = frozenset({State.CONNECTED, State.DEGRADED})


@dataclass(frozen=True)
class Status:
    """One state with what explains it. Times are on the monotonic clock of `transport.base.now`.

    While it is starting, `step` says what is waited for (``initialize``), since `step_ns`, for `limit` seconds at most
    (0: it says itself when it gives up).
    """

    state: State
    since_ns: int = 0
    detail: str = ""
    fault: Fault | None = None
    attempt: int = 0
    of: int = 0
    retry_at_ns: int = 0
    step: str = ""
    step_ns: int = 0
    limit: float = 0

    @property
    def up(self) -> bool:
        """Whether requests can be sent."""
        return self.state in UP

    def words(self, now_ns: int = 0) -> str:
        """The state in words, for example ``reconnecting 2 of 3 in 4 s`` or ``exited (code 1)``."""
        if self.state is State.RECONNECTING:
            text = f"reconnecting {self.attempt} of {self.of}"
            left = (self.retry_at_ns - now_ns) / 1e9 if now_ns and self.retry_at_ns else 0
            return f"{text} in {left:.0f} s" if left > 0.5 else text
        if self.state is State.STARTING and self.step and now_ns:
            return ": ".join(filter(None, (f"starting, {self.step}", self.waited(now_ns))))
        if self.state is State.EXITED and self.fault is not None:
            if "signal" in self.fault.facts:
                return f"exited (signal {self.fault.facts['signal']})"
            return f"exited (code {self.fault.facts.get('exit_code', '?')})"
        return str(self.state)

    def waited(self, now_ns: int) -> str:
        """How long its step of starting takes already: ``12 of 60 s``; empty in the first second."""
        seconds = (now_ns - self.step_ns) / 1e9 if self.step_ns else 0
        if seconds < 1:
            return ""
        return f"{int(seconds)} of {self.limit:.0f} s" if self.limit else f"{int(seconds)} s"


@dataclass(frozen=True)
class Identity:
    """Who answered and how we speak with it. `era` is ``legacy`` or ``modern``; `raw` is the result that said so."""

    era: str
    version: str
    transport: str
    supported: tuple[str, ...] = ()
    server_info: Mapping[str, Any] = field(default_factory=dict)
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    instructions: str = ""
    raw: bytes = b"{}"

    @property
    def extensions(self) -> Mapping[str, Any]:
        """The extensions that the server advertises, by identifier."""
        value = self.capabilities.get("extensions")
        return value if isinstance(value, Mapping) else {}

    def has(self, capability: str) -> bool:
        """Whether the server declares a capability, by path: ``tools``, ``resources.subscribe``."""
        value: Any = self.capabilities
        for step in capability.split("."):
            if not isinstance(value, Mapping) or step not in value:
                return False
            value = value[step]
        return value is not False and value is not None
