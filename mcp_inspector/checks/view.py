"""One record as the rules see it: decoded once, with the request it answers and the version it was sent under."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.store.record import Channel, Direction

if TYPE_CHECKING:
    from mcp_inspector.checks.state import Asked, Conversation
    from mcp_inspector.store.record import Entry

_CHANNELS = {
    Channel.STDOUT: "stdout",
    Channel.STDERR: "stderr",
    Channel.HTTP: "http",
    Channel.LIFECYCLE: "event",
    Channel.AUTH: "auth",
}
_MESSAGES = frozenset({"request", "notification", "response", "error"})
META = "io.modelcontextprotocol/"
"""The prefix of the specification's own `_meta` members."""


class View:
    """One record. `asked` is the request that an answer belongs to; `version` is empty where none was agreed.

    `message` is the decoded object, empty when the bytes are none or too many to be decoded here; `params`, `result`,
    `error` and `meta` (of params or result) are its parts, empty when they are no objects. `faulted` says that a rule
    has found an error in it already.
    """

    def __init__(self, seq: int, entry: Entry, talk: Conversation, *, decode: bool = True) -> None:
        self.seq = seq
        self.entry = entry
        self.talk = talk
        self.version = talk.version
        self.asked: Asked | None = None
        self.ours = entry.direction is Direction.SENT
        self.unjudged = False
        self.faulted = False
        # Read at once, as most messages are asked for all of it: a property that remembers costs more than this.
        value = decoded(entry.data) if decode and entry.channel is Channel.MESSAGE and entry.data else None
        self.message: dict[str, Any] = value if isinstance(value, dict) else {}
        self.params = _object(self.message, "params")
        self.result = _object(self.message, "result")
        self.error = _object(self.message, "error")
        self.meta = _object(self.params or self.result, "_meta")

    @property
    def code(self) -> Any:
        """The error's code."""
        return self.error.get("code")

    @property
    def kind(self) -> str:
        """The entry's kind: request, notification, response, error, batch, invalid, or an event's word."""
        return self.entry.kind

    @property
    def method(self) -> str:
        """The method, for an answer that of its request."""
        return self.asked.method if self.asked is not None else self.entry.method

    @property
    def modern(self) -> bool:
        """Whether it was sent under a version of the stateless era."""
        return self.version >= "2026-07-28"

    @property
    def over_http(self) -> bool:
        """Whether the connection is Streamable HTTP."""
        return self.talk.transport == "http"

    @property
    def facts(self) -> dict[str, Any]:
        """The record's facts."""
        return self.entry.facts if isinstance(self.entry.facts, dict) else dict(self.entry.facts)

    def header(self, name: str) -> str | None:
        """The first value of a header of an HTTP record."""
        wanted = name.lower()
        headers = self.facts.get("headers")
        for pair in headers if isinstance(headers, list) else ():
            if isinstance(pair, list | tuple) and len(pair) == 2 and str(pair[0]).lower() == wanted:
                return str(pair[1])
        return None

    @property
    def undecoded(self) -> bool:
        """Whether it is a message whose content is not known here: too many bytes, or nested too deeply."""
        return self.entry.channel is Channel.MESSAGE and not self.message and self.entry.kind in _MESSAGES

    @property
    def complete(self) -> bool:
        """Whether its result ends the operation: neither a question nor a task."""
        return bool(self.result.get("resultType", "complete") == "complete")

    @property
    def events(self) -> tuple[str, ...]:
        """The names under which rules ask to see it."""
        entry = self.entry
        if entry.channel is not Channel.MESSAGE:
            word = _CHANNELS[entry.channel]
            return (word, f"{word} {entry.kind}")
        if self.undecoded:
            return ("undecoded",)
        side = "sent " if self.ours else ""
        kind = entry.kind
        if kind == "response":
            names: tuple[str, ...] = ("answer", "result", f"result {self.method}")
        elif kind == "error":
            names = ("answer", "error", f"error {self.method}")
        elif kind in ("request", "notification"):
            names = (kind, f"{kind} {entry.method}")
        else:
            names = (kind,)
        return tuple(f"{side}{name}" for name in (*names, "message"))


def _object(value: dict[str, Any], name: str) -> dict[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def decoded(data: bytes) -> Any:
    """A JSON value, None when it is not readable."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        pass
    try:  # half surrogate pairs and a byte order mark: told elsewhere, and the rest is still to be judged
        return json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def shown(value: Any, most: int = 80) -> str:
    """A value as short JSON text, for a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"
