"""How one request of ours ended: a value, never an exception. A local error never looks like the server's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from mcp_inspector.session.cache import Cached
    from mcp_inspector.transport.base import Fault


@dataclass(frozen=True)
class Ended:
    """What every outcome knows. `call` and `reply` are sequence numbers in the log (0: there is none).

    `elapsed_ns` runs from the request's first byte written to the last byte of its answer read, at the transport.
    `http_status` is that of the HTTP response that carried the answer.
    """

    method: str
    call: int
    reply: int = 0
    elapsed_ns: int = 0
    faults: tuple[str, ...] = ()
    http_status: int | None = None


@dataclass(frozen=True)
class Complete(Ended):
    """The server's result, as JSON text. `tool_error`: a tool said that it failed (`isError`).

    `cached` says that it was not asked for again, but is still fresh from an earlier request: `call`, `reply` and
    `http_status` are those of that one, and `elapsed_ns` is 0.
    """

    result: bytes = b"{}"
    tool_error: bool = False
    cached: Cached | None = None

    @cached_property
    def value(self) -> Any:
        """The result decoded; a number may lose its spelling here, so show `result` to people."""
        return msgspec.json.decode(self.result)


@dataclass(frozen=True)
class InputRequired(Ended):
    """2026-07-28: the server wants answers first, and the request sent again with them."""

    result: bytes = b"{}"


@dataclass(frozen=True)
class TaskStarted(Ended):
    """The server made a task of it."""

    result: bytes = b"{}"


@dataclass(frozen=True)
class RpcError(Ended):
    """The server's JSON-RPC error. `code` is None and `message` empty where the server's object lacks them."""

    code: int | None = None
    message: str = ""
    error: bytes = b"{}"


@dataclass(frozen=True)
class LocalError(Ended):
    """It ended on our side or on the way: timed out, cancelled, lost, not sent. The fault says which."""

    fault: Fault | None = None

    @property
    def sentence(self) -> str:
        """What happened, for people."""
        return self.fault.sentence if self.fault else ""


Outcome = Complete | InputRequired | TaskStarted | RpcError | LocalError
