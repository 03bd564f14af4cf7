"""Traffic as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), for tools that read what browsers save.

One entry a message that was sent, with its answer; one for each message that came unasked, and one for each HTTP
request without a message. Over stdio the URL is ``mcp+stdio://SERVER/METHOD``. What HAR has no word for stands in
``_mcp``, a custom field of the entry: `server`, `connection`, `direction`, `kind`, `method`, `id`, `target`, `state`,
`wall_ns`, `mono_ns`, `reply_ns` (from the request to its answer), `between` (`direction`, `after_ns`, `text` of
progress and the like), `faults`. Lines of stderr and what else is no exchange are left out: JSON lines hold everything.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec

from mcp_inspector.store.exchanges import RowKind
from mcp_inspector.store.record import Direction
from mcp_inspector.store.telling import MESSAGES, Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.store.telling import Body, Teller, Told

_JSON = "application/json"
_ASCII = "".join(map(chr, range(0x21, 0x7F)))


def har(teller: Teller, seqs: Iterable[int] | None = None, *, version: str = "") -> Iterator[Piece]:
    """The pieces of one HAR document. `version` is that of the program."""
    creator = _json({"name": "MCP Inspector", "version": version or "0"})
    yield Piece(b'{"log":{"version":"1.2","creator":' + creator + b',"pages":[],"entries":[')
    comma = b""
    for told in teller.tell(teller.rows(seqs)):
        carried = told.row.kind is RowKind.HTTP and (told.web is None or _has_message(teller, told))
        if (told.row.kind in MESSAGES or told.row.kind is RowKind.HTTP) and not carried:
            yield Piece(comma + b"\n" + _json(_entry(told)), told.row.first, told.masked)
            comma = b","
    yield Piece(b"\n]}}\n")


def _has_message(teller: Teller, told: Told) -> bool:
    return told.row.first in teller.carriers


def _entry(told: Told) -> dict[str, Any]:
    row, web = told.row, told.web
    elapsed = row.elapsed_ns / 1e6 if row.elapsed_ns is not None else -1.0
    if row.kind is RowKind.HTTP and web is not None:
        elapsed = web.seconds * 1e3 if web.seconds >= 0 else -1.0
    unasked = row.direction is Direction.RECEIVED and row.kind is not RowKind.HTTP
    # What the server says stands in HAR's answer, also where the server asks: then ours is what was sent.
    asked = None if row.kind is RowKind.HTTP else told.reply if unasked else told.first
    answer = told.first if unasked else told.reply
    # A URL is ASCII; the mask is not.
    url = quote(web.url.encode(errors="replace"), safe=_ASCII) if web is not None else _url(told)
    sent, received = (web.sent, web.received) if web is not None else ((), ())
    request: dict[str, Any] = {
        "method": (web.method if web is not None else "") or ("GET" if unasked else "POST"),
        "url": url,
        "httpVersion": "HTTP/1.1" if web is not None else "",
        "cookies": [],
        "headers": _headers(sent),
        "queryString": [{"name": name, "value": value} for name, value in _query(url)],
        "headersSize": -1,
        "bodySize": asked.size if asked is not None else 0,
    }
    if asked is not None:
        request["postData"] = {"mimeType": _type(sent), "text": asked.text}
    response = {
        "status": web.status if web is not None else 200 if answer is not None else 0,
        "statusText": web.reason if web is not None else "",
        "httpVersion": "HTTP/1.1" if web is not None else "",
        "cookies": [],
        "headers": _headers(received),
        "content": _content(answer),
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": answer.size if answer is not None else -1,
    }
    about = {
        "server": row.server,
        "connection": row.connection,
        "direction": row.direction.name.lower(),
        "kind": row.kind.name.lower(),
        "method": row.method,
        "id": row.id,
        "target": told.target,
        "state": row.state.word,
        "wall_ns": row.wall_ns,
        "mono_ns": row.mono_ns,
        "reply_ns": row.elapsed_ns,
        "between": [
            {"direction": body.direction.name.lower(), "after_ns": body.mono_ns - row.mono_ns, "text": body.text}
            for body in told.between
            if body.size
        ],
        "faults": list(told.faults),
    }
    return {
        "startedDateTime": datetime.fromtimestamp(row.wall_ns / 1e9, UTC).isoformat(timespec="microseconds"),
        "time": max(elapsed, 0),
        "request": request,
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": max(elapsed, 0), "receive": 0},
        "comment": " ".join(filter(None, (row.server, row.method, told.target, row.state.word))),
        "_mcp": {name: value for name, value in about.items() if value not in ("", [], None)},
    }


def _url(told: Told) -> str:
    row = told.row
    server, method = (quote(text.encode(errors="replace"), safe="") for text in (row.server, row.method))
    return f"mcp+stdio://{server or 'server'}/{method.replace('%2F', '/') or row.kind.name.lower()}"


def _query(url: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(url).query, keep_blank_values=True, max_num_fields=1_000)
    except ValueError:
        return []


def _headers(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _type(pairs: Iterable[tuple[str, str]]) -> str:
    return next((value for name, value in pairs if name.lower() == "content-type"), _JSON)


def _content(body: Body | None) -> dict[str, Any]:
    # The body is the message alone, also where an event stream carried it.
    if body is None:
        return {"size": 0, "mimeType": "x-unknown"}
    return {"size": body.size, "mimeType": _JSON, "text": body.text}


def _json(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (UnicodeEncodeError, OverflowError, msgspec.MsgspecError):
        return json.dumps(value).encode()
