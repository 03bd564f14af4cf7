"""Incremental decoder of `text/event-stream`, on bytes, as the WHATWG HTML standard describes it (section 9.2.6).

Only CR, LF and CRLF end a line: U+2028, U+0085 or a form feed inside a JSON string stay where they are. Time is linear
in the bytes fed, however they are cut, and memory is bounded by the limit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\n|\r")
_MAX_RETRY_MS = 10**12
_COMMENT_KEPT = 256
_FIELD_ROOM = 64
"""Bytes that a line may hold beside its value: the longest field name, the colon and the space."""


@dataclass(frozen=True, slots=True)
class Event:
    """One dispatched event.

    `data` is its data lines joined by LF; it is empty for a priming event (``data:`` alone), which carries no message.
    `id` is the last event ID string as of this event, empty when there is none. `retry` is the reconnection time in
    milliseconds known so far. `skipped` counts data bytes dropped past the limit: `data` is then the beginning.
    """

    data: bytes
    event: str = "message"
    id: str = ""
    retry: int | None = None
    skipped: int = 0


class EventStream:
    """Decodes one stream; make a new one for each response.

    `limit` is the most bytes of data that one event may hold, `last_event_id` the cursor to go on from. Comments carry
    nothing, but show that the peer lives: `comments` counts them and `last_comment` is the start of the last one. An
    event without its blank line at the end of the stream is discarded, so there is nothing to finish; `partial` tells
    whether there was one.
    """

    def __init__(self, limit: int = 256 << 20, last_event_id: str = "") -> None:
        self.limit = limit
        self.last_event_id = last_event_id
        self.retry: int | None = None
        self.comments = 0
        self.last_comment = b""
        self._begin = b""
        self._begun = False
        self._skip_lf = False
        self._line: list[bytes] = []
        self._line_size = 0
        self._line_skipped = 0
        self._data: list[bytes] = []
        self._data_size = 0
        self._data_skipped = 0
        self._event = ""
        self._id = last_event_id

    @property
    def partial(self) -> bool:
        """Whether bytes of an event that is not complete are waiting."""
        return bool(self._line or self._data or self._event)

    def feed(self, chunk: bytes) -> list[Event]:
        """Take the next bytes and return the events that they complete, in order."""
        if not self._begun:
            chunk = self._without_bom(chunk)
        if self._skip_lf and chunk:
            self._skip_lf = False
            if chunk[0] == 0x0A:
                chunk = chunk[1:]
        if not chunk:
            return []
        if b"\r" in chunk:
            self._skip_lf = chunk.endswith(b"\r")
            lines = _LINE_END.split(chunk)
        else:
            lines = chunk.split(b"\n")
        rest = lines.pop()
        events: list[Event] = []
        for line in lines:
            if self._line:
                self._add(line)
                self._joined_line()
            elif line:
                self._field(line, 0)
            else:
                self._dispatch(events)
        if rest:
            self._add(rest)
        return events

    def _without_bom(self, chunk: bytes) -> bytes:
        self._begin += chunk
        if len(self._begin) < len(_BOM) and _BOM.startswith(self._begin):
            return b""
        self._begun = True
        chunk, self._begin = self._begin.removeprefix(_BOM), b""
        return chunk

    def _add(self, part: bytes) -> None:
        """Keep a part of a line that has not ended, as far as the limit goes."""
        comment = (self._line[0] if self._line else part).startswith(b":")
        room = max(0, (_COMMENT_KEPT if comment else self.limit + _FIELD_ROOM) - self._line_size)
        kept = part[:room]
        self._line.append(kept)
        self._line_size += len(kept)
        self._line_skipped += len(part) - len(kept)

    def _joined_line(self) -> None:
        parts, skipped = self._line, self._line_skipped
        self._line, self._line_size, self._line_skipped = [], 0, 0
        if parts[0].startswith(b"data: "):  # the usual big line: cut its first part rather than copy the whole again
            parts[0] = parts[0][6:]
            self._add_data(b"".join(parts), skipped)
        else:
            self._field(b"".join(parts), skipped)

    def _field(self, line: bytes, skipped: int) -> None:
        if line.startswith(b"data:"):
            self._add_data(line[6:] if line.startswith(b"data: ") else line[5:], skipped)
            return
        name, _, value = line.partition(b":")
        if not name:
            self.comments += 1
            self.last_comment = value[:_COMMENT_KEPT]
            return
        value = value.removeprefix(b" ")
        if name == b"data":
            self._add_data(value, skipped)
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")
        elif name == b"id":
            if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value and value.isdigit():
            # int() refuses very long numbers and no one waits that long anyway
            self.retry = min(int(value), _MAX_RETRY_MS) if len(value) <= 13 else _MAX_RETRY_MS

    def _add_data(self, value: bytes, skipped: int) -> None:
        separator = 1 if self._data else 0
        room = max(0, self.limit - self._data_size - separator)
        if self._data_skipped or (separator and self._data_size >= self.limit):
            self._data_skipped += separator + len(value) + skipped
            return
        kept = value if len(value) <= room else value[:room]
        self._data.append(kept)
        self._data_size += separator + len(kept)
        self._data_skipped += len(value) - len(kept) + skipped

    def _dispatch(self, events: list[Event]) -> None:
        self.last_event_id = self._id
        if self._data:
            data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
            name = self._event or "message"
            events.append(Event(data, name, self._id, self.retry, self._data_skipped))
            self._data, self._data_size, self._data_skipped = [], 0, 0
        self._event = ""
