"""Where the specification says what: pages by topic and version, so that each finding names its source."""

from __future__ import annotations

ADDRESS = "https://modelcontextprotocol.io/specification"

_LEGACY_TRANSPORTS = "basic/transports"
_26 = "2026-07-28"

# Topic: words for people, the page of the handshake versions, the page of 2026-07-28. Empty: no such page there.
_TOPICS: dict[str, tuple[str, str, str]] = {
    "messages": ("Base protocol, messages", "basic", "basic"),
    "requests": ("Base protocol, requests", "basic", "basic"),
    "responses": ("Base protocol, responses", "basic", "basic"),
    "notifications": ("Base protocol, notifications", "basic", "basic"),
    "batching": ("Base protocol, batching", "basic", "basic"),
    "codes": ("Base protocol, error codes", "basic", "basic"),
    "meta": ("Base protocol, _meta", "basic", "basic"),
    "trace": ("Base protocol, trace context", "basic", "basic"),
    "icons": ("Base protocol, icons", "basic", "basic"),
    "json-schema": ("Base protocol, JSON Schema usage", "basic", "basic"),
    "stateless": ("Base protocol, statelessness", "", "basic"),
    "schema": ("Schema reference", "schema", "schema"),
    "lifecycle": ("Lifecycle", "basic/lifecycle", "basic/versioning"),
    "versioning": ("Versioning", "basic/lifecycle", "basic/versioning"),
    "discover": ("Discovery", "", "server/discover"),
    "extensions": ("Extension negotiation", "basic/lifecycle", "basic/versioning"),
    "stdio": ("Transports, stdio", _LEGACY_TRANSPORTS, "basic/transports/stdio"),
    "http": ("Transports, Streamable HTTP", _LEGACY_TRANSPORTS, "basic/transports/streamable-http"),
    "sessions": ("Transports, session management", _LEGACY_TRANSPORTS, "basic/transports/streamable-http"),
    "resume": ("Transports, resumability and redelivery", _LEGACY_TRANSPORTS, "basic/transports/streamable-http"),
    "http+sse": ("Transports, HTTP with SSE", _LEGACY_TRANSPORTS, "basic/transports"),
    "headers": ("Transports, request headers", _LEGACY_TRANSPORTS, "basic/transports/streamable-http"),
    "cancellation": ("Cancellation", "basic/utilities/cancellation", "basic/patterns/cancellation"),
    "progress": ("Progress", "basic/utilities/progress", "basic/patterns/progress"),
    "subscriptions": ("Subscriptions", "server/resources", "basic/patterns/subscriptions"),
    "mrtr": ("Multi round-trip requests", "", "basic/patterns/mrtr"),
    "caching": ("Caching", "", "server/utilities/caching"),
    "pagination": ("Pagination", "server/utilities/pagination", "server/utilities/pagination"),
    "tools": ("Tools", "server/tools", "server/tools"),
    "resources": ("Resources", "server/resources", "server/resources"),
    "prompts": ("Prompts", "server/prompts", "server/prompts"),
    "completion": ("Completion", "server/utilities/completion", "server/utilities/completion"),
    "logging": ("Logging", "server/utilities/logging", "server/utilities/logging"),
    "roots": ("Roots", "client/roots", "client/roots"),
    "sampling": ("Sampling", "client/sampling", "client/sampling"),
    "elicitation": ("Elicitation", "client/elicitation", "client/elicitation"),
    "tasks": ("Tasks", "basic/utilities/tasks", ""),
    "authorization": ("Authorization", "basic/authorization", "basic/authorization"),
    "deprecated": ("Deprecated features", "changelog", "deprecated"),
}

_ELSEWHERE = {
    "ext-tasks": "Extension io.modelcontextprotocol/tasks",
    "ext-apps": "Extension io.modelcontextprotocol/ui (MCP Apps)",
    "ext-skills": "Extension io.modelcontextprotocol/skills",
    "json": "RFC 8259, JSON",
    "advice": "",
}


def topics() -> frozenset[str]:
    """All topics that a rule may name."""
    return frozenset(_TOPICS) | frozenset(_ELSEWHERE)


def section(topic: str, version: str) -> tuple[str, str]:
    """The words and the address for a topic in a version; the address is empty where there is no page."""
    if topic in _ELSEWHERE:
        return _ELSEWHERE[topic], ""
    words, legacy, modern = _TOPICS[topic]
    page = modern if version >= _26 else legacy
    if version == "2024-11-05" and page == "basic":
        page = "basic/messages"
    shown = version if version <= _26 else _26
    if not page:
        return f"{words} ({shown})", ""
    return f"{words} ({shown})", f"{ADDRESS}/{shown}/{page}"
