"""Servers of other applications, for the dialog that imports and exports them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_inspector.config import others
from mcp_inspector.config.entry_writer import members
from mcp_inspector.config.names import free_name
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.variables import effective
from mcp_inspector.store.redact import redact_headers, redact_value
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.others import Found
    from mcp_inspector.ui.models.book import Book


def find() -> list[Found]:
    """What the applications of this computer, and this folder, have. Reads files: call it beside the loop."""
    return others.find(Path.cwd())


def targets() -> list[tuple[str, Path, bool]]:
    """Where servers can be written: application, file, and whether it is there. TOML is not written."""
    return [(name, path, path.exists()) for name, path in others.candidates(Path.cwd()) if _is_written(name, path)]


def preview(entry: ServerEntry) -> str:
    """An entry as it would be written here, its secrets masked, with what is wrong and what it would do."""
    shown = redact_value({**members(entry), "disabled": True})
    for member, given in (("env", entry.env), ("headers", entry.headers)):
        if given:
            shown[member] = dict(redact_headers(given.items()))
    would = effective(entry)
    notes = [*entry.problems, *would.problems, *would.dangers]
    text = json.dumps({entry.name: shown}, ensure_ascii=False, indent=2)
    return "\n".join((*(f"// {plain.line(note)}" for note in dict.fromkeys(notes)), plain.lines(text)))


def take(book: Book, entries: Iterable[ServerEntry]) -> tuple[list[str], list[str]]:
    """Add these, disabled, under names that are free; the names that they got, and sentences about those refused."""
    names: list[str] = []
    refused: list[str] = []
    for entry in entries:
        new = replace(entry, name=free_name(entry.name, book.names), disabled=True, origin="")
        why = book.add(new, connect=False)
        if why:
            refused.append(why)
        else:
            names.append(new.name)
    return names, refused


def export(path: Path, entries: Iterable[ServerEntry], *, replace_known: bool) -> str:
    """Write servers into a file of another application; what was done, or why not. Touches files, as `find` does."""
    wanted = list(entries)
    try:
        backup = others.export(path, wanted, replace=replace_known)
    except EditRefused as refused:
        return str(refused)
    kept = f" The file as it was is {backup.name}, beside it." if backup is not None else ""
    return f"{plain.count(len(wanted), 'server')} written to {path}.{kept}"


def _is_written(name: str, path: Path) -> bool:
    return path.suffix != ".toml" and name != "registry"
