"""Reads HAR files, those of this program and those that browsers and proxies save, into a log.

Taken in are entries that carry JSON-RPC, also in an event stream, with their HTTP heads. Others are passed over.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from mcp_inspector.session.observer import Observer
from mcp_inspector.store.export import ExportFormatError
from mcp_inspector.store.record import Direction
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.eventstream import EventStream
from mcp_inspector.wire.frame import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp_inspector.session.recorder import Journal

LARGEST = 1 << 30
"""Bytes of a HAR file that are read: it is one document and has to be in memory as a whole."""


class _Named(msgspec.Struct):
    name: str = ""
    value: str = ""


class _Post(msgspec.Struct):
    text: str = ""
    encoding: str = ""


class _Request(msgspec.Struct):
    method: str = ""
    url: str = ""
    headers: list[_Named] = []
    postData: _Post | None = None


class _Content(msgspec.Struct):
    mimeType: str = ""
    text: str | None = None
    encoding: str = ""


class _Response(msgspec.Struct):
    status: int = 0
    statusText: str = ""
    headers: list[_Named] = []
    content: _Content = msgspec.field(default_factory=_Content)


class _Between(msgspec.Struct):
    direction: str = ""
    text: str = ""
    after_ns: int | None = None


class _Mcp(msgspec.Struct):
    """What this program adds to an entry, see `store.har`."""

    server: str = ""
    connection: int = 1
    direction: str = "sent"
    kind: str = ""
    wall_ns: int = 0
    mono_ns: int = 0
    reply_ns: int | None = None
    between: list[_Between] = []


class _Entry(msgspec.Struct):
    startedDateTime: str = ""
    time: float = 0
    request: _Request = msgspec.field(default_factory=_Request)
    response: _Response = msgspec.field(default_factory=_Response)
    mcp: _Mcp | None = msgspec.field(default=None, name="_mcp")


class _Log(msgspec.Struct):
    entries: list[msgspec.Raw]


class _Har(msgspec.Struct):
    log: _Log


@dataclass
class HarImport:
    """What came of a file: records written, entries taken in, entries passed over."""

    records: int = 0
    taken: int = 0
    passed_over: int = 0
    _events: list[tuple[int, int, Callable[[], object]]] = field(default_factory=list)


def import_har(data: bytes, journal: Journal) -> HarImport:
    """Write the traffic of a HAR document to a log, in the order of time. Raises `ExportFormatError`."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    try:
        raws = msgspec.json.decode(data, type=_Har).log.entries
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ExportFormatError(f"This is no HAR file: {error}.") from error
    counted = _Counted(journal)
    found = HarImport()
    observers: dict[tuple[str, int], Observer] = {}
    events: list[tuple[int, int, Callable[[], object]]] = []
    for number, raw in enumerate(raws):
        try:
            entry = msgspec.json.decode(raw, type=_Entry)
        except (msgspec.MsgspecError, RecursionError):
            found.passed_over += 1
            continue
        steps = [*_steps(entry, observers, counted, number)]
        found.taken += bool(steps)
        found.passed_over += not steps
        events += ((when, number, step) for when, step in steps)
    for _, _, step in sorted(events, key=lambda event: event[:2]):
        step()
    found.records = counted.count
    return found


class _Counted:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.count = 0

    def append(self, entry: Any) -> int:
        self.count += 1
        return self._journal.append(entry)


def _steps(
    entry: _Entry, observers: dict[tuple[str, int], Observer], journal: Journal, number: int
) -> Iterator[tuple[int, Callable[[], object]]]:
    """What an entry does, each with its time; nothing when it carries no JSON-RPC."""
    mcp = entry.mcp or _Mcp()
    started = _started(entry)
    offset = mcp.wall_ns - mcp.mono_ns if mcp.mono_ns else 0
    wall = mcp.wall_ns or started
    took = mcp.reply_ns if mcp.reply_ns is not None else int(max(entry.time, 0) * 1e6)
    sent, received = _asked(entry), _answered(entry)
    if not sent and not received and entry.mcp is None:
        return
    host = urlsplit(entry.request.url).netloc if "://" in entry.request.url else ""
    origin = (mcp.server or host or "imported", mcp.connection)
    observer = observers.get(origin)
    if observer is None:
        observer = observers[origin] = Observer(journal, *origin)

    def at(when: int, step: Callable[..., object], *rest: Any) -> tuple[int, Callable[[], object]]:
        times = (when, when - offset)
        return when, lambda: step(*(each if each is not _TIMES else times for each in rest))

    over_http = entry.request.url.startswith(("http://", "https://"))
    facts = {"stream": "post"} if over_http else {}
    server_asked = mcp.direction == "received"
    for data in sent:
        yield at(wall + took if server_asked else wall, observer.message, Direction.SENT, data, _TIMES)
    if over_http:
        head = {"method": entry.request.method, "url": entry.request.url, "key": number}
        asked = {**head, "headers": [(each.name, each.value) for each in entry.request.headers]}
        yield at(wall, observer.http, Direction.SENT, _TIMES, asked)
        if entry.response.status:
            answered = {
                **head,
                "status": entry.response.status,
                "reason": entry.response.statusText,
                "seconds": took / 1e9,
                "headers": [(each.name, each.value) for each in entry.response.headers],
            }
            yield at(wall + took, observer.http, Direction.RECEIVED, _TIMES, answered)
    for each in mcp.between:
        direction = Direction.SENT if each.direction == "sent" else Direction.RECEIVED
        when = wall + (each.after_ns if each.after_ns is not None else took // 2)
        yield at(when, observer.message, direction, _encoded(each.text), _TIMES, facts)
    for data in received:
        yield at(wall if server_asked else wall + took, observer.message, Direction.RECEIVED, data, _TIMES, facts)


_TIMES = object()


def _asked(entry: _Entry) -> list[bytes]:
    post = entry.request.postData
    if post is None or not post.text:
        return []
    data = _data(post.text, post.encoding)
    return [data] if entry.mcp is not None or _speaks(data) else []


def _answered(entry: _Entry) -> list[bytes]:
    content = entry.response.content
    if not content.text:
        return []
    data = _data(content.text, content.encoding)
    if content.mimeType.lower().startswith("text/event-stream"):
        return [event.data for event in EventStream().feed(data) if _speaks(event.data)]
    return [data] if entry.mcp is not None or _speaks(data) else []


def _speaks(data: bytes) -> bool:
    """Whether it is a message of JSON-RPC 2.0, or an array of them."""
    return b'"jsonrpc"' in data and wire.read(data).kind is not Kind.INVALID


def _data(text: str, encoding: str) -> bytes:
    if encoding.lower() == "base64":
        try:
            return base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return _encoded(text)
    return _encoded(text)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _started(entry: _Entry) -> int:
    try:
        return int(datetime.fromisoformat(entry.startedDateTime).timestamp() * 1e6) * 1000
    except (ValueError, OverflowError):
        return 0
