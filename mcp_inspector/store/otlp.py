"""Requests as OpenTelemetry spans: the JSON of OTLP 1.x that a collector takes at ``/v1/traces``.

One trace a connection, with a root span from its first to its last record, unless a request carries a `traceparent` of
its own in ``_meta``: then its span joins that trace. Names follow the semantic conventions for MCP and JSON-RPC. Bodies
stay behind: a span says what was called, how long it took and how it ended.
Shapes: https://github.com/open-telemetry/opentelemetry-proto (identifiers in hex, enums and 64-bit times as the JSON
mapping wants them).
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.store.exchanges import FAILED, Exchange, RowKind, RowState
from mcp_inspector.store.record import Direction
from mcp_inspector.store.redact import redact_text
from mcp_inspector.store.telling import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mcp_inspector.store.telling import Teller

BATCH = 500
"""Spans in one request to a collector."""

_INTERNAL, _SERVER, _CLIENT = 1, 2, 3
_UNSET, _OK, _ERROR = 0, 1, 2
_PARENT = re.compile(rb'"traceparent"\s*:\s*"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}"')
_LOOKED_AT = 65_536


def otlp(teller: Teller, seqs: Iterable[int] | None = None, *, version: str = "") -> Iterator[Piece]:
    """The pieces of one JSON document with all spans: a file that a collector's file receiver reads."""
    yield Piece(b'{"resourceSpans":[')
    comma = b""
    for resource, spans in _by_server(teller, seqs, version):
        yield Piece(comma + resource)
        inner = b""
        for seq, span, masked in spans:
            yield Piece(inner + span, seq, masked)
            inner = b",\n"
        yield Piece(b"]}]}")
        comma = b","
    yield Piece(b"]}\n")


def batches(teller: Teller, seqs: Iterable[int] | None = None, *, version: str = "") -> Iterator[tuple[bytes, int]]:
    """The bodies of the requests that bring all spans to a collector, at most `BATCH` spans each, with their number."""
    for resource, spans in _by_server(teller, seqs, version):
        waiting: list[bytes] = []
        for _, span, _ in spans:
            waiting.append(span)
            if len(waiting) == BATCH:
                yield _request(resource, waiting), len(waiting)
                waiting = []
        if waiting:
            yield _request(resource, waiting), len(waiting)


def _request(resource: bytes, spans: list[bytes]) -> bytes:
    return b'{"resourceSpans":[' + resource + b",".join(spans) + b"]}]}]}"


_Span = tuple[int, bytes, tuple[str, ...]]


def _by_server(teller: Teller, seqs: Iterable[int] | None, version: str) -> Iterator[tuple[bytes, Iterator[_Span]]]:
    """Each server: its resource up to the opening of the spans, and the spans."""
    exchanges, columns = teller.exchanges, teller.log.columns
    servers: dict[int, list[int]] = {}
    for row in teller.rows(seqs):
        if exchanges.kind[row] == RowKind.REQUEST:
            servers.setdefault(exchanges.server[row], []).append(row)
    for code, rows in servers.items():
        attributes = [_text("service.name", columns.servers.texts[code] or "mcp")]
        scope = {"name": "mcp-inspector", "version": version}
        head = msgspec.json.encode({"resource": {"attributes": attributes}})[:-1]
        yield head + b',"scopeSpans":[{"scope":' + msgspec.json.encode(scope) + b',"spans":[', _spans(teller, rows)


def _spans(teller: Teller, rows: Sequence[int]) -> Iterator[_Span]:
    columns, exchanges = teller.log.columns, teller.exchanges
    extents: dict[int, tuple[int, int]] = {}
    for row in rows:
        first, last = exchanges.first[row], exchanges.last[row]
        connection = columns.connection[first - 1]
        known = extents.get(connection, (first, last))
        extents[connection] = min(known[0], first), max(known[1], last)
    for connection, (first, last) in extents.items():
        name = columns.servers.texts[columns.server[first - 1]]
        trace, span = _ids(teller, name, connection)
        root = {
            "traceId": trace,
            "spanId": span,
            "name": f"connection {connection}",
            "kind": _INTERNAL,
            "startTimeUnixNano": str(columns.wall_ns[first - 1]),
            "endTimeUnixNano": str(max(columns.wall_ns[last - 1], columns.wall_ns[first - 1])),
            "attributes": [_number("mcp.inspector.connection", connection)],
            "status": {"code": _UNSET},
        }
        yield first, msgspec.json.encode(root), ()
    for row in rows:
        yield _span(teller, row)


