"""``mcp-inspector servers``: what is configured, from where, and what is wrong with it. Nothing is started."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit
from mcp_inspector.cli.target import servers
from mcp_inspector.config import settings as program_settings
from mcp_inspector.config.command_line import join
from mcp_inspector.config.settings import Settings
from mcp_inspector.config.variables import expand
from mcp_inspector.store.redact import redact_headers, redact_text, redact_value

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.settings import Loaded


def show(request: Request, folders: Folders) -> int:
    """Print the servers, and give 0: problems of a configuration are what one looks for here."""
    known = servers(request, folders)
    overrides = {} if request.timeout is None else {"request_timeout": request.timeout}
    loaded = program_settings.load(folders.settings, None, overrides)
    problems = [*known.problems, *loaded.problems]
    entries = [replace(entry, problems=_problems(entry)) for entry in known.entries]
    if request.json:
        printing.put_json(msgspec.json.encode(_document(entries, loaded, problems)))
        return Exit.OK
    lines = table(entries) if entries else [f"No server is configured. The servers file is {folders.servers}."]
    for entry in entries:
        lines += [f"! {problem}" for problem in entry.problems]
    lines += [f"! {problem}" for problem in problems]
    lines += [
        f"setting {name} = {getattr(loaded.settings, name)} ({loaded.origin(name)})"
        for name in program_settings.NAMES
        if loaded.origin(name) != "default"
    ]
    printing.put(lines)
    return Exit.OK


def _problems(entry: ServerEntry) -> tuple[str, ...]:
    """What is wrong with an entry, and which of its variables are missing now."""
    return entry.problems if entry.fatal else (*entry.problems, *expand(entry).problems)


def _state(entry: ServerEntry) -> str:
    if entry.fatal:
        return "broken"
    return "disabled" if entry.disabled else "enabled"


def _what(entry: ServerEntry) -> str:
    return redact_text(entry.url).text if entry.remote else join(redact_value([entry.command, *entry.args]))


def table(entries: list[ServerEntry]) -> list[str]:
    """Servers for people, a line each under a head line; secrets are masked."""
    from mcp_inspector.config.visible import visible

    rows = [("NAME", "KIND", "STATE", "STARTS OR REACHES", "FROM")]
    rows += [
        (visible(entry.name), entry.transport, _state(entry), visible(_what(entry)), visible(entry.origin))
        for entry in entries
    ]
    widths = [min(max(len(row[column]) for row in rows), 60) for column in range(5)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _document(entries: list[ServerEntry], loaded: Loaded, problems: list[str]) -> dict[str, Any]:
    return {
        "servers": [document_of(entry) for entry in entries],
        "settings": {
            setting.name: {"value": getattr(loaded.settings, setting.name), "origin": loaded.origin(setting.name)}
            for setting in fields(Settings)
        },
        "problems": problems,
    }


def document_of(entry: ServerEntry) -> dict[str, Any]:
    """One server; its secrets are masked."""
    where: dict[str, Any] = {"url": redact_text(entry.url).text, "headers": dict(redact_headers(entry.headers.items()))}
    if not entry.remote:
        where = {
            "command": entry.command,
            "args": redact_value(list(entry.args)),
            "env": dict(redact_headers(entry.env.items())),
            "cwd": entry.cwd,
        }
    return {
        "name": entry.name,
        "transport": entry.transport,
        **where,
        "state": _state(entry),
        "description": entry.description,
        "protocol": entry.protocol,
        "timeout": entry.timeout,
        "connect": entry.connect,
        "reconnect": entry.reconnect,
        "refreshBeforeCall": entry.refresh_before_call,
        "origin": entry.origin,
        "problems": list(entry.problems),
    }
