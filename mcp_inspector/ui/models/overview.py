"""What is known of a server as titled groups of facts: who it is, what it can do, how it is reached."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.dialing import proxy_words
from mcp_inspector.store.redact import redact_value
from mcp_inspector.ui import plain
from mcp_inspector.ui.models import freshness
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.server import Server

_CAPABILITIES = {
    "tools": "Tools",
    "resources": "Resources",
    "prompts": "Prompts",
    "completions": "Completions",
    "logging": "Logging",
    "tasks": "Tasks",
    "experimental": "Experimental",
}
EXTENSIONS = {
    "io.modelcontextprotocol/ui": "MCP Apps: tools with views of their own, which stand under Resources as ui:// URIs",
    "io.modelcontextprotocol/tasks": "Tasks: calls that go on after their answer, followed on the page Tasks",
    "io.modelcontextprotocol/skills": "Skills: texts for models, which stand under Resources as skill:// URIs",
    "io.modelcontextprotocol/oauth-client-credentials": "Signing in as a client, without a person",
    "io.modelcontextprotocol/enterprise-managed-authorization": "Signing in by an organisation's own provider",
}
"""Extensions that this program knows, and what they are."""
_NAMES = {What.TOOLS: "Tools", What.RESOURCES: "Resources", What.TEMPLATES: "Templates", What.PROMPTS: "Prompts"}


@dataclass(frozen=True)
class Group:
    """A title and its facts."""

    title: str
    facts: tuple[Fact, ...]


def groups(server: Server) -> list[Group]:
    """Everything worth showing, in reading order; groups without facts are left out."""
    found = [
        Group("Server", _identity(server)),
        Group("Connection", _connection(server)),
        Group("Capabilities", _capabilities(server)),
        Group("Extensions", _extensions(server)),
        Group("Lists", _lists(server)),
        Group("Configuration", _configuration(server)),
    ]
    return [group for group in found if any(fact.value for fact in group.facts)]


def instructions(server: Server) -> str:
    """What the server says how to use it; untrusted text."""
    return server.identity.instructions if server.identity is not None else ""


def _identity(server: Server) -> tuple[Fact, ...]:
    identity = server.identity
    if identity is None:
        return ()
    info = identity.server_info
    return (
        Fact("Name", _string(info.get("name"))),
        Fact("Title", _string(info.get("title"))),
        Fact("Version", _string(info.get("version"))),
        Fact("Description", _string(info.get("description"))),
        Fact("Web site", _string(info.get("websiteUrl")), mono=True),
    )


def _connection(server: Server) -> tuple[Fact, ...]:
    status, identity = server.status, server.identity
    since = plain.ago((time.perf_counter_ns() - status.since_ns) / 1e9) if status.since_ns else ""
    facts = [Fact("State", f"{status.words(time.perf_counter_ns())}, {since}" if since else status.words())]
    if status.detail:
        facts.append(Fact("Trouble", status.detail, tone="warn"))
    if identity is not None:
        was = "" if status.up else " (of the last connection)"
        facts += [
            Fact("Protocol", f"{identity.version}, {identity.era} era{was}"),
            Fact("Versions offered", ", ".join(identity.supported)),
            Fact("Transport", identity.transport),
        ]
        steps, reason = server.negotiation
        facts += [
            Fact("Negotiation", "\n".join(plain.line(step, 300) for step in steps)),
            Fact("Why this version", reason, tone="muted"),
        ]
    if server.entry.remote:
        facts += [Fact("TLS", each, tone="warn" if "ONLY" in each else "text") for each in server.entry.route.words]
        facts.append(Fact("Proxy", proxy_words(server.entry)))
    if server.connection:
        facts.append(Fact("Connections", f"{server.connection} since the start"))
    return tuple(facts)


def _capabilities(server: Server) -> tuple[Fact, ...]:
    identity = server.identity
    if identity is None:
        return ()
    facts = []
    for name, value in identity.capabilities.items():
        if name != "extensions":
            facts.append(Fact(_CAPABILITIES.get(name, plain.line(name, 60)), _settings(value)))
    missing = [title for name, title in _CAPABILITIES.items() if name not in identity.capabilities]
    facts.append(Fact("Not declared", ", ".join(word.lower() for word in missing), tone="muted"))
    return tuple(facts)


def _extensions(server: Server) -> tuple[Fact, ...]:
    if server.identity is None:
        return ()
    facts = []
    for name, value in server.identity.extensions.items():
        known = EXTENSIONS.get(name, "unknown to this program: Any request sends its methods")
        declared = "declared by this client, too" if name in _declared(server) else "not declared by this client"
        settings = "without settings" if value == {} else _settings(value)
        facts.append(Fact(plain.line(name, 80), f"{known}\n{settings} · {declared}"))
    return tuple(facts)


def unknown_extensions(server: Server) -> list[str]:
    """Extensions that only the editor for any request can use."""
    return (
        [name for name in server.identity.extensions if name not in EXTENSIONS] if server.identity is not None else []
    )


def _declared(server: Server) -> Mapping[str, Any]:
    declared = server.session.declared.get("extensions") if server.session is not None else None
    return declared if isinstance(declared, dict) else {}


def _settings(value: Any) -> str:
    """A capability's settings in words: ``yes``, ``listChanged, subscribe``, else its JSON."""
    if isinstance(value, dict):
        if not value:
            return "yes"
        if all(isinstance(one, bool) for one in value.values()):
            on = [name for name, one in value.items() if one]
            off = [f"no {name}" for name, one in value.items() if not one]
            return ", ".join(["yes", *on, *off])
    return "yes" if value is True else "no" if value is False else _json(value)


def _lists(server: Server) -> tuple[Fact, ...]:
    facts = []
    for what, name in _NAMES.items():
        listing = server.catalogue[what]
        if listing.freshness in (Freshness.UNKNOWN, Freshness.UNSUPPORTED):
            continue
        size = sum(len(item.raw) for item in listing.items)
        known = listing.freshness is Freshness.FRESH  # how fresh that is, the words of its age tell
        words = [f"{len(listing.items):,}", plain.size(size) if size else "", "" if known else str(listing.freshness)]
        words.append(freshness.listing_words(listing, time.time_ns()))
        if listing.pages > 1:
            words.append(f"{listing.pages} pages")
        words += [listing.why, *listing.warnings[:3]]
        good = listing.freshness in (Freshness.FRESH, Freshness.LOADING) and not listing.warnings
        facts.append(Fact(name, " · ".join(word for word in words if word), tone="text" if good else "warn"))
    return tuple(facts)


def _configuration(server: Server) -> tuple[Fact, ...]:
    entry = server.entry
    return (
        Fact("Command", shlex.join(redact_value([entry.command, *entry.args])) if entry.command else "", mono=True),
        Fact("Working folder", entry.cwd, mono=True),
        Fact("Environment", ", ".join(entry.env), mono=True),
        Fact("URL", redact_value(entry.url), mono=True),
        Fact("Headers", ", ".join(entry.headers), mono=True),
        Fact("Time limit", f"{entry.timeout:g} s" if entry.timeout is not None else ""),
        Fact("Protocol", entry.protocol if entry.protocol != "auto" else ""),
        Fact("Roots", "\n".join(root.uri for root in entry.roots), mono=True),
        Fact("Description", entry.description),
        Fact("Comes from", entry.origin),
        *(Fact("Problem", problem, tone="error" if entry.fatal else "warn") for problem in entry.problems),
    )


def _string(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else _json(value)


def _json(value: Mapping[str, Any] | Any) -> str:
    return msgspec.json.encode(value).decode()