def _span(teller: Teller, row: int) -> _Span:
    found = teller.exchanges[row]
    trace, parent = _ids(teller, found.server, found.connection)
    own = hashlib.sha256(f"{trace} {found.first}".encode()).hexdigest()[:16]
    given = _PARENT.search(teller.log.body_part(found.first, 0, _LOOKED_AT))
    if given is not None:
        trace, parent = given[1].decode(), given[2].decode()
    masked: list[str] = []

    def shown(text: str) -> str:
        if not teller.redact:
            return text
        done = redact_text(text)
        masked.extend(place.name for place in done.masked)
        return done.text

    target = shown(found.target)
    elapsed = found.elapsed_ns
    if elapsed is None:
        columns = teller.log.columns
        elapsed = max(columns.mono_ns[found.last - 1] - found.mono_ns, 0)
    span: dict[str, Any] = {
        "traceId": trace,
        "spanId": own,
        "parentSpanId": parent,
        "name": " ".join(filter(None, (found.method, target))) or "request",
        "kind": _CLIENT if found.direction is Direction.SENT else _SERVER,
        "startTimeUnixNano": str(found.wall_ns),
        "endTimeUnixNano": str(found.wall_ns + elapsed),
        "attributes": _attributes(teller, found, target),
        "events": _events(teller, found),
        "status": {"code": _ERROR, "message": shown(found.note) or found.state.word}
        if found.state in FAILED
        else {"code": _OK if found.state is RowState.OK else _UNSET},
    }
    return found.first, _encoded(span), tuple(masked)


def _attributes(teller: Teller, row: Exchange, target: str) -> list[dict[str, Any]]:
    attributes = [
        _text("mcp.method.name", row.method),
        _text("jsonrpc.request.id", row.id.strip('"')),
        _text("jsonrpc.protocol.version", "2.0"),
        _text("mcp.inspector.state", row.state.word),
        _number("mcp.inspector.seq", row.first),
        _number("mcp.inspector.size", row.size),
    ]
    names = {
        "tools/call": "gen_ai.tool.name",
        "prompts/get": "gen_ai.prompt.name",
        "resources/read": "mcp.resource.uri",
    }
    if target and row.method in names:
        attributes.append(_text(names[row.method], target))
    if row.method == "tools/call":
        attributes.append(_text("gen_ai.operation.name", "execute_tool"))
    if row.state in FAILED:
        # The conventions give a tool's own error a word of its own, and a JSON-RPC error its code.
        code = str(row.status) if row.state is RowState.ERROR and row.status is not None else row.state.word
        attributes.append(_text("error.type", "tool_error" if row.state is RowState.TOOL_ERROR else code))
        if row.state is RowState.ERROR and row.status is not None:
            attributes.append(_text("rpc.response.status_code", str(row.status)))
    over_http = teller.over_http(row)
    attributes.append(_text("network.transport", "tcp" if over_http else "pipe"))
    return attributes


def _events(teller: Teller, row: Exchange) -> list[dict[str, Any]]:
    """Progress and what else happened meanwhile, at most 100."""
    columns = teller.log.columns
    events: list[dict[str, Any]] = []
    for seq in teller.exchanges.records(row.index):
        if seq in (row.first, row.reply) or len(events) == 100:
            continue
        name = columns.methods.texts[columns.method[seq - 1]] or columns.kinds.texts[columns.kind[seq - 1]]
        wall = row.wall_ns + max(columns.mono_ns[seq - 1] - row.mono_ns, 0)
        events.append({"timeUnixNano": str(wall), "name": name or "record", "attributes": []})
    return events


def _ids(teller: Teller, server: str, connection: int) -> tuple[str, str]:
    """The trace and the root span of a connection: the same at each export of the same session."""
    columns = teller.log.columns
    start = columns.wall_ns[0] if len(columns) else 0
    digest = hashlib.sha256(f"{start} {server!r} {connection}".encode()).hexdigest()
    return digest[:32], digest[32:48]


def _text(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


def _number(key: str, value: int) -> dict[str, Any]:
    return {"key": key, "value": {"intValue": str(value)}}


def _encoded(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, msgspec.MsgspecError):
        import json

        return json.dumps(value).encode()
