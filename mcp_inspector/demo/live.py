"""Tools that take time, report, change the server's lists, or fail."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError

from .call import LEVELS
from .parts import Argument, Json, Prompt, Resource, Tool, result, string, structured, text, tool_error, whole
from .prompts import user
from .resources import COUNTER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .call import Call


async def slow(call: Call) -> Json:
    """Take some time, with progress; cancelling ends it at once."""
    steps = call["steps"]
    for step in range(steps):
        await call.progress(step, steps, f"Step {step + 1} of {steps}")
        await anyio.sleep(call["seconds"] / steps)
    await call.progress(steps, steps, "Done")
    return result(text(f"Worked for {call['seconds']} s in {steps} steps."))


async def count_up(call: Call) -> Json:
    """Raise the counter, telling its subscribers each time."""
    for step in range(call["times"]):
        if step:
            await anyio.sleep(call["every"])
        call.state.counter += call["by"]
        await call.state.updated(COUNTER)
        await call.progress(step + 1, call["times"], f"The counter is {call.state.counter}")
    return structured({"counter": call.state.counter})


async def log_lines(call: Call) -> Json:
    """Send log messages."""
    for number in range(1, call["count"] + 1):
        level = LEVELS[(number - 1) % len(LEVELS)] if call["level"] == "each in turn" else call["level"]
        data = {"line": number, "text": f"{level} line {number}"} if number % 3 == 0 else f"{level} line {number}"
        await call.log(level, data, "demo.lines")
    return result(text(f"Sent {call['count']} log messages; those below your level are left out."))


async def fail(call: Call) -> Json:
    """Fail in the way that is asked for."""
    if call["how"] == "protocol error":
        raise MCPError(-32000, "This failed because you asked it to.", {"asked": True})
    if call["how"] == "crash in the tool":
        raise ZeroDivisionError("the tool has a fault")
    return tool_error("This failed because you asked it to. The protocol is fine, the tool is not.")


async def wrong_output(call: Call) -> Json:
    """Break the promise of the own output schema."""
    return structured({"celsius": "warm"})


async def exit_process(call: Call) -> Json:
    """End the whole server."""
    await call.log("warning", "The server ends because exit_process was called.")
    os._exit(call["code"])


async def add_item(call: Call) -> Json:
    """Add a tool, a resource or a prompt, and tell that the list has changed."""
    kind, name = call["kind"], call["name"]
    if kind == "tool":
        call.state.tools[name] = _greeter(name)
    elif kind == "resource":
        uri = f"demo://added/{name}"
        call.state.resources[name] = Resource(
            uri, name, f"Added: {name}", "Made by add_item.", "text/plain", lambda: [{"text": f"This is {name}."}]
        )
    else:
        call.state.prompts[name] = Prompt(
            name, f"Added: {name}", "Made by add_item.", _greeting, [Argument("who", "Whom to greet.", required=True)]
        )
    await call.state.list_changed(kind)
    return result(text(f"The {kind} {name} is there now."))


async def remove_item(call: Call) -> Json:
    """Take an added thing away again."""
    state = call.state
    lists: dict[str, dict[str, Any]] = {"tool": state.tools, "resource": state.resources, "prompt": state.prompts}
    added = lists[call["kind"]]
    if added.pop(call["name"], None) is None:
        return tool_error(f"There is no added {call['kind']} named {call['name']}.")
    await call.state.list_changed(call["kind"])
    return result(text(f"The {call['kind']} {call['name']} is gone."))


def _greeter(name: str) -> Tool:
    async def greet(call: Call) -> Json:
        return result(text(f"Hello, {call['who']}, from {name}."))

    who = {"who": string("Whom to greet.", default="world")}
    return Tool(name, f"Added: {name}", "Made by add_item.", greet, who, icon="live")


def _greeting(arguments: Mapping[str, str]) -> list[Json]:
    return [user(f"Greet {arguments['who']} warmly.")]


KIND = string("What to change.", enum=["tool", "resource", "prompt"], default="tool")
NAME = string("Its name: letters, digits, - and _.", minLength=1, maxLength=40, pattern="^[A-Za-z0-9_-]+$")
CHANGES = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}

TOOLS = (
    Tool(
        "slow",
        "Something slow",
        "Works for some seconds and reports its progress. Cancel it, or let it time out.",
        slow,
        {
            "seconds": {"type": "number", "description": "How long.", "minimum": 0, "maximum": 600, "default": 5},
            "steps": whole("In how many steps.", 1, 10_000, default=10),
        },
        icon="live",
    ),
    Tool(
        "count_up",
        "Count up",
        "Raises the counter in demo://counter. Subscribe to that resource first, and see it change.",
        count_up,
        {
            "by": whole("How much.", -1000, 1000, default=1),
            "times": whole("How often.", 1, 100_000, default=1),
            "every": {"type": "number", "description": "Seconds between.", "minimum": 0, "maximum": 60, "default": 1},
        },
        output={"type": "object", "properties": {"counter": {"type": "integer"}}, "required": ["counter"]},
        annotations=CHANGES,
        icon="live",
    ),
    Tool(
        "log_lines",
        "Write log lines",
        "Sends log messages. In the version of 2026-07-28 they come only when the call asks for a level.",
        log_lines,
        {
            "count": whole("How many.", 1, 100_000, default=8),
            "level": string("Of which level.", enum=["each in turn", *LEVELS], default="each in turn"),
        },
        icon="live",
    ),
    Tool(
        "fail",
        "Fail",
        "Fails on purpose: as a tool, as the protocol, or by a fault in the tool's code.",
        fail,
        {
            "how": string(
                "In which way.", enum=["tool error", "protocol error", "crash in the tool"], default="tool error"
            )
        },
        icon="live",
    ),
    Tool(
        "wrong_output",
        "Break a promise",
        "Answers with a structured result that does not fit the tool's own output schema.",
        wrong_output,
        output={"type": "object", "properties": {"celsius": {"type": "number"}}, "required": ["celsius"]},
        icon="live",
    ),
    Tool(
        "exit_process",
        "End the server",
        "Ends the server's process in the middle of the call. Everything that is running here is lost.",
        exit_process,
        {"code": whole("Its exit code.", 0, 255, default=1)},
        annotations={"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False},
        icon="live",
    ),
    Tool(
        "add_item",
        "Add to a list",
        "Adds a tool, a resource or a prompt while you watch, and tells that the list has changed.",
        add_item,
        {"kind": KIND, "name": {**NAME, "default": "newcomer"}},
        annotations=CHANGES | {"idempotentHint": True},
        icon="live",
    ),
    Tool(
        "remove_item",
        "Remove from a list",
        "Takes away what add_item has added.",
        remove_item,
        {"kind": KIND, "name": {**NAME, "default": "newcomer"}},
        annotations=CHANGES | {"destructiveHint": True, "idempotentHint": True},
        icon="live",
    ),
)
