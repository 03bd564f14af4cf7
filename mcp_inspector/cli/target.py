"""From the words of a command line to the server that is meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_inspector.cli.exits import UsageError
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.names import name_of_command, name_of_url
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.sources import ServerList

ORIGIN = "command line"


def servers(request: Request, folders: Folders) -> ServerList:
    """The configured servers, with those of ``--config`` first."""
    from mcp_inspector.config.sources import load

    path = Path(request.config).expanduser() if request.config else None
    if path is not None and not path.exists():
        raise UsageError(f"There is no file {path}. Name a servers file that exists.")
    return load(path, (), folders.servers)


def take_target(request: Request, folders: Folders) -> tuple[ServerEntry, list[str]]:
    """The server that is meant, with what the options say about it, and the words that are left."""
    words = list(request.words)
    if request.program is not None:
        command, *args = request.program
        entry = ServerEntry(name_of_command(command, args), command=command, args=tuple(args), origin=ORIGIN)
    elif not words:
        raise UsageError("No server is named. Name one, give a URL, or put a command after --.")
    else:
        entry = _named(words.pop(0), request, folders)
    return _overridden(entry, request), words


def take_targets(request: Request, names: list[str], folders: Folders) -> list[ServerEntry]:
    """The servers that are meant, each once: those named, the one started after ``--``, or all that are enabled."""
    entries = [_named(name, request, folders) for name in dict.fromkeys(names)]
    if request.program is not None:
        entries.insert(0, take_target(request, folders)[0])
    if not entries:
        known = servers(request, folders)
        entries = [entry for entry in known.entries if not entry.disabled and not entry.fatal]
        if not entries:
            problems = " ".join(known.problems)
            raise UsageError(f"No server is named, and none is configured and enabled. {problems}".rstrip())
    return [_overridden(entry, request) for entry in entries]


def _named(target: str, request: Request, folders: Folders) -> ServerEntry:
    if "://" in target:
        return ServerEntry(name_of_url(target), "auto", url=target, origin=ORIGIN)
    known = servers(request, folders)
    found = known.get(target)
    if found is not None:
        return found
    problems = " ".join(known.problems)
    if Path(target).exists():
        raise UsageError(f"No server is called {visible(target)!r}. To start it as a command, put it after --.")
    if not known.entries:
        raise UsageError(f"No server is called {visible(target)!r}: none is configured. {problems}".rstrip())
    import difflib

    names = [entry.name for entry in known.entries]
    near = difflib.get_close_matches(target, names, 3, 0.5) or names[:10]
    shown = ", ".join(visible(name) for name in near)
    raise UsageError(f"No server is called {visible(target)!r}. There is: {shown}. {problems}".rstrip())


def _overridden(entry: ServerEntry, request: Request) -> ServerEntry:
    """The entry with what the options say; its origin tells which parts they changed."""
    changes: dict[str, Any] = {}
    if request.protocol:
        changes["protocol"] = request.protocol
    if request.transport:
        changes["transport"] = request.transport
    if request.headers:
        changes["headers"] = {**entry.headers, **request.headers}
    if request.env:
        changes["env"] = {**entry.env, **request.env}
    if request.cwd:
        changes["cwd"] = request.cwd
    if request.timeout is not None:
        changes["timeout"] = request.timeout
    origin = entry.origin
    if changes and origin != ORIGIN:
        origin = f"{origin}; {', '.join(changes)} from the command line"
    # whoever names a server wants it, also a disabled one; a command makes one attempt
    changed = replace(entry, **changes, origin=origin, disabled=False, reconnect=0)
    if changed.transport == "stdio" and not changed.command:
        raise UsageError(f"{visible(entry.name)} has no command, so it cannot be reached over stdio.")
    if changed.transport != "stdio" and not changed.url:
        raise UsageError(f"{visible(entry.name)} has no URL, so it cannot be reached over {changed.transport}.")
    if request.headers and not changed.remote:
        raise UsageError("--header is for servers that are reached by URL; use --env for a command.")
    if (request.env or request.cwd) and changed.remote:
        raise UsageError("--env and --cwd are for servers that are started; use --header for a URL.")
    return changed
