"""What a legacy server requests: ping is answered, the person's matters go to the inbox, the rest is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session import received_tasks
from mcp_inspector.session.inbox import ELICITATION, Ask, Inbox, Reply, is_declared
from mcp_inspector.session.received_tasks import ReceivedTasks
from mcp_inspector.wire import frame as wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.transport.tasks import Tasks
    from mcp_inspector.wire.frame import Frame

_METHOD_NOT_FOUND, _INVALID_PARAMS = -32601, -32602


class _Cancelled(msgspec.Struct):
    requestId: msgspec.Raw = msgspec.Raw(b"null")
    reason: Any = None


_cancelled = msgspec.json.Decoder(_Cancelled)


class Questions:
    """The open requests of one connection's server. `declared`: the capabilities that we told it of."""

    def __init__(self, server: str, inbox: Inbox | None, tasks: Tasks) -> None:
        self.declared: Mapping[str, Any] = {}
        self._server = server
        self._inbox = inbox
        self._open: list[tuple[str, Ask]] = []  # with the text of its id, which a server may use twice
        self._received = ReceivedTasks()
        self._tasks = tasks

    @property
    def asks(self) -> bool:
        """Whether anybody is there to be asked."""
        return self._inbox is not None

    @property
    def operations(self) -> set[int]:
        """The numbers of our operations in which the server waits for a person."""
        return {ask.call for _, ask in self._open}

    async def reply(self, frame: Frame, seq: int, operation: int) -> bytes | None:
        """The message that answers a request, None when the server took it back. `seq` is the request's record."""
        if frame.method == "ping":
            return wire.write_result(frame.id_text, {})
        if frame.method in received_tasks.METHODS and "tasks" in self.declared:
            return await self._received.reply(frame)
        if self._inbox is None or not is_declared(frame.method, self.declared):
            return wire.write_error(frame.id_text, _METHOD_NOT_FOUND, f"Method not found: {frame.method}")
        ask = Ask(self._server, frame.method, frame.params or b"{}", operation, seq)
        mode = ask.value.get("mode", "form") if frame.method == ELICITATION else None
        if mode is not None and not _takes(mode, self.declared["elicitation"]):
            return wire.write_error(frame.id_text, _INVALID_PARAMS, f"Elicitation mode {mode!r} was not declared")
        if received_tasks.is_task(frame.method, ask.value, self.declared):
            result, name = self._received.begin(ask)
            self._tasks.spawn(self._work(name, ask, self._inbox), f"task for {frame.method}")
            return wire.write_result(frame.id_text, result)
        reply = await self._ask(frame.id_text, ask, self._inbox)
        if reply is None:
            return None
        if reply.result is None:
            return wire.write_error(frame.id_text, reply.code, reply.message)
        return wire.write_result(frame.id_text, msgspec.Raw(reply.result))

    async def _ask(self, id_text: str, ask: Ask, inbox: Inbox) -> Reply | None:
        entry = (id_text, ask)
        self._open.append(entry)
        try:
            return await inbox.put(ask)
        finally:
            self._open.remove(entry)

    async def _work(self, name: str, ask: Ask, inbox: Inbox) -> None:
        """Have a person do a task; it has no request that could be taken back."""
        self._received.end(name, await self._ask("", ask, inbox))

    def cancelled(self, frame: Frame) -> None:
        """The server took a request back, by `notifications/cancelled`; unknown and unreadable ones are nothing."""
        try:
            head = _cancelled.decode(frame.params or b"{}")
        except (msgspec.MsgspecError, RecursionError):
            return
        id_text = bytes(head.requestId).decode(errors="replace")
        reason = f": {head.reason}" if isinstance(head.reason, str) and head.reason else "."
        for _, ask in [entry for entry in self._open if entry[0] == id_text]:
            ask.withdraw(f"The server took it back{reason}")

    def end(self, why: str) -> None:
        """The connection is gone."""
        for _, ask in list(self._open):
            ask.withdraw(why)


def _takes(mode: Any, elicitation: Any) -> bool:
    """Whether a mode was declared: an empty declaration is that of forms alone."""
    modes = elicitation if isinstance(elicitation, dict) and elicitation else {"form": {}}
    return isinstance(mode, str) and mode in modes
