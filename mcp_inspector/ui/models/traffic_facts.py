"""What a record says beside its bytes, as rows of name and value; secrets are covered."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

from mcp_inspector.store.exchanges import RowState
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.redact import redact_text, redact_value
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.traffic_row import moment
from mcp_inspector.ui.models.traffic_token import token_facts
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mcp_inspector.store.exchanges import Exchange
    from mcp_inspector.store.log import Log

_NEAR: Final = 400
_MOST_EVENTS: Final = 300
_PLUMBING: Final = ("stream", "key", "connect")
_NAMES: Final = {
    "argv": "command",
    "cwd": "folder",
    "exit_code": "exit code",
    "http_status": "HTTP status",
    "url": "URL",
    "env": "variables set",
    "searched": "searched in",
    "event_id": "event id",
    "tool_error": "tool error",
    "seconds": "took",
}


def command_line(argv: Iterable[Any]) -> str:
    """A command as it would be typed."""
    words = [str(word) for word in argv]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def about_row(log: Log, exchange: Exchange) -> list[Fact]:
    """Who, when, how long, how large."""
    status = "" if exchange.status is None else str(exchange.status)
    return [
        Fact("server", exchange.server),
        Fact("connection", str(exchange.connection)),
        Fact("time", moment(exchange.wall_ns), mono=True),
        Fact("method", exchange.method, mono=True),
        Fact("target", redact_text(exchange.target).text, mono=True),
        Fact("id", exchange.id, mono=True),
        Fact("state", "" if exchange.state is RowState.INFO else exchange.state.word),
        Fact("code", status, mono=True),
        Fact("latency", "" if exchange.elapsed_ns is None else plain.elapsed(exchange.elapsed_ns), mono=True),
        Fact("size", f"{exchange.size:,} bytes" if exchange.size else ""),
    ]


def about_record(log: Log, seq: int, without: Collection[str] = ()) -> list[Fact]:
    """The facts of one record in readable form: command line, pid, exit code, headers, whatever else is there."""
    known = log.facts(seq)
    facts = {name: value for name, value in redact_value(known).items() if name not in without}
    rows = [Fact("", str(facts.pop("sentence")))] if facts.get("sentence") else []
    headers = facts.pop("headers", None)
    for name, value in facts.items():
        rows.append(Fact(_NAMES.get(name, name.replace("_", " ")), _fact(name, value), mono=name != "reason"))
    token = token_facts(known, log.columns.wall_ns[seq - 1]) if headers else []
    return rows + _headers(headers) + token


def _fact(name: str, value: Any) -> str:
    if name == "argv" and isinstance(value, list):
        return command_line(value)
    if name == "seconds" and isinstance(value, int | float):
        return plain.elapsed(int(value * 1e9))
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ("\n" if name in ("attempts", "searched", "negotiation") else ", ").join(value)
    return str(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)


def _headers(headers: Any) -> list[Fact]:
    pairs = headers.items() if isinstance(headers, dict) else headers if isinstance(headers, list) else ()
    return [
        Fact(str(pair[0]), str(pair[1]), mono=True)
        for pair in pairs
        if isinstance(pair, list | tuple) and len(pair) == 2
    ]


def http_records(log: Log, exchange: Exchange) -> list[int]:
    """The HTTP records that carried a row's messages: those that name its request, near it."""
    columns = log.columns
    if exchange.channel is Channel.HTTP:
        return [exchange.first]
    server = columns.server[exchange.first - 1]
    found = []
    for seq in range(max(1, exchange.first - 20), min(len(log), max(exchange.last, exchange.first) + _NEAR) + 1):
        index = seq - 1
        if columns.channel[index] != Channel.HTTP or columns.server[index] != server:
            continue
        if columns.call[index] == exchange.first or (not columns.call[index] and _same_key(log, seq, exchange)):
            found.append(seq)
    return found


def _same_key(log: Log, seq: int, exchange: Exchange) -> bool:
    key = log.facts(seq).get("key")
    return key is not None and exchange.id != "" and json.dumps(key, ensure_ascii=False) == exchange.id


def http_sections(log: Log, exchange: Exchange) -> list[tuple[str, list[Fact]]]:
    """Requests and responses of HTTP that belong to a row: a title and its facts each."""
    found = http_records(log, exchange)
    sections = [section for section in (_timing(log, exchange, found), _events(log, exchange, found)) if section[1]]
    for seq in found:
        columns = log.columns
        sent = columns.direction[seq - 1] == Direction.SENT
        word = columns.kinds.texts[columns.kind[seq - 1]]
        title = "Request" if sent else word.capitalize()
        without = _PLUMBING if sent else (*_PLUMBING, "method", "url")
        sections.append((f"{title} · #{seq}", about_record(log, seq, without if len(found) > 1 else ())))
    return sections


def _timing(log: Log, exchange: Exchange, found: list[int]) -> tuple[str, list[Fact]]:
    """How the time of the request's own HTTP exchange was spent, from the first byte written on."""
    columns = log.columns
    heads = [seq for seq in found if columns.kinds.texts[columns.kind[seq - 1]] == "response"]
    requests = [seq for seq in found if columns.kinds.texts[columns.kind[seq - 1]] == "request"]
    if not heads or not requests:
        return "Timing", []
    facts, start = log.facts(heads[-1]), columns.mono_ns[requests[-1] - 1]
    connect = facts.get("connect")
    rows = [
        Fact("connect", plain.elapsed(int(connect * 1e9)) if isinstance(connect, int | float) else "was open already"),
        Fact("first byte", plain.elapsed(max(columns.mono_ns[heads[-1] - 1] - start, 0)), mono=True),
    ]
    if exchange.reply and columns.call[exchange.reply - 1] == exchange.first:
        rows.append(Fact("last byte", plain.elapsed(max(columns.mono_ns[exchange.reply - 1] - start, 0)), mono=True))
    return "Timing", rows


def _events(log: Log, exchange: Exchange, found: list[int]) -> tuple[str, list[Fact]]:
    """What came in the event stream of a request: time since the one before, id, what it was, its size."""
    columns = log.columns
    streamed = [seq for seq in found if columns.kinds.texts[columns.kind[seq - 1]] == "stream"]
    stop = min(len(log), max(exchange.last, exchange.first) + _NEAR)
    for seq in range(exchange.first, stop + 1):
        index = seq - 1
        mine = columns.call[index] == exchange.first and columns.channel[index] == Channel.MESSAGE
        if mine and columns.extra[index] and "stream" in log.facts(seq):
            streamed.append(seq)
    rows, before = [], 0
    for seq in sorted(streamed)[:_MOST_EVENTS]:
        index, facts = seq - 1, log.facts(seq)
        at = columns.mono_ns[index]
        gap = f"+{plain.elapsed(at - before)}" if before else ""
        before = at
        kind = columns.kinds.texts[columns.kind[index]]
        what = (
            facts.get("event")
            if columns.channel[index] == Channel.HTTP
            else columns.methods.texts[columns.method[index]]
            if kind == "notification"
            else kind
        )
        parts = (
            gap,
            str(what or kind),
            f"id {facts['event_id']}" if facts.get("event_id") else "",
            f"retry {facts['retry_ms']:,} ms" if isinstance(facts.get("retry_ms"), int) else "",
            plain.size(columns.size[index]) if columns.size[index] else "",
            f"#{seq}",
        )
        rows.append(Fact(moment(columns.wall_ns[index])[11:23], " · ".join(part for part in parts if part), mono=True))
    return "Events", rows
