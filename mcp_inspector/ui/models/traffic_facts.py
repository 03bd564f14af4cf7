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
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mcp_inspector.store.exchanges import Exchange
    from mcp_inspector.store.log import Log

_NEAR: Final = 400
_PLUMBING: Final = ("stream", "key")
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
    facts = {name: value for name, value in redact_value(log.facts(seq)).items() if name not in without}
    rows = [Fact("", str(facts.pop("sentence")))] if facts.get("sentence") else []
    headers = facts.pop("headers", None)
    for name, value in facts.items():
        rows.append(Fact(_NAMES.get(name, name.replace("_", " ")), _fact(name, value), mono=name != "reason"))
    return rows + _headers(headers)


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
        return ("\n" if name in ("attempts", "searched") else ", ").join(value)
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
    sections = []
    found = http_records(log, exchange)
    for seq in found:
        columns = log.columns
        sent = columns.direction[seq - 1] == Direction.SENT
        word = columns.kinds.texts[columns.kind[seq - 1]]
        title = "Request" if sent else word.capitalize()
        without = _PLUMBING if sent else (*_PLUMBING, "method", "url")
        sections.append((f"{title} · #{seq}", about_record(log, seq, without if len(found) > 1 else ())))
    return sections


def byte_warnings(data: bytes) -> list[str]:
    """What is odd about the bytes of a message, as sentences: byte order mark, line ends, bytes that are no text."""
    found = []
    if data.startswith(b"\xef\xbb\xbf"):
        found.append("Starts with a byte order mark, which JSON must not.")
    returns, nothing = data.find(b"\r"), data.find(b"\x00")
    if data.endswith(b"\r"):
        found.append("Ends with CR: the line end was CRLF.")
    elif returns >= 0:
        found.append(f"Contains CR at offset {returns:,}.")
    if nothing >= 0:
        found.append(f"Contains a NUL byte at offset {nothing:,}.")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        found.append(f"Is not UTF-8: byte 0x{data[error.start]:02X} at offset {error.start:,}.")
    return found
