"""Which era and version a server speaks, found out step by step, without I/O.

A driver asks for the first `Step`, carries it out, tells what came of it, and gets the next one, until `Agreed` or
`Refused`. The rules are those of the versioning and transport pages of 2026-07-28 and of the lifecycle page of
2025-11-25; a server that dies on an unknown first message, or that is slow to start, gets one second chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from mcp_inspector.wire import revisions

HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION = -32020, -32021, -32022
METHOD_NOT_FOUND = -32601
_NO_EVIDENCE = frozenset({401, 403, 407, 408, 429})
_OTHER_TRANSPORT = frozenset({400, 404, 405})


@dataclass(frozen=True, slots=True)
class Probe:
    """Send `server/discover` under this version. `capabilities` are to be declared besides our own."""

    version: str
    capabilities: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Initialize:
    """Send `initialize` offering this version; on a new process first when `fresh`."""

    version: str
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class TryEventStream:
    """Go on with HTTP+SSE at the same URL, then `Initialize` there."""

    version: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """Done. `result` is the DiscoverResult or InitializeResult; `notes` are sentences worth showing."""

    era: revisions.Era
    version: str
    result: dict[str, Any]
    raw: bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """No way to speak with this server. `attempts` are sentences, oldest first; `hint` is the remedy, or empty."""

    sentence: str
    hint: str = ""
    attempts: tuple[str, ...] = ()


Step = Probe | Initialize | TryEventStream | Agreed | Refused
Silence = Literal["timeout", "exited", "no answer"]


class Handshake:
    """The negotiation with one server. `mode` is ``auto``, ``legacy``, ``modern`` or one version.

    `can_fall_back` says that the transport is HTTP and may become HTTP+SSE.
    """

    def __init__(self, mode: str = "auto", *, over_http: bool = False, can_fall_back: bool = False) -> None:
        self.mode = mode
        self.attempts: list[str] = []
        self._over_http = over_http
        self._can_fall_back = can_fall_back
        self._step: Step | None = None
        self._probes = 0
        self._initializes = 0
        self._probe_timed_out = False
        self._respawned = False

    def start(self) -> Step:
        """The first step."""
        if self.mode in ("auto", "modern"):
            return self._probe(revisions.MODERN[0])
        if self.mode == "legacy":
            return self._initialize(revisions.LEGACY[0])
        if revisions.era_of(self.mode) == "modern":
            return self._probe(self.mode)
        return self._initialize(self.mode)

    def result(self, raw: bytes, status: int | None = None) -> Step:
        """The step's request was answered with this result; `status` is that of its HTTP response."""
        value = _decode(raw)
        self.attempts.append(f"{self._name()} was answered with a result{_http(status)}")
        return self._discovered(value, raw) if isinstance(self._step, Probe) else self._initialized(value, raw)

    def error(self, raw: bytes, status: int | None = None) -> Step:
        """The step's request was answered with this JSON-RPC error."""
        value = _decode(raw)
        message = value.get("message") if isinstance(value, dict) else value
        code = _code(value)
        what = "an error" if code is None else f"error {code}"
        said = "" if message is None else f": {str(message)[:300].rstrip('.')}"
        self.attempts.append(f"{self._name()} was answered with {what}{said}{_http(status)}")
        probing = isinstance(self._step, Probe)
        return self._probe_error(value, status) if probing else self._initialize_error(value, status)

    def refused(self, status: int, body: str = "") -> Step:
        """The step's HTTP request got a refusing status with a body that is no JSON-RPC message."""
        shown = f"{self._name()} was answered with HTTP {status}"
        self.attempts.append(f"{shown}: {body[:300]}" if body.strip() else shown)
        if status in _NO_EVIDENCE or status >= 500 or 300 <= status < 400:
            return self._refuse(self.attempts[-1])
        if isinstance(self._step, Probe):
            return self._fall_back()
        return self._event_stream_or(self.attempts[-1], status)

    def silent(self, why: Silence, sentence: str = "") -> Step:
        """The step's request got no answer: it timed out, the process ended, or its stream ended without one."""
        self.attempts.append(sentence.rstrip(".") or f"{self._name()} got no answer ({why})")
        if not isinstance(self._step, Probe) or self.mode not in ("auto",):
            return self._refuse(self.attempts[-1])
        if why == "exited":
            if self._over_http or self._respawned:
                return self._refuse(self.attempts[-1])
            self._respawned = True
            return self._initialize(revisions.LEGACY[0], fresh=True)
        self._probe_timed_out = why == "timeout"
        return self._initialize(revisions.LEGACY[0])

    def _probe(self, version: str, capabilities: dict[str, Any] | None = None) -> Step:
        self._probes += 1
        self._step = Probe(version, capabilities or {})
        return self._step

    def _initialize(self, version: str, *, fresh: bool = False) -> Step:
        self._initializes += 1
        self._step = Initialize(version, fresh)
        return self._step

    def _fall_back(self, version: str | None = None) -> Step:
        if self.mode != "auto":
            return self._refuse(
                f"The server does not speak {self.mode if self.mode != 'modern' else 'the modern protocol'}: "
                f"{self.attempts[-1]}.",
                'Set "protocol" to auto to fall back to the older versions.',
            )
        return self._initialize(version or revisions.LEGACY[0])

    def _discovered(self, value: Any, raw: bytes) -> Step:
        offered = value.get("supportedVersions") if isinstance(value, dict) else None
        assert isinstance(self._step, Probe)
        ours = revisions.MODERN if self.mode in ("auto", "modern") else (self.mode,)
        version = revisions.newest(offered, ours)
        if version is not None:
            return Agreed("modern", version, value, raw)
        legacy = revisions.newest(offered, revisions.LEGACY)
        if isinstance(offered, list) and legacy is None:
            return self._refuse(f"The server supports {_listed(offered)}; this program speaks none of them.")
        return self._fall_back(legacy)

    def _probe_error(self, error: Any, status: int | None) -> Step:
        code, data = _code(error), error.get("data") if isinstance(error, dict) else None
        assert isinstance(self._step, Probe)
        if code == UNSUPPORTED_VERSION and isinstance(data, dict) and isinstance(data.get("supported"), list):
            supported = data["supported"]
            version = revisions.newest(supported, revisions.MODERN)
            if version is not None and self._probes < 2:
                return self._probe(version)
            legacy = revisions.newest(supported, revisions.LEGACY)
            if legacy is not None and self.mode == "auto":
                return self._initialize(legacy)
            return self._refuse(f"The server supports {_listed(supported)}; this program speaks none of them.")
        if code in (HEADER_MISMATCH, MISSING_CAPABILITY):
            if self._probes < 2:
                needed = data.get("requiredCapabilities") if isinstance(data, dict) else None
                return self._probe(self._step.version, needed if isinstance(needed, dict) else {})
            return self._refuse(f"The server is modern, but refuses to be discovered: {self.attempts[-1]}.")
        if status is not None and (status in _NO_EVIDENCE or status >= 500):
            return self._refuse(self.attempts[-1])
        return self._fall_back()

    def _initialized(self, value: Any, raw: bytes) -> Step:
        assert isinstance(self._step, Initialize)
        if not isinstance(value, dict):
            return self._refuse("The server answered initialize with a result that is not an object.")
        version = value.get("protocolVersion")
        notes = []
        if version is None:
            version = self._step.version
            notes.append(f"The initialize result names no protocolVersion; {version} is assumed.")
        if version not in revisions.LEGACY:
            return self._refuse(
                f"The server answered initialize with version {version!r}, which this program does not speak; "
                f"it offered {self._step.version}."
            )
        if self.mode not in ("auto", "legacy") and version != self.mode:
            notes.append(f"Version {self.mode} was asked for; the server answered with {version}.")
        return Agreed("legacy", version, value, raw, tuple(notes))

    def _initialize_error(self, error: Any, status: int | None) -> Step:
        assert isinstance(self._step, Initialize)
        code, data = _code(error), error.get("data") if isinstance(error, dict) else None
        if code == UNSUPPORTED_VERSION and self._probe_timed_out and self._probes < 2:
            return self._probe(revisions.MODERN[0])
        supported = data.get("supported") if isinstance(data, dict) else None
        version = revisions.newest(supported, revisions.LEGACY)
        pinned = self.mode not in ("auto", "legacy")
        if version is not None and version != self._step.version and self._initializes < 3 and not pinned:
            return self._initialize(version, fresh=not self._over_http)
        if status == 404 and code == METHOD_NOT_FOUND:
            return self._refuse(
                f"The server speaks MCP but knows neither server/discover nor initialize: {self.attempts[-1]}.",
                'Set "protocol" to one version to force an era.',
            )
        if code in (UNSUPPORTED_VERSION, HEADER_MISMATCH, MISSING_CAPABILITY):  # a modern server, so no HTTP+SSE
            return self._refuse(
                f"The server refuses initialize: {self.attempts[-1]}.", 'Set "protocol" to auto or modern.'
            )
        return self._event_stream_or(f"The server refuses initialize: {self.attempts[-1]}.", status)

    def _event_stream_or(self, sentence: str, status: int | None) -> Step:
        if self._can_fall_back and status in _OTHER_TRANSPORT:
            self._can_fall_back = False
            assert isinstance(self._step, Initialize)
            return TryEventStream(self._step.version)
        return self._refuse(sentence)

    def _refuse(self, sentence: str, hint: str = "") -> Refused:
        return Refused(sentence, hint, tuple(self.attempts))

    def _name(self) -> str:
        return (
            f"server/discover ({self._step.version})"
            if isinstance(self._step, Probe)
            else (f"initialize ({self._step.version})" if isinstance(self._step, Initialize) else "the connection")
        )


def _decode(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _code(error: Any) -> int | None:
    code = error.get("code") if isinstance(error, dict) else None
    return int(code) if isinstance(code, int | float) and not isinstance(code, bool) else None


def _listed(versions: list[Any]) -> str:
    return ", ".join(str(version)[:40] for version in versions[:20]) or "no version"


def _http(status: int | None) -> str:
    return f" (HTTP {status})" if status is not None and status >= 400 else ""
