"""A tool that becomes a task (extension io.modelcontextprotocol/tasks, 2026-07-28): polled, cancelled, asked for input.

The tasks of 2025-11-25 are in `core_tasks`.

Nothing runs in the background: what a task is like now follows from when it began.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types import RequestParams

from .call import INVALID_PARAMS
from .parts import Json, Tool, number, result, switch, text

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.server import Server

    from .call import Call

EXTENSION = "io.modelcontextprotocol/tasks"
KEPT_MS = 600_000
POLL_MS = 500
QUESTION: Json = {
    "mode": "form",
    "message": "How much sugar?",
    "requestedSchema": {
        "type": "object",
        "properties": {"sugar": {"type": "string", "title": "Sugar", "enum": ["no", "some", "much"]}},
        "required": ["sugar"],
    },
}


class TaskParams(RequestParams):
    """Which task is meant."""

    task_id: str


class UpdateParams(TaskParams):
    """Answers to what a task asks."""

    input_responses: dict[str, Any]


@dataclass
class Brew:
    """One pot of tea. Times are seconds of the monotonic clock, `created` is for people."""

    seconds: float
    asks: bool
    began: float = field(default_factory=time.monotonic)
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    cancelled: bool = False
    sugar: str = ""
    stopped: anyio.Event = field(default_factory=anyio.Event)

    @property
    def status(self) -> str:
        """What the task is like now."""
        if self.cancelled:
            return "cancelled"
        if time.monotonic() - self.began < self.seconds:
            return "working"
        return "input_required" if self.asks and not self.sugar else "completed"

    @property
    def left(self) -> float:
        """Seconds until the tea is ready."""
        return max(0.0, self.began + self.seconds - time.monotonic())

    def cancel(self) -> None:
        """Throw the tea away."""
        self.cancelled = True
        self.stopped.set()

    def json(self, name: str) -> Json:
        """The task as the extension describes it, all members flat."""
        shown = {**self._json(name), "ttlMs": KEPT_MS, "pollIntervalMs": POLL_MS}
        if shown["status"] == "completed":
            shown["result"] = self.tea()
        elif shown["status"] == "input_required":
            shown["inputRequests"] = {"sugar": {"method": "elicitation/create", "params": QUESTION}}
        return shown

    def core_json(self, name: str) -> Json:
        """The task as 2025-11-25 describes it."""
        return {**self._json(name), "ttl": KEPT_MS, "pollInterval": POLL_MS}

    def _json(self, name: str) -> Json:
        passed = min(time.monotonic() - self.began, self.seconds)
        shown: Json = {"taskId": name, "status": self.status, "statusMessage": f"{passed:.1f} of {self.seconds} s"}
        moment = self.created + timedelta(seconds=passed)
        return {**shown, "createdAt": _stamp(self.created), "lastUpdatedAt": _stamp(moment)}

    def tea(self) -> Json:
        """What the task was for."""
        sweet = f" with {self.sugar} sugar" if self.sugar else ""
        return result(text(f"Tea{sweet}, brewed for {self.seconds} s."))

    def take(self, answer: Json) -> None:
        """The person has answered the question."""
        if answer.get("action") == "accept":
            self.sugar = str((answer.get("content") or {}).get("sugar", "no"))
        elif answer:
            self.cancel()


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def brew_tea(call: Call) -> Json:
    """Begin a task; without the extension, wait for the tea."""
    brew = Brew(call["seconds"], call["ask"])
    if not (call.modern and call.client_has("extensions", EXTENSION)):
        return result(text("Your client does not know tasks, so here is cold tea at once."))
    name = call.state.add_task(brew)
    return {"resultType": "task", **brew.json(name)}


def serve_tasks(server: Server[Any], tasks: dict[str, Brew]) -> None:
    """Add the extension's methods to a server."""

    def find(params: TaskParams) -> Brew:
        if params.task_id not in tasks:
            raise MCPError(INVALID_PARAMS, f"There is no task {params.task_id}.")
        return tasks[params.task_id]

    async def get(context: ServerRequestContext[Any, Any], params: TaskParams) -> Json:
        return {"resultType": "complete", **find(params).json(params.task_id)}

    async def update(context: ServerRequestContext[Any, Any], params: UpdateParams) -> Json:
        find(params).take(params.input_responses.get("sugar") or {})
        return {}

    async def cancel(context: ServerRequestContext[Any, Any], params: TaskParams) -> Json:
        brew = find(params)
        if brew.status != "completed":
            brew.cancel()
        return {}

    server.extensions[EXTENSION] = {}
    server.add_request_handler("tasks/get", TaskParams, get)
    server.add_request_handler("tasks/update", UpdateParams, update)
    server.add_request_handler("tasks/cancel", TaskParams, cancel)


TOOLS = (
    Tool(
        "brew_tea",
        "Brew tea",
        "Becomes a task that you can poll and cancel, if your client knows tasks.",
        brew_tea,
        {
            "seconds": number("How long it takes.", minimum=0, maximum=300, default=5),
            "ask": switch("Ask for sugar before it is done.", False),
        },
        icon="live",
        execution={"taskSupport": "optional"},
    ),
)
