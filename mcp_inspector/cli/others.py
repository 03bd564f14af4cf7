"""``mcp-inspector others``: the servers of other applications, shown, taken over, or given ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.cli.journal import say
from mcp_inspector.cli.servers import document_of, table
from mcp_inspector.config import others as applications
from mcp_inspector.config.names import free_name
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.servers_file import ServersFile

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.others import Found
    from mcp_inspector.config.paths import Folders


def others(request: Request, folders: Folders) -> int:
    """Show what is found; with the options, write. Raises `UsageError`."""
    options = request.options
    try:
        if options["export"]:
            return _export(Path(options["export"]).expanduser(), folders, replace_known=options["replace"])
        found = _wanted(applications.find(Path.cwd()), request.words)
        if options["take"]:
            return _take(found, options["take"], folders)
    except EditRefused as refused:
        raise UsageError(str(refused)) from None
    if request.json:
        printing.put_json(msgspec.json.encode([_document(one) for one in found]))
        return Exit.OK
    lines: list[str] = []
    for one in found:
        lines += [f"{one.application}: {one.path}", *(f"  {line}" for line in table(list(one.entries)))]
        lines += [f"! {problem}" for entry in one.entries for problem in entry.problems]
        lines += [f"! {problem}" for problem in one.problems]
    printing.put(lines or ["No other application on this computer, and no file in this folder, has servers."])
    return Exit.OK


def _wanted(found: list[Found], names: list[str]) -> list[Found]:
    if not names:
        return found
    known = {application.name.casefold(): application.name for application in applications.APPLICATIONS}
    unknown = [name for name in names if name.casefold() not in known]
    if unknown:
        raise UsageError(f"No application is known as {unknown[0]!r}. Known are {', '.join(known.values())}.")
    return [one for one in found if one.application.casefold() in {name.casefold() for name in names}]


def _take(found: list[Found], names: list[str], folders: Folders) -> int:
    file = ServersFile(folders.servers)
    for name in names:
        entry = next((entry for one in found for entry in one.entries if entry.name == name), None)
        if entry is None:
            raise UsageError(f"No application has a server {name!r}.")
        taken = {known.name for known in file.read().entries}
        new = replace(entry, name=free_name(entry.name, taken), disabled=True)
        file.add(new)
        say(f"{new.name} is in {file.path}, from {entry.origin}. It is disabled until you enable it.")
    return Exit.OK


def _export(path: Path, folders: Folders, *, replace_known: bool) -> int:
    entries = ServersFile(folders.servers).read().entries
    if not entries:
        raise UsageError(f"There is nothing to write: {folders.servers} has no servers.")
    backup = applications.export(path, entries, replace=replace_known)
    say(f"{len(entries)} servers are in {path}." + (f" The file as it was is {backup}." if backup else ""))
    return Exit.OK


def _document(found: Found) -> dict[str, object]:
    servers = [document_of(entry) for entry in found.entries]
    return {"application": found.application, "file": str(found.path), "servers": servers, "problems": found.problems}
