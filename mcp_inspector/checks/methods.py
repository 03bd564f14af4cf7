"""Which method exists in which version, and which side may send it: the matrix of the schemas of all versions."""

from __future__ import annotations

from mcp_inspector.checks.rule import ALL

_24, _M, _J, _N, _26 = ALL
_LEGACY = (_24, _M, _J, _N)

CLIENT_REQUESTS: dict[str, tuple[str, ...]] = {
    "initialize": _LEGACY,
    "ping": _LEGACY,
    "logging/setLevel": _LEGACY,
    "resources/subscribe": _LEGACY,
    "resources/unsubscribe": _LEGACY,
    "server/discover": (_26,),
    "subscriptions/listen": (_26,),
    "tasks/get": (_N, _26),
    "tasks/cancel": (_N, _26),
    "tasks/update": (_26,),
    "tasks/result": (_N,),
    "tasks/list": (_N,),
    **dict.fromkeys(
        (
            "tools/list",
            "tools/call",
            "prompts/list",
            "prompts/get",
            "resources/list",
            "resources/read",
            "resources/templates/list",
            "completion/complete",
        ),
        ALL,
    ),
}

SERVER_REQUESTS: dict[str, tuple[str, ...]] = {
    "ping": _LEGACY,
    "roots/list": _LEGACY,
    "sampling/createMessage": _LEGACY,
    "elicitation/create": (_J, _N),
    "tasks/get": (_N,),
    "tasks/cancel": (_N,),
    "tasks/result": (_N,),
    "tasks/list": (_N,),
}

SERVER_NOTIFICATIONS: dict[str, tuple[str, ...]] = {
    "notifications/elicitation/complete": (_N,),
    "notifications/tasks/status": (_N,),
    "notifications/tasks": (_26,),
    "notifications/subscriptions/acknowledged": (_26,),
    **dict.fromkeys(
        (
            "notifications/cancelled",
            "notifications/progress",
            "notifications/message",
            "notifications/resources/updated",
            "notifications/resources/list_changed",
            "notifications/tools/list_changed",
            "notifications/prompts/list_changed",
        ),
        ALL,
    ),
}

CLIENT_NOTIFICATIONS: dict[str, tuple[str, ...]] = {
    "notifications/initialized": _LEGACY,
    "notifications/roots/list_changed": _LEGACY,
    "notifications/progress": _LEGACY,
    "notifications/cancelled": ALL,
    "notifications/tasks/status": (_N,),
}

SERVER_CAPABILITY = {
    "tools/list": "tools",
    "tools/call": "tools",
    "prompts/list": "prompts",
    "prompts/get": "prompts",
    "resources/list": "resources",
    "resources/read": "resources",
    "resources/templates/list": "resources",
    "resources/subscribe": "resources.subscribe",
    "completion/complete": "completions",
    "logging/setLevel": "logging",
    "notifications/message": "logging",
    "notifications/resources/updated": "resources",
    "notifications/resources/list_changed": "resources",
    "notifications/tools/list_changed": "tools",
    "notifications/prompts/list_changed": "prompts",
}
"""The server's capability that a method belongs to."""

CLIENT_CAPABILITY = {
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
    "elicitation/create": "elicitation",
}
"""The client's capability that a server's request belongs to."""

CACHED = (
    "server/discover",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
)
"""The methods of 2026-07-28 whose complete results carry cache hints."""

LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
"""The listing methods and the member that holds the items."""
