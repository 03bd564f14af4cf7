"""What differs between two recorded sessions: the requests that only one has, and other answers to the same ones.

Requests are the same when method, target and arguments are equal; what a client adds of its own (`_meta`, ids) does not
count. They are lined up in their order, so that a repeated request is compared with its own repetition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.schema.align import unchanged
from mcp_inspector.schema.compare import key_of
from mcp_inspector.schema.diff import Diff, compare
from mcp_inspector.store.exchanges import RowKind, RowState
from mcp_inspector.store.record import Direction
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from mcp_inspector.store.exchanges import Exchanges

_MOST = 20_000
_READ = 200_000
_OWN = ("_meta",)


@dataclass(frozen=True, slots=True)
class Pair:
    """One request in both sessions, or in one: `before` and `after` are rows, -1 for none.

    `what` is method and target, `states` how it ended in each, `diff` what differs in the answer's result or error.
    """

    what: str
    before: int
    after: int
    states: tuple[str, str] = ("", "")
    diff: Diff | None = None

    @property
    def differs(self) -> bool:
        """Whether the two are not the same, in more than how they are spelled."""
        return self.before < 0 or self.after < 0 or self.states[0] != self.states[1] or not self._same_answer

    @property
    def _same_answer(self) -> bool:
        return self.diff is None or self.diff.same_value

    @property
    def sentence(self) -> str:
        """The difference in a line."""
        if self.before < 0:
            return f"{self.what}: only in the second"
        if self.after < 0:
            return f"{self.what}: only in the first"
        if self.states[0] != self.states[1]:
            return f"{self.what}: {self.states[0]} → {self.states[1]}"
        return f"{self.what}: the answer differs: {self.diff.sentence}" if self.diff is not None else self.what


@dataclass(frozen=True, slots=True)
class SessionDiff:
    """The requests that differ, in the order of the sessions; `same` counts the others, `why` says what is left out."""

    pairs: tuple[Pair, ...]
    same: int
    why: str = ""

    @property
    def sentence(self) -> str:
        """The whole in a line."""
        gone = sum(pair.after < 0 for pair in self.pairs)
        new = sum(pair.before < 0 for pair in self.pairs)
        other = len(self.pairs) - gone - new
        words = [f"{self.same:,} requests have the same answer"]
        words += [f"{other:,} another"] if other else []
        words += [f"{gone:,} only in the first"] if gone else []
        words += [f"{new:,} only in the second"] if new else []
        return ", ".join(words) + "." + (f" {self.why}" if self.why else "")


def compare_sessions(
    before: Exchanges,
    after: Exchanges,
    rows: tuple[Iterable[int] | None, Iterable[int] | None] = (None, None),
) -> SessionDiff:
    """Compare the requests of two sessions, at most 20 000 of each; `rows` may name those that count."""
    one, two = (_asked(exchanges, some) for exchanges, some in zip((before, after), rows, strict=True))
    why = "" if max(len(one), len(two)) <= _MOST else f"Only the first {_MOST:,} requests of each were compared."
    del one[_MOST:], two[_MOST:]
    keys = [_key(before, row) for row in one], [_key(after, row) for row in two]
    pairs = unchanged(*keys)
    # What lies between two that are lined up can be the same in another order, as concurrent requests are.
    left: dict[Hashable, list[int]] = {}
    matched_before, matched_after = {at for at, _ in pairs}, {at for _, at in pairs}
    for at in range(len(two) - 1, -1, -1):
        if at not in matched_after:
            left.setdefault(keys[1][at], []).append(at)
    for at, key in enumerate(keys[0]):
        if at not in matched_before and left.get(key):
            pairs.append((at, left[key].pop()))
    matched_before, matched_after = {at for at, _ in pairs}, {at for _, at in pairs}
    found: list[tuple[int, int, Pair]] = []
    for at, place in pairs:
        found.append((at, 0, _pair(before, after, one[at], two[place])))
    found += [(at, 1, Pair(_what(before, one[at]), one[at], -1)) for at in range(len(one)) if at not in matched_before]
    found += [(at, 2, Pair(_what(after, two[at]), -1, two[at])) for at in range(len(two)) if at not in matched_after]
    ordered = [pair for _, _, pair in sorted(found, key=lambda item: item[:2])]
    differing = tuple(pair for pair in ordered if pair.differs)
    return SessionDiff(differing, len(ordered) - len(differing), why)


def _asked(exchanges: Exchanges, rows: Iterable[int] | None) -> list[int]:
    """The requests of the client, without those that make the connection."""
    texts = exchanges.log.columns.methods.texts
    wanted = range(len(exchanges)) if rows is None else rows
    return [
        row
        for row in wanted
        if exchanges.kind[row] == RowKind.REQUEST
        and exchanges.direction[row] == Direction.SENT
        and texts[exchanges.method[row]] not in ("initialize", "server/discover", "ping", "subscriptions/listen")
    ]


def _what(exchanges: Exchanges, row: int) -> str:
    columns = exchanges.log.columns
    method, target = columns.methods.texts[exchanges.method[row]], columns.targets.texts[exchanges.target[row]]
    return " ".join(filter(None, (method, target)))


def _key(exchanges: Exchanges, row: int) -> Hashable:
    return _what(exchanges, row), _arguments(exchanges, row)


def _arguments(exchanges: Exchanges, row: int) -> Hashable:
    first = exchanges.first[row]
    if exchanges.log.body_size(first) > _READ:
        return exchanges.log.body_size(first)
    params = wire.read(exchanges.log.body(first)).params
    try:
        node = jsontext.parse(params) if params else None
    except JsonError:
        return params
    if node is None or not node.names:
        return None
    return frozenset(
        (name, key_of(item)) for name, item in zip(node.names, node.items, strict=True) if name not in _OWN
    )


def _pair(before: Exchanges, after: Exchanges, row: int, other: int) -> Pair:
    states = RowState(before.state[row]).word, RowState(after.state[other]).word
    answers = [_answer(exchanges, at) for exchanges, at in ((before, row), (after, other))]
    diff = compare(*answers) if answers[0] != answers[1] else None
    return Pair(_what(before, row), row, other, states, diff)


def _answer(exchanges: Exchanges, row: int) -> bytes:
    """The result or error without what a server adds of its own."""
    reply = exchanges.reply[row]
    frame = wire.read(exchanges.log.body(reply)) if reply else None
    found = b"" if frame is None else frame.result or frame.error or b""
    try:
        from mcp_inspector.wire.jsonscan import members

        parts = members(found)
    except JsonError:
        return found
    kept = [found[part.start : part.end] for part in parts if part.name not in _OWN]
    names = [jsontext.quote(part.name).encode("utf-8", "replace") for part in parts if part.name not in _OWN]
    return b"{" + b",".join(name + b":" + value for name, value in zip(names, kept, strict=True)) + b"}"
