"""What short cuts of hosts would have broken, read from what really went over the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.agent.lab.profiles import LINE_LIMIT, Naive
from mcp_inspector.agent.names import Routes, Scheme
from mcp_inspector.store.record import Channel, Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.store.record import Record


@dataclass(frozen=True)
class Judgement:
    """Whether a habit works with this server: `works` None means that nothing was seen that could tell.

    `seqs` are the records that show it.
    """

    what: str
    works: bool | None
    sentence: str
    seqs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Seen:
    """What one run against one server showed: its records in order, and the tools of all pages."""

    server: str
    records: Sequence[Record]
    tools: Sequence[Item]


def judge(naive: Naive, seen: Seen) -> Judgement:
    """What this short cut would have done."""
    works, sentence, seqs = _JUDGES[naive](seen)
    return Judgement(naive, works, sentence, tuple(seqs[:20]))


Verdict = tuple["bool | None", str, list[int]]


def _first_line(seen: Seen) -> Verdict:
    """Which requests got something else before their answer."""
    wrong: list[int] = []
    waiting: str | None = None
    for record in seen.records:
        entry = record.entry
        if entry.channel is Channel.MESSAGE and entry.direction is Direction.SENT and entry.kind == "request":
            waiting = entry.id
        elif waiting is not None and entry.direction is Direction.RECEIVED:
            if entry.channel is Channel.STDOUT or (entry.channel is Channel.MESSAGE and entry.id != waiting):
                wrong.append(record.seq)
            if entry.channel in (Channel.STDOUT, Channel.MESSAGE):
                waiting = None
    if wrong:
        what = f"{len(wrong)} times something else came before the answer: a host that takes the first line reads that."
        return False, what, wrong
    return True, "Each answer was the first line after its request.", []


def _line_limit(seen: Seen) -> Verdict:
    long = [r for r in seen.records if r.entry.direction is Direction.RECEIVED and len(r.entry.data) > LINE_LIMIT]
    if long:
        most = max(len(record.entry.data) for record in long)
        return False, f"A message has {most:,} bytes; a line reader with 64 KB ends there.", [r.seq for r in long]
    return True, "No message was over 64 KB.", []


def _first_page(seen: Seen) -> Verdict:
    pages = [record for record in seen.records if _answers(record, "tools/list")]
    if not pages:
        return None, "Tools were not listed.", []
    first = _result(pages[0])
    if first.get("nextCursor") is not None:
        found = first.get("tools")
        count = len(found) if isinstance(found, list) else 0
        sentence = f"The first page has {count} of {len(seen.tools)} tools: the others are never seen."
        return False, sentence, [pages[0].seq]
    return True, f"All {len(seen.tools)} tools are on one page.", [pages[0].seq]


def _no_session(seen: Seen) -> Verdict:
    for record in seen.records:
        headers = record.entry.facts.get("headers") if record.entry.channel is Channel.HTTP else None
        for pair in headers if isinstance(headers, list | tuple) else ():
            if isinstance(pair, list | tuple) and str(pair[0]).lower() == "mcp-session-id":
                sentence = "The server gave a session id: requests without it are refused."
                return False, sentence, [record.seq]
    http = any(record.entry.channel is Channel.HTTP for record in seen.records)
    return (True, "The server gave no session id.", []) if http else (None, "There is no HTTP here.", [])


def _first_split(seen: Seen) -> Verdict:
    routes = Routes([(seen.server, item.key) for item in seen.tools], Scheme())
    wrong = [(route, routes.misread(route)) for route in routes.routes if routes.misread(route)]
    if wrong:
        route, read = wrong[0]
        return (
            False,
            f"{route.name} is taken for {read}; so are {len(wrong)} of {len(seen.tools)} names.",
            _listed(seen),
        )
    return True, "Every name splits at the first separators into the right server and tool.", []


def _no_is_error(seen: Seen) -> Verdict:
    calls = [record for record in seen.records if _answers(record, "tools/call")]
    failed = [record.seq for record in calls if _result(record).get("isError") is True]
    if failed:
        sentence = f"{len(failed)} results say isError: a host that does not look gives them to the model as results."
        return False, sentence, failed
    return (True, "No result said isError.", []) if calls else (None, "No tool was called.", [])


def _no_definitions(seen: Seen) -> Verdict:
    broken = [
        item.key
        for item in seen.tools
        if b'"#/$defs/' in item.part("inputSchema") or b'"#/definitions/' in item.part("inputSchema")
    ]
    if broken:
        sentence = (
            f"{len(broken)} tools refer to $defs of their schema, {broken[0]} for one: without them it has holes."
        )
        return False, sentence, _listed(seen)
    return True, "No tool refers to $defs.", []


_JUDGES: dict[Naive, Callable[[Seen], Verdict]] = {
    Naive.FIRST_LINE: _first_line,
    Naive.LINE_LIMIT: _line_limit,
    Naive.FIRST_PAGE: _first_page,
    Naive.NO_SESSION: _no_session,
    Naive.FIRST_SPLIT: _first_split,
    Naive.NO_IS_ERROR: _no_is_error,
    Naive.NO_DEFINITIONS: _no_definitions,
}


def _answers(record: Record, method: str) -> bool:
    entry = record.entry
    return entry.kind == "response" and entry.direction is Direction.RECEIVED and entry.method == method


def _listed(seen: Seen) -> list[int]:
    return [record.seq for record in seen.records if _answers(record, "tools/list")]


class _Reply(msgspec.Struct):
    result: dict[str, msgspec.Raw] = {}


def _result(record: Record) -> dict[str, object]:
    try:
        found = msgspec.json.decode(record.entry.data, type=_Reply).result
        return {name: msgspec.json.decode(found[name]) for name in ("nextCursor", "tools", "isError") if name in found}
    except (msgspec.MsgspecError, RecursionError):
        return {}
