"""Turns what happens on a connection into records, in the order in which it happens."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.transport.base import Note, NoteKind, Received, now
from mcp_inspector.wire.frame import Frame, Kind

_LIFECYCLE = {NoteKind.STARTED, NoteKind.EXITED, NoteKind.SHUTDOWN, NoteKind.WARNING}


class Journal(Protocol):
    """Where records go: `store.log.Log`."""

    def append(self, entry: Entry) -> int:
        """Add one record and return its sequence number. Never raises, never waits."""


class Recorder:
    """Writes the records of one connection of one server."""

    def __init__(self, journal: Journal, server: str, connection: int) -> None:
        self.journal = journal
        self.server = server
        self.connection = connection

    def sent(self, frame: Frame, times: tuple[int, int], *, call: int = 0, method: str = "", target: str = "") -> int:
        """A message of ours that is about to be written."""
        return self._message(Direction.SENT, frame, times, call, method or frame.method, target, {})

    def received(
        self,
        item: Received,
        frame: Frame,
        *,
        call: int = 0,
        method: str = "",
        target: str = "",
        fault: str = "",
        facts: dict[str, Any] | None = None,
    ) -> int:
        """A message that came in, or a stray line of stdout. `call` is the request it belongs to."""
        facts = facts or {}
        if item.event_id is not None:
            facts["event_id"] = item.event_id
        if item.skipped:
            facts["skipped"] = item.skipped
        faults = (fault, *frame.faults) if fault else frame.faults
        times = (item.wall_ns, item.mono_ns)
        if frame.kind is Kind.INVALID and not frame.is_object and item.stream == "stdio":
            return self.journal.append(
                Entry(
                    self.server,
                    self.connection,
                    Channel.STDOUT,
                    Direction.RECEIVED,
                    *times,
                    frame.raw,
                    "stray",
                    faults=faults,
                    facts=facts,
                )
            )
        if item.stream != "stdio":
            facts["stream"] = item.stream
            # Whose exchange brought it, where the message itself does not say so: the checks need to know.
            if item.answers is not None and (item.stream == "get" or frame.id != item.answers):
                facts["answers"] = item.answers
        return self._message(Direction.RECEIVED, frame, times, call, method or frame.method, target, facts, faults)

    def _message(
        self,
        direction: Direction,
        frame: Frame,
        times: tuple[int, int],
        call: int,
        method: str,
        target: str,
        facts: dict[str, Any],
        faults: tuple[str, ...] | None = None,
    ) -> int:
        return self.journal.append(
            Entry(
                self.server,
                self.connection,
                Channel.MESSAGE,
                direction,
                times[0],
                times[1],
                frame.raw,
                frame.kind.value,
                method,
                frame.id_text,
                target,
                error_code(frame),
                call,
                frame.faults if faults is None else faults,
                facts,
            )
        )

    def note(self, note: Note, *, call: int = 0) -> int:
        """Something that a transport saw beside the messages, perhaps for the request of record `call`."""
        facts = dict(note.facts)
        channel, kind, method, target, status = Channel.HTTP, note.kind.value, "", "", None
        if note.kind is NoteKind.STDERR:
            channel, kind = Channel.STDERR, "line"
        elif note.kind in _LIFECYCLE:
            channel = Channel.LIFECYCLE
            status = facts.get("exit_code")
        else:
            kind = kind.removeprefix("http ")
            method, target, status = facts.get("method", ""), facts.get("url", ""), facts.get("status")
        direction = Direction.SENT if note.kind is NoteKind.HTTP_REQUEST else Direction.RECEIVED
        if channel is Channel.LIFECYCLE:
            direction = Direction.LOCAL
        return self.journal.append(
            Entry(
                self.server,
                self.connection,
                channel,
                direction,
                note.wall_ns,
                note.mono_ns,
                note.data,
                kind,
                method,
                target=target,
                status=status if isinstance(status, int) else None,
                call=call,
                facts=facts,
            )
        )

    def event(
        self, kind: str, sentence: str, *, call: int = 0, method: str = "", target: str = "", **facts: Any
    ) -> int:
        """Something that we did or decided: a state, a timeout, a cancel, a late answer."""
        return self.journal.append(
            Entry(
                self.server,
                self.connection,
                Channel.LIFECYCLE,
                Direction.LOCAL,
                *now(),
                kind=kind,
                method=method,
                target=target,
                call=call,
                facts={"sentence": sentence, **facts},
            )
        )


class _ErrorHead(msgspec.Struct):
    code: Any = None


_error_head = msgspec.json.Decoder(_ErrorHead)


def error_code(frame: Frame) -> int | None:
    """The code of an error response, None when it has none that is a number of 64 bits."""
    if frame.error is None:
        return None
    try:
        code = _error_head.decode(frame.error).code
    except (msgspec.MsgspecError, RecursionError):
        return None
    return code if isinstance(code, int) and not isinstance(code, bool) and abs(code) < 2**63 else None
