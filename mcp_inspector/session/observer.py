"""Records a conversation that others hold: every message as it was, with what it belongs to. Nothing is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.call import target_of
from mcp_inspector.session.eras import result_head
from mcp_inspector.session.recorder import error_code
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.frame import Frame, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.recorder import Journal

_MOST_OPEN = 10_000
_TARGET_READ = 1_000_000


class _Meta(msgspec.Struct):
    progressToken: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Params(msgspec.Struct):
    """What links a notification to a request: the token it asked for, or its id."""

    _meta: _Meta | msgspec.UnsetType = msgspec.UNSET
    progressToken: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    requestId: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_params = msgspec.json.Decoder(_Params).decode
_Open = tuple[int, str, str]


class Observer:
    """One connection of one server, seen from beside. `SENT` is what the client says.

    An open request is remembered by who asked and its id, at most 10 000 of them: of more, the oldest are forgotten.
    """

    def __init__(self, journal: Journal, server: str, connection: int = 1) -> None:
        self.journal = journal
        self.server = server
        self.connection = connection
        self._open: dict[tuple[Direction, object], _Open] = {}
        self._tokens: dict[tuple[Direction, bytes], _Open] = {}

    def message(
        self, direction: Direction, data: bytes, times: tuple[int, int], facts: Mapping[str, Any] | None = None
    ) -> Frame:
        """Record what one side said. `times`: nanoseconds since 1970, and of a clock that never jumps."""
        frame = wire.read(data)
        facts = dict(facts or {})
        if (
            frame.kind is Kind.INVALID
            and not frame.is_object
            and direction is Direction.RECEIVED
            and "stream" not in facts
        ):
            self._append(Channel.STDOUT, direction, times, frame, "stray", facts=facts)
            return frame
        call, method, target = 0, frame.method, ""
        if frame.kind in (Kind.RESPONSE, Kind.ERROR):
            asker = Direction.RECEIVED if direction is Direction.SENT else Direction.SENT
            call, method, target = self._open.pop((asker, frame.id), (0, "", ""))
            if frame.result is not None and result_head(frame.result).tool_error:
                facts["tool_error"] = True
        elif frame.params is not None and len(frame.params) < _TARGET_READ:
            target = target_of(frame.method, frame.params)
            if frame.kind is Kind.NOTIFICATION:
                call, _, about = self._linked(direction, frame)
                target = target or about
        seq = self._append(Channel.MESSAGE, direction, times, frame, frame.kind.value, method, target, call, facts)
        if frame.kind is Kind.REQUEST:
            self._remember(direction, frame, (seq, method, target))
        return frame

    def line(self, data: bytes, times: tuple[int, int]) -> None:
        """A line that a server wrote to stderr."""
        self._put(Channel.STDERR, Direction.RECEIVED, times, data, "line")

    def event(self, kind: str, times: tuple[int, int], **facts: Any) -> None:
        """Something that is no message: a start, an end."""
        status = facts.get("exit_code")
        self._put(Channel.LIFECYCLE, Direction.LOCAL, times, b"", kind, status=status, facts=facts)

    def http(self, direction: Direction, times: tuple[int, int], facts: Mapping[str, Any], data: bytes = b"") -> None:
        """The head of an HTTP request or, with a `status` in the facts, of an answer."""
        status = facts.get("status")
        kind = "response" if status is not None else "request"
        method, url = str(facts.get("method", "")), str(facts.get("url", ""))
        self._put(Channel.HTTP, direction, times, data, kind, method, url, status, facts)

    def _remember(self, direction: Direction, frame: Frame, known: _Open) -> None:
        self._open[direction, frame.id] = known
        if len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        found = _links(frame)
        meta = found._meta if found is not None else msgspec.UNSET
        if meta is not msgspec.UNSET and meta.progressToken is not msgspec.UNSET:
            self._tokens[direction, bytes(meta.progressToken)] = known
            if len(self._tokens) > _MOST_OPEN:
                del self._tokens[next(iter(self._tokens))]

    def _linked(self, direction: Direction, frame: Frame) -> _Open:
        """The request that a notification names: of the other side for progress, of one's own for cancelling."""
        none: _Open = (0, "", "")
        found = _links(frame)
        if found is None:
            return none
        if frame.method == "notifications/progress" and found.progressToken is not msgspec.UNSET:
            asker = Direction.RECEIVED if direction is Direction.SENT else Direction.SENT
            return self._tokens.get((asker, bytes(found.progressToken)), none)
        if frame.method == "notifications/cancelled" and found.requestId is not msgspec.UNSET:
            ident, _ = wire.read_id(bytes(found.requestId).decode(errors="replace"))
            return self._open.get((direction, ident), none)
        return none

    def _append(
        self,
        channel: Channel,
        direction: Direction,
        times: tuple[int, int],
        frame: Frame,
        kind: str,
        method: str = "",
        target: str = "",
        call: int = 0,
        facts: Mapping[str, Any] | None = None,
    ) -> int:
        return self.journal.append(
            Entry(
                self.server,
                self.connection,
                channel,
                direction,
                times[0],
                times[1],
                frame.raw,
                kind,
                method,
                frame.id_text,
                target,
                error_code(frame),
                call,
                frame.faults,
                facts or {},
            )
        )

    def _put(
        self,
        channel: Channel,
        direction: Direction,
        times: tuple[int, int],
        data: bytes,
        kind: str,
        method: str = "",
        target: str = "",
        status: object = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        number = status if isinstance(status, int) and not isinstance(status, bool) else None
        self.journal.append(
            Entry(
                self.server,
                self.connection,
                channel,
                direction,
                times[0],
                times[1],
                data,
                kind,
                method,
                target=target,
                status=number,
                facts=facts or {},
            )
        )


def _links(frame: Frame) -> _Params | None:
    if frame.params is None or len(frame.params) > _TARGET_READ:
        return None
    try:
        return _params(frame.params)
    except (msgspec.MsgspecError, RecursionError):
        return None
