"""What differs between the eras once they are agreed: what goes into a request, and what its result may be."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from mcp_inspector.wire import headers

if TYPE_CHECKING:
    from mcp_inspector.wire.frame import Id

_PREFIX = "io.modelcontextprotocol/"


class ResultHead(msgspec.Struct):
    """The members of a result that decide what it is; the rest stays bytes."""

    resultType: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    task: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    isError: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET

    @property
    def tool_error(self) -> bool:
        """Whether a tool said that it failed."""
        return self.isError is not msgspec.UNSET and bytes(self.isError) == b"true"


_head = msgspec.json.Decoder(ResultHead)


def result_head(result: bytes) -> ResultHead:
    """Read the deciding members; an unreadable result has none."""
    try:
        return _head.decode(result)
    except (msgspec.MsgspecError, RecursionError):
        return ResultHead()


class Extra:
    """What the person wants in the `_meta` of every request of a server: members, and a trace context made for each."""

    def __init__(self, members: Mapping[str, Any] | None = None, trace: bool = False) -> None:
        self.members: Mapping[str, Any] = members or {}
        self.trace = trace

    def meta(self) -> dict[str, Any]:
        """The members of one request."""
        return {**self.members, **traceparent()} if self.trace else dict(self.members)


def traceparent() -> dict[str, str]:
    """A new trace context: version, trace id, span id, and the flag that it is recorded (W3C Trace Context)."""
    return {"traceparent": f"00-{secrets.token_hex(16)}-{secrets.token_hex(8)}-01"}


class Codec(Protocol):
    """How one era dresses a request."""

    era: str
    version: str
    extra: Extra

    def params(self, params: Mapping[str, Any], token: Id | None) -> dict[str, Any]:
        """The params as they go out, with `_meta` and a progress token if any; the caller's `_meta` wins."""

    def headers(self, method: str, params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """HTTP headers of the request."""


class Legacy:
    """The handshake versions: plain params, a progress token in `_meta`."""

    era = "legacy"

    def __init__(self, version: str) -> None:
        self.version = version
        self.extra = Extra()

    def params(self, params: Mapping[str, Any], token: Id | None) -> dict[str, Any]:
        """See `Codec`."""
        own = self.extra.meta()
        if token is not None:
            own["progressToken"] = token
        return _with_meta(params, own)

    def headers(self, method: str, params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """None: the transport adds the version by itself."""
        return ()


class Modern:
    """2026-07-28: every request carries version, identity and capabilities, and mirrors them in headers.

    `log_level` is what the server may log for a request; None for nothing.
    """

    era = "modern"

    def __init__(self, version: str, client: Mapping[str, Any], capabilities: Mapping[str, Any]) -> None:
        self.version = version
        self.log_level: str | None = None
        self.extra = Extra()
        self._meta = {
            f"{_PREFIX}protocolVersion": version,
            f"{_PREFIX}clientInfo": dict(client),
            f"{_PREFIX}clientCapabilities": dict(capabilities),
        }

    def params(self, params: Mapping[str, Any], token: Id | None) -> dict[str, Any]:
        """See `Codec`."""
        own: dict[str, Any] = {**self._meta, **self.extra.meta()}
        if token is not None:
            own["progressToken"] = token
            if self.log_level is not None:
                own[f"{_PREFIX}logLevel"] = self.log_level
        return _with_meta(params, own)

    def headers(self, method: str, params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
        """Version, method and name."""
        return headers.for_request(method, self.version, params)


def _with_meta(params: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    given = params.get("_meta")
    meta = {**own, **(given if isinstance(given, Mapping) else {})}
    return {**params, "_meta": meta} if meta else dict(params)
