"""Opens a conversation: carries out the steps of `wire.handshake` on real transports."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mcp_inspector import __version__
from mcp_inspector.session.eras import Legacy, Modern
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.session.received_tasks import CAPABILITY as RECEIVED_TASKS
from mcp_inspector.session.session import Session
from mcp_inspector.session.status import Identity
from mcp_inspector.session.task_runs import EXTENSION as TASKS
from mcp_inspector.transport.base import Fault, FaultKind, Transport, now
from mcp_inspector.wire import headers, revisions
from mcp_inspector.wire.handshake import Agreed, Handshake, Initialize, Probe, Refused, Step, TryEventStream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.session.recorder import Recorder

_EXITED = frozenset({FaultKind.EXITED, FaultKind.CLOSED, FaultKind.BROKEN_PIPE})
_UNDECIDED = frozenset({FaultKind.NO_REPLY, FaultKind.BAD_CONTENT, FaultKind.TOO_LARGE})
_WITH_STATUS = frozenset({FaultKind.HTTP_STATUS, FaultKind.BAD_CONTENT})


@dataclass(frozen=True)
class Client:
    """Who we say we are, and what we say we can do."""

    info: Mapping[str, Any] = field(
        default_factory=lambda: {"name": "mcp-inspector", "title": "MCP Inspector", "version": __version__}
    )
    capabilities: Mapping[str, Any] = field(
        default_factory=lambda: {
            "roots": {},
            "sampling": {"tools": {}, "context": {}},
            "elicitation": {"form": {}, "url": {}},
            "tasks": RECEIVED_TASKS,
            "extensions": {TASKS: {}},
        }
    )

    def declared(self, version: str) -> dict[str, Any]:
        """The capabilities as a version knows them; what none knows by name goes out as it is."""
        declared = dict(self.capabilities)
        if version != "2025-11-25":
            declared.pop("tasks", None)  # later they are an extension
        if version < "2025-06-18":
            declared.pop("elicitation", None)
        elif version < "2025-11-25" and "elicitation" in declared:
            declared["elicitation"] = {}
        if version < "2025-11-25" and "sampling" in declared:
            declared["sampling"] = {}
        if version < "2026-07-28":
            extensions = {name: value for name, value in declared.pop("extensions", {}).items() if name != TASKS}
            if extensions:
                declared["extensions"] = extensions
            if "roots" in declared:
                declared["roots"] = {"listChanged": True}
        return declared


@dataclass(frozen=True)
class Patience:
    """Limits in seconds: a request without an answer or progress, a request in all, the probe, the handshake."""

    request: float = 60
    ceiling: float = 600
    probe: float = 10
    handshake: float = 60

    def within(self, timeout: float | None) -> Patience:
        """The same for a server with a timeout of its own (s): a slow one gets as long for its introduction, too.

        A short one is meant for calls, and does not cut off a start that downloads first.
        """
        if timeout is None:
            return self
        return replace(self, request=timeout, handshake=max(self.handshake, timeout))


@dataclass(frozen=True)
class Connected:
    """An open conversation and what was agreed. `choice` is the transport that worked, for the next time.

    `transcript` has each step of the negotiation with its answer and time, `reason` why its end is this version.
    """

    session: Session
    identity: Identity
    choice: str
    notes: tuple[str, ...] = ()
    transcript: tuple[str, ...] = ()
    reason: str = ""


class Connecting:
    """One attempt to connect. `dial` makes a new transport for a choice: ``stdio``, ``http`` or ``sse``."""

    def __init__(
        self,
        server: str,
        dial: Callable[[str], Awaitable[Transport]],
        recorder: Recorder,
        client: Client,
        patience: Patience,
        inbox: Inbox | None = None,
        on_step: Callable[[str, float], object] = lambda _step, _limit: None,
    ) -> None:
        """`on_step` is told what is waited for next, and for how many seconds at most (0: no limit of its own)."""
        self._server = server
        self._on_step = on_step
        self._dial = dial
        self._recorder = recorder
        self._client = client
        self._patience = patience
        self._inbox = inbox
        self._session: Session | None = None
        self._choice = ""
        self._fault: Fault | None = None
        self._answer: dict[str, Any] = {}
        self._took: list[float] = []

    async def run(self, choice: str, mode: str = "auto") -> Connected:
        """Connect by a transport (``auto``: Streamable HTTP, then HTTP+SSE) and a protocol mode of `Handshake`.

        Raises `Fault`; nothing is left open then.
        """
        self._took = []
        first = "http" if choice == "auto" else choice
        if first == "sse" and mode == "auto":
            mode = "legacy"  # HTTP+SSE is older than the probe
        handshake = Handshake(mode, over_http=first != "stdio", can_fall_back=choice == "auto")
        try:
            await self._open(first)
            step = handshake.start()
            while not isinstance(step, Agreed | Refused):
                step = await self._carry_out(handshake, step)
            if isinstance(step, Refused):
                raise self._refusal(step)
            return await self._settle(step, self._transcript(handshake), _reason(step, mode, handshake.attempts))
        except BaseException as error:
            if self._session is not None:
                await self._session.close()
            if isinstance(error, Fault):
                error.about(self._server)
            raise

    async def _open(self, choice: str) -> Session:
        if self._session is not None:
            await self._session.close()
        patience = self._patience
        self._on_step("process" if choice == "stdio" else "HTTP+SSE" if choice == "sse" else "HTTP", 0)
        session = Session(
            self._server,
            await self._dial(choice),
            self._recorder,
            timeout=patience.request,
            ceiling=patience.ceiling,
            inbox=self._inbox,
        )
        self._session, self._choice = session, choice
        await session.transport.open(session)
        return session

    async def _carry_out(self, handshake: Handshake, step: Step) -> Step:
        session = self._session
        assert session is not None
        began = now()[1]
        if isinstance(step, TryEventStream):
            try:
                await self._open("sse")
            except Fault as fault:
                first = _one_after_another(handshake.attempts)
                fault.sentence = f"{first}. HTTP+SSE at the same URL failed too: {fault.sentence}"
                fault.facts["attempts"] = [*handshake.attempts, fault.sentence]
                raise
            return Initialize(step.version)
        if isinstance(step, Initialize):
            if step.fresh or session.gone.done():
                session = await self._open(self._choice)
            outcome = await self._initialize(session, step.version)
        elif isinstance(step, Probe):
            outcome = await self._probe(session, step)
        else:
            return step
        self._took.append((now()[1] - began) / 1e6)
        return self._tell(handshake, outcome)

    def _transcript(self, handshake: Handshake) -> tuple[str, ...]:
        """What was asked and how it was answered, step by step, with the time that each took."""
        pairs = zip(handshake.attempts, self._took, strict=False)
        return tuple(f"{sentence} ({took:,.0f} ms)" for sentence, took in pairs)

    async def _probe(self, session: Session, step: Probe) -> Outcome:
        declared = {**self._client.declared(step.version), **step.capabilities}
        session.declare(declared)
        codec = Modern(step.version, self._client.info, declared)
        self._on_step("probe", self._patience.probe)
        params = codec.params({}, None)
        return await session.request(
            "server/discover",
            params,
            timeout=self._patience.probe,
            headers=headers.for_request("server/discover", step.version, params),
        )

    async def _initialize(self, session: Session, version: str) -> Outcome:
        declared = self._client.declared(version)
        session.declare(declared)
        params = {
            "protocolVersion": version,
            "capabilities": declared,
            "clientInfo": dict(self._client.info),
        }
        limit = self._patience.handshake
        self._on_step("initialize", limit)
        return await session.request("initialize", params, timeout=limit, ceiling=limit, opens_session=True)

    def _tell(self, handshake: Handshake, outcome: Outcome) -> Step:
        self._fault, self._answer = None, {}
        if isinstance(outcome, Complete):
            return handshake.result(outcome.result, outcome.http_status)
        if isinstance(outcome, RpcError):
            if outcome.http_status is not None and outcome.http_status >= 400:
                self._answer = {"http_status": outcome.http_status, "body": outcome.error}
            return handshake.error(outcome.error, outcome.http_status)
        if not isinstance(outcome, LocalError) or outcome.fault is None:
            return handshake.silent("no answer")
        self._fault = fault = outcome.fault
        status = fault.facts.get("http_status")
        sentence = fault.sentence.removeprefix(f"{self._server}: ")
        if fault.kind is FaultKind.TIMEOUT:
            return handshake.silent("timeout", sentence)
        if fault.kind in _EXITED:
            return handshake.silent("exited", sentence)
        if fault.kind in _WITH_STATUS and isinstance(status, int) and status >= 300:
            body = fault.facts.get("body", b"")
            return handshake.refused(status, body.decode(errors="replace") if isinstance(body, bytes) else str(body))
        if fault.kind in _UNDECIDED:
            return handshake.silent("no answer", sentence)
        raise fault

    def _refusal(self, step: Refused) -> Fault:
        """The fault to show: what the transport knew, where it was the transport that failed."""
        attempts = list(step.attempts)
        if self._fault is not None:
            self._fault.facts.setdefault("attempts", attempts)
            if len(attempts) > 1 and self._fault.kind is not FaultKind.EXITED:
                self._fault.sentence = _one_after_another(attempts) + "."
            return self._fault
        return Fault(FaultKind.INCOMPATIBLE, step.sentence, step.hint, {**self._answer, "attempts": attempts})

    async def _settle(self, agreed: Agreed, transcript: tuple[str, ...], reason: str) -> Connected:
        session = self._session
        assert session is not None
        session.transport.agree(agreed.version)
        if agreed.era == "modern":
            session.takes_tasks = TASKS in session.declared.get("extensions", {})
            session.codec = Modern(agreed.version, self._client.info, session.declared)
        else:
            session.codec = Legacy(agreed.version)
            await session.notify("notifications/initialized")
            await session.transport.listen()
        for note in agreed.notes:
            self._recorder.event("warning", note)
        identity = _identity(agreed, session.transport.name)
        return Connected(session, identity, self._choice, agreed.notes, transcript, reason)


def _reason(agreed: Agreed, mode: str, attempts: list[str]) -> str:
    """Why a negotiation has come to this version, in words."""
    if agreed.era == "modern":
        said = "the answer to server/discover lists it"
    elif len(attempts) > 1:
        said = "server/discover was not answered as its version has it, and initialize was"
    else:
        said = "the server answered initialize with it"
    return said if mode == "auto" else f"{said}; only {mode} was tried"


def _one_after_another(attempts: Iterable[str]) -> str:
    """What was tried, as one sentence without its full stop; what happened twice alike is said once."""
    return "; then ".join(dict.fromkeys(attempts))


def _identity(agreed: Agreed, transport: str) -> Identity:
    result = agreed.result
    meta = result.get("_meta")
    info = meta.get("io.modelcontextprotocol/serverInfo") if isinstance(meta, dict) else None
    info = info if isinstance(info, dict) else result.get("serverInfo")
    capabilities, instructions = result.get("capabilities"), result.get("instructions")
    supported = result.get("supportedVersions")
    return Identity(
        agreed.era,
        agreed.version,
        transport,
        tuple(str(version) for version in supported) if isinstance(supported, list) else (),
        info if isinstance(info, dict) else {},
        capabilities if isinstance(capabilities, dict) else {},
        instructions if isinstance(instructions, str) else "",
        agreed.raw,
    )


def known_mode(identity: Identity) -> str:
    """The handshake mode that leads to the same era again without asking twice."""
    return identity.era if identity.version in (revisions.MODERN[0], *revisions.LEGACY) else "auto"
