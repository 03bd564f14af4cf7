"""Keeping the roots of a server: in its servers file where it stands in one, else as long as the program runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_inspector.config.entry import Root
    from mcp_inspector.ui.desk import Desk


def roots_of(desk: Desk, name: str) -> tuple[Root, ...]:
    """The roots that are configured."""
    server = desk.inspector.find(name) if desk.inspector is not None else None
    return server.entry.roots if server is not None else ()


def keep(desk: Desk, name: str, roots: tuple[Root, ...]) -> str:
    """Let these answer from now on; returns why they are gone after a restart, empty when they are not."""
    server = desk.inspector.find(name) if desk.inspector is not None else None
    if server is None:
        return f"There is no server {name} any more."
    entry = desk.book.entry(name) if desk.book is not None else None
    refused = f"{name} stands in no servers file."
    if desk.book is not None and entry is not None:
        refused = desk.book.update(name, entry, replace(entry, roots=roots), connect=False)
    if refused:
        server.edit(replace(server.entry, roots=roots))
        return f"{refused} The roots count until the program ends."
    return ""
