"""What a server is to tell us of by itself: changed lists and watched resources, in the way of each era.

Legacy servers announce changed lists unasked, and resources after `resources/subscribe`. Modern ones tell nothing
but on a `subscriptions/listen` stream, which is opened again with growing waits when it breaks. What happened to it is
kept as a history for people.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.session.reading import decoded_params
from mcp_inspector.signals import Signal
from mcp_inspector.transport.tasks import Tasks

if TYPE_CHECKING:
    from mcp_inspector.session.call import Call
    from mcp_inspector.session.session import Session
    from mcp_inspector.session.status import Identity
    from mcp_inspector.wire.frame import Frame

_LISTS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
_UPDATED = "notifications/resources/updated"
_METHOD_NOT_FOUND = -32601
_ACK_SECONDS = 10
_FIRST_WAIT, _LONGEST_WAIT, _MOST_ATTEMPTS = 1.0, 30.0, 5
_KEPT = 1000


@dataclass(frozen=True)
class Happened:
    """One line of the history. `what` is opened, acknowledged, updated, closed by us, closed by the server, refused,
    lost, waiting, ended.
    """

    wall_ns: int
    what: str
    detail: str = ""


class Subscriptions:
    """The subscriptions of one server over all its connections: what is wanted outlives a reconnect.

    `updated` names a watched resource that changed, `missed` says that changes may have been missed meanwhile.
    """

    def __init__(self) -> None:
        self.changed: Signal[()] = Signal()
        self.updated: Signal[str] = Signal()
        self.missed: Signal[()] = Signal()
        self.history: deque[Happened] = deque(maxlen=_KEPT)
        self.uris: set[str] = set()
        self.honoured: dict[str, Any] = {}
        self._session: Session | None = None
        self._identity: Identity | None = None
        self._tasks = Tasks()
        self._listen: Call | None = None
        self._opening: Call | None = None  # the stream whose acknowledgement is waited for
        self._gap = False  # the last stream ended by itself: until the next is acknowledged, changes are missed
        self._renew = asyncio.Event()
        self._acknowledged = asyncio.Event()

    @property
    def requested(self) -> dict[str, Any]:
        """The filter of the listen stream: the lists that the server declares to announce, and the watched URIs."""
        identity = self._identity
        if identity is None:
            return {}
        wanted: dict[str, Any] = {
            member: True for name, member in _LISTS.items() if identity.has(f"{name}.listChanged")
        }
        if self.uris:
            wanted["resourceSubscriptions"] = sorted(self.uris)
        return wanted

    def attach(self, session: Session, identity: Identity) -> None:
        """Begin to serve a new connection; what was watched is asked for again."""
        self._session, self._identity = session, identity
        session.notified.connect(self._heard)
        if identity.era == "modern":
            self._tasks.spawn(self._keep_listening(session), "subscriptions")
        else:
            for uri in self.uris:
                self._tasks.spawn(self._ask(session, "resources/subscribe", uri), "subscribe")

    async def detach(self) -> None:
        """The connection is over."""
        self._session = self._identity = None
        await self._tasks.close()
        self._listen = None

    async def watch(self, uri: str) -> Outcome | None:
        """Be told of changes of a resource; None in the modern era, where the stream's acknowledgement answers."""
        self.uris.add(uri)
        return await self._follow("resources/subscribe", uri)

    async def unwatch(self, uri: str) -> Outcome | None:
        """Stop being told."""
        self.uris.discard(uri)
        return await self._follow("resources/unsubscribe", uri)

    async def _follow(self, method: str, uri: str) -> Outcome | None:
        session, identity = self._session, self._identity
        self.changed.send()
        if session is None or identity is None:
            return None
        if identity.era == "legacy":
            return await self._ask(session, method, uri)
        self._renew.set()
        return None

    async def _ask(self, session: Session, method: str, uri: str) -> Outcome:
        outcome = await session.request(method, {"uri": uri})
        if isinstance(outcome, Complete):
            self._happened("opened" if method.endswith("/subscribe") else "closed by us", uri)
        elif isinstance(outcome, RpcError):
            self._happened("refused", f"{uri}: error {outcome.code}: {outcome.message}")
        return outcome

    async def _keep_listening(self, session: Session) -> None:
        """Keep one stream open with the filter that is wanted, replacing it when the filter changes."""
        attempt, self._gap = 0, False
        while True:
            self._renew.clear()
            wanted = self.requested
            if not wanted:
                previous, self._listen = self._listen, None
                if previous is not None:
                    session.cancel(previous, "nothing is watched any more")
                await self._renew.wait()
                continue
            began = time.monotonic()
            ended = await self._listen_once(session, wanted)
            if ended is None:
                attempt = 0  # the filter changed
                continue
            self._gap = True
            if not self._worth_another(ended):
                self._happened("ended", _why(ended))
                await self._renew.wait()
                attempt = 0
                continue
            attempt = 1 if time.monotonic() - began > _LONGEST_WAIT else attempt + 1
            if attempt > _MOST_ATTEMPTS:
                self._happened("ended", f"The stream broke {_MOST_ATTEMPTS} times in a row: {_why(ended)}")
                await self._renew.wait()
                attempt = 0
                continue
            wait = min(_FIRST_WAIT * 2 ** (attempt - 1), _LONGEST_WAIT)
            self._happened("waiting", f"The stream is opened again in {wait:g} s: {_why(ended)}")
            await asyncio.sleep(wait)

    async def _listen_once(self, session: Session, wanted: dict[str, Any]) -> Outcome | None:
        """One stream from opening to its end; None when it was closed because the filter changed."""
        self._acknowledged.clear()
        self.honoured = {}
        self._opening = None
        self._happened("opened", ", ".join(wanted))
        request = self._tasks.spawn(
            session.request(
                "subscriptions/listen",
                {"notifications": wanted},
                timeout=0,
                ceiling=0,
                progress=False,
                on_call=self._opened,
            ),
            "listen",
        )
        previous, self._listen = self._listen, None
        renew = self._tasks.spawn(self._renew.wait(), "renew")
        ack = self._tasks.spawn(self._acknowledged.wait(), "acknowledgement")
        try:
            await asyncio.wait([request, ack], timeout=_ACK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not ack.done() and not request.done():
                self._happened("waiting", f"No acknowledgement within {_ACK_SECONDS} s.")
            if previous is not None:
                session.cancel(previous, "replaced by a stream with another filter")
            await asyncio.wait([request, renew], return_when=asyncio.FIRST_COMPLETED)
            if not request.done():
                self._listen = self._opening
                self._happened("closed by us", "The filter changed.")
                return None
            outcome = request.result()
            self._happened("lost" if isinstance(outcome, LocalError) else "closed by the server", _why(outcome))
            return outcome
        finally:
            renew.cancel()
            ack.cancel()

    def _opened(self, call: Call) -> None:
        self._opening = call

    def _worth_another(self, outcome: Outcome) -> bool:
        """A stream that was acknowledged and broke is opened again; one that was refused or closed in order is not."""
        return isinstance(outcome, LocalError) and self._acknowledged.is_set()

    def _heard(self, frame: Frame) -> None:
        if frame.method == _UPDATED:
            uri = decoded_params(frame).get("uri")
            self._happened("updated", str(uri))
            if isinstance(uri, str):
                self.updated.send(uri)
        elif frame.method == _ACKNOWLEDGED:
            params = decoded_params(frame)
            if not self._is_ours(params.get("_meta")):
                self._happened("acknowledged", "late, for a stream that was replaced")
                return
            honoured = params.get("notifications")
            self.honoured = honoured if isinstance(honoured, dict) else {}
            missing = [name for name in self.requested if name not in self.honoured]
            self._acknowledged.set()
            self._happened("acknowledged", f"not honoured: {', '.join(missing)}" if missing else "")
            if self._gap:
                self._gap = False
                self.missed.send()

    def _is_ours(self, meta: Any) -> bool:
        """Whether an acknowledgement is for the stream that was opened last; one that names none is taken for it."""
        named = meta.get(_SUBSCRIPTION) if isinstance(meta, dict) else None
        return named is None or self._opening is None or named == self._opening.ident

    def _happened(self, what: str, detail: str = "") -> None:
        self.history.append(Happened(time.time_ns(), what, detail))
        self.changed.send()


def _why(outcome: Outcome) -> str:
    if isinstance(outcome, LocalError):
        return outcome.sentence
    if isinstance(outcome, RpcError):
        unsupported = " (subscriptions are not supported)" if outcome.code == _METHOD_NOT_FOUND else ""
        return f"error {outcome.code}: {outcome.message}{unsupported}"
    return "The server ended the stream."
