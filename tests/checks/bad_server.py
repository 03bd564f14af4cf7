"""A server of 2025-11-25 over stdio that answers, and breaks many rules while it does."""

from __future__ import annotations

import json
import sys
from typing import Any

TOOLS = [
    {"name": "add", "description": "Adds two numbers.", "inputSchema": {"type": "object"}},
    {"name": "no schema", "description": "Its name has a space."},
    {"name": "add", "inputSchema": {"type": "array"}, "annotations": {"readOnlyHint": True, "destructiveHint": True}},
    {
        "name": "hidden",
        "description": "Reads a file.\U000e0049\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065 \u202etxt.exe",
        "inputSchema": {"type": "object", "properties": {"path": {"type": "text"}}, "required": ["file"]},
    },
]


def _put(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer what comes on stdin."""
    sys.stdout.write("Starting up ...\n")
    for line in sys.stdin:
        message = json.loads(line)
        method, ident = message.get("method"), message.get("id")
        if method == "initialize":
            info = {"name": "bad"}
            _put({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
            _put({"jsonrpc": "2.0", "id": ident, "result": result})
        elif method == "tools/list":
            _put({"jsonrpc": "2.0", "id": ident, "result": {"tools": TOOLS, "nextCursor": None}})
        elif method == "tools/call":
            _put({"jsonrpc": "2.0", "id": 7, "method": "server/discover", "params": {}})
            _put(
                {"jsonrpc": "2.0", "id": ident, "result": {"structuredContent": [1], "_meta": {"mcp.dev/": 1, "!": 2}}}
            )
        elif ident is not None:
            _put({"id": ident, "error": {"code": "x", "message": "no"}})


if __name__ == "__main__":
    main()
