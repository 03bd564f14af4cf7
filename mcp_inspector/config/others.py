"""Servers that other applications on this computer are configured with: found, read as they stand, exported back.

Nothing is looked for before the person wants it, and nothing found is connected before it is taken over.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_inspector.config import jsonc, paste, registry
from mcp_inspector.config.jsonc import JsoncError
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.servers_file import SIZE_LIMIT, ServersFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcp_inspector.config.entry import ServerEntry


@dataclass(frozen=True)
class Application:
    """An application and where it keeps its servers: paths with ``~``, ``{project}``, ``{appdata}`` or ``{zed}``."""

    name: str
    places: tuple[str, ...]


_CLINE = "{appdata}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"

APPLICATIONS: tuple[Application, ...] = (
    Application("evo agent", ("{project}/.evo_agent/mcp.json", "~/.evo_agent/mcp.json")),
    Application("Claude Desktop", ("{appdata}/Claude/claude_desktop_config.json",)),
    Application("Claude Code", ("{project}/.mcp.json", "~/.claude.json")),
    Application("Cursor", ("{project}/.cursor/mcp.json", "~/.cursor/mcp.json")),
    Application("VS Code", ("{project}/.vscode/mcp.json", "{appdata}/Code/User/mcp.json")),
    Application("Windsurf", ("~/.codeium/windsurf/mcp_config.json",)),
    Application("Cline", (_CLINE,)),
    Application("Codex", ("~/.codex/config.toml", "{project}/.codex/config.toml")),
    Application("Gemini CLI", ("{project}/.gemini/settings.json", "~/.gemini/settings.json")),
    Application("Zed", ("{zed}/settings.json", "{project}/.zed/settings.json")),
    Application("LM Studio", ("~/.lmstudio/mcp.json",)),
    Application("registry", ("{project}/server.json",)),
)


@dataclass(frozen=True)
class Found:
    """One file of an application. `problems` are sentences; the entries' own problems stand in the entries."""

    application: str
    path: Path
    entries: tuple[ServerEntry, ...] = ()
    problems: tuple[str, ...] = ()


def candidates(
    project: Path, home: Path | None = None, environ: Mapping[str, str] | None = None, system: str = sys.platform
) -> list[tuple[str, Path]]:
    """Application and path for every known place, whether there is something or not."""
    home = home or Path.home()
    environ = os.environ if environ is None else environ
    appdata = {
        "win32": environ.get("APPDATA", str(home / "AppData" / "Roaming")),
        "darwin": str(home / "Library" / "Application Support"),
    }.get(system, environ.get("XDG_CONFIG_HOME", str(home / ".config")))
    zed = f"{appdata}/Zed" if system == "win32" else str(home / ".config" / "zed")
    words = {"{project}": str(project), "{appdata}": appdata, "{zed}": zed}
    found = []
    for application in APPLICATIONS:
        for place in application.places:
            for word, value in words.items():
                place = place.replace(word, value)
            path = home / place[2:] if place.startswith("~/") else Path(place)
            found.append((application.name, path))
    return found


def find(project: Path, **where: Any) -> list[Found]:
    """Read every known place that exists. Files without any server are left out, files that cannot be read are not."""
    return [found for name, path in candidates(project, **where) if (found := read(name, path)) is not None]


def read(application: str, path: Path) -> Found | None:
    """What one file holds; None when it does not exist or has no servers. Never raises."""
    try:
        with open(path, "rb") as file:
            raw = file.read(SIZE_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Found(application, path, problems=(f"{path} cannot be read: {error.strerror or error}.",))
    if len(raw) > SIZE_LIMIT:
        return Found(application, path, problems=(f"{path} is too large for a servers file.",))
    text = raw.decode("utf-8", "replace")
    if application == "registry":
        return _registry(application, path, text)
    entries, problems = _understood(text, str(path))
    projects = _projects(text, str(path)) if path.name == ".claude.json" else ()
    entries += tuple(entry for entry in projects if entry.name not in {each.name for each in entries})
    if not entries and not problems:
        return None
    return Found(application, path, entries, problems)


def export(path: Path, entries: Iterable[ServerEntry], *, replace: bool = False) -> Path | None:
    """Write servers into a file of another application, keeping all else in it; returns the backup that was made first.

    A server of the same name stays, unless `replace`. None when there was no file to back up. Raises `EditRefused`.
    """
    if path.suffix == ".toml":
        raise EditRefused(f"{path} is TOML, which is read but not written here. Add the servers there by hand.")
    file, wanted = ServersFile(path), list(entries)
    there = {entry.name: entry for entry in file.read().entries}
    known = [entry.name for entry in wanted if entry.name in there]
    if known and not replace:
        raise EditRefused(f'{path} already has a server "{known[0]}". Replace it, or rename yours.')
    backup = None
    if path.exists():
        backup = path.with_name(f"{path.name}.backup-{time.strftime('%Y%m%d-%H%M%S')}")
        try:
            shutil.copy2(path, backup)
        except OSError as error:
            raise EditRefused(f"{path} was not changed: no backup could be made: {error.strerror or error}.") from None
    for entry in wanted:
        if entry.name in there:
            file.update(entry.name, there[entry.name], entry)
        else:
            file.add(entry)
    return backup


def _understood(text: str, origin: str) -> tuple[tuple[ServerEntry, ...], tuple[str, ...]]:
    pasted = paste.understand(text, origin=origin)
    if pasted.entries:
        return pasted.entries, tuple(f"{origin}: {problem}" for problem in pasted.problems)
    broken = tuple(f"{origin}: {problem}" for problem in pasted.problems if "cannot be read" in problem)
    return (), broken  # a settings file without servers is nothing to tell about


def _projects(text: str, origin: str) -> tuple[ServerEntry, ...]:
    """Servers that one application keeps for each folder in its one settings file."""
    try:
        value = jsonc.parse(text).plain()
    except JsoncError:
        return ()
    projects = value.get("projects") if isinstance(value, dict) else None
    found: dict[str, ServerEntry] = {}
    for folder, project in projects.items() if isinstance(projects, dict) else ():
        servers = project.get("mcpServers") if isinstance(project, dict) else None
        if isinstance(servers, dict) and servers:
            shown = f"{origin} ({folder})"
            for entry in _understood(json.dumps({"mcpServers": servers}), shown)[0]:
                found.setdefault(entry.name, entry)
    return tuple(found.values())


def _registry(application: str, path: Path, text: str) -> Found | None:
    try:
        value = jsonc.parse(text).plain()
    except JsoncError as error:
        return Found(application, path, problems=(f"{path} cannot be read: {error}.",))
    if not registry.is_registry_entry(value):
        return None
    entries, problems = registry.entries(value, str(path))
    return Found(application, path, entries, tuple(f"{path}: {problem}" for problem in problems))
