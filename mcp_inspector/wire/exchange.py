"""Pairs what comes in with what we asked: answers, late answers, strangers, progress. No clock, no I/O."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from mcp_inspector.wire.frame import Frame, Id, Kind

Call = TypeVar("Call")
_REMEMBERED = 10_000


class Match(StrEnum):
    """What a response or error is to us."""

    ANSWER = "answer"
    LATE = "late"  # to a request that we gave up
    DUPLICATE = "duplicate"  # to a request that was answered before
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Taken(Generic[Call]):
    """The verdict on one response. `call` is the request's own object where there is one; `fault` is a sentence."""

    match: Match
    call: Call | None = None
    fault: str = ""


@dataclass
class Pairing(Generic[Call]):
    """The open requests of one connection, by id, and how the last closed ones ended."""

    open: dict[Id, Call] = field(default_factory=dict)
    _ended: OrderedDict[Id, tuple[Match, Call]] = field(default_factory=OrderedDict)
    _ids: dict[Id, Id] = field(default_factory=dict)  # of requests whose key is not their id

    def ask(self, key: Id, call: Call, ident: Id | None = None) -> None:
        """A request goes out under this key, which must be new: its id, or, where one with its id is open, a name.

        What has such a name is answered in its own HTTP exchange only.
        """
        self.open[key] = call
        if ident is not None and ident != key:
            self._ids[key] = ident

    def knows(self, ident: Id) -> bool:
        """Whether a request under this id is open or remembered."""
        return ident in self.open or ident in self._ended

    def give_up(self, ident: Id) -> Call | None:
        """Stop waiting: what comes for it from now on is late."""
        return self._end(ident, Match.LATE)

    def take(self, frame: Frame, answers: Id | None = None, *, sole: bool = False) -> Taken[Call]:
        """Find the request that a response, an error or a malformed answer belongs to, and close it.

        `answers` is the id of the request in whose own HTTP exchange it came, `sole` whether it was all of that body.
        An answer under another id is taken with a fault where nothing else can be meant: the id's other JSON type, the
        only message of an HTTP body, an error without id to the only open request.
        """
        if answers is not None and answers in self.open and frame.id == self._ids.get(answers, answers):
            return Taken(Match.ANSWER, self._end(answers, Match.DUPLICATE))
        if frame.id is not None:
            call = self._end(frame.id, Match.DUPLICATE)
            if call is not None:
                return Taken(Match.ANSWER, call)
            loose = _other_type(frame.id)
            if loose is not None and loose in self.open:
                fault = f"answers under id {frame.id_text} a request that was sent under id {loose!r}"
                return Taken(Match.ANSWER, self._end(loose, Match.DUPLICATE), fault)
            if frame.id in self._ended and answers not in self.open:
                match, call = self._ended[frame.id]
                return Taken(match, call)
        if answers is not None and answers in self.open and (sole or (frame.id is None and frame.kind is Kind.ERROR)):
            shown = frame.id_text or "no id"
            return Taken(
                Match.ANSWER, self._end(answers, Match.DUPLICATE), f"answers under {shown} instead of {answers}"
            )
        if frame.id is None and answers is None and frame.kind is not Kind.RESPONSE and len(self.open) == 1:
            ident = next(iter(self.open))
            fault = f"has no usable id; it is taken for the answer to the only open request, id {ident}"
            return Taken(Match.ANSWER, self._end(ident, Match.DUPLICATE), fault)
        return Taken(Match.UNKNOWN)

    def drain(self) -> list[Call]:
        """Close everything that is open, oldest first: the connection is gone."""
        calls = list(self.open.values())
        for ident in list(self.open):
            self.give_up(ident)
        return calls

    def _end(self, ident: Id, match: Match) -> Call | None:
        call = self.open.pop(ident, None)
        self._ids.pop(ident, None)
        if call is not None:
            self._ended[ident] = (match, call)
            if len(self._ended) > _REMEMBERED:
                self._ended.popitem(last=False)
        return call


def _other_type(ident: Id) -> Id | None:
    if isinstance(ident, int):
        return str(ident)
    text = ident[1:] if ident.startswith("-") else ident
    return int(ident) if text.isascii() and text.isdigit() and len(text) < 20 else None
