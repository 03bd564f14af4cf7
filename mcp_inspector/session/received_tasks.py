"""Tasks of 2025-11-25 that a server makes of its questions: we are the receiver, and the person does the work.

A question with `params.task` is answered at once with a task; the server then polls `tasks/get`, and gets what the
person answered from `tasks/result`, which waits for it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.wire import frame as wire

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask, Reply
    from mcp_inspector.wire.frame import Frame

METHODS = frozenset({"tasks/get", "tasks/result", "tasks/cancel", "tasks/list"})
CAPABILITY: dict[str, Any] = {
    "list": {},
    "cancel": {},
    "requests": {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}},
}
"""What a client declares under `tasks` that serves all of it."""

_INVALID_PARAMS = -32602
_KEPT = 200
_LONGEST_TTL_MS = 24 * 3600 * 1000.0
_POLL_MS = 500
_RELATED = "io.modelcontextprotocol/related-task"


def is_task(method: str, params: Mapping[str, Any], declared: Mapping[str, Any]) -> bool:
    """Whether a question is to become a task: it says so, and we declared that it may."""
    if not isinstance(params.get("task"), Mapping):
        return False
    value: Any = declared.get("tasks")
    for step in ("requests", *method.split("/")):
        value = value.get(step) if isinstance(value, Mapping) else None
    return isinstance(value, Mapping)


@dataclass(eq=False)
class _Task:
    ask: Ask
    ttl_ms: float | None
    name: str = field(default_factory=lambda: secrets.token_hex(8))
    began: float = field(default_factory=time.monotonic)
    created: str = field(default_factory=lambda: _stamp())
    updated: str = ""
    status: str = "working"
    message: str = "A person is asked."
    reply: Reply | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def shown(self) -> dict[str, Any]:
        return {
            "taskId": self.name,
            "status": self.status,
            "statusMessage": self.message,
            "createdAt": self.created,
            "lastUpdatedAt": self.updated or self.created,
            "ttl": self.ttl_ms,
            "pollInterval": _POLL_MS,
        }

    def end(self, status: str, message: str) -> None:
        if not self.ended.is_set():
            self.status, self.message, self.updated = status, message, _stamp()
            self.ended.set()


class ReceivedTasks:
    """The tasks of one connection's server. Each lives as long as the server asked for, a day at most."""

    def __init__(self) -> None:
        self._tasks: dict[str, _Task] = {}

    def begin(self, ask: Ask) -> tuple[dict[str, Any], str]:
        """Make a task of a question: its CreateTaskResult, and its name."""
        wanted = ask.value.get("task")
        ttl = wanted.get("ttl") if isinstance(wanted, Mapping) else None
        sound = isinstance(ttl, int | float) and not isinstance(ttl, bool) and ttl >= 0
        self._forget()
        task = _Task(ask, min(float(ttl), _LONGEST_TTL_MS) if sound and ttl is not None else None)
        if task.ttl_ms is not None and task.ttl_ms.is_integer():
            task.ttl_ms = int(task.ttl_ms)
        self._tasks[task.name] = task
        return {"task": task.shown()}, task.name

    def end(self, name: str, reply: Reply | None) -> None:
        """The person has answered (None: the question is void)."""
        task = self._tasks.get(name)
        if task is None:
            return
        task.reply = reply
        if reply is None:
            task.end("cancelled", task.ask.why or "The question was withdrawn.")
        elif reply.result is None:
            task.end("failed", reply.message)
        else:
            task.end("completed", "Answered.")

    async def reply(self, frame: Frame) -> bytes:
        """The answer to one of `METHODS`; `tasks/result` waits until its task has ended."""
        try:
            params = msgspec.json.decode(frame.params or b"{}")
        except (msgspec.MsgspecError, RecursionError):
            params = {}
        self._forget()
        if frame.method == "tasks/list":
            return wire.write_result(frame.id_text, {"tasks": [task.shown() for task in self._tasks.values()]})
        name = params.get("taskId") if isinstance(params, dict) else None
        task = self._tasks.get(name) if isinstance(name, str) else None
        if task is None:
            return wire.write_error(frame.id_text, _INVALID_PARAMS, f"There is no task {name!r}")
        if frame.method == "tasks/cancel":
            if task.ended.is_set():
                return wire.write_error(frame.id_text, _INVALID_PARAMS, f"The task is {task.status} already")
            task.end("cancelled", "The server cancelled it.")
            task.ask.withdraw("The server cancelled its task.")
        if frame.method != "tasks/result":
            return wire.write_result(frame.id_text, task.shown())
        await task.ended.wait()
        if task.reply is None:
            return wire.write_error(frame.id_text, _INVALID_PARAMS, f"The task was {task.status}: {task.message}")
        if task.reply.result is None:
            return wire.write_error(frame.id_text, task.reply.code, task.reply.message)
        return wire.write_result(frame.id_text, _related(task.reply.result, task.name))

    def _forget(self) -> None:
        now = time.monotonic()
        for name, task in list(self._tasks.items()):
            over = task.ttl_ms is not None and (now - task.began) * 1000 > task.ttl_ms
            if task.ended.is_set() and (over or len(self._tasks) > _KEPT):
                del self._tasks[name]


def _related(result: bytes, name: str) -> Any:
    """A result that says which task it is of; what is no object stays as it is: it was made wrong on purpose."""
    try:
        value = msgspec.json.decode(result, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return msgspec.Raw(result)
    try:
        meta = msgspec.json.decode(value["_meta"], type=dict[str, msgspec.Raw]) if "_meta" in value else {}
    except msgspec.MsgspecError:
        return msgspec.Raw(result)
    return {**value, "_meta": {**meta, _RELATED: {"taskId": name}}}


def _stamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
