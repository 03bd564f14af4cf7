"""What servers ask of the person: sampling, elicitation, roots, in one queue whatever way the answer travels.

A question comes as a legacy request (answered under its id), as part of an ``input_required`` result of 2026-07-28
(answered by sending the request again), or from a task (answered by `tasks/update`). All three are an `Ask` here; who
put it in waits for its `Reply` and carries it out. Nothing is answered by itself unless a preset says so.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

import msgspec

from mcp_inspector.signals import Signal

SAMPLING, ELICITATION, ROOTS = "sampling/createMessage", "elicitation/create", "roots/list"
CAPABILITY = {SAMPLING: "sampling", ELICITATION: "elicitation", ROOTS: "roots"}
"""The methods that ask the person, and the client capability that allows each."""

MOST_ROUNDS = 10
_KEPT = 500


def is_declared(method: str, capabilities: Mapping[str, Any]) -> bool:
    """Whether a server may ask by this method, given the capabilities that it was told of."""
    return CAPABILITY.get(method) in capabilities


class AskState(StrEnum):
    """How a question stands."""

    WAITING = "waiting"
    ANSWERED = "answered"
    REFUSED = "refused"  # by an error, or by not sending the request again
    WITHDRAWN = "withdrawn"  # by the server, or because the connection or the call is gone


@dataclass(frozen=True)
class Twist:
    """How a round of 2026-07-28 is answered otherwise than the server asked for, to see what it makes of that.

    `key` takes the place of the answer's key; None leaves the answer out. `state` is JSON text in place of the
    `requestState`; empty leaves that out, None sends it back as it came.
    """

    key: str | None
    state: bytes | None = None


@dataclass(frozen=True)
class Reply:
    """An answer: a result as JSON text, or a refusal by code and message. `twist`: None for as it was asked for."""

    result: bytes | None = None
    code: int = 0
    message: str = ""
    twist: Twist | None = None


@dataclass(eq=False)
class Ask:
    """One question. `params` is JSON text; `call` is the log's number of our operation that it belongs to, 0 for none.

    `record` is the number of the record that carried it. `way` says how the answer travels: as a response, by sending
    the request again, by `tasks/update`, or not at all (``consent``: a URL to visit before the request is repeated).
    `key`, `round` and `request_state` (JSON text, empty for none) are those of an ``input_required`` result.
    `preset` names the preset that answers it, empty when a
    person does.
    """

    server: str
    method: str
    params: bytes
    call: int = 0
    record: int = 0
    way: Literal["request", "retry", "task", "consent"] = "request"
    key: str = ""
    round: int = 0
    request_state: bytes = b""
    number: int = 0
    asked_ns: int = field(default_factory=time.time_ns)
    state: AskState = AskState.WAITING
    reply: Reply | None = None
    why: str = ""
    preset: str = ""
    ended_ns: int = 0
    completed: bool = False  # the server said that what happens at a URL is done
    _inbox: Inbox | None = field(default=None, repr=False)
    _done: asyncio.Future[Reply | None] | None = field(default=None, repr=False)

    @cached_property
    def value(self) -> Mapping[str, Any]:
        """The params decoded; empty when they are no object."""
        try:
            value = msgspec.json.decode(self.params)
        except (msgspec.MsgspecError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def answer(self, result: bytes, twist: Twist | None = None) -> None:
        """Answer with a result, any JSON text, right or wrong: it goes out as it is, and must be one line."""
        self._end(AskState.ANSWERED, Reply(result, twist=twist))

    def refuse(self, code: int = -1, message: str = "User rejected the request") -> None:
        """Refuse: an error to a legacy request; elsewhere the operation is given up."""
        self._end(AskState.REFUSED, Reply(None, code, message))

    def withdraw(self, why: str) -> None:
        """The question is void; whoever waits gets None."""
        self._end(AskState.WITHDRAWN, None, why)

    def _end(self, state: AskState, reply: Reply | None, why: str = "") -> None:
        if self.state is not AskState.WAITING:
            return
        self.state, self.reply, self.why, self.ended_ns = state, reply, why, time.time_ns()
        if self._done is not None and not self._done.done():
            self._done.set_result(reply)
        if self._inbox is not None:
            self._inbox.changed.send()


Action = Literal["ask", "accept", "decline", "cancel", "result", "roots", "malformed", "refuse"]


@dataclass(frozen=True)
class Preset:
    """How one kind of question is answered by itself.

    `action`: ``ask`` (a person is asked, whatever the preset of all servers says), ``accept`` (elicitation, with
    `content` or the schema's defaults), ``decline``, ``cancel``, ``result`` (the whole result is `content`), ``roots``
    (the server's configured roots), ``malformed`` (a result that breaks the schema), ``refuse`` (an error, or the
    operation is given up). `delay` is seconds to wait first; until then a person may answer.
    """

    action: Action
    content: bytes = b""
    delay: float = 0

    def result(self, ask: Ask) -> bytes:
        """The result that it gives to this question, as JSON text."""
        if self.action in ("result", "roots"):
            return self.content
        if self.action == "malformed":
            return b'{"action":5,"content":[null],"role":"nobody"}'
        if ask.method == ELICITATION and self.action == "accept":
            content = msgspec.Raw(self.content) if self.content else defaults(ask.value.get("requestedSchema"))
            url_mode = ask.value.get("mode") == "url"
            return msgspec.json.encode({"action": "accept"} if url_mode else {"action": "accept", "content": content})
        return msgspec.json.encode({"action": self.action})


class Inbox:
    """The questions of all servers, oldest first; answered ones are kept for a while. `changed` tells of any change."""

    def __init__(self) -> None:
        self.changed: Signal[()] = Signal()
        self.asks: list[Ask] = []
        self.presets: dict[tuple[str, str], Preset] = {}
        self.most_rounds = MOST_ROUNDS
        """How often one request is sent again with answers before it is given up; may change while it is under way."""
        self._roots: dict[str, bytes] = {}
        self._numbers = 0

    @property
    def waiting(self) -> tuple[Ask, ...]:
        """What nobody has answered yet."""
        return tuple(ask for ask in self.asks if ask.state is AskState.WAITING)

    def preset(self, server: str, method: str) -> Preset | None:
        """What answers a server's questions of a method; None when a person is asked.

        That is its own preset, else its configured roots, else the preset of the server name ``*``, which serves all.
        """
        found = self.presets.get((server, method))
        if found is None and method == ROOTS and server in self._roots:
            return Preset("roots", self._roots[server])
        found = found or self.presets.get(("*", method))
        if found is not None and found.action == "roots":
            return Preset("roots", self._roots.get(server, b'{"roots":[]}'), found.delay)
        return found if found is None or found.action != "ask" else None

    def set_roots(self, server: str, result: bytes | None) -> None:
        """The result of `roots/list` that is configured for a server; None for none."""
        if result == self._roots.get(server):
            return
        if result is None:
            del self._roots[server]
        else:
            self._roots[server] = result
        self.changed.send()

    def complete(self, server: str, elicitation: str) -> None:
        """The server says that what it asked to be done at a URL has been done; unknown ids are nothing."""
        for ask in self.asks:
            if ask.server == server and ask.method == ELICITATION and ask.value.get("elicitationId") == elicitation:
                ask.completed = True
                self.changed.send()

    def forget_ended(self) -> None:
        """Keep only the questions that wait."""
        self.asks = list(self.waiting)
        self.changed.send()

    def set_preset(self, server: str, method: str, preset: Preset | None) -> None:
        """Set or, with None, clear a preset. It serves questions that come from now on."""
        if preset is None:
            self.presets.pop((server, method), None)
        else:
            self.presets[(server, method)] = preset
        self.changed.send()

    async def put(self, ask: Ask) -> Reply | None:
        """Add a question and wait for its reply; None when it was withdrawn. A cancelled wait withdraws it."""
        self._numbers += 1
        ask.number = self._numbers
        ask._inbox = self
        ask._done = asyncio.get_running_loop().create_future()
        self.asks.append(ask)
        self._forget_old()
        self.changed.send()
        try:
            preset = self.preset(ask.server, ask.method)
            if preset is not None:
                ask.preset = preset.action
                if preset.delay:
                    await asyncio.wait([ask._done], timeout=preset.delay)
                if ask.state is AskState.WAITING:
                    self._answer(ask, preset)
                elif ask.state is not AskState.WITHDRAWN:
                    ask.preset = ""  # a person was sooner
            return await ask._done
        except asyncio.CancelledError:
            ask.withdraw("the operation ended")
            raise

    @staticmethod
    def _answer(ask: Ask, preset: Preset) -> None:
        if preset.action == "refuse":
            ask.refuse(-1, "Refused by a preset")
        else:
            ask.answer(preset.result(ask))

    def _forget_old(self) -> None:
        surplus = len(self.asks) - _KEPT
        if surplus > 0:
            ended = {ask.number for ask in [ask for ask in self.asks if ask.state is not AskState.WAITING][:surplus]}
            self.asks = [ask for ask in self.asks if ask.number not in ended]


def defaults(schema: Any) -> dict[str, Any]:
    """The content that a requested schema's defaults give; a required member without one gets the simplest value."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        return {}
    required = schema.get("required")
    content = {}
    for name, part in properties.items():
        if not isinstance(part, Mapping):
            continue
        if "default" in part:
            content[name] = part["default"]
        elif isinstance(required, list) and name in required:
            content[name] = _simplest(part)
    return content


def _simplest(part: Mapping[str, Any]) -> Any:
    plain, titled = part.get("enum"), part.get("oneOf")
    options = plain if isinstance(plain, list) else []
    if not options and isinstance(titled, list):
        options = [item["const"] for item in titled if isinstance(item, Mapping) and "const" in item]
    if options:
        return options[0]
    kind = part.get("type")
    if kind in ("integer", "number"):
        return part.get("minimum", 0)
    return {"boolean": False, "array": []}.get(str(kind), "")
