"""One row after the other with its texts, secrets masked or not: what every report and every foreign format is made of.

Nothing is kept: a session of any length is told in the memory that its largest exchange takes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp_inspector.store.columns import NO_STATUS
from mcp_inspector.store.exchanges import Exchanges, RowKind
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.redact import redact_facts, redact_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mcp_inspector.store.exchanges import Exchange
    from mcp_inspector.store.log import Log

MESSAGES = frozenset({RowKind.REQUEST, RowKind.NOTIFICATION, RowKind.RESPONSE, RowKind.BATCH, RowKind.INVALID})
"""Kinds of rows that are messages of the protocol."""

_LOOKED_BACK = 64


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of an export. `seq` is the record or the first record of the row it tells, 0 for what frames them.

    `masked` are the names behind which something was masked in it.
    """

    data: bytes
    seq: int = 0
    masked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Body:
    """The text of one record. `whole` is False when it was no UTF-8 and shows what could not be read as ``\\xNN``."""

    seq: int
    text: str
    size: int
    direction: Direction
    mono_ns: int
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Web:
    """The HTTP exchange that carried a message: heads as they were, `status` 0 while there is no answer."""

    method: str
    url: str
    status: int
    reason: str
    sent: tuple[tuple[str, str], ...]
    received: tuple[tuple[str, str], ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Told:
    """One row: what was asked, what was answered, and what came between, such as progress, in order.

    `first` is the body of the row's first record, `reply` that of the answer, `between` the rest that has a body.
    `masked` are the names of what was masked in any of it.
    """

    row: Exchange
    target: str
    note: str
    first: Body
    reply: Body | None
    between: tuple[Body, ...]
    faults: tuple[str, ...]
    facts: Mapping[str, Any]
    web: Web | None
    masked: tuple[str, ...] = field(default=())


class Teller:
    """Tells the rows of a log. `exchanges` may be handed in when its rows are worked out already."""

    def __init__(self, log: Log, exchanges: Exchanges | None = None, *, redact: bool = True) -> None:
        self.log = log
        self.redact = redact
        if exchanges is None:
            exchanges = Exchanges(log)
            exchanges.update()
        self.exchanges = exchanges
        self._webs: dict[tuple[int, int, Any], tuple[int, int]] | None = None
        self._carried: dict[int, int] = {}
        self._over_http: set[tuple[int, int]] | None = None
        self._carriers: frozenset[int] = frozenset()

    def rows(self, seqs: Iterable[int] | None = None) -> Sequence[int]:
        """The rows that these records belong to, ascending; all of them for None. Whole exchanges, always."""
        if seqs is None:
            return range(len(self.exchanges))
        return sorted({self.exchanges.row(seq) for seq in seqs if 0 < seq <= self.exchanges.seen})

    def tell(self, rows: Iterable[int]) -> Iterator[Told]:
        """Each of these rows."""
        for row in rows:
            yield self.one(row)

    def one(self, row: int) -> Told:
        """One row with its texts."""
        found, log = self.exchanges[row], self.log
        masked: list[str] = []
        first = self._body(found.first, masked)
        reply = self._body(found.reply, masked) if found.reply else None
        between, faults = [], list(log.faults(found.first))
        for seq in self.exchanges.records(row):
            if seq != found.first:
                faults += log.faults(seq)
                if seq != found.reply and (log.body_size(seq) or log.note(seq)):
                    between.append(self._body(seq, masked))
        facts = log.facts(found.first)
        return Told(
            found,
            self._text(found.target, masked),
            self._text(found.note, masked),
            first,
            reply,
            tuple(between),
            tuple(self._text(fault, masked) for fault in faults),
            redact_facts(facts, masked) if self.redact else facts,
            self._web(found, masked),
            tuple(masked),
        )

    def _body(self, seq: int, masked: list[str]) -> Body:
        data = self.log.body(seq)
        direction, mono_ns = Direction(self.log.columns.direction[seq - 1]), self.log.columns.mono_ns[seq - 1]
        if not data:
            return Body(seq, self._text(self.log.note(seq), masked), 0, direction, mono_ns)
        try:
            text, whole = data.decode(), True
        except UnicodeDecodeError:
            text, whole = data.decode(errors="backslashreplace"), False
        return Body(seq, self._text(text, masked), len(data), direction, mono_ns, whole)

    def _text(self, text: str, masked: list[str]) -> str:
        if not self.redact or not text:
            return text
        done = redact_text(text)
        masked += (place.name for place in done.masked)
        return done.text

    # --- HTTP ---

    def over_http(self, row: Exchange) -> bool:
        """Whether a row's connection ran over HTTP."""
        if self._over_http is None:
            columns = self.log.columns
            http = int(Channel.HTTP)
            cells = zip(columns.channel, columns.server, columns.connection, strict=True)
            self._over_http = {(server, connection) for channel, server, connection in cells if channel == http}
        index = row.first - 1
        return (self.log.columns.server[index], self.log.columns.connection[index]) in self._over_http

    @property
    def carriers(self) -> frozenset[int]:
        """The seqs of HTTP requests that carried a message, which is told with it."""
        if self._webs is None:
            self._find_webs()
        return self._carriers

    def _web(self, row: Exchange, masked: list[str]) -> Web | None:
        """What carried a message, or what an HTTP row is itself."""
        if self._webs is None:
            self._find_webs()
        request = row.first if row.kind is RowKind.HTTP else self._carried.get(row.first, 0)
        if not request:
            return None
        columns = self.log.columns
        if columns.kinds.texts[columns.kind[request - 1]] != "request":
            return None
        facts = self._facts(request, masked)
        pair = (self._webs or {}).get(self._key(request), (request, 0))
        answer = self._facts(pair[1], masked) if pair[1] else {}
        status = columns.status[pair[1] - 1] if pair[1] else NO_STATUS
        seconds = answer.get("seconds")
        return Web(
            str(facts.get("method", "")),
            str(facts.get("url", "")),
            0 if status == NO_STATUS else status,
            str(answer.get("reason", "")),
            _pairs(facts.get("headers")),
            _pairs(answer.get("headers")),
            float(seconds) if isinstance(seconds, int | float) else -1.0,
        )

    def _facts(self, seq: int, masked: list[str]) -> Mapping[str, Any]:
        facts = self.log.facts(seq)
        return redact_facts(facts, masked) if self.redact else facts

    def _key(self, seq: int) -> tuple[int, int, Any]:
        columns = self.log.columns
        key = self.log.facts(seq).get("key")
        return columns.server[seq - 1], columns.connection[seq - 1], key if isinstance(key, int | str) else None

    def _find_webs(self) -> None:
        """Which HTTP request has which answer, and which message it carried.

        A request is recorded right after its message; of several under way at once, the body's length tells.
        """
        self._webs = {}
        columns = self.log.columns
        http, message, sent = int(Channel.HTTP), int(Channel.MESSAGE), int(Direction.SENT)
        if http not in columns.channel:
            return
        waiting: dict[tuple[int, int], list[int]] = {}
        for index in range(len(self.log)):
            channel = columns.channel[index]
            seq, origin = index + 1, (columns.server[index], columns.connection[index])
            if channel == message and columns.direction[index] == sent:
                waiting.setdefault(origin, []).append(seq)
                del waiting[origin][:-_LOOKED_BACK]
            elif channel == http:
                kind = columns.kinds.texts[columns.kind[index]]
                key = self._key(seq)
                if kind == "request":
                    self._webs[key] = (seq, 0)
                    self._carry(seq, waiting.get(origin, []))
                elif kind == "response" and key in self._webs:
                    self._webs[key] = (self._webs[key][0], seq)
        self._carriers = frozenset(self._carried.values())

    def _carry(self, seq: int, waiting: list[int]) -> None:
        headers = {name.lower(): value for name, value in _pairs(self.log.facts(seq).get("headers"))}
        length = headers.get("content-length", "")
        fitting = [each for each in waiting if str(self.log.body_size(each)) == length]
        if fitting:
            waiting.remove(fitting[0])
            self._carried[fitting[0]] = seq


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    """Header pairs out of facts, which may come from anyone's file."""
    if not isinstance(value, list | tuple):
        return ()
    return tuple((str(pair[0]), str(pair[1])) for pair in value if isinstance(pair, list | tuple) and len(pair) == 2)
