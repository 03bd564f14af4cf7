"""A server of 2025-11-25 whose tools become tasks when they are asked to: one works, one fails, one asks on the way."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

KEPT_MS = 60_000
TOOLS = [
    {"name": "work", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}},
    {"name": "must", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}},
    {"name": "plain", "inputSchema": {"type": "object"}},
]
CAPABILITIES = {"tools": {}, "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}}
tasks: dict[str, dict[str, Any]] = {}


def shown(name: str) -> dict[str, Any]:
    task = tasks[name]
    if task["status"] == "working" and time.monotonic() - task["began"] > task["seconds"]:
        task["status"] = "completed"
    stamp = "2026-01-02T03:04:05Z"
    message = f"{task['status']} on it"
    return {"taskId": name, "status": task["status"], "statusMessage": message, "createdAt": stamp,
            "lastUpdatedAt": stamp, "ttl": KEPT_MS, "pollInterval": 100}  # fmt: skip


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "tasks", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call" and "task" in params:
        name = f"t{len(tasks) + 1}"
        seconds = (params.get("arguments") or {}).get("seconds", 0.3)
        tasks[name] = {"status": "working", "began": time.monotonic(), "seconds": seconds}
        return {"task": shown(name)}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "done at once"}]}
    if method == "tasks/get":
        return shown(params["taskId"])
    if method == "tasks/cancel":
        tasks[params["taskId"]]["status"] = "cancelled"
        return shown(params["taskId"])
    if method == "tasks/result":
        return {"content": [{"type": "text", "text": f"done as {params['taskId']}"}]}
    raise LookupError(method)


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        reply["result"] = answer(message["method"], message.get("params") or {})
    except LookupError as error:
        reply["error"] = {"code": -32601, "message": str(error)}
    print(json.dumps(reply), flush=True)
